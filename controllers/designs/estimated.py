"""Common parts of regulators with estimated states: sensor noise, estimator gain and compensator."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel
from ...plant.checks import choice, each_positive
from ...plant.errors import DesignError, InputError
from ...plant.frozen import frozen_arrays
from ..contracts.checks import check_timing
from ..contracts.past_commands import remember
from ..laws.compensator import Compensator
from ..laws.linear_feedback import LinearFeedback
from ..loop.attitude_model import check_reachable
from ..loop.sampled_plant import driven, sampled_plant
from .design_plant import DesignPlant, design_plant
from .lqr import Weights, attitude_cost, weighed
from .riccati import discrete_regulator, filter_gain
from .stability_check import require_stable

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class EstimatedPlant:
    """Checked plant, weights and noise of a regulator with estimated states.

    plant: design plant, scaled by the mean inertia; internal: "estimated" or "locked"; weights: regulator weights;
    torque (3,): torque noise, N m/sqrt(Hz); sensors (3,) or (6,): standard deviations; sample, delay: s; F, G: the
    sampled plant, with delayed commands among its states.
    """

    model: LinearModel
    plant: DesignPlant
    internal: str
    weights: Weights
    torque: Array
    sensors: Array
    sample: float
    delay: float
    F: Array
    G: Array

    @property
    def C(self) -> Array:
        """Output matrix of the measured quantities."""
        return self.plant.C[: len(self.sensors)]

    def observer(self) -> "Observer":
        """Return the estimator of the plant's states."""
        n, scale = len(self.plant.A), self.plant.scale
        M = kalman_gain(
            self.plant.A, self.plant.B * (self.torque / scale), C=self.C, sensors=self.sensors, sample=self.sample
        )
        return Observer(flow=self.F[:n, :n], under_way=self.F[:n, n:], enter=self.G[:n], M=M, C=self.C, scale=scale)

    def regulator(self) -> Array:
        """Return the regulator gain K, with shape (3, states and past commands)."""
        n = len(self.plant.A)
        Q = np.zeros_like(self.F)
        Q[:n, :n] = attitude_cost(self.plant, self.weights)
        return discrete_regulator(self.F, self.G, Q, R=self.weights.effort * self.plant.scale**2, sample=self.sample)

    def law(
        self, compensator: Compensator, *, kind: str, what: str, saturation: str, more: dict[str, Any] | None = None
    ) -> LinearFeedback:
        """Return the law after a check that it stabilises all states of the plant.

        kind: kind of law in a file; what: name of the law in messages; more: further entries of the design record, in
        addition to the noise. Raises DesignError when the loop is not stable.
        """
        rate_noise = self.sensors[3:].tolist() if len(self.sensors) > 3 else None
        law = LinearFeedback(
            compensator,
            self.model,
            sample=self.sample,
            delay=self.delay,
            saturation=saturation,
            design={
                "kind": kind,
                "internal": self.internal,
                **self.weights.to_dict(),
                "torque_noise_N_m_per_rtHz": self.torque.tolist(),
                **(more or {}),
                "attitude_noise_rad": self.sensors[:3].tolist(),
                "rate_noise_rad_s": rate_noise,
            },
        )
        way_out = ', or use internal="estimated"' if self.internal == "locked" else ""
        return require_stable(
            law,
            what=f"the regulator with {what} (internal states {self.internal})",
            advice=f"make the weights less extreme{way_out}",
        )


