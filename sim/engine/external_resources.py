"""External resources of a run: processes of law and blocks start and end with the run."""

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from ...controllers import Block, Law


def stays_as_it_is(law: Law | None, blocks: Sequence[Block]) -> bool:
    """Return whether a run needs no external resources: no blocks, and no law with a method `opened`."""
    return not blocks and not hasattr(law, "opened")


@contextmanager
def external_resources(
    law: Law | None, blocks: Sequence[Block], *, seed: int | None, run_index: int
) -> Generator[tuple[Law | None, tuple[Block, ...]]]:
    """Yield the law and blocks of one run; any with a method `opened` is replaced by what that yields.

    law: its optional method `opened(*, seed, run_index)` returns a context manager that yields the law to use.
    """
    with ExitStack() as stack:
        made: Any = law
        if hasattr(law, "opened"):
            made = stack.enter_context(getattr(law, "opened")(seed=seed, run_index=run_index))  # noqa: B009 # optional part of a law
        yield made, tuple(stack.enter_context(block.opened(seed=seed, run_index=run_index)) for block in blocks)
