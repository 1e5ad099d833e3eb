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
from .bundle import Rows
from .indices import KOUT, TAKEN
from .observe import WIDTH, observe
from .tally import spread_of_rows

if TYPE_CHECKING:
    from .loop import Loop

__all__ = ["Observed", "observed"]

Array = NDArray[np.float64]
Found = tuple[Array, str]


class Observed:
    """The observables of some rows, and what in them is not finite.

    work: gives the two, the latter in a sentence, empty where all is; it is asked once.
    """

    def __init__(self, work: Callable[[], Found]) -> None:
        self._work: Callable[[], Found] | None = work
        self._found: Found = np.zeros((0, 0)), ""

    @classmethod
    def known(cls, table: Array) -> "Observed":
        """Return observables that are there already."""
        made = cls(lambda: (table, ""))
        made._both()
        return made

    @property
    def table(self) -> Array:
        """The observables, shape (n, k): see `polhode.sim.engine.observe`."""
        return self._both()[0]

    @property
    def fault(self) -> str:
        """What in them, or in those of earlier rows of the run, is not finite."""
        return self._both()[1]

    def _both(self) -> Found:
        work = self._work
        if work is not None:
            found = work()
            found[0].flags.writeable = False
            self._found = found
            self._work = None  # last: another thread may be here too
        return self._found

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy is made of: what was found, for machine code does not travel."""
        return {"_work": None, "_found": self._both()}


def observed(
    loop: "Loop", t: Array, x: Array, u: Array, *, follows: bool, mode: tuple[Array, Array] | None = None
) -> Observed:
    """Return the observables of the rows of a loop that were not taken out yet.

    t (n,): times, s; x (n, nx): states, ledger included; u (n, nu): inputs; follows: whether there is a reference
    to compare with; mode (n,), (n,): of a law with modes the one in force, each of which may follow another, and
    since when. What a function of the user's own says of them is asked at once: it may say something else later.
    """
    found = Observed(partial(_found, loop, t, x, u, follows=follows, mode=mode, before=loop.told_last))
    craft = loop.craft
    if not loop.compiled or mode is not None or ((craft.potentials or craft.efforts) and craft.user_functions):
        _ = found.table
    return found


def _found(
    loop: "Loop", t: Array, x: Array, u: Array, *, follows: bool, mode: tuple[Array, Array] | None, before: Array | None
) -> Found:
    table = _table(loop, t, x, u, follows=follows, mode=mode)
    told = table[:, WIDTH:]
    if told.size:
        b = loop.arrays
        recorded = min(int(b.count[KOUT] - b.count[TAKEN]), len(table))
        spread = spread_of_rows(b.tally, told, recorded, before=before)
        loop.told_last = told[-1]
        table = np.hstack([table, spread])
    return table, loop.unseen


def _table(loop: "Loop", t: Array, x: Array, u: Array, *, follows: bool, mode: tuple[Array, Array] | None) -> Array:
    if mode is None or not follows:
        return _of_rows(loop, t, x, u, loop.reference if follows else None, np.zeros(t.size))
    found = np.zeros((t.size, WIDTH + len(loop.signals)))
    numbers, entered = mode
    for number in np.unique(numbers):
        there = numbers == number
        reference, from_entry = getattr(loop.law, "followed")(number, loop.reference)  # noqa: B009 # of a law with modes
        since = entered[there] if from_entry else np.zeros(int(there.sum()))
        found[there] = _of_rows(loop, t[there], x[there], u[there], reference, since)
    return found


def _of_rows(loop: "Loop", t: Array, x: Array, u: Array, follows: Reference | None, since: Array) -> Array:
    """The observables where one reference, or none, is followed."""
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
        out=np.zeros((t.size, WIDTH + len(loop.signals))),
    )
    if loop.compiled:
        entries = table_of((reference, user), rows)
        with collect_raised():
            entry_function("observe_entry")(entries.ctypes.data)
    else:
        with np.errstate(all="ignore"):  # as compiled: what is not finite is found and told
            observe(quiet(reference, 2), quiet(user, 3), rows)
    loop.unseen = loop.unseen or told_apart(loop, t, x, rows.out)
    return rows.out


def _reference(loop: "Loop", reference: Reference) -> Any:
    return address_of("reference", reference.kernel) if loop.compiled else named("reference", reference.kernel)
