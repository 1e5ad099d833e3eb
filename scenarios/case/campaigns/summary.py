"""Summary of a campaign as plain values, for JSON, the terminal and the exit code."""

from dataclasses import asdict
from typing import Any

import numpy as np

from ....plant.errors import InputError
from ....sim.runs.campaigns import STATUS, Campaign, chance_correlation, one_sided, runs_needed
from .case_campaign import CaseCampaign

SHARES = (0.05, 0.5, 0.95)
MOST_WORST = 5
MOST_REASONS = 20
FEW = 3  # number of runs up to which chance may cause any rank correlation


def campaign_summary(found: CaseCampaign) -> dict[str, Any]:
    """Return statistics of a campaign: statuses, pass rates, quantiles, sensitivities, the worst runs."""
    c, table = found.campaign, found.loaded.case.campaign
    required = list(dict.fromkeys(rate.metric for rate in found.rates if rate.metric is not None))
    summary: dict[str, Any] = {
        "case": found.loaded.name,
        "plan": c.plan,
        "seed": c.seed,
        "planned": c.planned,
        "ended": c.ended,
        "runs": int(c.run.size),
        "statuses": {name: int((c.status == name).sum()) for name in STATUS if (c.status == name).any()},
        "reasons": {str(run): c.reasons[run] for run in list(c.reasons)[:MOST_REASONS]},
        "confidence": found.confidence,
        "pass_rates": [rate.to_dict() for rate in found.rates],
        "metrics": {name: _spread(c, name) for name in c.metrics if not np.isnan(c.metrics[name]).all()},
        "values": {name: sorted(set(column.tolist())) for name, column in c.dispersed.items()}
        if c.plan == "factorial"
        else None,
        "noisy": found.noisy,
        "sensitivities": {name: c.sensitivities(name) for name in required},
        "sensitivity_by_chance": {name: _by_chance(c, name) for name in required},
        "sobol_indices": {name: _indices(c, name, found.confidence) for name in required}
        if c.plan == "saltelli"
        else None,
        "unchecked": list(found.unchecked),
        "worst": {name: _worst(found, name) for name in required},
    }
    if table.required_share is not None and found.rates:
        summary["claim"] = _claim(found, table.required_share)
    return summary


def _claim(found: CaseCampaign, share: float) -> dict[str, Any]:
    """Test the claim with one-sided confidence bounds: demonstrated, refuted or open.

    share: claimed pass probability. The result includes the number of runs needed if no further run fails.
    """
    rate = found.rates[-1]
    needed = runs_needed(share, confidence=found.confidence, failures=rate.runs - rate.passed)
    random = found.campaign.plan == "random"
    low, high = one_sided(rate.passed, rate.runs, confidence=found.confidence)
    return {
        "required_share": share,
        "confidence": found.confidence,
        "passed": rate.passed,
        "runs": rate.runs,
        "at_least": low,
        "at_most": high,
        "shown": random and rate.runs >= needed,
        "refuted": random and high < share,
        "runs_needed": needed,
        "reason": ""
        if random
        else f"the runs of the plan {found.campaign.plan} are not random, so they give no probability",
    }


def _by_chance(c: Campaign, name: str) -> float | None:
    """Return the rank correlation that at least one dispersion exceeds by chance in 5 % of campaigns.

    Returns None if there are too few runs.
    """
    pairs, tried = int((~np.isnan(c.metrics[name])).sum()), len(c.sensitivities(name))
    return chance_correlation(pairs, tried) if pairs > FEW and tried else None


def _indices(c: Campaign, name: str, confidence: float) -> dict[str, Any]:
    """Return the Sobol indices of each dispersion, or the reason why there are none."""
    try:
        found = c.sobol_indices(name, confidence=confidence)
    except InputError as error:
        return {"reason": str(error)}
    return {source: asdict(index) for source, index in found.items()}


def _spread(c: Campaign, name: str) -> dict[str, Any]:
    column = c.metrics[name][~np.isnan(c.metrics[name])]
    low, middle, high = np.quantile(column, SHARES, method="inverted_cdf").tolist()
    at = {"quantile_5": low, "median": middle, "quantile_95": high}
    ends = {"least": float(column.min()), "largest": float(column.max())}
    return {"nominal": float(c.nominal[name]), **ends, **at, "runs": int(column.size)}


def _worst(found: CaseCampaign, metric: str) -> list[dict[str, Any]]:
    """Return the runs that violate a requirement most or, if none does, meet it by the smallest margin."""
    c = found.campaign
    bounds = next(each for each in found.loaded.case.require if each.key == metric)
    runs = c.worst(metric, MOST_WORST, least=bounds.max is None)
    place = {int(run): n for n, run in enumerate(c.run)}
    values = [float(c.metrics[metric][place[run]]) for run in runs]
    return [{"run": run, "value": value} for run, value in zip(runs, values, strict=True)]


def table_of(c: Campaign) -> dict[str, Any]:
    """Return a table of all runs by column: run number, status, dispersed values and metrics."""
    measured = {name: column for name, column in c.metrics.items() if not np.isnan(column).all()}
    return {"run": c.run, "status": c.status, **c.dispersed, **measured}
