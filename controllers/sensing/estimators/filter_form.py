"""Linear form of an attitude and bias filter in steady state, used for margins.

The operations of a filter (rotation by a reading, storage of attitudes for delayed messages, update by a message)
repeat after the common period of gyro and sensors. The linear form propagates deviations through one such period, event
by event in the order of the filter. Attitudes are small rotations in body axes relative to a reference at rest or in a
constant spin, so that the form does not depend on time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, lcm

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import DesignError
from ...contracts.block_form import BlockForm
from ...guidance.inertial_vector import InertialVector
from ...loop.linear_blocks import error_of
from .filter_gains import Keep, Step, Take, Turn, steady_gains
from .filter_kernels import FIXED
from .observation import Observation
from .turning import cross, turning
from .wahba import wahba

Array = NDArray[np.float64]

SOON = 1e-6  # fraction of a sample: events closer than this are simultaneous
LONGEST = 10_000  # largest number of samples in the common period of gyro and sensors


@dataclass(frozen=True, kw_only=True)
class SightForm:
    """A sensor in the linear form of a filter.

    place: index of the sensor's message in the input of the filter; offset: time of the first sample, s; late: time
    from a sample until the filter receives it, s.
    """

    observation: Observation
    place: int
    sample: float
    offset: float
    late: float

    def message(self, y0: Array) -> tuple[slice, Array, Array]:
        """Return the slice of the message, and the maps from message and small rotation to the residual."""
        rows = slice(self.place, self.place + self.observation.width)
        if self.observation.direction is None:
            return rows, error_of(y0[rows]), np.eye(3)
        size = float(np.linalg.norm(y0[rows]))
        return rows, np.eye(3) / size, cross(y0[rows] / size)

    @property
    def spread(self) -> Array:
        """Covariance (3, 3) of the sensor's residual."""
        if self.observation.direction is None:
            return np.asarray(self.observation.covariance)
        return self.observation.sigma**2 * np.eye(3)

    @property
    def slots(self) -> int:
        """Number of attitudes stored for delayed messages of the sensor."""
        return floor(self.late / self.sample + SOON) + 1 if self.late > 0.0 else 0


