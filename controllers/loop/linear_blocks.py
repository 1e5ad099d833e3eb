"""Linearisation of the blocks around a law: inputs at rest, linear forms, and neglected effects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel
from ...plant.errors import DesignError, InputError
from ...plant.frozen import frozen_arrays
from ..contracts.block import Block
from ..contracts.block_form import BlockForm
from .acting_model import RATE_OF, operating_rate, seen_names, state_rows
from .attitude_model import ATTITUDE_STATES
from .lifted import repeats_of
from .routes import (
    APPLIED,
    ATTITUDE,
    COMMAND,
    LAW,
    RATE,
    REFERENCE_SIGNAL,
    SHOWN,
    Routes,
    Source,
    clock_tick,
    in_the_loop,
    routes,
    shown_widths,
)

Array = NDArray[np.float64]

KEPT = 8  # cached operating points of a block
_forms: WeakKeyDictionary[Block, dict[tuple[bytes, int], BlockForm]] = WeakKeyDictionary()

OFF = 1e-9  # tolerance between a block's output at rest and the replaced signal, relative to the signal or to 1


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class LinearBlocks:
    """Blocks around a law, with their routing, linear forms, common period in law samples, and warnings.

    rests: input of each block at rest.
    """

    blocks: tuple[Block, ...]
    routes: Routes
    forms: tuple[BlockForm, ...]
    repeats: int
    words: tuple[str, ...]
    rests: tuple[Array, ...]

    def linear_equivalents(self) -> tuple[Block, ...]:
        """Return linear equivalents of the blocks. Raises DesignError if a block has none."""
        return tuple(block.linear_equivalent(y0) for block, y0 in zip(self.blocks, self.rests, strict=True))

    def rewrites(self, name: str) -> bool:
        """Return whether a block replaces a signal of the plant in the law's measurement."""
        return self.routes.law_reads[name].by != SHOWN

    @property
    def read(self) -> tuple[str, ...]:
        """Return the names of the plant signals that blocks read."""
        return tuple(source.name for sources in self.routes.reads for source in sources if source.by == SHOWN)

    def taken_up(self, sample: float) -> tuple[float, ...]:
        """Return the times within a sample, s, at which blocks read the command; empty if none do."""
        if self.routes.command.by == LAW:
            return ()
        found: set[float] = set()
        for block, sources in zip(self.blocks, self.routes.reads, strict=True):
            if any(source.by == LAW for source in sources):
                count = round(self.repeats * sample / block.clock.period)
                found |= {
                    round((block.clock.offset + k * block.clock.period) % sample / sample, 12) % 1.0
                    for k in range(count)
                }
        return tuple(sorted(sample * each for each in found))


def linear_blocks(model: LinearModel, blocks: Sequence[Block], *, sample: float) -> LinearBlocks:
    """Linearise the blocks around a law about a model's operating point, omitting monitors.

    Raises InputError when signal names do not match, and DesignError when a block has no linear form at this point,
    when its output at rest differs from the signal that it replaces, or when it uses a rotating attitude.
    """
    x0, rate = np.asarray(model.operating_point, dtype=np.float64), operating_rate(model)
    others = seen_names(model)
    whole = len(x0) == 7 + len(others)
    coordinates = [name.removesuffix("_momentum") for name in others if name.endswith("_momentum")]
    shown = shown_widths(others, [f"{name}{RATE_OF}" for name in coordinates])
    turning = [f"{name}{RATE_OF}" for name in coordinates if name not in model.states]
    given, blocks = blocks, in_the_loop(shown, blocks)
    pushing = [
        f"{block.name}: the torque that it exerts is not counted"
        for block in given
        if block.torque and not (block in blocks and COMMAND in block.writes)  # such a block replaces the command
    ]
    found = routes(shown, blocks)
    at_rest: dict[tuple[int, str], Array] = {
        (SHOWN, "momentum"): x0[:3],
        (SHOWN, ATTITUDE): x0[3:7],
        (SHOWN, RATE): rate,
        (SHOWN, APPLIED): np.zeros(3),
        (SHOWN, REFERENCE_SIGNAL): np.concatenate((x0[3:7], rate, np.zeros(3))),
        (LAW, COMMAND): np.zeros(3),
    }
    at_rest |= {(SHOWN, name): x0[7 + n : 8 + n] for n, name in enumerate(others) if whole}
    at_rest |= {(SHOWN, f"{name}{RATE_OF}"): np.zeros(1) for name in coordinates if name in model.states}
    forms: list[BlockForm] = []
    rests: list[Array] = []
    for n, block in enumerate(blocks):
        _require_known(block, found.reads[n], at_rest, turning)
        y0 = np.concatenate([at_rest[source.by, source.name] for source in found.reads[n]])
        width = sum(source.width for source in found.writes[n])
        form = _form_of(block, y0, width)
        rests.append(y0)
        if rate.any() and {ATTITUDE, REFERENCE_SIGNAL} & {*block.reads, *block.writes}:
            _require_turning(block, form, sample)
        written, first = form.at(y0), 0
        for source in found.writes[n]:
            value = written[first : first + source.width]
            first += source.width
            at_rest[n, source.name] = value
            was = at_rest.get((LAW if source.name == COMMAND else SHOWN, source.name))
            _require_rest(block, source.name, value, was)
        forms.append(form)
    return LinearBlocks(
        blocks=tuple(blocks),
        routes=found,
        forms=tuple(forms),
        repeats=repeats_of(sample, blocks, forms, clock_tick(sample, blocks)),
        words=(
            *(f"{block.name}: {form.words}" for block, form in zip(blocks, forms, strict=True) if form.words),
            *pushing,
        ),
        rests=tuple(rests),
    )


