"""The mark of a kernel: a function that runs as it stands, compiled, and on complex numbers.

A kernel is a plain function at module level, written on scalars: it reads packed float64 parameters,
writes into the arrays it is given, and branches on integers or on real parts only. One source then
serves a compiled loop, an exact complex-step derivative and plain Python.

A kernel that is small, or called in the innermost loop, may ask to be laid into its callers (`inline=True`): calling
it would cost more than its arithmetic. One that keeps the rules of `lanes` says so (`lanes=True`), and is compiled for
several runs at once too.

The decorator returns the function unchanged and remembers it. Nothing is compiled here, so importing
the plant stays light; `polhode.sim.codegen` translates the remembered functions to C.
"""

from collections.abc import Callable
from typing import Any, overload

__all__ = ["INLINED", "KERNELS", "LANES", "Kernel", "complex_table_in", "kernel", "table_in"]

Kernel = Callable[..., Any]
"""A kernel takes floats or complex numbers, real or complex arrays: its types are the compiler's business."""

KERNELS: list[Kernel] = []
"""Every kernel defined so far, in the order of definition."""

INLINED: set[Kernel] = set()
"""Those that asked to be laid into their callers."""

LANES: set[Kernel] = set()
"""Those that can be compiled for several runs at once."""


@overload
def kernel(function: Kernel) -> Kernel: ...
@overload
def kernel(*, inline: bool = False, lanes: bool = False) -> Callable[[Kernel], Kernel]: ...


def kernel(
    function: Kernel | None = None, *, inline: bool = False, lanes: bool = False
) -> Kernel | Callable[[Kernel], Kernel]:
    """Remember `function` as a kernel.

    function: a module-level function that keeps the rules above.
    inline: whether compiled code lays it into its callers.
    lanes: whether it keeps the rules of `polhode.plant.kernels.lanes` too.
    -> the same function, unchanged.
    """

    def remember(found: Kernel) -> Kernel:
        KERNELS.append(found)
        if inline:
            INLINED.add(found)
        if lanes:
            LANES.add(found)
        return found

    return remember if function is None else remember(function)


def table_in(row: Any, start: int, rows: int, columns: int) -> Any:
    """Return part of a row seen as a table; compiled code replaces this by a view without checks."""
    return row[start : start + rows * columns].reshape(rows, columns, *row.shape[1:])


def complex_table_in(row: Any, start: int, rows: int, columns: int) -> Any:
    """Return part of a row of reals seen as a table of complex numbers; compiled code replaces this likewise."""
    return row[start : start + 2 * rows * columns].view(complex).reshape(rows, columns)
