"""Figures of a campaign: spread of the metrics, sensitivities, confidence in the pass rate."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import InputError
from ....sim.runs.campaigns import Campaign, SobolIndex, clopper_pearson
from ...case.campaigns.case_campaign import CaseCampaign
from ...case.schema import RequireTable
from ..palette import AXIS_COLOURS, FAINT, INK
from .bands import draw_bands
from .panels import outside, page_of
from .sweep import draw_sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

GOOD, BAD, _ = AXIS_COLOURS
MOST_BARS = 10
MOST_POINTS = 5000  # a scatter plot does not gain from more points
ALWAYS = ("settling_time_s", "final_attitude_error_deg", "peak_rate_deg_s", "effort_N2_m2_s")


def campaign_figures(found: CaseCampaign) -> "dict[str, Figure]":
    """Return the figures by file name without suffix.

    found: a campaign with at least two runs.
    """
    c = found.campaign
    if c.run.size < 2:
        return {}
    bounds = {each.key: each for each in found.loaded.case.require}
    title = f"{found.loaded.name}: {found.loaded.case.title}"
    shown = [name for name in dict.fromkeys((*bounds, *ALWAYS)) if name in c.metrics and _varies(c.metrics[name])]
    drawn: dict[str, Figure] = {}
    if c.plan == "factorial" and shown and len(c.dispersed) in (1, 2):
        return {"sweep": draw_sweep(c, shown, bounds, title)}
    if shown:
        drawn["metrics"] = _histograms(c, shown, bounds, title)
    if c.signals:
        drawn["bands"] = draw_bands(c, title)
    required = [name for name in bounds if name in shown]
    if required:
        drawn["drivers"] = _drivers(c, required, bounds, title)
    if found.rates and c.plan == "random":
        drawn["pass_rate"] = _convergence(found, title)
    return drawn


def _varies(column: Array) -> bool:
    there = column[np.isfinite(column)]
    return there.size > 1 and float(there.max()) > float(there.min())


def _histograms(c: Campaign, names: list[str], bounds: dict[str, RequireTable], title: str) -> "Figure":
    """Draw histograms of the metrics, red beyond the requirement, with a line at the nominal run."""
    figure, places = page_of(len(names), title)
    for axes, name in zip(places, names, strict=False):
        column = c.metrics[name]
        there = column[np.isfinite(column)]
        middle = 0.5 * float(there.max() + there.min())
        wide = max(0.5 * float(np.ptp(there)), 1e-9 * abs(middle), 1e-300)  # one bar if all differences are rounding
        edges: Array = np.linspace(middle - wide, middle + wide, min(60, max(10, round(np.sqrt(there.size)))) + 1)
        wrong = outside(there, bounds.get(name))
        axes.hist([there[~wrong], there[wrong]], bins=edges, stacked=True, color=[GOOD, BAD])
        for bound in (bounds[name].min, bounds[name].max) if name in bounds else ():
            if bound is not None:
                axes.axvline(bound, color=BAD, linestyle="--", linewidth=1.2)
        axes.axvline(c.nominal[name], color=INK, linewidth=1.0)
        absent = column.size - there.size
        words = f"{int(wrong.sum())} of {column.size} outside" if name in bounds else ""
        axes.set_title(", ".join(word for word in (words, f"{absent} without a value" if absent else "") if word))
        axes.set_xlabel(f"{name}  (line: nominal{', dashed: required' if name in bounds else ''})")
        axes.set_ylabel("runs")
    return figure


def _drivers(c: Campaign, names: list[str], bounds: dict[str, RequireTable], title: str) -> "Figure":
    """Draw rank correlations for each requirement, and the metric against its strongest driver."""
    figure, places = page_of(2 * len(names), title, width=5.6)
    for n, name in enumerate(names):
        found = c.sensitivities(name)
        indices = _indices(c, name)
        if indices:
            _shares(places[2 * n], name, indices)
        else:
            _bars(places[2 * n], name, found)
        if found:
            _cloud(places[2 * n + 1], c, name, next(iter(found)), bounds[name])
        else:
            places[2 * n + 1].set_visible(False)
    return figure


def _bars(axes: "Axes", name: str, found: dict[str, float]) -> None:
    some = list(found.items())[:MOST_BARS][::-1]
    axes.barh(range(len(some)), [value for _, value in some], color=GOOD)
    axes.set_yticks(range(len(some)), [key for key, _ in some])
    axes.axvline(0.0, color=INK, linewidth=0.8)
    axes.set_xlim(-1.0, 1.0)
    axes.set_xlabel(f"rank correlation with {name}")
    axes.tick_params(axis="y", labelsize=7)
    axes.set_title("rank correlations")


def _indices(c: Campaign, name: str) -> dict[str, SobolIndex]:
    """Return the Sobol indices if the plan provides them and there are enough runs."""
    if c.plan != "saltelli":
        return {}
    try:
        return c.sobol_indices(name)
    except InputError:
        return {}


def _shares(axes: "Axes", name: str, found: dict[str, SobolIndex]) -> None:
    """Draw first-order and total Sobol indices with confidence intervals."""
    some = list(found.items())[:MOST_BARS][::-1]
    rows = np.arange(len(some))
    for shift, colour, label, values, ends in (
        (0.2, GOOD, "alone", [i.first for _, i in some], [i.first_interval for _, i in some]),
        (-0.2, FAINT, "with others", [i.total for _, i in some], [i.total_interval for _, i in some]),
    ):
        spread = np.abs(np.array(ends).T - np.array(values))
        axes.barh(rows + shift, values, height=0.4, color=colour, label=label, xerr=spread, ecolor=INK, capsize=2)
    axes.set_yticks(rows, [key for key, _ in some])
    axes.axvline(0.0, color=INK, linewidth=0.8)
    axes.set_xlabel(f"fraction of the variance of {name}")
    axes.tick_params(axis="y", labelsize=7)
    axes.legend(loc="lower right", fontsize="small")
    axes.set_title("sources of the variance")


def _cloud(axes: "Axes", c: Campaign, name: str, driver: str, bounds: RequireTable) -> None:
    x, y = c.dispersed[driver][:MOST_POINTS], c.metrics[name][:MOST_POINTS]
    wrong = outside(y, bounds)
    axes.plot(x[~wrong], y[~wrong], ".", color=GOOD, markersize=3)
    axes.plot(x[wrong], y[wrong], "x", color=BAD, markersize=4)
    for bound in (bounds.min, bounds.max):
        if bound is not None:
            axes.axhline(bound, color=BAD, linestyle="--", linewidth=1.2)
    axes.set_xlabel(driver)
    axes.set_ylabel(name)


def _convergence(found: CaseCampaign, title: str) -> "Figure":
    """Draw the pass rate of all requirements against the number of runs, with its confidence interval."""
    c = found.campaign
    good = np.ones(c.run.size, dtype=np.bool_)
    for each in found.loaded.case.require:
        low, high = each.bounds
        good &= c.passed(each.key, low=low, high=high)
    count = np.unique(np.geomspace(1, c.run.size, 200).astype(int))
    passed = np.cumsum(good)[count - 1]
    band = np.array(
        [
            clopper_pearson(int(p), int(n), confidence=found.confidence)
            for p, n in zip(passed.tolist(), count.tolist(), strict=True)
        ]
    )
    figure, places = page_of(1, title, width=7.6)
    axes = places[0]
    axes.fill_between(
        count,
        band[:, 0],
        band[:, 1],
        color=FAINT,
        alpha=0.35,
        label=f"{100 * found.confidence:g} % interval, two-sided",
    )
    axes.plot(count, passed / count, color=GOOD, label="meets every requirement")
    claim = found.loaded.case.campaign.required_share
    if claim is not None:
        axes.axhline(claim, color=BAD, linestyle="--", linewidth=1.2, label="claimed")
    axes.set_xscale("log")
    axes.set_xlabel("runs")
    axes.set_ylabel("fraction of the runs")
    axes.set_ylim(max(0.0, float(band[-1, 0]) - 4.0 * (1.0 - float(band[-1, 0])) - 0.02), 1.005)
    axes.legend(loc="lower right")
    return figure
