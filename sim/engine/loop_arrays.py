"""NamedTuples of the arrays that compiled code receives, for a run and for its observables.

The annotations of the fields state the kind of each array. Compiled code receives a table of addresses built from the
fields (`polhode.sim.engine.address_table.table_of`), and uses it in place of the NamedTuple
(`polhode.sim.codegen.library_text`). Positions in the table are derived from the fields, not numbered by hand.
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
    """State vector including the ledger; advanced in place."""
    u: Row
    """Acting inputs: the command, then gate and components of each pulse; see `polhode.plant.hub.parameters`."""
    p: Row
    """Parameters of the plant."""
    w: Row
    """Workspace of the plant."""
    q: Row
    """Parameters of the law."""
    z: Row
    """Memory of the law."""
    rq: Row
    """Parameters of the reference."""
    r: Row
    """Output of the reference."""
    seen: Row
    """Inputs of the law."""
    command: Row
    """Output of the law."""
    queue: Table
    """Pending commands, a ring buffer of rows."""
    limits: Row
    """Limits of the command, concatenated for several commands."""
    ports: CountTable
    """Control torques that the law commands, then torques exerted by blocks, one row each; see `indices`. Empty if the
    law commands only the first control torque and no block exerts a torque."""
    edges: Row
    """Times at which a scheduled torque switches, or a user-defined load is discontinuous."""
    schedule: Table
    """Scheduled torques, one row each; see `indices`."""
    clock: Row
    """See `indices`."""
    count: Counts  # pyright: ignore[reportIncompatibleMethodOverride] # of a tuple, which nobody counts in
    """See `indices`."""
    floors: Row
    """Floors of the error norm by blocks of the state vector; see `dop853_error`."""
    stages: Table
    """Derivatives at the stages of a step, including the stages for the dense output of dop853."""
    tableau: Table
    """Coefficients a, b and c of the stepper; see `polhode.sim.engine.steppers.explicit`."""
    dense: Table
    """Polynomial of the dense output of dop853, `DENSE` rows."""
    new: Row
    """State at the end of the current step."""
    between: Row
    """A state within the current step."""
    out_t: Row
    """Times of the rows of results."""
    out_x: Table
    """States in the rows of results."""
    out_u: Table
    """Inputs that act from the time of each row onwards."""
    tally: Row
    """Peaks and integrals of the signals of elements; see `extremes`."""
    implicit: Table
    """Work table of implicit steps; see `implicit_layout`."""

    blocks: CountTable
    """Sampled blocks, one row each; see `indices`. Empty without blocks."""
    wires: CountTable
    """Wires to the inputs of blocks and law: rows of source index, destination index and width."""
    delays: Row
    """Delay from a sample of each block to its output, s."""
    signals: Row
    """Signals: plant outputs, acting command, reference, output of the law, then all block outputs."""
    inputs: Row
    """Inputs of the blocks, concatenated."""
    answer: Row
    """Output of the block CALLED_BLOCK, with the length of the longest block output."""
    held: Row
    """Pending outputs, a ring buffer of rows for each block."""
    block_q: Row
    """Parameters of all blocks."""
    block_z: Row
    """Memories of all blocks."""
    out_s: Table
    """Rows of results: outputs of the law and of all blocks, each valid from the time of its row onwards."""


class Rows(NamedTuple):
    """Arrays for the observables of recorded rows; see `polhode.sim.engine.observe`."""

    p: Row
    w: Row
    rq: Row
    """Parameters of the reference."""
    r: Row
    """Output of the reference; empty without a reference."""
    t: Row
    since: Row
    """Time origin of the reference for each row, s."""
    x: Table
    u: Table
    dx: Row
    """Workspace with the length of a state."""
    out: Table


class SpreadArrays(NamedTuple):
    """Arrays for the extremes of the element signals between rows; see `polhode.sim.engine.extremes.spread_rows`."""

    tally: Row
    """Peaks and integrals of the signals, then the extremes stored with each recorded row."""
    before: Row
    """Signals in the row before the first; empty if there is none."""
    recorded: Counts
    """Number of recorded rows, (1,); the last state of a run that ended early may follow them."""
    out: Table
    """Observables, which end with the signals, their minima and their maxima."""


@cache
def kinds_of(bundle: type[Any]) -> dict[str, tuple[type[Any], int]]:
    """Return the number type and the dimensions of each field of a NamedTuple of arrays."""
    hints = get_type_hints(bundle, include_extras=True)
    return {name: get_args(hint)[1:] for name, hint in hints.items()}
