"""Batch of runs of one kind in contiguous memory, simulated by one call of compiled code.

The engine of a single run processes one address table after another, so the results are bitwise identical to runs
simulated individually. All data of a run are in one row of memory, its lane. A lane is initialised by copying a row,
and contains no Python object.
"""

import ctypes
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.hub.packing import OF_BODY
from ..codegen.raised import collect_raised
from . import indices as at
from .addresses import entry_function
from .element_packs import ElementPacks, fits_element_pack
from .extremes import tally_size
from .loop import Loop
from .loop_arrays import LoopArrays, Rows, SpreadArrays, kinds_of
from .observe import WIDTH
from .packs import Packs, may_fly_in_packs
from .steppers.error_floors import SLOW, mean_moment
from .steppers.implicit_layout import EASE, META, ease_of

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]


def flies_together(loop: Loop) -> bool:
    """Return whether compiled code can complete a run and its observables without calling Python.

    A closed-form motion is excluded: its arrays contain constants that depend on its start.
    """
    b = loop.arrays
    if b.count[at.METHOD] == at.EXACT:
        return False
    asks = b.count[at.LAW_MODE] == at.CALLER_LAW or bool((b.blocks[:, at.BLOCK.caller] != 0).any())
    return loop.compiled and not asks and not loop.craft.user_potentials and not hasattr(loop.law, "followed")


def kind_of(loop: Loop) -> tuple[Any, ...]:
    """Return the key of runs that can share a batch: functions, and the shapes of all arrays."""
    return (*loop.functions, *loop.arena.pattern.shapes)


