# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""What the torque limits leave of a command."""

from ...kernels.kernel import kernel
from ...kernels.lanes import select, shared

__all__ = ["saturate", "within"]


@kernel(lanes=True)
def within(forms, at, c0, c1, c2):
    """The share of a torque that lies in {c: G c <= 1}, at most 1; the rows of G stand in forms from `at` on."""
    most, other = 1.0 + 0.0 * c0, 1.0 + 0.0 * c0
    pairs = at + 6 * ((forms.size - at) // 6)
    for n in range(at, pairs, 6):  # two rows side by side: a comparison waits for its own last one only
        part = forms[n] * c0 + forms[n + 1] * c1 + forms[n + 2] * c2
        beside = forms[n + 3] * c0 + forms[n + 4] * c1 + forms[n + 5] * c2
        most, other = select(part.real > most.real, part, most), select(beside.real > other.real, beside, other)
    for n in range(pairs, forms.size, 3):
        part = forms[n] * c0 + forms[n + 1] * c1 + forms[n + 2] * c2
        most = select(part.real > most.real, part, most)
    return 1.0 / select(other.real > most.real, other, most)


@kernel(inline=True, lanes=True)
def _share(value, limit):
    """How much of a number is within a limit, at most 1."""
    beyond = abs(value) > limit
    return select(beyond, limit, 1.0) / select(beyond, abs(value), 1.0)


@kernel(inline=True, lanes=True)
def _times(share, value):
    """A number shortened; what is whole stays what it is, infinite too."""
    return select(share < 1.0, share * value, value)


@kernel(inline=True, lanes=True)
def saturate(c0, c1, c2, limits):
    """The command within its limits (3), and where limits[3] is not zero in its own direction, shortened.

    Cut off component by component, a command of which one component is too large also turns; shortened, it asks of
    every axis the same share of what the law wanted. So it is in any case beyond an envelope, limits[4:].
    """
    if shared(limits, 3) != 0.0:
        share = min(_share(c0, limits[0]), _share(c1, limits[1]), _share(c2, limits[2]))
        c0, c1, c2 = _times(share, c0), _times(share, c1), _times(share, c2)
    # after it, so that rounding does not leave a component beyond its limit
    c0 = min(max(c0, -limits[0]), limits[0])
    c1 = min(max(c1, -limits[1]), limits[1])
    c2 = min(max(c2, -limits[2]), limits[2])
    if limits.size > 4:
        share = within(limits, 4, c0, c1, c2)
        c0, c1, c2 = _times(share, c0), _times(share, c1), _times(share, c2)
    return c0, c1, c2
