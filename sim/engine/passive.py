# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Numbers without tangents, in the library that propagates tangents."""

from ...plant.kernels.kernel import kernel


@kernel(inline=True)
def passive(value):
    """Return a number as it is; in the library with tangents, without its tangents.

    The length of an adaptive step is passive: the solution depends on it only within the tolerance, whereas its own
    tangents, quotients of error estimates near round-off, would grow without bound.
    """
    return value
