"""Numbers that say how a flexible satellite's run went, each defined once.

===========================  ===============================================================================
peak_tip_deflection_m        largest deflection of a tip across its arm, from where it would be on a rigid arm
residual_tip_deflection_m    amplitude of the tip that vibrates most from `residual_from_s` on: half its range within
                             a period of the slowest elastic mode
residual_strain_energy_J     largest strain energy from then on
settling_time_s              as of any other run, of the hub
final_attitude_error_deg     as of any other run, of the hub
overshoot_deg                as of any other run, of the hub
peak_rate_deg_s              largest magnitude of the hub's rate
peak_torque_N_m              largest magnitude of a commanded component
effort_N2_m2_s               integral of |u|^2, u the command, held from sample to sample
energy_drift_relative        largest change of energy while no torque acts, over the largest energy
momentum_drift_relative      largest |H(t) - H(0) - angular impulse|, over the largest |H|; H about the origin, inertial
quaternion_norm_error        largest ||e| - 1| of the hub
===========================  ===============================================================================

Deflections and strain energy are taken at every step; the others over the recorded output, so `run.output_s` is how
finely they see.
"""

from collections.abc import Callable
from itertools import pairwise
from math import degrees

import numpy as np
from numpy.typing import NDArray

from ...plant.attitude import attitude_error, rotation_angle, to_rotation_vector
from ...plant.errors import InputError
from ..metrics import Metric, settling_time
from .flight import Flight
from .impulse import angular_impulse

__all__ = ["SATELLITE_METRICS", "attitude_errors", "measure_flight", "residual_from"]

Array = NDArray[np.float64]


class _Missing(Exception):  # noqa: N818 - not an error: the metric has no meaning for this run
    """A metric has no meaning for this run; the message says why."""


def measure_flight(flight: Flight) -> dict[str, Metric]:
    """Evaluate every metric.

    Parameters
    ----------
    flight : Flight
        What was flown.

    Returns
    -------
    dict
        From metric name to `Metric`, in alphabetical order.
    """
    found: dict[str, Metric] = {}
    for name, function in SATELLITE_METRICS.items():
        try:
            value = function(flight)
            found[name] = Metric(value) if np.isfinite(value) else Metric(None, "the run is not finite")
        except _Missing as missing:
            found[name] = Metric(None, str(missing))
    return found


def attitude_errors(flight: Flight) -> Array:
    """Return the Euler parameters of the rotation from the reference.

    Parameters
    ----------
    flight : Flight
        With a reference.

    Returns
    -------
    numpy.ndarray, shape (n, 4)
        Scalar first.
    """
    assert flight.reference is not None  # noqa: S101 # the caller looked
    wanted = np.array([flight.reference.at(float(t))[:4] for t in flight.run.t])
    return attitude_error(flight.run.values("attitude"), wanted)


def residual_from(flight: Flight) -> float | None:
    """Return from when on vibration is residual.

    Parameters
    ----------
    flight : Flight
        What was flown.

    Returns
    -------
    float or None
        s: what the case says, otherwise the settling time, or when the last torque ends; None when there is no such
        time in the run.
    """
    told = flight.case.metrics.residual_from_s
    if told is None:
        if flight.reference is not None:
            band = flight.case.metrics.settling_band_deg
            told = settling_time(flight.run.t, np.degrees(rotation_angle(attitude_errors(flight))), band)
        else:
            told = max((each.to_s for each in flight.case.torques), default=0.0)
    return None if told is None or (flight.run.t >= told).sum() < 2 else told


def _errors(flight: Flight) -> Array:
    if flight.reference is None:
        raise _Missing("the case has no [reference]")
    return np.degrees(rotation_angle(attitude_errors(flight)))


def _settling(flight: Flight) -> float:
    error, band = _errors(flight), flight.case.metrics.settling_band_deg
    if flight.run.status != "completed":
        raise _Missing(f"the run ended early ({flight.run.status})")
    time = settling_time(flight.run.t, error, band)
    if time is None:
        raise _Missing(f"the attitude error is {error[-1]:.3g} deg at the end, outside the band of {band:g} deg")
    return time


