"""Table of verdicts: a verification control document, one row for each requirement."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....sim.runs.campaigns import one_sided
from ...case.schema.run import MARGINS
from .markup import Markup, join, tag, text
from .numbers import metric_words, value_text

if TYPE_CHECKING:
    from ...case.campaigns.case_campaign import PassRate
    from ...case.schema import RequireTable
    from ..requirements import Verdict
    from .source import PageSource

HEADS = (
    "id", "requirement", "metric", "bound", "value", "margin to bound", "method", "evidence", "status", "close-out",
)  # fmt: skip
ANALYSIS = "A"
ONE_DRAW = "one draw of the noise"


@dataclass(frozen=True, kw_only=True)
class VerdictRow:
    """A requirement with its verdict and evidence.

    verdict, requirement: the verdict and its requirement; evidence: anchor and text of the link; status: "met", "not
    met" or "no value"; note: remark on the status, for example that a noisy run is a single realisation; closed:
    whether the requirement is closed; close_out: close-out status in words; rate: pass rate in a campaign.
    """

    requirement: "RequireTable"
    verdict: "Verdict"
    evidence: tuple[str, str]
    status: str
    note: str
    closed: bool
    close_out: str
    rate: "PassRate | None" = None


def verdict_rows(source: "PageSource", anchors: frozenset[str]) -> tuple[VerdictRow, ...]:
    """Return the rows in the order of the case's requirements. anchors: parts of the page that links may refer to."""
    required = source.case_run.loaded.case.require
    rates = () if source.campaign is None else source.campaign.rates[: len(required)]
    rows: list[VerdictRow] = []
    for n, (requirement, verdict) in enumerate(zip(required, source.case_run.requirements, strict=True)):
        rate = rates[n] if n < len(rates) else None
        drawn = source.noisy and requirement.metric not in MARGINS
        status = "met" if verdict.met else "no value" if verdict.value is None else "not met"
        closed, words = _close_out(source, verdict, rate, drawn=drawn)
        rows.append(
            VerdictRow(
                requirement=requirement,
                verdict=verdict,
                evidence=_evidence(requirement.metric, anchors),
                status=status,
                note=ONE_DRAW if drawn else "",
                closed=closed,
                close_out=words,
                rate=rate,
            )
        )
    return tuple(rows)


def _close_out(source: "PageSource", verdict: "Verdict", rate: "PassRate | None", *, drawn: bool) -> tuple[bool, str]:
    """Return whether a requirement is closed, and its close-out status in words."""
    if source.case_run.run.status != "completed":
        return False, f"open: the run ended {source.case_run.run.status}"
    if rate is not None and source.campaign is not None:
        return _by_campaign(source, rate)
    if not verdict.met:
        return False, f"open: {verdict.reason}"
    if drawn:
        return False, "open: one draw of the noise, so it may be met by chance; a campaign gives the probability"
    return True, "closed for the case as given"


def _by_campaign(source: "PageSource", rate: "PassRate") -> tuple[bool, str]:
    assert source.campaign is not None  # noqa: S101 # checked by the caller
    claimed, sure = source.campaign.loaded.case.campaign.required_share, source.campaign.confidence
    if source.campaign.campaign.plan != "random":
        return False, f"open: runs of the plan {source.campaign.campaign.plan} give no probability"
    low, high = one_sided(rate.passed, rate.runs, confidence=sure)
    at = f"at {100 * sure:g} % confidence"
    if claimed is None:
        if rate.passed == rate.runs:
            return True, f"closed: at least {100 * low:.1f} % of all runs, {at}; no share is required"
        return (
            False,
            f"open: {rate.runs - rate.passed} of {rate.runs} runs do not meet it; no share is required",
        )
    share = f"{100 * claimed:g} %"
    if low >= claimed:
        return True, f"closed: at least {100 * low:.1f} % of all runs, {at}; {share} claimed"
    if high < claimed:
        return False, f"open: refuted, at most {100 * high:.1f} % of all runs, {at}; {share} claimed"
    return False, f"open: not shown yet, at least {100 * low:.1f} % of all runs, {at}; {share} claimed"


