"""Observables of the rows of a run, computed on first use."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...controllers import Reference
from ..codegen.raised import collect_raised
from ..results.fault_words import named, quiet, told_apart
from .address_table import table_of
from .addresses import address_of, entry_function
from .extremes import spread_rows
from .indices import KOUT, TAKEN
from .loop_arrays import Rows, SpreadArrays
from .observe import WIDTH, observe

if TYPE_CHECKING:
    from .loop import Loop

Array = NDArray[np.float64]
Found = tuple[Array, str]


class Observed:
    """Observables of some rows, with a description of non-finite values; computed on first use.

    work: function that returns both, called once; the description is empty if all values are finite.
    """

    def __init__(self, work: Callable[[], Found]) -> None:
        self._work: Callable[[], Found] | None = work
        self._found: Found = np.zeros((0, 0)), ""

    @classmethod
    def known(cls, table: Array) -> "Observed":
        """Return an `Observed` for a table that is already computed."""
        made = cls(lambda: (table, ""))
        made._both()
        return made

    @property
    def table(self) -> Array:
        """Observables, shape (n, k): see `polhode.sim.engine.observe`."""
        return self._both()[0]

    @property
    def fault(self) -> str:
        """Description of non-finite values in these or earlier rows of the run; empty if there are none."""
        return self._both()[1]

    def _both(self) -> Found:
        work = self._work
        if work is not None:
            found = work()
            found[0].flags.writeable = False
            self._found = found
            self._work = None  # set last: another thread may read simultaneously
        return self._found

    def __getstate__(self) -> dict[str, Any]:
        """Return the pickled state: only the results, since machine code cannot be copied."""
        return {"_work": None, "_found": self._both()}


def observed(
    loop: "Loop", t: Array, x: Array, u: Array, *, follows: bool, mode: tuple[Array, Array] | None = None
) -> Observed:
    """Return the observables of those rows of a loop that have not been taken out yet.

    t (n,): times, s; x (n, nx): states, ledger included; u (n, nu): inputs; follows: whether to compare with a
    reference; mode: for a law with modes, the active mode (n,), which may have its own reference, and the time of its
    entry (n,). User-defined functions are evaluated immediately, since they may return different values later.
    """
    found = Observed(partial(_found, loop, t, x, u, follows=follows, mode=mode, before=loop.told_last))
    craft = loop.craft
    if not loop.compiled or mode is not None or ((craft.potentials or craft.user_forces) and craft.user_functions):
        _ = found.table
    return found


def _found(
    loop: "Loop", t: Array, x: Array, u: Array, *, follows: bool, mode: tuple[Array, Array] | None, before: Array | None
) -> Found:
    table = _table(loop, t, x, u, follows=follows, mode=mode)
    end = WIDTH + len(loop.signals)
    if end > WIDTH and t.size:
        b = loop.arrays
        recorded = np.array([min(int(b.count[KOUT] - b.count[TAKEN]), len(table))])
        arrays = SpreadArrays(b.tally, np.zeros(0) if before is None else before, recorded, table)
        if loop.compiled:
            entries = table_of((), arrays)
            entry_function("spread_entry")(entries.ctypes.data)
        else:
            spread_rows(arrays)
        loop.told_last = table[-1, WIDTH:end].copy()
    return table, loop.unseen


def _table(loop: "Loop", t: Array, x: Array, u: Array, *, follows: bool, mode: tuple[Array, Array] | None) -> Array:
    if mode is None or not follows:
        return _of_rows(loop, t, x, u, loop.reference if follows else None, np.zeros(t.size))
    found = np.zeros((t.size, WIDTH + 3 * len(loop.signals)))
    numbers, entered = mode
    for number in np.unique(numbers):
        there = numbers == number
        reference, from_entry = getattr(loop.law, "followed")(number, loop.reference)  # noqa: B009 # of a law with modes
        since = entered[there] if from_entry else np.zeros(int(there.sum()))
        found[there] = _of_rows(loop, t[there], x[there], u[there], reference, since)
    return found


def _of_rows(loop: "Loop", t: Array, x: Array, u: Array, follows: Reference | None, since: Array) -> Array:
    """Return the observables of rows that have the same reference, or none; the extremes are not set."""
    b = loop.arrays
    _, reference, user = loop.functions
    numbers = b.rq
    if follows is not None and follows is not loop.reference:
        numbers, reference = np.array(follows.parameters, dtype=np.float64), _reference(loop, follows)
    rows = Rows(
        p=b.p,
        w=np.zeros_like(b.w),
        rq=numbers,
        r=np.zeros(0 if follows is None else b.r.size),
        t=np.ascontiguousarray(t),
        since=np.ascontiguousarray(since),
        x=np.ascontiguousarray(x),
        u=np.ascontiguousarray(u),
        dx=np.zeros(b.x.size),
        out=np.empty((t.size, WIDTH + 3 * len(loop.signals))),
    )
    if loop.compiled:
        entries = table_of((reference, user), rows)
        with collect_raised():
            entry_function("observe_entry")(entries.ctypes.data)
    else:
        with np.errstate(all="ignore"):  # as in compiled code: values that are not finite are detected and reported
            observe(quiet(reference, 2), quiet(user, 3), rows)
    loop.unseen = loop.unseen or told_apart(loop, t, x, rows.out[:, : WIDTH + len(loop.signals)])
    return rows.out


def _reference(loop: "Loop", reference: Reference) -> Any:
    return address_of("reference", reference.kernel) if loop.compiled else named("reference", reference.kernel)
