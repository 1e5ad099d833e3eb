"""Note on figures of a pulsed torque whose rows miss pulses."""

from typing import TYPE_CHECKING

from ....sim.results.missed_pulses import missed_pulses

if TYPE_CHECKING:
    from ....sim import Run


def pulses_note(run: "Run") -> str:
    """Return a second line of the axis label if the rows miss pulses of the command; otherwise an empty string."""
    return "\nat the rows, without pulses in between" if missed_pulses(run) else ""
