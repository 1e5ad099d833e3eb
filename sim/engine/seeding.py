"""Random seeds of the blocks of a run, and a check that no two blocks draw the same numbers."""

import zlib
from collections.abc import Sequence

from ...controllers import Block
from ...plant.errors import InputError


def seeded(blocks: Sequence[Block], *, seed: int | None, run_index: int) -> tuple[Block, ...]:
    """Return the blocks with complete parameters, including random seeds.

    Raises InputError when a block draws random numbers and there is no seed, when two blocks would draw the same
    numbers, or when seed or run_index is not a whole number in range.
    """
    drawing = [block for block in blocks if block.random]
    if drawing and seed is None:
        names = ", ".join(repr(block.name) for block in drawing)
        raise InputError(f"no seed for the random numbers of {names}; give simulate(..., seed=1)")
    by_number: dict[int, str] = {}
    for block in drawing:
        number = zlib.crc32(block.name.encode())
        other = by_number.get(number)
        if other == block.name:
            raise InputError(f"two blocks that draw random numbers are called {other!r}; give each a different name")
        if other is not None:
            raise InputError(
                f"the names {other!r} and {block.name!r} have the same CRC-32 checksum, so the blocks would draw the "
                "same random numbers; change one of the names"
            )
        by_number[number] = block.name
    return tuple(block.seeded(seed=0 if seed is None else seed, run_index=run_index) for block in blocks)
