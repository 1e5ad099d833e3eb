"""Exact search for the margins of a sampled loop in state-space form.

Crossings of unit gain and of the negative real axis are bracketed on a frequency grid and refined by root finding on
L(z) = K (z - F)^-1 G itself, z = exp(j w h). The end points z = 1 and z = -1 are also checked, because a sampled loop
most often loses stability at z = -1.

`stability_margins` of python-control is not used because it is inaccurate for such loops. For the sampled double
integrator (inertia 400 kg m^2, 0.1 s) it misses the crossing at z = -1 and reports a gain margin of 5e-8, or none,
although the loop tolerates a factor of 127. For the six-state form of the same loop it reports a phase margin of
53.2 deg instead of 65.0, because expanding nearly coincident poles at z = 1 into a polynomial loses digits. The
function `disk_margins` of python-control agrees with the disk margin of this module.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf, pi
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import DesignError
from ...plant.one_thread import one_thread
from .broken_loop import BrokenLoop
from .crossings import (
    Sweep,
    crossings,
    find_real_loci,
    find_unit_gains,
    loci,
    neighbours,
    sweeps_of_inputs,
)
from .delay_margin import delay_margin, smallest_delay_margin
from .margins import ONE, AxisMargins, Margins, decibel
from .periodic_margins import periodic_margins
from .sampled_loop import SampledLoop
from .wheel_instability import left_in_wheels

FREE = 1e-6  # a smaller factor belongs to an uncontrolled axis: it is zero within rounding

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


ALL = (0, 1, 2)

LEFT = 1e-7  # a pole closer to z = 1 is at 1 within rounding
AT_ONCE = 1e-9  # loci whose moduli differ by less than this reach 1 at the same frequency


def way_out(pole: complex, *, rests: float) -> str:
    """Return advice for a pole of an unstable loop; rests: the pole that neither decays nor grows."""
    if abs(pole - rests) < LEFT:
        return (
            "something is left where it is, such as a turn about an axis that the law is not shown; feed back the "
            "attitude error about all three axes, or, of a law that is to hold no attitude, let its design_condition "
            "return DesignCondition(torques=..., deadband=None)"
        )
    return "lower the gain, the sampling period or the delay"


@one_thread
def find_margins(loop: SampledLoop) -> Margins:
    """Return the margins of a sampled loop.

    loop: plant, law, sampling period and delay -> margins of each input and of all inputs together. Raises DesignError
    when the loop is not stable.
    """
    poles = _stable_poles(loop)
    if loop.repeats > 1:
        return periodic_margins(loop, poles)
    one, swept = sweeps_of_inputs(loop)
    find_unit_gains(one)
    find_real_loci(one)
    up, down = _gain_margins(swept)
    return Margins(
        axes=tuple(_axis(loop, axis, one[axis]) for axis in ALL),
        gain_up=up,
        gain_down=down,
        phase_deg=_phase_margin(_unit_gains(swept)),
        delay_s=delay_margin(loop, ALL, swept),
        sample_s=loop.sample,
        computational_delay_s=loop.delay,
        closed_loop_poles=poles,
        words=loop.words,
    )


@one_thread
def smallest_margins(loop: SampledLoop, names: Collection[str]) -> dict[str, float]:
    """Return selected margins of `Margins.smallest()` without computing the remaining ones.

    loop: plant, law, sampling period and delay; names: from `SMALLEST` -> margins by name; inf if unlimited, nan if the
    margin does not exist. Raises DesignError when the loop is not stable.
    """
    if loop.repeats > 1:
        return {name: value for name, value in find_margins(loop).smallest().items() if name in names}
    _stable_poles(loop)
    one, all_inputs = sweeps_of_inputs(loop)
    alone: list[_Cut] = [((axis,), one[axis]) for axis in ALL]
    cuts = {ONE: alone, "": [*alone, (ALL, all_inputs)]}
    kinds = {name.removeprefix(ONE) for name in names}
    if kinds - {"gain_margin_dB"}:
        find_unit_gains(one)
    if "gain_margin_dB" in kinds:
        find_real_loci(one)
    values: dict[str, float] = {}
    for name in sorted(names):
        kind = name.removeprefix(ONE)
        values[name] = _KINDS[kind](loop, cuts[name[: len(name) - len(kind)]])
    return values


def _stable_poles(loop: SampledLoop) -> Complex:
    """Return the poles of the closed loop. Raises DesignError when it is not stable."""
    poles = loop.poles()
    left = left_in_wheels(loop, poles)
    if left:
        raise DesignError(f"the loop is not stable, so it has no margins: {left}")
    if not loop.stable:
        raise DesignError(
            f"the loop is not stable, so it has no margins: a closed-loop pole lies at z = {poles[0]:.6g}, "
            f"modulus {abs(poles[0]):.6g}; {way_out(poles[0], rests=1.0)}"
        )
    return poles


def _axis(loop: SampledLoop, axis: int, swept: Sweep) -> AxisMargins:
    up, down = _gain_margins(swept)
    unit = _unit_gains(swept)
    pass_band = crossings(lambda L: np.abs(L[:, 0, 0] / (1.0 + L[:, 0, 0])) - np.sqrt(0.5), swept)
    return AxisMargins(
        input=loop.inputs[axis],
        gain_up=up,
        gain_down=down,
        phase_deg=_phase_margin(unit),
        crossover_rad_s=max((angle for angle, _ in unit), default=0.0) / loop.sample,
        bandwidth_rad_s=max(pass_band, default=0.0) / loop.sample,
        delay_s=delay_margin(loop, (axis,), swept),
        disk=_disk_margin(swept),
    )


def _unit_gains(swept: Sweep) -> list[tuple[float, complex]]:
    """Return the angles at which an eigenvalue of L has modulus 1, and that eigenvalue."""
    found: list[tuple[float, complex]] = []
    for angle, there in zip(swept.unit_gains, swept.unit_loci, strict=True):
        off = np.abs(np.abs(there) - 1.0)
        found += [(angle, complex(there[k])) for k in np.flatnonzero(off <= off.min() + AT_ONCE)]
    return found


def _phase_margin(unit: list[tuple[float, complex]]) -> float:
    """Return the smallest phase shift of either sign, deg, that moves one of these eigenvalues to -1."""
    return float(np.degrees(min((abs(float(np.angle(-locus))) for _, locus in unit), default=inf)))


def _gain_margins(swept: Sweep) -> tuple[float, float]:
    """Return the factors nearest 1, above and below, at which a pole reaches the unit circle."""
    # all loci, because several may cross at one frequency, for instance if all axes have equal delays
    values = [complex(value) for value in loci(swept.broken.response([*swept.real_loci, pi])).ravel()]
    # a sign change through a pole on the unit circle is not a crossing, because L is not real at the pole
    factors = [-1.0 / v.real for v in values if v.real < 0.0 and abs(v.imag) < 1e-6 * abs(v.real)]
    factors += _steady_factors(swept.broken)
    return min((f for f in factors if f > 1.0), default=inf), max((f for f in factors if f < 1.0), default=0.0)


def _steady_factors(broken: BrokenLoop) -> list[float]:
    """Return the positive factors at which a pole passes through z = 1.

    L itself may be infinite at z = 1. The factors therefore follow from det(1 - F + k G K) = det(1 - F + G K) det(1 +
    (k - 1) P) with P = K (1 - F + G K)^-1 G, hence k = 1 - 1 / p for an eigenvalue p of P.
    """
    closed = np.eye(len(broken.F)) - broken.F + broken.G @ broken.K
    values = np.linalg.eigvals(broken.K @ np.linalg.solve(closed, broken.G)).astype(np.complex128)
    real = [v.real for v in values if abs(v.imag) < 1e-6 * abs(v.real)]
    return [1.0 - 1.0 / value for value in real if 1.0 - 1.0 / value > FREE]


def _disk_margin(swept: Sweep) -> float:
    from scipy import optimize

    def negative(angle: float) -> float:
        return -float(np.abs(1.0 / (1.0 + swept.broken.response([angle])[0, 0, 0]) - 0.5))

    angles = swept.angles
    n = int(np.argmax(np.abs(1.0 / (1.0 + swept.response[:, 0, 0]) - 0.5)))
    best = cast("Any", optimize).minimize_scalar(
        negative, bounds=neighbours(angles, n), method="bounded", options={"xatol": 1e-12}
    )
    return -1.0 / min(float(best.fun), negative(float(angles[n])))


_Cut = tuple[Sequence[int], Sweep]
"""A set of inputs, and the sweep of the loop opened at these inputs."""


def _smallest_gain(loop: SampledLoop, cuts: Sequence[_Cut]) -> float:
    del loop
    gains = [_gain_margins(swept) for _, swept in cuts]
    return float(np.min([(decibel(up), -decibel(down)) for up, down in gains]))


def _smallest_phase(loop: SampledLoop, cuts: Sequence[_Cut]) -> float:
    del loop
    return min(_phase_margin(_unit_gains(swept)) for _, swept in cuts)


_KINDS: Mapping[str, Callable[[SampledLoop, Sequence[_Cut]], float]] = {
    "gain_margin_dB": _smallest_gain,
    "phase_margin_deg": _smallest_phase,
    "delay_margin_s": smallest_delay_margin,
}

SMALLEST = (*_KINDS, *(ONE + kind for kind in _KINDS))
"""Names of the margins in `Margins.smallest()`."""