def _overshoot(flight: Flight) -> float:
    _errors(flight)
    vectors = np.array(to_rotation_vector(attitude_errors(flight)))
    size = float(np.linalg.norm(vectors[0]))
    if size < 1e-9:
        raise _Missing("the run starts at the reference")
    return max(0.0, degrees(float((vectors @ vectors[0]).min()) / -size))


def _commands(flight: Flight) -> Array:
    if flight.sample is None:
        raise _Missing("the case has no [controller]")
    return flight.commands


def _effort(flight: Flight) -> float:
    u = _commands(flight)
    held = np.diff(flight.sample_times, append=float(flight.run.t[-1]))
    return float((u**2).sum(axis=1) @ held)


def _peak_tip(flight: Flight) -> float:
    return float(flight.run.values("tip_across_highest").max())


def _residual(flight: Flight) -> tuple[float, float]:
    from ...sim.flexible import residual_vibration

    after = residual_from(flight)
    if after is None:
        raise _Missing("the run ends before it settles or before the torques end; give metrics.residual_from_s")
    try:
        found = residual_vibration(flight.run, after=after)
    except InputError as error:
        raise _Missing(str(error).replace("an output below", "run.output_s below")) from None
    return float(found.tip_deflection.max()), found.strain_energy


def _energy_drift(flight: Flight) -> float:
    if any(arm.damping_time_s > 0.0 for arm in flight.case.satellite.arms):
        raise _Missing("the arms are damped, so energy is not conserved")
    if flight.sample is not None:
        raise _Missing("the law's torque acts all the time")
    t, energy, worst = flight.run.t, flight.run.values("energy"), -1.0
    edges = sorted({0.0, float(t[-1]), *(e for each in flight.case.torques for e in (each.from_s, each.to_s))})
    for start, stop in pairwise(edges):
        if any(each.from_s < stop and start < each.to_s for each in flight.case.torques):
            continue
        rows = energy[(t >= start * (1.0 - 1e-12)) & (t <= stop * (1.0 + 1e-12))]
        if rows.size > 1:
            worst = max(worst, float(np.abs(rows - rows[0]).max()))
    if worst < 0.0:
        raise _Missing("torques act all the time")
    if not energy.max() > 0.0:
        raise _Missing("the satellite never moves")
    return worst / float(energy.max())


def _momentum_drift(flight: Flight) -> float:
    if flight.run.t.size < 2:
        raise _Missing("the run ended before its first row")
    apart = float(np.diff(flight.run.t).max())
    if flight.sample is not None and apart > flight.sample * (1.0 + 1e-9):
        raise _Missing(
            f"rows are {apart:g} s apart, further than the law's samples; take run.output_s = {flight.sample:g}"
        )
    momentum = flight.run.values("angular_momentum")
    size = float(np.linalg.norm(momentum, axis=1).max())
    if size == 0.0:
        raise _Missing("the satellite never moves")
    return float(np.linalg.norm(momentum - momentum[0] - angular_impulse(flight), axis=1).max()) / size


def _norm_error(flight: Flight) -> float:
    e = flight.run.x[:, 3:7]
    return float(np.abs(np.sqrt((e * e).sum(axis=1)) - 1.0).max())


SATELLITE_METRICS: dict[str, Callable[[Flight], float]] = {
    "effort_N2_m2_s": _effort,
    "energy_drift_relative": _energy_drift,
    "final_attitude_error_deg": lambda flight: float(_errors(flight)[-1]),
    "momentum_drift_relative": _momentum_drift,
    "overshoot_deg": _overshoot,
    "peak_rate_deg_s": lambda flight: degrees(float(np.linalg.norm(flight.run.values("rate"), axis=1).max())),
    "peak_tip_deflection_m": _peak_tip,
    "peak_torque_N_m": lambda flight: float(np.abs(_commands(flight)).max()),
    "quaternion_norm_error": _norm_error,
    "residual_strain_energy_J": lambda flight: _residual(flight)[1],
    "residual_tip_deflection_m": lambda flight: _residual(flight)[0],
    "settling_time_s": _settling,
}
"""Every metric, by name."""
