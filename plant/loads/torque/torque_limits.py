# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Saturation of a torque command."""

from ...kernels.kernel import kernel
from ...kernels.lanes import select, shared


@kernel(lanes=True)
def within(forms, at, c0, c1, c2):
    """Return the largest factor, at most 1, that scales a torque into {c: G c <= 1}.

    Row-major G begins at `at` in `forms`.
    """
    most, other = 1.0 + 0.0 * c0, 1.0 + 0.0 * c0
    pairs = at + 6 * ((forms.size - at) // 6)
    for n in range(at, pairs, 6):  # two rows per pass: independent comparisons shorten the dependency chain
        part = forms[n] * c0 + forms[n + 1] * c1 + forms[n + 2] * c2
        second = forms[n + 3] * c0 + forms[n + 4] * c1 + forms[n + 5] * c2
        most, other = select(part.real > most.real, part, most), select(second.real > other.real, second, other)
    for n in range(pairs, forms.size, 3):
        part = forms[n] * c0 + forms[n + 1] * c1 + forms[n + 2] * c2
        most = select(part.real > most.real, part, most)
    return 1.0 / select(other.real > most.real, other, most)


@kernel(inline=True, lanes=True)
def _share(value, limit):
    """Return the factor, at most 1, that scales a value into its limit."""
    beyond = abs(value) > limit
    return select(beyond, limit, 1.0) / select(beyond, abs(value), 1.0)


@kernel(inline=True, lanes=True)
def _times(share, value):
    """Return the scaled value; a factor of 1 leaves even an infinite value unchanged."""
    return select(share < 1.0, share * value, value)


@kernel(inline=True, lanes=True)
def saturate(c0, c1, c2, limits):
    """Return the saturated command.

    limits: limits of the components (3); limits[3] != 0 keeps the direction; limits[4:] is the envelope. Componentwise
    saturation changes the direction of a command if one component is too large. Scaling reduces all components by the
    same factor. An envelope always scales.
    """
    if shared(limits, 3) != 0.0:
        share = min(_share(c0, limits[0]), _share(c1, limits[1]), _share(c2, limits[2]))
        c0, c1, c2 = _times(share, c0), _times(share, c1), _times(share, c2)
    # clip last, so that rounding leaves no component beyond its limit
    c0 = min(max(c0, -limits[0]), limits[0])
    c1 = min(max(c1, -limits[1]), limits[1])
    c2 = min(max(c2, -limits[2]), limits[2])
    if limits.size > 4:
        share = within(limits, 4, c0, c1, c2)
        c0, c1, c2 = _times(share, c0), _times(share, c1), _times(share, c2)
    return c0, c1, c2
