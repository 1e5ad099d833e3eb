"""Detect telemetry whose units or quaternion order do not match its column names."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.attitude import attitude_error, conjugate, to_rotation_vector
from ....plant.errors import InputError

if TYPE_CHECKING:
    from .telemetry import Channel

Array = NDArray[np.float64]

UNIT = 1e-3  # largest deviation of a quaternion from unit norm
TURNING = 1e-4  # rate below which nothing is compared, rad/s
BETTER = 10.0  # factor by which a different interpretation must fit better before it is reported
INTERVALS = 50  # number of compared intervals, if there are enough measurements
LARGEST_TURN = 1.0  # largest rotation within one interval, rad
DEGREES = 180.0 / np.pi


def require_plausible(path: str, gyros: Mapping[str, "Channel"], trackers: Mapping[str, "Channel"]) -> None:
    """Raise InputError if gyro and star tracker agree only with a different unit or quaternion order.

    path: telemetry file, for messages; gyros, trackers: measurements by sensor name.
    """
    for name, channel in trackers.items():
        norm = np.linalg.norm(channel.values, axis=1)
        worst = int(np.argmax(np.abs(norm - 1.0)))
        if abs(norm[worst] - 1.0) > UNIT:
            raise InputError(
                f"{path}: {name} at {channel.times[worst]:g} s has a quaternion of norm {norm[worst]:.6g}, not 1; give "
                "Euler parameters, scalar first"
            )
        for gyro, rates in gyros.items():
            _compare(path, name, channel, gyro, rates)


def _compare(path: str, name: str, tracker: "Channel", gyro: str, rates: "Channel") -> None:
    """Compare rates from a star tracker with rates from a gyro, for several units and quaternion orders."""
    if len(tracker.times) < 4 or len(rates.times) < 4:
        return
    unit = tracker.values / np.linalg.norm(tracker.values, axis=1)[:, None]
    turns = 2.0 * np.arccos(np.clip(np.abs((unit[1:] * unit[:-1]).sum(axis=1)), 0.0, 1.0))
    # intervals are long, to reduce noise, but short enough that the rotation between two attitudes is unambiguous
    stride = max(1, min(len(unit) // INTERVALS, int(LARGEST_TURN / max(float(np.median(turns)), 1e-9))))
    e, times = unit[::stride], tracker.times[::stride]
    angle = np.concatenate((np.zeros((1, 3)), np.cumsum(rates.values[1:] * np.diff(rates.times)[:, None], axis=0)))
    within = (times >= rates.times[0]) & (times <= rates.times[-1])
    e, times = e[within], times[within]
    if len(times) < 4:
        return
    turned: Array = np.array([np.interp(times, rates.times, angle[:, axis]) for axis in range(3)]).T
    known = np.diff(turned, axis=0) / np.diff(times)[:, None]
    size = _rms(known)
    last = np.roll(e, 1, axis=1)
    direct = _rates(e, times)
    if max(size, _rms(direct)) < TURNING:
        return
    error = _rms(direct - known)
    readings = {
        f"{name} looks scalar last: write its columns in the order scalar, x, y, z": _rms(_rates(last, times) - known),
        f"{name} looks like the attitude of inertial axes in the body: use its conjugate": _rms(
            _rates(conjugate(e), times) - known
        ),
        f"{name} looks scalar last, and the attitude of inertial axes in the body: use its conjugate, scalar first": (
            _rms(_rates(conjugate(last), times) - known)
        ),
        f"{gyro} looks like deg/s, not rad/s: name its columns {gyro}_x_deg_s": _rms(direct - known / DEGREES),
        f"{gyro} looks like rad/s, not deg/s: name its columns {gyro}_x_rad_s": _rms(direct - known * DEGREES),
    }
    # make errors relative to the rate in each interpretation; otherwise a small unit would look like a good fit
    sizes = [size, size, size, size / DEGREES, size * DEGREES]
    relative = {words: each / s for (words, each), s in zip(readings.items(), sizes, strict=True)}
    words, best = min(relative.items(), key=lambda each: each[1])
    if best * BETTER < error / size and best < 0.5:
        raise InputError(f"{path}: {words} (rates of {name} and {gyro} then agree to {100 * best:.2g} %)")


def _rates(e: Array, times: Array) -> Array:
    """Return the mean body rates between consecutive attitudes, rad/s."""
    return np.asarray(to_rotation_vector(attitude_error(e[1:], e[:-1]))) / np.diff(times)[:, None]


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(values**2)))
