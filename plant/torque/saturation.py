# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""What the torque limits leave of a command."""

from ..kernel import kernel

__all__ = ["saturate"]


@kernel
def saturate(c0, c1, c2, limits):
    """The command within its limits (3), and where limits[3] is not zero in its own direction, shortened.

    Cut off component by component, a command of which one component is too large also turns; shortened, it asks of
    every axis the same share of what the law wanted.
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
    # last, so that rounding does not leave a component beyond its limit
    return (
        min(max(c0, -limits[0]), limits[0]),
        min(max(c1, -limits[1]), limits[1]),
        min(max(c2, -limits[2]), limits[2]),
    )
