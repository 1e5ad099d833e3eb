# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""What the actuator can do of a command: each component cut off by itself, or the direction kept."""

from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import select

__all__ = ["SATURATIONS", "cut", "saturated"]

SATURATIONS = {"component": 0, "direction": 1}
"""How a command beyond the torque limit is reduced, by the number that kernels know it by."""


@kernel(lanes=True)
def cut(bound, value):
    """A number within +-bound."""
    below = select(value.real < -bound.real, -bound + 0.0 * value, value)
    return select(value.real > bound.real, bound + 0.0 * value, below)


@kernel(lanes=True)
def _exceeds(most, bound, value):
    """How many times a bound, which may be infinite, a value is, or `most` where that is more."""
    size = abs(value.real)
    more = size > most * bound.real
    return select(more, size, most) / select(more, bound.real, 1.0)


@kernel(lanes=True)
def saturated(keep_direction, b0, b1, b2, u0, u1, u2):
    """Components within +-b: each cut off by itself, or all three shortened by one factor."""
    if keep_direction == 0:
        return cut(b0, u0), cut(b1, u1), cut(b2, u2)
    excess = _exceeds(1.0 + 0.0 * u0.real, b0, u0)  # 1 in every lane; of an infinite bound it would be no number
    excess = _exceeds(excess, b1, u1)
    excess = _exceeds(excess, b2, u2)
    return u0 / excess, u1 / excess, u2 / excess
