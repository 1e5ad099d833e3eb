"""What a kernel says in place of a branch, so that it can be compiled for several runs at once.

A kernel marked `@kernel(lanes=True)` flies in packs too: each of its numbers is then a vector register with that number
of several runs, its lanes. It has no `if`, `while`, `int` or index on a number that differs from run to run, but
`select`, `min` and `max`; what all runs have alike, such as a code or a size, it takes out of its parameters by
`shared`, and may do with that what it likes, as with what `every` says of a comparison. It writes whatever it writes in
any case, and allocates nothing. On one run, compiled or not, these are what they look like.
"""

from typing import Any

from .kernel import kernel

__all__ = ["every", "select", "shared"]


@kernel(inline=True, lanes=True)
def select(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` where a comparison holds, else `no`; both are worked out in any case."""
    if condition:
        return yes
    return no


@kernel(inline=True, lanes=True)
def every(condition: Any) -> Any:
    """Whether a comparison holds in all lanes: what may be branched on, where it saves what is seldom needed."""
    return condition


@kernel(inline=True, lanes=True)
def shared(row: Any, n: int) -> Any:
    """A number of a row that all runs which fly together have alike."""
    return row[n]
