"""Exact delay margin of a sampled loop: the largest additional delay of the torque.

An additional delay of d + f samples (d whole, 0 <= f < 1) multiplies the loop transfer matrix L by z^-d, and
f changes the sampled plant, so that L becomes L_f. The loop is at the edge of stability where
det(I + z^-d L_f(z)) = 0 on the unit circle.

If the loop gain crosses 1 only at low frequencies (angles per sample of 0.5 rad or less), the smallest such delay is
found from the estimate "phase over frequency": the real and imaginary parts of the equation are solved for frequency
and delay, without one state for each sample of delay. Otherwise the fraction f matters: near z = -1 it changes |L|
itself, and intervals of stability appear and vanish as f changes. In that case the poles are tracked in steps of 1/16
sample, or 1/256 sample when a pole comes close to the unit circle, until one is outside.

A block between the law and the plant makes a command wait for the block's next sample. Then only the number of whole
samples of waiting matters: each additional sample multiplies L by 1/z, and the margin is the shortest delay whose
number of samples makes the loop unstable. A periodic loop (`SampledLoop.periodic`) has no L: its poles are tracked up
to a limited delay, in long steps if the loop attenuates fast commands.
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

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

SLOW = 0.5  # rad per sample: below this frequency a fraction of a sample hardly changes |L|
STEP = 1.0 / 16.0  # samples: step in which poles are tracked
NEAR = 0.05  # distance from the unit circle within which a pole causes a step to be divided ...
FINER = 16  # ... into this many steps of 1/256 sample each, because unstable intervals may be short
MANY = 200.0  # samples, three states each: longest delay of the exact pole search
GROWS = 1.1  # ratio of successive delays for a loop without L, beyond FAR or if the loop is slow ...
LONG = 0.5  # ... but steps of at least this many samples
ITERATIONS = 24
APART = 1e-6  # relative frequency step of the difference quotient
FURTHER = 10.0  # times the last step: an upper bound on the sum of all later steps, which shrink geometrically
SOLVED = 1e-15
EXACT = 1e-13
FAR = 16.0  # samples: a crossing above SLOW is reached after at most 2 pi / SLOW = 12.6 samples


@one_thread
def delay_margin(loop: SampledLoop, inputs: Sequence[int], swept: Sweep | None = None) -> float:
    """Return the smallest additional delay on some inputs at which a pole reaches the unit circle.

    loop: a stable loop.
    inputs: indices of the inputs, counted from 0; all are delayed by the same time.
    swept: sweep of the loop opened at these inputs, if already computed.
    -> s; inf if there is none; nan if the poles are tracked and none is found within 200 samples.
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
    """Return the smallest `delay_margin` over several sets of inputs, without refining larger ones.

    loop: a stable loop; cuts: pairs of a set of inputs, all delayed by the same time, and the sweep of the loop opened
    there -> as `delay_margin`.
    """
    if loop.repeats > 1 or loop.taken_up:
        return float(np.min([delay_margin(loop, inputs, swept) for inputs, swept in cuts]))  # nan if any is nan
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
        if samples < min(best, edge / loop.sample) + 1.0:  # the estimate is within one sample of the margin
            best = min(best, _refined(loop, inputs, angle, samples, above=best))
    return min(edge, loop.sample * best)


def _estimates(swept: Sweep) -> tuple[list[tuple[float, float]], bool]:
    """Estimate the delay at each unit-gain crossing as phase over frequency.

    -> (delay in samples, frequency) of each crossing; whether the modulus of any locus exceeds 0.5 above SLOW.
    """
    estimates: list[tuple[float, float]] = []
    for angle, found in zip(swept.unit_gains, swept.unit_loci, strict=True):
        locus = found[np.argmin(np.abs(np.abs(found) - 1.0))]
        lag = float(np.mod(np.angle(-locus), 2.0 * pi))  # a delay only adds lag, so the phase is in [0, 2 pi)
        estimates.append((lag / angle, angle))
    return estimates, float(np.abs(swept.loci[swept.angles > SLOW]).max()) > 0.5


