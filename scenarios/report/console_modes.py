"""Console output for the linear model of a spacecraft with flexible arms."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from ..case.loader import LoadedCase
from .plain_markup import escape
from .terminal import Terminal

SHOWN = 12


def show_modes(loaded: LoadedCase, summary: Mapping[str, Any]) -> None:
    """Print the hub, the vibration modes and the valid frequency range of the model.

    summary: result of `polhode.scenarios.commands.arm_modes`.
    """
    console = Terminal()
    console.print(f"[bold]{escape(loaded.name)}[/bold]  {escape(loaded.case.title)}")
    modes = summary["modes"]
    kept = summary["modes_in_model"]
    states = len(summary["states"])
    console.print(f"at rest, arms straight: {states} states, hub and {len(kept)} of {len(modes)} modes of the mesh")
    diagonal = "  ".join(f"{summary['inertia_kg_m2'][k][k]:.6g}" for k in range(3))
    console.print(f"inertia about the mass centre {diagonal} kg m^2, mass {summary['mass_kg']:.6g} kg\n")
    _modes(console, modes, kept)
    whole = "  ".join(f"{100 * share:.2f}" for share in summary["inertia_share_of_all_modes"])
    console.print(f"all modes together have {whole} % of the inertia about x, y, z\n")
    _flight(console, summary["free_modes"])
    bound = summary["valid_up_to_Hz"]
    console.print()
    if bound is None:
        console.print("the model has every mode that couples to the hub's attitude; --modes N keeps the N lowest")
    else:
        console.print(f"from torque to hub rate it matches the whole mesh within 1 % up to {bound:.4g} Hz")
    console.print("[dim]A, B, C, D and eigenvalues with --json[/dim]")


def _modes(console: Terminal, modes: Sequence[Mapping[str, Any]], kept: Sequence[int]) -> None:
    console.print("modes with the hub fixed (* in the model): rotational participation,")
    console.print("kg^0.5 m; effective inertia J and mass m, % of hub and arms")
    table = _table("", "Hz", "damping", "x", "y", "z", "J x", "y", "z", "m x", "y", "z")
    for mode in modes[:SHOWN]:
        table.add_row(
            f"{mode['number']}{'*' if mode['number'] in kept else ' '}",
            f"{mode['frequency_Hz']:.5g}",
            f"{mode['damping_ratio']:.3g}",
            *(_small(value, ".4g") for value in mode["rotation_kg05_m"]),
            *(_small(100.0 * value, ".2f") for value in mode["inertia_share"]),
            *(_small(100.0 * value, ".2f") for value in mode["mass_share"]),
        )
    console.print(table)
    _more(console, modes)


def _flight(console: Terminal, modes: Sequence[Mapping[str, Any]]) -> None:
    console.print("modes of the free spacecraft: hub motion per unit of the mode,")
    console.print("kg^-0.5 and rad kg^-0.5 m^-1")
    table = _table("", "Hz", "damping", "moves x", "y", "z", "turns x", "y", "z")
    for mode in modes[:SHOWN]:
        table.add_row(
            str(mode["number"]),
            f"{mode['frequency_Hz']:.5g}",
            f"{mode['damping_ratio']:.3g}",
            *(_small(value, ".3g") for value in mode["hub_place_per_kg05"]),
            *(_small(value, ".3g") for value in mode["hub_turn_rad_per_kg05_m"]),
        )
    console.print(table)
    _more(console, modes)


def _table(*words: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for word in words:
        table.add_column(word, justify="right", no_wrap=True)
    return table


def _more(console: Terminal, modes: Sequence[Any]) -> None:
    if len(modes) > SHOWN:
        console.print(f"[dim]and {len(modes) - SHOWN} more, up to {modes[-1]['frequency_Hz']:.4g} Hz[/dim]")


def _small(value: float, form: str) -> str:
    return "-" if abs(value) < 1e-6 else format(value, form)
