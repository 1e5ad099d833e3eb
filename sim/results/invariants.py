"""Errors of the conserved quantities and balances of a run, and the scales by which they are divided."""

from typing import TYPE_CHECKING

import numpy as np

from .kinetic_energy import kinetic_energy, largest_kinetic_energy, slow_energy
from .momentum_scale import largest_momentum, slow_momentum
from .row_norms import row_norms
from .shared_rows import energy_imbalance, momentum_imbalance

if TYPE_CHECKING:
    from .run import Run


def energy_before(run: "Run") -> float:
    """Return the energy at t = 0, J."""
    start = run.start[: run.craft.layout.size]
    user = run.craft.user_functions or not all(
        type(each).__module__.startswith("polhode.") for each in run.craft.elements
    )
    if not user and run.formulation is None and run.recorded is None and run.t.size and run.t[0] == 0.0:
        # The engine computes the energy of a row with the kernel of `Spacecraft.energy`. User-defined kernels are
        # excluded, because they may read the input, which is zero in `Spacecraft.energy`.
        value = float(run.values("energy")[0])
        if np.isfinite(value) and (run.x[0] == start).all():
            return value
    return run.craft.energy(start)


def energy_scale(run: "Run") -> float:
    """Return the largest kinetic energy at t = 0 and in the rows, J: see `Run.largest_kinetic_energy`."""
    if run.recorded is not None and "largest_kinetic_energy_J" in run.recorded.attributes:
        return float(run.recorded.attributes["largest_kinetic_energy_J"])
    before = kinetic_energy(run.craft, run.start[None, : run.craft.layout.size])
    return max(largest_kinetic_energy(run, translation=True), float(before[0]), slow_energy(run.craft))


def momentum_scale(run: "Run") -> float:
    """Return the largest angular momentum at t = 0 and in the rows, N m s: see `Run.largest_momentum`."""
    if run.recorded is not None and "largest_momentum_N_m_s" in run.recorded.attributes:
        return float(run.recorded.attributes["largest_momentum_N_m_s"])
    return max(largest_momentum(run), float(np.linalg.norm(run.start[:3])), slow_momentum(run.craft))


def invariants(run: "Run") -> dict[str, float | None]:
    """Return the errors of the conserved quantities and balances: see `Run.invariants`."""
    e = run.values("attitude")
    found: dict[str, float | None] = {
        "quaternion_norm_error": float(np.abs(row_norms(e) - 1.0).max()),
        "momentum_balance_relative": None,
        "energy_balance_relative": None,
    }
    if "momentum_balance" in run.names:
        found["momentum_balance_relative"] = momentum_imbalance(run) / run.largest_momentum
    if "energy_balance" in run.names:
        found["energy_balance_relative"] = energy_imbalance(run) / run.largest_kinetic_energy
    return found
