"""Sampling jitter of blocks and sensors, from the key `jitter_s`."""

from collections.abc import Mapping, Sequence

from ....controllers import Block, blocks
from ....plant.errors import InputError


def with_jitter(block: Block, width: float, before: Sequence[Block], *, widths: Mapping[str, int]) -> list[Block]:
    """Return a block preceded by its jitter block, or only the block if the jitter is zero.

    width: jitter, s; before: preceding blocks; widths: widths of the plant outputs. Raises InputError if the block
    reads a signal of a preceding block, since such a signal is held between samples.
    """
    if not width > 0.0:
        return [block]
    written = {name: each.name for each in before for name in each.writes}
    held = next((name for name in block.reads if name in written), None)
    if held is not None:
        raise InputError(
            f"jitter_s: it reads {held!r} from {written[held]!r}, which is held between samples and does not "
            f"depend on the time within a sample; set the jitter of {written[held]!r}"
        )
    return list(blocks.jitter(block, width, widths={name: n for name, n in widths.items() if name in PLAIN or n == 1}))


PLAIN = ("momentum", "attitude", "rate")
