"""Campaign section: claims that the runs show or refute, metric spreads, sensitivities and worst runs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...case.campaigns.summary import campaign_summary
from .markup import Markup, join, table, tag
from .numbers import metric_words, value_text
from .svg import drawing

if TYPE_CHECKING:
    from ...case.campaigns.case_campaign import CaseCampaign

MOST_DRIVERS = 6
WORDS = {
    "metrics": "Spread of the metrics",
    "bands": "Bands of all runs over time",
    "drivers": "Correlations of the required metrics",
    "pass_rate": "Fraction of the runs that meet every requirement",
    "sweep": "Metrics over the sweep",
}


def campaign_section(found: "CaseCampaign", *, folder: str) -> Markup:
    """Return the section. folder: folder of the campaign, for the command that repeats a run."""
    from ...pictures.study.campaign import campaign_figures

    summary = campaign_summary(found)
    counts = ", ".join(f"{count} {name}" for name, count in summary["statuses"].items()) or "none"
    head = f"{summary['runs']} of {summary['planned']} runs, plan {summary['plan']}, seed {summary['seed']}: {counts}."
    parts: list[str] = [_claim(summary), tag("p", head), _rates(summary), _spread(summary)]
    if summary["noisy"]:
        words = "The nominal column is the case with its own seed: one draw of its noise."
        parts.append(tag("p", words, class_="quiet"))
    parts += [_drivers(summary), _worst(summary, folder), _reasons(summary)]
    drawn = [
        drawing(figure, WORDS.get(name, name), wide=name != "pass_rate", id_=f"campaign-{name.replace('_', '-')}")
        for name, figure in campaign_figures(found).items()
    ]
    parts.append(tag("div", *drawn, class_="drawings"))
    return join(parts)


def claim_words(claim: Mapping[str, Any]) -> tuple[str, str]:
    """Return the status of a claim ("shown", "refuted" or "not shown"), and a sentence that states it."""
    share, sure = f"{100 * claim['required_share']:g} %", f"at {100 * claim['confidence']:g} % confidence"
    did = f"{claim['passed']} of {claim['runs']} runs did"
    if claim["shown"]:
        return "shown", f"At least {share} of all runs meet every requirement, {sure}; {did}."
    if claim["reason"]:
        return "not shown", f"That {share} of all runs meet every requirement: {claim['reason']}."
    if claim["refuted"]:
        most = f"so at most {100 * claim['at_most']:.1f} % of all runs do"
        return "refuted", f"That {share} of all runs meet every requirement: {did}, {most}, {sure}."
    needed = f"with no more failures than these {claim['runs_needed']} runs would show it"
    return "not shown", f"That {share} of all runs meet every requirement, {sure}: {did}; {needed}."


def _claim(summary: Mapping[str, Any]) -> Markup:
    claim = summary.get("claim")
    if claim is None:
        return tag("p", "The case makes no claim (campaign.required_share).", class_="quiet")
    status, words = claim_words(claim)
    return tag("p", tag("span", status.capitalize(), class_="good" if status == "shown" else "bad"), f". {words}")


def _rates(summary: Mapping[str, Any]) -> Markup:
    if not summary["pass_rates"]:
        return Markup("")
    random = summary["plan"] == "random"
    heads = ["requirement", "passed", "share"]
    heads += [f"{100 * summary['confidence']:g} % interval"] if random else []
    rows = [
        [
            rate["requirement"],
            f"{rate['passed']} of {rate['runs']}",
            f"{100 * rate['share']:.2f} %",
            *([f"{100 * rate['low']:.2f} to {100 * rate['high']:.2f} %"] if random else []),
        ]
        for rate in summary["pass_rates"]
    ]
    caption = "Fraction of the runs that meet each requirement" + (", with its two-sided interval." if random else ".")
    return table(heads, rows, caption=caption, class_="numbers")


def _spread(summary: Mapping[str, Any]) -> Markup:
    keys = ("nominal", "least", "quantile_5", "median", "quantile_95", "largest")
    rows = [
        [f"{words} ({unit})" if unit else words, *(value_text(spread[key], digits=4) for key in keys)]
        for name, spread in summary["metrics"].items()
        for words, unit in (metric_words(name),)
    ]
    heads = ["metric", "nominal", "least", "5 %", "median", "95 %", "largest"]
    return table(heads, rows, caption="Spread of every metric over the runs.", class_="numbers")


def _drivers(summary: Mapping[str, Any]) -> Markup:
    parts: list[str] = []
    for metric, found in summary["sensitivities"].items():
        chance = summary["sensitivity_by_chance"][metric]
        felt = {name: value for name, value in found.items() if chance is not None and abs(value) > chance}
        if not found:
            words = "nothing that varies"
        elif chance is None:
            words = "too few runs to say"
        else:
            some = list(felt.items())[:MOST_DRIVERS]
            words = ", ".join(f"{name} {value:+.2f}" for name, value in some) or "nothing"
            words += f" (a rank correlation up to {chance:.2f} is chance)"
        parts.append(tag("li", tag("code", metric), f" goes with {words}."))
    return join((tag("h4", "Drivers"), tag("ul", *parts))) if parts else Markup("")


def _worst(summary: Mapping[str, Any], folder: str) -> Markup:
    rows = [
        [metric, ", ".join(f"{each['run']} ({value_text(each['value'], digits=4)})" for each in runs)]
        for metric, runs in summary["worst"].items()
    ]
    if not rows:
        return Markup("")
    whole = table(["metric", "run (value), the worst first"], rows, caption="Worst runs of each required metric.")
    again = tag("p", "Repeat one of them: ", tag("code", f"polhode run --from-campaign {folder} --run K"))
    return join((tag("h4", "Worst runs"), whole, again))


def _reasons(summary: Mapping[str, Any]) -> Markup:
    items = [tag("li", f"run {run}: {reason}") for run, reason in summary["reasons"].items()]
    return join((tag("h4", "Runs that did not complete"), tag("ul", *items))) if items else Markup("")
