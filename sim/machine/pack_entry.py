# pyright: basic
# (numba has no type stubs, and everything here exists at compile time only)
"""The loop of `polhode.sim.engine.pack_loop` as a function to be compiled, made for one law."""

from collections.abc import Callable
from typing import Any

from ..engine.pack_loop import JITTED, fly_pack
from .entry import count_table_at, counts_at, reference_at, row_at
from .packs import LANES

__all__ = ["JITTED", "pack_entry"]


def pack_entry(law: Callable[..., Any]) -> Callable[..., Any]:
    """Return the entry for a law: of a reference, tables of runs (n LANES of them), work space, and what each told."""

    def entry(t):
        reference = reference_at(t[0])
        tables, work, told = count_table_at(t, 1), row_at(t, 4), counts_at(t, 6)
        for first in range(0, told.size, LANES):
            fly_pack(law, reference, tables, first, work, told)
        return 0

    return entry
