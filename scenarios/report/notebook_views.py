"""HTML views of the run and of the campaign of a case for notebooks: verdicts first."""

from typing import TYPE_CHECKING

from ...plant.notebook_html import details, facts, page, table

if TYPE_CHECKING:
    from ..case.campaigns.case_campaign import CaseCampaign
    from ..case_run import CaseRun


def case_run_html(result: "CaseRun") -> str:
    """Return the HTML of a run of a case: verdicts, warnings, metrics."""
    from .console import label

    verdicts = [
        ("met" if each.met else "NOT MET", *label(each.metric), "" if each.value is None else each.value, _bounds(each))
        for each in result.requirements
    ]
    rows: list[tuple[str, object]] = [("status", result.run.status), ("reason", result.run.reason)]
    rows += [("warning", each) for each in result.run.warnings]
    measured = [
        (label(name)[0], metric.value, label(name)[1])
        for name, metric in result.metrics.items()
        if metric.value is not None
    ]
    parts = [table(("", "requirement", "unit", "value", "bound"), verdicts)] if verdicts else []
    return page(
        f"{result.loaded.name}: {result.loaded.case.title}",
        *parts,
        facts(rows),
        details(f"{len(measured)} metrics", table(("metric", "value", "unit"), measured)),
    )


def _bounds(each: object) -> str:
    limits = (("min", getattr(each, "min", None)), ("max", getattr(each, "max", None)))
    return ", ".join(f"{word} {value:g}" for word, value in limits if value is not None)


def case_campaign_html(result: "CaseCampaign") -> str:
    """Return the HTML of a campaign of a case: pass rates with confidence intervals, then the runs."""
    from ...sim.results.notebook_views import campaign_html

    rates = [
        (each.name, f"{each.passed} of {each.runs}", f"{each.low:.1%} to {each.high:.1%}") for each in result.rates
    ]
    heads = ("requirement", "passed", f"probability, {result.confidence:.0%} confidence")
    parts = [table(heads, rates)] if rates else []
    return page(f"{result.loaded.name}: {result.loaded.case.title}", *parts, campaign_html(result.campaign))
