"""Comparison of several laws on one case: each is designed, simulated and measured."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...controllers.contracts.law import asked
from ...plant.errors import PolhodeError
from ..case.kinds.design import design_craft, design_model
from ..case.kinds.laws.twins import twin
from ..case.kinds.problem import build
from ..case.schema import Case
from ..case_run import fly, measure_as

if TYPE_CHECKING:
    from ...sim import Run

COLUMNS = ("settling_time_s", "overshoot_deg", "peak_torque_N_m", "effort_N2_m2_s", "final_attitude_error_deg")
"""Metrics of the comparison."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Entry:
    """One law of a comparison.

    method: the kind of law.
    metrics: values of the metrics in `COLUMNS`; None for a metric without a value.
    margins: margins of the sampled loop as plain numbers; None when the design failed or the law has no margins.
    run: the simulated run; None when there is none.
    reason: reason for a missing run or missing margins; empty otherwise.
    """

    method: str
    metrics: dict[str, float | None]
    margins: dict[str, Any] | None
    run: "Run | None"
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON.

        -> method, status, metrics, margins, reason.
        """
        status = None if self.run is None else self.run.status
        return {
            "method": self.method,
            "status": status,
            "metrics": self.metrics,
            "margins": self.margins,
            "reason": self.reason or None,
        }


def with_method(case: Case, method: str) -> Case:
    """Return the case with another kind of law, tuned to the same natural frequency and damping ratio.

    case: a case with a controller; method: the kind of law -> the same case when its law is already of that kind.
    Raises InputError
    when the case has no controller, or the kind has no such tuning.
    """
    from ...plant.errors import InputError

    if case.controller is None:
        raise InputError("the case has no [controller] whose tuning another method could adopt")
    craft = design_craft(case, build(case, with_law=False).craft)
    table = twin(case.controller, method, craft.locked_inertia(craft.at_rest()))
    return case.model_copy(update={"controller": table})


def compare(case: Case, methods: Iterable[str], *, name: str) -> list[Entry]:
    """Design, simulate and measure a case under several laws.

    case: a case with a controller; the others are tuned to its natural frequency and damping ratio.
    methods: kinds of law.
    name: the case's name, for the progress bar.
    Returns one entry per method, in the same order. A law whose design fails has a reason in place of numbers.
    Raises InputError when a method is unknown.
    """
    return [_one(with_method(case, method), method, name=name) for method in methods]


def _one(case: Case, method: str, *, name: str) -> Entry:
    blank: dict[str, float | None] = dict.fromkeys(COLUMNS)
    try:
        problem = build(case)
        assert problem.law is not None  # noqa: S101 # the case has a controller
        margins = asked(problem.law).margins(design_model(case, problem.craft), blocks=problem.blocks).to_dict()
    except PolhodeError as error:
        return Entry(method=method, metrics=blank, margins=None, run=None, reason=str(error))
    margins.pop("closed_loop_poles")
    run = fly(problem, name=f"{name} ({method})")
    measured = measure_as(case, run)
    metrics = {key: measured[key].value for key in COLUMNS}
    return Entry(method=method, metrics=metrics, margins=margins, run=run, reason=run.reason)


def smallest(entry: Entry, key: str) -> float | None:
    """Return the smallest value of a margin over each input alone and all inputs together.

    entry: a law of the comparison; key: a key of the margins of an axis, such as "gain_up_dB" -> None without margins,
    or when the margin is unlimited on every axis.
    """
    if entry.margins is None:
        return None
    values: Sequence[float | None] = [one.get(key) for one in (*entry.margins["axes"], entry.margins["all_inputs"])]
    found = [value for value in values if value is not None]
    return min(found) if found else None
