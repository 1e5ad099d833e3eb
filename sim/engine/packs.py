"""Simultaneous runs in vector registers: eight with AVX-512, four with AVX2, two elsewhere.

The loop of `pack_loop` simulates a free body in steps of rk4 under a law whose kernel is marked `@kernel(lanes=True)`.
Runs with equal times, counters and codes fill a pack. All values that differ from run to run (start, inertia, gains,
limits, reference) are elements of vectors. Each run is bitwise identical to the same run simulated individually. A run
with a non-finite value is left unchanged; it is then simulated individually, which reports the value.

The loop and the laws are part of the engine's library. Runs are simulated one by one if there is no library, if the
compiler has no vector types, or if an x86-64 processor lacks AVX2.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...controllers.contracts.law_layout import REFERENCE
from ...plant.hub.parameters import INERTIA, LOCKED, MASS, N_ELEMENTS, NEAR_MASS
from ...plant.kernels.kernel import LANES as MARKED
from ..codegen.library import simd_address, simd_width
from ..codegen.raised import collect_raised
from . import indices as at
from .addresses import entry_function
from .loop import Loop
from .steppers.free_rates import is_free

if TYPE_CHECKING:
    from .batch import Batch

LANES = 8
"""Largest number of runs in a vector register of any processor."""

BODY = (*range(INERTIA, N_ELEMENTS), *range(LOCKED, LOCKED + 9), MASS, NEAR_MASS)
"""Parameters of the spacecraft that may differ between the lanes."""

KIND = (at.METHOD, at.LAW_MODE, at.WATCH, at.BLOCKS, at.LAST, at.LAW_FURTHER, at.EXTERNAL, at.HAVE_COMMAND)
"""Counters that define the kind of a run instead of its progress."""


def may_fly_in_packs(loop: Loop) -> bool:
    """Return whether a fully compiled run can run in a pack of free bodies."""
    b = loop.arrays
    return b.count[at.METHOD] == at.RK4 and bool(is_free(b.p)) and not loop.signals and fits_a_pack(loop)


def fits_a_pack(loop: Loop) -> bool:
    """Return whether a run has only a plant, a reference, and possibly a law marked for lanes."""
    return not loop.blocks and not loop.arrays.count[at.LAW_FURTHER] and has_vector_law(loop)


def has_vector_law(loop: Loop) -> bool:
    """Return whether a run has no switched loads, and either no law or a law marked for lanes."""
    b, law = loop.arrays, loop.law
    if b.edges.size or b.u.size != 3:
        return False
    if b.count[at.WATCH] or b.out_x.shape[0] != b.out_t.size:
        return False
    if law is not None and (getattr(law, "calls", ()) or not hasattr(law, "batchable")):
        return False
    return simd_width() > 0 and law_address(law) is not None


def law_address(law: Any) -> int | None:
    """Return the address of a law's vector kernel; 0 if there is no law, None if it has no such kernel."""
    if law is None:
        return 0
    return simd_address(law.kernel) if law.kernel in MARKED else None


class Packs:
    """Simulator that advances the lanes of a batch in packs."""

    entry = "packs_entry"
    """Entry of the library that advances packs."""

    def __init__(self, batch: "Batch", loop: Loop) -> None:
        b, law = loop.arrays, loop.law
        self._functions, self._width = self.called(loop), simd_width()
        shared = np.ones(0, np.bool_) if law is None else ~getattr(law, "batchable")  # noqa: B009 # optional attribute
        codes = {
            "count": np.array(KIND),
            "p": np.setdiff1d(np.arange(b.p.size), self._own_of_plant(loop)),
            "q": np.flatnonzero(shared),
            "limits": np.array([3]),  # flag: saturation keeps the direction of the command
            **self._more_codes(loop),
        }
        self._codes = np.concatenate([batch.place(name) + places for name, places in codes.items()])
        self._pattern = np.concatenate(
            [getattr(b, name).ravel()[places].view(np.int64) for name, places in codes.items()]
        )
        where = {**self._instant(), "out_t": np.arange(b.out_t.size)}
        self._where = np.concatenate([batch.place(name) + places for name, places in where.items()])
        self._held = (*self._tables(loop), _aligned(LANES * self._vectors(loop)))

    @staticmethod
    def called(loop: Loop) -> list[int]:
        """Return the addresses of the functions that the entry receives first."""
        return [law_address(loop.law) or 0, int(loop.functions[1])]

    @staticmethod
    def _tables(loop: Loop) -> tuple[NDArray[Any], ...]:
        """Return the arrays that the entry receives between the address tables and the workspace."""
        del loop
        return ()

    @staticmethod
    def _own_of_plant(loop: Loop) -> Sequence[int]:
        """Return the indices in p of the values that may differ between the runs of a pack."""
        del loop
        return BODY

    @staticmethod
    def _more_codes(loop: Loop) -> dict[str, NDArray[np.int64]]:
        """Return, by array, the indices of further values that must be equal in a pack."""
        del loop
        return {}

    @staticmethod
    def _instant() -> dict[str, NDArray[np.int64]]:
        """Return, by array, the indices of the values that describe the progress of a run."""
        clock = np.setdiff1d(np.arange(at.CLOCK_SIZE), (at.H, at.NORM_DRIFT))
        return {"clock": clock, "count": np.arange(at.COUNT_SIZE)}

    @staticmethod
    def _vectors(loop: Loop) -> int:
        """Return the number of vectors of a pack."""
        b = loop.arrays
        sizes = (2 * b.x.size, b.u.size, b.p.size, b.q.size, b.z.size, b.limits.size, b.queue.size, b.seen.size)
        return sum(sizes) + REFERENCE.size + 3 + 1

    def advance(self, lanes: Sequence[int], arena: NDArray[np.int64], tables: NDArray[np.int64]) -> NDArray[np.int64]:
        """Advance runs to their step budget; the code of a run outside a pack is DOUBTFUL.

        lanes: lanes of the batch; arena: memory of the batch; tables: address tables of all lanes -> return codes.
        """
        results = np.full(len(lanes), at.DOUBTFUL)
        for group in self._groups(np.asarray(lanes), arena):
            filled = np.resize(group, -(-group.size // self._width) * self._width)
            filled[group.size :] = group[-1]
            rows, found = tables[np.asarray(lanes)[filled]], np.zeros(filled.size, dtype=np.int64)
            table = [*self._functions]
            for array in (rows, *self._held, found):
                table += [array.ctypes.data, *array.shape]
            whole = np.array(table, dtype=np.int64)
            with collect_raised():  # a user-defined reference may raise
                entry_function(self.entry)(whole.ctypes.data)
            results[group] = found[: group.size]
        return results

    def _groups(self, lanes: NDArray[np.int64], arena: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Return groups of two or more runs of the same kind and time, as indices in `lanes`."""
        of_kind: Any = (arena[lanes[:, None], self._codes] == self._pattern).all(axis=1)
        those = np.flatnonzero(of_kind)
        if those.size < 2:
            return []
        now: Any = arena[lanes[those, None], self._where]
        if (now == now[0]).all():
            return [those]
        found: dict[bytes, list[int]] = {}
        for n, row in zip(those.tolist(), now, strict=True):
            found.setdefault(row.tobytes(), []).append(n)
        return [np.array(group) for group in found.values() if len(group) > 1]


def _aligned(size: int) -> NDArray[np.float64]:
    """Return zeros aligned to a cache line: packs that share a cache line run at half the speed."""
    found = np.zeros(size + LANES)
    first = -found.ctypes.data // found.itemsize % LANES
    return found[first : first + size]
