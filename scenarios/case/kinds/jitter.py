"""`jitter_s` of a block or a sensor of a case."""

from collections.abc import Mapping, Sequence

from ....controllers import Block, blocks
from ....plant.errors import InputError


def with_jitter(block: Block, width: float, before: Sequence[Block], *, widths: Mapping[str, int]) -> list[Block]:
    """Return a block preceded by its jitter block, or the block only without jitter.

    before: preceding blocks; widths: widths of the plant outputs. Raises InputError when it reads a signal of a
    preceding block, which is held between samples.
    """
    if not width > 0.0:
        return [block]
    written = {name: each.name for each in before for name in each.writes}
    held = next((name for name in block.reads if name in written), None)
    if held is not None:
        raise InputError(
            f"jitter_s: it reads {held!r} as {written[held]!r} wrote it, which is held between samples and does not "
            f"depend on the instant within one; give the jitter to {written[held]!r}"
        )
    return list(blocks.jitter(block, width, widths={name: n for name, n in widths.items() if name in PLAIN or n == 1}))


PLAIN = ("momentum", "attitude", "rate")
