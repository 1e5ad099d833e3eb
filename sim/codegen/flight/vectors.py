"""Test vectors: inputs and outputs of a law or a block, recorded in a closed-loop simulation."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....controllers import Block, Law
from ....controllers.contracts.attitude_law import AttitudeLaw
from ....controllers.contracts.plain_function import PlainFunction
from ....plant import InputError, Spacecraft
from ....plant.frozen import frozen_results
from ....plant.loads.torque.torque_limits import saturate
from ...engine.functions import put_codes
from .header import NORM_TOLERANCE
from .numbers import Attitude
from .sampled import Sampled

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class Vectors:
    """One row per sample: time, inputs, reference (no columns if there is none) and outputs."""

    t: Array
    y: Array
    r: Array
    u: Array


class _Recorder:
    """Recorder for the inputs and outputs of a kernel."""

    def __init__(self, sampled: Sampled, most: int) -> None:
        self.sampled, self.most = sampled, most
        self.q, self.z = sampled.parameters.copy(), sampled.memory.copy()
        self.kept = put_codes(sampled.calls, self.q, compiled=False)
        self.rows: list[tuple[float, Array, Array, Array]] = []

    def called(self, t: float, y: Array, r: Array) -> Array:
        """Call the kernel, which updates its memory, record its inputs and outputs, and return the outputs."""
        u = np.full(len(self.sampled.writes), np.nan)
        more = (r.copy(),) if self.sampled.follows else ()
        self.sampled.kernel(t, y.copy(), *more, self.q, self.z, u)
        cut = u.copy()
        for n, limits in enumerate(self.sampled.limits):
            cut[3 * n : 3 * n + 3] = saturate(*u[3 * n : 3 * n + 3].tolist(), limits)
        if len(self.rows) < self.most:
            self.rows.append((t, y.copy(), r.copy(), cut))
        return u


class _RecordedLaw(AttitudeLaw):
    """A law with a recorder, run as plain Python."""

    compiled = False

    def __init__(self, law: Law, recorder: _Recorder) -> None:
        self.sample, self.delay = law.sample, law.delay
        self.parameters, self.memory = np.zeros(0), np.zeros(0)
        self._recorder = recorder
        self.measured = getattr(law, "measured", ())
        self.reads = tuple(getattr(law, "reads", ()))
        self.actuators = tuple(getattr(law, "actuators", ()))

    @property
    def kernel(self) -> Callable[..., Any]:
        """Return the kernel of the law, which records every call."""
        return self._call_law

    def _call_law(self, t: float, y: Array, r: Array, q: Array, z: Array, u: Array) -> None:
        u[:] = self._recorder.called(t, y, r)


def _recorded_block(block: Block, recorder: _Recorder) -> Block:
    def function(t: float, y: Array) -> Array:
        return recorder.called(t, y, np.zeros(0))

    found = copy(block)
    object.__setattr__(found, "kernel", PlainFunction(function, block.name, tuple(block.writes)))
    object.__setattr__(found, "compiled", False)
    object.__setattr__(found, "calls", ())
    return found


def flown_vectors(
    craft: Spacecraft, law: Law, sampled: Sampled, *, block: Block | None, flight: Mapping[str, Any], most: int
) -> Vectors:
    """Return test vectors, recorded with the kernel in plain Python; the run ends when there are enough.

    block: block to record instead of the law. flight: keyword arguments of `simulate`. most: maximum number of vectors.
    Raises InputError when the run contains no sample.
    """
    from ...runs.simulate import simulate

    recorder = _Recorder(sampled, most)
    blocks: Sequence[Block] = flight.get("blocks", ())
    offset = 0.0 if block is None else block.clock.offset
    span = min(float(flight["duration"]), offset + (most - 0.5) * sampled.sample)
    changed: dict[str, Any] = {
        **flight,
        "duration": span,
        "output_step": span,
        "blocks": tuple(_recorded_block(each, recorder) if each is block else each for each in blocks),
    }
    recorded_law = law if block is not None else _RecordedLaw(law, recorder)
    simulate(craft, recorded_law, **changed)
    if not recorder.rows:
        raise InputError(
            f"no sample is within the {span:g} s of the run, so there are no test vectors; simulate longer"
        )
    t, y, r, u = zip(*recorder.rows, strict=True)
    return Vectors(t=np.array(t), y=np.array(y), r=np.array(r), u=np.array(u))


def unit_attitudes(attitudes: Sequence[Attitude], y: Array) -> tuple[Attitude, ...]:
    """Return the attitudes with unit norm in every row of y: a componentwise filter may change the norm."""
    found: list[Attitude] = []
    for each in attitudes:
        rows = y if each.valid is None else y[y[:, each.valid] != 0.0]
        squares = np.sum(rows[:, each.at : each.at + 4] ** 2, axis=1)
        if (np.abs(squares - 1.0) <= 0.5 * NORM_TOLERANCE).all():
            found.append(each)
    return tuple(found)
