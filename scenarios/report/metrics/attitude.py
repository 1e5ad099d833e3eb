"""Attitude error relative to the reference at the same time, and settling time."""

from math import degrees
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....sim.results.shared_rows import rate_magnitude
from .kind import DoesNotApplyError, MetricSettings, NoValueError, largest, metric, require, size

if TYPE_CHECKING:
    from ....sim import Run

Array = NDArray[np.float64]

NO_REFERENCE = "the case has no [reference]"


def settling_time(t: Array, error: Array, band: float) -> float | None:
    """Return the time after which the error stays within the band.

    t (n,): increasing times, s; error (n,): magnitude of the error, in the unit of the band. Returns the settling time,
    s, interpolated linearly between the last row outside the band and the next row, or None if the last row is outside.

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


def attitude_errors(run: "Run", settings: MetricSettings) -> Array:
    """Return the rotation angle between attitude and reference at each row, deg."""
    if "attitude_errors" not in settings.shared:
        require(run, "attitude_error", NO_REFERENCE)
        settings.shared["attitude_errors"] = np.degrees(run.values("attitude_error"))
    return settings.shared["attitude_errors"]


@metric("time after which the attitude error stays within the settling band until the end")
def settling_time_s(run: "Run", settings: MetricSettings) -> float:
    error, band = attitude_errors(run, settings), settings.settling_band_deg
    if run.status != "completed":
        raise NoValueError(f"the run ended early ({run.status})")
    time = settling_time(run.t, error, band)
    if time is None:
        raise NoValueError(f"the attitude error is {error[-1]:.3g} deg at the end, outside the band of {band:g} deg")
    return time


@metric("rotation angle between attitude and reference at the end")
def final_attitude_error_deg(run: "Run", settings: MetricSettings) -> float:
    return float(attitude_errors(run, settings)[-1])


@metric("largest rotation angle between attitude and reference")
def peak_attitude_error_deg(run: "Run", settings: MetricSettings) -> float:
    return float(attitude_errors(run, settings).max())


@metric("overshoot of the error past zero, along the axis of the initial error")
def overshoot_deg(run: "Run", _: MetricSettings) -> float:
    require(run, "error_vector", NO_REFERENCE)
    start = next(run.pieces("error_vector"))[:1]
    length = float(size(start)[0])
    if length < 1e-9:
        raise DoesNotApplyError("the run starts at the reference")
    return max(0.0, degrees(largest(run, "error_vector", lambda error: -(error @ start[0])) / length))


@metric("magnitude of the body rate at the end")
def final_rate_deg_s(run: "Run", _: MetricSettings) -> float:
    return degrees(float(size(run.values("rate")[-1:])[0]))


@metric("largest magnitude of the body rate")
def peak_rate_deg_s(run: "Run", _: MetricSettings) -> float:
    return degrees(float(rate_magnitude(run).max()))
