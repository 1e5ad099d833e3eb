# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""What the actuator can do of a command: each component cut off by itself, or the direction kept."""

from ...plant.kernels.kernel import kernel

__all__ = ["SATURATIONS", "saturated"]

SATURATIONS = {"component": 0, "direction": 1}
"""How a command beyond the torque limit is reduced, by the number that kernels know it by."""


@kernel
def _cut(bound, value):
    if value.real > bound.real:
        return bound + 0.0 * value
    if value.real < -bound.real:
        return -bound + 0.0 * value
    return value


@kernel
def saturated(keep_direction, b0, b1, b2, u0, u1, u2):
    """Components within +-b: each cut off by itself, or all three shortened by one factor."""
    if keep_direction == 0:
        return _cut(b0, u0), _cut(b1, u1), _cut(b2, u2)
    excess = 1.0
    if abs(u0.real) > excess * b0.real:
        excess = abs(u0.real) / b0.real
    if abs(u1.real) > excess * b1.real:
        excess = abs(u1.real) / b1.real
    if abs(u2.real) > excess * b2.real:
        excess = abs(u2.real) / b2.real
    return u0 / excess, u1 / excess, u2 / excess
