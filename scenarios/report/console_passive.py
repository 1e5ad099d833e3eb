"""Console output for steady spins and the best damper."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..case.loader import LoadedCase
from .plain_markup import escape
from .terminal import Terminal

if TYPE_CHECKING:
    from ...plant import DampingChart, SpinEquilibrium

_COLOURS = {"asymptotically stable": "green", "neutrally stable": "yellow", "unstable": "red"}


def show_passive(loaded: LoadedCase, spins: "Sequence[SpinEquilibrium]", chart: "DampingChart | None") -> None:
    """Print each steady spin with its stability, and the damper that gives the fastest nutation decay.

    spins: steady spins that have the initial angular momentum; chart: nutation damping over the damper parameters.
    """
    console = Terminal()
    console.print(f"[bold]{escape(loaded.name)}[/bold]  {escape(loaded.case.title)}")
    console.print("[dim]steady spins with the initial angular momentum[/dim]")
    for spin in spins:
        colour = _COLOURS.get(spin.kind, "yellow")
        rate = " ".join(f"{value: .4f}" for value in spin.rate)
        console.print(f"\n[{colour}]{spin.kind}[/{colour}]  {spin.axis} axis, rate {rate} rad/s")
        console.print(escape(spin.words.partition(": ")[2]))
        nutation = complex(spin.nutation)
        sink = f"  [dim](energy-sink estimate {spin.energy_sink:.5g})[/dim]" if np.isfinite(spin.energy_sink) else ""
        console.print(f"nutation eigenvalue {nutation.real:.6g} +- {abs(nutation.imag):.6g}i 1/s{sink}")
    if chart is None:
        return
    console.print(f"\n[bold]damper[/bold]  time constant {chart.given_time_constant:.4g} s as given,", end=" ")
    console.print(f"{chart.best_time_constant:.4g} s at best on the chart:")
    for name, unit, value, given in zip(chart.parameters, chart.units, chart.optimum, chart.given, strict=True):
        if unit == "rad":
            text = f"{name} {np.degrees(value):.4g} deg [dim](given {np.degrees(given):.4g})[/dim]"
        else:
            text = f"{name} {value:.4g} {unit} [dim](given {given:.4g})[/dim]"
        limit = "  [yellow]at the edge of the chart[/yellow]" if name in chart.at_limit else ""
        console.print(f"  {text}{limit}")
