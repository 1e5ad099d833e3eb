"""The linear form of a filter of attitude and bias in its steady state, by which margins of a loop count it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import DesignError
from ..designs.riccati import discrete_solution
from ..guidance.inertial_vector import InertialVector
from ..laws.block_form import BlockForm
from ..loop.surroundings import error_of
from .filter_kernels import FIXED
from .observation import MESSAGE, Observation
from .wahba import wahba

__all__ = ["SightForm", "filter_form"]

Array = NDArray[np.float64]

GYRO = 3 + MESSAGE


@dataclass(frozen=True, kw_only=True)
class SightForm:
    """A sensor as the form takes it.

    place: where its message stands in what the filter reads; offset: of its first sample from that of the filter; late:
    from a sample to when the filter is told; s.
    """

    observation: Observation
    place: int
    sample: float
    offset: float
    late: float

    def age(self, T: float) -> int:
        """How old, in samples of the filter T, what it told last is in the mean."""
        now = T * np.arange(1000.0, 2000.0) + 1000.0 * self.sample
        last = np.floor((now - self.late - self.offset) / self.sample + 1e-9)
        return round(float(np.mean(now - self.offset - last * self.sample)) / T)


def filter_form(
    y0: Array, sights: Sequence[SightForm], *, kind: int, noise: float, walk: float, sample: float, ahead: float,
    width: int,
) -> BlockForm:  # fmt: skip
    """Return the form of a filter that runs every `sample` seconds, about what it reads at rest.

    A message that comes more seldom than the gyro's readings counts at each of these, by as much less, and for the
    attitude of its mean age: it is held, and no constant loop holds what is taken in now and then. Gains are those of
    the Riccati equation of the whole. Raises DesignError when there is no steady state.
    """
    e0 = _attitude(y0, sights)
    H: list[Array] = []
    residuals: list[tuple[slice, Array, Array]] = []
    ages: list[int] = []
    R: list[Array] = []
    T = sample
    for sight in sights:
        share = sight.sample / T
        rows = slice(sight.place, sight.place + sight.observation.width)
        if sight.observation.direction is None:
            see, shown = np.eye(3), error_of(y0[rows])
            spread = np.asarray(sight.observation.covariance)
        else:
            size = float(np.linalg.norm(y0[rows]))
            see = _cross(y0[rows] / size)
            shown, spread = np.eye(3) / size, sight.observation.sigma**2 * np.eye(3)
        H.append(np.hstack((see, np.zeros((3, 3)))))
        R.append(spread * share)
        residuals.append((rows, shown, see))
        ages.append(sight.age(T))
    K = _gains(np.vstack(H), R, kind=kind, noise=noise, walk=walk, T=T, shares=[s.sample / T for s in sights])
    kept = max([0, *ages]) - 1  # attitudes beside that of the sample before
    n = 6 + 3 * max(kept, 0)
    # S[d]: the attitude d samples ago as rows over [memory, what is read], before what is told now
    turn = np.hstack((np.eye(3), -T * np.eye(3), np.zeros((3, n - 6)), np.zeros((3, y0.size))))
    turn[:, n : n + 3] = T * np.eye(3)
    S = [turn]
    for d in range(1, max([0, *ages]) + 1):
        at = 0 if d == 1 else 6 + 3 * (d - 2)
        row = np.zeros((3, n + y0.size))
        row[:, at : at + 3] = np.eye(3)
        S.append(row)
    bias = np.zeros((3, n + y0.size))
    bias[:, 3:6] = np.eye(3)
    told = [np.zeros((3, n + y0.size)) for _ in S]
    biased = bias.copy()
    for s, ((rows, shown, see), age) in enumerate(zip(residuals, ages, strict=True)):
        r = -see @ S[age]
        r[:, n + rows.start : n + rows.stop] += shown
        attitude_gain, bias_gain = K[:3, 3 * s : 3 * s + 3], K[3:, 3 * s : 3 * s + 3]
        for d in range(len(S)):  # what is learnt of the bias has turned the attitude since
            since = 0.0 if kind == FIXED else T * max(age - d, 0)
            told[d] += (attitude_gain - since * bias_gain) @ r
        biased += bias_gain @ r
    after = [each + more for each, more in zip(S, told, strict=True)]
    new = np.vstack([after[0], biased, *after[1 : 1 + max(kept, 0)]])
    rate = -biased
    rate[:, n : n + 3] += np.eye(3)
    parameters = 0.25 * error_of(e0).T
    out = np.vstack((parameters @ (after[0] + ahead * rate), rate, biased, np.zeros((width - 10, n + y0.size))))
    rests = np.concatenate((e0, np.zeros(width - 4)))
    return BlockForm(A=new[:, :n], B=new[:, n:], C=out[:, :n], D=out[:, n:], rests=rests, words=_words(sights, T))


def _gains(
    H: Array, R: Sequence[Array], *, kind: int, noise: float, walk: float, T: float, shares: Sequence[float]
) -> Array:
    """Gains (6, 3 sensors) of a residual at each sample."""
    if kind == FIXED:
        # of a direction w x w^, which is -[w^] of the residual w - w^
        parts = [
            np.vstack((noise * h[:, :3].T, -walk * h[:, :3].T)) / share
            for h, share in zip(_threes(H), shares, strict=True)
        ]
        return np.hstack(parts) if parts else np.zeros((6, 0))
    spread = np.zeros((len(H), len(H)))
    for s, block in enumerate(R):
        spread[3 * s : 3 * s + 3, 3 * s : 3 * s + 3] = block
    F = np.eye(6)
    F[:3, 3:] = -T * np.eye(3)
    Q = np.kron(
        [[noise**2 * T + walk**2 * T**3 / 3.0, -0.5 * walk**2 * T**2], [-0.5 * walk**2 * T**2, walk**2 * T]], np.eye(3)
    )
    scale = np.sqrt(np.trace(spread) / len(H))  # angles in units of the noise: the solver wants numbers near 1
    try:
        P, _, poles = discrete_solution(F.T, H.T, Q / scale**2, R=spread / scale**2)
        if not float(np.abs(poles).max()) < 1.0:
            raise DesignError("an error does not decay")
    except (np.linalg.LinAlgError, ValueError) as error:
        raise DesignError(
            f"the filter has no steady state ({error}), so no constant loop has it: give gyro_noise and gyro_walk "
            "above zero, and sensors that see the attitude about every axis"
        ) from error
    return np.asarray(np.linalg.solve(H @ P @ H.T + spread / scale**2, H @ P).T, dtype=np.float64)


def _threes(H: Array) -> list[Array]:
    return [H[k : k + 3] for k in range(0, len(H), 3)]


def _cross(w: Array) -> Array:
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def _attitude(y0: Array, sights: Sequence[SightForm]) -> Array:
    """The attitude at rest (4,), of a star tracker or of all directions together."""
    seen: list[Array] = []
    known: list[Array] = []
    for sight in sights:
        message = y0[sight.place : sight.place + sight.observation.width]
        direction = sight.observation.direction
        if direction is None:
            return message
        if not isinstance(direction, InertialVector):
            raise DesignError(
                f"the direction {direction!r} is a signal, of which nothing is known beforehand, so the filter has no "
                "linear form; give the sensor with an InertialVector of what it is at the operating point"
            )
        seen.append(message)
        known.append(direction.at(0.0))
    return wahba(np.array(seen), np.array(known), sigma=1e-3).attitude


def _words(sights: Sequence[SightForm], T: float) -> str:
    slow = any(abs(sight.sample - T) > 1e-9 for sight in sights)
    held = ", messages held between count at each of its samples for the attitude of their mean age" if slow else ""
    return f"gains of its steady state{held}"