@dataclass(frozen=True, kw_only=True)
class FilterForm:
    """Data for the linear form: sensors, kind, noise and walk (or fixed gains), period of gyro readings.

    start: end of the interval of any reading, s; ahead: delay of the filter, s; width: width of the output.
    """

    sights: Sequence[SightForm]
    kind: int
    noise: float
    walk: float
    sample: float
    start: float
    ahead: float
    width: int

    def at(self, y0: Array) -> BlockForm:
        """Return linearisations about a spacecraft at rest or in a spin, one per sample of the common period.

        Raises DesignError when the filter has no steady state.
        """
        e0, spin = _attitude(y0, self.sights), y0[:3]
        samples, n = self._samples()
        gains, covariances = self._steady(samples, n, y0)
        ends = np.cumsum([len(steps) for steps in samples])
        seen = [sight.message(y0) for sight in self.sights]
        read = y0.size
        parameters = 0.25 * error_of(e0).T
        gyro = np.zeros((3, n + read))
        gyro[:, n : n + 3] = np.eye(3)
        flow, gain = turning(spin, self.ahead)
        rests = np.concatenate((e0, spin, np.zeros(self.width - 7)))
        words = "" if self.kind == FIXED else "gains of its steady state"
        forms: list[BlockForm] = []
        left = iter(gains)
        for steps, end in zip(samples, ends, strict=True):
            x = np.eye(n, n + read)
            for step in steps:
                if isinstance(step, Turn):
                    turned, driven = turning(spin, step.duration)
                    x[:3] = turned @ x[:3] + driven @ (gyro - x[3:6])
                elif isinstance(step, Keep):
                    x[step.first + 3 : step.end] = x[step.first : step.end - 3].copy()
                    x[step.first : step.first + 3] = x[:3]
                else:
                    rows, shown, see = seen[step.sight]
                    r = -see @ x[step.at : step.at + 3]
                    r[:, n + rows.start : n + rows.stop] += shown
                    K = self._fixed_gain(step, [each[2] for each in seen], spin) if self.kind == FIXED else next(left)
                    x = x + K @ r
            rate = gyro - x[3:6]
            more = np.zeros((self.width - 10, n + read))
            out = np.vstack((parameters @ (flow @ x[:3] + gain @ rate), rate, x[3:6], more))
            forms.append(
                BlockForm(
                    A=x[:, :n],
                    B=x[:, n:],
                    C=out[:, :n],
                    D=out[:, n:],
                    rests=rests,
                    spins=True,
                    noise=(),
                    words=words,
                    covariance=self._reported(covariances[end], steps, seen, spin) if len(covariances) else None,
                    bias_covariance=covariances[end, 3:, 3:] if len(covariances) else None,
                )
            )
        return forms[0].followed(forms[1:])

    def _reported(
        self, P: Array, steps: Sequence[Step], seen: Sequence[tuple[slice, Array, Array]], spin: Array
    ) -> Array:
        """Return the covariance (3, 3) of the attitude after its propagation over the delay, as in `ahead_kernel`.

        P (6, 6): covariance at the end of the newest reading, after the messages in `steps`.
        """
        if not self.ahead > 0.0:
            return P[:3, :3]
        known = np.zeros((3, 3))
        for step in reversed(steps):
            if isinstance(step, Turn):
                break
            if isinstance(step, Take) and step.at == 0:
                see = seen[step.sight][2]
                known += see.T @ np.linalg.solve(self.sights[step.sight].spread, see)
        flow, gain = turning(spin, self.ahead)
        F, G = np.hstack((flow, -gain)), -gain
        with_noise = -(self.noise**2) * (np.eye(6, 3) - P[:, :3] @ known)  # of (a, beta) with the noise of the reading
        cross = F @ with_noise @ G.T
        return F @ P @ F.T + self.noise**2 / self.sample * G @ G.T + cross + cross.T

    def _fixed_gain(self, step: Take, see: Sequence[Array], spin: Array) -> Array:
        """Return the gain from a residual to the state and all stored attitudes, through the later events."""

        def gain(sight: int) -> Array:
            # for a direction w x w^, which is -[w^] times the residual w - w^
            return np.vstack((self.noise * see[sight].T, -self.walk * see[sight].T))

        found = np.zeros((3 * len(step.kept), 3))
        moved, now, after = gain(step.sight), 0.0, list(step.after)
        # at one time, attitudes are stored before their sensor's messages; the present state is updated last
        kept = [(age, sight if sight >= 0 else len(see), k) for k, (age, sight) in enumerate(step.kept)]
        for age, sight, k in sorted(kept):
            if (age, sight) <= (0.0, step.sight):
                continue
            while after and after[0] < (age, sight):
                until, other = after.pop(0)
                moved, now = _flow(spin, until - now) @ moved, until
                moved = moved - gain(other) @ (see[other] @ moved[:3])
            moved, now = _flow(spin, age - now) @ moved, age
            found[3 * k : 3 * k + 3] = moved[3:] if k == 1 else moved[:3]
        return found

    def settled(self, y0: Array) -> tuple[Array, Array]:
        """Return attitude (4,) and covariance (6, 6) in steady state. Raises DesignError as `at` does."""
        samples, n = self._samples()
        _, covariances = self._steady(samples, n, y0)
        return _attitude(y0, self.sights), covariances[0] if len(covariances) else np.zeros((6, 6))

    def _samples(self) -> tuple[list[list[Step]], int]:
        """Return the events of each sample in the common period, and the number of states."""
        first = np.cumsum([6, *(3 * sight.slots for sight in self.sights)])
        T = self.sample
        many = range(_rounds(self.sights, T))
        return [_events(self.sights, self.start + (k - 1) * T, T, first) for k in many], int(first[-1])

    def _steady(self, samples: Sequence[Sequence[Step]], n: int, y0: Array) -> tuple[list[Array], Array]:
        """Return gains and covariances as `steady_gains` does; both empty for fixed gains."""
        spin = y0[:3]
        if spin.any() and any(sight.observation.direction is not None for sight in self.sights):
            raise DesignError("about a spin the measured directions rotate, so no constant loop contains the filter")
        if self.kind == FIXED:
            return [], np.zeros((0, 6, 6))
        return steady_gains(
            [step for steps in samples for step in steps],
            [sight.message(y0)[2] for sight in self.sights],
            [sight.spread for sight in self.sights],
            n=n,
            spin=spin,
            noise=self.noise,
            walk=self.walk,
        )


