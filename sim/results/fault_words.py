"""Messages that name the user-defined function which ended a run."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import InputError
from ...plant.hub.dynamics import body_rate
from ...plant.hub.place import whole_centre
from ...plant.loads.faults import fault_sentence
from ...plant.loads.user_loads import function_name
from ..engine import indices as at
from ..engine.observe import COLUMNS

if TYPE_CHECKING:
    from ..engine.loop import Loop

Array = NDArray[np.float64]

LARGEST = 1e300
"""Upper bound of values in the engine: larger or non-finite values end a run."""

REFERENCE_NUMBERS = (
    "e_ref_0",
    "e_ref_1",
    "e_ref_2",
    "e_ref_3",
    *(f"{n}_ref_{a}" for n in ("omega", "alpha") for a in "xyz"),
)


def _head(what: str, values: Array, t: float) -> str:
    """Return the cause of the end: a non-finite value, or a finite one above LARGEST."""
    if np.isfinite(values).all():
        return f"too large {'an' if what[0] in 'aeiou' else 'a'} {what} at t = {t:.9g} s"
    return f"no finite {what} at t = {t:.9g} s"


def _why(values: Array, else_left: str) -> str:
    """Return a clause about the invalid values of an output."""
    if np.isfinite(values).all():
        return f"a number is {LARGEST:g} or more, too large to compute with"
    return f"a number is not finite, or it left {else_left} unwritten"


def load_fault(loop: "Loop", t: float) -> str:
    """Return a sentence about a faulty potential or user force in the step that begins at t."""
    return fault_sentence(
        loop.craft.user_functions, loop.arrays.p, loop.arrays.w, since=t - 1e-9 * (1.0 + abs(t)), raised=loop.raised
    )


def command_fault(loop: "Loop", t: float) -> str:
    """Return a sentence about the fault of the law or reference at the last sample, t."""
    r, u = loop.arrays.r, loop.arrays.command
    if not np.abs(r).sum() < LARGEST:  # the same check as in the engine
        return f"{_head('command', r, t)}: {_reference_fault(loop, r)}"
    return f"{_head('command', u, t)}: {_law_fault(loop, u)}"


def _reference_fault(loop: "Loop", r: Array) -> str:
    name = function_name(loop.reference.kernel)
    if loop.raised:
        return f"the reference {name!r} raised {loop.raised}"
    worst = int(np.argmax(np.where(np.isnan(r), np.inf, np.abs(r))))
    what = f"{r[worst]:g} for {REFERENCE_NUMBERS[worst]}"
    if np.isfinite(r).all():
        return f"the reference {name!r} returned {what}, too large to compute with"
    return f"the reference {name!r} returned {what}, or left it unwritten"


def _law_fault(loop: "Loop", u: Array) -> str:
    law = getattr(loop.law, "law", loop.law)  # the original law if it is wrapped
    name = function_name(getattr(law, "function", None) or type(law))
    if loop.raised:
        return f"the law {name!r} raised {loop.raised}"
    numbers = ", ".join(f"{value:g}" for value in u)
    return f"the law {name!r} returned ({numbers}) N m: {_why(u, 'a component')}"


def answer_fault(loop: "Loop", t: float) -> str:
    """Return a sentence about the fault of the block that was called last, at t."""
    b = loop.arrays
    n = int(b.count[at.CALLED_BLOCK])
    block = loop.blocks[n]
    answer = b.answer[: b.blocks[n, at.BLOCK.outputs + 1]]
    head = f"{_head('answer', answer, t)}: the block {block.name!r}"
    if loop.raised:
        return f"{head} raised {loop.raised}"
    numbers = ", ".join(f"{value:g}" for value in answer)
    return f"{head} returned ({numbers}) for {', '.join(block.writes)}: {_why(answer, 'one')}"


def named(kind: str, function: Callable[..., Any], name: str = "") -> Callable[..., Any]:
    """Wrap a user-defined Python law or reference: an exception becomes an InputError with its name."""
    if str(getattr(function, "__module__", "")).startswith("polhode.") and not name:
        return function

    def checked(t: float, *arguments: Any) -> None:
        try:
            function(t, *arguments)
        except InputError:
            raise
        except Exception as error:
            words = f"the {kind} {name or function_name(function)!r} raised {type(error).__name__} at t = {t:.9g} s"
            raise InputError(f"{words}: {error}") from error

    return checked


def quiet(function: Callable[..., Any], out: int) -> Callable[..., Any]:
    """Wrap plain Python loads or a reference for recorded rows: the output is NaN on an InputError.

    out: index of the output argument.
    """

    def checked(*arguments: Any) -> None:
        try:
            function(*arguments)
        except InputError:
            arguments[out][0] = np.nan

    return checked


def told_apart(loop: "Loop", t: Array, x: Array, table: Array) -> str:
    """Add user-defined potentials to a table of observables; return a sentence about non-finite values.

    table (n, k): observables without the extremes of the signals.
    """
    sentence = ""
    craft = loop.craft
    if craft.user_potentials:
        p, w = craft.pack(), craft.work_space()
        for row, state in enumerate(x):
            body_rate(float(t[row]), state, np.zeros(3), p, w)
            c, e = np.array(whole_centre(state, p, w)), state[3:7].copy()
            for potential in craft.user_potentials:
                value = _value(potential.function, c, e)
                table[row, COLUMNS["energy"]] += value
                if not np.isfinite(value) and not sentence:
                    name = function_name(potential.function)
                    sentence = f"the potential {name!r} returned {value:g} for V at t = {t[row]:.9g} s"
    # a finite sum implies finite entries
    bad = np.zeros(0, np.intp) if np.isfinite(table.sum()) else np.flatnonzero(~np.isfinite(table).all(axis=1))
    if bad.size and not sentence:
        sentence = fault_sentence(craft.user_functions, loop.arrays.p, loop.arrays.w) or (
            f"a quantity computed from the state at t = {t[bad[0]]:.9g} s is not finite: a value is too large, or the "
            "reference is not defined there"
        )
    return sentence


def _value(function: Callable[..., Any], c: Array, e: Array) -> float:
    try:
        with np.errstate(all="ignore"):
            return float(function(c, e))
    except Exception:  # noqa: BLE001 # a user-defined function may raise anything
        return np.nan
