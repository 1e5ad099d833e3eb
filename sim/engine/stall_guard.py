"""Early detection of runs that cannot finish at their current pace.

An hours-long run with nanosecond steps ends after a few checks instead of after max_steps. If the steps are
limited by the decay of a fast mode instead of by motion that must be resolved, the plant is stiff and unsuitable for
explicit methods. The run then ends even earlier, and the message names the fast part.
"""

from collections.abc import Sequence

import numpy as np

from ...plant import Spacecraft, TorquePulse
from . import indices as at
from .fastest import fastest
from .loop_arrays import LoopArrays

LOOKS = 5  # number of successive checks that must agree
STIFF = 2.0  # h |lambda| of a decaying mode above which stability instead of accuracy limits the step
STIFF_CALLS = 100  # steps that a stiff run may need, as a multiple of the steps per call


class StallGuard:
    """Monitor of a run between two calls of the engine.

    pulses: scheduled torques.
    b: arrays of the run.
    steps: number of steps per call.
    """

    def __init__(
        self, craft: Spacecraft, pulses: Sequence[TorquePulse], b: LoopArrays, *, duration: float, steps: int
    ) -> None:
        self.craft, self.pulses, self.b = craft, tuple(pulses), b
        self.duration, self.stiff_steps = duration, STIFF_CALLS * steps
        self._t, self._steps, self._bad = 0.0, 0, 0

    def verdict(self) -> str:
        """Return the reason why the run cannot finish, as a sentence; empty as long as it may finish."""
        clock, count = self.b.clock, self.b.count
        t, steps = float(clock[at.T]), int(count[at.STEPS])
        taken, went = steps - self._steps, t - self._t
        self._t, self._steps = t, steps
        if taken <= 0:
            return ""
        most = int(count[at.MAX_STEPS])
        needed = steps + (self.duration - t) * taken / went if went > 0.0 else np.inf
        if needed <= min(most, self.stiff_steps):
            self._bad = 0
            return ""
        step = went / taken
        b = self.b
        found = fastest(self.craft, b.x, t=t, u=b.u, pulses=self.pulses)
        rate, name = found
        stiff = count[at.METHOD] == at.DOP853 and -rate.real > 0.5 * abs(rate) and step * abs(rate) > STIFF
        if needed <= most and not stiff:
            self._bad = 0
            return ""
        self._bad += 1
        if self._bad < LOOKS:
            return ""
        pace = f"at t = {t:.6g} s the run advances by {step:.3g} s per step, and needs {needed:.3g} steps to its end"
        if stiff:
            return (
                f"{pace}: the plant is stiff. Its fastest rate, a decay of {name}, is {abs(rate):.3g}/s, and explicit "
                "steps are stable only up to a few times its inverse, however slow the other motions are; soften "
                "the fast part (friction, damping, stiffness), fix it, or shorten the run"
            )
        reason = f"; {found.words}" if found.words else ""
        sample = float(clock[at.SAMPLE])
        if sample > 0.0 and step <= sample <= 1.5 * step:
            reason = f"; the law is sampled every {sample:.3g} s"
        return (
            f"{pace}, and max_steps is {most:.3g}{reason}; shorten the run or raise max_steps, and check the units of "
            "inertia, rate, torque and stiffness"
        )
