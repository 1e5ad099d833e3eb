"""Steady-state gains of a Kalman filter with a periodic sequence of steps.

Each step is a linear-fractional map of the covariance, and such maps compose (Sarkka & Garcia-Fernandez 2021, IEEE
Trans. AC 66, 299). The map of one period is repeatedly doubled until it no longer depends on the initial covariance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import DesignError
from ...loop.solution_cache import cached_solution
from .turning import turning

Array = NDArray[np.float64]

DOUBLINGS = 64
FORGOTTEN = 1e-16
WHY = (
    "the filter has no steady state ({}), so no constant loop contains it: give angle_random_walk and "
    "rate_random_walk above zero, and sensors that observe the attitude about every axis"
)


@dataclass(frozen=True)
class Turn:
    """Propagation of the attitude over a duration, s, with one gyro reading."""

    duration: float


@dataclass(frozen=True)
class Keep:
    """Storage of the present attitude at the front of the rows `first` to `end`, dropping the oldest attitude."""

    first: int
    end: int


@dataclass(frozen=True)
class Take:
    """Update by a sensor message, which measures the attitude in the rows that start at `at`.

    after: for each earlier update by a later measurement, the time difference, s, and the sensor; kept: for every three
    rows of the state, their time after the measurement, s, and the sensor for which they are stored, or -1.
    """

    sight: int
    at: int
    after: tuple[tuple[float, int], ...]
    kept: tuple[tuple[float, int], ...]


Step = Turn | Keep | Take


class _Map(NamedTuple):
    """The map P -> A (P^-1 + J)^-1 A' + C of a covariance."""

    A: Array
    C: Array
    J: Array

    def then(self, later: "_Map") -> "_Map":
        one = np.eye(len(self.A))
        M = later.A @ np.linalg.solve(one + self.C @ later.J, np.hstack((self.A, self.C)))
        n = len(one)
        inner = np.linalg.solve(one + later.J @ self.C, later.J @ self.A)
        return _Map(M[:, :n], _even(M[:, n:] @ later.A.T + later.C), _even(self.A.T @ inner + self.J))


def steady_gains(
    steps: Sequence[Step], see: Sequence[Array], spread: Sequence[Array], *, n: int, spin: Array, noise: float,
    walk: float,
) -> tuple[list[Array], Array]:  # fmt: skip
    """Return the gain (n, 3) of each message in a period, and covariances of attitude and bias (steps + 1, 6, 6).

    The covariances are those before each step, and at the end of the period.

    The state consists of attitude, bias and stored attitudes.
    see, spread (3, 3) per sensor: map from a small rotation to the residual, and the residual's covariance; spin (3,):
    rad/s.
    Raises DesignError when there is no steady state.
    """
    *gains, P = _steady_gains(tuple(steps), np.array(see), np.array(spread), n, np.asarray(spin), noise, walk)
    return gains, P


@cached_solution  # the runs of a campaign usually share their filter
def _steady_gains(
    steps: tuple[Step, ...], see: Array, spread: Array, n: int, spin: Array, noise: float, walk: float
) -> tuple[Array, ...]:
    scale = float(np.sqrt(np.mean([np.trace(each) / 3.0 for each in spread])))  # unit of angle that keeps values near 1
    R: list[Array] = [each / scale**2 for each in spread]
    moves = {step: _move(step, n, spin, noise / scale, walk / scale) for step in steps if not isinstance(step, Take)}

    def rows(step: Take) -> Array:
        H = np.zeros((3, n))
        H[:, step.at : step.at + 3] = see[step.sight]
        return H

    whole = _Map(np.eye(n), np.zeros((n, n)), np.zeros((n, n)))
    for step in steps:
        if isinstance(step, Take):
            seen = rows(step)
            information = seen.T @ np.linalg.solve(R[step.sight], seen)
            whole = whole.then(_Map(np.eye(n), np.zeros((n, n)), information))
        else:
            whole = whole.then(moves[step])
    for _ in range(DOUBLINGS):
        try:
            whole = whole.then(whole)
        except np.linalg.LinAlgError as error:
            raise DesignError(WHY.format(error)) from error
        if not np.isfinite(whole.C).all():
            raise DesignError(WHY.format("its covariance grows without bound"))
        if np.abs(whole.A).max() < FORGOTTEN:
            break
    else:
        raise DesignError(WHY.format("an error does not decay"))
    found: list[Array] = []
    now = whole.C
    passed = [now[:6, :6]]
    for step in steps:
        if isinstance(step, Take):
            see_all, noise_of = rows(step), R[step.sight]
            gain = np.asarray(np.linalg.solve(see_all @ now @ see_all.T + noise_of, see_all @ now).T, dtype=np.float64)
            left = np.eye(n) - gain @ see_all
            now = _even(left @ now @ left.T + gain @ noise_of @ gain.T)
            found.append(gain)
        else:
            flow, grown, _ = moves[step]
            now = _even(flow @ now @ flow.T + grown)
        passed.append(now[:6, :6])
    return *found, scale**2 * np.array(passed)


def _move(step: Turn | Keep, n: int, spin: Array, noise: float, walk: float) -> _Map:
    A, Q = np.eye(n), np.zeros((n, n))
    if isinstance(step, Keep):
        A[step.first : step.end] = 0.0
        A[step.first : step.first + 3, :3] = np.eye(3)
        A[step.first + 3 : step.end, step.first : step.end - 3] = np.eye(step.end - step.first - 3)
    else:
        T = step.duration
        flow, gain = turning(spin, T)
        A[:3, :3], A[:3, 3:6] = flow, -gain
        angle, joint = noise**2 * T + walk**2 * T**3 / 3.0, 0.5 * walk**2 * T**2  # as in the filter
        Q[:6, :6] = np.kron([[angle, -joint], [-joint, walk**2 * T]], np.eye(3))
    return _Map(A, Q, np.zeros((n, n)))


def _even(P: Array) -> Array:
    return 0.5 * (P + P.T)