def _evidence(metric: str, anchors: frozenset[str]) -> tuple[str, str]:
    """Return anchor and link text of the part of the page that shows a metric."""
    if metric.endswith("_budget_deg"):
        wanted = [("budget", "pointing budget")]
    elif metric in MARGINS:
        wanted = [("margins", "margins")]
    else:
        parts = {
            "settling": "error-angle", "attitude_error": "error-angle", "overshoot": "error-axes",
            "ape_": "error-angle", "mpe_": "error-angle", "rpe_": "error-angle",
            "knowledge": "knowledge-x", "ake_": "knowledge-x",
            "mke_": "knowledge-x", "rke_": "knowledge-x", "motor": "motor-torque", "torque_limit": "motor-torque",
            "wheel_rate": "wheel-rate", "speed_limit": "wheel-rate", "peak_torque": "command", "effort": "command",
            "command_limit": "command", "impulse": "command-external", "rate_deg_s": "rate", "rate_limit": "rate",
            "nutation": "nutation", "momentum_drift": "invariants", "energy_drift": "invariants", "norm": "invariants",
            "tip_": "tips", "residual": "tips", "strain": "tips",
        }  # fmt: skip
        wanted = [(f"chart-{chart}", "history") for word, chart in parts.items() if word in metric]
    found = [each for each in wanted if each[0] in anchors]
    return found[0] if found else (f"metric-{metric}", "metrics")


def verdict_table(source: "PageSource", rows: tuple[VerdictRow, ...]) -> Markup:
    """Return the table, or a sentence if the case has no requirements."""
    if not rows:
        return tag("p", "The case has no requirements: a [[require]] table states a requirement.", class_="quiet")
    shares = any(row.rate is not None for row in rows)
    sure = "" if source.campaign is None else f"{100 * source.campaign.confidence:g} % interval"
    heads = [*HEADS[:7], *(("share of runs", sure) if shares else ()), *HEADS[7:]]
    body = join(_row(n, row, shares=shares) for n, row in enumerate(rows))
    caption = "Verification control table. Method: A, analysis by simulation or from the linear loop."
    whole = tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *(tag("th", each, scope="col") for each in heads))),
        tag("tbody", body),
        id="verdict-table",
    )
    return tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label="Verdicts on the requirements")


def _row(n: int, row: VerdictRow, *, shares: bool) -> Markup:
    required, verdict = row.requirement, row.verdict
    words, unit = metric_words(required.key)
    bounds = join(
        Markup(f"{sign} {text(f'{value:g} {unit}'.strip())}<br>")
        for sign, value in (("&ge;", required.min), ("&le;", required.max))
        if value is not None
    )
    anchor, link = row.evidence
    status = tag("span", row.status, class_="good" if row.status == "met" else "bad")
    note = tag("div", row.note, class_="small quiet") if row.note else ""
    cells: list[str] = [
        tag("td", required.text or words, class_="words"),
        tag("td", tag("code", _breakable(required.key))),
        tag("td", bounds, class_="number"),
        tag("td", f"{value_text(verdict.value)} {unit if verdict.value is not None else ''}".strip(), class_="number"),
        tag("td", _margin(row, unit), class_="number"),
        tag("td", ANALYSIS, class_="number"),
    ]
    if shares:
        cells += _shares(row)
    cells += [
        tag("td", tag("a", link, href=f"#{anchor}")),
        tag("td", status, note),
        tag("td", tag("span", row.close_out, class_="good" if row.closed else "bad"), class_="small closeout"),
    ]
    return tag("tr", tag("th", required.id or f"R{n + 1}", scope="row"), *cells, id=f"requirement-{n}")


def _breakable(name: str) -> Markup:
    """Return a name with line breaks permitted after underscores."""
    return Markup(text(name).replace("_", "_<wbr>"))


def _shares(row: VerdictRow) -> list[str]:
    rate = row.rate
    if rate is None:
        return [tag("td"), tag("td")]
    return [
        tag("td", f"{100 * rate.passed / rate.runs:.4g} % ({rate.passed} of {rate.runs})"),
        tag("td", f"{100 * rate.low:.1f} to {100 * rate.high:.1f} %"),
    ]


def _margin(row: VerdictRow, unit: str) -> str:
    """Return the distance to the closer bound, positive inside, also in percent of the bound."""
    value, required = row.verdict.value, row.requirement
    if value is None:
        return "none"
    gaps = [(each - value, each) for each in (required.max,) if each is not None]
    gaps += [(value - each, each) for each in (required.min,) if each is not None]
    gap, bound = min(gaps)
    share = f" ({100.0 * gap / abs(bound):+.3g} %)" if bound else ""
    return f"{value_text(gap, digits=4)} {unit}".strip() + share
