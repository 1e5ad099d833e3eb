"""Torque budget of a run, computed once, and its table on the console."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...sim.results.shared_rows import once

if TYPE_CHECKING:
    from ...controllers import Reference
    from ...plant import Spacecraft
    from ...plant.environment import TorqueBudget
    from ...sim import Run
    from .terminal import Terminal

ROWS = 1000
"""Number of times at which a budget on the reference is evaluated."""


@once
def budget_of(run: "Run") -> "TorqueBudget | None":
    """Return the torque budget of a run; None if it has no environment or fewer than two rows."""
    craft = run.craft
    if not craft.time_dependent or run.t.size < 2:
        return None
    from ...plant.environment.budget import orbital_period, torque_budget
    from ...plant.environment.loads import EnvironmentLoads

    if not any(isinstance(potential, EnvironmentLoads) for potential in craft.potentials):
        return None
    return torque_budget(
        craft, np.asarray(run.t), states=np.asarray(run.x), rate=run.values("rate"), period=orbital_period(craft)
    )


def budget_on_reference(craft: "Spacecraft", reference: "Reference | None", duration: float) -> "TorqueBudget | None":
    """Return the torque budget of a spacecraft exactly on its reference; None if it has no environment.

    No run is needed: the torques are those at the attitude and rate about which the loop is linearised.
    duration: duration of the motion, s.
    """
    if reference is None or not craft.time_dependent:
        return None
    from ...plant.environment.budget import orbital_period, torque_budget
    from ...plant.environment.loads import EnvironmentLoads

    if not any(isinstance(potential, EnvironmentLoads) for potential in craft.potentials):
        return None
    t = np.linspace(0.0, duration, ROWS + 1)
    q, rows = reference.parameters, np.zeros((t.size, 10))
    for time, row in zip(t.tolist(), rows, strict=True):
        reference.kernel(time, q, row)
    states = np.array([craft.state(attitude=row[:4], rate=row[4:7]) for row in rows])
    return torque_budget(craft, t, states=states, rate=rows[:, 4:7], period=orbital_period(craft))


def budget_entries(budget: "TorqueBudget | None") -> dict[str, Any]:
    """Return the summary entries of a torque budget; empty if there is none."""
    if budget is None:
        return {}
    rows = [
        {
            "source": source,
            "mean_N_m": budget.mean[k].tolist(),
            "peak_N_m": float(budget.peak[k]),
            "momentum_N_m_s": budget.momentum[k].tolist(),
            "secular_N_m_s_per_orbit": budget.secular[k].tolist() if budget.orbits else None,
        }
        for k, source in enumerate(budget.sources)
    ]
    return {
        "torque_budget": rows,
        "torque_budget_orbits": budget.orbits,
        "torque_budget_turn_between_rows_deg": float(np.degrees(budget.turn)),
    }


def unresolved(turn: float) -> str:
    """Return a sentence if the rows do not resolve the rotation of the body; empty if they do.

    turn: largest rotation between successive rows, deg.
    """
    from ...plant.environment.budget import LARGEST_TURN

    if turn <= np.degrees(LARGEST_TURN):
        return ""
    return (
        f"means and momenta are approximate: the body rotates by up to {turn:.0f} deg between two rows; use a shorter "
        "run.output_s"
    )


def show_torque_budget(console: "Terminal", summary: Mapping[str, Any], *, title: str = "torque budget") -> None:
    """Print the torque budget in a summary, if it has one."""
    rows = summary.get("torque_budget", ())
    if not rows:
        return
    from rich.table import Table

    from .plain_markup import escape

    orbits = summary["torque_budget_orbits"]
    over = "momentum per orbit (N m s, inertial)" if orbits else "momentum in the run (N m s, inertial)"
    table = Table(title=f"\n{title}", title_justify="left", box=None, pad_edge=False)
    table.add_column("source", no_wrap=True)
    table.add_column("peak (N m)", justify="right", no_wrap=True)
    table.add_column("mean (N m, body)", justify="right", no_wrap=True)
    table.add_column(over, justify="right", no_wrap=True)
    for row in rows:
        change = row["secular_N_m_s_per_orbit"] or row["momentum_N_m_s"]
        table.add_row(escape(row["source"]), f"{row['peak_N_m']:.3g}", _vector(row["mean_N_m"]), _vector(change))
    console.print(table)
    note = unresolved(summary.get("torque_budget_turn_between_rows_deg", 0.0))
    if note:
        console.print(f"note: {note}")


def _vector(values: Any) -> str:
    return " ".join(f"{value:9.2e}" for value in values)
