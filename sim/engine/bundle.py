"""The arrays a run works on, under one name each; and whatever else goes into compiled code as one bundle of arrays.

A bundle is a NamedTuple whose fields say what kind of array they are. Compiled code gets a table of addresses made
from the fields (`polhode.sim.engine.address_table.table_of`) and has the bundle at their place
(`polhode.sim.codegen.library_text`): what stands where in the table follows from the fields, and nobody numbers it.
"""

from functools import cache
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bundle", "CountTable", "Counts", "Row", "Rows", "Table", "kinds_of"]

Row = Annotated[NDArray[np.float64], np.float64, 1]
Table = Annotated[NDArray[np.float64], np.float64, 2]
Counts = Annotated[NDArray[np.int64], np.int64, 1]
CountTable = Annotated[NDArray[np.int64], np.int64, 2]


class Bundle(NamedTuple):
    """What a run works on."""

    x: Row
    """The state, ledger included; moved on in place."""
    u: Row
    """What acts: the command, then gate and components of each scheduled torque; see `polhode.plant.hub.parameters`."""
    p: Row
    """The plant."""
    w: Row
    """Its work space."""
    q: Row
    """Parameters of the law."""
    z: Row
    """Its memory."""
    rq: Row
    """Parameters of the reference."""
    r: Row
    """What the reference says."""
    seen: Row
    """What the law is shown."""
    command: Row
    """What it answers."""
    queue: Table
    """Commands on their way, a ring of rows."""
    limits: Row
    """Where a command is cut off; of several, one after the other."""
    ports: CountTable
    """The control torques that the law names, then the torques that blocks exert, a row each; see `indices`. Empty
    where none is exerted and the law commands the first."""
    edges: Row
    """Times at which a scheduled torque is switched, or an effort jumps."""
    schedule: Table
    """Scheduled torques, a row each; see `indices`."""
    clock: Row
    """See `indices`."""
    count: Counts  # pyright: ignore[reportIncompatibleMethodOverride] # of a tuple, which nobody counts in
    """See `indices`."""
    floors: Row
    """Below which no block of the state is asked to be accurate; see `dop853_error`."""
    stages: Table
    """Derivatives at the stages of a step, and dop853's own for its dense output."""
    tableau: Table
    """Of the stepper: a, b and c; see `polhode.sim.steppers.explicit`."""
    dense: Table
    """The polynomial through a step of dop853, `DENSE` rows."""
    new: Row
    """The state at the end of the step under way."""
    between: Row
    """A state within it."""
    out_t: Row
    """Times of the rows of results."""
    out_x: Table
    """Their states."""
    out_u: Table
    """What acts from each on."""
    tally: Row
    """What the signals of elements did; see `tally`."""
    implicit: Table
    """What implicit steps work on; see `implicit_layout`."""

    blocks: CountTable
    """What runs on the clock beside the law, a row each; see `indices`. Empty without."""
    wires: CountTable
    """Which signals they and the law read: rows of where from, where to among the inputs, and how many."""
    delays: Row
    """From a sample of each to its answer, s."""
    signals: Row
    """What the plant shows, the reference, the law's command, then all that blocks write."""
    inputs: Row
    """What each of them reads, one after the other."""
    answer: Row
    """What the block ASKED answers; as long as the longest answer."""
    held: Row
    """Answers on their way, a ring of rows each."""
    block_q: Row
    """Parameters of all blocks."""
    block_z: Row
    """Their memories."""
    out_s: Table
    """Rows of results: the law's answer and all that blocks write, as they are from each time on."""


class Rows(NamedTuple):
    """What is worked out for the rows of results afterwards; see `polhode.sim.engine.observe`."""

    p: Row
    w: Row
    rq: Row
    """Parameters of the reference."""
    r: Row
    """What it says; empty where there is none."""
    t: Row
    since: Row
    """From when on the reference counts its time."""
    x: Table
    u: Table
    dx: Row
    """Work space as long as a state."""
    out: Table


@cache
def kinds_of(bundle: type[Any]) -> dict[str, tuple[type[Any], int]]:
    """Return the kind of number and the number of dimensions of each field of a bundle, in order."""
    hints = get_type_hints(bundle, include_extras=True)
    return {name: get_args(hint)[1:] for name, hint in hints.items()}
