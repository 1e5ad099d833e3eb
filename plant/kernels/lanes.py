"""Branch-free primitives for kernels that are compiled for several runs at once.

A kernel marked `@kernel(lanes=True)` also runs on batches. Each of its numbers is then a vector register that holds
this number for several runs, one per lane. The kernel must not use `if`, `while`, `int` or an index on a number that
differs between runs, but `select`, `min` and `max`. Values common to all runs, such as a code or a size, come from
`shared` and are unrestricted, as is the result of `every`. The kernel writes its outputs unconditionally and allocates
nothing. These definitions are the scalar case, compiled or not.
"""

from typing import Any

from .kernel import kernel


@kernel(inline=True, lanes=True)
def select(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` if the condition holds, else `no`; both are always evaluated."""
    if condition:
        return yes
    return no


@kernel(inline=True, lanes=True)
def every(condition: Any) -> Any:
    """True if a condition holds in all lanes; a kernel may branch on it to skip work that is rarely needed."""
    return condition


@kernel(inline=True, lanes=True)
def shared(row: Any, n: int) -> Any:
    """Number of a row that is common to all runs of a batch."""
    return row[n]
