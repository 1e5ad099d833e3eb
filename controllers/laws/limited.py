"""The numbers of a law on a craft: what it remembers of its commands is no more than the craft takes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft
from ..loop.routes import COMMAND
from .block import Block

__all__ = ["limit_numbers"]


def limit_numbers(law: Any, craft: Spacecraft, blocks: Sequence[Block], numbers: NDArray[np.float64]) -> None:
    """Lower the limits among the numbers of a law, `law.limited`, to those of the craft.

    With a block between law and plant the command is another signal, and the law's own limits stand.
    """
    if any(COMMAND in (*block.reads, *block.writes) for block in blocks):
        return
    for place in getattr(law, "limited", ()):
        numbers[place : place + 3] = np.minimum(numbers[place : place + 3], craft.torques.limits())
