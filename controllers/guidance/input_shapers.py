"""Input shapers: impulse sequences that suppress the residual vibration of given modes.

A command is convolved with impulses A_i at times t_i. After the last impulse, the vibration of a mode of frequency w
and damping ratio z, relative to the vibration after a single impulse, is

    V = exp(-z w t_n) |sum A_i exp((z w + j wd) t_i)|, with wd = w sqrt(1 - z^2).

All impulses are positive and sum to one, so the shaped command stays within the limits of the unshaped command and ends
at the same value.
"""

from __future__ import annotations

from math import ceil, cos, exp, pi, sin, sqrt
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import numbers, positive
from ...plant.errors import InputError
from ...plant.quantity import NUMBER, check_arguments, of_argument, one_of

Array = NDArray[np.float64]

SHAPERS = ("zv", "zvd", "ei", "two-hump")
"""Shapers: zero vibration; zero vibration and derivative; extra-insensitive with one hump; with two humps."""


@check_arguments
def shaper_impulses(
    frequency: Annotated[float, of_argument("rad/s", shape=NUMBER, positive=True, doc="undamped natural frequency")],
    *,
    damping_ratio: Annotated[
        float, of_argument(shape=NUMBER, non_negative=True, below=1.0, doc="damping ratio, below 1")
    ] = 0.0,
    kind: Annotated[
        str,
        of_argument(shape=one_of(*SHAPERS), doc="shaper, from the shortest to the most tolerant of a frequency error"),
    ] = "zvd",
    tolerance: Annotated[
        float,
        of_argument(
            shape=NUMBER,
            positive=True,
            below=0.5,
            doc="largest residual vibration of ei and two-hump, fraction of the unshaped vibration",
        ),
    ] = 0.05,
    sample: float | None = None,
) -> tuple[Array, Array]:
    """Return the impulses that shape a command for one vibration mode.

    "zv" (Smith 1957) has two impulses half a damped period apart, and "zvd" (Singer & Seering 1990) is the convolution
    of "zv" with itself. "ei" (Singhose, Seering & Singer 1994) with three and "two-hump" (Singhose, Porter, Tuttle &
    Singer 1997) with four impulses accept some residual vibration at the nominal frequency in exchange for a wider
    frequency range. If the mode is damped, amplitude i is scaled by K^i, K = exp(-pi z/sqrt(1 - z^2)). The zeros of the
    shaper then have the damping of the mode, and the humps do not exceed the tolerance.

    Parameters
    ----------
    frequency : float
        Undamped natural frequency w of the mode, rad/s.
    damping_ratio : float
        Damping ratio z of the mode, from 0 to below 1.
    kind : {"zv", "zvd", "ei", "two-hump"}
        Kind of shaper.
    tolerance : float
        Residual vibration V at the humps, relative to the vibration after the unshaped command; only for "ei" and
        "two-hump".
    sample : float, optional
        Sampling period of the law, s. If given, impulses are placed on samples: each is divided between the two
        neighbouring samples so that its effect on the mode is unchanged. By default the times are continuous.

    Returns
    -------
    times : numpy.ndarray, shape (n,)
        Times of the impulses relative to the first impulse, s.
    amplitudes : numpy.ndarray, shape (n,)
        Positive amplitudes with sum 1.

    Raises
    ------
    InputError
        For a frequency that is not positive, a damping ratio outside [0, 1), a tolerance outside (0, 0.5), or a mode
        above half the sampling frequency.

    Examples
    --------
    >>> times, amplitudes = shaper_impulses(2.0, kind="ei")
    >>> times.round(4).tolist(), amplitudes.round(4).tolist()
    ([0.0, 1.5708, 3.1416], [0.2625, 0.475, 0.2625])
    """
    w, z, v = frequency, damping_ratio, tolerance
    damped = w * sqrt(1.0 - z * z)
    plain: Array = np.array(_undamped("zv" if kind == "zvd" else kind, v))
    order: Array = np.arange(len(plain), dtype=np.float64)
    amplitudes: Array = plain * exp(-pi * z / sqrt(1.0 - z * z)) ** order
    times: Array = order * (pi / damped)
    if sample is not None:
        times, amplitudes = _on_samples(times, amplitudes, z * w, damped, positive("sample", sample, "s"))
    amplitudes /= amplitudes.sum()
    if kind == "zvd":
        return convolved((times, amplitudes), (times, amplitudes))
    return times, amplitudes


