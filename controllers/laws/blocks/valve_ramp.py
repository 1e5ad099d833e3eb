# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Thruster force that rises and falls linearly as the valve opens and closes, relative to the full force."""

from typing import Any

from ....plant.kernels.kernel import kernel


@kernel
def mean_level(level: Any, on: Any, tick: Any, rise: Any, fall: Any) -> Any:
    """Return the mean fraction of the force within a tick that begins at `level`.

    on: whether the valve is open; tick, rise, fall: duration of the tick, and of a full rise and fall, s.
    """
    if on:
        ramp = (1.0 - level) * rise  # time until the full force is reached
        if ramp >= tick:
            return level + 0.5 * tick / rise
        return 1.0 - 0.5 * (1.0 - level) * ramp / tick
    ramp = level * fall  # time until the force is zero
    if ramp > tick:
        return level - 0.5 * tick / fall
    return 0.5 * level * ramp / tick


@kernel
def level_after(level: Any, on: Any, tick: Any, rise: Any, fall: Any) -> Any:
    """Return the fraction of the force at the end of a tick; arguments as in `mean_level`."""
    if on:
        return min(1.0, level + tick / rise) if (1.0 - level) * rise > 0.0 else 1.0
    return max(0.0, level - tick / fall) if level * fall > 0.0 else 0.0
