"""Worst-case spacecraft within the dispersions of a case, and a margin or budget guaranteed for all."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import degrees, inf, isfinite, isnan, radians
from pathlib import Path
from typing import Any

import numpy as np

from ....controllers import (
    RobustBudgetBound,
    RobustMarginBound,
    loop_margin,
    robust_budget_bound,
    robust_margin_bound,
)
from ....controllers.contracts.law_defaults import with_defaults
from ....controllers.loop.analysis.pointing_budget import budget_figures
from ....controllers.loop.robustness.measured import MEASURED
from ....controllers.loop.robustness.noise_family import ERRORS
from ....controllers.loop.robustness.shapes import SHAPES
from ....controllers.loop.sampled_loop import SampledLoop
from ....plant.checks import choice
from ....plant.errors import DesignError, InputError, PolhodeError
from ....sim.runs.campaigns import Correlated, Distribution, Draw, WorstCase, worst_case
from ....sim.runs.campaigns.worst_case import values_within
from ...report.margin_metrics import band_gain
from ...report.progress import part_of
from ..kinds.design import design_model, design_plant, taken_as
from ..kinds.formulations import require_linear
from ..kinds.modes import mode_alone
from ..kinds.problem import Problem
from ..loader import LoadedCase, load_case
from ..located import located
from ..schema import Case, RequireTable
from ..schema.run import BAND_GAIN
from .dispersions import correlated_of, dispersions_of, keys_to_set, numbers_of, value_at
from .flyer import NOMINAL, CaseFlyer

APART = 1e-12  # relative difference below which two loop matrices are equal
ROUNDING = 1e-6  # relative rounding error of a budget: a bound may be this much below the worst error found
BUDGET = "_budget_deg"
BUDGETS = tuple(f"{name}{BUDGET}" for name in ("ape", "mpe", "rpe", "ake", "mke", "rke"))
BOUNDED = tuple(f"{name}{BUDGET}" for name in ERRORS)
"""Budgets with a guaranteed bound."""
LINEAR = (*MEASURED, *BUDGETS)
"""Metrics of the linear loop, whose worst case needs no run and no requirement."""
WITHIN = {True: 0.05, False: 0.02}  # default relative distance from the worst value; key: whether it is a budget


@dataclass(frozen=True, eq=False, kw_only=True)
class WorstCraft:
    """Worst-case spacecraft and guaranteed margin or budget.

    Attributes
    ----------
    loaded : LoadedCase
        The case.
    metric : str
        Name of the minimised or maximised metric: a margin or budget of the loop, or a metric of the run.
    search : WorstCase
        Result of the search for the worst case.
    guarantee : RobustMarginBound, RobustBudgetBound or None
        Margin or error guaranteed for every spacecraft within the same bounds.
    no_guarantee : str
        Reason why no value is guaranteed; empty otherwise.
    unfelt : tuple of str
        Dispersed keys that do not affect the loop.
    taken_as : str
        Simplification of the spacecraft in the loop, such as rigid arms; empty if there is none.
    mode : str or None
        Mode whose loop is analysed, for a case with `[[modes]]`.
    """

    loaded: LoadedCase
    metric: str
    search: WorstCase
    guarantee: RobustMarginBound | RobustBudgetBound | None
    no_guarantee: str
    unfelt: tuple[str, ...]
    taken_as: str = ""
    mode: str | None = None

    @property
    def name(self) -> str:
        """Name of the metric in the case."""
        return self.metric if self.mode is None else f"{self.metric} in mode {self.mode}"

    @property
    def is_linear(self) -> bool:
        """True if the metric is a margin or budget of the linear loop; False if it is a metric of the run."""
        return is_linear(self.metric)

    @property
    def proven(self) -> float | None:
        """Guaranteed value in the unit of the metric; None if there is none."""
        value = None if self.guarantee is None else self.guarantee.value
        return degrees(value) if value is not None and self.metric in BUDGETS else value

    @property
    def required(self) -> float | None:
        """Required bound on the metric, on the side of the worst case; None if there is no requirement."""
        for each in self.loaded.case.require:
            if each.key == self.name:
                return each.max if self.search.largest else each.min
        return None

    @property
    def meets(self) -> bool:
        """True if the worst case is stable and meets the requirement of the case."""
        bound, value = self.required, self.search.value
        return not self.search.lost and (bound is None or (value <= bound if self.search.largest else value >= bound))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, with None for an unlimited value.

        Returns
        -------
        dict
            The worst value of all spacecraft within the dispersions is between `guaranteed` and `worst`.
        """
        s, proven = self.search, self.proven
        return {
            "case": self.loaded.name,
            "metric": self.metric,
            "mode": self.mode,
            "nominal": _number(s.nominal),
            "worst": {
                "value": _number(s.value),
                "lost": s.lost,
                "values": numbers_of(s.values),
                "set": set_words(self.loaded, s.values),
            },
            "guaranteed": None if self.guarantee is None else self.guarantee.to_dict(),
            "no_guarantee": self.no_guarantee or None,
            "proven": proven,
            "gap": None if proven is None else abs(s.value - proven),
            "required": self.required,
            "meets": self.meets,
            "tried": len(s.measured),
            "refused": s.refused,
            "reason": s.reason or None,
            "seed": s.seed,
            "sigmas": s.sigmas,
            "cut": list(s.cut),
            "unfelt": list(self.unfelt),
            "taken_as": self.taken_as or None,
        }


