"""A law with scaled and delayed commands, to test predicted margins by simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...controllers import Law
from ...controllers.contracts.checks import read_only
from ...controllers.contracts.design_condition import DesignCondition
from ...controllers.contracts.kernel_call import KernelCall
from ...controllers.loop.small_signal import SmallSignal
from ...plant import LinearModel
from ...plant.checks import vector
from ...plant.errors import DesignError, InputError
from ...plant.frozen import frozen_arrays
from ...plant.kernels.fields import filled
from .changed_law_kernel import HEAD, changed_law_kernel

Array = NDArray[np.float64]

MOST_SLOTS = 100_000


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class ChangedLaw:
    """A law whose commands are scaled and delayed on their way to the plant; the law does not know this.

        u_i(t) = factor_i u_i[law](t - late_i)

    Delays are rounded to whole ticks; the sampling period is an integer number of ticks.
    Factors and delays are parameters of one kernel, which is compiled once for all laws.

    Parameters
    ----------
    law : Law
        The original law. Its memory stores the commands before factor and delay are applied.
    factor : array_like, shape (3,)
        Factor of each component of the command.
    late : array_like, shape (3,)
        Delay of each component beyond `law.delay`, s.
    ticks : int
        Number of ticks in a sampling period.

    Raises
    ------
    InputError
        When a delay is negative or above 100,000 samples, or `ticks` is below 1.

    Examples
    --------
    >>> from polhode import controllers, plant, sim
    >>> craft = plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)))
    >>> law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=1.0, sample=0.1)
    >>> half = ChangedLaw(law, factor=(0.5, 0.5, 0.5))
    >>> start = (0.8, 0.6, 0.0, 0.0)
    >>> run, less = (sim.simulate(craft, x, attitude=start, duration=0.2, compiled=False) for x in (law, half))
    >>> (less.values("command")[0, 0] / run.values("command")[0, 0]).item()
    0.5
    """

    law: Law
    factor: Array
    late: Array
    ticks: int

    def __init__(
        self,
        law: Law,
        *,
        factor: ArrayLike = (1.0, 1.0, 1.0),
        late: ArrayLike = (0.0, 0.0, 0.0),
        ticks: int = 1,
    ) -> None:
        if ticks < 1:
            raise InputError(f"a sampling period has at least one tick; got {ticks}")
        wait = vector("late", late, unit="s")
        if wait.min() < 0.0 or wait.max() > MOST_SLOTS * law.sample:
            raise InputError(f"late must be between 0 and {MOST_SLOTS:,} samples of {law.sample:g} s; got {wait} s")
        object.__setattr__(self, "law", law)
        object.__setattr__(self, "factor", read_only(vector("factor", factor)))
        object.__setattr__(self, "late", read_only(np.round(wait * ticks / law.sample) * law.sample / ticks))
        object.__setattr__(self, "ticks", int(ticks))

    @property
    def sample(self) -> float:
        """Length of a tick, s, which is the sampling period of the changed law."""
        return self.law.sample / self.ticks

    @property
    def delay(self) -> float:
        """The delay assumed by the original law, s."""
        return self.law.delay

    @property
    def compiled(self) -> bool:
        """True if the compiled engine can run the law; False if the law is plain Python."""
        return bool(getattr(self.law, "compiled", True))

    @property
    def reads(self) -> tuple[str, ...]:
        """Additional signals that the original law reads."""
        return tuple(getattr(self.law, "reads", ()))

    @property
    def calls(self) -> tuple[KernelCall, ...]:
        """The kernel of the original law, and the kernels that this kernel calls."""
        inner = (KernelCall(HEAD.size + place, kind, kernel) for place, kind, kernel in getattr(self.law, "calls", ()))
        return (KernelCall(HEAD.law, "law", self.law.kernel), *inner)

    @property
    def design_condition(self) -> DesignCondition | None:
        """Design condition of the original law."""
        return getattr(self.law, "design_condition", None)

    def small_signal(self, model: LinearModel) -> SmallSignal:
        """Raise DesignError, because a linear form cannot represent delays of individual components.

        Parameters
        ----------
        model : LinearModel
            The linear model of any plant.

        Returns
        -------
        SmallSignal
            Never returned.

        Raises
        ------
        DesignError
            Always.
        """
        raise DesignError("a ChangedLaw has no linear form; use the loop of the original law")

    @property
    def kernel(self) -> Callable[..., Any]:
        """The kernel of the changed law, with the signature `law(t, y, r, q, z, u)`."""
        return changed_law_kernel

    @property
    def parameters(self) -> Array:
        """Parameters of the kernel; the first one identifies the kernel of the original law."""
        late = np.round(self.late / self.sample)
        head = filled(
            HEAD,
            law=0.0,
            ticks=self.ticks,
            slots=self._slots,
            factors=self.factor,
            late=late,
            memory=1 + 3 * self._slots,
        )
        return read_only(np.concatenate((head, self.law.parameters)))

    @property
    def memory(self) -> Array:
        """Initial memory: the tick, the pending commands, the original law's memory."""
        return read_only(np.concatenate((np.zeros(1 + 3 * self._slots), self.law.memory)))

    @property
    def _slots(self) -> int:
        return int(np.ceil(self.late.max() / self.law.sample - 1e-9)) + 2
