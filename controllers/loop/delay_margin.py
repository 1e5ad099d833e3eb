"""How much later the torque may come: the delay margin of a sampled loop, exactly.

A further delay of d + f samples (d whole, 0 <= f < 1) multiplies the loop transfer matrix L by z^-d and
changes the sampled plant by f. The loop is at the edge of stability where det(I + z^-d L_f(z)) = 0 on the
unit circle.

Where the loop gain is 1 at low frequency only (angles per sample of 0.5 rad or less), the first edge is found
from the estimate "phase over frequency" by solving those two equations for frequency and delay, without one
state per sample of delay. Otherwise the fraction f matters: near z = -1 it moves |L| itself, and edges come
and go with it. There the poles are followed in steps of a sixteenth of a sample, and of a sixteenth of that
where they pass near the circle, until one is outside.

A command that a block takes up on its way waits for the block's next sample: then only whole waits matter, each further
sample multiplies L by 1/z, and the margin is where the first wait begins that is too long. Of a loop that has no L
(`SampledLoop.periodic`) the poles are followed for a while, in long steps where it makes little of swift commands.
"""

from collections.abc import Sequence
from math import ceil, floor, inf, nan, pi
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant.one_thread import one_thread
from .broken_loop import BrokenLoop
from .crossings import crossings, frequency_grid, loci
from .sampled_loop import SampledLoop

