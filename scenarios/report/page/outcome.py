"""Outcome of the run: overview, metrics, invariants, warnings, modes, passive stability."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....plant.errors import PolhodeError
from ...case.kinds.design import design_warnings
from ...documents.tables import document_table, document_warnings
from ..case_warnings import case_warnings
from ..metrics.kinds import METRICS
from .campaign_section import claim_words
from .marks import modes_of
from .markup import Markup, join, table, tag
from .numbers import metric_words, value_text

if TYPE_CHECKING:
    from .histories import Histories
    from .source import PageSource
    from .verdicts import VerdictRow


def warnings_of(source: "PageSource") -> list[str]:
    """Return every warning about the run and its design."""
    case_run = source.case_run
    loaded, run = case_run.loaded, case_run.run
    return [
        *run.warnings,
        *case_warnings(loaded, run),
        *document_warnings(loaded.name),
        *design_warnings(loaded.case, case_run.problem.craft),
    ]


def glance(source: "PageSource", rows: "Sequence[VerdictRow]", warnings: Sequence[str]) -> Markup:
    """Return a row of overview boxes: run, requirements, campaign, warnings."""
    run = source.case_run.run
    boxes = [_box("run", run.status, f"to {run.t[-1]:g} s", good=run.status == "completed")]
    if rows:
        met, closed = sum(row.status == "met" for row in rows), sum(row.closed for row in rows)
        words = "of one draw of the noise" if source.noisy and source.campaign is None else "of this run"
        boxes.append(_box("requirements met", f"{met} of {len(rows)}", words, good=met == len(rows)))
        boxes.append(_box("closed out", f"{closed} of {len(rows)}", "see the table", good=closed == len(rows)))
    if source.campaign is not None:
        boxes.append(_campaign_box(source))
    count = f"{len(warnings)}" if warnings else "none"
    boxes.append(tag("li", "warnings ", tag("b", count), class_="warn" if warnings else "good"))
    return tag("ul", *boxes, class_="glance", aria_label="Verdict at a glance")


def _box(head: str, value: str, words: str, *, good: bool) -> Markup:
    return tag("li", f"{head} ", tag("b", value), f" {words}", class_="good" if good else "bad")


def _campaign_box(source: "PageSource") -> Markup:
    from ...case.campaigns.summary import campaign_summary

    assert source.campaign is not None  # noqa: S101 # checked by the caller
    summary = campaign_summary(source.campaign)
    claim = summary.get("claim")
    if claim is None:
        return tag("li", "campaign ", tag("b", f"{summary['runs']} runs"), " no share claimed")
    status, _ = claim_words(claim)
    share = f"{claim['passed']} of {claim['runs']} runs meet all"
    return _box("claim of the campaign", status, share, good=status == "shown")


def metric_section(source: "PageSource") -> Markup:
    """Return every applicable metric with its description and an anchor."""
    rows: list[Markup] = []
    for name, metric in source.case_run.metrics.items():
        if not metric.applies:
            continue
        words, unit = metric_words(name)
        meaning = METRICS[name].words if name in METRICS else "margin of the linear loop"
        if metric.value is None:
            value = tag("td", f"no value: {metric.reason}")
        else:
            value = tag("td", f"{value_text(metric.value, digits=6)} {unit}".strip())
        cells = (tag("th", words, scope="row"), value, tag("td", meaning, class_="small quiet"))
        rows.append(tag("tr", *cells, id=f"metric-{name.replace(' ', '-')}"))
    head = tag("thead", tag("tr", *(tag("th", each, scope="col") for each in ("metric", "value", "meaning"))))
    whole = tag("table", tag("caption", "Metrics of the run."), head, tag("tbody", *rows))
    return tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label="Metrics of the run")


def accuracy_section(source: "PageSource", found: "Histories") -> Markup:
    """Return drifts of conserved quantities, counters of the integrator, and quantities without a chart."""
    case_run = source.case_run
    run = case_run.run
    rows = [
        [
            metric_words(name)[0],
            value_text(metric.value, digits=3) if metric.value is not None else f"no value: {metric.reason}",
            METRICS[name].words,
        ]
        for name, metric in case_run.metrics.items()
        if name in METRICS and METRICS[name].invariant and metric.applies
    ]
    step = "" if run.scheme.step is None else f", step {run.scheme.step:g} s"
    rtol = f", relative tolerance {run.scheme.rtol:g}" if run.scheme.rtol and run.scheme.step is None else ""
    counters = ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in list(run.counters.items())[:4])
    parts: list[str] = [
        table(["invariant", "value", "meaning"], rows, caption="Drift of the conserved quantities."),
        tag("p", f"Integrator {run.scheme.integrator}{step}{rtol}. Counters: {counters}."),
    ]
    if found.still:
        items = [tag("li", f"{name}: {words}") for name, words in found.still]
        parts += [tag("h4", "Not drawn, because constant or zero"), tag("ul", *items)]
    return join(parts)


def modes_section(source: "PageSource") -> Markup:
    """Return the table of the modes in order of time; empty if there are no modes."""
    rows = [
        [
            each["mode"],
            f"{each['start']:.7g} s",
            f"{each['end']:.7g} s",
            each["why"] + (f"; {each['unseen']} more before it, between two rows" if each["unseen"] else ""),
        ]
        for each in modes_of(source.case_run.run)
    ]
    return (
        table(["mode", "from", "to", "entered because"], rows, caption="Modes of the control system.")
        if rows
        else Markup("")
    )


def spins_section(source: "PageSource") -> Markup:
    """Return the steady spins of a spacecraft without a law, and their stability; empty if not applicable."""
    from ....plant import spin_equilibria

    case_run = source.case_run
    craft, state = case_run.problem.craft, case_run.problem.state
    size = float(sum(each * each for each in state[:3].tolist()) ** 0.5)
    if case_run.problem.law is not None or size == 0.0:
        return Markup("")
    try:
        spins = spin_equilibria(craft, momentum=size)
    except PolhodeError:
        return Markup("")
    rows = [
        [", ".join(value_text(each, digits=4) for each in spin.rate.tolist()), spin.kind, value_text(spin.energy)]
        for spin in spins
    ]
    caption = "Steady spins with the initial angular momentum, the most stable first."
    return table(["body rate, rad/s", "stability", "energy, J"], rows, caption=caption)


def table_of_document(source: "PageSource") -> Markup:
    """Return the published table that the case reproduces; empty if there is none."""
    found = document_table(source.case_run.loaded.name, source.case_run.run)
    if not found:
        return Markup("")
    rows = [
        [row.quantity, row.document + (" *" if row.note else ""), f"{row.exact:.9g}", f"{row.polhode:.9g}"]
        for row in found
    ]
    notes = dict.fromkeys(row.note for row in found if row.note)
    heads = ["quantity", "document", found[0].reference, "polhode"]
    whole = table(heads, rows, caption="Values of the source document.", class_="numbers")
    return join((whole, *(tag("p", f"* {note}", class_="quiet") for note in notes)))
