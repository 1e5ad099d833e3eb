"""Margin metrics of the sampled loop about the reference of the case, for requirements.

`MARGIN_WORDS` states what each one is.

A computer delay acts on every input, and an inertia error changes all gains. If axes are coupled, for example about a
spin, the margin against changes of all inputs together is smaller than the margin of a single input. Metrics without
`one_input` in their name cover both cases.

A loop may tolerate large changes at its inputs but only small changes at a sensor, so each disk margin names its
location. To cover errors of actuators and sensors that occur together, require `disk_margin_all`. When blocks are
slower than the law, all margins follow from the poles over one common period: see `SampledLoop.periodic`. If the
parameter of a gain schedule changes in the run, each metric is the worst over loops with the parameter held.
"""

from collections.abc import Collection, Sequence
from math import degrees, isfinite, isnan, nan
from typing import TYPE_CHECKING, Any

from ...plant.errors import InputError, PolhodeError
from ..case.schema import Case, RequireTable
from ..case.schema.run import BAND_GAIN, MARGINS
from .metrics import Metric

if TYPE_CHECKING:
    from ...controllers import Block, LoopAnalysis
    from ...controllers.designs.tuning import BandGain
    from ...controllers.loop.sampled_loop import SampledLoop
    from ...plant import Spacecraft

BUDGET = "_budget_deg"


def margin_metrics(analysis: "LoopAnalysis") -> dict[str, Metric]:
    """Return the margins of an analysed loop as metrics, by name.

    An unlimited margin is infinite and so meets every minimum.
    """
    from ...controllers.loop.analysis.disk_margins import ENDS

    every, found = analysis.margins, analysis.margins.smallest()
    for name, disk in zip(ENDS, (analysis.disk_input, analysis.disk_output, analysis.disk_both), strict=True):
        found[name] = nan if disk is None else disk.simultaneous.alpha
    found["sensitivity_peak_dB"] = nan if analysis.sensitivity is None else analysis.sensitivity.peak_dB
    return {name: _metric(found[name], every.periodic) for name in sorted(found)}


def _metric(value: float, periodic: str) -> Metric:
    """Return a margin as a metric; if a periodic loop has no such margin, the metric has only a reason."""
    return Metric(None, periodic) if isnan(value) else Metric(value)


def required_margins(case: Case, craft: "Spacecraft", law: Any, blocks: "Sequence[Block]" = ()) -> dict[str, Metric]:
    """Return the required margins of the loop of a case.

    Returns a `Metric` by name. If there is no loop, each has a reason and no value.
    """
    if not case.modes:
        return _required(case, craft, law, blocks)
    from ..case.kinds.modes import case_of_mode

    found: dict[str, Metric] = {}
    for mode in dict.fromkeys(each.mode for each in case.require if each.mode is not None):
        alone, beside = law.alone(mode, blocks)
        metrics = _required(case_of_mode(case, mode), law.mode(mode).flown_on(craft), alone, beside)
        found |= {f"{name} in mode {mode}": metric for name, metric in metrics.items()}
    return found


def _required(case: Case, craft: "Spacecraft", law: Any, blocks: "Sequence[Block]") -> dict[str, Metric]:
    """Return the required margins of the loop of one law."""
    bands = [each for each in case.require if each.metric == BAND_GAIN]
    wanted = ({requirement.metric for requirement in case.require} & set(MARGINS)) - {BAND_GAIN}
    wanted |= {each.name for each in bands}
    if not wanted:
        return {}
    from ...controllers.contracts.law_defaults import with_defaults
    from ..case.kinds.formulations import require_linear

    try:
        require_linear(case)
    except InputError as error:
        return dict.fromkeys(sorted(wanted), Metric(None, str(error)))
    if law is None:
        return dict.fromkeys(sorted(wanted), Metric(None, "the case has no [controller]"))
    if with_defaults(law).no_margins:
        return dict.fromkeys(sorted(wanted), Metric(None, with_defaults(law).no_margins))
    every = with_defaults(law).frozen_over(case.run.duration_s)
    found = _of_law(case, craft, every[0], blocks, wanted, bands)
    for frozen in every[1:]:
        other = _of_law(case, craft, frozen, blocks, wanted, bands)
        found = {name: _worst(name, metric, other[name]) for name, metric in found.items()}
    return {name: found[name] for name in sorted(wanted)}


