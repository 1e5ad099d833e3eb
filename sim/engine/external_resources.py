"""External resources of one run: processes of law and blocks are started, and ended with the run."""

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from ...controllers import Block, Law


def stays_as_it_is(law: Law | None, blocks: Sequence[Block]) -> bool:
    """Return whether no part needs to be opened for a run."""
    return not blocks and not hasattr(law, "opened")


@contextmanager
def external_resources(
    law: Law | None, blocks: Sequence[Block], *, seed: int | None, run_index: int
) -> Generator[tuple[Law | None, tuple[Block, ...]]]:
    """Yield the law and the blocks of one run: the same objects, except that those with `opened` are opened.

    law: if it has a method `opened(*, seed, run)`, a context manager, its result is used.
    """
    with ExitStack() as stack:
        made: Any = law
        if hasattr(law, "opened"):
            made = stack.enter_context(getattr(law, "opened")(seed=seed, run_index=run_index))  # noqa: B009 # optional part of a law
        yield made, tuple(stack.enter_context(block.opened(seed=seed, run_index=run_index)) for block in blocks)