def _require_known(
    block: Block, reads: Sequence[Source], at_rest: Mapping[tuple[int, str], Array], turning: Sequence[str]
) -> None:
    """Raise InputError if a block reads rates of omitted coordinates, or states whose values at rest are unknown."""
    moving = next((source.name for source in reads if source.by == SHOWN and source.name in turning), None)
    if moving is not None:
        raise InputError(
            f"the block {block.name!r} reads {moving!r}, but a linear model omits the coordinate of this rate, which "
            "takes every value in turn; let the block read the momentum, or remove the block from the loop"
        )
    if not all((source.by, source.name) in at_rest for source in reads):
        raise InputError(
            f"the block {block.name!r} reads internal states, whose values at rest are unknown, since states were "
            "removed from the model; use the model as returned by craft.linearize"
        )


def _require_rest(block: Block, name: str, value: Array, was: Array | None) -> None:
    """Raise DesignError if the output of a block at rest differs from the signal that it replaces."""
    if was is not None and float(np.abs(value - was).max()) > OFF * max(1.0, float(np.abs(was).max())):
        raise DesignError(
            f"at the operating point the block {block.name!r} writes {_numbers(value)} for {name!r}, "
            f"which is {_numbers(was)} there: the operating points of loop and model differ. If the law is "
            "linear, this is only an offset; give its linear form as Block(linear=BlockForm(...))"
        )


def _form_of(block: Block, y0: Array, width: int) -> BlockForm:
    """Return the linear form of a block, from a cache unless a user-defined function computes it."""
    linear: Any = block.linear.func if isinstance(block.linear, partial) else block.linear
    ours = linear is None or isinstance(linear, BlockForm) or getattr(linear, "__module__", "").startswith("polhode.")
    if not (block.compiled and ours):
        return block.small_signal(y0, width=width)
    forms = _forms.setdefault(block, {})
    key = y0.tobytes(), width
    form = forms.get(key)
    if form is None:
        form = block.small_signal(y0, width=width)
        if len(forms) >= KEPT:
            forms.clear()
        forms[key] = form
    return form


def _require_turning(block: Block, form: BlockForm, sample: float) -> None:
    """Raise if the spacecraft rotates and a block that uses its attitude is not valid in rotating axes."""
    if not form.spins:
        raise DesignError(
            f"the craft rotates at the operating point, and the block {block.name!r} processes its attitude, which "
            "is not constant there, so the loop is not constant; use margins about rest, or simulate it"
        )
    off = min(block.clock.offset % block.clock.period, -block.clock.offset % block.clock.period)
    often = sample / block.clock.period
    if ATTITUDE in block.writes and (
        block.clock.delay > 0.0 or off > OFF or abs(often - round(often)) > OFF or often < 0.5
    ):
        raise DesignError(
            f"the craft rotates at the operating point, and the attitude that {block.name!r} writes is "
            f"{block.clock.delay:g} s old or held between samples of {block.clock.period:g} s, while the law samples "
            f"every {sample:g} s: the attitude lags behind the rotation, and the loop is not constant; sample the "
            "attitude with the law and without delay, or propagate it by a gyro filter"
        )


def _parameters_of(attitude: Array) -> Array:
    """Return the matrix (4, 3) from a small rotation at an attitude (4,) to Euler parameter deviations."""
    e0, e1, e2, e3 = (float(each) for each in attitude)
    return 0.5 * np.array([[-e1, -e2, -e3], [e0, -e3, e2], [e3, e0, -e1], [-e2, e1, e0]])


def error_of(attitude: Array) -> Array:
    """Return the matrix (3, 4) from Euler parameter deviations at an attitude (4,) to a small rotation."""
    return 4.0 * _parameters_of(attitude).T


def shows(model: LinearModel, seen: Array, names: Sequence[str], T: Array) -> dict[str, Array]:
    """Return every plant signal as rows over the states.

    model: the acting model; T: state per internal unit; seen (6, n): rows of attitude error and rate; names: the
    remaining signals, such as states and the rates of internal coordinates. Constants of the motion do not deviate, so
    their rows are zero.
    """
    rows = {name: state_rows(model, [name]) * T for name in names}
    return rows | {
        "momentum": state_rows(model, ATTITUDE_STATES[3:]) * T,
        ATTITUDE: _parameters_of(np.asarray(model.operating_point)[3:7]) @ seen[:3],
        RATE: seen[3:6],
    }


def _numbers(values: Array) -> str:
    return f"({', '.join(f'{value:.6g}' for value in values)})" if values.size > 1 else f"{values[0]:.6g}"
