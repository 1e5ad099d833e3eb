"""A run with tangents: its derivatives in several directions, propagated through every step of the engine.

The tangents of the initial arrays of a run (parameters, initial state, gains) are half the difference between the
arrays of two neighbouring runs that are not simulated. The engine with dual numbers propagates them by forward-mode
differentiation: each operation of each step also computes the derivatives of its result. Hence a row of results is
exactly the row of the run itself, and its tangents are the first-order changes between the neighbouring runs, free of
step-size and cancellation errors of a difference of simulated runs.

A tangent is the derivative along the branch that the run takes. It is not defined where a run switches at an instant
that depends on the parameters in a discontinuous way, for example when the counts of a sensor change by one.

The iterations of an implicit step and the lengths of adaptive steps follow the values. In an exact equilibrium, where
the first guess is the solution, there may be too few iterations, and the steps may be too long, for the tangents.
`polhode.sim.runs.neighbouring_runs` checks them.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..codegen.tangent_library import tangent_addresses, tangent_entry, tangents
from . import indices as at
from .loop import Loop
from .loop_arrays import LoopArrays, kinds_of

Array = NDArray[np.float64]

RESULTS = ("x", "u", "z", "r", "seen", "command", "queue", "signals", "inputs", "answer", "held", "block_z",
           "tally", "out_x", "out_u", "out_s")  # fmt: skip
"""Arrays of which a neighbouring run gets values and tangents; the times of the rows are those of the run."""


def carries_tangents(loop: Loop) -> bool:
    """Return whether the tangents of a run can be propagated: only kernels of polhode, in compiled code."""
    if not loop.compiled or tangents() == 0:
        return False
    b, known = loop.arrays, tangent_addresses()
    by_caller = b.count[at.LAW_MODE] == at.CALLER_LAW or bool((b.blocks[:, at.BLOCK.caller] != 0).any())
    user = bool(loop.craft.user_functions) or any(
        not str(part.kernel.__module__).startswith("polhode.") for part in (loop.law, *loop.blocks) if part is not None
    )
    return not (by_caller or user) and all(function in known for function in loop.functions)


def neighbours(loop: Loop, other: Loop) -> bool:
    """Return whether two runs have the same structure: functions, shapes of all arrays, and all integers."""
    if loop.functions != other.functions or loop.arena.pattern.shapes != other.arena.pattern.shapes:
        return False
    kinds = kinds_of(LoopArrays)
    return all(
        np.array_equal(getattr(loop.arrays, name), getattr(other.arrays, name))
        for name, (kind, _) in kinds.items()
        if kind is np.int64
    )


class TangentLoop:
    """A run and its tangents in at most `tangents()` directions.

    loop: the run, not started; it stays unchanged.
    pairs: two runs for each direction, on both sides of the run, not started; see `neighbours`.
    """

    def __init__(self, loop: Loop, pairs: Sequence[tuple[Loop, Loop]]) -> None:
        width, known = tangents() + 1, tangent_addresses()
        if len(pairs) >= width:
            raise ValueError(f"at most {width - 1} directions; got {len(pairs)}")
        self._pairs = tuple(pairs)
        self.arrays: dict[str, NDArray[np.generic]] = {}
        table = [known[function] for function in loop.functions]
        for name, (kind, _) in kinds_of(LoopArrays).items():
            own = getattr(loop.arrays, name)
            if kind is np.int64:
                array = own.copy()
                if name == "blocks":
                    array[:, at.BLOCK.code] = [known[code] for code in own[:, at.BLOCK.code].tolist()]
            else:
                array = np.zeros((*own.shape, width))
                array[..., 0] = _addressed(own, known)
                if not name.startswith("out_") or name == "out_t":  # rows of results have no initial values
                    for n, (after, before) in enumerate(self._pairs):
                        array[..., 1 + n] = _half_difference(getattr(after.arrays, name), getattr(before.arrays, name))
            self.arrays[name] = array
            table += [array.ctypes.data, *own.shape]
        self._table = np.array(table, dtype=np.int64)

    def advance(self, steps: int) -> int:
        """Advance by at most a number of steps -> stop code; see `polhode.sim.engine.indices`."""
        count = self.arrays["count"]
        count[at.BUDGET] = min(int(count[at.STEPS]) + steps, int(count[at.MAX_STEPS]))
        return tangent_entry("advance_entry")(self._table.ctypes.data)

    @property
    def values(self) -> LoopArrays:
        """Arrays of the run without tangents; views."""
        kinds = kinds_of(LoopArrays)
        views = {name: self.arrays[name] if kinds[name][0] is np.int64 else self.arrays[name][..., 0] for name in kinds}
        return LoopArrays(**views)  # pyright: ignore[reportArgumentType] # by name, with the kinds of their fields

    @property
    def finite(self) -> bool:
        """True if every finite result has finite tangents."""
        for name in RESULTS:
            array = np.asarray(self.arrays[name], dtype=np.float64)
            if not np.isfinite(array[np.isfinite(array[..., 0])]).all():
                return False
        return True

    def finish(self, loop: Loop) -> None:
        """Write the results of the run to its loop."""
        self._write(loop, None)

    def finish_pairs(self) -> None:
        """Write the results of each neighbouring run to its loop: those of the run, plus or minus the tangents."""
        for n, (after, before) in enumerate(self._pairs):
            self._write(after, (n, 1.0))
            self._write(before, (n, -1.0))

    def _write(self, loop: Loop, direction: tuple[int, float] | None) -> None:
        loop.arrays.count[:] = self.arrays["count"]
        loop.arrays.clock[:] = self.arrays["clock"][..., 0]
        for name in RESULTS:
            array = np.asarray(self.arrays[name], dtype=np.float64)
            own = getattr(loop.arrays, name)
            own[...] = array[..., 0]
            if direction is not None:
                n, sign = direction
                own[...] += sign * np.where(np.isfinite(own), array[..., 1 + n], 0.0)


def _half_difference(after: Array, before: Array) -> Array:
    with np.errstate(invalid="ignore"):
        found = 0.5 * (after - before)
    return np.where(after == before, 0.0, found)  # of equal infinities


def _addressed(numbers: Array, known: Mapping[int, int]) -> Array:
    """Return numbers in which every address of a kernel is replaced by that in the library with tangents."""
    addresses = np.array(sorted(known), dtype=np.float64)
    found = numbers.copy()
    flat = found.reshape(-1)
    for place in np.flatnonzero(np.isin(flat, addresses)):
        flat[place] = float(known[int(flat[place])])
    return found
