"""Console output for an Euler sequence: its rotations and its torque bases."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from ...plant.loads.torque import TorqueBases
from .terminal import Terminal


def show_cans(summary: Mapping[str, Any], *, file: str) -> None:
    """Print the rotations of an Euler sequence.

    summary: result of `summary_of`; file: name of the figure file.
    """
    console = _console()
    console.print(f"[bold]{summary['sequence']}[/bold]  {_state(summary)}")
    table = _table("rotation", "angle (deg)", "about", "axis in inertial components")
    for number, (turn, angle) in enumerate(zip(summary["turns"], summary["angles_deg"], strict=True), start=1):
        numbers = _vector(turn["direction"])
        table.add_row(str(number), f"{angle:.10g}", turn["axis"], f"g{number} = {numbers}")
    console.print(table)
    console.print(f"\nwritten to {file}", markup=False, soft_wrap=True)


def show_bases(bases: TorqueBases, *, file: str | None) -> None:
    """Print the Euler basis, its dual basis, and whether each theorem holds.

    bases: result of `explore_bases`; file: name of the figure file, if any.
    """
    console = _console()
    angles = "  ".join(f"{angle:.10g}" for angle in np.degrees(bases.angles).tolist())
    console.print(f"[bold]{bases.sequence}[/bold]  angles {angles} deg")
    table = _table("", "body components", "inertial components", "length")
    rows = (
        ("g", bases.euler_body, bases.euler_inertial, bases.euler_lengths),
        ("g^", bases.dual_body, bases.dual_inertial, bases.dual_lengths),
    )
    for name, body, inertial, lengths in rows:
        for n in range(3):
            length = f"{lengths[n]:.6g}" if np.isfinite(lengths[n]) else "infinite"
            table.add_row(f"{name}{n + 1}", _vector(body[n]), _vector(inertial[n]), length)
    console.print(table)
    condition = f"{bases.condition:.6g}" if np.isfinite(bases.condition) else "infinite"
    console.print(f"\ncondition number of \\[g1 g2 g3]  {condition}")
    where = "0 (this is one)" if bases.singular else f"{np.degrees(bases.distance):.6g}"
    console.print(f"distance to a singular pose (deg)  {where}\n")
    verdicts = _table("torque along", "is", "per unit", "by", gap=1)
    for components, verdict in bases.verdicts.items():
        size = f"{verdict.amplification:.6g}" if np.isfinite(verdict.amplification) else "infinite"
        verdicts.add_row(components, verdict.behaviour, size, verdict.theorem)
    console.print(verdicts)
    console.print("[dim]Choi (2014), section 2.1; a motion need not reach a singular pose[/dim]")
    if file is not None:
        console.print(f"\nwritten to {file}", markup=False, soft_wrap=True)


def _console() -> Terminal:
    return Terminal()


def _table(*columns: str, gap: int = 2) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="dim")
    for column in columns:
        table.add_column(column, no_wrap=True)
    return table


def _vector(values: NDArray[np.float64] | list[float]) -> str:
    if not np.isfinite(values).all():
        return "does not exist"
    return " ".join(f"{value + 0.0: .6f}" for value in np.round(values, 6).tolist())


def _state(summary: Mapping[str, Any]) -> str:
    if summary["state"] == "gimbal lock":
        return "[yellow]gimbal lock[/yellow]: the three axes lie in one plane"
    return f"{summary['state']}: {summary['distance_deg']:.6g} deg from gimbal lock"
