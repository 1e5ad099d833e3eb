"""Decorator for kernels, which run as plain Python, as compiled code and on complex numbers.

A kernel is a plain function at module level, written on scalars. A kernel reads packed float64 parameters, writes to
the arrays it receives, and branches on integers or real parts only. One source then serves a compiled loop, an exact
complex-step derivative and plain Python.

`inline=True` inlines a kernel into its callers, for kernels that are small or called in the innermost loop, whose call
would cost more than their arithmetic. `lanes=True` marks a kernel that follows the rules of `lanes` and is also
compiled for batches of runs, one run per vector lane.

The decorator returns the function unchanged and registers it. Nothing is compiled here, so importing the plant is
cheap; `polhode.sim.codegen` translates the registered functions to C.
"""

from collections.abc import Callable
from typing import Any, overload

Kernel = Callable[..., Any]
"""Type of a kernel: accepts floats or complex numbers and real or complex arrays; the compiler infers the types."""

KERNELS: list[Kernel] = []
"""All kernels defined so far, in the order of definition."""

INLINED: set[Kernel] = set()
"""Kernels to inline into their callers."""

LANES: set[Kernel] = set()
"""Kernels that can be compiled for batches of runs."""


@overload
def kernel(function: Kernel) -> Kernel: ...
@overload
def kernel(*, inline: bool = False, lanes: bool = False) -> Callable[[Kernel], Kernel]: ...


def kernel(
    function: Kernel | None = None, *, inline: bool = False, lanes: bool = False
) -> Kernel | Callable[[Kernel], Kernel]:
    """Register `function` as a kernel.

    function: a module-level function that follows the rules in the module docstring.
    inline: whether compiled code inlines it into its callers.
    lanes: whether it also follows the rules of `polhode.plant.kernels.lanes`.
    -> the same function, unchanged.
    """

    def register(defined: Kernel) -> Kernel:
        KERNELS.append(defined)
        if inline:
            INLINED.add(defined)
        if lanes:
            LANES.add(defined)
        return defined

    return register if function is None else register(function)


def table_in(row: Any, start: int, rows: int, columns: int) -> Any:
    """Return part of a row as a table; in compiled code, a view that is not checked for bounds."""
    return row[start : start + rows * columns].reshape(rows, columns, *row.shape[1:])


def complex_table_in(row: Any, start: int, rows: int, columns: int) -> Any:
    """Return part of a real row as a table of complex numbers; in compiled code, a view."""
    return row[start : start + 2 * rows * columns].view(complex).reshape(rows, columns)