__all__ = ["delay_margin", "waits"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

SLOW = 0.5  # rad per sample: below it the fraction of a sample hardly changes |L|
STEP = 1.0 / 16.0  # samples
NEAR = 0.05  # with a pole this near the unit circle a step is divided ...
FINER = 16  # ... into so many, 1/256 of a sample each: unstable spans may be short
MANY = 200.0  # samples, three states each: so far poles are looked at
GROWS = 1.1  # from one delay looked at to the next, of a loop without L, beyond FAR or slow ...
LONG = 0.5  # ... but at least so many samples
FAR = 16.0  # samples: a crossing above SLOW is used up after 2 pi / SLOW = 12.6 of them


@one_thread
def delay_margin(loop: SampledLoop, inputs: Sequence[int]) -> float:
    """Return the smallest further delay of some inputs at which a pole reaches the unit circle.

    loop: a stable loop.
    inputs: the inputs that are late, all by the same time; counted from 0.
    -> seconds; inf if none; nan where none is found within 200 samples of a loop whose poles are followed.
    """
    if loop.repeats > 1 and loop.taken_up:
        return _too_long(loop, inputs)
    if loop.repeats > 1:
        if loop.fastest_gain(SLOW) < 0.5:
            return _far(loop, inputs, 0.0)
        edge = _followed(loop, inputs, FAR)
        return edge if edge < inf else _far(loop, inputs, FAR)
    if loop.taken_up:
        return _waited(loop, inputs)
    broken = loop.broken(inputs)
    angles = frequency_grid(loop, broken)
    response = broken.response(angles)
    estimates, swift = _estimates(broken, angles, response)
    if swift:
        first = min(estimates, default=(2.0, pi))[0]
        edge = _followed(loop, inputs, min(first + 2.0, FAR))
        if edge < inf:
            return edge
        estimates = [(samples, angle) for samples, angle in estimates if samples > FAR - 2.0]
    best = inf
    for samples, angle in sorted(estimates):
        if samples < best + 1.0:  # the estimate is off by a fraction of a sample at most
            best = min(best, _refined(loop, inputs, angle, samples))
    return loop.sample * best


def _estimates(broken: BrokenLoop, angles: Array, response: Complex) -> tuple[list[tuple[float, float]], bool]:
    """Phase over frequency, samples, and frequency where a locus has the modulus 1; whether one is large above SLOW."""
    estimates: list[tuple[float, float]] = []
    for n in range(response.shape[-1]):  # the loci of the eigenvalues by size, each a continuous curve

        def size(L: Complex, n: int = n) -> Array:
            return np.log(np.sort(np.abs(loci(L)), axis=1)[:, n])

        for angle in crossings(size, broken, angles, response):
            found = loci(broken.response([angle])[0])
            locus = found[np.argmin(np.abs(np.abs(found) - 1.0))]
            lag = float(np.mod(np.angle(-locus), 2.0 * pi))  # a delay only lags: up to a full turn
            estimates.append((lag / angle, angle))

    return estimates, float(np.abs(loci(response[angles > SLOW])).max()) > 0.5


def _waited(loop: SampledLoop, inputs: Sequence[int]) -> float:
    """The longest further delay, s, with which commands are still taken up in time; inf if any is."""
    every = waits(loop)
    first: list[tuple[int, int]] = []  # whole samples and which wait, of the first that is too long
    for n, wait in enumerate(every):
        broken = loop.broken(inputs, late=wait * loop.sample)
        angles = frequency_grid(loop, broken)
        estimates, swift = _estimates(broken, angles, broken.response(angles))
        reached = min((samples for samples, _ in estimates), default=inf)

        def unstable(whole: int, wait: float = wait) -> bool:
            return loop.radius([(whole + wait) * loop.sample * (k in inputs) for k in range(3)]) > 1.0

        if swift:  # edges may come before what phase over frequency tells
            found = next((whole for whole in range(int(FAR)) if unstable(whole)), None)
        elif reached < MANY:  # the whole number before the estimate is inside and the next outside, but for rounding
            found = next((n for n in range(max(floor(reached) - 1, 0), floor(reached) + 3) if unstable(n)), None)
        else:
            found = ceil(reached) if reached < inf else None
        if found is not None:
            first.append((found, n))
    if not first:
        return inf
    whole, n = min(first)
    return loop.sample * (whole + every[n - 1] if n else max(whole - 1 + every[-1], 0.0))


def waits(loop: SampledLoop) -> list[float]:
    """Return how long, in samples, a command of a loop with `taken_up` waits until it is; ascending."""
    found = sorted(((instant - loop.delay) / loop.sample + 1e-9) % 1.0 - 1e-9 for instant in loop.taken_up)
    return [max(wait, 0.0) for wait in found]


def _too_long(loop: SampledLoop, inputs: Sequence[int]) -> float:
    """The longest further delay, s, of a loop without L in which commands wait; nan beyond MANY samples."""
    before = 0.0
    for whole in range(int(MANY)):
        for wait in waits(loop):
            late = (whole + wait) * loop.sample
            if loop.radius([late if n in inputs else 0.0 for n in range(3)]) > 1.0:
                return before
            before = late
    return nan


def _followed(loop: SampledLoop, inputs: Sequence[int], limit: float) -> float:
    """The first edge, s, within so many samples; inf if there is none."""
    from scipy import optimize

    solve = cast("Any", optimize)

    def excess(samples: float) -> float:
        return loop.radius([samples * loop.sample if n in inputs else 0.0 for n in range(3)]) - 1.0

    def edge(low: float, high: float) -> float:
        return loop.sample * float(solve.brentq(excess, low, high, xtol=1e-13, rtol=1e-13))

    here = excess(0.0)
    for n in range(int(limit / STEP)):
        after = excess((n + 1) * STEP)
        parts = FINER if max(here, after) > -NEAR else 1
        low = n * STEP
        for part in range(1, parts + 1):
            high = (n + part / parts) * STEP
            if (after if part == parts else excess(high)) > 0.0:
                return edge(low, high)
            low = high
        here = after
    return inf


def _far(loop: SampledLoop, inputs: Sequence[int], low: float) -> float:
    """The first edge, s, beyond so many samples, in long steps; nan where it is not found within MANY samples."""
    from scipy import optimize

    def excess(samples: float) -> float:
        return loop.radius([samples * loop.sample if n in inputs else 0.0 for n in range(3)]) - 1.0

    while low < MANY:
        high = max(GROWS * low, low + LONG)
        if excess(high) > 0.0:
            return loop.sample * float(cast("Any", optimize).brentq(excess, low, high, xtol=1e-9, rtol=1e-12))
        low = high
    return nan


def _refined(loop: SampledLoop, inputs: Sequence[int], angle: float, samples: float) -> float:
    """Solve det(I + z^-d L_f(z)) = 0 for the frequency and the delay d + f, in samples, from an estimate."""
    from scipy import optimize

    def residual(unknown: Array) -> Array:
        theta, delay = angle * float(unknown[0]), max(samples * float(unknown[1]), 0.0)
        whole = floor(delay)
        late = loop.broken(inputs, late=(delay - whole) * loop.sample)
        found = loci(np.exp(-1j * whole * theta) * late.response([theta])[0])
        value = 1.0 + found[np.argmin(np.abs(1.0 + found))]  # the factor of det(I + L) that vanishes
        return np.array([value.real, value.imag])

    solution = cast("Any", optimize).root(residual, np.ones(2), method="hybr", options={"xtol": 1e-13})
    if np.abs(residual(solution.x)).max() > 1e-8:  # the estimate is then as good as it gets
        return samples
    return samples * float(solution.x[1])
