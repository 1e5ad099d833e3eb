"""Figure of a tuned case: each goal relative to its bound, before and after tuning."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...case.tuning.case_goals import IN_DB
from ...case.tuning.tuned_case import Requirement, TunedCase
from ..palette import AXIS_COLOURS, FAINT, INK
from .metric_label import metric_label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AFTER, WORST, PROVEN = AXIS_COLOURS


def draw_tuned(found: TunedCase, runs: Sequence[Mapping[str, Any]] = ()) -> "dict[str, Figure]":
    """Return the figure by file name: goals, and tuned values between their bounds.

    runs: requirements on the run, with metric, before, after, max and min, as in the result of the command.
    """
    rows = found.requirements
    names = [f"{metric_label(each.key)} {'≤' if each.at_most else '≥'} {each.bound:g}" for each in rows]
    series: list[tuple[str, list[float], Any]] = [
        ("before", [_ratio(each, each.before) for each in rows], {"color": INK, "marker": "o", "fillstyle": "none"}),
        ("after", [_ratio(each, each.after) for each in rows], {"color": AFTER, "marker": "o"}),
    ]
    if any(each.worst is not None for each in rows):
        series += [
            ("worst found", [_ratio(each, each.worst) for each in rows], {"color": WORST, "marker": "x"}),
            ("proven for all", [_ratio(each, each.proven) for each in rows], {"color": PROVEN, "marker": "|"}),
        ]
    if found.soft is not None:
        metric, before, after = found.soft
        names.append(f"{metric_label(metric)}, soft goal")
        margin = found.loaded.case.tune is not None and found.loaded.case.tune.maximise is not None
        series[0][1].append(1.0)
        series[1][1].append(before / after if margin else after / before)
        for _, row, _ in series[2:]:
            row.append(np.nan)
    for each in runs:
        at_most = each["max"] is not None
        bound = each["max"] if at_most else each["min"]
        names.append(f"{metric_label(str(each['metric']))} {'≤' if at_most else '≥'} {bound:g}")
        for (_, row, _), name in zip(series, ("before", "after"), strict=False):
            row.append(_fraction(each[name], float(bound), at_most=at_most))
        for _, row, _ in series[2:]:
            row.append(np.nan)
    numbers = found.parameters.numbers
    figure, (goals, values) = _panels(len(names), len(numbers))
    figure.suptitle(f"{found.loaded.name}: tuned")
    at = np.arange(len(names))[::-1]
    goals.set_ylim(-0.6, len(names) - 0.4)
    goals.axvspan(0.0, 1.0, color=FAINT, alpha=0.3)
    for words, row, style in series:
        goals.plot(row, at, linestyle="none", label=words, **style)
    goals.axvline(1.0, color=INK, linewidth=1.0)
    goals.set_yticks(at, names)
    goals.set_xlim(left=0.0)
    goals.set_xlabel("fraction of the bound (met to the left of 1)")
    goals.legend(loc="best", fontsize="small")
    after = found.parameters.values(found.tuned.x)
    at = np.arange(len(numbers))[::-1]
    for row, free, value in zip(at, numbers, after, strict=True):
        low, high = free.scaled(free.low), free.scaled(free.high)
        old, new = ((free.scaled(each) - low) / (high - low) for each in (free.value, value))
        values.plot([old, new], [row, row], color=FAINT)
        values.plot(old, row, color=INK, marker="o", fillstyle="none")
        values.plot(new, row, color=AFTER, marker="o")
        values.annotate(
            f"{free.value:.4g} → {value:.4g}", (new, row), (0, 7), textcoords="offset points", fontsize="small",
            ha="left" if new < 0.3 else "right" if new > 0.7 else "center",
        )  # fmt: skip
    values.set_yticks(at, [free.name.removeprefix("controller.") for free in numbers])
    values.set_xlim(-0.02, 1.02)
    values.set_ylim(-0.5, len(numbers) - 0.2)
    values.set_xlabel("position between the bounds")
    return {"tune": figure}


def _panels(goals: int, values: int) -> "tuple[Figure, Any]":
    """Return a figure with a panel of goals above a panel of values; each argument: number of rows."""
    from ....sim.results.page import new_page

    figure = new_page((8.6, 0.36 * (goals + values) + 2.4), dpi=110)
    return figure, figure.subplots(2, 1, height_ratios=[goals + 1, values + 1])


def _ratio(each: Requirement, value: float | None) -> float:
    """Return a metric relative to its bound: at most 1 if the requirement is met."""
    if value is None or not np.isfinite(value):
        return float("nan")
    if each.name.partition(" ")[0] in IN_DB:
        return float(10.0 ** ((value - each.bound) / 20.0))
    if value <= 0.0:
        return float("nan")
    return _fraction(value, each.bound, at_most=each.at_most)


def _fraction(value: float | None, bound: float, *, at_most: bool) -> float:
    """Return a positive metric relative to its bound: at most 1 if it is met; NaN if it has no value."""
    if value is None or not np.isfinite(value) or (value <= 0.0 and not at_most) or bound <= 0.0:
        return float("nan")
    return value / bound if at_most else bound / value
