"""The mark of a kernel: a function that runs as it stands, compiled, and on complex numbers.

A kernel is a plain function at module level, written on scalars: it reads packed float64 parameters,
writes into the arrays it is given, and branches on integers or on real parts only. One source then
serves a compiled loop, an exact complex-step derivative and plain Python.

The decorator returns the function unchanged and remembers it. Nothing is compiled here, so importing
the plant stays light; `polhode.sim` hands the remembered functions to the compiler when it needs them.
"""

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["KERNELS", "kernel"]

F = TypeVar("F", bound=Callable[..., Any])

KERNELS: list[Callable[..., Any]] = []
"""Every kernel defined so far, in the order of definition."""


def kernel(function: F) -> F:
    """Remember `function` as a kernel.

    Parameters
    ----------
    function : callable
        A module-level function that keeps the rules above.

    Returns
    -------
    callable
        The same function, unchanged.
    """
    KERNELS.append(function)
    return function
