"""Margins of a periodic loop, in which law and blocks have a common period of several samples.

Such a loop has no transfer matrix at the law's rate, but it has poles: the eigenvalues of the monodromy matrix over the
common period. The loop is stable as long as all poles are inside the unit circle. A margin is the factor, the same on
every sample of a command, at which a pole leaves the unit circle: a real factor for the gain margins, exp(j phi) for
the phase margin, and a delay for the delay margin. For a single-rate loop lifted over several samples, these margins
equal the margins of its transfer matrix.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import inf, isnan, nan, pi
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from .delay_margin import delay_margin
from .margins import AxisMargins, Margins

if TYPE_CHECKING:
    from collections.abc import Callable

    from .sampled_loop import SampledLoop

Array = NDArray[np.float64]

FACTORS = np.geomspace(1.0, 1e3, 241)  # 0.25 dB apart: narrower unstable intervals may be missed
TURNS = np.linspace(0.0, pi, 121)  # rad, 1.5 degrees apart
STRIDE = 8  # sizes per interval of the search, which is divided where poles approach the unit circle
CLEAR = 2.0
FREE = 1e-9  # a pole whose modulus exceeds 1 by less is on the unit circle within rounding


def periodic_margins(loop: "SampledLoop", poles: NDArray[np.complex128]) -> Margins:
    """Return the margins of a stable loop with given poles; nan for margins that do not exist."""
    from .analysis.disk_margins import disk_margins
    from .analysis.opened_loop import open_loop

    every = range(3)
    up, down = _gains(loop, every)
    axes, late = tuple(_axis(loop, n) for n in every), delay_margin(loop, every)
    words = loop.periodic
    if any(isnan(each) for each in (late, *(axis.delay_s for axis in axes))):
        words += "; a delay margin of more than 200 samples was not looked for"
    opened = open_loop(loop, "input")
    if opened.too_many:
        words += f"; disk margins over {loop.repeats:,} samples were not looked for"
    else:
        disks = disk_margins(opened).channels
        axes = tuple(replace(axis, disk=disk.alpha) for axis, disk in zip(axes, disks, strict=True))
    return Margins(
        axes=axes,
        gain_up=up,
        gain_down=down,
        phase_deg=_phase(loop, every),
        delay_s=late,
        sample_s=loop.sample,
        computational_delay_s=loop.delay,
        closed_loop_poles=poles,
        words=loop.words,
        periodic=words,
    )


def _axis(loop: "SampledLoop", axis: int) -> AxisMargins:
    up, down = _gains(loop, (axis,))
    return AxisMargins(
        input=loop.inputs[axis],
        gain_up=up,
        gain_down=down,
        phase_deg=_phase(loop, (axis,)),
        crossover_rad_s=nan,
        bandwidth_rad_s=nan,
        delay_s=delay_margin(loop, (axis,)),
        disk=nan,
    )


def _gains(loop: "SampledLoop", inputs: Sequence[int]) -> tuple[float, float]:
    """Return the factors nearest 1 at which a pole leaves the unit circle; inf and 0 if none up to 1000."""
    excess = _excess(loop, inputs, complex)
    return _edge(excess, FACTORS, inf), _edge(excess, 1.0 / FACTORS, 0.0)


def _phase(loop: "SampledLoop", inputs: Sequence[int]) -> float:
    """Return the smallest phi, deg, at which exp(j phi) on commands destabilises the loop, or inf."""
    return float(np.degrees(_edge(_excess(loop, inputs, lambda phi: complex(np.exp(1j * phi))), TURNS, inf)))


def _excess(
    loop: "SampledLoop", inputs: Sequence[int], factor: "Callable[[float], complex]"
) -> "Callable[[float], float]":
    """Return a function from a factor on some inputs to the largest pole modulus minus 1."""

    def excess(size: float) -> float:
        on = factor(size)
        each = [on if n in inputs else 1.0 for n in range(3)]
        return loop.radius(factor=each if on.imag else np.real(each).tolist()) - 1.0

    return excess


def _edge(excess: "Callable[[float], float]", sizes: Array, none: float) -> float:
    """Return the first zero of the excess over monotonic sizes, refined; `none` if there is no zero."""
    from scipy import optimize

    start, here = 0, excess(float(sizes[0]))
    while start < len(sizes) - 1:
        end = min(start + STRIDE, len(sizes) - 1)
        there = excess(float(sizes[end]))
        first = _first_unstable(excess, sizes, (start, here), (end, there))
        if first is not None:
            low, high = float(sizes[first - 1]), float(sizes[first])
            if excess(low) >= 0.0:  # on the unit circle within rounding
                return low
            return float(cast("Any", optimize).brentq(excess, low, high, xtol=1e-13, rtol=1e-12))
        start, here = end, there
    return none


def _first_unstable(
    excess: "Callable[[float], float]", sizes: Array, low: tuple[int, float], high: tuple[int, float]
) -> int | None:
    """Return the index of the first size in an interval with a pole outside the unit circle; None if there is none.

    low, high: indices of the ends, of which the lower one is stable, with the excess at each. An interval is divided
    unless its poles are further from the unit circle than `CLEAR` times the change of the excess over either half.
    """
    (first, before), (last, after) = low, high
    if last - first == 1:
        return last if after > FREE else None
    middle = (first + last) // 2
    between = middle, excess(float(sizes[middle]))
    change = max(abs(between[1] - before), abs(after - between[1]))
    if max(before, between[1], after) < -CLEAR * change:
        return None
    found = _first_unstable(excess, sizes, low, between)
    return _first_unstable(excess, sizes, between, high) if found is None else found