def is_linear(metric: str) -> bool:
    """Return whether a metric, such as "phase_margin_deg" or a gain with its band, is one of the linear loop."""
    return metric in LINEAR or metric.partition(" ")[0] == BAND_GAIN


def find_worst(
    name_or_path: str | Path | LoadedCase,
    metric: str,
    *,
    mode: str | None = None,
    seed: int | None = None,
    sigmas: float = 3.0,
    starts: int = 64,
    boxes: int = 64,
    within: float | None = None,
    requested: float | None = None,
    all_or_nothing: bool = False,
    overrides: Iterable[str] = (),
    progress: Callable[[float], None] | None = None,
) -> WorstCraft:
    """Find the worst-case spacecraft within the dispersions of a case, and a guaranteed margin or budget.

    Parameters
    ----------
    name_or_path : str, path or LoadedCase
        A shipped name, or the path of a TOML file; see `load_case`.
    metric : str
        A margin of the loop such as "disk_margin_all", of which the smallest value is the worst; a budget such as
        "ape_budget_deg", of which the largest value is the worst; "gain_in_band_dB", whose band is that of its
        requirement (with several bands, name one as the results do: "gain_in_band_dB of loop from 4 to 30 rad/s"); or a
        metric of the run in `[[require]]`, whose worst value is the one furthest beyond the bound.
    mode : str, optional
        Mode whose loop the margin belongs to, for a case with `[[modes]]`.
    seed : int, optional
        Seed of the search; by default the seed in `[campaign]`.
    sigmas : float
        Truncation of unbounded distributions such as the normal, in standard deviations.
    starts : int
        Number of initial Sobol points in addition to the corners: a power of 2.
    boxes, within : int, float
        Settings for the guaranteed value; see `controllers.robust_margin_bound` and `controllers.robust_budget_bound`.
        If `boxes` is 0, none is computed. The default of `within` is 0.02 for a margin and 0.05 for a budget.
    requested : float, optional
        Value to guarantee, such as a requirement, in the unit of the metric. If the worst value found misses it, no
        guaranteed value is computed. By default, the guaranteed value is within the fraction `within` of the worst
        value found.
    all_or_nothing : bool
        Whether to establish no smaller margin if the requested value cannot be guaranteed; this is faster.
    overrides : iterable of str
        ``key.path=value``, applied to the case before the dispersions.
    progress : callable, optional
        Called with the estimated completed fraction of the work.

    Returns
    -------
    WorstCraft
        The worst case, and the guaranteed value or the reason why there is none.

    Raises
    ------
    InputError
        If the case is invalid or has no dispersions, or if no dispersion affects the metric.

    Examples
    --------
    >>> off = "{'plant.inertia_kg_m2.0.0' = {sigma = 20}, 'controller.torque_limit_N_m' = {sigma = 0.1}}"
    >>> found = find_worst("slew-lqr", "disk_margin_inputs", starts=1, overrides=[f"dispersions={off}"])
    >>> found.guarantee.value < found.search.value < found.search.nominal
    True
    >>> found.unfelt
    ('controller.torque_limit_N_m',)
    """
    loaded = name_or_path if isinstance(name_or_path, LoadedCase) else load_case(name_or_path, overrides)
    with located(loaded.source):
        if not loaded.case.dispersions:
            raise InputError(
                'the case has no [dispersions]; give some, such as "plant.mass_kg" = { relative_sigma = 0.05 }'
            )
        dispersions, groups = dispersions_of(loaded.case), correlated_of(loaded.case)
        flyer = CaseFlyer(loaded, dispersions)
        options: dict[str, Any] = {
            "correlated": groups,
            "sigmas": sigmas,
            "starts": starts,
            "seed": loaded.case.campaign.seed if seed is None else seed,
            "progress": part_of(progress, 0.0, 0.5),
        }
        if not is_linear(metric):
            if mode is not None:
                raise InputError(f"{metric} is a metric of the whole run, not of one mode; omit mode = {mode!r}")
            return _of_run(flyer, metric, options)
        loops = _Loops(flyer, mode, noisy=metric in BUDGETS)
        band = _band(loaded.case, metric, mode) if metric not in LINEAR else None
        metric = metric if band is None else band.name
        measure = _measure(loaded.case, metric) if band is None else band_gain(band, 0.0).measure
        felt = loops.felt(groups)
        unfelt = tuple(key for key in dispersions if key not in felt)
        nominal = {key: value_at(loaded.case, key) for key in felt}
        nominal = {key: value for key, value in nominal.items() if value is not None}
        search = worst_case(
            lambda draw: measure(loops.at(draw.values)),
            felt,
            nominal=nominal,
            largest=band is not None or metric in BUDGETS or metric == "sensitivity_peak_dB",
            **options,
        )
        guarantee, why = None, _no_guarantee(metric, search, felt, boxes)
        if (
            not why
            and requested is not None
            and (search.value > requested if search.largest else search.value < requested)
        ):
            why = f"the worst {metric} found, {search.value:.6g}, misses the value to guarantee, {requested:.6g}"
        if not why:

            def loop_at(x: tuple[float, ...]) -> SampledLoop:
                return loops.at(values_within(felt, groups, np.array(x), sigmas))

            try:
                guarantee = _bound(
                    loop_at,
                    metric,
                    search,
                    within=WITHIN[metric in BUDGETS] if within is None else within,
                    requested=requested,
                    all_or_nothing=all_or_nothing,
                    boxes=boxes,
                    progress=part_of(progress, 0.5, 1.0),
                )
            except PolhodeError as error:
                why = str(error)
    return WorstCraft(
        loaded=loaded,
        metric=metric,
        search=search,
        guarantee=guarantee,
        no_guarantee=why,
        unfelt=unfelt,
        taken_as=loops.taken_as,
        mode=mode,
    )


