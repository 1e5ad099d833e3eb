"""The exactly sampled plant: zero-order hold and computational delay, without approximation.

A command computed at t_k = k h reaches the plant at t_k + delay and is held for h. With
delay = d h + f, 0 <= f < h, the plant receives u[k-d-1] for the first f seconds of the interval and u[k-d] for
the rest, so that

    x[k+1] = exp(A h) x[k] + exp(A (h - f)) Gamma(f) B u[k-d-1] + Gamma(h - f) B u[k-d],

with Gamma(s) the integral of exp(A s') from 0 to s (Astrom & Wittenmark, Computer-Controlled Systems, section
3.2). The pending commands are states: [x; u[k-1]; u[k-2]; ...].
"""

from collections.abc import Sequence
from math import floor
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant.one_thread import one_thread
from .solution_cache import cached_solution

Array = NDArray[np.float64]


def split_delay(sample: float, delay: float) -> tuple[int, float]:
    """Split a delay into whole samples and a remainder.

    sample, delay: sampling period and delay, s -> whole samples, and the remainder in seconds. A remainder below 1e-9
    of a sample is attributed to rounding and set to zero.

    Examples
    --------
    >>> split_delay(0.1, 0.3)
    (3, 0.0)
    >>> split_delay(0.5, 0.75)
    (1, 0.25)
    """
    whole = floor(delay / sample + 1e-9)
    rest = delay - whole * sample
    return whole, rest if rest > 1e-9 * sample else 0.0


def commands_under_way(sample: float, delay: float) -> int:
    """Count the past commands that still act on the plant after a sample.

    sample, delay: sampling period and delay, s -> the delay in samples, rounded up.

    Examples
    --------
    >>> [commands_under_way(0.1, delay) for delay in (0, 0.05, 0.1, 0.25)]
    [0, 1, 1, 3]
    """
    whole, rest = split_delay(sample, delay)
    return whole + (rest > 0.0)


@cached_solution
@one_thread
def hold(A: Array, B: Array, *, duration: float) -> tuple[Array, Array]:
    """Discretise x' = A x + B u exactly for u constant over a duration.

    A (n, n): state matrix; B (n, m): input matrix; duration: hold time, s -> exp(A s) (n, n) and the
    integral of exp(A s') B from 0 to s (n, m), both from one exponential of [[A, B], [0, 0]].
    """
    from scipy import linalg

    n, m = B.shape
    block = np.zeros((n + m, n + m))
    block[:n, :n] = A
    block[:n, n:] = B
    whole = cast("Any", linalg).expm(block * duration)
    return np.asarray(whole[:n, :n], dtype=np.float64), np.asarray(whole[:n, n:], dtype=np.float64)


@one_thread
def driven(A: Array, B: Array, *, duration: float) -> tuple[Array, Array]:
    """Discretise x' = A x + B w exactly for white noise w of density 1 (Van Loan 1978).

    A (n, n): state matrix; B (n, m): input matrix; duration: s -> exp(A s) (n, n) and the covariance of the accumulated
    noise (n, n). Source: IEEE Trans. AC 23, 395.
    """
    from scipy import linalg

    n = len(A)
    block = np.block([[-A, B @ B.T], [np.zeros((n, n)), A.T]]) * duration
    exponential = np.asarray(cast("Any", linalg).expm(block), dtype=np.float64)
    flow = exponential[n:, n:].T
    noise = flow @ exponential[:n, n:]
    return flow, 0.5 * (noise + noise.T)


def sampled_plant(A: Array, B: Array, *, sample: float, delays: Sequence[float]) -> tuple[Array, Array]:
    """Discretise a plant whose inputs have individual delays.

    A (n, n): state matrix of the continuous plant.
    B (n, m): input matrix.
    sample: sampling period, s.
    delays: delay of each input, s; the longest determines how many past commands are states.
    -> F (n + p m, n + p m) and G (n + p m, m) of s[k+1] = F s[k] + G u[k], s = [x; u[k-1]; u[k-2]; ...], with p past
    commands.
    """
    n, m = B.shape
    length = max(commands_under_way(sample, delay) for delay in delays)
    size = n + length * m
    F = np.zeros((size, size))
    G = np.zeros((size, m))
    splits = [split_delay(sample, delay) for delay in delays]
    durations = {sample} | {part for _, rest in splits if rest > 0.0 for part in (rest, sample - rest)}
    held = {duration: hold(A, B, duration=duration) for duration in durations}
    F[:n, :n] = held[sample][0]
    for i, (whole, rest) in enumerate(splits):
        flow, gain = held[sample - rest]  # after the newest command has arrived
        recent = gain[:, i]
        if rest > 0.0:
            F[:n, n + whole * m + i] += flow @ held[rest][1][:, i]
        if whole == 0:
            G[:n, i] += recent
        else:
            F[:n, n + (whole - 1) * m + i] += recent
    if length > 0:
        G[n : n + m] = np.eye(m)
        F[n + m :, n:-m] = np.eye((length - 1) * m)
    return F, G
