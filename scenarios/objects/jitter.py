"""`jitter_s` of a block or a sensor of a case."""

from collections.abc import Mapping, Sequence

from ...controllers import Block, blocks
from ...plant.errors import InputError

__all__ = ["with_jitter"]


def with_jitter(block: Block, width: float, before: Sequence[Block], *, widths: Mapping[str, int]) -> list[Block]:
    """Return a block, and in front of it what makes its instant uncertain; alone where that is certain.

    before: the blocks that stand before it; widths: of what the plant shows. Raises InputError when it reads what one
    of them wrote, which is held between its samples.
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
    return list(
        blocks.jittered(block, width, widths={name: n for name, n in widths.items() if name in PLAIN or n == 1})
    )


PLAIN = ("momentum", "attitude", "rate")
