"""The compiled loop over the steps of a flexible satellite, from disk where it has been compiled before."""

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ..code_cache import kept, say
from ..compiler import address_of, table_of
from ..linker import link
from ..raised import collect_raised

__all__ = ["advance_compiled"]


@cache
def _loop() -> Callable[[int], int]:
    found = kept("polhode.sim.flexible.entry.flexible_entry").read()
    if found is None:
        say("polhode: compiling the flexible satellite for this machine; this happens once and takes about 20 s")
        from .entry import flexible_entry

        address = address_of("entry", flexible_entry)
    else:
        address = link(*found)
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(address)


def advance_compiled(torque: Callable[..., Any], arrays: Sequence[Any]) -> tuple[int, str]:
    """Run `polhode.sim.flexible.advance.advance` as machine code.

    Parameters
    ----------
    torque : callable
        A kernel torque(t, q, u), compiled on first use.
    arrays : sequence of numpy.ndarray
        The arguments of `advance` after it, contiguous; complex ones seen as reals.

    Returns
    -------
    int
        How it ended.
    str
        What a torque of the user's own raised; empty when nothing.
    """
    table = table_of((address_of("reference", torque),), arrays)
    with collect_raised() as told:
        ended = int(_loop()(table.ctypes.data))
    return ended, told[0] if told else ""
