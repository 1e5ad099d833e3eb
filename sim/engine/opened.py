"""External resources of one run: processes of law and blocks are started, and ended with the run."""

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from ...controllers import Block, Law

__all__ = ["opened", "stays_as_it_is"]


def stays_as_it_is(law: Law | None, blocks: Sequence[Block]) -> bool:
    """Whether no part needs to be opened for a run."""
    return not blocks and not hasattr(law, "opened")


@contextmanager
def opened(
    law: Law | None, blocks: Sequence[Block], *, seed: int | None, run: int
) -> Generator[tuple[Law | None, tuple[Block, ...]]]:
    """Give the law and the blocks that fly one run: the same ones, but of those that say how they are opened.

    law: one with a method `opened(*, seed, run)`, a context manager, is what that gives.
    """
    with ExitStack() as stack:
        made: Any = law
        if hasattr(law, "opened"):
            made = stack.enter_context(getattr(law, "opened")(seed=seed, run=run))  # noqa: B009 # optional part of a law
        yield made, tuple(stack.enter_context(block.opened(seed=seed, run=run)) for block in blocks)