class Batch:
    """Memory for several runs of one kind, and calls that advance them.

    loop: the initialised loop of one of the runs; lanes: number of lanes; follows: whether to compute errors from a
    reference.
    """

    def __init__(self, loop: Loop, lanes: int, *, follows: bool) -> None:
        b, self._signals = loop.arrays, len(loop.signals)
        self.kind, self.lanes, self._functions = kind_of(loop), lanes, loop.functions[1:]
        width = WIDTH + 3 * self._signals
        shapes = loop.arena.pattern.shapes
        self._shapes: dict[str, tuple[int, ...]] = dict(zip(LoopArrays._fields, shapes, strict=True))
        self._shapes |= {
            "dx": b.x.shape,
            "nothing": (0,),
            "start_t": (1,),
            "start_since": (1,),
            "start_x": (1, b.x.size),
            "start_u": (1, b.u.size),
            "start_out": (1, width),
        }
        sizes = [prod(shape) for shape in self._shapes.values()]
        self._first = dict(zip(self._shapes, accumulate(sizes, initial=0), strict=False))
        self._arena = np.empty((lanes, sum(sizes)), dtype=np.int64)  # rows of results need no initial values
        self._arena[:, self._first["dx"] :] = 0
        self._addresses = self._arena.ctypes.data + self._arena.strides[0] * np.arange(lanes, dtype=np.int64)
        self._found = {"t": "out_t", "x": "out_x", "u": "out_u"} | ({} if follows else {"r": "nothing"})
        start = {
            "t": "start_t",
            "since": "start_since",
            "x": "start_x",
            "u": "start_u",
            "out": "start_out",
            "r": "nothing",
        }
        self._flights = self._tables(loop.functions, LoopArrays, {})
        self._starts = self._tables(self._functions, Rows, start)
        self._fields: tuple[Any, ...] = ()  # views of each array across all lanes
        self._loop: Loop | None = None  # loop loaded last; `_row` is the data that lanes copy from it
        self._row = np.zeros(0, dtype=np.int64)
        self._cuts: Any = None  # indices of the arrays in a loaded loop's arena, and of the numbers in `_row`
        self._places = np.zeros(0, dtype=np.int64)
        self._read = {name: prod(shape) for name, shape in zip(LoopArrays._fields, shapes, strict=True)}
        self._read |= {"out_x": 0, "out_u": 0, "out_s": 0, "tally": tally_size(len(loop.signals), 0)}
        self._parts = self._parts_of()
        self._packs: Packs | None = None
        if may_fly_in_packs(loop):
            self._packs = Packs(self, loop)
        elif fits_element_pack(loop):
            self._packs = ElementPacks(self, loop)

    def _tables(
        self,
        functions: Sequence[int],
        bundle: type[Any],
        other: dict[str, str],
        outside: Mapping[str, NDArray[Any]] | None = None,
    ) -> Numbers:
        """Return the address tables of all lanes.

        other: names in LoopArrays of renamed fields; outside: arrays stored outside the lanes, by field name, of shape
        (lanes, ...); an array that all lanes share has a stride of 0.
        """
        columns = [np.full(self.lanes, function) for function in functions]
        for name in kinds_of(bundle):
            if outside is not None and name in outside:
                array = outside[name]
                addresses, shape = array.ctypes.data + array.strides[0] * np.arange(self.lanes), array.shape[1:]
            else:
                field = other.get(name, name)
                addresses, shape = self._addresses + 8 * self._first[field], self._shapes[field]
            columns += [addresses, *(np.full(self.lanes, extent) for extent in shape)]
        return np.ascontiguousarray(np.array(columns, dtype=np.int64).T)

    @cached_property
    def _observing(self) -> tuple[Array, Numbers, Numbers]:
        """Observables of all lanes, (lanes, rows, k), and the tables for the entries that write them."""
        rows = self._shapes["out_t"][0]
        out = np.empty((self.lanes, rows, WIDTH + 3 * self._signals))
        since, recorded = np.zeros((1, rows)), np.full((1, 1), rows)
        self._kept = since, recorded  # the tables hold their addresses
        every = {"since": np.broadcast_to(since, (self.lanes, rows)), "out": out}
        whole = {"recorded": np.broadcast_to(recorded, (self.lanes, 1)), "out": out}
        see = self._tables(self._functions, Rows, self._found, every)
        return out, see, self._tables((), SpreadArrays, {"before": "nothing"}, whole)

    def field(self, name: str) -> Array:
        """Return an array of all lanes as a view, shape (lanes, ...)."""
        shape, first = self._shapes[name], self._first[name]
        part: Any = self._arena[:, first : first + prod(shape)].reshape(self.lanes, *shape)
        kind = kinds_of(LoopArrays).get(name, (np.float64, 0))[0]
        return part if kind is np.int64 else part.view(np.float64)

    def place(self, name: str) -> int:
        """Return the offset of an array within a lane, in 8-byte values."""
        return self._first[name]

    def arrays(self, lane: int) -> LoopArrays:
        """Return the arrays of a lane, as views."""
        if not self._fields:
            self._fields = tuple([self.field(name) for name in LoopArrays._fields])
        return LoopArrays(*[each[lane] for each in self._fields])

    def _parts_of(self) -> list[tuple[slice, slice]]:
        """Return the parts of a lane that need initial values, and the place of each in the copied row.

        These are all arrays except the rows of results, which fill most of a lane.
        """
        parts: list[tuple[slice, slice]] = []
        start = end = copied = 0
        for name in LoopArrays._fields:
            if self._first[name] != end:
                parts.append((slice(start, end), slice(copied - (end - start), copied)))
                start = self._first[name]
            end = self._first[name] + self._read[name]
            copied += self._read[name]
        parts.append((slice(start, end), slice(copied - (end - start), copied)))
        return parts

    def load(self, lane: int, loop: Loop, x: Array) -> None:
        """Initialise a lane with a loop's arrays, for a run that starts at x."""
        if loop is not self._loop:
            self._loop = loop
            if loop.arena.pattern.cuts is not self._cuts:
                self._cuts, self._places = loop.arena.pattern.cuts, loop.arena.places(self._read)
            self._row = loop.arena.at(self._places)
        first, own = self._first["x"], self._arena[lane]
        for part, copied in self._parts:
            own[part] = self._row[copied]
        self._arena[lane, first : first + x.size] = x.view(np.int64)

    def load_rows(self, loop: Loop, x: Array, of_body: Array) -> None:
        """Initialise the first lanes from one loop, with individual initial states x (n, nx) and bodies.

        of_body (n, 27): parameters of the bodies; see `polhode.plant.hub.packing.body_numbers`.
        """
        n, first = len(x), self._first["x"]
        self.load(0, loop, x[0])
        for part, copied in self._parts:
            self._arena[1:n, part] = self._row[copied]
        self._arena[:n, first : first + x.shape[1]] = x.view(np.int64)
        self._arena[:n, self._first["p"] + np.array(OF_BODY)] = of_body.view(np.int64)
        # the error norm and the iteration of implicit steps are scaled by the inertia of each run
        inertia = of_body[:, :9].reshape(n, 3, 3)
        self.field("floors")[:n, 0] = SLOW * mean_moment(np.diagonal(inertia, axis1=1, axis2=2).T)
        if loop.arrays.count[at.METHOD] == at.IMPLICIT:
            self.field("implicit")[:n, META, EASE] = ease_of(inertia)

    def start(self, lanes: Sequence[int]) -> NDArray[np.bool_]:
        """Return a mask of the runs whose rates of change at t = 0 are finite."""
        self.field("start_x")[lanes, 0] = self.field("x")[lanes]  # a formulation writes its image to the observed state
        self._call("start_entry", self._starts[lanes])
        known: Any = np.isfinite(self.field("dx")[lanes]).all(axis=1)
        self.field("w")[lanes], self.field("r")[lanes] = 0.0, 0.0  # restored
        return known

    def advance(self, lanes: Sequence[int], steps: int) -> Numbers:
        """Advance runs by at most a number of steps; return their codes (see `polhode.sim.engine.indices`)."""
        count: Any = self.field("count")
        count[lanes, at.BUDGET] = np.minimum(count[lanes, at.STEPS] + steps, count[lanes, at.MAX_STEPS])
        results = np.full(len(lanes), at.DOUBTFUL)
        if self._packs is not None:
            results = self._packs.advance(lanes, self._arena, self._flights)
        left = np.flatnonzero(results == at.DOUBTFUL)
        if left.size:
            results[left] = self._call("advance_entry", self._flights[np.asarray(lanes)[left]])
        return results

    def observe(self, lanes: Sequence[int]) -> Array:
        """Return the observables of the rows of completed runs, (lanes, rows, k)."""
        self.field("w")[lanes], self.field("r")[lanes] = 0.0, 0.0
        out, see, spread = self._observing
        self._call("observe_entry", see[lanes])
        if self._signals:
            self._call("spread_entry", spread[lanes])
        return out[lanes]

    @staticmethod
    def _call(entry: str, tables: Numbers) -> Numbers:
        """Call a compiled entry on one table after another, and return the codes. Other threads keep running."""
        one = ctypes.cast(entry_function(entry), ctypes.c_void_p).value  # pyright: ignore[reportArgumentType] # it is a pointer to a function
        results = np.zeros(len(tables), dtype=np.int64)
        whole = np.array([one, tables.ctypes.data, *tables.shape, results.ctypes.data, results.size], dtype=np.int64)
        with collect_raised():
            entry_function("many_entry")(whole.ctypes.data)
        return results
