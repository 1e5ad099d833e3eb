"""JSON objects of the command line for a run, a design and a linear model."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.attitude import to_euler_angles
from ...plant.elements.branch import branches
from .metrics import METRICS, Metric
from .requirements import Verdict
from .torque_budget import budget_entries, budget_of

if TYPE_CHECKING:
    from ...controllers import Law, LoopAnalysis
    from ...plant import LinearModel, Spacecraft
    from ...sim import Run

_INVARIANTS = tuple(name for name, kind in METRICS.items() if kind.invariant)


def run_summary(
    name: str,
    run: "Run",
    *,
    samples: Sequence[Mapping[str, Any]],
    final: Mapping[str, Any],
    metrics: Mapping[str, Metric],
    verdicts: Sequence[Verdict],
) -> dict[str, Any]:
    """Summarise a run.

    name: the case's name.
    run: result of `simulate`.
    samples: states at the requested times; see `sample`.
    final: the last state.
    metrics: the metrics, by name.
    verdicts: verdicts on the requirements.
    -> the object that ``polhode run --json`` prints. In addition to the metrics it has `reason` (why a run ended early,
        or null), `counters` of the integrator, `unavailable` (why a metric is null), and `inapplicable` (metrics
        without meaning for this kind of run).
    """
    missing = {key: metric.reason for key, metric in metrics.items() if metric.value is None}
    return {
        "case": name,
        "status": run.status,
        "reason": run.reason or None,
        "t_end_s": float(run.t[-1]),
        "samples": list(samples),
        "final": dict(final),
        "metrics": {key: metric.value for key, metric in metrics.items() if key not in _INVARIANTS},
        "invariants": {key: metrics[key].value for key in _INVARIANTS if key in metrics},
        "unavailable": missing,
        "inapplicable": [key for key, metric in metrics.items() if not metric.applies],
        "requirements": [verdict.to_dict() for verdict in verdicts],
        "counters": dict(run.counters),
        **_modes(run),
        **budget_entries(budget_of(run)),
        "warnings": list(run.warnings),
    }


def _modes(run: "Run") -> dict[str, Any]:
    """Return the time and reason of each mode transition; empty for a run without modes."""
    from ...sim.results.mode_intervals import MODE_QUANTITY, mode_intervals

    if MODE_QUANTITY not in run.names or not run.labels(MODE_QUANTITY):
        return {}
    rows = [
        {"mode": each.mode, "from_s": each.start, "to_s": each.end, "why": each.why, "unseen_before": each.unseen}
        for each in mode_intervals(run)
    ]
    return {"modes": rows}


def sample(
    craft: "Spacecraft",
    t: float,
    x: NDArray[np.float64],
    *,
    euler_sequence: str | None = None,
    signals: Mapping[str, NDArray[np.float64]] | None = None,
) -> dict[str, Any]:
    """Describe one state vector in plain values.

    t: time, s; x (nx,): state vector; euler_sequence: sequence of the additional entry euler_angles_deg; signals: block
    outputs, by name -> t_s, attitude (scalar first), rate_rad_s and momentum_N_m_s (body), energy_J, and internal (for
    each flexible arm the tip deflection along the root axes l, m, n, and the strain energy of all arms). If the
    spacecraft translates, also position_m and velocity_m_s (inertial); if there are blocks, also signals.
    """
    found: dict[str, Any] = {
        "t_s": float(t),
        "attitude": _floats(x[3:7]),
        "rate_rad_s": _floats(craft.rate(x)),
        "momentum_N_m_s": _floats(x[0:3]),
        "energy_J": float(craft.energy(x, t=t)),
        "internal": _internal(craft, x),
    }
    if craft.translation:
        found["position_m"] = _floats(x[craft.layout.position])
        found["velocity_m_s"] = _floats(x[craft.layout.linear_momentum] / craft.mass_at(x))
    if signals:
        found["signals"] = {name: np.asarray(value, dtype=np.float64).tolist() for name, value in signals.items()}
    if euler_sequence is not None:
        found["euler_angles_deg"] = _floats(np.degrees(to_euler_angles(x[3:7], euler_sequence)))
    return found


def _internal(craft: "Spacecraft", x: NDArray[np.float64]) -> dict[str, float]:
    """Return coordinates, rates and momenta of the elements, by names that end in their units."""
    if not craft.elements:
        return {}
    layout = craft.layout
    found: dict[str, float] = {}
    parts = ("", "_rate", "_momentum")
    groups = (x[layout.internal], craft.internal_rates(x), x[layout.internal_momentum])
    n = len(layout.coordinates)
    momenta = layout.units[7 + n : 7 + 2 * n]
    for index, (name, unit) in enumerate(zip(layout.coordinates, layout.coordinate_units, strict=True)):
        units = (unit, f"{unit}/s", momenta[index])
        for part, word, group in zip(parts, units, groups, strict=True):
            found[f"{name}{part}_{_suffix(word)}"] = float(group[index])
    return found | _arms(craft, x)


def _arms(craft: "Spacecraft", x: NDArray[np.float64]) -> dict[str, float]:
    """Return the tip deflections and the strain energy of flexible arms."""
    if not branches(craft.elements):
        return {}
    from ...plant.elements.arm.node_motion import strain_energy, tip_deflection

    found: dict[str, float] = {}
    for arm, tip in enumerate(tip_deflection(craft, x[None])[0], start=1):
        found |= {f"arm_{arm}_tip_{axis}_m": float(value) for axis, value in zip("lmn", tip, strict=True)}
    return found | {"strain_energy_J": float(strain_energy(craft, x[None])[0])}


def _suffix(unit: str) -> str:
    """Return a unit as the suffix of a key."""
    return unit.replace("^0.5", "05").replace("/", "_").replace(" ", "_").replace("^", "")


def linear_model_summary(model: "LinearModel") -> dict[str, Any]:
    """Describe a linear model: the object that ``polhode linearize --json`` prints."""
    return {
        "states": list(model.states),
        "inputs": list(model.inputs),
        "outputs": list(model.outputs),
        "A": model.A.tolist(),
        "B": model.B.tolist(),
        "C": model.C.tolist(),
        "D": model.D.tolist(),
        "eigenvalues": [[float(value.real), float(value.imag)] for value in model.eigenvalues()],
        "equilibrium_residual": float(model.residual),
        "state_units": list(model.state_units),
        "input_units": list(model.input_units),
        "output_units": list(model.output_units),
        "operating_point": model.operating_point.tolist(),
        "held_coordinates": list(model.holding),
        "holding_torques_N_m": list(model.holding.values()),
        "left_out": list(model.left_out),
        "dt": 0.0,
    }


def design_summary(
    law: "Law", analysis: "LoopAnalysis | None", verdicts: Sequence[Verdict], *, method: str
) -> dict[str, Any]:
    """Describe a designed law and its sampled loop.

    analysis: analysis of the loop; None for a law without margins.
    verdicts: verdicts on the requirements, from the run.
    method: the kind of law.
    -> the object that ``polhode design --json`` prints. Poles are z-plane values, in order of decreasing modulus.
    """
    from ...controllers.contracts.law_defaults import with_defaults

    found: dict[str, Any] = {
        "method": method,
        "sample_s": law.sample,
        "delay_s": law.delay,
        "gains": with_defaults(law).gains(),
        "closed_loop_poles": None,
        "margins": None,
        "requirements": [verdict.to_dict() for verdict in verdicts],
    }
    if analysis is None:
        return found
    numbers = analysis.to_dict()
    found["closed_loop_poles"] = numbers["margins"].pop("closed_loop_poles")
    return {**found, **numbers}


def _floats(values: ArrayLike) -> list[float]:
    return [float(value) for value in np.asarray(values)]
