# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""What the torque limits leave of a command."""

from ...kernels.kernel import kernel

__all__ = ["saturate", "within"]


@kernel
def within(forms, at, c0, c1, c2):
    """The share of a torque that lies in {c: G c <= 1}, at most 1; the rows of G stand in forms from `at` on."""
    most = 1.0 + 0.0 * c0
    for n in range(at, forms.size, 3):
        part = forms[n] * c0 + forms[n + 1] * c1 + forms[n + 2] * c2
        if part.real > most.real:
            most = part
    return 1.0 / most


@kernel
def saturate(c0, c1, c2, limits):
    """The command within its limits (3), and where limits[3] is not zero in its own direction, shortened.

    Cut off component by component, a command of which one component is too large also turns; shortened, it asks of
    every axis the same share of what the law wanted. So it is in any case beyond an envelope, limits[4:].
    """
    if limits[3] != 0.0:
        share = 1.0
        if abs(c0) > limits[0]:
            share = min(share, limits[0] / abs(c0))
        if abs(c1) > limits[1]:
            share = min(share, limits[1] / abs(c1))
        if abs(c2) > limits[2]:
            share = min(share, limits[2] / abs(c2))
        if share < 1.0:
            c0, c1, c2 = share * c0, share * c1, share * c2
    # after it, so that rounding does not leave a component beyond its limit
    c0 = min(max(c0, -limits[0]), limits[0])
    c1 = min(max(c1, -limits[1]), limits[1])
    c2 = min(max(c2, -limits[2]), limits[2])
    if limits.size > 4:
        share = within(limits, 4, c0, c1, c2)
        if share < 1.0:
            c0, c1, c2 = share * c0, share * c1, share * c2
    return c0, c1, c2
