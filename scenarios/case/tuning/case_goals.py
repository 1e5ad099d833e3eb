"""Convert the requirements of a case into tuning goals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ....controllers.designs.tuning import (
    Crossings,
    DecayRate,
    DiskPeaks,
    EstimateConsistency,
    Goal,
    SensitivityPeaks,
    Value,
    quadratic_cost,
)
from ....controllers.loop.analysis.disk_margins import ENDS
from ....controllers.loop.analysis.estimate_consistency import bias_covariances, consistency_ratios, reports_covariance
from ....controllers.loop.analysis.pointing_budget import budget_figures
from ....controllers.loop.robustness.measured import MEASURED, loop_margin
from ....plant.errors import InputError
from ...report.margin_metrics import MARGINS, band_gain
from ..kinds.modes import case_of_mode
from ..schema import Case, RequireTable
from ..schema.estimator import KalmanTable
from ..schema.run import BAND_GAIN

if TYPE_CHECKING:
    from ....controllers.loop.sampled_loop import SampledLoop

IN_DB = ("sensitivity_peak_dB", BAND_GAIN)  # metrics in dB, of which less is better
BUDGET, COST, PEAK = "_budget_deg", "quadratic_cost", "sensitivity_peak_dB"
CONSISTENCY = (0.8, 1.05)
"""Default band of actual over reported variance: the mean NEES of the attitude is then within 2.4 and 3.15.

A reported covariance that is too small misleads whoever fuses or gates with it, so that side has the closer bound."""
INSIDE = 1e-5  # relative distance inside the band that the search aims for, above its own tolerance
CROSSINGS = {"gain_margin_dB": "gain", "phase_margin_deg": "phase", "delay_margin_s": "delay"}


def measure_of(case: Case, metric: str) -> "Callable[[SampledLoop], float]":
    """Return the function that computes a metric of a loop by polhode's own analysis."""
    if metric == COST:
        table: Any = case.controller if case.tune is None or case.tune.cost is None else case.tune.cost
        weights = [getattr(table, f"{name}_weight", None) for name in ("attitude", "rate", "effort")]
        if any(each is None for each in weights):
            raise InputError(
                f'minimise = "quadratic_cost" needs weights, which the {table.kind} controller does not have; give '
                "tune.cost = { attitude_weight = .., rate_weight = .., effort_weight = .. }"
            )
        q, r, u = (np.asarray(each, dtype=np.float64) for each in weights)
        return lambda loop: quadratic_cost(loop, attitude=q, rate=r, effort=u)
    if metric.endswith(BUDGET):
        window = case.metrics.window_s
        if window is None:
            raise InputError(f"{metric} needs metrics.window_s, the averaging window of the errors; set it")
        name = metric.removesuffix(BUDGET)
        return lambda loop: float(np.degrees(budget_figures(loop, window=window)[name]))
    return lambda loop: loop_margin(loop, metric)


def goal_of(case: Case, metric: str, bound: float) -> Goal:
    """Return the goal for a metric: at least the bound for a margin, at most for a peak, budget or cost."""
    if metric in ENDS:
        return DiskPeaks(bound=bound, at=ENDS[metric])
    if metric == PEAK:
        return SensitivityPeaks(bound=bound)
    kind = CROSSINGS.get(metric.removeprefix("one_input_"))
    if kind is not None:
        return Crossings(bound=bound, kind=kind, one_input=metric.startswith("one_input_"))
    return Value(bound=bound, function=measure_of(case, metric), name=metric)


def goal_for(case: Case, each: RequireTable, bound: float) -> Goal:
    """Return the goal for a required margin or budget with a bound; see `goal_of`."""
    return band_gain(each, bound) if each.metric == BAND_GAIN else goal_of(case_in(case, each.mode), each.metric, bound)


def measure_for(case: Case, each: RequireTable) -> "Callable[[SampledLoop], float]":
    """Return the function that computes a required margin or budget for a loop of its mode."""
    if each.metric == BAND_GAIN:
        return band_gain(each, 0.0).measure
    return measure_of(case_in(case, each.mode), each.metric)


def case_in(case: Case, mode: str | None) -> Case:
    """Return the case of the loop in one mode; mode: None for a case without modes, which is returned unchanged."""
    return case if mode is None else case_of_mode(case, mode)


def hard_goals(case: Case) -> tuple[list[RequireTable], list[Goal]]:
    """Return the requirements on the linear loop, and a goal for each.

    Raises InputError if a requirement bounds a metric on the wrong side.
    """
    found = [each for each in case.require if each.metric in MARGINS]
    goals: list[Goal] = []
    for each in found:
        at_most = each.metric in IN_DB or each.metric.endswith(BUDGET)
        bound, other = (each.max, each.min) if at_most else (each.min, each.max)
        if bound is None or other is not None:
            side = "max" if at_most else "min"
            raise InputError(f"require: {each.metric} can be tuned to a {side} only; set a {side} and no other bound")
        if bound <= 0.0 and each.metric not in IN_DB:
            raise InputError(f"require: {each.metric} can be tuned to a positive bound only; got {bound:g}")
        goals.append(goal_for(case, each, bound))
    return found, goals


