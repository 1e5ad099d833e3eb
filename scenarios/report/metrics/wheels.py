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


_LACKING = {
    "at_torque_limit": " with a torque limit",
    "at_speed_limit": " with a speed limit",
    "electrical_power": " with motor_efficiency",
    "above_rated_power": " with rated_power_W",
}
"""Property of a motor that a signal needs, by signal; completes the reason why a metric does not apply."""


def _of_wheels(run: "Run", signal: str, ending: str) -> list[float]:
    """Return the values of a counter, one for each element that reports it."""
    tellers = [label for label, each in run.signals if each.name == signal]
    if not tellers:
        raise MissingPartError(f"the case has no motor{_LACKING.get(signal, '')}")
    return [run.counters[f"{label}_{signal}_{ending}"] for label in tellers]


@metric("largest magnitude of a motor torque, after its limits")
def peak_motor_torque_N_m(run: "Run", _: MetricSettings) -> float:
    return max(_of_wheels(run, "motor_torque", "peak"))


@metric("integral of the sum of squares of the motor torques")
def motor_effort_N2_m2_s(run: "Run", _: MetricSettings) -> float:
    return sum(_of_wheels(run, "motor_torque", "square_integral"))


@metric("electrical energy drawn by all wheels with motor_efficiency, minus what they returned")
def electrical_energy_J(run: "Run", _: MetricSettings) -> float:
    return sum(_of_wheels(run, "electrical_power", "integral"))


@metric("largest electrical power of a wheel with motor_efficiency, drawn or returned")
def peak_electrical_power_W(run: "Run", _: MetricSettings) -> float:
    return max(_of_wheels(run, "electrical_power", "peak"))


@metric("longest time that a wheel drew more than its rated power")
def time_above_rated_power_s(run: "Run", _: MetricSettings) -> float:
    return max(_of_wheels(run, "above_rated_power", "s"))


@metric("longest time that a motor was at its torque limit")
def time_at_torque_limit_s(run: "Run", _: MetricSettings) -> float:
    return max(_of_wheels(run, "at_torque_limit", "s"))


@metric("longest time that a wheel was at its speed limit, at which the motor stops driving")
def time_at_speed_limit_s(run: "Run", _: MetricSettings) -> float:
    return max(_of_wheels(run, "at_speed_limit", "s"))
