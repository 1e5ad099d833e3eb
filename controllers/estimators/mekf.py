"""The multiplicative extended Kalman filter: attitude and gyro bias from a gyro and whatever sees directions."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import finite, non_negative, positive, unit_quaternion, vector
from ...plant.errors import InputError
from .estimate import Estimate
from .mekf_kernel import ATTITUDE, BIAS, CLONES
from .replay_kernel import ARRIVES, KEEPS, ROW, TURNS, replay
from .sightings import WIDTH, AttitudeSightings, RateRecord, VectorSightings

__all__ = ["MEKF"]

Array = NDArray[np.float64]
WORK_ROWS = 25


@dataclass(frozen=True)
class MEKF:
    """Multiplicative extended Kalman filter for attitude and gyro bias.

    Truth is ``e = e^ o Exp(a)``, ``b = b^ + beta``; the gyro measures ``omega + b + eta_v`` with ``b' = eta_u``.
    Between measurements ``a' = -[omega^] a - beta - eta_v``. Directions and attitudes are taken in the order in which
    they arrive, each at the attitude of its own time: one that arrives late corrects a copy of the error that was
    kept (cloned) at its time of validity, which is exact in the linear case.

    Parameters
    ----------
    gyro_noise : float
        sigma_v, angle random walk of the gyro, rad/sqrt(s). 1 deg/sqrt(h) is 2.909e-4 rad/sqrt(s).
    gyro_walk : float
        sigma_u, rate random walk of its bias, rad/s^(3/2). 1 deg/h/sqrt(h) is 8.080e-8 rad/s^(3/2).
    gate : float or None
        Probability with which a good measurement passes: those beyond that chi-square quantile are refused and
        counted. None takes everything.

    Raises
    ------
    InputError
        When a density is negative or not small, or `gate` is no probability.

    Notes
    -----
    E. J. Lefferts, F. L. Markley & M. D. Shuster (1982), "Kalman filtering for spacecraft attitude estimation";
    F. L. Markley (2003) for the error in body axes; M. W. Mueller, M. Hehn & R. D'Andrea (2017) for the reset of the
    covariance, without which it is inconsistent after large corrections; S. I. Roumeliotis & J. W. Burdick (2002) for
    late measurements.

    Examples
    --------
    >>> import numpy as np
    >>> filter = MEKF(gyro_noise=1e-5, gyro_walk=1e-8)
    >>> gyro = RateRecord(np.arange(1, 11) * 0.1, np.zeros((10, 3)))
    >>> tracker = AttitudeSightings([0.5, 1.0], [(1, 0, 0, 0)] * 2, sigma=1e-4)
    >>> found = filter.replay(gyro, [tracker], attitude=(1, 0, 0, 0), attitude_sigma=0.1, bias_sigma=1e-3)
    >>> bool(found.attitude_sigma[-1].max() < 1e-4)
    True
    """

    gyro_noise: float
    gyro_walk: float
    gate: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the numbers."""
        for name, unit in (("gyro_noise", "rad/sqrt(s)"), ("gyro_walk", "rad/s^(3/2)")):
            value = non_negative(name, getattr(self, name), unit)
            if value >= 1.0:
                raise InputError(f"{name} must be below 1 {unit}; got {value:g}: give it in radians and seconds")
            object.__setattr__(self, name, value)
        if self.gate is not None and not 0.0 < finite("gate", self.gate) < 1.0:
            raise InputError(f"gate must be a probability above 0 and below 1, or None; got {self.gate:g}")

    def replay(
        self,
        gyro: RateRecord,
        sightings: Sequence[AttitudeSightings | VectorSightings] = (),
        *,
        attitude: ArrayLike,
        attitude_sigma: ArrayLike,
        bias: ArrayLike = (0.0, 0.0, 0.0),
        bias_sigma: ArrayLike,
    ) -> Estimate:
        """Run the filter over recorded data.

        Parameters
        ----------
        gyro : RateRecord
            Mean rates; the filter runs from its start to its last time.
        sightings : sequence of AttitudeSightings or VectorSightings
            One for each sensor, of different names, at any times.
        attitude : array_like, shape (4,)
            What it takes the attitude to be at the start.
        attitude_sigma : array_like, scalar or shape (3,)
            How well that is known about each body axis, rad.
        bias : array_like, shape (3,)
            What it takes the bias to be, rad/s.
        bias_sigma : array_like, scalar or shape (3,)
            How well that is known, rad/s.

        Returns
        -------
        Estimate
            A row at the start and at each time of the gyro, after the measurements that had arrived by then.

        Raises
        ------
        InputError
            When two sensors have one name, a sensor saw something before the start, or a number is out of range.
        """
        names = [each.name for each in sightings]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"two sensors are called {twice!r}; give each a name of its own")
        for each in sightings:
            if each.t.size and each.t[0] < gyro.start:
                raise InputError(
                    f"{each.name} saw something at {each.t[0]:g} s, before the gyro's start at {gyro.start:g} s"
                )
        events, rates, slots = _events(gyro, sightings)
        packed = [each.packed() for each in sightings]
        seen = np.vstack([*packed, np.zeros((0, WIDTH))])
        n, rows = 6 + 3 * slots, len(gyro.t) + 1
        x, P = np.zeros(CLONES + 4 * slots), np.zeros((n, n))
        x[CLONES::4] = 1.0
        x[ATTITUDE : ATTITUDE + 4] = unit_quaternion("attitude", attitude)
        x[BIAS : BIAS + 3] = vector("bias", bias, unit="rad/s")
        P[range(3), range(3)] = _sigmas("attitude_sigma", attitude_sigma, "rad") ** 2
        P[range(3, 6), range(3, 6)] = _sigmas("bias_sigma", bias_sigma, "rad/s") ** 2
        out_x, out_P, nis = np.zeros((rows, 7)), np.zeros((rows, 36)), np.full(len(seen), np.nan)
        work = np.zeros((WORK_ROWS, n))
        replay(events, rates, seen, self._gates(), self.gyro_noise, self.gyro_walk, x, P, work, out_x, out_P, nis)
        ends = np.cumsum([len(each.t) for each in sightings])
        split = np.split(nis, ends[:-1]) if len(sightings) else []
        return Estimate(
            t=np.concatenate(([gyro.start], gyro.t)),
            attitude=out_x[:, ATTITUDE : ATTITUDE + 4],
            bias=out_x[:, BIAS : BIAS + 3],
            covariance=out_P.reshape(rows, 6, 6),
            innovations={name: np.abs(part) for name, part in zip(names, split, strict=True)},
            refused={name: int((part < 0.0).sum()) for name, part in zip(names, split, strict=True)},
            degrees={
                name: 3 if isinstance(each, AttitudeSightings) else 2
                for name, each in zip(names, sightings, strict=True)
            },
        )

    def _gates(self) -> Array:
        """The most that y' S^-1 y may be, for an attitude and for a direction."""
        if self.gate is None:
            return np.full(2, np.inf)
        from scipy.stats import chi2

        return np.array([float(chi2.ppf(self.gate, 3)), float(chi2.ppf(self.gate, 2))])


