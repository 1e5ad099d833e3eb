"""Wheels and their motors, evaluated at every integration step."""

from typing import TYPE_CHECKING

import numpy as np

from .kind import MetricSettings, MissingPartError, largest, metric, require

if TYPE_CHECKING:
    from ....sim import Run


@metric("largest magnitude of a wheel rate relative to the spacecraft")
def peak_wheel_rate_rad_s(run: "Run", _: MetricSettings) -> float:
    none = "the spacecraft has no wheels" if run.craft.elements else "the case has no [[plant.elements]]"
    require(run, "internal_rate", none)
    spins = [getattr(element, "spins", False) for element in run.craft.elements for _ in element.coordinates]
    wheels = np.flatnonzero(spins)
    if not wheels.size:
        raise MissingPartError(none)
    return largest(run, "internal_rate", lambda rates: np.abs(rates[:, wheels]))


def _of_wheels(run: "Run", signal: str, ending: str) -> list[float]:
    """Return the values of a counter, one for each element that reports it."""
    tellers = [label for label, each in run.signals if each.name == signal]
    if not tellers:
        limit = f" with a {signal.removeprefix('at_').replace('_', ' ')}" if signal.startswith("at_") else ""
        raise MissingPartError(f"the case has no motor{limit}")
    return [run.counters[f"{label}_{signal}_{ending}"] for label in tellers]


@metric("largest magnitude of a motor torque, after its limits")
def peak_motor_torque_N_m(run: "Run", _: MetricSettings) -> float:
    return max(_of_wheels(run, "motor_torque", "peak"))


@metric("integral of the sum of squares of the motor torques")
def motor_effort_N2_m2_s(run: "Run", _: MetricSettings) -> float:
    return sum(_of_wheels(run, "motor_torque", "square_integral"))


@metric("longest time that a motor was at its torque limit")
def time_at_torque_limit_s(run: "Run", _: MetricSettings) -> float:
    return max(_of_wheels(run, "at_torque_limit", "s"))


@metric("longest time that a wheel was at its speed limit, at which the motor stops driving")
def time_at_speed_limit_s(run: "Run", _: MetricSettings) -> float:
    return max(_of_wheels(run, "at_speed_limit", "s"))
