"""Runs flown eight at once in vector registers, where what they are made of is marked for it.

A free body under a law whose kernel is marked `@kernel(lanes=True)`, in steps of rk4, is flown by the loop of
`pack_loop`: runs whose times, counts and codes are the same fill a pack, and whatever else differs from run to run
(start, inertia, gains, limits, the reference's numbers) stands in its lanes. The numbers are those of the single run to
the bit. A run that comes to no finite number in a pack is left as it was, for the single run to tell.

The loop is compiled for each law once and then kept on disk, which takes some seconds: no sooner than runs under that
law have taken so many steps that it would have been worth it.
"""

from collections.abc import Callable, Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...controllers.laws.law_layout import REFERENCE
from ...plant.hub.parameters import INERTIA, LOCKED, MASS, N_ELEMENTS, NEAR_MASS
from ...plant.kernels.kernel import LANES as MARKED
from ..machine.code_cache import say
from ..steppers.free_rates import is_free
from . import indices as at
from .law import no_law
from .loop import Loop

if TYPE_CHECKING:
    from .batch import Batch

__all__ = ["LANES", "Packs", "may_fly_in_packs"]

LANES = 8
"""Runs in a pack; as in `polhode.sim.machine.packs`, which is not read before something is compiled."""

COMPILED_AFTER = 1e7
"""Steps of runs under one law after which its loop is compiled: they take about as long without it."""

LINKED_AFTER = 1e5
"""The same where it stands on disk."""

_BODY = (*range(INERTIA, N_ELEMENTS), *range(LOCKED, LOCKED + 9), MASS, NEAR_MASS)
"""What of its parameters the craft may have for its own."""

_KIND = (at.METHOD, at.LAW_MODE, at.WATCH, at.BLOCKS, at.LAST, at.LAW_FURTHER, at.EXTERNAL, at.HAVE_COMMAND)
"""What of the counts says what is flown, and not where it stands."""


def may_fly_in_packs(loop: Loop) -> bool:
    """Whether a run that flies in compiled code alone may fly in a pack: of what is in it all is marked for lanes."""
    b, law = loop.arrays, loop.law
    if b.count[at.METHOD] != at.RK4 or not is_free(b.p) or loop.signals or loop.blocks or b.edges.size or b.u.size != 3:
        return False
    if b.count[at.WATCH] or b.count[at.LAW_FURTHER] or b.out_x.shape[0] != b.out_t.size:
        return False
    return law is None or (law.kernel in MARKED and not getattr(law, "calls", ()) and hasattr(law, "may_differ"))


class Packs:
    """The lanes of a batch, flown in packs."""

    def __init__(self, batch: "Batch", loop: Loop) -> None:
        b, law = loop.arrays, loop.law
        self._law: Callable[..., Any] = no_law if law is None else law.kernel
        shared = np.ones(0, np.bool_) if law is None else ~getattr(law, "may_differ")  # noqa: B009 # if it has it
        codes = {
            "count": np.array(_KIND),
            "p": np.setdiff1d(np.arange(b.p.size), _BODY),
            "q": np.flatnonzero(shared),
            "limits": np.array([3]),  # whether the direction is kept
        }
        self._codes = np.concatenate([batch.place(name) + places for name, places in codes.items()])
        self._pattern = np.concatenate([getattr(b, name)[places].view(np.int64) for name, places in codes.items()])
        clock = np.setdiff1d(np.arange(at.CLOCK_SIZE), (at.H, at.NORM_DRIFT))
        where = {"clock": clock, "count": np.arange(at.COUNT_SIZE), "out_t": np.arange(b.out_t.size)}
        self._where = np.concatenate([batch.place(name) + places for name, places in where.items()])
        self._reference = int(loop.functions[1])
        sizes = (2 * b.x.size, b.u.size, b.p.size, b.q.size, b.z.size, b.limits.size, b.queue.size, b.seen.size)
        self._work = _aligned(LANES * (sum(sizes) + REFERENCE.size + 3 + 1))

    def advance(self, lanes: Sequence[int], slab: NDArray[np.int64], tables: NDArray[np.int64]) -> NDArray[np.int64]:
        """Move runs on to their budget; of those that are not flown in a pack DOUBTFUL.

        lanes: of the batch; slab: its memory; tables: of all its lanes -> why each came back.
        """
        told = np.full(len(lanes), at.DOUBTFUL)
        fly = _loop_for(self._law)
        if fly is None:
            return told
        for group in self._groups(np.asarray(lanes), slab):
            filled = np.resize(group, -(-group.size // LANES) * LANES)
            filled[group.size :] = group[-1]
            rows, found = tables[np.asarray(lanes)[filled]], np.zeros(filled.size, dtype=np.int64)
            work = self._work
            table = [self._reference, rows.ctypes.data, *rows.shape, work.ctypes.data, work.size, found.ctypes.data]
            whole = np.array([*table, found.size], dtype=np.int64)
            fly(whole.ctypes.data)
            told[group] = found[: group.size]
        return told

    def flew(self, steps: int) -> None:
        """Take note of steps taken without packs, which would have been taken in them."""
        _flew(self._law, steps)

    def _groups(self, lanes: NDArray[np.int64], slab: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Which of the lanes fill packs: places in `lanes` of two or more of the kind, at the same time."""
        of_kind: Any = (slab[lanes[:, None], self._codes] == self._pattern).all(axis=1)
        those = np.flatnonzero(of_kind)
        if those.size < 2:
            return []
        now: Any = slab[lanes[those, None], self._where]
        if (now == now[0]).all():
            return [those]
        found: dict[bytes, list[int]] = {}
        for n, row in zip(those.tolist(), now, strict=True):
            found.setdefault(row.tobytes(), []).append(n)
        return [np.array(group) for group in found.values() if len(group) > 1]


def _aligned(size: int) -> NDArray[np.float64]:
    """So many zeros from where a line of the cache begins: a pack that lies in two takes twice as long."""
    found = np.zeros(size + LANES)
    first = -found.ctypes.data // found.itemsize % LANES
    return found[first : first + size]


_lock = Lock()
_steps: dict[Callable[..., Any], float] = {}  # by law
_loops: dict[Callable[..., Any], Callable[[int], int] | None] = {}


def _flew(law: Callable[..., Any], steps: int) -> None:
    with _lock:
        _steps[law] = _steps.get(law, 0.0) + steps


def _loop_for(law: Callable[..., Any]) -> Callable[[int], int] | None:
    """The compiled loop for a law, as soon as it is worth it; None until then, and where it cannot be had."""
    if law in _loops:
        return _loops[law]
    steps = _steps.get(law, 0.0)
    if steps < LINKED_AFTER:
        return None
    from ..machine.compiler import pack_is_kept

    if steps < COMPILED_AFTER and not pack_is_kept(law):
        return None
    with _lock:
        if law not in _loops:
            _loops[law] = _made(law)
    return _loops[law]


def _made(law: Callable[..., Any]) -> Callable[[int], int] | None:
    from ..machine.compiler import pack_function

    try:
        return pack_function(law)
    except Exception as error:  # noqa: BLE001 # another numba may say anything; the code of the single run is there
        _tell(f"{type(error).__name__}: {error}".splitlines()[0])
        return None


@cache
def _tell(why: str) -> None:
    say(f"polhode: runs are not flown eight at once, only side by side, which is slower ({why})")
