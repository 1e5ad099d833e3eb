"""Comparison of several kinds of law for one case: each law is designed, simulated and measured."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...controllers.contracts.law_defaults import with_defaults
from ...plant.errors import PolhodeError
from ..case.kinds.design import design_craft, design_model
from ..case.kinds.laws.twins import twin
from ..case.kinds.problem import build
from ..case.schema import Case
from ..case_run import fly, measure_as

if TYPE_CHECKING:
    from ...sim import Run

COLUMNS = ("settling_time_s", "overshoot_deg", "peak_torque_N_m", "effort_N2_m2_s", "final_attitude_error_deg")
"""Names of the compared metrics."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Entry:
    """One law of a comparison.

    method: kind of law.
    metrics: values of the metrics in `COLUMNS`; None for a metric without a value.
    margins: margins of the sampled loop as plain values; None if the design failed or the law has no margins.
    run: simulated run; None if there is none.
    reason: reason why the run or the margins are missing, or why the run ended early; empty otherwise.
    """

    method: str
    metrics: dict[str, float | None]
    margins: dict[str, Any] | None
    run: "Run | None"
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON: method, status, metrics, margins, reason."""
        status = None if self.run is None else self.run.status
        return {
            "method": self.method,
            "status": status,
            "metrics": self.metrics,
            "margins": self.margins,
            "reason": self.reason or None,
        }


def with_method(case: Case, method: str) -> Case:
    """Return the case with a different kind of law, tuned to the same natural frequency and damping ratio.

    case: a case with a controller; method: kind of law. If the law of the case is already of this kind, the case is
    returned unchanged. Raises InputError if the case has no controller, or the kind cannot be tuned this way.
    """
    from ...plant.errors import InputError

    if case.controller is None:
        raise InputError("the case has no [controller] whose tuning a different method could adopt")
    craft = design_craft(case, build(case, with_law=False).craft)
    table = twin(case.controller, method, craft.locked_inertia(craft.at_rest()))
    return case.model_copy(update={"controller": table})


def compare(case: Case, methods: Iterable[str], *, name: str) -> list[Entry]:
    """Design, simulate and measure a case under several laws.

    case: a case with a controller; every law is tuned to the natural frequency and damping ratio of this controller.
    methods: kinds of law.
    name: name of the case, for the progress bar.
    Returns one entry per method, in the same order. If a design fails, the entry has a reason in place of values.
    Raises InputError if a method is unknown.
    """
    return [_one(with_method(case, method), method, name=name) for method in methods]


def _one(case: Case, method: str, *, name: str) -> Entry:
    blank: dict[str, float | None] = dict.fromkeys(COLUMNS)
    try:
        problem = build(case)
        assert problem.law is not None  # noqa: S101 # the case has a controller
        margins = with_defaults(problem.law).margins(design_model(case, problem.craft), blocks=problem.blocks).to_dict()
    except PolhodeError as error:
        return Entry(method=method, metrics=blank, margins=None, run=None, reason=str(error))
    margins.pop("closed_loop_poles")
    run = fly(problem, name=f"{name} ({method})")
    measured = measure_as(case, run)
    metrics = {key: measured[key].value for key in COLUMNS}
    return Entry(method=method, metrics=metrics, margins=margins, run=run, reason=run.reason)


def smallest(entry: Entry, key: str) -> float | None:
    """Return the smallest value of a margin: for each input separately, and for all inputs together.

    entry: a law of the comparison; key: key of a margin of one axis, such as "gain_up_dB". Returns None if there are
    no margins, or if the margin is unlimited for every input.
    """
    if entry.margins is None:
        return None
    values: Sequence[float | None] = [one.get(key) for one in (*entry.margins["axes"], entry.margins["all_inputs"])]
    found = [value for value in values if value is not None]
    return min(found) if found else None
