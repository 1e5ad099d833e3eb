"""The angular impulse of what acts on the hub, over the rows of a run."""

import numpy as np
from numpy.typing import NDArray

from ...plant.attitude import rotation_matrix
from .flight import Flight

__all__ = ["angular_impulse"]

Array = NDArray[np.float64]


def angular_impulse(flight: Flight) -> Array:
    """Return the integral of R u from the start to every row, by the trapezoidal rule with its end correction.

    Between two rows the law's torque is held and no pulse begins or ends; f = R u has f' = R (omega x u + u'), so

        integral f dt = h/2 (f0 + f1) + h^2/12 (f0' - f1') + O(h^5)

    Parameters
    ----------
    flight : Flight
        Its rows must be no further apart than the law's samples, and resolve how the hub shakes.

    Returns
    -------
    numpy.ndarray, shape (n, 3)
        Inertial components, N m s.
    """
    run = flight.run
    h = np.diff(run.t)[:, None]
    R, rate = rotation_matrix(run.values("attitude")), run.values("rate")
    begin, begin_slope = _pulses(flight, run.t[:-1], inside=run.t[1:])
    end, end_slope = _pulses(flight, run.t[1:], inside=run.t[:-1])
    held = run.torque[1:] - end if flight.sample is not None else np.zeros_like(end)
    found = 0.5 * h * (_turned(R[:-1], begin + held) + _turned(R[1:], end + held))
    first = _turned(R[:-1], np.cross(rate[:-1], begin + held) + begin_slope)
    last = _turned(R[1:], np.cross(rate[1:], end + held) + end_slope)
    found += h * h / 12.0 * (first - last)
    return np.concatenate((np.zeros((1, 3)), np.cumsum(found, axis=0)))


def _turned(R: Array, u: Array) -> Array:
    return np.einsum("nij,nj->ni", R, u)


def _pulses(flight: Flight, t: Array, *, inside: Array) -> tuple[Array, Array]:
    """The pulses that act in the intervals between t and `inside`, and their slopes, at t."""
    value, slope = np.zeros((t.size, 3)), np.zeros((t.size, 3))
    middle = 0.5 * (t + inside)
    for each in flight.case.torques:
        acts = ((each.from_s < middle) & (middle < each.to_s))[:, None]
        peak = np.array(each.components_N_m)
        if each.shape == "constant":
            value += acts * peak
            continue
        w = 2.0 * np.pi / (each.to_s - each.from_s)
        phase = (w * (t - each.from_s))[:, None]
        value += acts * peak * 0.5 * (1.0 - np.cos(phase))
        slope += acts * peak * 0.5 * w * np.sin(phase)
    return value, slope
