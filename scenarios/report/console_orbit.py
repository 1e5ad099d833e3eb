"""Console output for an analysis along an orbit."""

from math import exp, isfinite

from rich.table import Table

from ...sim import Floquet
from ..case.loader import LoadedCase
from ..commands.orbit_analysis import NEAR
from .plain_markup import escape
from .terminal import Terminal

SIMULATED = {True: "within 2 %", False: "not confirmed", None: "too slow to simulate"}
LOWEST = -600.0  # logarithm below which a multiplier underflows


def show_floquet(loaded: LoadedCase, found: Floquet, *, holds: bool) -> None:
    """Print the multipliers and margins over an orbit.

    loaded: the case; found: result of `floquet`; holds: whether the loop is stable and agrees with the simulations.
    """
    console = Terminal()
    console.print(f"[bold]{escape(loaded.name)}[/bold]  {escape(loaded.case.title)}\n")
    over = f"{found.samples} samples of the law" if found.samples else "continuous"
    console.print(f"Floquet multipliers over one orbit of {found.period:.6f} s ({over})")
    if found.log_largest > LOWEST:
        for each in found.multipliers:
            if abs(each) < 1e-12 * abs(found.multipliers[0]):
                continue
            imaginary = f" {'+' if each.imag > 0 else '-'} {abs(each.imag):.12g} i" if each.imag else ""
            console.print(f"  {each.real:.12g}{imaginary}")
    largest = f"{exp(found.log_largest):.4g}" if found.log_largest > LOWEST else f"exp({found.log_largest:.5g})"
    _say(console, found.stable, f"largest multiplier {largest}: {'stable' if found.stable else 'unstable'}")
    if isfinite(found.difference):
        _say(console, found.difference <= NEAR, f"simulated orbit map differs by {found.difference:.2g}")
    if found.margins:
        table = Table(
            title="margins over the orbit", title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0)
        )
        for heading in ("input", "changed"):
            table.add_column(heading)
        for heading in ("over the orbit", "at fixed places", "simulated"):
            table.add_column(heading, justify="right", no_wrap=True)
        for row in found.margins:
            unit = " s" if row.kind == "delay" else ""
            low, high = row.places
            frozen = f"{low:.5g} to {high:.5g}{unit}" if isfinite(low) else "-"
            table.add_row(
                row.input, row.kind, f"{row.predicted:.5g}{unit}", frozen,
                SIMULATED[row.confirmed],
            )  # fmt: skip
        console.print(table)
    for words in found.words:
        console.print(escape(words))
    if not holds:
        console.print("the loop is not confirmed as stable over the orbit")


def _say(console: Terminal, good: bool, words: str) -> None:
    console.print(f"{'yes' if good else 'NO'}  {escape(words)}")
