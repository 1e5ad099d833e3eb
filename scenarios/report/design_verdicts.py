"""Verdicts on the requirements of a case under a designed law, from one run."""

from dataclasses import replace
from typing import TYPE_CHECKING

from ..case.kinds.problem import build
from ..case.schema import Case
from ..case_run import fly, measure_as
from .margin_metrics import MARGINS, margin_metrics, required_margins
from .metrics import Metric
from .requirements import Verdict, judge

if TYPE_CHECKING:
    from ...controllers import LoopAnalysis
    from ..case.kinds.problem import Problem

MOST_ROWS = 200_000


def verdicts_of(
    case: Case,
    analysis: "LoopAnalysis | None",
    *,
    name: str,
    reason: str = "",
    problem: "Problem | None" = None,
) -> tuple[tuple[Verdict, ...], tuple[str, ...]]:
    """Return the verdict on each requirement of a case with its law, and the warnings of the run.

    case: a case with a controller; analysis: loop analysis, for requirements on margins; name: label of the progress
    bar; reason: reason for a missing analysis; problem: objects of the case, by default built from the case. If the
    case has no requirements, nothing is simulated and both results are empty.
    """
    if not case.require:
        return (), ()
    problem = build(case) if problem is None else problem
    settings = dict(problem.settings)
    settings["output_step"] = max(settings["output_step"], settings["duration"] / MOST_ROWS)
    run = fly(replace(problem, settings=settings), name=name)
    metrics = measure_as(case, run)
    if analysis is None:
        banded = (each.key for each in case.require if each.metric in MARGINS)
        metrics |= dict.fromkeys((*MARGINS, *banded), Metric(None, reason))
    else:
        metrics |= margin_metrics(analysis)
        budgets = tuple(
            each for each in case.require if each.metric not in metrics
        )  # the analysis does not contain these
        rest = case.model_copy(update={"require": budgets})
        metrics |= required_margins(rest, problem.craft, problem.law, problem.blocks)
    return judge(case.require, metrics), run.warnings
