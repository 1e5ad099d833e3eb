"""Drift study of the formulations: drift and cost per step, with a table."""

from collections.abc import Sequence

import numpy as np

from ....plant.checks import positive
from ....plant.formulations import FORMULATIONS, Load
from ....sim import FormulationDrift, formulation_drift

__all__ = ["drift_study", "drift_table"]

INERTIA = (400.0, 307.808385, 200.0)  # Shivarama & Fahrenthold (2004), Table 2
RATE = (1.0, 0.4, 0.3)  # about the axis of largest inertia, wobbling
SEQUENCE = "3-1-3"  # with the momentum upright the middle angle stays near 90 deg


def drift_study(
    *, duration: float = 1000.0, step: float = 0.05, integrator: str = "rk4", load: Load | None = None
) -> tuple[FormulationDrift, ...]:
    """Return the drift of every formulation without and with projection, on one free body.

    The body is that of Shivarama & Fahrenthold (2004), Table 2, spun about its axis of largest inertia with a wobble,
    its momentum along the inertial z axis, where the 3-1-3 angles stay far from gimbal lock.

    integrator: "rk4" or "rk8"; load: a force at a body point -> first all without, then all with projection. Raises
    InputError as `polhode.sim.formulation_drift`.
    """
    h = np.array(INERTIA) * RATE
    axis = h / np.linalg.norm(h)
    upright = np.array([1.0 + axis[2], axis[1], -axis[0], 0.0])  # the short turn that takes h to z
    return tuple(
        formulation_drift(
            name,
            INERTIA,
            rate=RATE,
            duration=positive("duration", duration, "s"),
            step=step,
            attitude=upright / np.linalg.norm(upright),
            sequence=SEQUENCE if formulation.has_angles else None,
            load=load,
            integrator=integrator,
            project=project,
        )
        for project in (False, True)
        for name, formulation in FORMULATIONS.items()
    )


def drift_table(drifts: Sequence[FormulationDrift]) -> str:
    """Return the drifts as text, one formulation a line.

    drifts: as from `drift_study` -> the largest drift of each quantity, with the power of t it grew with (none where
    only round-off is left), and the cost of a step.
    """
    head = f"{'formulation':27}{'projected':>10}{'| |e|^2 - 1 |':>17}{'energy':>16}{'momentum':>16}"
    lines = [f"{head}{'ns per step':>13}  status"]
    for drift in drifts:
        cells = [_cell(*drift.growth(quantity)) for quantity in ("norm", "energy", "momentum")]
        lines.append(
            f"{drift.name:27}{'yes' if drift.projected else 'no':>10}{cells[0]:>17}{cells[1]:>16}{cells[2]:>16}"
            f"{drift.cost * 1e9:13.0f}  {drift.run.status}"
        )
    return "\n".join(lines)


def _cell(value: float, power: float) -> str:
    return f"{value:.1e}      " if np.isnan(power) else f"{value:.1e} t^{round(power, 1) + 0.0:.1f}"
