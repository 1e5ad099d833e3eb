"""Gain and delay margins of a loop in which law and blocks meet again only after several samples.

Such a loop has no transfer matrix at the law's rate, but it has poles, those of the monodromy over the whole time, and
it is stable as long as all are inside the unit circle. Gains and delays are changed until one is not.
"""

from collections.abc import Sequence
from math import inf, isnan, nan
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from .delay_margin import delay_margin
from .margins import AxisMargins, Margins

if TYPE_CHECKING:
    from .sampled_loop import SampledLoop

__all__ = ["periodic_margins"]

Array = NDArray[np.float64]

FACTORS = np.geomspace(1.0, 1e3, 241)  # a quarter of a decibel apart: unstable spans narrower than that may be missed
FREE = 1e-9  # beyond 1: a pole on the circle, but for rounding


def periodic_margins(loop: "SampledLoop", poles: NDArray[np.complex128]) -> Margins:
    """Return the margins of a stable loop, nan where it has none of a kind; poles: its own."""
    every = range(3)
    up, down = _gains(loop, every)
    axes, late = tuple(_axis(loop, n) for n in every), delay_margin(loop, every)
    far = ""
    if any(isnan(each) for each in (late, *(axis.delay_s for axis in axes))):
        far = "; a delay margin of more than 200 samples was not looked for"
    return Margins(
        axes=axes,
        gain_up=up,
        gain_down=down,
        phase_deg=nan,
        delay_s=late,
        sample_s=loop.sample,
        computational_delay_s=loop.delay,
        closed_loop_poles=poles,
        words=loop.words,
        periodic=loop.periodic + far,
    )


def _axis(loop: "SampledLoop", axis: int) -> AxisMargins:
    up, down = _gains(loop, (axis,))
    return AxisMargins(
        input=loop.inputs[axis],
        gain_up=up,
        gain_down=down,
        phase_deg=nan,
        crossover_rad_s=nan,
        bandwidth_rad_s=nan,
        delay_s=delay_margin(loop, (axis,)),
        disk=nan,
    )


def _gains(loop: "SampledLoop", inputs: Sequence[int]) -> tuple[float, float]:
    """The factors nearest 1, above and below, at which a pole leaves the circle; inf and 0 within a thousandfold."""
    from scipy import optimize

    def excess(factor: float) -> float:
        return loop.radius(factor=[factor if n in inputs else 1.0 for n in range(3)]) - 1.0

    def edge(factors: Array, none: float) -> float:
        before = float(factors[0])
        for each in factors[1:]:
            if excess(float(each)) > FREE:
                return float(cast("Any", optimize).brentq(excess, before, each, xtol=1e-13, rtol=1e-12))
            before = float(each)
        return none

    return edge(FACTORS, inf), edge(1.0 / FACTORS, 0.0)
