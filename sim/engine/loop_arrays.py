"""Named arrays of a run, and other data that compiled code receives as one NamedTuple of arrays.

The annotations of the fields state the kind of each array. Compiled code gets a table of addresses made from
the fields (`polhode.sim.engine.address_table.table_of`) and sees the NamedTuple in its place
(`polhode.sim.codegen.library_text`): positions in the table follow from the fields, without manual numbering.
"""

from functools import cache
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

Row = Annotated[NDArray[np.float64], np.float64, 1]
Table = Annotated[NDArray[np.float64], np.float64, 2]
Counts = Annotated[NDArray[np.int64], np.int64, 1]
CountTable = Annotated[NDArray[np.int64], np.int64, 2]


class LoopArrays(NamedTuple):
    """Arrays of a run."""

    x: Row
    """The state, ledger included; advanced in place."""
    u: Row
    """Acting inputs: the command, then gate and components of each pulse; see `polhode.plant.hub.parameters`."""
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
    """Pending commands, a ring of rows."""
    limits: Row
    """Limits of the command; of several commands, concatenated."""
    ports: CountTable
    """Control torques named by the law, then torques exerted by blocks, a row each; see `indices`. Empty if
    no block exerts a torque and the law commands the first control torque."""
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
    """Derivatives at the stages of a step, and those of dop853 for its dense output."""
    tableau: Table
    """Coefficients a, b and c of the stepper; see `polhode.sim.engine.steppers.explicit`."""
    dense: Table
    """The polynomial through a step of dop853, `DENSE` rows."""
    new: Row
    """The state at the end of the current step."""
    between: Row
    """A state within it."""
    out_t: Row
    """Times of the rows of results."""
    out_x: Table
    """Their states."""
    out_u: Table
    """Inputs that act from each row on."""
    tally: Row
    """Peaks and integrals of the signals of elements; see `extremes`."""
    implicit: Table
    """Work table of implicit steps; see `implicit_layout`."""

    blocks: CountTable
    """Sampled blocks, a row each; see `indices`. Empty without blocks."""
    wires: CountTable
    """Signals read by blocks and law: rows of source, destination among the inputs, and number."""
    delays: Row
    """Delay from a sample of each block to its output, s."""
    signals: Row
    """Signals of the plant, the reference, the command of the law, then all outputs of blocks."""
    inputs: Row
    """Inputs of the blocks, concatenated."""
    answer: Row
    """Output of the block ASKED; as long as the longest output."""
    held: Row
    """Pending outputs, a ring of rows for each block."""
    block_q: Row
    """Parameters of all blocks."""
    block_z: Row
    """Their memories."""
    out_s: Table
    """Rows of results: the law's output and all block outputs, valid from each time on."""


class Rows(NamedTuple):
    """Arrays for the observables of recorded rows; see `polhode.sim.engine.observe`."""

    p: Row
    w: Row
    rq: Row
    """Parameters of the reference."""
    r: Row
    """Value of the reference; empty without one."""
    t: Row
    since: Row
    """Start of the time of the reference."""
    x: Table
    u: Table
    dx: Row
    """Work space as long as a state."""
    out: Table


@cache
def kinds_of(bundle: type[Any]) -> dict[str, tuple[type[Any], int]]:
    """Return the kind of number and the number of dimensions of each field of a NamedTuple of arrays, in order."""
    hints = get_type_hints(bundle, include_extras=True)
    return {name: get_args(hint)[1:] for name, hint in hints.items()}
