"""Document of the page: sections, inline scripts and styles, and a policy against network requests."""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import polhode

from .budgets import budget_section
from .campaign_section import campaign_section
from .case_file import case_text
from .chart import Chart
from .design import design_section, loops_of
from .histories import Histories, histories
from .markup import Markup, join, json_script, tag
from .outcome import (
    accuracy_section,
    glance,
    metric_section,
    modes_section,
    spins_section,
    table_of_document,
    warnings_of,
)
from .plugins import plugins_of
from .provenance_section import provenance_section, reproduce_command
from .verdicts import verdict_rows, verdict_table

if TYPE_CHECKING:
    from .plugin import Plugin
    from .source import PageSource

FORMAT = 1
OPEN_GROUPS = ("Pointing", "Actuators", "Rate and momentum", "Elements")
"""Groups of charts that are open when the page loads; all other groups are folded."""


def page_html(source: "PageSource", *, out: str = "report.html", plugins: "Sequence[Plugin] | None" = None) -> str:
    """Return the page as the text of one HTML file.

    source: content of the page; out: name of the file, for the command that reproduces the page; plugins: sections
    drawn by separate scripts, by default those of `plugins_of`.
    """
    added = plugins_of(source.case_run) if plugins is None else tuple(plugins)
    found = histories(source.case_run)
    sections = _sections(source, found, added, out)
    scripts = [_asset("uPlot.iife.min.js"), _asset("page.js"), *(text for each in added for text in each.scripts)]
    scripts.append(_asset("charts.js"))
    styles = [_asset("uPlot.min.css"), _asset("page.css"), *(text for each in added for text in each.styles)]
    data = _data(source, found, added)
    body = join(
        (
            tag("a", "Skip to the verdicts", href="#verdicts", class_="skip"),
            _title(source),
            tag("nav", _contents(sections), class_="contents", aria_label="Contents"),
            tag("main", *(_section(*each) for each in sections)),
            tag("div", id="announcements", class_="hidden", role="status", aria_live="polite"),
            tag(
                "footer",
                f"polhode {polhode.__version__}. Charts: uPlot, MIT licence. The page makes no network requests.",
            ),
            json_script("polhode-data", data),
            *(Markup(f"<script>{_safe(text)}</script>") for text in scripts),
        )
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(scripts, wasm=any(p.wasm for p in added))),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="generator", content=f"polhode {polhode.__version__}"),
        tag("title", f"{source.case_run.loaded.name}: {source.case_run.loaded.case.title}"),
        *(Markup(f"<style>{_safe_style(text)}</style>") for text in styles),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, tag('body', body), lang='en')}\n"


def _data(source: "PageSource", found: Histories, plugins: "Sequence[Plugin]") -> dict[str, Any]:
    loaded = source.case_run.loaded
    return {
        "format": FORMAT,
        "case": {"name": loaded.name, "title": loaded.case.title},
        **found.data,
        "plugins": {each.id: dict(each.data) for each in plugins},
    }


def _sections(
    source: "PageSource", found: Histories, plugins: "Sequence[Plugin]", out: str
) -> list[tuple[str, str, Markup]]:
    """Return anchor, heading and content of every section, in order."""
    loops = loops_of(source)
    design, budget = design_section(loops), budget_section(source, loops)
    anchors = frozenset(
        (
            *(f"chart-{chart.id}" for chart in found.charts),
            *(each for each, part in (("margins", design), ("budget", budget)) if f'id="{each}"' in part),
        )
    )
    rows, warnings = verdict_rows(source, anchors), warnings_of(source)
    top = [glance(source, rows, warnings), verdict_table(source, rows)]
    sections = [("verdicts", "Verdicts", join(top))]
    sections += [(each.id, each.title, _plugin(each)) for each in plugins]
    sections.append(("histories", "Time histories", _histories(source, found)))
    modes = modes_section(source)
    if modes:
        sections.append(("modes", "Modes", modes))
    sections += [("design", "Design", design), ("budgets", "Budgets", budget)]
    spins, document = spins_section(source), table_of_document(source)
    if spins:
        sections.append(("spins", "Steady spins", spins))
    if source.campaign is not None:
        sections.append(("campaign", "Campaign", campaign_section(source.campaign, folder=source.given)))
    sections.append(("metrics", "Metrics", metric_section(source)))
    if document:
        sections.append(("document", "Source document", document))
    listed = tag("ul", *(tag("li", each) for each in warnings), class_="warnings") if warnings else tag("p", "None.")
    sections.append(("warnings", "Warnings", listed))
    sections.append(("accuracy", "Invariants", accuracy_section(source, found)))
    sections.append(("case", "Case file", _case(source)))
    command = reproduce_command(source, out)
    sections.append(("provenance", "Provenance", provenance_section(source, command)))
    return sections