def _band(case: Case, metric: str, mode: str | None) -> RequireTable:
    """Return the requirement on a gain in a band that a metric names, with or without the band."""
    found = [each for each in case.require if each.metric == BAND_GAIN and each.mode == mode]
    if metric == BAND_GAIN and len(found) == 1:
        return found[0]
    if not found:
        where = "" if mode is None else f" in mode {mode}"
        raise InputError(
            f"{BAND_GAIN} has a band, response and bound only in a [[require]], but the case requires none{where}; add "
            "one with from_rad_s, to_rad_s and max"
        )
    name = choice("worst", metric, tuple(dict.fromkeys(each.name for each in found)))
    return next(each for each in found if each.name == name)


def _measure(case: Case, metric: str) -> Callable[[SampledLoop], float]:
    """Return the function that computes a metric of a loop; a budget of an unstable loop is infinite."""
    if metric not in BUDGETS:
        return lambda loop: loop_margin(loop, metric)
    window = case.metrics.window_s
    if window is None:
        raise InputError(f"{metric} needs metrics.window_s, over which mean errors are taken; give it")
    name = metric.removesuffix(BUDGET)
    return lambda loop: degrees(budget_figures(loop, window=window)[name]) if loop.stable else inf


def _bound(
    loop_at: Callable[[tuple[float, ...]], SampledLoop],
    metric: str,
    search: WorstCase,
    *,
    within: float,
    requested: float | None,
    all_or_nothing: bool,
    boxes: int,
    progress: Callable[[float], None] | None,
) -> RobustMarginBound | RobustBudgetBound:
    """Return the bound on a margin or budget that holds for every loop."""
    numbers = search.place.size
    if metric not in BUDGETS:
        return robust_margin_bound(
            loop_at,
            numbers=numbers,
            margin=metric,
            found=search.value,
            within=within,
            requested=requested,
            all_or_nothing=all_or_nothing,
            boxes=boxes,
            progress=progress,
        )
    found = robust_budget_bound(
        loop_at,
        numbers=numbers,
        error=metric.removesuffix(BUDGET),
        found=radians(search.value),
        within=within,
        requested=None if requested is None else radians(requested),
        boxes=boxes,
        progress=progress,
    )
    if found.value is not None and degrees(found.value) < search.value * (1.0 - ROUNDING):
        raise DesignError(
            f"the bound of {degrees(found.value):.6g} deg is below the worst error found, {search.value:.6g} deg, so "
            "the model of the loops misses something; omit one dispersion after the other to see which"
        )
    return found