def _flow(spin: Array, duration: float) -> Array:
    """Return the transition matrix (6, 6) of small attitude and bias errors over a duration."""
    flow, gain = turning(spin, duration)
    return np.block([[flow, -gain], [np.zeros((3, 3)), np.eye(3)]])


def _rounds(sights: Sequence[SightForm], T: float) -> int:
    """Return the number of samples in the common period. Raises DesignError when there are too many."""
    found = lcm(*(Fraction(sight.sample / T).limit_denominator(10**6).numerator for sight in sights), 1)
    if found > LONGEST:
        raise DesignError(
            f"the common period of gyro and sensors of the filter is {found:,} readings; choose periods with a "
            f"common multiple within {LONGEST:,}"
        )
    return found


def _events(sights: Sequence[SightForm], begin: float, T: float, first: NDArray[np.intp]) -> list[Step]:
    """Return the events in a reading's interval; delayed messages precede other events at the same time."""

    def rank(sight: SightForm, t: float, late: float = 0.0) -> int:
        return floor((t - sight.offset - late) / sight.sample + SOON)

    newest = [rank(sight, begin) for sight in sights]
    latest = [rank(sight, begin, sight.late) for sight in sights]
    events: list[tuple[int, bool, int, int, bool]] = []
    for i, sight in enumerate(sights):
        for keeps, late in ((False, sight.late), (True, 0.0)):
            if not keeps or sight.slots:
                for j in range(rank(sight, begin, late) + 1, rank(sight, begin + T, late) + 1):
                    t = sight.offset + j * sight.sample + late
                    events.append((round((t - begin) / (T * SOON)), keeps or not late, i, j, keeps))
    steps: list[Step] = []
    now = 0
    for at, _, i, j, keeps in [*sorted(events), (round(1.0 / SOON), True, -1, 0, True)]:
        if at > now + 1:
            steps.append(Turn((at - now) * SOON * T))
            now = at
        if i < 0:
            break
        sight = sights[i]
        if keeps:
            newest[i] = j
            steps.append(Keep(int(first[i]), int(first[i + 1])))
            continue
        seen, latest[i] = sight.offset + j * sight.sample, j
        kept = [(round(begin + now * SOON * T - seen, 9), -1)] * 2  # for the attitude and for the bias
        after: list[tuple[float, int]] = []
        for m, (other, first_kept, last) in enumerate(zip(sights, newest, latest, strict=True)):
            kept += [(round(other.offset + (first_kept - k) * other.sample - seen, 9), m) for k in range(other.slots)]
            ages = (round(other.offset + k * other.sample - seen, 9) for k in range(rank(other, seen), last + 1))
            after += [(age, m) for age in ages if (age, m) > (0.0, i)]
        place = int(first[i]) + 3 * (newest[i] - j) if sight.slots else 0
        steps.append(Take(i, place, tuple(sorted(after)), tuple(kept)))
    return steps


def _attitude(y0: Array, sights: Sequence[SightForm]) -> Array:
    """Return the attitude (4,) at rest, from the input of a star tracker or of all direction sensors."""
    seen: list[Array] = []
    known: list[Array] = []
    for sight in sights:
        message = y0[sight.place : sight.place + sight.observation.width]
        direction = sight.observation.direction
        if direction is None:
            return message
        if not isinstance(direction, InertialVector):
            raise DesignError(
                f"the direction {direction!r} is a signal, unknown before the run, so the filter has no "
                "linear form; give the sensor with an InertialVector with its value at the operating point"
            )
        seen.append(message)
        known.append(direction.at(0.0))
    return wahba(np.array(seen), np.array(known), sigma=1e-3).attitude
