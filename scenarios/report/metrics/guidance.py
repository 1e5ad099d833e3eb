"""Guidance metrics: pointing cone violations, attitude error integral, energy used by the wheels."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .attitude import attitude_errors
from .kind import MetricSettings, MissingPartError, NoValueError, metric, require

if TYPE_CHECKING:
    from ....controllers import PointingCone
    from ....sim import Run

Array = NDArray[np.float64]

EDGE = 1e-4
"""Smallest angle on the wrong side of a cone that counts as a violation, rad: the tolerance of a plan."""

TURN = 0.01
"""Largest turn between the attitudes that are compared with a cone, rad."""


def _cones(run: "Run", keep: str) -> "list[PointingCone]":
    cones = [each for each in getattr(run.reference, "cones", ()) if each.keep == keep]
    if not cones:
        raise MissingPartError(f"the reference has no keep-{keep} cone")
    return cones


def _time_below(t: Array, clearance: Array, edge: float) -> float:
    """Return the total time during which a clearance, linear between rows, is below an edge, s.

    t (n,): times, s; clearance (n,) and edge: in the same unit.

    Examples
    --------
    >>> import numpy as np
    >>> _time_below(np.array([0.0, 1.0, 3.0]), np.array([1.0, -1.0, 3.0]), 0.0)
    1.0
    """
    a, b = clearance[:-1] - edge, clearance[1:] - edge
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = np.minimum(a, b) / np.where(a == b, -1.0, -np.abs(b - a))
    share = np.where((a < 0.0) & (b < 0.0), 1.0, np.clip(crossing, 0.0, 1.0))
    return float(np.diff(t) @ np.where(np.minimum(a, b) < 0.0, share, 0.0))


def _violation(run: "Run", keep: str) -> float:
    cones = _cones(run, keep)
    t, attitude = _refined(np.asarray(run.t), run.values("attitude"))
    worst = np.min([cone.clearance(attitude) for cone in cones], axis=0)
    return _time_below(t, worst, -EDGE)


def _refined(t: Array, attitude: Array) -> tuple[Array, Array]:
    """Return times and attitudes (m, 4), with turns of a constant rate between rows, in steps of `TURN` or less."""
    from ....plant.attitude import attitude_error, from_rotation_vector, quaternion_product, to_rotation_vector

    if len(t) < 2:
        return t, attitude
    turns = np.asarray(to_rotation_vector(attitude_error(attitude[1:], attitude[:-1])))
    count = max(1, int(np.ceil(np.linalg.norm(turns, axis=1).max() / TURN)))
    shares = np.arange(count) / count
    between = quaternion_product(attitude[:-1, None], from_rotation_vector(shares[:, None] * turns[:, None]))
    times = t[:-1, None] + shares * np.diff(t)[:, None]
    return np.append(times.ravel(), t[-1]), np.vstack((between.reshape(-1, 4), attitude[-1:]))


@metric("time that a body axis was within a keep-out cone of the reference, more than 1e-4 rad from its edge")
def keep_out_violation_s(run: "Run", _: MetricSettings) -> float:
    return _violation(run, "out")


@metric("time that a body axis was outside a keep-in cone of the reference, more than 1e-4 rad from its edge")
def keep_in_violation_s(run: "Run", _: MetricSettings) -> float:
    return _violation(run, "in")


@metric("integral of the rotation angle between attitude and reference over time, by the trapezoidal rule")
def attitude_error_integral_deg_s(run: "Run", settings: MetricSettings) -> float:
    return float(np.trapezoid(attitude_errors(run, settings), run.t))


def motor_work(run: "Run") -> Array:
    """Return the work of each motor from row to row, with held torques, (n - 1, motors), J."""
    require(run, "motor_torque", "the case has no wheels with motors")
    motors, coordinates = run.components("motor_torque")[0], run.components("internal_rate")[0]
    columns = [next(n for n, each in enumerate(coordinates) if each.startswith(f"{motor}_")) for motor in motors]
    rates = run.values("internal_rate")[:, columns]
    turned = 0.5 * (rates[1:] + rates[:-1]) * np.diff(run.t)[:, None]
    return run.values("motor_torque")[:-1] * turned


@metric("energy supplied by the wheel motors, without the energy returned by braking")
def wheel_energy_J(run: "Run", _: MetricSettings) -> float:
    require(run, "motor_torque", "the case has no wheels with motors")
    longest, sample = float(np.diff(run.t).max(initial=0.0)), getattr(run.law, "sample", None)
    if sample is not None and longest > 1.001 * sample:
        raise NoValueError(
            f"rows are {longest:g} s apart, longer than the period of the law, so the motor torque between rows is "
            f"unknown; set run.output_s = {sample:g}"
        )
    return float(np.maximum(motor_work(run), 0.0).sum())