def soft_goals(case: Case, loop: "SampledLoop") -> tuple[str, list[Goal], float]:
    """Return the metric of the soft goal, its goals relative to the start, and its value at the start.

    case: for a case with modes, the case of the mode of the soft goal; loop: its loop at the start.
    """
    tune = case.tune
    metric = None if tune is None else (tune.minimise or tune.maximise)
    if tune is None or metric is None:
        return "", [], 0.0
    at_most = metric in (PEAK, COST) or metric.endswith(BUDGET)
    if at_most == (tune.minimise is None):
        side, key = ("small", "minimise") if at_most else ("large", "maximise")
        raise InputError(f"tune: a {side} {metric} is better; write {key} = {metric!r}")
    value = measure_of(case, metric)(loop)
    if not np.isfinite(value) or (value <= 0.0 and metric != PEAK):
        raise InputError(f"tune: {metric} is {value:g} at the start, which cannot be improved; use a different metric")
    goal = goal_of(case, metric, value)
    goal.every_model = False
    return metric, [goal], value


@dataclass(frozen=True, kw_only=True)
class TuneGoal:
    """A hard goal of `[tune]` itself, in addition to the requirements of the case.

    name: metric; mode: mode whose loop must meet the goal, None for a case without modes; bound: bound on the metric;
    at_most: whether the bound is an upper bound; goal: the tuning goal; measure: measure(loop) returns the metric.
    """

    name: str
    mode: str | None
    bound: float
    at_most: bool
    goal: Goal
    measure: "Callable[[SampledLoop], float]"


def goals_of_tune(case: Case, loops: "Mapping[str | None, SampledLoop]") -> list[TuneGoal]:
    """Return the hard goals of `[tune]`: the decay rate, and the consistency of an estimator with free keys.

    loops: loops in the search at the start, by mode. Each loop whose law reads its attitude from the estimator has its
    own consistency goals. Raises InputError if no loop does.
    """
    table, found = case.tune, list[TuneGoal]()
    if table is None:
        return found
    if table.decay_rate_1_s is not None:
        sample = loops[table.mode].sample
        found.append(
            TuneGoal(
                name="decay_rate_1_s",
                mode=table.mode,
                bound=table.decay_rate_1_s,
                at_most=False,
                goal=DecayRate(bound=table.decay_rate_1_s * (1.0 + INSIDE)),
                measure=lambda loop: -float(np.log(abs(loop.poles()[0]))) / sample,
            )
        )
    if table.frees_estimator and isinstance(case.estimator, KalmanTable):
        low, high = table.consistency or CONSISTENCY
        reading = [mode for mode, loop in loops.items() if mode is None or reports_covariance(loop)]
        if not reading:
            searched = ", ".join(str(each) for each in loops)
            raise InputError(
                "tune.free: keys of the estimator are free, but no law in the search reads its attitude from the "
                f"estimator (modes in the search: {searched or 'none'}); require a margin in a mode that does, or free "
                "keys of controllers only"
            )
        found += [
            TuneGoal(
                name=f"{'bias' if of_bias else 'estimate'}_variance_ratio_{'max' if upper else 'min'}",
                mode=mode,
                bound=bound,
                at_most=upper,
                goal=EstimateConsistency(
                    bound=bound * (1.0 - INSIDE if upper else 1.0 + INSIDE), upper=upper, of_bias=of_bias
                ),
                measure=partial(_extreme_ratio, upper=upper, of_bias=of_bias),
            )
            for mode in reading
            for of_bias in (False, True)
            if not of_bias or bias_covariances(loops[mode]) is not None
            for bound, upper in ((high, True), (low, False))
        ]
    return found


def _extreme_ratio(loop: "SampledLoop", *, upper: bool, of_bias: bool) -> float:
    ratios = consistency_ratios(loop, of_bias=of_bias)
    return float(ratios.max() if upper else ratios.min())


def required_of_loop(case: Case) -> set[str]:
    """Return the modes with a requirement on their loop, or with the soft goal; empty for a case without modes."""
    found = {each.mode for each in case.require if each.metric in MARGINS}
    found.add(None if case.tune is None else case.tune.mode)
    return {each for each in found if each is not None}


def required_of_run(case: Case) -> bool:
    """Return whether the case has requirements on the run, in addition to those on the linear loop."""
    return any(each.metric not in MARGINS for each in case.require)


assert set(MEASURED) <= set(MARGINS)  # noqa: S101 # every margin that a search measures can be required