def _waited(loop: SampledLoop, inputs: Sequence[int]) -> float:
    """Return the delay margin, s, of a loop whose commands wait for a block; inf if unlimited."""
    every = waits(loop)
    first: list[tuple[int, int]] = []  # whole samples of the first unstable delay, and index of its waiting time
    for n, wait in enumerate(every):
        estimates, swift = _estimates(sweep(loop, loop.broken(inputs, late=wait * loop.sample)))
        reached = min((samples for samples, _ in estimates), default=inf)

        def unstable(whole: int, wait: float = wait) -> bool:
            return loop.radius([(whole + wait) * loop.sample * (k in inputs) for k in range(3)]) > 1.0

        if swift:  # instability may begin at a shorter delay than phase over frequency
            found = next((whole for whole in range(int(FAR)) if unstable(whole)), None)
        elif reached < MANY:  # up to rounding, floor(reached) samples are stable and ceil(reached) are not
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
    """Return the times, in samples and ascending, that commands wait for the instants in `taken_up`."""
    found = sorted(((instant - loop.delay) / loop.sample + 1e-9) % 1.0 - 1e-9 for instant in loop.taken_up)
    return [max(wait, 0.0) for wait in found]


def _too_long(loop: SampledLoop, inputs: Sequence[int]) -> float:
    """Return the delay margin, s, of a loop without L whose commands wait; nan beyond MANY samples."""
    before = 0.0
    for whole in range(int(MANY)):
        for wait in waits(loop):
            late = (whole + wait) * loop.sample
            if loop.radius([late if n in inputs else 0.0 for n in range(3)]) > 1.0:
                return before
            before = late
    return nan


def _followed(loop: SampledLoop, inputs: Sequence[int], limit: float) -> float:
    """Return the smallest destabilising delay, s, up to `limit` samples; inf if there is none."""
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
    """Return the smallest destabilising delay, s, beyond `low` samples; nan if none is below MANY."""
    from scipy import optimize

    def excess(samples: float) -> float:
        return loop.radius([samples * loop.sample if n in inputs else 0.0 for n in range(3)]) - 1.0

    while low < MANY:
        high = max(GROWS * low, low + LONG)
        if excess(high) > 0.0:
            return loop.sample * float(cast("Any", optimize).brentq(excess, low, high, xtol=1e-9, rtol=1e-12))
        low = high
    return nan


def _refined(loop: SampledLoop, inputs: Sequence[int], angle: float, samples: float, *, above: float = inf) -> float:
    """Return the delay d + f, in samples, that solves det(I + z^-d L_f(z)) = 0, refined from an estimate.

    Newton's method in frequency and delay. The derivative with respect to frequency is a difference quotient at
    constant f; the derivative with respect to delay neglects the change of |L| with f.
    above: only delays below this value matter; inf is returned when later steps cannot get below it.
    """
    theta, delay, before = angle, samples, 0.0
    for _ in range(ITERATIONS):
        whole = floor(delay)
        late = loop.broken(inputs, late=(delay - whole) * loop.sample)
        at = np.array([theta, theta * (1.0 + APART)])
        found = np.exp(-1j * whole * at)[:, None] * loci(late.response(at))
        here, beside = (each[np.argmin(np.abs(1.0 + each))] for each in found)  # the eigenvalue nearest -1
        over = (beside - here) / (at[1] - theta), -1j * theta * here
        slopes = np.array([[each.real for each in over], [each.imag for each in over]])
        error = np.array([1.0 + here.real, here.imag])
        try:
            move = np.linalg.solve(slopes, -error)
        except np.linalg.LinAlgError:
            break
        theta += float(np.clip(move[0], -0.5 * theta, theta))
        delay = max(delay + float(np.clip(move[1], -1.0, 1.0)), 0.0)
        if delay - FURTHER * abs(float(move[1])) > above:
            return inf
        moved = max(abs(move[0]) / theta, abs(move[1]) / max(delay, EXACT))
        # the steps shrink geometrically, so the next one can be predicted
        if np.abs(error).max() < SOLVED or moved < EXACT or moved * moved < 0.1 * EXACT * before:
            return delay
        before = moved if moved < 1e-3 else 0.0
    return samples  # the steps no longer shrink: the estimate is as accurate as it gets
