"""The JSON objects that the command line prints: run, design and linear model."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .metrics import Metric
from .requirements import Verdict

if TYPE_CHECKING:
    from ..controllers import Law, LoopAnalysis, Margins
    from ..plant import LinearModel, Spacecraft
    from ..sim import Run

__all__ = ["design_summary", "linear_model_summary", "margins_of", "run_summary", "sample"]

_INVARIANTS = ("energy_drift_relative", "momentum_drift_relative", "quaternion_norm_error")


def run_summary(
    name: str,
    run: "Run",
    *,
    samples: Sequence[Mapping[str, Any]],
    metrics: Mapping[str, Metric],
    verdicts: Sequence[Verdict],
) -> dict[str, Any]:
    """Gather what a run came to.

    Parameters
    ----------
    name : str
        The case's name.
    run : Run
        What `simulate` returned.
    samples : sequence of mapping
        The states at the times asked for; see `sample`.
    metrics : mapping
        The metrics, by name.
    verdicts : sequence of Verdict
        The requirements.

    Returns
    -------
    dict
        The object that ``polhode run --json`` prints. Besides what was measured it holds `reason` (why a run
        ended early, or null), `counters` of the integrator and `unavailable`: why a metric is null.
    """
    missing = {key: metric.reason for key, metric in metrics.items() if metric.value is None}
    return {
        "case": name,
        "status": run.status,
        "reason": run.reason or None,
        "t_end_s": float(run.t[-1]),
        "samples": list(samples),
        "final": sample(run.craft, float(run.t[-1]), run.x[-1]),
        "metrics": {key: metric.value for key, metric in metrics.items() if key not in _INVARIANTS},
        "invariants": {key: metrics[key].value for key in _INVARIANTS},
        "unavailable": missing,
        "requirements": [verdict.to_dict() for verdict in verdicts],
        "counters": dict(run.counters),
        "warnings": list(run.warnings),
    }


def sample(craft: "Spacecraft", t: float, x: NDArray[np.float64]) -> dict[str, Any]:
    """Describe one state.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    t : float
        Time, s.
    x : numpy.ndarray, shape (nx,)
        The state.

    Returns
    -------
    dict
        t_s, attitude (scalar first), rate_rad_s and momentum_N_m_s (body), energy_J, internal; with
        translation also position_m and velocity_m_s (inertial).
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
        found["velocity_m_s"] = _floats(x[craft.layout.linear_momentum] / craft.mass)
    return found


def _internal(craft: "Spacecraft", x: NDArray[np.float64]) -> dict[str, float]:
    """Coordinates, rates and momenta of the elements, by names that carry their units."""
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
    return found


def _suffix(unit: str) -> str:
    """How a unit stands in a key."""
    return unit.replace("^0.5", "05").replace("/", "_").replace(" ", "_").replace("^", "")


def linear_model_summary(model: "LinearModel") -> dict[str, Any]:
    """Describe a linear model.

    Parameters
    ----------
    model : LinearModel
        The model.

    Returns
    -------
    dict
        The object that ``polhode linearize --json`` prints.
    """
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
    }


def design_summary(
    law: "Law", analysis: "LoopAnalysis | None", verdicts: Sequence[Verdict], *, method: str
) -> dict[str, Any]:
    """Describe a designed law and its sampled loop.

    Parameters
    ----------
    law : Law
        The law.
    analysis : LoopAnalysis or None
        Of its loop; None for a law that holds no attitude.
    verdicts : sequence of Verdict
        What became of the requirements when it was flown.
    method : str
        The kind of law.

    Returns
    -------
    dict
        The object that ``polhode design --json`` prints. Poles are in the z-plane, largest modulus first.
    """
    from .laws import gains

    found: dict[str, Any] = {
        "method": method,
        "sample_s": law.sample,
        "delay_s": law.delay,
        "gains": gains(law),
        "closed_loop_poles": None,
        "margins": None,
        "requirements": [verdict.to_dict() for verdict in verdicts],
    }
    if analysis is None:
        return found
    numbers = analysis.to_dict()
    found["closed_loop_poles"] = numbers["margins"].pop("closed_loop_poles")
    return {**found, **numbers}


def margins_of(law: Any, model: "LinearModel") -> "Margins":
    """Return the margins of a law's sampled loop.

    Parameters
    ----------
    law : Law
        A linear law, which knows its model, or a nonlinear one.
    model : LinearModel
        The plant about the reference.

    Returns
    -------
    Margins
        See `polhode.controllers.Margins`.
    """
    from ..controllers import DynamicFeedback, LinearFeedback

    knows_its_model = isinstance(law, DynamicFeedback | LinearFeedback)
    return law.margins() if knows_its_model else law.margins(model)


def _floats(values: ArrayLike) -> list[float]:
    return [float(value) for value in np.asarray(values)]
