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
from operator import itemgetter
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant.one_thread import one_thread
from .crossings import Sweep, loci, sweep
from .sampled_loop import SampledLoop

__all__ = ["delay_margin", "smallest_delay_margin", "waits"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

SLOW = 0.5  # rad per sample: below it the fraction of a sample hardly changes |L|
STEP = 1.0 / 16.0  # samples
NEAR = 0.05  # with a pole this near the unit circle a step is divided ...
FINER = 16  # ... into so many, 1/256 of a sample each: unstable spans may be short
MANY = 200.0  # samples, three states each: so far poles are looked at
GROWS = 1.1  # from one delay looked at to the next, of a loop without L, beyond FAR or slow ...
LONG = 0.5  # ... but at least so many samples
ITERATIONS = 24
APART = 1e-6  # relative: of two frequencies for a slope
SOLVED = 1e-15
EXACT = 1e-13
FAR = 16.0  # samples: a crossing above SLOW is used up after 2 pi / SLOW = 12.6 of them


@one_thread
def delay_margin(loop: SampledLoop, inputs: Sequence[int], swept: Sweep | None = None) -> float:
    """Return the smallest further delay of some inputs at which a pole reaches the unit circle.

    loop: a stable loop.
    inputs: the inputs that are late, all by the same time; counted from 0.
    swept: the loop opened at these inputs on its grid, if it is there.
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
    return smallest_delay_margin(loop, [(inputs, sweep(loop, loop.broken(inputs)) if swept is None else swept)])


@one_thread
def smallest_delay_margin(loop: SampledLoop, cuts: Sequence[tuple[Sequence[int], Sweep]]) -> float:
    """Return the smallest `delay_margin` of several sets of inputs, without refining those that lie above it.

    loop: a stable loop; cuts: the inputs that are late, all by the same time, and the loop opened there on its grid.
    -> as `delay_margin`.
    """
    if loop.repeats > 1 or loop.taken_up:
        return float(np.min([delay_margin(loop, inputs, swept) for inputs, swept in cuts]))  # nan where one is
    edge, estimates = inf, list[tuple[float, float, Sequence[int]]]()
    for inputs, swept in cuts:
        found, swift = _estimates(swept)
        if swift:
            first = min(found, default=(2.0, pi))[0]
            followed = _followed(loop, inputs, min(first + 2.0, FAR))
            edge = min(edge, followed)
            found = [] if followed < inf else [each for each in found if each[0] > FAR - 2.0]
        estimates += [(samples, angle, inputs) for samples, angle in found]
    best = inf
    for samples, angle, inputs in sorted(estimates, key=itemgetter(0, 1)):
        if samples < min(best, edge / loop.sample) + 1.0:  # the estimate is off by a fraction of a sample at most
            best = min(best, _refined(loop, inputs, angle, samples))
    return min(edge, loop.sample * best)


def _estimates(swept: Sweep) -> tuple[list[tuple[float, float]], bool]:
    """Phase over frequency, samples, and frequency where a locus has the modulus 1; whether one is large above SLOW."""
    estimates: list[tuple[float, float]] = []
    for angle, found in zip(swept.unit_gains, swept.unit_loci, strict=True):
        locus = found[np.argmin(np.abs(np.abs(found) - 1.0))]
        lag = float(np.mod(np.angle(-locus), 2.0 * pi))  # a delay only lags: up to a full turn
        estimates.append((lag / angle, angle))
    return estimates, float(np.abs(swept.loci[swept.angles > SLOW]).max()) > 0.5


def _waited(loop: SampledLoop, inputs: Sequence[int]) -> float:
    """The longest further delay, s, with which commands are still taken up in time; inf if any is."""
    every = waits(loop)
    first: list[tuple[int, int]] = []  # whole samples and which wait, of the first that is too long
    for n, wait in enumerate(every):
        estimates, swift = _estimates(sweep(loop, loop.broken(inputs, late=wait * loop.sample)))
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
    """Solve det(I + z^-d L_f(z)) = 0 for the frequency and the delay d + f, in samples, from an estimate.

    Newton's method: the slope over frequency from a difference at one f, that over delay as if |L| did not depend on f.
    """
    theta, delay, before = angle, samples, 0.0
    for _ in range(ITERATIONS):
        whole = floor(delay)
        late = loop.broken(inputs, late=(delay - whole) * loop.sample)
        at = np.array([theta, theta * (1.0 + APART)])
        found = np.exp(-1j * whole * at)[:, None] * loci(late.response(at))
        here, beside = (each[np.argmin(np.abs(1.0 + each))] for each in found)  # the factor of det(I + L) that vanishes
        over = (beside - here) / (at[1] - theta), -1j * theta * here
        slopes = np.array([[each.real for each in over], [each.imag for each in over]])
        error = np.array([1.0 + here.real, here.imag])
        try:
            move = np.linalg.solve(slopes, -error)
        except np.linalg.LinAlgError:
            break
        theta += float(np.clip(move[0], -0.5 * theta, theta))
        delay = max(delay + float(np.clip(move[1], -1.0, 1.0)), 0.0)
        moved = max(abs(move[0]) / theta, abs(move[1]) / max(delay, EXACT))
        # each move is a like part of the one before, so that the next one is known
        if np.abs(error).max() < SOLVED or moved < EXACT or moved * moved < 0.1 * EXACT * before:
            return delay
        before = moved if moved < 1e-3 else 0.0
    return samples  # the estimate is then as good as it gets
