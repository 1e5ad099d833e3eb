"""Initial arrays of a run."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block, Law, Reference
from ...controllers.contracts.law_layout import REFERENCE, SEEN
from ...controllers.laws.limited import limit_numbers
from ...plant import Spacecraft, TorqueBasis, TorquePulse
from ...plant.errors import InputError
from ...plant.formulations.view import FAR, View
from ...plant.frozen import read_only
from ...plant.hub.packing import packed_in, work_length
from ...plant.hub.parameters import LEDGER_SIZE, PULSE, PULSES
from ...plant.kernels.fields import filled
from . import indices as at
from .arena import Arena, Pattern, pattern_of
from .blocks import show
from .extremes import start_tally, tally_size
from .loop_arrays import LoopArrays
from .memory import require_memory
from .observe import WIDTH
from .start_cache import OWN
from .steppers.dop853 import DENSE, STAGES
from .steppers.elliptic import elliptic_table
from .steppers.error_floors import error_floors
from .steppers.implicit_layout import META_SIZE, implicit_table, planes_of
from .steppers.scheme import Scheme
from .steppers.stepper import Stepper
from .wiring import Wiring, wired

Array = NDArray[np.float64]

FUNCTIONS = 3  # functions of the engine: law, reference, loads

_OWN = (
    "p", "limits", "floors", "ports", "edges", "schedule", "implicit",
    "blocks", "wires", "delays", "block_q", "block_z", *OWN,
)  # fmt: skip
"""Arrays whose initial contents differ from run to run."""

_RESULTS = ("tally", "out_x", "out_u", "out_s")
"""Arrays that grow with the rows and are not cleared; `start_tally` sets the counters of the record."""

_NONE = read_only(np.zeros(0))
_NO_TABLE = read_only(np.zeros((1, 1)))
_NO_SCHEDULE = read_only(np.zeros((0, at.SCHEDULE.size)))
_NO_PORTS = read_only(np.zeros((0, at.PORT_OF.size), np.int64))


def pulse_columns(craft: Spacecraft, number: int, pulse: TorquePulse) -> slice:
    """Return the columns of u with the components of scheduled torque `number`."""
    first = PULSES + PULSE.size * (number + (craft.external is not None)) + PULSE.torque
    return slice(first, first + np.size(pulse.components))


def _acting(craft: Spacecraft, pulses: Sequence[TorquePulse], blocks: Sequence[Block]) -> tuple[TorquePulse, ...]:
    """Return all torques after the first control torque, in the order of u, torques of blocks last."""
    always = [craft.external] if craft.external is not None else []
    return (*map(_always, always), *pulses, *_exerted(blocks))


def _exerted(blocks: Sequence[Block]) -> list[TorquePulse]:
    """Return the torques exerted by blocks: a torque on the body, or one effort per driven coordinate."""
    each = [name for block in blocks if block.torque for name in block.coordinates or ("",)]
    return [
        TorquePulse(0.0, start=0.0, stop=1.0, coordinate=name) if name else _always(TorqueBasis("body"))
        for name in each
    ]


def _always(basis: TorqueBasis) -> TorquePulse:
    return TorquePulse((0.0, 0.0, 0.0), start=0.0, stop=1.0, basis=basis)  # never switched off


class _Kind(NamedTuple):
    """Key of the initial arrays of a run, excluding the values that vary from run to run.

    shapes: shapes of the arrays in `_OWN`; own: number of states of a formulation; inputs: length of u; signals: number
    of signals of the elements; gates: indices in u of the gates of inputs that are always on; space: length of the work
    space; wiring: lengths of the arrays of blocks; other fields as in `new_loop_arrays`.
    """

    shapes: tuple[tuple[int, ...], ...]
    own: int
    ledger: bool
    inputs: int
    gates: tuple[int, ...]
    external: bool
    watch: bool
    space: int
    rows: int
    signals: int
    stepper: Stepper
    step: float
    rtol: float
    law: tuple[float, float] | None
    duration: float
    max_steps: int
    pose_limit: float
    wiring: tuple[int, ...]


@lru_cache(maxsize=128)
def _pattern(kind: _Kind) -> Pattern:
    """Return the common initial arrays of runs of a kind."""
    shapes = dict(zip(_OWN, kind.shapes, strict=True))
    (states,) = shapes["x"]
    size = states + kind.own + (LEDGER_SIZE if kind.ledger else 0)
    blocks, signals, inputs, held, answer, further, recorded, named = kind.wiring
    sample, delay = kind.law or (0.0, 0.0)
    clock, count = np.zeros(at.CLOCK_SIZE), np.zeros(at.COUNT_SIZE, np.int64)
    clock[at.T_END] = kind.duration
    clock[at.SAMPLE], clock[at.DELAY] = sample, delay
    clock[at.STEP], clock[at.RTOL] = kind.step, kind.rtol
    clock[at.CLOSEST_HARD] = clock[at.CLOSEST_SOFT] = clock[at.CLOSEST_LOCK] = FAR
    clock[at.POSE_LIMIT] = kind.pose_limit
    count[at.METHOD] = kind.stepper.method
    (count[at.N_OUT],) = shapes["out_t"]
    count[at.MAX_STEPS] = kind.max_steps
    count[at.FRESH] = 1
    count[at.EVENT_PORT] = -1
    count[at.EXTERNAL], count[at.WATCH] = kind.external, kind.watch
    u = np.zeros(kind.inputs)
    u[list(kind.gates)] = 1.0
    commands = 3 * max(named, 1)
    contents = shapes | {
        "x": (size,),
        "u": u,
        "w": (kind.space,),
        "r": (REFERENCE.size,),
        "seen": (states + SEEN.size - SEEN.rate + further,),
        "command": (commands,),
        "queue": ((int(delay / sample) if sample else 0) + 2, commands),
        "clock": clock,
        "count": count,
        "stages": (max(STAGES, kind.stepper.stages), size),
        "tableau": kind.stepper.tableau,
        "dense": (DENSE, size),
        "new": (size,),
        "between": (size,),
        "tally": (tally_size(kind.signals, kind.rows),),
        "out_x": (kind.rows, size),
        "out_u": (kind.rows, kind.inputs),
        "signals": (signals,),
        "inputs": (inputs,),
        "answer": (answer,),
        "held": (held,),
        "out_s": (kind.rows if blocks else 0, recorded),
    }
    return pattern_of(LoopArrays, contents, functions=FUNCTIONS, own=_OWN, results=_RESULTS)


def own_numbers(
    craft: Spacecraft, law: Law | None, reference: Reference, blocks: Sequence[Block] = ()
) -> tuple[Array, Array, Array]:
    """Return the parameters of a law, its memory, and the parameters of a reference."""
    followed = np.asarray(reference.parameters, dtype=np.float64)
    if law is None:
        return _NONE, _NONE, followed
    numbers = np.asarray(law.parameters, dtype=np.float64)
    if getattr(law, "limited", ()):
        numbers = numbers.copy()
        limit_numbers(law, craft, blocks, numbers)
    return numbers, np.asarray(law.memory, dtype=np.float64), followed


def new_loop_arrays(
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
) -> Arena:
    """Return the arrays of a run that starts at x (ledger excluded), with room for a number of rows.

    Other arguments as in `Loop`.
    """
    outside = _acting(craft, pulses, blocks)
    packed, own = craft.pack(outside, ledger=ledger), _NONE
    if view is not None:
        _refuse_driven(view, outside)
        packed, own = packed_in(packed, craft, view), view.enter(craft, x)
    inputs = PULSES + PULSE.size * len(outside)
    wiring = wired(craft, law, blocks)
    states = x.size + own.size + (LEDGER_SIZE if ledger else 0)
    width = states + inputs + WIDTH + 3 * signals + wiring.recorded
    require_memory(8.0 * rows * width, f"{rows:,} rows of {width} numbers")
    external = craft.external is not None
    places = [PULSES + PULSE.size * n for n in range(len(outside))]
    exerted = places[len(outside) - len(wiring.torques) :]
    always = places[:external] + exerted  # these are never switched off
    at_u = [place + PULSE.torque for place in exerted]
    ports, limits = _ports(craft, wiring, zip(at_u, _exerted(blocks), strict=True))
    space, step = work_length(craft, signals=signals), scheme.step or np.inf
    implicit = _NO_TABLE
    if scheme.stepper.exact:
        scheme.stepper.require(craft, law=law, torques=pulses, blocks=blocks, view=view)
        implicit = elliptic_table(craft, x, META_SIZE)
        if scheme.step is None:  # about one row per step, so that a long run can be inspected while it is in progress
            step = duration / max(times.size, 1)
    elif scheme.stepper.implicit:
        implicit = implicit_table(craft, states, scheme.stepper, view, space=space)
        space *= planes_of(implicit)
    schedule = _schedule(pulses)
    numbers: tuple[NDArray[Any], ...] = (
        packed,
        limits,
        error_floors(craft, view),
        ports,
        _edges(craft, schedule),
        schedule,
        implicit,
        wiring.blocks,
        wiring.wires,
        wiring.delays,
        np.concatenate([block.parameters for block in blocks]) if blocks else _NONE,
        np.concatenate([block.memory for block in blocks]) if blocks else _NONE,
        *own_numbers(craft, law, reference, blocks),
        times,
        x,
    )
    kind = _Kind(
        shapes=tuple(each.shape for each in numbers),
        own=own.size,
        ledger=ledger,
        inputs=inputs,
        gates=tuple([place + PULSE.gate for place in always]),
        external=external,
        watch=_watched(craft, outside, view),
        space=space,
        rows=rows,
        signals=signals,
        stepper=scheme.stepper,
        step=step,
        rtol=scheme.rtol,
        law=None if law is None else (float(law.sample), float(law.delay)),
        duration=duration,
        max_steps=max_steps,
        pose_limit=pose_limit,
        wiring=wiring.lengths,
    )
    arena = _pattern(kind).arena(numbers)
    start_tally(arena.arrays.tally, signals)
    if own.size:
        arena.arrays.x[x.size : x.size + own.size] = own
    if blocks:
        _put_blocks(arena.arrays, wiring, reference)
    return arena


def _refuse_driven(view: View, outside: Sequence[TorquePulse]) -> None:
    driven = next((pulse.coordinate for pulse in outside if pulse.coordinate), None)
    if driven is not None:
        raise InputError(
            f"the equations of {view.name!r} cannot include the torque or force on {driven!r}, a coordinate of an "
            "element; omit the formulation"
        )


def _ports(
    craft: Spacecraft, wiring: Wiring, exerted: Iterable[tuple[int, TorquePulse]]
) -> tuple[NDArray[np.int64], Array]:
    """Return the rows of control torques and block torques, and the limits of the control torques.

    exerted: index in u and kind of each block torque.
    """
    bases = [craft.ports[port] for port in wiring.named]
    if wiring.torques and not bases and wiring.commands:
        bases = [craft.torques]
    if not (bases or wiring.torques):
        return _NO_PORTS, craft.torques.saturation()
    acting = [
        (command, basis.saturation(), 0 if basis is craft.torques else at.EXTERNAL_AT, 3)
        for command, basis in zip(wiring.commands, bases, strict=True)
    ]
    free = TorqueBasis("body").saturation()
    acting += [
        (torque, free[:0] if pulse.coordinate else free, place, np.size(pulse.components))
        for torque, (place, pulse) in zip(wiring.torques, exerted, strict=True)
    ]
    rows: list[list[float]] = []
    limits = np.zeros(0)
    for command, most, place, size in acting:
        end = limits.size + most.size
        rows.append(filled(at.PORT_OF, command=command, limits=(limits.size, end), at=place, numbers=size))
        limits = np.concatenate((limits, most))
    return np.array(rows, np.int64), limits


def _watched(craft: Spacecraft, outside: Sequence[TorquePulse], view: View | None) -> bool:
    """Return whether a torque, or the formulation, has a singular pose."""
    poses = (view, craft.torques, *(pulse.basis for pulse in outside))
    return any(each is not None and each.sequence is not None for each in poses)


def _put_blocks(b: LoopArrays, wiring: Wiring, reference: Reference) -> None:
    b.clock[at.TICK] = wiring.tick
    count = b.count
    count[at.BLOCKS] = len(wiring.blocks)
    count[at.LAW_AT] = wiring.law_at
    count[at.LAW_WIRES : at.LAW_WIRES + 4] = wiring.law_wires
    count[at.LAW_COMMAND] = wiring.law_command
    count[at.LAST] = wiring.last
    count[at.LAW_FURTHER] = wiring.law_further
    count[at.COMMAND] = wiring.command
    _start_signals(b, wiring, reference)


def _start_signals(b: LoopArrays, wiring: Wiring, reference: Reference) -> None:
    """Set block outputs to the initial values of the signals they modify; p has no addresses yet."""
    try:
        with np.errstate(all="ignore"):
            show(0.0, reference.kernel, b)
    except Exception:  # noqa: BLE001 # a user-defined reference may raise anything; the run reports it
        pass
    for start, to, width in wiring.starts:
        b.signals[to : to + width] = b.signals[start : start + width]


def _schedule(pulses: Sequence[TorquePulse]) -> Array:
    if not pulses:
        return _NO_SCHEDULE
    table = np.zeros((len(pulses), at.SCHEDULE.size))
    for row, pulse in zip(table, pulses, strict=True):
        row[at.SCHEDULE.start], row[at.SCHEDULE.stop] = pulse.start, pulse.stop
        row[at.SCHEDULE.torque :][: np.size(pulse.components)] = pulse.components
    return table


def _edges(craft: Spacecraft, schedule: Array) -> Array:
    """Return the sorted switching times; an edge before t = 0 takes effect at t = 0."""
    driven = [element for element in craft.elements if getattr(element, "breakpoints", ())]
    if not (len(schedule) or craft.user_forces or craft.potentials or driven):
        return _NONE
    loads: tuple[Any, ...] = (*craft.user_forces, *craft.potentials, *driven)
    jumps: list[Any] = [np.asarray(load.breakpoints, dtype=np.float64) for load in loads]
    return np.unique(np.concatenate([schedule[:, at.SCHEDULE.start], schedule[:, at.SCHEDULE.stop], *jumps]))
