"""What regulators on estimated states share: the sensors they are told of, the estimator's gain, the compensator."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import each_positive
from ...plant.errors import DesignError, InputError
from ...plant.frozen import frozen_arrays
from ..laws.compensator import Compensator
from ..laws.past_commands import remember
from ..loop.sampled_plant import driven
from .riccati import discrete_solution

__all__ = ["Observer", "kalman_gain", "sensors_of", "told"]

Array = NDArray[np.float64]


def sensors_of(attitude_noise: ArrayLike, rate_noise: ArrayLike | None, *, sample: float) -> Array:
    """Standard deviations (3,) or (6,) of the measurements; raises InputError when a sensor measures nothing."""
    found = each_positive("attitude_noise", attitude_noise, unit="rad")
    _require_sense("attitude_noise", found, 1.0, "rad", "an error of that size is no small angle: are these degrees?")
    if rate_noise is None:
        return found
    rates = each_positive("rate_noise", rate_noise, unit="rad/s")
    why = "half a turn in a sample; leave rate_noise out where there is no rate sensor"
    _require_sense("rate_noise", rates, np.pi / sample, "rad/s", why)
    return np.concatenate((found, rates))


def told(sensors: Array) -> dict[str, list[float] | None]:
    """What a law says of the sensors it was designed on."""
    return {
        "attitude_noise_rad": sensors[:3].tolist(),
        "rate_noise_rad_s": sensors[3:].tolist() if len(sensors) > 3 else None,
    }


def kalman_gain(A: Array, B: Array, *, C: Array, sensors: Array, sample: float) -> Array:
    """Return the gain M of xhat = xp + M (y - C xp), stationary: P C' (C P C' + R)^-1, P that before the measurement.

    A (n, n), B (n, m): continuous plant, and where white noise of density 1 enters; C (k, n): what is measured; sensors
    (k,): its standard deviations; sample: period, s -> (n, k). Raises DesignError when the sensors do not see a mode
    that does not decay by itself.
    """
    with np.errstate(all="ignore"):  # noise beyond the arithmetic is refused in words below
        flow, noise = driven(A, B, duration=sample)
    R = np.diag(sensors**2)
    try:
        P, _, poles = discrete_solution(flow.T, C.T, noise, R=R)
        if not float(np.abs(poles).max()) < 1.0:
            raise DesignError("an estimator pole does not decay")
    except (np.linalg.LinAlgError, ValueError) as error:
        raise DesignError(
            f"the Kalman estimator has no stationary gain ({error}): a mode that does not decay is not seen by the "
            "sensors or not moved by the torque noise, or noise figures are too extreme"
        ) from error
    return np.asarray(np.linalg.solve(C @ P @ C.T + R, C @ P).T, dtype=np.float64)


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Observer:
    """xhat = xp + M (y - C xp), xp+ = flow xhat + under_way [past commands] + enter [command as sent], scaled inside.

    scale: torque in N m of one unit; past commands and the command are in N m.
    """

    flow: Array
    under_way: Array
    enter: Array
    M: Array
    C: Array
    scale: float

    def compensator(
        self, on_state: Array, on_past: Array, *, on_integral: Array | None = None, sample: float = 0.0,
        realisable: Array | None = None,
    ) -> Compensator:  # fmt: skip
        """Return v = on_state xhat + on_past [past commands] + on_integral xi, N m, the estimator within.

        xi[k+1] = xi + sample (attitude error + realisable (limited v - v)) (3,), where there is an integral. States
        [xp; past commands; xi]. The estimator is told the command as it was sent, and is not misled by a limit.
        """
        n, past, seen = len(self.flow), self.under_way.shape[1], self.M.shape[1]
        shift, newest = remember(past // 3)
        keep = np.eye(n) - self.M @ self.C
        xi = 0 if on_integral is None else 3
        out = np.hstack((on_state @ keep, on_past))
        through = np.zeros((3, 6))
        through[:, :seen] = on_state @ self.M
        A = np.zeros((n + past + xi, n + past + xi))
        A[:n, :n] = self.flow @ keep
        A[:n, n : n + past] = self.under_way / self.scale
        A[n : n + past, n : n + past] = shift
        B = np.zeros((n + past + xi, 6))
        B[:n, :seen] = self.flow @ self.M
        sent = np.vstack((self.enter / self.scale, newest, np.zeros((xi, 3))))  # where the command enters, as sent
        tracking = sent.copy()
        if on_integral is not None:
            out = np.hstack((out, on_integral))
            A[n + past :, n + past :] = np.eye(3)
            B[n + past :, :3] = sample * np.eye(3)
            if realisable is not None:
                tracking[n + past :] = sample * realisable
        return Compensator(A=A + sent @ out, B=B + sent @ through, C=out, D=through, tracking=tracking)


def _require_sense(name: str, values: Array, most: float, unit: str, why: str) -> None:
    """A sensor this bad measures nothing."""
    if values.max() > most:
        raise InputError(f"{name} is {values.max():g} {unit}, beyond {most:.4g} {unit}: {why}")
