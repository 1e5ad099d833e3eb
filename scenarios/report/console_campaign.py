"""Console output for a campaign."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from rich.table import Table

from .console import label
from .plain_markup import escape
from .terminal import Terminal

MOST = 4
MOST_INDICES = 10


def show_campaign(summary: Mapping[str, Any], *, title: str, files: Sequence[str], out: str | None) -> None:
    """Print the pass rates, spreads and sensitivities of the requirements, and the worst runs.

    files: names of the written files; out: their directory.
    """
    console = Terminal()
    console.print(f"[bold]{escape(summary['case'])}[/bold]  {escape(title)}")
    counts = ", ".join(f"{count} {name}" for name, count in summary["statuses"].items()) or "none"
    console.print(
        f"{summary['runs']} of {summary['planned']} runs ({summary['plan']}, seed {summary['seed']}): {counts}"
    )
    for run, reason in list(summary["reasons"].items())[:MOST]:
        console.print(f"  [yellow]run {run}[/yellow]: {escape(reason)}")
    _rates(console, summary)
    _spread(console, summary)
    _drivers(console, summary, out)
    if out is not None:
        console.print(f"\nwritten to {escape(out)}: {escape(', '.join(files))}")


def _rates(console: Terminal, summary: Mapping[str, Any]) -> None:
    if not summary["pass_rates"]:
        console.print("\n[dim]the case has no requirements; \\[\\[require]] states them[/dim]")
        return
    random = summary["plan"] == "random"  # other plans are not random samples, so they have no confidence interval
    sure = f"{100 * summary['confidence']:g} % interval" if random else ""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading, justify in (("requirement", "left"), ("passed", "right"), ("share", "right"), (sure, "right")):
        table.add_column(heading, justify=justify)  # pyright: ignore[reportArgumentType] # two of rich's own words
    for rate in summary["pass_rates"]:
        interval = f"{100 * rate['low']:.2f} to {100 * rate['high']:.2f} %" if random else ""
        passed = f"{rate['passed']} of {rate['runs']}"
        table.add_row(escape(rate["requirement"]), passed, f"{100 * rate['share']:.2f} %", interval)
    console.print()
    console.print(table)
    claim = summary.get("claim")
    if claim is None:
        return
    share, sure = f"{100 * claim['required_share']:g} %", f"at {100 * claim['confidence']:g} % confidence"
    if claim["shown"]:
        console.print(f"[green]shown[/green]    at least {share} of all runs meet every requirement, {sure}")
    elif claim["reason"]:
        console.print(f"[red]not shown[/red] that {share} meet every requirement: {claim['reason']}")
    elif claim["refuted"]:
        met = f"{claim['passed']} of {claim['runs']} did, so at most {100 * claim['at_most']:.1f} % of all runs do"
        console.print(f"[red]refuted[/red]  that {share} meet every requirement: {met}, {sure}")
    else:
        needed = f"with no more failures than these {claim['runs_needed']} runs would show it"
        console.print(f"[red]not shown[/red] that {share} meet every requirement, {sure}: {needed}")


def _spread(console: Terminal, summary: Mapping[str, Any]) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("")
    for heading in ("nominal", "5 %", "median", "95 %", "largest"):
        table.add_column(heading, justify="right")
    table.add_column("", style="dim")
    for name, spread in summary["metrics"].items():
        words, unit = label(name)
        keys = ("nominal", "quantile_5", "median", "quantile_95", "largest")
        table.add_row(words, *(_value(spread[key]) for key in keys), escape(unit))
    console.print()
    console.print(table)
    if summary["noisy"]:
        console.print("[dim]nominal: the case as in polhode run with its own seed, one draw of its noise[/dim]")


def _drivers(console: Terminal, summary: Mapping[str, Any], out: str | None) -> None:
    for metric, found in summary["sensitivities"].items():
        chance = summary["sensitivity_by_chance"][metric]
        felt = {name: value for name, value in found.items() if chance is not None and abs(value) > chance}
        words = ", ".join(f"{name} {value:+.2f}" for name, value in list(felt.items())[:MOST])
        none = "nothing that varies" if not found else "too few runs to say" if chance is None else "nothing"
        left = f" (|r| up to {chance:.2f} is chance)" if found and chance is not None else ""
        console.print(f"\n{metric} correlates with (rank correlation): {escape(words) or none}{left}")
        if summary["sobol_indices"]:
            _indices(console, summary["sobol_indices"][metric])
        worst = ", ".join(f"{each['run']} ({_value(each['value'])})" for each in summary["worst"][metric])
        console.print(f"its worst runs: {worst}")
    if summary["sensitivities"] and out is not None:
        console.print(f"[dim]repeat one of them: polhode run --from-campaign {escape(out)} --run K[/dim]")


def _value(value: float | None) -> str:
    return "no value" if value is None or isnan(value) else f"{value:.4g}"


def _indices(console: Terminal, found: Mapping[str, Any]) -> None:
    """Print the first-order and total Sobol indices: fractions of variance without and with interactions."""
    if "reason" in found:
        console.print(f"  [yellow]no Sobol indices[/yellow]: {escape(found['reason'])}")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 2))
    for heading, justify in (("fraction of its variance", "left"), ("alone", "right"), ("with others", "right")):
        table.add_column(heading, justify=justify)  # pyright: ignore[reportArgumentType] # two of rich's own words
    for name, index in list(found.items())[:MOST_INDICES]:
        low, high = index["total_interval"]
        table.add_row(escape(name), f"{index['first']:.3f}", f"{index['total']:.3f} ({low:.3f} to {high:.3f})")
    console.print(table)