def _worst(name: str, one: Metric, other: Metric) -> Metric:
    """Return the worse value of a metric in two loops; a loop without a value is the worst."""
    if one.value is None or other.value is None:
        return one if one.value is None else other
    is_error = name.endswith(BUDGET) or name == "sensitivity_peak_dB" or name.startswith(BAND_GAIN)
    return max(one, other, key=lambda each: (each.value or 0.0) if is_error else -(each.value or 0.0))


def _of_law(
    case: Case, craft: "Spacecraft", law: Any, blocks: "Sequence[Block]", wanted: set[str], bands: list[RequireTable]
) -> dict[str, Metric]:
    """Return the required margins, budgets and gains of the loop of one law with constant gains."""
    from ...controllers.loop.shared_loop import shared_loop
    from ..case.kinds.design import design_model

    budgets = {name for name in wanted if name.endswith(BUDGET)}
    found: dict[str, Metric] = {}
    try:
        loop = shared_loop(craft, law, design_model(case, craft), blocks)
    except PolhodeError as error:
        return dict.fromkeys(sorted(wanted), Metric(None, str(error)))
    margins = wanted - budgets - {each.name for each in bands}
    for names, of in ((budgets, _budgets), (margins, _margins)):
        if names:
            try:
                found |= of(case, loop, names)
            except PolhodeError as error:
                found |= dict.fromkeys(names, Metric(None, str(error)))
    for each in bands:
        try:
            found[each.name] = Metric(band_gain(each, 0.0).measure(loop))
        except PolhodeError as error:
            found[each.name] = Metric(None, str(error))
    return found


def band_gain(each: RequireTable, bound: float) -> "BandGain":
    """Return the goal of a required gain in a frequency band; bound: dB."""
    from ...controllers.designs.tuning import BandGain

    assert each.from_rad_s is not None  # noqa: S101 # the schema checks it
    assert each.to_rad_s is not None  # noqa: S101
    return BandGain(bound=bound, band=(each.from_rad_s, each.to_rad_s), response=each.response or "loop")


def _margins(case: Case, loop: "SampledLoop", wanted: Collection[str]) -> dict[str, Metric]:
    """Compute only the required margins of the loop, since disk margins take a long time."""
    from ...controllers import disk_margins, open_loop, sensitivity_peaks
    from ...controllers.loop.analysis.disk_margins import ENDS
    from ...controllers.loop.margin_search import SMALLEST, smallest_margins

    del case
    peak = "sensitivity_peak_dB"
    found: dict[str, float] = {}
    for name in (peak, *ENDS):
        if name in wanted:
            opened = open_loop(loop, ENDS.get(name, "input"))
            if opened.too_many:
                found[name] = nan
            elif name == peak:
                found[name] = sensitivity_peaks(opened)[0].peak_dB
            else:
                found[name] = disk_margins(opened).simultaneous.alpha
    of_loop = set(wanted) & set(SMALLEST)
    if of_loop:
        found |= smallest_margins(loop, of_loop)
    return {name: _metric(value, loop.periodic) for name, value in found.items()}


def _budgets(case: Case, loop: "SampledLoop", wanted: Collection[str]) -> dict[str, Metric]:
    from ...controllers.loop.analysis.pointing_budget import budget_figures

    del wanted
    if case.metrics.window_s is None:
        raise InputError("the case has no metrics.window_s, the averaging window of the errors")
    return {
        f"{name}_budget_deg": Metric(degrees(value)) if isfinite(value) else Metric(None, "it grows without bound")
        for name, value in budget_figures(loop, window=case.metrics.window_s).items()
    }
