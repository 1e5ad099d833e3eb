"""Quantities of a run in a page: names, units, and columns in the tables that the engine fills."""

from collections.abc import Sequence
from typing import Any

from ....plant.elements.signal import Signal
from ...engine.indices import EXTERNAL_AT
from ...engine.observe import WIDTH
from ...results.mode_intervals import MODE_QUANTITY, SINCE
from ...results.quantities import QUANTITIES, XYZ, Columns
from ...results.signal_quantities import signal_quantities
from ...runs.drive import written_by
from ...runs.run_spec import RunSpec

OFFERED = (
    "attitude", "rate", "momentum", "inertial_momentum", "energy", "torque", "command", "command_wheels",
    "command_external", "attitude_error", "error_vector",
)  # fmt: skip
"""Quantities that are columns of a table of the run."""


def recorded_quantities(spec: RunSpec, signals: Sequence[tuple[str, Signal]]) -> list[dict[str, Any]]:
    """Return the quantities that a page can read from the tables of a run.

    Each quantity has `name`, `components` (empty for a scalar), `unit`, `words` (description), `held` (whether it is
    plotted as steps), `table` ("states", "inputs", "observables" or "signals") and `columns`. The sum of wheel and
    external command also has `plus`, the columns to add.
    """
    return [*_of_run(spec), *_of_elements(spec, signals), *_of_blocks(spec)]


def _of_run(spec: RunSpec) -> list[dict[str, Any]]:
    both, found = spec.craft.external is not None, list[dict[str, Any]]()
    for name in OFFERED:
        if (name in {"attitude_error", "error_vector"} and not spec.follows) or (
            name.startswith("command_") and not both
        ):
            continue
        quantity = QUANTITIES[name]
        read: Any = quantity.read
        assert isinstance(read, Columns)  # noqa: S101 # all offered quantities are
        which = read.which
        columns = [which] if isinstance(which, int) else list(range(which.start, which.stop))
        named = quantity.components
        if quantity.frame == "torque basis" and spec.craft.torques.sequence is None:
            named = XYZ
        each = _described(name, named, quantity.unit, quantity.words, held=quantity.held)
        found.append({**each, "table": read.table, "columns": columns})
        if name == "command" and both:
            found[-1]["plus"] = [EXTERNAL_AT + k for k in range(3)]
    return found


def _of_elements(spec: RunSpec, signals: Sequence[tuple[str, Signal]]) -> list[dict[str, Any]]:
    """Return the elements' signals in the output rows, without the extremes between rows."""
    return [
        {
            **_described(name, each.labels, each.unit, each.words),
            "table": "observables",
            "columns": [WIDTH + column for column in each.columns],
        }
        for name, each in signal_quantities(spec.craft.elements).items()
        if max(each.columns) < len(signals)
    ]


def _of_blocks(spec: RunSpec) -> list[dict[str, Any]]:
    return [
        {
            **_described(name, each.components, each.unit, each.words, held=True),
            "table": "signals",
            "columns": list(range(each.columns.start, each.columns.stop)),
        }
        for name, each in written_by(spec).items()
    ]


def _described(name: str, components: Sequence[str], unit: str, words: str, *, held: bool = False) -> dict[str, Any]:
    return {"name": name, "components": list(components), "unit": unit, "words": words, "held": held}


def mode_columns(spec: RunSpec) -> dict[str, int]:
    """Return the columns of the active mode and its entry time among the signals of a law with modes."""
    written = written_by(spec)
    return {"number": written[MODE_QUANTITY].columns.start, "since": written[SINCE].columns.start}
