"""Finding the margins of a sampled loop, exactly, on its state-space form.

The crossings of the unit gain and of the negative real axis are bracketed on a grid of frequencies and
refined by root finding on L(z) = K (z - F)^-1 G itself, z = exp(j w h); the ends z = 1 and z = -1 are looked
at too, because a sampled loop most often loses stability at z = -1.

A further delay of d + f samples (d whole, 0 <= f < 1) multiplies L by z^-d and changes the sampled plant by
f. The loop reaches the unit circle where det(I + z^-d L_f(z)) = 0: two equations for the frequency and the
delay, solved from the estimate "phase over frequency", without one state per sample of delay.

python-control's `stability_margins` was tried on such loops first and is not used: on the sampled double
integrator (inertia 400 kg m^2, 0.1 s) it misses the crossing at z = -1 (it reports a gain margin of 5e-8, or
none, where the loop takes a factor of 127), and from the six-state form of the same loop a phase margin of
53.2 deg instead of 65.0, since expanding nearly coincident poles at z = 1 into a polynomial loses the digits.
Its `disk_margins` agrees with the number here.
"""

from collections.abc import Callable, Sequence
from math import floor, inf, pi
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..plant.errors import DesignError
from .broken_loop import BrokenLoop
from .loop import SampledLoop
from .margins import AxisMargins, Margins