class _Loops:
    """Loops of a case as a function of the dispersed values."""

    def __init__(self, flyer: CaseFlyer, mode: str | None, *, noisy: bool = False) -> None:
        self.flyer, self.mode, self.noisy = flyer, mode, noisy
        whole = flyer.loaded.case
        require_linear(whole)
        if whole.modes and mode is None:
            names = ", ".join(each.name for each in whole.modes)
            raise InputError(f"the case has [[modes]], each with its own loop; select one with --mode: {names}")
        case, problem = self._alone(whole, flyer.nominal)
        if problem.law is None:
            raise InputError("the case has no [controller], so there is no loop whose margin could be small")
        if with_defaults(problem.law).no_margins:
            raise DesignError(with_defaults(problem.law).no_margins)
        self.taken_as = taken_as(case, problem.craft, design_plant(case, problem.craft)[0])

    def _alone(self, case: Case, problem: Problem) -> tuple[Case, Problem]:
        """Return the case and its objects with the law of the selected mode only."""
        return (case, problem) if self.mode is None else mode_alone(case, problem, self.mode)

    def at(self, values: Mapping[str, Any]) -> SampledLoop:
        """Return the loop of the spacecraft with these values under the nominal law."""
        loaded, whole = self.flyer.problem(Draw(run=0, seed=0, values=values), "the craft")
        case, problem = self._alone(loaded.case, whole)
        assert problem.law is not None  # noqa: S101 # the nominal case has a law
        return with_defaults(problem.law).loop(design_model(case, problem.craft), blocks=problem.blocks)

    def felt(self, groups: Iterable[Correlated]) -> dict[str, Distribution]:
        """Return the dispersions that change the loop, or are correlated with a dispersion that does."""
        every = self.flyer.dispersions
        still = self.at({})
        radius = float(abs(still.poles()[0]))
        if not still.stable:
            raise DesignError(
                f"the loop of the nominal spacecraft is not stable (a pole of modulus {radius:.6g}), so it has no "
                f"{'budget' if self.noisy else 'margins to reduce'}; see polhode analyse"
            )
        moved = {key for key, each in every.items() if self._moves(still, key, each)}
        for group in groups:
            if moved.intersection(group.names):
                moved.update(group.names)
        if not moved:
            raise InputError(
                f"the dispersed keys ({', '.join(every)}) do not affect the loop, so its "
                f"{'budget is that' if self.noisy else 'margins are those'} of the nominal spacecraft; disperse a key "
                "that affects the loop, such as plant.inertia_kg_m2"
            )
        return {key: each for key, each in every.items() if key in moved}

    def _moves(self, still: SampledLoop, key: str, distribution: Distribution) -> bool:
        for share in (0.3, 0.45, 0.7):
            try:
                here = self.at({key: distribution.value(np.full(distribution.uniforms, share))})
            except InputError:
                return True  # an invalid value counts as an effect on the loop
            pairs = zip(self._matrices(still), self._matrices(here.in_units_of(still.scale)), strict=True)
            if any(a.shape != b.shape or float(np.abs(a - b).max()) > APART * np.abs(a).max() for a, b in pairs):
                return True
        return False

    def _matrices(self, loop: SampledLoop) -> Sequence[Any]:
        """Return all matrices of a loop, for comparison with another loop."""
        if self.noisy:
            system = loop.noise_system(np.zeros(3))
            return system.F, system.G, system.C, system.D
        return loop.matrices() if loop.repeats == 1 else loop.lifted_cut()


