"""Switching rate of the modes of the control system, and a warning about a rate that is too high."""

from typing import TYPE_CHECKING

import numpy as np

from ...controllers.laws.modes.modes_kernel import SIGNALS

if TYPE_CHECKING:
    from .run import Run

MODE_CAUSE, MODE_COUNT = SIGNALS[1], SIGNALS[3]
MINUTE = 60.0  # s
OFTEN = 10  # number of switches within MINUTE from which a warning is given


def switches_per_minute(run: "Run") -> int | None:
    """Return the largest number of mode switches within any minute of a run; None if there are no modes."""
    if MODE_COUNT not in run.names or not len(run.t):
        return None
    t, count = run.t, run.values(MODE_COUNT)
    begun = np.concatenate(([0.0], count[1:]))  # an entry at t = 0 counts
    return round(float((np.interp(t + MINUTE, t, count) - begun).max()))


def mode_switching(run: "Run") -> list[str]:
    """Return warnings about modes that switch too often, or that were not fully checked for cycles."""
    return _switching(run) + _unchecked(run)


def _unchecked(run: "Run") -> list[str]:
    if getattr(run.law, "cycles_checked", True):
        return []
    from ...controllers.laws.modes.graph import MANY_CYCLES

    words = (
        f"only {MANY_CYCLES:,} cycles of modes were checked for repeated switching: these modes and transitions "
        "have more; remove transitions, or check the switching rate"
    )
    return [words]


def _switching(run: "Run") -> list[str]:
    most = switches_per_minute(run)
    if most is None or most < OFTEN or not run.labels(MODE_CAUSE):
        return []
    why = run.labels(MODE_CAUSE)[int(run.values(MODE_CAUSE)[-1])]
    words = (
        f"the modes switched {int(run.values(MODE_COUNT)[-1])} times in {float(run.t[-1]):.4g} s, up to {most} times "
        f"within a minute; the last time on {why}: set the thresholds of entry and return further apart "
        "(release, lasting), or set a dwell of the modes"
    )
    return [words]
