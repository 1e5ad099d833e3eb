"""The arrays of a run that is about to start."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block, Law, Reference
from ...controllers.laws.law_layout import REFERENCE, SEEN
from ...controllers.laws.limited import limit_numbers
from ...plant import Spacecraft, TorqueBasis, TorquePulse
from ...plant.formulations.view import FAR, View
from ...plant.hub.packing import packed_in, work_length
from ...plant.hub.parameters import LEDGER_SIZE, PULSE, PULSES
from ...plant.kernels.fields import filled
from ..steppers.dop853 import DENSE, STAGES
from ..steppers.elliptic import elliptic_table
from ..steppers.error_floors import error_floors
from ..steppers.implicit_layout import META_SIZE, implicit_table, planes_of
from ..steppers.scheme import Scheme
from . import indices as at
from .blocks import show
from .bundle import Bundle
from .memory import require_memory
from .observe import WIDTH
from .slab import Slab, slab_of
from .tally import new_tally
from .wiring import Wiring, wired

__all__ = ["new_bundle", "pulse_columns"]

Array = NDArray[np.float64]


def pulse_columns(craft: Spacecraft, number: int) -> slice:
    """Return where the torque of a scheduled torque stands in u, by its place among them."""
    first = PULSES + PULSE.size * (number + (craft.external is not None)) + PULSE.torque
    return slice(first, first + 3)


def _acting(craft: Spacecraft, pulses: Sequence[TorquePulse], blocks: Sequence[Block]) -> tuple[TorquePulse, ...]:
    """The torques from outside beside the first control torque, in their order in u; those of blocks come last."""
    always = [craft.external] if craft.external is not None else []
    exerted = [TorqueBasis("body") for block in blocks if block.torque]
    first, last = ([_always(basis) for basis in bases] for bases in (always, exerted))
    return (*first, *pulses, *last)


def _always(basis: TorqueBasis) -> TorquePulse:
    return TorquePulse((0.0, 0.0, 0.0), start=0.0, stop=1.0, basis=basis)  # nothing switches it off


def new_bundle(
    craft: Spacecraft,
    x: Array,
    law: Law | None,
    reference: Reference,
    *,
    pulses: Sequence[TorquePulse],
    scheme: Scheme,
    duration: float,
    times: Array,
    ledger: bool,
    max_steps: int,
    pose_limit: float,
    rows: int,
    signals: int,
    view: View | None = None,
    blocks: Sequence[Block] = (),
) -> Slab:
    """Return the arrays, a `Bundle`, of a run from state x (without ledger) with room for so many rows.

    Arguments as `Loop`.
    """
    outside = _acting(craft, pulses, blocks)
    packed, own = craft.pack(outside, ledger=ledger), np.zeros(0)
    if view is not None:
        packed, own = packed_in(packed, craft, view), view.enter(craft, x)
    size = x.size + own.size + (LEDGER_SIZE if ledger else 0)
    inputs = PULSES + PULSE.size * len(outside)
    under_way = 0 if law is None else int(law.delay / law.sample)
    wiring = wired(craft, law, blocks)
    width = size + inputs + WIDTH + 3 * signals + wiring.signals - wiring.law_command
    require_memory(8.0 * rows * width, f"{rows:,} rows of {width} numbers")
    schedule = _schedule(pulses)
    clock, count = _clock(law, scheme, duration=duration, pose_limit=pose_limit), np.zeros(at.COUNT_SIZE, np.int64)
    count[at.METHOD] = scheme.stepper.method
    count[at.N_OUT] = times.size
    count[at.MAX_STEPS] = max_steps
    count[at.FRESH] = 1
    count[at.EVENT_PORT] = -1
    count[at.EXTERNAL] = craft.external is not None
    poses = (view, craft.torques, *(pulse.basis for pulse in outside))
    count[at.WATCH] = any(each is not None and each.sequence is not None for each in poses)
    clock[at.TICK] = wiring.tick
    _count_blocks(count, wiring)
    gates = PULSES + PULSE.size * np.arange(len(outside)) + PULSE.gate
    exerted = gates[len(outside) - len(wiring.torques) :]
    ports, limits = _ports(craft, wiring, int(exerted[0]) - PULSE.gate + PULSE.torque if exerted.size else 0)
    space = work_length(craft, signals=signals)
    if scheme.stepper.exact:
        scheme.stepper.require(craft, law=law, torques=pulses, blocks=blocks, view=view)
        implicit = elliptic_table(craft, x, META_SIZE)
        if scheme.step is None:  # about one row a step, so that a long run can be looked at on its way
            clock[at.STEP] = duration / max(times.size, 1)
    else:
        implicit = implicit_table(craft, size, scheme.stepper, view, space=space)
    slab = slab_of(
        Bundle,
        {
            "x": (size,),
            "u": (inputs,),
            "p": packed,
            "w": (space * (planes_of(implicit) if scheme.stepper.implicit else 1),),
            "q": (0,) if law is None else np.asarray(law.parameters, dtype=np.float64),
            "z": (0,) if law is None else np.asarray(law.memory, dtype=np.float64),
            "rq": np.asarray(reference.parameters, dtype=np.float64),
            "r": (REFERENCE.size,),
            "seen": (x.size + SEEN.size - SEEN.rate + wiring.law_further,),
            "command": (3 * max(len(wiring.named), 1),),
            "queue": (under_way + 2, 3 * max(len(wiring.named), 1)),
            "limits": limits,
            "ports": ports,
            "edges": _edges(craft, schedule),
            "schedule": schedule,
            "clock": clock,
            "count": count,
            "floors": error_floors(craft, view),
            "stages": (max(STAGES, scheme.stepper.stages), size),
            "tableau": scheme.stepper.tableau,
            "dense": (DENSE, size),
            "new": (size,),
            "between": (size,),
            "out_t": times,
            "out_x": (rows, size),
            "out_u": (rows, inputs),
            "tally": new_tally(signals, rows),
            "implicit": implicit,
            "blocks": wiring.blocks,
            "wires": wiring.wires,
            "delays": wiring.delays,
            "signals": (wiring.signals,),
            "inputs": (wiring.inputs,),
            "answer": (max((row[at.BLOCK.outputs + 1] for row in wiring.blocks.tolist()), default=0),),
            "held": (wiring.held,),
            "block_q": np.concatenate([block.parameters for block in blocks]) if blocks else (0,),
            "block_z": np.concatenate([block.memory for block in blocks]) if blocks else (0,),
            "out_s": (rows if blocks else 0, wiring.signals - wiring.law_command),
        },
    )
    bundle: Bundle = slab.arrays
    bundle.x[: x.size], bundle.x[x.size : x.size + own.size] = x, own
    if craft.external is not None:
        bundle.u[PULSES + PULSE.gate] = 1.0
    bundle.u[exerted] = 1.0
    limit_numbers(law, craft, blocks, bundle.q)
    if blocks:
        _start_signals(bundle, wiring, reference)
    return slab


def _ports(craft: Spacecraft, wiring: Wiring, first: int) -> tuple[NDArray[np.int64], Array]:
    """Return the rows of the control torques and of those that blocks exert, and the limits of all, or of the first.

    first: where the first of those that blocks exert stands in u.
    """
    bases = [craft.ports[port] for port in wiring.named]
    if wiring.torques and not bases and wiring.commands:
        bases = [craft.torques]
    if not (bases or wiring.torques):
        return np.zeros((0, at.PORT_OF.size), np.int64), craft.torques.saturation()
    acting = [
        (command, basis, 0 if basis is craft.torques else at.EXTERNAL_AT)
        for command, basis in zip(wiring.commands, bases, strict=True)
    ]
    free = TorqueBasis("body")
    acting += [(torque, free, first + PULSE.size * n) for n, torque in enumerate(wiring.torques)]
    rows: list[list[float]] = []
    limits = np.zeros(0)
    for command, basis, place in acting:
        end = limits.size + basis.saturation().size
        rows.append(filled(at.PORT_OF, command=command, limits=(limits.size, end), at=place))
        limits = np.concatenate((limits, basis.saturation()))
    return np.array(rows, np.int64), limits


def _count_blocks(count: NDArray[np.int64], wiring: Wiring) -> None:
    count[at.BLOCKS] = len(wiring.blocks)
    count[at.LAW_AT] = wiring.law_at
    count[at.LAW_WIRES : at.LAW_WIRES + 4] = wiring.law_wires
    count[at.LAW_COMMAND] = wiring.law_command
    count[at.LAST] = wiring.last
    count[at.LAW_FURTHER] = wiring.law_further
    count[at.COMMAND] = wiring.command


def _start_signals(b: Bundle, wiring: Wiring, reference: Reference) -> None:
    """Let each block hand on what its name has at the start, until its first answer; p has no addresses yet."""
    try:
        with np.errstate(all="ignore"):
            show(0.0, reference.kernel, b)
    except Exception:  # noqa: BLE001 # a reference of the user's own may raise anything; the run will tell
        pass
    for start, to, width in wiring.starts:
        b.signals[to : to + width] = b.signals[start : start + width]


def _schedule(pulses: Sequence[TorquePulse]) -> Array:
    table = np.zeros((len(pulses), at.SCHEDULE.size))
    for row, pulse in zip(table, pulses, strict=True):
        row[at.SCHEDULE.start], row[at.SCHEDULE.stop] = pulse.start, pulse.stop
        row[at.SCHEDULE.torque :] = pulse.components
    return table


def _edges(craft: Spacecraft, schedule: Array) -> Array:
    """A pulse that is on before t = 0 is switched on there, by an edge that lies in the past."""
    if not (len(schedule) or craft.efforts):
        return np.zeros(0)
    jumps: list[Any] = [np.asarray(effort.breakpoints, dtype=np.float64) for effort in craft.efforts]
    return np.unique(np.concatenate([schedule[:, at.SCHEDULE.start], schedule[:, at.SCHEDULE.stop], *jumps]))


def _clock(law: Law | None, scheme: Scheme, *, duration: float, pose_limit: float) -> Array:
    clock = np.zeros(at.CLOCK_SIZE)
    clock[at.T_END] = duration
    clock[at.SAMPLE] = 0.0 if law is None else law.sample
    clock[at.DELAY] = 0.0 if law is None else law.delay
    clock[at.STEP] = np.inf if scheme.step is None else scheme.step
    clock[at.RTOL] = scheme.rtol
    clock[at.CLOSEST_HARD] = clock[at.CLOSEST_SOFT] = clock[at.CLOSEST_LOCK] = FAR
    clock[at.POSE_LIMIT] = pose_limit
    return clock
