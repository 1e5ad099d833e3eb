# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Replay of a block on recorded signals, row by row."""

from typing import NamedTuple

import numpy as np

from ...controllers import Block
from ...plant.errors import InputError
from ...plant.kernels.kernel import kernel
from ..codegen.library import has_library
from ..codegen.raised import collect_raised
from ..results.fault_words import named
from .addresses import address_of
from .blocks import call_block
from .functions import put_codes
from .loop_arrays import Row, Table


class BlockRows(NamedTuple):
    """Arrays of a block for the replay, with one row per sample."""

    t: Row
    y: Table
    """Inputs."""
    q: Row
    z: Row
    v: Table
    """Outputs."""


@kernel
def replay_rows(code, b):
    """Call a block once for each row."""
    for k in range(b.t.size):
        call_block(code, b.t[k], b.y[k], b.q, b.z, b.v[k])


def replayed(block: Block, t: np.ndarray, y: np.ndarray, width: int, *, compiled: bool) -> np.ndarray:
    """Return the output of a block on recorded inputs; its parameters must be complete, seeds included.

    t (m,): times, s; y (m, n): inputs; width: width of the output -> (m, width). Raises InputError when
    an output is not finite, or a user-defined kernel raises or exceeds its arrays.
    """
    rows = BlockRows(
        t=np.ascontiguousarray(t),
        y=np.ascontiguousarray(y),
        q=np.array(block.parameters),
        z=np.array(block.memory),
        v=np.full((t.size, width), np.nan),
    )
    addressed = compiled and block.compiled and has_library()
    kept = put_codes(block.calls, rows.q, compiled=addressed)
    raised = ""
    if addressed:
        from .address_table import table_of
        from .addresses import entry_function
        from .trial_call import try_block

        try_block(block.name, block.kernel, y=y.shape[1], q=block.parameters, z=block.memory, v=width)
        table = table_of((address_of("block", block.kernel),), rows)  # must outlive the call
        with collect_raised() as raised_texts:
            entry_function("replay_entry")(table.ctypes.data)
        raised = f", since it raised {raised_texts[0]}" if raised_texts else ""
    else:
        with block.opened() as ready:
            call = named("block", ready.kernel, block.name)
            for k, now in enumerate(rows.t.tolist()):
                call(now, rows.y[k].copy(), rows.q, rows.z, rows.v[k])
    kept.clear()
    bad = np.flatnonzero(~np.isfinite(rows.v).all(axis=1))
    if bad.size:
        numbers = ", ".join(f"{value:g}" for value in rows.v[bad[0]])
        raise InputError(
            f"the block {block.name!r} returned a value that is not finite at t = {rows.t[bad[0]]:g} s: "
            f"({numbers}){raised}"
        )
    return rows.v
