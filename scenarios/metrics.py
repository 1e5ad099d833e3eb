"""Numbers that say how well a run went, each defined once.

==========================  ================================================================================
settling_time_s             from when on, to the end, the attitude error stays within the settling band
final_attitude_error_deg    rotation angle between attitude and reference in the last state
overshoot_deg               how far the error goes past zero, along the axis of the initial error
peak_attitude_error_deg     largest rotation angle between attitude and reference on the way
peak_rate_deg_s             largest magnitude of the body rate
peak_torque_N_m             largest magnitude of a commanded component, in the torque basis: what was demanded
effort_N2_m2_s              integral of |u|^2, u the command in the torque basis, held between outputs
momentum_drift_relative     largest |H(t) - H(0) - angular impulse|, over the largest |H|
energy_drift_relative       largest |E(t) - E(0) - work done|, over the largest kinetic energy of rotation
                            (with elements: over the largest energy)
quaternion_norm_error       largest ||e| - 1|
initial_nutation_deg        angle from the momentum to the principal axis nearest to it at the start
final_nutation_deg          the same axis, at the end
peak_nutation_deg           largest on the way
peak_wheel_rate_rad_s       largest magnitude of the rate of a wheel relative to the craft
peak_motor_torque_N_m       largest magnitude of the torque of a motor, after its limits
motor_effort_N2_m2_s        integral of the sum of squares of the motor torques
time_at_torque_limit_s      the longest that a motor was asked for more than its torque limit
time_at_speed_limit_s       the longest that a wheel was at its speed limit, where its motor gives in
peak_tip_deflection_m       largest deflection of a tip across its arm, from where it would be on a rigid arm
residual_tip_deflection_m   amplitude of the tip that vibrates most from `residual_from_s` on: half its range within
                            a period of the slowest elastic mode
residual_strain_energy_J    largest strain energy of the arms from then on
==========================  ================================================================================

The attitude error is against the reference of the same instant, whether it rests or moves.

All are taken over the recorded output, so `run.output_s` is how finely they see, but those of motors and arms, which
are counted at every step. Drifts are from t = 0, whatever was recorded. H is the inertial angular
momentum. A metric that has no meaning for a run (an attitude error without a reference) has no value, and
says why.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import degrees
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..plant.errors import InputError

if TYPE_CHECKING:
    from ..sim import Run

__all__ = ["METRICS", "Metric", "MetricSettings", "measure", "residual_from", "settling_time"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class MetricSettings:
    """What some metrics mean.

    Attributes
    ----------
    settling_band_deg : float
        Settled when the attitude error stays within this, deg.
    residual_from_s : float or None
        From when on vibration is residual, s; None: from the settling time, or where nothing is to be held from the
        end of the last torque.
    """

    settling_band_deg: float
    residual_from_s: float | None


@dataclass(frozen=True)
class Metric:
    """A metric of one run.

    Attributes
    ----------
    value : float or None
        The number, in the unit its name ends with; None where it has no meaning.
    reason : str
        Why there is no number; empty when there is one.
    """

    value: float | None
    reason: str = ""


class _Missing(Exception):  # noqa: N818 - not an error: the metric has no meaning for this run
    """A metric has no meaning for this run; the message says why."""


def measure(run: "Run", *, settling_band_deg: float = 0.1, residual_from_s: float | None = None) -> dict[str, Metric]:
    """Evaluate every metric of a run, of a case or from Python.

    Parameters
    ----------
    run : Run
        What `simulate` returned.
    settling_band_deg : float
        The band of settling_time_s, deg.
    residual_from_s : float, optional
        From when on vibration is residual, s; if left out, from the settling time, or without a reference from the end
        of the last torque.

    Returns
    -------
    dict
        From metric name to `Metric`, in alphabetical order.

    Examples
    --------
    >>> from polhode import plant, sim
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> found = measure(sim.simulate(craft, rate=(0, 0, 0.1), duration=1.0, compiled=False))
    >>> round(found["peak_rate_deg_s"].value, 6), found["settling_time_s"].reason
    (5.729578, 'the case has no [reference]')
    """
    settings = MetricSettings(settling_band_deg=settling_band_deg, residual_from_s=residual_from_s)
    found: dict[str, Metric] = {}
    for name, function in METRICS.items():
        try:
            value = function(run, settings)
            found[name] = Metric(value) if np.isfinite(value) else Metric(None, "the run is not finite")
        except _Missing as missing:
            found[name] = Metric(None, str(missing))
    return found


def settling_time(t: Array, error: Array, band: float) -> float | None:
    """Return from when on the error stays within the band.

    Parameters
    ----------
    t : numpy.ndarray, shape (n,)
        Times, s, increasing.
    error : numpy.ndarray, shape (n,)
        A magnitude, in the unit of the band.
    band : float
        The band.

    Returns
    -------
    float or None
        s; interpolated linearly between the last time outside and the next; None when the last is outside.

    Examples
    --------
    >>> import numpy as np
    >>> settling_time(np.array([0.0, 1.0, 2.0]), np.array([3.0, 2.0, 0.0]), 1.0)
    1.5
    """
    outside = np.flatnonzero(~(error <= band))
    if outside.size == 0:
        return float(t[0])
    last = int(outside[-1])
    if last == len(t) - 1:
        return None
    share = (error[last] - band) / (error[last] - error[last + 1])
    return float(t[last] + share * (t[last + 1] - t[last]))


def _require(run: "Run", name: str, otherwise: str) -> None:
    """Say why a run does not have a quantity, where that is so."""
    if name not in run.names:
        raise _Missing(otherwise)


def _of(run: "Run", name: str, otherwise: str) -> Array:
    """A quantity of the run, or why it has none."""
    _require(run, name, otherwise)
    return run.values(name)


def _errors(run: "Run") -> Array:
    return np.degrees(_of(run, "attitude_error", "the case has no [reference]"))


def _settling(run: "Run", settings: MetricSettings) -> float:
    error, band = _errors(run), settings.settling_band_deg
    if run.status != "completed":
        raise _Missing(f"the run ended early ({run.status})")
    time = settling_time(run.t, error, band)
    if time is None:
        raise _Missing(f"the attitude error is {error[-1]:.3g} deg at the end, outside the band of {band:g} deg")
    return time


def _final_error(run: "Run", _: MetricSettings) -> float:
    return float(_errors(run)[-1])


def _peak_error(run: "Run", _: MetricSettings) -> float:
    return float(_errors(run).max())


def _overshoot(run: "Run", _: MetricSettings) -> float:
    _require(run, "error_vector", "the case has no [reference]")
    start = next(run.pieces("error_vector"))[:1]
    size = float(_size(start)[0])
    if size < 1e-9:
        raise _Missing("the run starts at the reference")
    return max(0.0, degrees(_largest(run, "error_vector", lambda error: -(error @ start[0])) / size))


def _size(vectors: Array) -> Array:
    """The length of each row."""
    return np.sqrt((vectors**2).sum(axis=1))


def _largest(run: "Run", name: str, measure: Callable[[Array], Array]) -> float:
    """The largest of what is measured of each row, some rows at a time."""
    return max(float(measure(piece).max()) for piece in run.pieces(name))


def _peak_rate(run: "Run", _: MetricSettings) -> float:
    return degrees(_largest(run, "rate", _size))


def _require_law(run: "Run") -> None:
    if run.law is None:
        raise _Missing("the case has no [controller]")


def _peak_torque(run: "Run", _: MetricSettings) -> float:
    _require_law(run)
    return _largest(run, "command", np.abs)


def _effort(run: "Run", _: MetricSettings) -> float:
    _require_law(run)
    span = np.append(np.diff(run.t), 0.0)
    total, row = 0.0, 0
    for u in run.pieces("command"):
        total += float((u**2).sum(axis=1) @ span[row : row + len(u)])
        row += len(u)
    return total


def _momentum_drift(run: "Run", _: MetricSettings) -> float:
    _require(run, "momentum_balance", "the run kept no ledger")
    drift = _largest(run, "momentum_balance", _size)
    size = _largest(run, "momentum", _size)
    if size == 0.0:
        raise _Missing("the craft never has angular momentum")
    return drift / size


def _energy_drift(run: "Run", _: MetricSettings) -> float:
    if not run.ledger:
        raise _Missing("the run kept no ledger")
    balance = _of(run, "energy_balance", "a potential changes in time, so energy is not conserved")
    both = zip(run.pieces("rate"), run.pieces("momentum"), strict=True)
    kinetic = max(float((rate * momentum).sum(axis=1).max()) for rate, momentum in both) / 2.0
    if run.craft.elements:  # what moves inside has energy too
        kinetic = max(kinetic, float(np.abs(run.values("energy")).max()))
    if kinetic == 0.0:
        raise _Missing("the craft never turns")
    return float(np.abs(balance).max()) / kinetic


def _norm_error(run: "Run", _: MetricSettings) -> float:
    return _largest(run, "attitude", lambda e: np.abs(_size(e) - 1.0))


def _nutation(run: "Run") -> Array:
    return np.degrees(_of(run, "nutation", "the craft has no [[plant.elements]]"))


def _initial_nutation(run: "Run", _: MetricSettings) -> float:
    return float(_nutation(run)[0])


def _final_nutation(run: "Run", _: MetricSettings) -> float:
    return float(_nutation(run)[-1])


def _peak_nutation(run: "Run", _: MetricSettings) -> float:
    return float(_nutation(run).max())


def _peak_wheel_rate(run: "Run", _: MetricSettings) -> float:
    none = "the craft has no wheels" if run.craft.elements else "the case has no [[plant.elements]]"
    _require(run, "internal_rate", none)
    wheels = [index for index, name in enumerate(run.components("internal_rate")[0]) if name.startswith("wheel")]
    if not wheels:
        raise _Missing(none)
    return _largest(run, "internal_rate", lambda rates: np.abs(rates[:, wheels]))


def _told(run: "Run", signal: str, ending: str) -> list[float]:
    """The counters of a signal, one for each element that tells it."""
    tellers = [label for label, each in run.signals if each.name == signal]
    if not tellers:
        limit = f" with a {signal.removeprefix('at_').replace('_', ' ')}" if signal.startswith("at_") else ""
        raise _Missing(f"the case has no motor{limit}")
    return [run.counters[f"{label}_{signal}_{ending}"] for label in tellers]


def residual_from(run: "Run", settings: MetricSettings) -> float | None:
    """Return from when on vibration is residual, s; None where there is no such time in the run."""
    told = settings.residual_from_s
    if told is None and "attitude_error" in run.names:
        told = settling_time(run.t, _errors(run), settings.settling_band_deg)
    elif told is None:
        acts = np.flatnonzero(np.asarray(run.inputs[:, 3:]).any(axis=1))
        told = 0.0 if acts.size == 0 else float(run.t[min(int(acts[-1]) + 1, len(run.t) - 1)])
    return None if told is None or (run.t >= told).sum() < 2 else told


def _require_arms(run: "Run") -> None:
    _require(run, "tip_deflection", "the case has no flexible arm")


def _peak_tip(run: "Run", _: MetricSettings) -> float:
    _require_arms(run)
    return _largest(run, "tip_across_highest", np.abs)


def _residual(run: "Run", settings: MetricSettings) -> tuple[float, float]:
    _require_arms(run)
    from ..sim.analysis import residual_vibration

    after = residual_from(run, settings)
    if after is None:
        raise _Missing("the run ends before it settles or before the torques end; give metrics.residual_from_s")
    try:
        found = residual_vibration(run, after=after)
    except InputError as error:
        raise _Missing(str(error).replace("an output below", "run.output_s below")) from None
    return float(found.tip_deflection.max()), found.strain_energy


METRICS: dict[str, Callable[["Run", MetricSettings], float]] = {
    "effort_N2_m2_s": _effort,
    "energy_drift_relative": _energy_drift,
    "final_attitude_error_deg": _final_error,
    "final_nutation_deg": _final_nutation,
    "initial_nutation_deg": _initial_nutation,
    "momentum_drift_relative": _momentum_drift,
    "motor_effort_N2_m2_s": lambda run, _: sum(_told(run, "motor_torque", "square_integral")),
    "overshoot_deg": _overshoot,
    "peak_attitude_error_deg": _peak_error,
    "peak_motor_torque_N_m": lambda run, _: max(_told(run, "motor_torque", "peak")),
    "peak_nutation_deg": _peak_nutation,
    "peak_rate_deg_s": _peak_rate,
    "peak_tip_deflection_m": _peak_tip,
    "peak_torque_N_m": _peak_torque,
    "peak_wheel_rate_rad_s": _peak_wheel_rate,
    "quaternion_norm_error": _norm_error,
    "residual_strain_energy_J": lambda run, settings: _residual(run, settings)[1],
    "residual_tip_deflection_m": lambda run, settings: _residual(run, settings)[0],
    "settling_time_s": _settling,
    "time_at_speed_limit_s": lambda run, _: max(_told(run, "at_speed_limit", "s")),
    "time_at_torque_limit_s": lambda run, _: max(_told(run, "at_torque_limit", "s")),
}
"""Every metric, by name."""
