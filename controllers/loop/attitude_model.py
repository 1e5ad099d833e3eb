"""Checks of a linear model for an attitude law, scaling of its states, and a stabilisability test."""

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel
from ...plant.checks import of_kind
from ...plant.errors import DesignError, InputError

Array = NDArray[np.float64]

ATTITUDE_STATES = (
    "attitude_error_x",
    "attitude_error_y",
    "attitude_error_z",
    "momentum_x",
    "momentum_y",
    "momentum_z",
)

MOMENTUM_UNITS = ("N m s", "J s", "kg m/s")


def check_model(model: LinearModel) -> None:
    """Raise InputError unless the argument is a linear model with the control torques as inputs.

    model: the argument. The message explains how to obtain such a model.
    """
    such_as = "a LinearModel, such as craft.linearize(craft.at_rest())"
    if type(model).__name__ == "StateSpace":
        such_as += " (its to_control() has lost inertia and operating point)"
    of_kind("model", model, LinearModel, such_as=such_as)
    further = model.inputs[3:]
    if further:
        raise InputError(
            f"the model has inputs beyond the control torque ({', '.join(further)}), which no law commands; linearise "
            "without coordinates, or use model.select(inputs=model.inputs[:3])"
        )


def state_scale(inertia: Array) -> float:
    """Return the mean principal inertia, by which momenta and torques are scaled.

    inertia (3, 3): inertia, kg m^2 -> trace(J) / 3, kg m^2. Momentum / scale is a rate and torque / scale an
    acceleration, so that a design is as well conditioned for a space station as for a CubeSat.
    """
    return float(np.trace(inertia)) / 3.0


def scaled(model: LinearModel, scale: float | None = None) -> tuple[Array, Array, Array, float]:
    """Return A and B with momenta and torques in units of the mean inertia, or of a given scale.

    -> scaled A, B; T (n,): state = T times scaled state; scale: torque = scale times scaled torque.
    """
    scale = state_scale(model.inertia) if scale is None else scale
    T = np.array([scale if unit in MOMENTUM_UNITS else 1.0 for unit in model.state_units])
    return model.A / T[:, None] * T, model.B / T[:, None] * scale, T, scale


def check_reachable(model: LinearModel, *, sample: float) -> None:
    """Raise DesignError unless the sampled torque can stabilise every mode of a model.

    The continuous model must pass the Popov-Belevitch-Hautus test at every eigenvalue that does not decay, and no
    eigenvalue may rotate by half a revolution or more per sample. Together these conditions keep the sampled model
    stabilisable (Kalman, Ho & Narendra 1963).

    model: a model with the attitude states, and possibly others; sample: sampling period, s. The error message names
    the uncontrollable mode, or the fastest mode and the longest permissible sampling period.
    """
    if model.torques.internal:
        raise DesignError(
            "wheels provide the torque, and about a spin they cannot control the total momentum, which is among the "
            "states; use quaternion_feedback, which follows any reference, or an external torque"
        )
    A, B, _, _ = scaled(model)
    values = np.asarray(np.linalg.eigvals(A), dtype=np.complex128)
    for value in values:
        if value.real < -1e-9 * max(1.0, abs(value)):
            continue
        # 1e-8: the eigenvalue solver perturbs a double eigenvalue (a rigid body at rest) by sqrt(round-off)
        left, sizes, _ = np.linalg.svd(np.hstack((A - value * np.eye(len(A)), B)))
        if float(sizes.min()) < 1e-8 * float(np.abs(B).max()):
            share = np.abs(left[:, -1])
            names = [model.states[n] for n in np.flatnonzero(share > 0.3 * share.max())]
            raise DesignError(
                f"no torque reaches the mode with eigenvalue {value:.3g} 1/s (in {', '.join(names)}), which does "
                "not decay; give the plant torque about that axis"
            )
    if np.linalg.matrix_rank(B, tol=1e-9 * np.abs(B).max()) < B.shape[1]:
        raise DesignError(
            f"the torque basis {model.torques.name!r} is singular at the attitude of the model: three "
            "components do not give three independent torques there; use a different basis or Euler sequence"
        )
    fastest = float(np.abs(values.imag).max())
    if fastest * sample >= np.pi:
        raise DesignError(
            f"sample {sample:g} s is too slow: the model oscillates at {fastest:g} rad/s, which needs a "
            f"sampling period below pi / {fastest:g} = {np.pi / fastest:g} s"
        )
