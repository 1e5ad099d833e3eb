"""The JSON object that ``polhode run`` prints of a flexible satellite."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...plant.attitude import rotation_matrix
from ...plant.flexible.quantities import mass_centre
from ..metrics import Metric
from ..requirements import Verdict
from .flight import Flight

__all__ = ["flight_sample", "flight_summary"]

_INVARIANTS = ("energy_drift_relative", "momentum_drift_relative", "quaternion_norm_error")


def flight_summary(
    name: str, flight: Flight, *, rows: Sequence[int], metrics: Mapping[str, Metric], verdicts: Sequence[Verdict]
) -> dict[str, Any]:
    """Gather what a run came to, in the keys of every other run.

    Parameters
    ----------
    name : str
        The case's name.
    flight : Flight
        What was flown.
    rows : sequence of int
        Rows of the samples asked for.
    metrics : mapping
        The metrics, by name.
    verdicts : sequence of Verdict
        The requirements.

    Returns
    -------
    dict
        See `polhode.scenarios.summary.run_summary`.
    """
    run = flight.run
    return {
        "case": name,
        "status": run.status,
        "reason": run.reason or None,
        "t_end_s": float(run.t[-1]),
        "samples": [flight_sample(flight, row) for row in rows],
        "final": flight_sample(flight, run.t.size - 1),
        "metrics": {key: metric.value for key, metric in metrics.items() if key not in _INVARIANTS},
        "invariants": {key: metrics[key].value for key in _INVARIANTS},
        "unavailable": {key: metric.reason for key, metric in metrics.items() if metric.value is None},
        "requirements": [
            {
                "metric": verdict.metric,
                "value": verdict.value,
                "max": verdict.max,
                "min": verdict.min,
                "met": verdict.met,
                "reason": verdict.reason or None,
            }
            for verdict in verdicts
        ],
        "counters": {"steps": run.steps, "iterations": run.iterations, "step_s": run.step},
        "warnings": [],
    }


def flight_sample(flight: Flight, row: int) -> dict[str, Any]:
    """Describe one row of a run.

    Parameters
    ----------
    flight : Flight
        What was flown.
    row : int
        Which row.

    Returns
    -------
    dict
        t_s, attitude (of the hub, scalar first), rate_rad_s (hub axes), momentum_N_m_s (about the mass centre, hub
        axes), energy_J, internal (deflection of each tip along l, m, n of its root, strain energy), position_m and
        velocity_m_s (mass centre, inertial); euler_angles_deg where the case names a sequence.
    """
    from dataclasses import replace

    run = flight.run
    one = slice(row, row + 1)
    single = replace(
        run, t=run.t[one], x=run.x[one], nu=run.nu[one], energies=run.energies[one], torque=run.torque[one]
    )
    attitude = single.values("attitude")[0]
    centre, linear = mass_centre(run.satellite, single.x)[0], single.values("linear_momentum")[0]
    momentum = single.values("angular_momentum")[0] - np.cross(centre, linear)
    internal: dict[str, float] = {}
    for arm, tip in enumerate(single.values("tip_deflection")[0], start=1):
        internal |= {f"arm_{arm}_tip_{axis}_m": float(value) for axis, value in zip("lmn", tip, strict=True)}
    internal["strain_energy_J"] = float(single.energies[0, 1])
    found: dict[str, Any] = {
        "t_s": float(single.t[0]),
        "attitude": _floats(attitude),
        "rate_rad_s": _floats(single.values("rate")[0]),
        "momentum_N_m_s": _floats(rotation_matrix(attitude).T @ momentum),
        "energy_J": float(single.values("energy")[0]),
        "internal": internal,
        "position_m": _floats(centre),
        "velocity_m_s": _floats(linear / run.satellite.mass),
    }
    sequence = flight.case.metrics.euler_sequence
    if sequence is not None:
        found["euler_angles_deg"] = _floats(np.degrees(single.euler_angles(sequence)[0]))
    return found


def _floats(values: ArrayLike) -> list[float]:
    return [float(value) for value in np.asarray(values)]
