"""The named arrays of a run, and all other data that compiled code receives as one bundle of arrays.

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
    """Arrays of a run."""

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
    """Output of the reference."""
    seen: Row
    """Inputs of the law."""
    command: Row
    """Output of the law."""
    queue: Table
    """Commands on their way, a ring of rows."""
    limits: Row
    """Limits of the command; of several commands, one after the other."""
    ports: CountTable
    """The control torques that the law names, then the torques that blocks exert, a row each; see `indices`. Empty
    where none is exerted and the law commands the first."""
    edges: Row
    """Times at which a scheduled torque switches, or an effort is discontinuous."""
    schedule: Table
    """Scheduled torques, a row each; see `indices`."""
    clock: Row
    """See `indices`."""
    count: Counts  # pyright: ignore[reportIncompatibleMethodOverride] # of a tuple, which nobody counts in
    """See `indices`."""
    floors: Row
    """Floors of the error norm for the blocks of the state; see `dop853_error`."""
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
    """Inputs that act from each row on."""
    tally: Row
    """Peaks and integrals of the signals of elements; see `tally`."""
    implicit: Table
    """Work table of implicit steps; see `implicit_layout`."""

    blocks: CountTable
    """Sampled blocks, a row each; see `indices`. Empty without blocks."""
    wires: CountTable
    """Which signals they and the law read: rows of where from, where to among the inputs, and how many."""
    delays: Row
    """From a sample of each to its answer, s."""
    signals: Row
    """Signals of the plant, the reference, the command of the law, then all outputs of blocks."""
    inputs: Row
    """Inputs of the blocks, one after the other."""
    answer: Row
    """Output of the block ASKED; as long as the longest output."""
    held: Row
    """Answers on their way, a ring of rows each."""
    block_q: Row
    """Parameters of all blocks."""
    block_z: Row
    """Their memories."""
    out_s: Table
    """Rows of results: the law's answer and all that blocks write, as they are from each time on."""


class Rows(NamedTuple):
    """Arrays for the observables of recorded rows; see `polhode.sim.engine.observe`."""

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
