"""Console output for a loop analysis."""

from collections.abc import Sequence

import numpy as np
from rich.table import Table

from ...controllers import PointingBudget
from ...sim import PointingErrors
from ..case.loader import LoadedCase
from ..commands.limit_cycles import AxisCycle
from ..commands.loop_analysis import AGREE, Analysis
from .plain_markup import escape
from .terminal import Terminal

ARCSEC = np.pi / 180.0 / 3600.0


def show_analysis(loaded: LoadedCase, found: Analysis) -> None:
    """Print the predicted and simulated margins of a loop, and the verdicts.

    found: result of `analyse`.
    """
    console = Terminal()
    console.print(f"[bold]{escape(loaded.name)}[/bold]  {escape(loaded.case.title)}\n")
    if found.taken_as:
        console.print(f"[dim]model and simulation of the spacecraft with {escape(found.taken_as)}[/dim]\n")
    table = Table(title="margins", title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("input")
    table.add_column("changed")
    for heading in ("predicted", "observed", "observed/predicted"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in found.margins.rows:
        unit = " s" if row.kind == "delay" else ""
        seen = "not found" if row.observed is None else f"{row.observed:.5g}{unit}"
        ratio = "" if row.ratio is None else f"{row.ratio:.4f}"
        table.add_row(row.input, row.kind, f"{row.predicted:.5g}{unit}", seen, ratio)
    console.print(table)
    agree = found.margins.worst <= AGREE
    for words in found.margins.words:
        console.print(escape(words))
    _say(console, agree, f"margins agree with the nonlinear simulation within {100 * found.margins.worst:.2g} %")

    if found.budget is not None:
        _show_budget(console, found.budget, found.measured)
    if found.no_budget:
        console.print(f"[dim]{escape(found.no_budget)}[/dim]")
    if found.overlay is not None:
        laid = found.overlay.to_dict()
        parts = ", ".join(
            f"{words} {100 * laid[f'{key}_difference']:.2g} %"
            for key, words in (("error_vector", "attitude error"), ("rate", "rate"), ("command", "command"))
        )
        limits = "; the torque reached its limit" if laid["saturated"] else ""
        console.print(f"linear loop against the run from {laid['start_angle_deg']:.3g} deg: {parts}{limits}")

    if found.lyapunov is None:
        console.print(f"[dim]{escape(found.reason)}[/dim]")
    else:
        V = found.lyapunov
        words = f"V = {V.function.words} decreases from {V.values[0]:.4g} to {V.values[-1]:.3g}"
        rise = f"; largest increase {V.largest_increase:.2g} of the initial value"
        _say(console, V.decreases(), escape(words + rise))
    apart = np.degrees(found.unwinding.difference.max())
    _say(console, not found.unwinding.unwinds, f"no unwinding: from e and -e the attitudes differ by {apart:.2g} deg")

    if found.known:
        console.print("[dim]global stability, for the law with the true attitude instead of the estimate:[/dim]")
    region = found.region
    settled, starts = int(np.isfinite(region.settling_time).sum()), region.settling_time.size
    console.print(
        f"{settled} of {starts} starts up to {np.degrees(region.angles[-1]):.3g} deg and "
        f"{np.degrees(region.rates[-1]):.3g} deg/s settle within {np.degrees(region.band):.3g} deg in "
        f"{region.duration:g} s"
    )


def _show_budget(console: Terminal, budget: PointingBudget, measured: PointingErrors | None) -> None:
    """Print the pointing budget by source, and its totals next to the errors measured in the run."""
    table = Table(
        title=f"pointing errors about x, y, z, 1 sigma, arcsec; means over {budget.window:g} s",
        title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0),
    )  # fmt: skip
    table.add_column("source")
    for heading in ("APE", "MPE", "RPE"):
        table.add_column(heading, justify="right", no_wrap=True)

    def add(words: str, *rows: np.ndarray) -> None:
        table.add_row(words, *(" ".join(f"{value / ARCSEC:.3g}" for value in row) for row in rows))

    pointing = budget.pointing
    for n, name in enumerate(budget.sources):
        add(name, pointing.absolute[n], pointing.mean[n], pointing.relative[n])
    add("all", *pointing.total())
    if measured is not None:
        add(f"measured, from {measured.start:g} s", *measured.pointing)
    if budget.knowledge.absolute.any():
        add("knowledge: AKE, MKE, RKE", *budget.knowledge.total())
    if measured is not None and measured.knowledge is not None:
        add("knowledge, measured", *measured.knowledge)
    console.print(table)
    share = f"{100.0 * budget.confidence:g} %"
    console.print(
        f"[dim]{share} of a Gaussian error are within {budget.factor:.3f} sigma: for noise over time, for a bias over "
        "the ensemble of runs (mixed interpretation, ECSS-E-ST-60-10C)[/dim]"
    )
    for words in budget.words:
        console.print(f"[dim]not included: {escape(words)}[/dim]")
    if measured is not None and measured.limited:
        console.print(
            f"the torque was at its limit in {100.0 * measured.limited:.3g} % of the samples, which the linear "
            "budget does not include"
        )


def show_limit_cycles(loaded: LoadedCase, cycles: Sequence[AxisCycle]) -> None:
    """Print predicted and simulated limit cycles of on-off thrusters.

    cycles: result of `limit_cycles`.
    """
    console = Terminal()
    console.print(f"[bold]{escape(loaded.name)}[/bold]  {escape(loaded.case.title)}\n")
    table = Table(title="limit cycles", title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("axis")
    table.add_column("")
    for heading in ("period s", "amplitude deg", "rate deg/s"):
        table.add_column(heading, justify="right", no_wrap=True)
    for cycle in cycles:
        band = cycle.band
        edges = (band.period_s, np.degrees(band.amplitude_rad), np.degrees(band.rate_rad_s))
        table.add_row(cycle.axis, "sampled, any start", *(_span(low, high) for low, high in edges))
        rows = [(f"simulated, start {n + 1}", found) for n, found in enumerate(cycle.simulated)]
        rows += [("without sampling", cycle.continuous), ("describing function", cycle.describing_function)]
        for words, found in rows:
            numbers = ("none", "", "")
            if found is not None:
                values = (found.period_s, np.degrees(found.amplitude_rad), np.degrees(found.rate_rad_s))
                numbers = tuple(f"{value:.4g}" for value in values)
            table.add_row("", words, *numbers)
    console.print(table)
    blur = 100.0 * max(cycle.blur for cycle in cycles)
    console.print(
        "[dim]Pulses are whole samples, and one sample of thrust changes the rate of the drifts by up to "
        f"{blur:.2g} %: the cycle within the band depends on the start. The describing function assumes sinusoidal "
        "motion, which short pulses are not.[/dim]"
    )
    if any(cycle.band.can_rest for cycle in cycles):
        console.print("[dim]From rest, the spacecraft may also stay at rest inside the deadband.[/dim]")
    for cycle in cycles:
        _say(console, cycle.holds, f"about {cycle.axis} every simulated cycle is within the band")


def _span(low: float, high: float) -> str:
    return f"{low:.4g} to {high:.4g}" if np.isfinite(high) else f"{low:.4g} and longer"


def _say(console: Terminal, good: bool, words: str) -> None:
    mark = "[green]yes[/green]" if good else "[red]NO [/red]"
    console.print(f"{mark}  {words}")
