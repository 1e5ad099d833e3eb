"""Console output of `polhode tune`."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from rich.table import Table

from ..case.campaigns.case_campaign import CaseCampaign
from ..case.campaigns.worst_craft import inline_toml
from ..case.tuning.trade_off import TradeOff
from ..case.tuning.tuned_case import Requirement, TunedCase
from .console import label
from .plain_markup import escape
from .terminal import Terminal


def show_tuned(found: TunedCase, runs: Sequence[Mapping[str, Any]], *, files: Sequence[str], out: str | None) -> None:
    """Print the requirements and parameters before and after tuning.

    runs: verdicts from the run; files: names of the written files; out: their directory.
    """
    console = Terminal()
    console.print(f"[bold]{escape(found.loaded.name)}[/bold]  {escape(found.loaded.case.title)}\n")
    sought = any(each.worst is not None for each in found.requirements)
    table = Table(box=None, pad_edge=False)
    for title in ("requirement", "bound", "before", "after", *(("worst found", "proven for all") * sought), ""):
        table.add_column(title, justify="left" if title in ("requirement", "") else "right")
    for each in found.requirements:
        table.add_row(*_row(each, sought=sought))
    for each in runs:
        bound = f"<= {each['max']:g}" if each["max"] is not None else f">= {each['min']:g}"
        words, unit = label(str(each["metric"]))
        verdict = "met in the run" if each["met"] else "[red]not met in the run[/red]"
        numbers = [_text(each["before"]), _text(each["after"])]
        table.add_row(escape(f"{words} {unit}"), escape(bound), *numbers, *(("", "") * sought), verdict)
    if found.soft is not None:
        metric, before, after = found.soft
        words, unit = label(metric)
        table.add_row(escape(f"{words} {unit}"), "soft goal", _text(before), _text(after), *(("", "") * sought), "")
    console.print(table)
    console.print()
    console.print(_values(found))
    console.print(f"\n{escape(_starts(found))}")
    if found.taken_as:
        console.print(escape(f"margins and budgets take the spacecraft with {found.taken_as}; the run does not"))
    if found.unfelt:
        names = ", ".join(found.unfelt)
        console.print(escape(f"without effect on the loop or on required metrics of the run: {names}"))
    if found.campaign is not None:
        console.print(escape(_campaign(found.campaign)))
    for mode, reason in found.left_out.items():
        console.print(escape(f"mode {mode} is not part of the search, so only the run judges its law: {reason}"))
    stops = [*(each.key for each in found.requirements if each.active), *found.run_active]
    if found.met and stops:
        console.print(f"goals that limit the soft goal: {escape(', '.join(stops))}")
    elif found.campaign_failure:
        console.print(f"[red]{escape(found.campaign_failure)}[/red]")
    elif not found.met:
        pair = " and ".join(stops[:2]) or " and ".join(found.run_missed[:2]) or "the requirements"
        console.print(f"[red]no start met the requirements; the tightest conflict is {escape(pair)}[/red]")
    sets = [f"{key}={inline_toml(value)}" for key, value in found.parameters.by_key(found.tuned.x).items()]
    if found.loaded.document["controller"]["kind"] != found.before.document["controller"]["kind"]:
        sets = [f"controller={inline_toml(found.loaded.document['controller'])}"]
    words = " ".join(f"--set {shlex.quote(each)}" for each in sets)
    console.print("\nthe tuned law:")
    console.print(escape(f"polhode run {shlex.quote(found.loaded.source)} {words}"), soft_wrap=True)
    if out is not None:
        console.print(f"\nwritten to {escape(out)}: {escape(', '.join(files))}")


def _values(found: TunedCase) -> Table:
    """Return the table of the tuned values."""
    values = Table(box=None, pad_edge=False)
    for title in ("value", "before", "after", "low", "high", ""):
        values.add_column(title, justify="left" if title in ("value", "") else "right")
    for each in found.values:
        mark = f"[yellow]at its {each['at_bound']} bound[/yellow]" if each["at_bound"] else ""
        numbers = [_text(each[name]) for name in ("before", "after", "low", "high")]
        values.add_row(escape(str(each["key"])), *numbers, mark)
    return values


def _row(each: Requirement, *, sought: bool) -> list[str]:
    words, unit = label(each.key)
    bound = f"{'<=' if each.at_most else '>='} {each.bound:g}"
    more = [_text(each.worst), _text(each.proven)] if sought else []
    verdict = "[green]met[/green]" if each.met else "[red]not met[/red]"
    if each.active:
        verdict += ", active"
    return [escape(f"{words} {unit}"), escape(bound), _text(each.before), _text(each.after), *more, verdict]


def _campaign(found: CaseCampaign) -> str:
    """Return a sentence on the nonlinear runs within the dispersions."""
    total = found.rates[-1]
    interval = f"{100 * found.confidence:g} % interval {100 * total.low:.1f} to {100 * total.high:.1f} %"
    return (
        f"{total.passed} of {total.runs} nonlinear runs at random values of the dispersions meet every requirement "
        f"({interval})"
    )


def _starts(found: TunedCase) -> str:
    reached = found.tuned.starts
    met = sum(left <= 1e-6 for _, left in reached)
    words = f"best of {len(reached)} start{'s' * (len(reached) > 1)} in the last search, {met} of which met every goal"
    if found.rounds:
        words += f"; {found.rounds} round{'s' * (found.rounds > 1)} of counter-examples, {found.models} spacecraft"
    if found.run_stage:
        words += "; the last stage also simulated runs"
        words += f", with gradients by differences: {found.run_simulated}" if found.run_simulated else ""
    return words


def _text(value: float | None) -> str:
    return "-" if value is None or not np.isfinite(value) else f"{value:.6g}"


def show_trade_off(found: TradeOff, *, files: Sequence[str], out: str | None) -> None:
    """Print the points of a trade-off curve with their parameters.

    files: names of the written files; out: their directory.
    """
    console = Terminal()
    console.print(f"[bold]{escape(found.loaded.name)}[/bold]  {escape(found.loaded.case.title)}\n")
    table = Table(box=None, pad_edge=False)
    for title in (found.traded, found.soft, *(each.removeprefix("controller.") for each in found.keys), ""):
        table.add_column(escape(title), justify="right" if title else "left")
    for each in found.points:
        verdict = "[green]meets all requirements[/green]" if found.meets(each) else "[red]does not meet all[/red]"
        cells = [f"{value:.6g}" for value in (each.traded, each.soft, *each.values)]
        table.add_row(*cells, verdict)
    console.print(table)
    if found.required is not None:
        side = "at most" if found.at_most else "at least"
        console.print(f"\nrequired: {escape(found.traded)} {side} {found.required:g}")
    console.print("[dim]each point is the best law that the search found, so a better trade-off may exist[/dim]")
    if out is not None:
        console.print(f"\nwritten to {escape(out)}: {escape(', '.join(files))}")
