"""Pulses of the torque command that the rows of a run miss."""

from typing import TYPE_CHECKING

import numpy as np

from ...controllers.contracts.law_defaults import with_defaults
from .shared_rows import once

if TYPE_CHECKING:
    from .run import Run

TOLERANCE = 1e-6
"""Allowed excess of the row spacing over the pulse period, as a fraction of the period, for round-off of the times."""


@once
def missed_pulses(run: "Run") -> str:
    """Return why the rows do not show every pulse of the command, with the remedy; empty if they do.

    A law or block that switches a torque on and off (`pulsed`) changes the command at its samples. If the rows are
    further apart than the samples, a value held between rows may be wrong by any factor.
    """
    period = _pulse_period(run)
    if period == np.inf:  # most runs: their rows need not be read
        return ""
    spacing = float(np.diff(run.t, prepend=0.0, append=run.end_time).max())
    if not spacing > period * (1.0 + TOLERANCE):
        return ""
    return (
        f"the torque is pulsed at intervals of {period:g} s, and rows every {spacing:g} s miss pulses; "
        f"set run.output_s = {period:g}"
    )


def _pulse_period(run: "Run") -> float:
    """Return the shortest time between two changes of a pulsed command, s; inf if the command is not pulsed."""
    if run.law is None:
        return np.inf
    law = with_defaults(run.law)
    periods = [block.clock.period for block in run.blocks if block.pulsed]
    if any(with_defaults(part).pulsed for part in law.parts):
        periods.append(law.sample)
    return min(periods, default=np.inf)