def estimated_plant(
    model: LinearModel,
    *,
    attitude: ArrayLike,
    rate: ArrayLike,
    effort: ArrayLike,
    torque_noise: ArrayLike,
    attitude_noise: ArrayLike,
    sample: float,
    rate_noise: ArrayLike | None,
    delay: float,
    internal: str,
) -> EstimatedPlant:
    """Check the common arguments of `lqg`, `lqgi` and `disturbance_observer`, and discretise the plant.

    Raises the errors documented in these functions.
    """
    period, lag = check_timing(sample, delay)
    choice("internal", internal, ("estimated", "locked"))
    plant = design_plant(model, internal=internal)
    weights = weighed(attitude, rate, effort=effort)
    torque = each_positive("torque_noise", torque_noise, unit="N m/sqrt(Hz)")
    sensors = _sensors(attitude_noise, rate_noise, sample=period)
    check_reachable(plant.model, sample=period)
    F, G = sampled_plant(plant.A, plant.B, sample=period, delays=[lag] * 3)
    return EstimatedPlant(
        model=model, plant=plant, internal=internal, weights=weights, torque=torque, sensors=sensors, sample=period,
        delay=lag, F=F, G=G,
    )  # fmt: skip


def _sensors(attitude_noise: ArrayLike, rate_noise: ArrayLike | None, *, sample: float) -> Array:
    """Return the standard deviations (3,) or (6,) of measurements; raise InputError if a sensor is too noisy."""
    found = each_positive("attitude_noise", attitude_noise, unit="rad")
    _require_sense("attitude_noise", found, 1.0, "rad", "such an error is not a small angle: are these degrees?")
    if rate_noise is None:
        return found
    rates = each_positive("rate_noise", rate_noise, unit="rad/s")
    why = "half a turn in a sample; leave rate_noise out where there is no rate sensor"
    _require_sense("rate_noise", rates, np.pi / sample, "rad/s", why)
    return np.concatenate((found, rates))


def kalman_gain(A: Array, B: Array, *, C: Array, sensors: Array, sample: float) -> Array:
    """Return the stationary Kalman gain M for a continuous plant that is measured at sampling times.

    xhat = xp + M (y - C xp), M = P C' (C P C' + R)^-1, with P the covariance before the measurement.

    A (n, n), B (n, m): continuous plant, and its input matrix for white noise of unit spectral density; C (k, n):
    output matrix; sensors (k,): standard deviations of the measurements; sample: period, s -> M (n, k). Raises
    DesignError when a mode that does not decay is unobservable.
    """
    with np.errstate(all="ignore"):  # noise outside the range of floating point is rejected below with a message
        flow, noise = driven(A, B, duration=sample)
    R = np.diag(sensors**2)
    try:
        return filter_gain(flow, C, noise, R=R)[0]
    except (np.linalg.LinAlgError, ValueError) as error:
        raise DesignError(
            f"the Kalman estimator has no stationary gain ({error}): a mode that does not decay is not observable by "
            "the sensors or not excited by the torque noise, or noise values are too extreme"
        ) from error


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Observer:
    """Stationary Kalman estimator of the plant, in scaled states.

    xhat = xp + M (y - C xp), xp[k+1] = flow xhat + under_way [past commands] + enter [saturated command].

    scale: torque in N m per scaled unit; past commands and the command are in N m.
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
        """Return the compensator v = on_state xhat + on_past [past commands] + on_integral xi (N m), with estimator.

        If there is integral action, xi[k+1] = xi + sample (attitude error + realisable (limited v - v)) (3,). The
        states are [xp; past commands; xi]. The estimator uses the saturated command, so a torque limit does not bias
        the estimate.
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
        sent = np.vstack((self.enter / self.scale, newest, np.zeros((xi, 3))))  # input matrix of the saturated command
        tracking = sent.copy()
        if on_integral is not None:
            out = np.hstack((out, on_integral))
            A[n + past :, n + past :] = np.eye(3)
            B[n + past :, :3] = sample * np.eye(3)
            if realisable is not None:
                tracking[n + past :] = sample * realisable
        return Compensator(A=A + sent @ out, B=B + sent @ through, C=out, D=through, tracking=tracking)


def _require_sense(name: str, values: Array, most: float, unit: str, why: str) -> None:
    """Raise InputError when a sensor is too noisy to be useful."""
    if values.max() > most:
        raise InputError(f"{name} is {values.max():g} {unit}, beyond {most:.4g} {unit}: {why}")
