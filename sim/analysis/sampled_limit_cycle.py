"""Limit cycles of sampled on-off thrusters, which form a band because pulses last whole samples."""

from dataclasses import dataclass
from math import ceil, inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...controllers import OnOffThrusters
from ...plant.errors import DesignError
from .limit_cycle import LimitCycle, continuous_limit_cycle

Array = NDArray[np.float64]

RATES, PHASES = 384, 8  # initial conditions: first drift rates, and fractions of a sample at the deadband crossing
WATCHED = 80  # number of pulses that are evaluated after settling
SHORTEST_SETTLING, LONGEST_SETTLING = 100, 4000  # number of pulses for settling
REST = 1e-9  # a rate counts as zero below this fraction of the rate change due to one sample of thrust
NEAR = 1e-3  # initial rate near rest, as the same fraction; drifts this slow may become arbitrarily slow


@dataclass(frozen=True, kw_only=True)
class LimitCycleBand:
    """Bounds on the limit cycles about one axis, symmetric or not, for any initial conditions.

    Parameters
    ----------
    period_s : tuple of float
        Shortest and longest mean period, s; inf if drifts may be arbitrarily slow.
    median_period_s : float
        Median period over the simulated initial conditions, s.
    amplitude_rad : tuple of float
        Largest angles of the smallest and the largest cycle, rad.
    rate_rad_s : tuple of float
        Largest rates of the slowest and the fastest cycle, rad/s.
    one_sample_rad_s : float
        Rate change due to one sample of thrust, rad/s.
    can_rest : bool
        Whether a spacecraft whose rate is a multiple of `one_sample_rad_s`, as after a start from rest, may come to
        rest permanently.
    """

    period_s: tuple[float, float]
    median_period_s: float
    amplitude_rad: tuple[float, float]
    rate_rad_s: tuple[float, float]
    one_sample_rad_s: float
    can_rest: bool

    def holds(self, cycle: LimitCycle, tolerance: float = 0.01) -> bool:
        """Return whether a cycle is within the band.

        Parameters
        ----------
        cycle : LimitCycle
            A cycle, for example a simulated one.
        tolerance : float
            Relative tolerance at either end.

        Returns
        -------
        bool
            True if period, amplitude and rate are within the band.
        """
        pairs = (
            (cycle.period_s, self.period_s),
            (cycle.amplitude_rad, self.amplitude_rad),
            (cycle.rate_rad_s, self.rate_rad_s),
        )
        return all(low * (1.0 - tolerance) <= value <= high * (1.0 + tolerance) for value, (low, high) in pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            The attributes; keys carry the units. None for an unbounded period.
        """
        return {
            "period_s": [value if isfinite(value) else None for value in self.period_s],
            "median_period_s": self.median_period_s,
            "amplitude_rad": list(self.amplitude_rad),
            "rate_rad_s": list(self.rate_rad_s),
            "one_sample_rad_s": self.one_sample_rad_s,
            "can_rest": self.can_rest,
        }


def sampled_limit_cycles(law: OnOffThrusters, *, inertia: float, axis: int = 0) -> LimitCycleBand:
    """Return the band of limit cycles of a sampled law about one axis.

    With a = torque / J and the sampling period s, a pulse of n samples changes the rate by n a s, so that the rate
    modulo a s keeps its initial value. A pulse from w to exactly -w is therefore rare, and the drifts in the two
    directions are not equally fast. The sequence of pulses depends on the rate modulo a s and on the times within a
    sample at which the thresholds are reached. The motion between samples has a closed form. With the signal s0 at the
    switch-on sample, the drift rate w, the delay T and the angle theta0, the thrusters switch off at the first sample n
    for which

        a t^2 / 2 + (L a - w) t >= w T + hysteresis + s0 - deadband,      t = n s - T

    and the next drift, at the rate w - n a s, is linear in time. This map is iterated from many rates and phases until
    transients have decayed; the remaining cycles form the band.

    Parameters
    ----------
    law : OnOffThrusters
        The law.
    inertia : float
        J about the axis, which must be a principal one, kg m^2.
    axis : int
        Axis index of the law, from 0.

    Returns
    -------
    LimitCycleBand
        Ranges of periods, amplitudes and rates.

    Raises
    ------
    InputError
        When the inertia is not positive.
    DesignError
        When there is no such cycle (see `continuous_limit_cycle`), or a pulse and the delay after it cross the whole
        deadband.

    Examples
    --------
    >>> from polhode.controllers import OnOffThrusters
    >>> law = OnOffThrusters(torque=0.05, deadband=0.01, lead=5.0, hysteresis=0.002, sample=0.2)
    >>> band = sampled_limit_cycles(law, inertia=100.0)
    >>> [round(period) for period in band.period_s], round(continuous_limit_cycle(law, inertia=100.0).period_s)
    ([142, 151], 157)
    """
    ideal = continuous_limit_cycle(law, inertia=inertia, axis=axis)
    a = float(law.torque[axis]) / inertia
    step = a * law.sample
    # each pulse multiplies a deviation of the rate by (L - w / a) / (L + w / a)
    decay = 2.0 * ideal.rate_rad_s / (a * float(law.lead[axis]))
    settling = min(max(ceil(12.0 / decay), SHORTEST_SETTLING), LONGEST_SETTLING)
    multiples = step * np.arange(1.0, min(int(2.0 * ideal.rate_rad_s / step), RATES) + 3.0)
    any_rate = (np.arange(RATES) + 0.5) / RATES * (2.0 * ideal.rate_rad_s + 2.0 * step)
    near_rest = np.concatenate((multiples - NEAR * step, multiples + NEAR * step))
    free, near, whole = (_Cycles(law, axis, a, rates) for rates in (any_rate, near_rest, multiples))
    for group in (free, near, whole):
        for _ in range(settling):
            group.pulse()
        group.watch()
        for _ in range(WATCHED):
            group.pulse()
    if free.crossed.any():
        raise DesignError(
            f"no cycle of drifts and pulses: a pulse of whole samples of {law.sample:g} s and the delay of "
            f"{law.delay:g} s after it cross the whole deadband of {float(law.deadband[axis]):g} rad; give a shorter "
            "sample, less torque or a wider deadband"
        )
    groups = (free, near, whole)
    moving = np.concatenate([group.turned() for group in groups])
    periods = np.concatenate([group.periods() for group in groups])[moving]
    amplitudes = np.concatenate([group.amplitude for group in groups])[moving]
    rates = np.concatenate([group.fastest for group in groups])[moving]
    endless = float(near.slowest.min()) < 2.0 * NEAR * step
    return LimitCycleBand(
        period_s=(float(periods.min()), inf if endless else float(periods.max())),
        median_period_s=float(np.median(free.periods()[free.turned()])),
        amplitude_rad=(float(amplitudes.min()), float(amplitudes.max())),
        rate_rad_s=(float(rates.min()), float(rates.max())),
        one_sample_rad_s=step,
        can_rest=bool(whole.rests.any()),
    )


class _Cycles:
    """Motions about one axis from many initial conditions, each starting at switch-on with rate >= 0."""

    def __init__(self, law: OnOffThrusters, axis: int, a: float, rates: Array) -> None:
        self.a, self.sample, self.delay = a, law.sample, law.delay
        self.lead, self.deadband = float(law.lead[axis]), float(law.deadband[axis])
        self.hysteresis = float(law.hysteresis[axis])
        self.rate = np.repeat(rates, PHASES)
        phase = np.tile((np.arange(PHASES) + 0.5) / PHASES, rates.size)
        self.signal = self.deadband + phase * self.rate * self.sample
        self.side = np.ones_like(self.rate)
        self.time = np.zeros_like(self.rate)
        self.rests = np.zeros(self.rate.size, dtype=bool)
        self.crossed = np.zeros(self.rate.size, dtype=bool)
        self.watch()

    def watch(self) -> None:
        """Start recording amplitude, rate and period."""
        self.amplitude, self.fastest = np.zeros_like(self.rate), np.zeros_like(self.rate)
        self.slowest = np.full_like(self.rate, inf)
        self.first, self.last = np.full_like(self.rate, np.nan), np.full_like(self.rate, np.nan)
        self.rises = np.zeros(self.rate.size, dtype=np.int64)

    def turned(self) -> Any:
        """Mask of the motions that have completed at least one cycle."""
        return ~self.rests & ~self.crossed & (self.rises > 1)

    def periods(self) -> Array:
        """Mean period of each motion, between upward zero crossings, s."""
        return (self.last - self.first) / np.maximum(self.rises - 1, 1)

    def pulse(self) -> None:
        """Advance all motions from one switch-on sample to the next."""
        a, h, w, T = self.a, self.sample, self.rate, self.delay
        angle = self.signal - self.lead * w
        b, c = self.lead * a - w, w * T + self.hysteresis + self.signal - self.deadband
        n = np.maximum(np.ceil((T + (np.sqrt(b * b + 2.0 * a * c) - b) / a) / h - 1e-9), 1.0)
        after = w - n * (a * h)
        line = angle + a * n * h * (T + 0.5 * n * h)  # the drift that follows, extrapolated back to this sample
        going = ~self.rests
        peak = np.where(after <= 0.0, angle + w * T + w * w / (2.0 * a), 0.0)
        self.amplitude = np.where(going, np.maximum(self.amplitude, peak), self.amplitude)
        self.fastest = np.where(going, np.maximum(self.fastest, np.maximum(w, np.abs(after))), self.fastest)
        self.rests |= np.abs(after) < REST * a * h
        going = ~self.rests
        self.slowest = np.where(going, np.minimum(self.slowest, np.abs(after)), self.slowest)
        v = np.where(going, after, 1.0)
        turns = v < 0.0
        goal = np.where(turns, -self.deadband, self.deadband)
        samples = np.ceil((goal - line - self.lead * v) / (v * h) - 1e-9)
        self.crossed |= going & (samples * h < n * h + T)
        samples = np.maximum(samples, n)
        rises = turns & (self.side < 0.0) & going
        zero = self.time - line / v
        self.first = np.where(rises & np.isnan(self.first), zero, self.first)
        self.last = np.where(rises, zero, self.last)
        self.rises += rises
        self.time = self.time + np.where(going, samples * h, 0.0)
        self.side = np.where(turns, -self.side, self.side)
        self.rate = np.abs(v)
        signal = line + v * samples * h + self.lead * v
        self.signal = np.where(turns, -signal, signal)
