"""Definition of a stepper: the tableau of a Runge-Kutta method, and its code in the engine."""

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
    """One integrator: x_i = x + h sum a_ij k_j at t + c_i h, and x(t + h) = x + h sum b_i k_i; or a closed form.

    Parameters
    ----------
    name : str
        Name of the integrator in runs and cases.
    words : str
        Short description.
    order : int
        Order: the local error is proportional to the step to the power order + 1.
    a : array_like, shape (s, s)
        Coefficients of the tableau; none for a motion in closed form.
    b : array_like, shape (s,)
        Weights of the tableau.
    c : array_like, shape (s,)
        Nodes of the tableau.
    method : int, optional
        Code with which the engine takes the step, see `polhode.sim.engine.indices`; by default EXPLICIT or IMPLICIT,
        which accept any such tableau.
    refuse : callable, optional
        For a closed-form motion: refuse(craft, driven=, view=) returns in a few words why it is not the motion of a
        craft, under the stated torque, or in the states of a formulation; empty where it is.

    Raises
    ------
    InputError
        When the shapes do not fit, the rows of a do not add up to c, the weights not to 1, a method for explicit stages
        needs a later stage, or two implicit stages are at one time.
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
                f"{self.name}: implicit stages start from the polynomial through those of the last step, so no two may "
                f"lie at one c; got {c.tolist()}"
            )
        if not (self.implicit or explicit):
            raise InputError(
                f"{self.name}: an explicit stage reads earlier ones only; a must be strictly lower triangular"
            )
        for field, value in (("a", a), ("b", b), ("c", c)):
            object.__setattr__(self, field, value)

    @property
    def adaptive(self) -> bool:
        """True if it adapts its steps to a tolerance; the others use fixed steps."""
        return self.method == DOP853

    @property
    def implicit(self) -> bool:
        """True if its stages are solutions of equations, so that no vibration limits the step."""
        return self.method == IMPLICIT

    @property
    def exact(self) -> bool:
        """True if it is a closed-form motion, whose accuracy does not depend on the step."""
        return self.method == EXACT

    @property
    def entry(self) -> str:
        """Entry of the engine's library that takes its steps; empty if the engine itself does."""
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
        """Raise InputError if it is not the motion of a craft under these conditions."""
        exerting = [block.name for block in blocks if block.torque]
        by_block = f"the torque of the block {exerting[0]!r}" if exerting else ""
        driven = "a law" if law is not None else "a scheduled torque" if torques else by_block
        words = (
            ""
            if self.refuse is None
            else self.refuse(craft, driven=driven, view="" if view is None else "a formulation")
        )
        if words:
            raise InputError(f"integrator {self.name!r} serves a free rigid body only, but {words}; take 'dop853'")

    @cached_property
    def stages(self) -> int:
        """Number of stages."""
        return int(np.size(self.b))

    @cached_property
    def tableau(self) -> Array:
        """The rows that `explicit_step` reads: those of a, then b, then c."""
        return read_only(np.zeros((0, 0)) if self.exact else np.vstack([self.a, self.b, self.c]))