def _sigmas(name: str, value: ArrayLike, unit: str) -> Array:
    given = np.broadcast_to(np.asarray(value, dtype=np.float64), (3,)) if np.size(value) == 1 else value
    return np.array([positive(name, each, unit) for each in vector(name, given, unit=unit)])


def _events(gyro: RateRecord, sightings: Sequence[AttitudeSightings | VectorSightings]) -> tuple[Array, Array, int]:
    """The events (k, 3), the pieces of the gyro's intervals (m, 4) and the number of slots."""
    coming: list[tuple[float, int, int, int]] = []  # time, kind (arrivals before keeps), row of `seen`, slot
    row, end = 0, float(gyro.t[-1]) if gyro.t.size else gyro.start
    busy: list[tuple[float, int]] = []  # when each taken slot is free again
    free: list[int] = []
    slots = 0
    seen: list[tuple[float, float, int]] = []
    for each in sightings:
        seen += [(t, t + each.delay, row + n) for n, t in enumerate(each.t.tolist())]
        row += len(each.t)
    for valid, told, number in sorted(seen):
        if told > end:
            continue
        if told == valid:
            coming.append((valid, 0, number, -1))
            continue
        while busy and busy[0][0] <= valid:
            free.append(heapq.heappop(busy)[1])
        if not free:
            free.append(slots)
            slots += 1
        slot = free.pop()
        heapq.heappush(busy, (told, slot))
        coming += [(valid, 1, number, slot), (told, 0, number, slot)]
    coming.sort()
    events: list[tuple[int, int, int]] = []
    rates: list[tuple[float, ...]] = []
    at, now = 0, gyro.start

    def take(until: float) -> None:
        nonlocal at
        while at < len(coming) and coming[at][0] <= until:
            _, kind, number, slot = coming[at]
            events.append((KEEPS if kind else ARRIVES, number, slot))
            at += 1

    def turn(to: float, rate: Sequence[float]) -> None:
        nonlocal now
        if to > now:
            events.append((TURNS, len(rates), -1))
            rates.append((*rate, to - now))
            now = to

    take(now)
    events.append((ROW, 0, -1))
    intervals: list[tuple[float, list[float]]] = list(zip(gyro.t.tolist(), gyro.rate.tolist(), strict=True))
    for number, (t, rate) in enumerate(intervals):
        while at < len(coming) and coming[at][0] <= t:
            turn(coming[at][0], rate)
            take(now)
        turn(t, rate)
        events.append((ROW, number + 1, -1))
    return np.array(events, dtype=np.float64).reshape(-1, 3), np.array(rates, dtype=np.float64).reshape(-1, 4), slots