def _no_guarantee(metric: str, search: WorstCase, felt: Mapping[str, Distribution], boxes: int) -> str:
    """Return the reason why no margin can be guaranteed; empty if one can be computed."""
    if boxes == 0:
        return "none was requested"
    if search.lost:
        return "the loop of the worst spacecraft is not stable"
    if metric not in (*SHAPES, *BOUNDED):
        return f"no bound on {metric} can be guaranteed; only on {', '.join((*SHAPES, *BOUNDED))}"
    if not isfinite(search.value):
        return f"the {'error' if metric in BUDGETS else 'margin'} found is unlimited"
    steps = [key for key, each in felt.items() if each.is_discrete]
    if steps:
        return f"{steps[0]} has discrete values only; search with each value separately"
    return ""


def _of_run(flyer: CaseFlyer, metric: str, options: dict[str, Any]) -> WorstCraft:
    """Search for the worst case of a metric of the run."""
    loaded = flyer.loaded
    bounds = next((each for each in loaded.case.require if each.metric == metric), None)
    required = (*LINEAR, *(each.metric for each in loaded.case.require))
    if bounds is None:
        choice("worst", metric, tuple(dict.fromkeys(required)))
    assert bounds is not None  # noqa: S101 # `choice` has raised otherwise
    if bounds.mode is not None or (bounds.min is not None and bounds.max is not None):
        raise InputError(f"{metric} is required on both sides, or in one mode, so the worst side is undefined")
    flyer.require_reach()
    largest = bounds.max is not None

    def measure(draw: Draw) -> float:
        value = flyer(draw).metrics[metric]
        return (inf if largest else -inf) if isnan(value) else value  # a missing value violates the requirement

    case = loaded.case
    nominal = {key: value_at(case, key) for key in flyer.dispersions}
    nominal = {key: value for key, value in nominal.items() if value is not None}
    search = worst_case(measure, flyer.dispersions, nominal=nominal, largest=largest, **options)
    why = f"{metric} is a metric of the nonlinear run; only {', '.join((*SHAPES, *BOUNDED))} have a guaranteed bound"
    return WorstCraft(loaded=loaded, metric=metric, search=search, guarantee=None, no_guarantee=why, unfelt=())


def set_words(loaded: LoadedCase, values: Mapping[str, Any]) -> list[str]:
    """Return the ``--set`` arguments that reproduce a case with dispersed values and the nominal law."""
    document, found = loaded.document, list[str]()
    if "controller" in document:
        known = document.get("nominal", {})
        if (
            "plant" in known
            and loaded.case.assumed is loaded.case.plant
            and any(k.startswith("plant.") for k in values)
        ):
            found.append(f"nominal.actuators={inline_toml(document['plant'])}")
        moved = sorted({key.partition(".")[0] for key in values}.intersection(NOMINAL))
        found += [
            f"nominal.{name}={inline_toml(document[name])}" for name in moved if name in document and name not in known
        ]
    return [*found, *(f"{key}={inline_toml(value)}" for key, value in keys_to_set(values).items())]


def inline_toml(value: Any) -> str:
    """Return a value as one line of TOML."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {inline_toml(entry)}" for key, entry in value.items()) + "}"  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list | tuple):
        return "[" + ", ".join(inline_toml(entry) for entry in value) + "]"  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    return repr(value)


def _number(value: float) -> float | None:
    return float(value) if isfinite(value) else None
