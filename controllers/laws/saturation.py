# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Saturation of a command, either of each component separately or with its direction kept."""

from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import select

SATURATIONS = {"component": 0, "direction": 1}
"""Kinds of saturation, and their codes in kernels."""


@kernel(lanes=True)
def cut(bound, value):
    """Return a value limited to +-bound."""
    below = select(value.real < -bound.real, -bound + 0.0 * value, value)
    return select(value.real > bound.real, bound + 0.0 * value, below)


@kernel(lanes=True)
def _exceeds(most, bound, value):
    """Return the larger of `most` and |value| / bound; the bound may be infinite."""
    size = abs(value.real)
    more = size > most * bound.real
    return select(more, size, most) / select(more, bound.real, 1.0)


@kernel(lanes=True)
def saturated(keep_direction, b0, b1, b2, u0, u1, u2):
    """Return three components limited to +-b, either separately or scaled by one common factor."""
    if keep_direction == 0:
        return cut(b0, u0), cut(b1, u1), cut(b2, u2)
    excess = _exceeds(1.0 + 0.0 * u0.real, b0, u0)  # 1 in every SIMD lane; an infinite bound would give NaN
    excess = _exceeds(excess, b1, u1)
    excess = _exceeds(excess, b2, u2)
    return u0 / excess, u1 / excess, u2 / excess
