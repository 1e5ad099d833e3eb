"""Margins that a case may require, of the sampled loop about the case's reference.

==========================  ================================================================================
gain_margin_dB              smallest change of gain, up or down, of all plant inputs together or of any alone
phase_margin_deg            smallest shift of phase, of all plant inputs together or of any alone
delay_margin_s              smallest further delay, of all plant inputs together or of any alone
one_input_gain_margin_dB    the same of one input at a time, the others as designed
one_input_phase_margin_deg  the same of one input at a time
one_input_delay_margin_s    the same of one input at a time
disk_margin                 alpha for independent factors at all plant inputs at once
sensitivity_peak_dB         largest singular value of S at the plant input
ape_budget_deg              what the linear model says of ape_deg, over all runs; so mpe_, rpe_, ake_, mke_, rke_
==========================  ================================================================================

A late computer delays every input, and a wrong inertia changes the gain of all: where the axes are coupled, as about
a spin, that is lost sooner than with one input alone. The names without `one_input` hold against both.
"""

from collections.abc import Collection, Sequence
from math import degrees, isfinite, isnan, nan
from typing import TYPE_CHECKING, Any

from ...plant.errors import InputError, PolhodeError
from ..case.schema import Case
from ..case.schema.run import MARGINS
from .metrics import Metric

if TYPE_CHECKING:
    from ...controllers import Block, LoopAnalysis, Margins
    from ...plant import LinearModel, Spacecraft

__all__ = ["MARGINS", "margin_metrics", "required_margins"]

BUDGET = "_budget_deg"


def margin_metrics(analysis: "LoopAnalysis") -> dict[str, Metric]:
    """Return the margins as metrics.

    From name to `Metric`; an unlimited margin has the value infinity, which meets every minimum.
    """
    every = analysis.margins
    if every.periodic:
        return _periodic_metrics(every)
    assert analysis.disk_input is not None and analysis.sensitivity is not None  # noqa: S101,PT018 # it is not periodic
    disk, peak = analysis.disk_input.simultaneous.alpha, analysis.sensitivity.peak_dB
    found = {**every.smallest(), "disk_margin": disk, "sensitivity_peak_dB": peak}
    return {name: Metric(found[name]) for name in sorted(found)}


def _periodic_metrics(every: "Margins") -> dict[str, Metric]:
    """Those of a loop that has gain and delay margins only."""
    found = every.smallest()
    return {
        name: Metric(None, every.periodic) if isnan(found.get(name, nan)) else Metric(found[name])
        for name in MARGINS
        if not name.endswith(BUDGET)
    }


def required_margins(case: Case, craft: "Spacecraft", law: Any, blocks: "Sequence[Block]" = ()) -> dict[str, Metric]:
    """Return the margins of a case's loop, if the case requires one.

    From name to `Metric`, of the required ones; without value and with the reason where there is no loop.
    """
    if not case.modes:
        return _required(case, craft, law, blocks)
    from ..objects.modes import case_of_mode

    found: dict[str, Metric] = {}
    for mode in dict.fromkeys(each.mode for each in case.require if each.mode is not None):
        alone, beside = law.alone(mode, blocks)
        metrics = _required(case_of_mode(case, mode), law.mode(mode).flown_on(craft), alone, beside)
        found |= {f"{name} in mode {mode}": metric for name, metric in metrics.items()}
    return found


def _required(case: Case, craft: "Spacecraft", law: Any, blocks: "Sequence[Block]") -> dict[str, Metric]:
    """Those of the loop of one law."""
    wanted = {requirement.metric for requirement in case.require} & set(MARGINS)
    if not wanted:
        return {}
    from ...controllers.laws.law import asked
    from ..objects.design import design_model
    from ..objects.formulations import require_linear

    budgets = {name for name in wanted if name.endswith(BUDGET)}
    try:
        require_linear(case)
    except InputError as error:
        return dict.fromkeys(sorted(wanted), Metric(None, str(error)))
    if law is None:
        return dict.fromkeys(sorted(wanted), Metric(None, "the case has no [controller]"))
    if asked(law).no_margins:
        return dict.fromkeys(sorted(wanted), Metric(None, asked(law).no_margins))
    model, found = None, dict[str, Metric]()
    for names, of in ((budgets, _budgets), (wanted - budgets, _margins)):
        if names:
            try:
                model = design_model(case, craft) if model is None else model
                found |= of(case, law, model, blocks, names)
            except PolhodeError as error:
                found |= dict.fromkeys(names, Metric(None, str(error)))
    return {name: found[name] for name in sorted(wanted)}


def _margins(
    case: Case, law: Any, model: "LinearModel", blocks: "Sequence[Block]", wanted: Collection[str]
) -> dict[str, Metric]:
    """Those of the loop that are asked for: the disk takes longer than all others together."""
    from ...controllers import disk_margins, open_loop, sensitivity_peaks
    from ...controllers.laws.law import asked

    del case
    loop = asked(law).loop(model, blocks=blocks)
    if loop.periodic:
        return _periodic_metrics(loop.margins())
    peak, disk = "sensitivity_peak_dB", "disk_margin"
    found: dict[str, float] = {}
    if peak in wanted:
        found[peak] = sensitivity_peaks(open_loop(loop, "input"))[0].peak_dB
    if disk in wanted:
        found[disk] = disk_margins(open_loop(loop, "input")).simultaneous.alpha
    if not {peak, disk}.issuperset(wanted):
        found |= loop.margins().smallest()
    return {name: Metric(value) for name, value in found.items()}


def _budgets(
    case: Case, law: Any, model: "LinearModel", blocks: "Sequence[Block]", wanted: Collection[str]
) -> dict[str, Metric]:
    from ...controllers import pointing_budget

    del wanted
    if case.metrics.window_s is None:
        raise InputError("the case gives no metrics.window_s, over which mean errors are taken")
    found = pointing_budget(law, model, window=case.metrics.window_s, blocks=blocks).figures()
    return {
        f"{name}_budget_deg": Metric(degrees(value)) if isfinite(value) else Metric(None, "it grows without end")
        for name, value in found.items()
    }
