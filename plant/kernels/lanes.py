"""Branch-free primitives for kernels that are compiled for batches of runs.

A kernel marked `@kernel(lanes=True)` also runs on batches. Each of its scalars is then a vector register that holds
the values of several runs, one per lane. On values that differ between runs, the kernel must not use `if`, `while`,
`int` or indexing, but `select`, `min` and `max`. Values common to all runs, such as a code or a length, come from
`shared` and are unrestricted, as is the result of `every`. The kernel writes its outputs unconditionally and allocates
nothing. The definitions here are the scalar case, compiled or not.
"""

from typing import Any

from .kernel import kernel


@kernel(inline=True, lanes=True)
def select(condition: Any, yes: Any, no: Any) -> Any:
    """Return `yes` if the condition holds, else `no`; both are always evaluated."""
    if condition:
        return yes
    return no


@kernel(inline=True, lanes=True)
def every(condition: Any) -> Any:
    """Return whether a condition holds in all lanes, so that a kernel can skip work that is rarely needed."""
    return condition


@kernel(inline=True, lanes=True)
def agreed(condition: Any, row: Any, n: int) -> Any:
    """Return whether a condition holds in most lanes, as one value; row[n] becomes NaN where it differs.

    Intended for branches on which the lanes almost always agree. The run in a lane with NaN must leave the batch.
    """
    return condition


@kernel(inline=True, lanes=True)
def shared(row: Any, n: int) -> Any:
    """Return a row entry that is common to all runs of a batch."""
    return row[n]
