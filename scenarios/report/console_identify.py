"""Console output of `polhode identify`."""

import shlex
from collections.abc import Sequence
from math import degrees

import numpy as np
from rich.table import Table

from ..case.campaigns.worst_craft import inline_toml
from ..case.identification import DesignedExcitation, IdentifiedCase
from .plain_markup import escape
from .terminal import Terminal

STRONG = 0.9  # smallest magnitude of a correlation that is printed


def show_identified(found: IdentifiedCase, *, files: Sequence[str], out: str | None) -> None:
    """Print the estimates, correlations, unobservable combinations and residuals.

    files: names of the written files; out: their directory.
    """
    console = Terminal()
    console.print(f"[bold]{escape(found.loaded.name)}[/bold]  {escape(found.loaded.case.title)}\n")
    console.print(_estimates(found))
    names, correlation = found.information.names, found.information.correlation
    strong = [
        (abs(correlation[i, j]), f"{names[i]} and {names[j]} {correlation[i, j]:+.3f}")
        for i in range(len(names))
        for j in range(i)
        if abs(correlation[i, j]) >= STRONG
    ]
    if strong:
        words = ", ".join(text for _, text in sorted(strong, reverse=True)[:6])
        console.print(f"\ncorrelations above {STRONG:g}: {escape(words)}", soft_wrap=True)
    if found.unobservable:
        console.print("\n[red]not determined by this telemetry, so there is no estimate:[/red]")
        for each, words in zip(found.unobservable, found.advice, strict=True):
            console.print(escape(f"  {each} (sigma {_text(each.sigma)} of its magnitude): {words}"), soft_wrap=True)
    else:
        worst = found.information.combinations[0]
        console.print(f"\nleast certain combination: {escape(str(worst))}, sigma {_text(worst.sigma)} of its magnitude")
    console.print()
    console.print(_residuals(found))
    for words in found.notes:
        console.print(escape(words), soft_wrap=True)
    console.print(f"\n{found.steps} steps; error of the sensitivities {100 * found.difference_error:.2g} % of sigma")
    if found.simulated:
        console.print(escape(f"sensitivities by differences of simulated runs: {found.simulated}"), soft_wrap=True)
    if found.observable and found.by_key:
        sets = " ".join(f"--set {shlex.quote(f'{key}={inline_toml(value)}')}" for key, value in found.by_key.items())
        console.print("\nthe identified case:")
        console.print(escape(f"polhode run {shlex.quote(found.loaded.source)} {sets}"), soft_wrap=True)
    if out is not None:
        console.print(f"\nwritten to {escape(out)}: {escape(', '.join(files))}")


def _estimates(found: IdentifiedCase) -> Table:
    """Return the table of the estimates."""
    table = Table(box=None, pad_edge=False)
    for title in ("parameter", "before", "estimate", "sigma", ""):
        table.add_column(title, justify="left" if title in ("parameter", "") else "right")
    for each in found.estimates:
        estimate = f"{each.value:.7g}" if found.observable else "-"
        table.add_row(escape(each.name), f"{each.before:.7g}", estimate, _text(each.sigma), escape(each.unit))
    for each in found.nuisances:
        table.add_row(
            escape(each.name),
            f"{each.before:.4g}",
            f"{each.value:.4g}",
            _text(each.sigma),
            escape(f"{each.unit}, also estimated"),
        )
    return table


def _residuals(found: IdentifiedCase) -> Table:
    """Return the table of the residual tests."""
    rows = Table(box=None, pad_edge=False)
    for title in ("residuals of", "number", "mean square", "99.9 % band", "whiteness", ""):
        rows.add_column(title, justify="left" if title in ("residuals of", "") else "right")
    for each in found.tests:
        good = each.fits and each.is_white
        verdict = "[green]as declared[/green]" if good else "[red]not as declared[/red]"
        band = f"{each.band[0]:.4f} to {each.band[1]:.4f}"
        rows.add_row(
            escape(each.name),
            str(each.count),
            f"{each.mean_square:.4f}",
            band,
            "-" if np.isnan(each.whiteness) else f"{each.whiteness:.2g}",
            verdict,
        )
    return rows


def _text(value: float) -> str:
    return f"{value:.3g}" if np.isfinite(value) else "infinite"


def show_excitation(found: DesignedExcitation, *, files: Sequence[str], out: str | None) -> None:
    """Print the standard deviations expected from a designed excitation, and how much of the envelope it uses.

    files: names of the written files; out: their directory.
    """
    console = Terminal()
    console.print(f"[bold]{escape(found.loaded.name)}[/bold]  {escape(found.loaded.case.title)}\n")
    table = Table(box=None, pad_edge=False)
    for title in ("parameter", "size", "sigma without torque", "sigma"):
        table.add_column(title, justify="left" if title == "parameter" else "right")
    rows = zip(
        found.information.names, found.information.scale, found.reference.sigma, found.information.sigma, strict=True
    )
    for name, size, before, sigma in rows:
        table.add_row(escape(name), f"{size:.4g}", _text(before), _text(sigma))
    console.print(table)
    worst = found.information.combinations[0]
    console.print(
        f"\nleast certain combination: {escape(str(worst))}, sigma {_text(worst.sigma)} of its size", soft_wrap=True
    )
    torque = np.abs(found.commands).max(axis=0)
    console.print(
        f"{len(found.commands)} commands of {found.period:g} s, best of {found.evaluated} evaluated; torque up to "
        f"{', '.join(f'{each:.4g}' for each in torque)} N m, rate up to {degrees(found.peak_rate):.4g} of "
        f"{degrees(found.max_rate):.4g} deg/s",
        soft_wrap=True,
    )
    if found.wheels.size:
        console.print(f"wheel rates up to {np.abs(found.wheels).max():.4g} rad/s")
    console.print(
        "[dim]the prediction holds if the values of the case are right; simulate the commands with margins[/dim]"
    )
    if out is not None:
        console.print(f"\nwritten to {escape(out)}: {escape(', '.join(files))}")
