"""Use of on-off thrusters: propellant, pulses and on-times."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .kind import MetricSettings, MissingPartError, NoValueError, metric

if TYPE_CHECKING:
    from ....sim import Run


def _last(run: "Run", name: str) -> NDArray[np.float64]:
    """Return the totals of each thruster at the end of the run."""
    if name not in run.names:
        raise MissingPartError("the case has no on-off thrusters")
    return np.atleast_1d(run.values(name)[-1])


def _used(run: "Run") -> float:
    """Return the propellant used, kg."""
    used, on = float(_last(run, "propellant")[0]), _last(run, "thruster_on_time")
    if used == 0.0 and on.any():
        raise NoValueError("plant.thrusters has no specific_impulse_s")
    return used


@metric("propellant used by on-off thrusters")
def propellant_kg(run: "Run", _: MetricSettings) -> float:
    return _used(run)


@metric("propellant used by on-off thrusters, over the duration of the run, per day of 86400 s")
def propellant_per_day_kg(run: "Run", _: MetricSettings) -> float:
    return _used(run) * 86400.0 / float(run.t[-1])


@metric("number of pulses of all thrusters")
def thruster_pulses(run: "Run", _: MetricSettings) -> float:
    return float(_last(run, "thruster_pulses").sum())


@metric("longest total on-time of a thruster")
def thruster_on_time_s(run: "Run", _: MetricSettings) -> float:
    return float(_last(run, "thruster_on_time").max())
