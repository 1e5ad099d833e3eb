"""HTML views of one run, of a batch and of a campaign for notebooks."""

from typing import TYPE_CHECKING

import numpy as np

from ...plant.notebook_html import details, facts, page, table

if TYPE_CHECKING:
    from ..runs.campaigns.result import Campaign
    from .run import Run
    from .runs import Runs

SHARES = (0.05, 0.5, 0.95)
"""Quantiles that the view of a campaign shows for each metric."""


def run_html(run: "Run") -> str:
    """Return the HTML of a run: status, warnings and available quantities."""
    law = "no law" if run.law is None else type(run.law).__name__
    rows: list[tuple[str, object]] = [
        ("status", run.status),
        ("reason", run.reason),
        ("time", f"{run.t[0]:g} to {run.t[-1]:g} s in {len(run.t)} rows"),
        ("law", law if run.recorded is None else run.recorded.attributes["law"] or law),
        ("integrator", run.scheme.integrator),
        ("blocks", ", ".join(each.name for each in run.blocks)),
        ("seed", run.seed),
    ]
    rows += [("warning", each) for each in run.warnings]
    named: list[tuple[str, str, str]] = []
    for name in run.names:
        components, unit = run.components(name)
        named.append((name, ", ".join(components), unit))
    held = details(f"{len(named)} quantities", table(("values(name)", "components", "unit"), named))
    return page("Run", facts(rows), held)


def runs_html(runs: "Runs") -> str:
    """Return the HTML of a batch: number of runs by status, and reasons of incomplete runs."""
    names, counts = np.unique(runs.status, return_counts=True)
    rows: list[tuple[str, object]] = [
        ("runs", len(runs)),
        *((str(name), int(count)) for name, count in zip(names, counts, strict=True)),
        ("rows of each", len(runs.t)),
        ("with warnings", len(runs.flagged)),
    ]
    failed = [(f"runs[{k}]", reason) for k, reason in runs.reasons.items()]
    return page(
        "Batch of runs", facts(rows), *([details("reasons", table(("run", "reason"), failed))] if failed else [])
    )


def campaign_html(campaign: "Campaign") -> str:
    """Return the HTML of a campaign: runs by status, and nominal value and quantiles of each metric."""
    names, counts = np.unique(campaign.status, return_counts=True)
    rows: list[tuple[str, object]] = [
        ("runs", f"{len(campaign.run)} of {campaign.planned}, {campaign.ended}"),
        *((str(name), int(count)) for name, count in zip(names, counts, strict=True)),
        ("plan", f"{campaign.plan}, seed {campaign.seed}"),
        ("dispersed", ", ".join(campaign.sources)),
    ]
    spread: list[tuple[object, ...]] = []
    for name, values in campaign.metrics.items():
        numbers = values[~np.isnan(values)]
        quantiles = [float(each) for each in np.quantile(numbers, SHARES)] if len(numbers) else [""] * len(SHARES)
        spread.append((name, float(campaign.nominal.get(name, np.nan)), *quantiles, len(numbers)))
    heads = ("metric", "nominal", *(f"{share:.0%}" for share in SHARES), "values")
    failed = [(k, reason) for k, reason in campaign.reasons.items()]
    parts = [details("reasons", table(("run", "reason"), failed))] if failed else []
    return page("Campaign", facts(rows), table(heads, spread), *parts)
