"""Definition of a stepper: tableau of a Runge-Kutta method, and its code in the engine."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.errors import InputError
from ....plant.frozen import frozen_arrays, read_only
from ..indices import DOP853, EXACT, EXPLICIT, IMPLICIT

if TYPE_CHECKING:
    from ....controllers import Block, Law
    from ....plant import Spacecraft, TorquePulse
    from ....plant.formulations.view import View

__all__ = ["Stepper"]

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Stepper:
    """An integrator: a Runge-Kutta method or a motion in closed form.

    Parameters
    ----------
    name : str
        Name of the integrator in runs and cases.
    words : str
        Short description.
    order : int
        Order; the error of a step h is proportional to h^(order + 1).
    a : array_like, shape (s, s)
        Coefficients in the stages x_i = x + h sum a_ij k_j at t + c_i h; empty for a motion in closed form.
    b : array_like, shape (s,)
        Weights in the result x(t + h) = x + h sum b_i k_i.
    c : array_like, shape (s,)
        Nodes of the stages.
    method : int, optional
        Code of the engine function that takes the step, see `polhode.sim.engine.indices`. By default EXPLICIT or
        IMPLICIT, which accept any tableau of this type.
    refuse : callable, optional
        For a motion in closed form: `refuse(craft, driven=, view=)` returns a short reason why the closed form does not
        apply to a craft (driven: description of a torque; view: name of a formulation); empty if it applies.

    Raises
    ------
    InputError
        When the shapes do not match, a row of a does not add up to its c, the weights do not add up to 1, an explicit
        stage needs a later stage, or two implicit stages are at the same time.
    """

    name: str
    words: str
    order: int
    a: ArrayLike = ()
    b: ArrayLike = ()
    c: ArrayLike = ()
    method: int = -1
    refuse: Callable[..., str] | None = None

    def __post_init__(self) -> None:
        if self.exact:
            return
        a, b, c = (np.array(numbers, dtype=np.float64) for numbers in (self.a, self.b, self.c))
        if b.ndim != 1 or a.shape != (b.size, b.size) or c.shape != b.shape:
            raise InputError(f"{self.name}: a must be (s, s), b and c (s,); got {a.shape}, {b.shape} and {c.shape}")
        if abs(float(b.sum()) - 1.0) > 1e-14 or float(np.abs(a.sum(axis=1) - c).max()) > 1e-14:
            raise InputError(f"{self.name}: the weights b must add up to 1, and each row of a to its c")
        explicit = not np.triu(a).any()
        if self.method < 0:
            object.__setattr__(self, "method", EXPLICIT if explicit else IMPLICIT)
        if self.implicit and len(set(c.tolist())) < c.size:
            raise InputError(
                f"{self.name}: implicit stages start from the polynomial through the stages of the last step, so no "
                f"two may have equal c; got {c.tolist()}"
            )
        if not (self.implicit or explicit):
            raise InputError(
                f"{self.name}: an explicit stage uses earlier stages only; a must be strictly lower triangular"
            )
        for field, value in (("a", a), ("b", b), ("c", c)):
            object.__setattr__(self, field, value)

    @property
    def adaptive(self) -> bool:
        """True if the steps are adapted to a tolerance; other steppers use fixed steps."""
        return self.method == DOP853

    @property
    def implicit(self) -> bool:
        """True if the stages are implicit, so that no vibration limits the step."""
        return self.method == IMPLICIT

    @property
    def exact(self) -> bool:
        """True for a motion in closed form, whose accuracy does not depend on the step."""
        return self.method == EXACT

    @property
    def entry(self) -> str:
        """Library entry of a step in a separate function; empty if the step is part of the engine."""
        return {IMPLICIT: "implicit_entry", EXACT: "elliptic_entry"}.get(self.method, "")

    def require(
        self,
        craft: "Spacecraft",
        *,
        law: "Law | None",
        torques: "Sequence[TorquePulse]",
        blocks: "Sequence[Block]",
        view: "View | None",
    ) -> None:
        """Raise InputError if the integrator is not applicable to a run with these parts."""
        exerting = [block.name for block in blocks if block.torque]
        by_block = f"the torque of the block {exerting[0]!r}" if exerting else ""
        driven = "a law" if law is not None else "a scheduled torque" if torques else by_block
        words = (
            ""
            if self.refuse is None
            else self.refuse(craft, driven=driven, view="" if view is None else "a formulation")
        )
        if words:
            raise InputError(f"integrator {self.name!r} applies to a free rigid body only, but {words}; use 'dop853'")

    @cached_property
    def stages(self) -> int:
        """Number of stages."""
        return int(np.size(self.b))

    @cached_property
    def tableau(self) -> Array:
        """Rows for `explicit_step`: the rows of a, then b, then c."""
        return read_only(np.zeros((0, 0)) if self.exact else np.vstack([self.a, self.b, self.c]))