__all__ = ["find_margins"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


def find_margins(loop: SampledLoop) -> Margins:
    """Return the margins of a sampled loop.

    Parameters
    ----------
    loop : SampledLoop
        Plant, gain, sampling period and delay.

    Returns
    -------
    Margins
        Per input and for all together.

    Raises
    ------
    DesignError
        When the loop is not stable.
    """
    poles = loop.poles()
    if abs(poles[0]) >= 1.0:
        raise DesignError(
            f"the loop is not stable, so it has no margins: a closed-loop pole lies at z = {poles[0]:.6g}, "
            f"modulus {abs(poles[0]):.6g}; lower the gain, the sampling period or the delay"
        )
    return Margins(
        axes=tuple(_axis(loop, axis) for axis in range(3)),
        delay_s=_delay_margin(loop, (0, 1, 2)),
        sample_s=loop.sample,
        computational_delay_s=loop.delay,
        closed_loop_poles=poles,
    )


def _grid(loop: SampledLoop, broken: BrokenLoop) -> Array:
    """Angles from far below the slowest closed-loop pole to pi, denser around every pole near the circle."""
    lowest = min(max(1e-3 * loop.slowest(), 1e-9), 1e-2)
    parts = [np.geomspace(lowest, pi, 600), np.linspace(lowest, pi, 200)]
    for pole in np.concatenate((np.linalg.eigvals(broken.F), loop.poles())):
        if abs(pole) > 0.5 and abs(np.angle(pole)) > lowest:
            width = np.geomspace(1e-4, 1.0, 12) * max(1.0 - abs(pole), 1e-6)
            parts += [abs(np.angle(pole)) + width, abs(np.angle(pole)) - width]
    angles = np.unique(np.concatenate(parts))
    return angles[(angles >= lowest) & (angles <= pi)]


def _crossings(
    function: Callable[[Complex], Array], broken: BrokenLoop, angles: Array, response: Complex
) -> list[float]:
    """Where a real function of the loop transfer matrix changes sign."""
    from scipy import optimize

    def at(angle: float) -> float:
        return float(function(broken.response([angle]))[0])

    values = np.sign(function(response))
    # 1e-14: an angle lies between 1e-9 and pi, so this is a part in 1e5 at the very least
    return [
        float(cast("Any", optimize).brentq(at, angles[n], angles[n + 1], xtol=1e-14, rtol=1e-13))
        for n in np.flatnonzero(values[:-1] * values[1:] < 0.0)
    ]


def _loci(L: Complex) -> Complex:
    return np.asarray(np.linalg.eigvals(L), dtype=np.complex128)


def _axis(loop: SampledLoop, axis: int) -> AxisMargins:
    broken = loop.broken((axis,))
    angles = _grid(loop, broken)
    response = broken.response(angles)
    up, down = _gain_margins(broken, angles, response)
    unit = _crossings(lambda L: np.log(np.abs(L[:, 0, 0])), broken, angles, response)
    shifts = [float(np.angle(-broken.response([angle])[0, 0, 0])) for angle in unit]  # measured from -1
    pass_band = _crossings(
        lambda L: np.abs(L[:, 0, 0] / (1.0 + L[:, 0, 0])) - np.sqrt(0.5), broken, angles, response
    )
    return AxisMargins(
        input=loop.inputs[axis],
        gain_up=up,
        gain_down=down,
        phase_deg=float(np.degrees(min((abs(shift) for shift in shifts), default=inf))),
        crossover_rad_s=max(unit, default=0.0) / loop.sample,
        bandwidth_rad_s=max(pass_band, default=0.0) / loop.sample,
        delay_s=_delay_margin(loop, (axis,)),
        disk=_disk_margin(broken, angles, response),
    )


def _gain_margins(broken: BrokenLoop, angles: Array, response: Complex) -> tuple[float, float]:
    """The factors nearest 1, above and below, for which 1 + factor L vanishes on the unit circle."""
    at = _crossings(lambda L: L[:, 0, 0].imag, broken, angles, response)
    values = list(broken.response([*at, pi])[:, 0, 0])
    if np.linalg.cond(broken.F - np.eye(len(broken.F))) < 1e12:  # otherwise L is infinite at z = 1
        values.append(broken.response([0.0])[0, 0, 0])
    # a sign change through a pole on the circle is no crossing: there L is not real
    factors = [-1.0 / v.real for v in values if v.real < 0.0 and abs(v.imag) < 1e-6 * abs(v.real)]
    return min((f for f in factors if f > 1.0), default=inf), max(
        (f for f in factors if f < 1.0), default=0.0
    )


def _disk_margin(broken: BrokenLoop, angles: Array, response: Complex) -> float:
    from scipy import optimize

    def size(angle: float) -> float:
        return -float(np.abs(1.0 / (1.0 + broken.response([angle])[0, 0, 0]) - 0.5))

    sizes = np.abs(1.0 / (1.0 + response[:, 0, 0]) - 0.5)
    n = int(np.argmax(sizes))
    low, high = angles[max(n - 1, 0)], angles[min(n + 1, len(angles) - 1)]
    best = cast("Any", optimize).minimize_scalar(
        size, bounds=(low, high), method="bounded", options={"xatol": 1e-12}
    )
    return 1.0 / max(-float(best.fun), float(sizes[n]))


def _delay_margin(loop: SampledLoop, inputs: Sequence[int]) -> float:
    """The smallest further delay of some inputs, s, at which a pole reaches the unit circle."""
    broken = loop.broken(inputs)
    angles = _grid(loop, broken)
    response = broken.response(angles)
    estimates: list[tuple[float, float]] = []
    for n in range(len(inputs)):  # the loci of the eigenvalues, by size, each a continuous curve

        def size(L: Complex, n: int = n) -> Array:
            return np.log(np.sort(np.abs(_loci(L)), axis=1)[:, n])

        for angle in _crossings(size, broken, angles, response):
            loci = _loci(broken.response([angle])[0])
            locus = loci[np.argmin(np.abs(np.abs(loci) - 1.0))]
            lag = float(np.mod(np.angle(-locus), 2.0 * pi))  # a delay only lags: up to a full turn
            estimates.append((lag / angle, angle))
    best = inf
    for samples, angle in sorted(estimates):
        if samples < best + 1.0:  # the estimate is off by a fraction of a sample at most
            best = min(best, _refined_delay(loop, inputs, angle, samples))
    return loop.sample * best


def _refined_delay(loop: SampledLoop, inputs: Sequence[int], angle: float, samples: float) -> float:
    """Solve det(I + z^-d L_f(z)) = 0 for the frequency and the delay d + f, in samples, from an estimate."""
    from scipy import optimize

    def residual(unknown: Array) -> Array:
        theta, delay = angle * float(unknown[0]), max(samples * float(unknown[1]), 0.0)
        whole = floor(delay)
        late = loop.broken(inputs, late=(delay - whole) * loop.sample)
        L = np.exp(-1j * whole * theta) * late.response([theta])[0]
        loci = _loci(L)
        value = 1.0 + loci[np.argmin(np.abs(1.0 + loci))]  # the factor of det(I + L) that vanishes
        return np.array([value.real, value.imag])

    found = cast("Any", optimize).root(residual, np.ones(2), method="hybr", options={"xtol": 1e-13})
    if np.abs(residual(found.x)).max() > 1e-8:  # cannot be better than the estimate, then
        return samples
    return samples * float(found.x[1])