def _section(id_: str, title: str, content: Markup) -> Markup:
    return tag("section", tag("h2", title, id=f"heading-{id_}"), content, id=id_, aria_labelledby=f"heading-{id_}")


def _contents(sections: Sequence[tuple[str, str, Markup]]) -> Markup:
    return tag("ul", *(tag("li", tag("a", title, href=f"#{id_}")) for id_, title, _ in sections))


def _title(source: "PageSource") -> Markup:
    loaded = source.case_run.loaded
    parts: list[str] = [tag("h1", loaded.case.title), tag("p", tag("code", loaded.name), f" {loaded.case.description}")]
    if source.campaign is not None:
        parts.append(tag("p", "The histories show the nominal run of the campaign.", class_="quiet"))
    return tag("header", *parts, class_="title")


def _plugin(plugin: "Plugin") -> Markup:
    return tag("div", tag("p", plugin.note or "This section needs its script.", class_="quiet"), data_plugin=plugin.id)


def _histories(source: "PageSource", found: Histories) -> Markup:
    clock = tag(
        "div",
        tag("label", "shown time", for_="time-slider"),
        tag("input", type="range", id="time-slider", min="0", max="1", value="0", step="any"),
        tag("output", "no time", id="time-words", for_="time-slider"),
        tag("button", "zoom in", id="zoom-in", type="button"),
        tag("button", "zoom out", id="zoom-out", type="button"),
        tag("button", "whole run", id="zoom-reset", type="button"),
        tag("span", "whole run", id="zoom-words", class_="quiet"),
        class_="clock",
        role="group",
        aria_label="Time shown in all charts",
    )
    words = (
        "Drag across a chart to zoom into a time; double-click for the whole run. All charts share one cursor. "
        "Arrow keys move it in a chart with the focus, + and - zoom. A click on a name hides its line."
    )
    if found.data["envelope"]:
        rows, points = found.data["rows"], len(found.data["times"]["base64"]) * 3 // 4 // 8
        words += f" Of {rows:,} rows each chart has the smallest and largest value in {points // 2:,} intervals; "
        words += "the file of the run has every row."
    groups = dict.fromkeys(chart.group for chart in found.charts)
    parts: list[str] = [tag("p", words, class_="quiet"), clock]
    for group in groups:
        charts = tag("div", *(_chart(c, source) for c in found.charts if c.group == group), class_="charts")
        if group in OPEN_GROUPS:
            parts += [tag("h3", group), charts]
        else:
            parts.append(tag("details", tag("summary", group), charts))
    parts.append(tag("noscript", tag("p", "The charts need JavaScript; all figures and tables do not.")))
    return join(parts)


def _chart(chart: Chart, source: "PageSource") -> Markup:
    unit = "" if chart.unit in {"", "1"} else f", {chart.unit}"
    names = ", ".join(line.label for line in chart.lines)
    label = f"{chart.title}{unit}, over {source.case_run.run.t[-1]:g} s: {names}"
    plot = tag("div", id=f"plot-{chart.id}", class_="plot", tabindex="0", role="group", aria_label=label)
    note = [tag("figcaption", chart.note)] if chart.note else []
    return tag("figure", tag("h4", f"{chart.title}{unit}"), plot, *note, id=f"chart-{chart.id}")


def _case(source: "PageSource") -> Markup:
    loaded = source.case_run.loaded
    parts: list[str] = []
    if source.overrides:
        parts.append(tag("p", "Changed by --set: ", tag("code", "; ".join(source.overrides))))
    if not loaded.text:
        parts.append(tag("p", "As stored with the results, after its overrides.", class_="quiet"))
    parts.append(tag("pre", tag("code", case_text(loaded)), tabindex="0"))
    return join(parts)


def _policy(scripts: Sequence[str], *, wasm: bool) -> str:
    """Return a content security policy that permits only the page's scripts and no network requests."""
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(_safe(text).encode()).digest()).decode()}'" for text in scripts
    )
    rules = {
        "default-src": "'none'",
        "script-src": hashes + (" 'wasm-unsafe-eval'" if wasm else ""),
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _safe(script: str) -> str:
    """Return a script that cannot end its HTML element; escaped marks occur only in string literals."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _safe_style(style: str) -> str:
    return style.replace("</", "<\\/")


@cache
def _asset(name: str) -> str:
    return (resources.files("polhode.scenarios.report.page") / "assets" / name).read_text(encoding="utf-8")
