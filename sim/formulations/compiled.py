"""The compiled loop over the steps of a formulation, from disk where it has been compiled before."""

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ...plant.formulations import Formulation
from ..code_cache import kept, say
from ..compiler import address_of, table_of
from ..linker import link

__all__ = ["advance_compiled"]


@cache
def _loop() -> Callable[[int], int]:
    found = kept("polhode.sim.formulations.entry.formulation_entry").read()
    if found is None:
        say("polhode: compiling the formulations for this machine; this happens once and takes a few seconds")
        from .entry import formulation_entry

        address = address_of("entry", formulation_entry)
    else:
        address = link(*found)
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(address)


def advance_compiled(formulation: Formulation, arrays: Sequence[Any]) -> int:
    """Run `polhode.sim.formulations.advance.advance` as machine code.

    Parameters
    ----------
    formulation : Formulation
        Its three kernels are compiled on first use.
    arrays : sequence of numpy.ndarray
        The arguments of `advance` after its three functions, contiguous.

    Returns
    -------
    int
        How it ended.
    """
    loop = _loop()
    functions = (
        address_of("formulation", formulation.kernel),
        address_of("leave", formulation.leave),
        address_of("project", formulation.project),
    )
    table = table_of(functions, arrays)
    return int(loop(table.ctypes.data))
