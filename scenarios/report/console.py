"""Console output for a run, a design and a linear model, each on one screen."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from ..case.loader import LoadedCase
from ..case.sentences import UNITS
from .plain_markup import escape
from .terminal import Terminal
from .torque_budget import show_torque_budget

WIDEST_GAIN = 12
MOST_STATES = 24
"""Largest number of states for which matrices are printed. Larger matrices appear only in the JSON output."""

_COLOURS = {"completed": "green", "singular": "yellow", "stopped": "yellow", "failed": "red"}


def _console() -> Terminal:
    return Terminal()


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.6g}"


def _attitude(item: Mapping[str, Any]) -> str:
    return " ".join(f"{value: .5f}" for value in item["attitude"])


def _rate(item: Mapping[str, Any]) -> str:
    return " ".join(f"{value: .3e}" for value in item["rate_rad_s"])


def label(key: str) -> tuple[str, str]:
    """Split a key such as peak_rate_deg_s into label and unit."""
    name, space, rest = key.partition(" ")  # such as "in mode fine", or the band of a gain
    if space:
        words, unit = label(name)
        return f"{words} {rest}", unit
    if key.endswith("_integral_deg_s"):  # deg s, whereas deg_s otherwise means deg/s
        return key.removesuffix("_deg_s").replace("_", " "), "deg s"
    effort = "_N2_m2_s"
    if key.endswith(effort):
        return key.removesuffix(effort).replace("_", " "), "N^2 m^2 s"
    for ending, unit in UNITS:
        if key.endswith(ending):
            return key[: -len(ending)].replace("_", " "), unit
    return key.replace("_", " "), ""


def show_run(loaded: LoadedCase, summary: Mapping[str, Any], *, files: Sequence[str], out: str | None) -> None:
    """Print the results of a run.

    summary: result of `run_summary`; files: names of the written files; out: their directory.
    """
    console = _console()
    status = summary["status"]
    console.print(f"[bold]{escape(loaded.name)}[/bold]  {escape(loaded.case.title)}")
    colour = _COLOURS.get(status, "red")
    console.print(f"[{colour}]{status}[/{colour}] at t = {summary['t_end_s']:g} s", end="")
    console.print(f": {escape(summary['reason'])}" if summary["reason"] else "")

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(justify="right")
    table.add_column(style="dim")
    for key, value in {**summary["metrics"], **summary["invariants"]}.items():
        if key in summary["inapplicable"]:
            continue
        reason = summary["unavailable"].get(key, "")
        words, unit = label(key)
        note = unit if value is not None else f"({reason})"
        table.add_row(words, _number(value), escape(note))
    console.print()
    console.print(table)

    final = summary["final"]
    console.print()
    console.print(f"final attitude  {_attitude(final)}  [dim]scalar first[/dim]")
    console.print(f"final body rate {_rate(final)}  [dim]rad/s[/dim]")
    _show_samples(console, summary["samples"])
    _show_modes(console, summary.get("modes", ()))
    show_torque_budget(console, summary)
    _show_document(console, summary.get("document", ()))
    _show_comparison(console, summary.get("comparison", ()))
    _show_requirements(console, summary["requirements"])
    show_warnings(summary["warnings"], console)
    if out is not None:
        console.print(f"\nwritten to {escape(out)}: {escape(', '.join(files))}")


def _show_samples(console: Terminal, samples: Sequence[Mapping[str, Any]]) -> None:
    if not samples:
        return
    console.print("\n[dim]   t (s)   attitude, scalar first              body rate (rad/s)[/dim]")
    for item in samples:
        console.print(f"{item['t_s']:8.7g} {_attitude(item)}  {_rate(item)}", soft_wrap=True)


def _show_modes(console: Terminal, rows: Sequence[Mapping[str, Any]]) -> None:
    if not rows:
        return
    table = Table(title="\nmodes", title_justify="left", box=None, pad_edge=False, show_header=False)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("", style="dim")
    for row in rows:
        unseen = f"; {row['unseen_before']} more before it, between two rows" if row["unseen_before"] else ""
        table.add_row(f"{row['from_s']:.7g} s", escape(row["mode"]), escape(f"{row['why']}{unseen}"))
    console.print(table)


def _show_document(console: Terminal, rows: Sequence[Mapping[str, Any]]) -> None:
    if not rows:
        return
    table = Table(title="\nthe source document's table", title_justify="left", box=None, pad_edge=False)
    table.add_column("")
    for column in ("document", rows[0]["reference"], "polhode"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        mark = " *" if row["note"] else ""
        table.add_row(row["quantity"], row["document"] + mark, f"{row['exact']:.9g}", f"{row['polhode']:.9g}")
    console.print(table)
    for note in dict.fromkeys(row["note"] for row in rows if row["note"]):
        console.print(f"[dim]* {escape(note)}[/dim]")


def _show_comparison(console: Terminal, rows: Sequence[Mapping[str, Any]]) -> None:
    if not rows:
        return
    table = Table(title="\ncomparison of the laws", title_justify="left", box=None, pad_edge=False)
    table.add_column("")
    for row in rows:
        table.add_column(row["label"], justify="right", min_width=11)
    if any(row["status"] != "completed" for row in rows):
        table.add_row("", *(f"[red]{row['status']}[/red]" if row["status"] != "completed" else "" for row in rows))
    for key in rows[0]:
        if key not in ("label", "status"):
            words, unit = label(key)
            table.add_row(f"{words} ({unit})" if unit else words, *(f"{_number(row[key])}" for row in rows))
    console.print(table)


def _show_requirements(console: Terminal, requirements: Sequence[Mapping[str, Any]]) -> None:
    if requirements:
        console.print()
    for item in requirements:
        bounds = [f"{word} {item[word]:g}" for word in ("min", "max") if item[word] is not None]
        mark = "[green]met    [/green]" if item["met"] else "[red]NOT MET[/red]"
        words, unit = label(item["metric"])
        value = _number(item["value"])
        console.print(f"{mark}  {words} {value} {unit}".rstrip() + f"  [dim]({', '.join(bounds)})[/dim]")


def _show_matrix(console: Terminal, name: str, rows: Sequence[str], columns: Sequence[str], values: Any) -> None:
    """Print a matrix with all digits; columns that do not fit the terminal width follow below."""
    cells = [[f"{value:.5g}" if value else "0" for value in line] for line in values]
    heads = [column.replace("attitude_error", "att").replace("momentum", "mom") for column in columns]
    widths = [max(map(len, (head, *column))) + 2 for head, *column in zip(heads, *cells, strict=True)]
    margin = max(map(len, rows))
    console.print(name)
    start = 0
    while start < len(heads):
        stop = start + 1
        while stop < len(heads) and margin + sum(widths[start : stop + 1]) <= console.width:
            stop += 1
        for label, line in (("", heads), *zip(rows, cells, strict=True)):
            text = "".join(line[n].rjust(widths[n]) for n in range(start, stop))
            console.print(f"[dim]{label:<{margin}}[/dim]{text}", soft_wrap=True)
        start = stop


def _complex(pair: Sequence[float]) -> str:
    real, imaginary = pair
    return f"{real:.6g}" if imaginary == 0.0 else f"{real:.6g} {'+' if imaginary > 0 else '-'} {abs(imaginary):.6g}i"


def show_linear_model(loaded: LoadedCase, summary: Mapping[str, Any]) -> None:
    """Print a linear model.

    summary: result of `linear_model_summary`.
    """
    console = _console()
    console.print(f"[bold]{escape(loaded.name)}[/bold]  {escape(loaded.case.title)}")
    console.print(f"equilibrium residual {summary['equilibrium_residual']:.3g}\n")
    if summary["held_coordinates"]:
        held = zip(summary["held_coordinates"], summary["holding_torques_N_m"], strict=True)
        torques = ", ".join(f"{torque:.4g} N m on {name}" for name, torque in held)
        console.print(f"motors hold their wheels against friction: {torques}\n")
    for sentence in summary["left_out"]:
        console.print(f"{escape(sentence)}\n", soft_wrap=True)
    if len(summary["states"]) > MOST_STATES:
        numbers = f"{len(summary['states'])} states, {len(summary['inputs'])} inputs, {len(summary['outputs'])} outputs"
        console.print(f"{numbers}  [dim]A, B, C, D with --json[/dim]")
    else:
        _show_matrices(console, summary)
    console.print("\neigenvalues (1/s)  " + ",  ".join(_complex(pair) for pair in summary["eigenvalues"]))


def _show_matrices(console: Terminal, summary: Mapping[str, Any]) -> None:
    _show_matrix(console, "A", summary["states"], summary["states"], summary["A"])
    _show_matrix(console, "\nB", summary["states"], summary["inputs"], summary["B"])
    _show_matrix(console, "\nC", summary["outputs"], summary["states"], summary["C"])
    if any(any(row) for row in summary["D"]):
        _show_matrix(console, "\nD", summary["outputs"], summary["inputs"], summary["D"])
    else:
        console.print("\nD = 0")


def show_design(loaded: LoadedCase, summary: Mapping[str, Any], *, words: str, analysis: str) -> None:
    """Print a designed controller.

    summary: result of `design_summary`; words: description of the law and its reference; analysis: margins and
    other results as text.
    """
    console = _console()
    console.print(f"[bold]{escape(loaded.name)}[/bold]  {escape(loaded.case.title)}")
    console.print(
        f"method {summary['method']}, sampled every {summary['sample_s']:g} s, delay {summary['delay_s']:g} s"
    )
    console.print(escape(words), soft_wrap=True)
    large = [f"{name} {len(rows)} x {len(rows[0])}" for name, rows in summary["gains"].items() if _is_large(rows)]
    for name, matrix in summary["gains"].items():
        if not _is_large(matrix):
            console.print(f"\n{name}")
            for row in matrix:
                console.print("  " + "  ".join(f"{value + 0.0: .6g}" for value in row))  # + 0 turns -0 into 0
    if large:
        console.print(f"\n{', '.join(large)}  [dim]with --json[/dim]")
    if summary["closed_loop_poles"] is not None:
        poles = ",  ".join(_complex(pair) for pair in summary["closed_loop_poles"])
        console.print(f"\nclosed-loop poles (z-plane)  {poles}")
    console.print()
    console.print(analysis, markup=False, soft_wrap=True)
    show_torque_budget(console, summary, title="torque budget on the reference")
    _show_requirements(console, summary["requirements"])
    show_warnings(summary["warnings"], console)


def _is_large(matrix: Sequence[Sequence[float]]) -> bool:
    return len(matrix[0]) > WIDEST_GAIN


def show_warnings(warnings: Sequence[str], console: Terminal | None = None) -> None:
    """Print the warnings of runs.

    warnings: one sentence each; console: console to print on, by default stdout.
    """
    shown = _console() if console is None else console
    for warning in warnings:
        shown.print(f"[yellow]warning[/yellow]  {escape(warning)}")