def convolved(first: tuple[Array, Array], second: tuple[Array, Array]) -> tuple[Array, Array]:
    """Return the impulses of two shapers in series.

    first, second: times (s) and amplitudes of each shaper. Impulses that are closer than 1e-9 of the total length are
    merged.
    """
    times: Array = (first[0][:, None] + second[0]).ravel()
    amplitudes: Array = (first[1][:, None] * second[1]).ravel()
    order = np.argsort(times, kind="stable")
    times, amplitudes = times[order], amplitudes[order]
    new = np.concatenate(([True], np.diff(times) > 1e-9 * max(float(times[-1]), 1e-300)))
    group = np.cumsum(new) - 1
    merged: Array = np.zeros(int(group[-1]) + 1)
    np.add.at(merged, group, amplitudes)
    return times[new], merged


def shaper_vibration(times: ArrayLike, amplitudes: ArrayLike, *, frequency: float, damping_ratio: float = 0.0) -> float:
    """Return the residual vibration V of a mode, relative to its vibration after the unshaped command.

    Parameters
    ----------
    times, amplitudes : array_like, shape (n,)
        Impulses of the shaper; times in s.
    frequency : float
        Undamped natural frequency of the mode, rad/s.
    damping_ratio : float
        Damping ratio of the mode.

    Returns
    -------
    float
        V, from 0 to 1.
    """
    t, a = numbers("shaper times", times, "s"), numbers("shaper amplitudes", amplitudes)
    decay, damped = damping_ratio * frequency, frequency * sqrt(1.0 - damping_ratio**2)
    return float(abs((a * np.exp((decay + 1j * damped) * (t - t[-1]))).sum()))


def _undamped(kind: str, v: float) -> tuple[float, ...]:
    """Return the amplitudes for an undamped mode; v: residual vibration at the humps."""
    if kind == "zv":
        return (0.5, 0.5)
    if kind == "ei":
        return ((1.0 + v) / 4.0, (1.0 - v) / 2.0, (1.0 + v) / 4.0)
    x = (v * v * (sqrt(1.0 - v * v) + 1.0)) ** (1.0 / 3.0)
    outer = (3.0 * x * x + 2.0 * x + 3.0 * v * v) / (16.0 * x)
    return (outer, 0.5 - outer, 0.5 - outer, outer)


def _on_samples(times: Array, amplitudes: Array, decay: float, damped: float, period: float) -> tuple[Array, Array]:
    """Divide each impulse between its two neighbouring samples without changing its effect on the mode.

    The amplitudes a, b satisfy a exp(s t1) + b exp(s t2) = A exp(s t), with s = decay + j damped. decay, damped: decay
    rate and damped frequency of the mode, rad/s; period: sampling period of the law, s.
    """
    if damped * period >= pi:
        raise InputError(
            f"a vibration mode of {damped:g} rad/s is above half the sampling frequency of the law "
            f"({pi / period:g} rad/s), where no sampled command can shape it; shorten the sampling period below "
            f"{pi / damped:.4g} s"
        )
    steps = np.zeros(2 * ceil(times[-1] / period) + 4)
    for t, amplitude in zip(times, amplitudes, strict=True):
        k = round(t / period)
        if abs(t - k * period) < 1e-9 * period:
            steps[k] += amplitude
            continue
        k = int(t / period)
        u = t - k * period
        late = amplitude * exp(decay * (u - period)) * sin(damped * u) / sin(damped * period)
        steps[k] += amplitude * exp(decay * u) * cos(damped * u) - late * exp(decay * period) * cos(damped * period)
        steps[k + 1] += late
    used = np.flatnonzero(steps)
    on_sample: Array = used.astype(np.float64) * period
    return on_sample, steps[used]
