"""Finding the margins of a sampled loop, exactly, on its state-space form.

The crossings of the unit gain and of the negative real axis are bracketed on a grid of frequencies and
refined by root finding on L(z) = K (z - F)^-1 G itself, z = exp(j w h); the ends z = 1 and z = -1 are looked
at too, because a sampled loop most often loses stability at z = -1.

python-control's `stability_margins` was tried on such loops first and is not used: on the sampled double
integrator (inertia 400 kg m^2, 0.1 s) it misses the crossing at z = -1 (it reports a gain margin of 5e-8, or
none, where the loop takes a factor of 127), and from the six-state form of the same loop a phase margin of
53.2 deg instead of 65.0, since expanding nearly coincident poles at z = 1 into a polynomial loses the digits.
Its `disk_margins` agrees with the number here.
"""

from math import inf, pi
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..plant.errors import DesignError
from ..plant.one_thread import one_thread
from .broken_loop import BrokenLoop
from .crossings import crossings, frequency_grid
from .delay_margin import delay_margin
from .loop import SampledLoop
from .margins import AxisMargins, Margins

__all__ = ["find_margins"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@one_thread
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
        delay_s=delay_margin(loop, (0, 1, 2)),
        sample_s=loop.sample,
        computational_delay_s=loop.delay,
        closed_loop_poles=poles,
    )


def _axis(loop: SampledLoop, axis: int) -> AxisMargins:
    broken = loop.broken((axis,))
    angles = frequency_grid(loop, broken)
    response = broken.response(angles)
    up, down = _gain_margins(broken, angles, response)
    unit = crossings(lambda L: np.log(np.abs(L[:, 0, 0])), broken, angles, response)
    shifts = [float(np.angle(-broken.response([angle])[0, 0, 0])) for angle in unit]  # measured from -1
    pass_band = crossings(lambda L: np.abs(L[:, 0, 0] / (1.0 + L[:, 0, 0])) - np.sqrt(0.5), broken, angles, response)
    return AxisMargins(
        input=loop.inputs[axis],
        gain_up=up,
        gain_down=down,
        phase_deg=float(np.degrees(min((abs(shift) for shift in shifts), default=inf))),
        crossover_rad_s=max(unit, default=0.0) / loop.sample,
        bandwidth_rad_s=max(pass_band, default=0.0) / loop.sample,
        delay_s=delay_margin(loop, (axis,)),
        disk=_disk_margin(broken, angles, response),
    )


def _gain_margins(broken: BrokenLoop, angles: Array, response: Complex) -> tuple[float, float]:
    """The factors nearest 1, above and below, for which 1 + factor L vanishes on the unit circle."""
    at = crossings(lambda L: L[:, 0, 0].imag, broken, angles, response)
    values = list(broken.response([*at, pi])[:, 0, 0])
    if np.linalg.cond(broken.F - np.eye(len(broken.F))) < 1e12:  # otherwise L is infinite at z = 1
        values.append(broken.response([0.0])[0, 0, 0])
    # a sign change through a pole on the circle is no crossing: there L is not real
    factors = [-1.0 / float(v.real) for v in values if v.real < 0.0 and abs(v.imag) < 1e-6 * abs(v.real)]
    return min((f for f in factors if f > 1.0), default=inf), max((f for f in factors if f < 1.0), default=0.0)


def _disk_margin(broken: BrokenLoop, angles: Array, response: Complex) -> float:
    from scipy import optimize

    def size(angle: float) -> float:
        return -float(np.abs(1.0 / (1.0 + broken.response([angle])[0, 0, 0]) - 0.5))

    sizes = np.abs(1.0 / (1.0 + response[:, 0, 0]) - 0.5)
    n = int(np.argmax(sizes))
    low, high = angles[max(n - 1, 0)], angles[min(n + 1, len(angles) - 1)]
    best = cast("Any", optimize).minimize_scalar(size, bounds=(low, high), method="bounded", options={"xatol": 1e-12})
    return 1.0 / max(-float(best.fun), float(sizes[n]))
