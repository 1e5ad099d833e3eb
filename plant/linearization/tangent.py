"""Linearisation by complex step on the tangent space of the attitude.

The raw state carries four Euler parameters with one constraint, so its linear model has an uncontrollable
state and no LQR exists for it. Here the attitude is written e = e_ref(t) o (sqrt(1 - |delta|^2/4), delta/2),
with e_ref turning at the steady rate, and the equations of motion are differentiated with respect to delta:
with an imaginary step too small to matter in any product, the imaginary part of the result is the derivative
to round-off, without truncation. The equations used are the ones that are integrated.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..dynamics import body_rate, derivative
from ..errors import EquilibriumError, SingularBasisError
from ..rotation import compose
from ..torque import singularity
from .model import LinearModel
from .outputs import Output, select_outputs

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = ["linearize"]

Array = NDArray[np.float64]

STEP = 1e-40
BACK = np.array([1.0, -1.0, -1.0, -1.0])  # conjugation
TOLERANCE = 1e-9  # rad, and share of the momentum: how far from steady a state may be and pass for it
NEAREST_POSE = 1e-6  # a basis nearer to its singular pose than this (rad) is refused


def linearize(
    craft: "Spacecraft", x: Array, *, outputs: Sequence[str], allow_nonequilibrium: bool = False
) -> LinearModel:
    """Return the exact linear model of a craft about a steady state.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    x : numpy.ndarray, shape (7,) or (13,)
        The state.
    outputs : sequence of str
        Keys of `OUTPUTS`.
    allow_nonequilibrium : bool
        Whether a state that is not steady is accepted.

    Returns
    -------
    LinearModel
        A, B, C, D with names and units.

    Raises
    ------
    EquilibriumError
        When the state is not steady, or the model would vary in time along it.
    SingularBasisError
        When the torque basis is singular at that attitude.
    """
    _refuse_singular(craft, x[3:7])
    chosen = select_outputs(craft, outputs, x[3:7])
    residual, a, b, c, d = _matrices(craft, x, 0.0, chosen)
    if not allow_nonequilibrium:
        _require_steady(craft, x, residual, a)
        _require_constant(craft, x, chosen, np.vstack([np.hstack([a, b]), np.hstack([c, d])]))
    tail = ("position", "linear_momentum") if craft.translation else ()
    heads = ("attitude_error", "momentum", *tail)
    units = {"attitude_error": "rad", "momentum": "N m s", "position": "m", "linear_momentum": "kg m/s"}
    return LinearModel(
        A=a,
        B=b,
        C=c,
        D=d,
        states=tuple(f"{head}_{axis}" for head in heads for axis in "xyz"),
        inputs=("torque_1", "torque_2", "torque_3"),
        outputs=tuple(name for output in chosen for name in output.names),
        state_units=tuple(units[head] for head in heads for _ in range(3)),
        input_units=("N m",) * 3,
        output_units=tuple(output.unit for output in chosen for _ in output.names),
        operating_point=x.copy(),
        residual=float(np.abs(residual).max()),
        inertia=craft.body.inertia,
        torques=craft.torques,
    )


def _matrices(
    craft: "Spacecraft", x: Array, t: float, outputs: Sequence[Output]
) -> tuple[Array, Array, Array, Array, Array]:
    """Residual, A, B, C, D at the state x and time t."""
    p = craft.pack()
    loads = craft.user_loads()
    reference = x[3:7]
    omega = np.array(body_rate(x, p))
    reference_rate = 0.5 * np.array(compose(*reference, 0.0, *omega))
    n = 12 if craft.translation else 6

    def everything(z: Any, u: Any) -> NDArray[Any]:
        delta = z[:3]
        error = np.concatenate([[np.sqrt(1.0 - 0.25 * (delta @ delta))], 0.5 * delta])
        e = np.array(compose(*reference, *error))
        state = np.concatenate([x[:3] + z[3:6], e, x[7:] + z[6:]])
        rates = np.zeros_like(state)
        derivative(t, state, u, p, rates, loads)
        turning = np.array(compose(*(BACK * reference_rate), *e)) + np.array(compose(*(BACK * reference), *rates[3:7]))
        y = [np.asarray(output.function(t, delta, state, u, p)) for output in outputs]
        return np.concatenate([2.0 * turning[1:], rates[:3], rates[7:], *y])

    size = n + sum(len(output.names) for output in outputs)
    jacobian = np.zeros((size, n + 3))
    for column in range(n + 3):
        point = np.zeros(n + 3, dtype=np.complex128)
        point[column] = 1j * STEP
        jacobian[:, column] = np.imag(everything(point[:n], point[n:])) / STEP
    residual = everything(np.zeros(n), np.zeros(3))[:n]
    a, b = jacobian[:n, :n], jacobian[:n, n:]
    return residual, a, b, jacobian[n:, :n], jacobian[n:, n:]


def _refuse_singular(craft: "Spacecraft", attitude: Array) -> None:
    verdict = singularity(craft.torques, attitude)
    if verdict.distance < NEAREST_POSE:
        raise SingularBasisError(
            f"the {craft.torques.name} torque basis {craft.torques.sequence} is singular at the reference attitude "
            f"(distance {verdict.distance:.2g} rad; {verdict.theorem}: {verdict.behaviour}), so nothing can be "
            "designed in it there; take another sequence, or the body basis"
        )


def _require_steady(craft: "Spacecraft", x: Array, residual: Array, a: Array) -> None:
    largest = float(np.linalg.eigvalsh(craft.body.inertia).max())
    momentum = float(np.linalg.norm(x[:3]))
    # What an attitude off by TOLERANCE, or a momentum off by that share, would make of the rates.
    slack = TOLERANCE * (np.abs(a[:, :3]).max(axis=1) + np.abs(a[:, 3:6]).max(axis=1) * momentum)
    floor = 1e-12 * largest  # N m; and the same number in N and m/s, all far below anything that acts
    worst = int(np.argmax(np.abs(residual) - slack))
    if abs(residual[worst]) > slack[worst] + floor:
        group = worst // 3
        what = ("attitude error (rad/s)", "momentum (N m)", "position (m/s)", "linear momentum (N)")[group]
        parts = ", ".join(f"{value:.6g}" for value in residual[3 * group : 3 * group + 3])
        raise EquilibriumError(
            f"the state is not steady: the rate of the {what} is ({parts}); linearise about a rest or a spin "
            "about a principal axis, or ask with allow_nonequilibrium=True"
        )


def _require_constant(craft: "Spacecraft", x: Array, outputs: Sequence[Output], here: Array) -> None:
    """Compare the matrices further along the steady motion: a model that varies in time is no model."""
    omega = np.array(body_rate(x, craft.pack()))
    speed = float(np.linalg.norm(omega))
    times = (0.7 / speed, 1.9 / speed, 3.1 / speed) if speed > 0.0 else (1.0, 100.0)
    scale = np.abs(here).max()
    for t in times:
        later = x.copy()
        if speed > 0.0:
            turn = np.concatenate([[np.cos(0.5 * speed * t)], np.sin(0.5 * speed * t) * omega / speed])
            later[3:7] = compose(*x[3:7], *turn)
        _, a, b, c, d = _matrices(craft, later, t, outputs)
        change = float(np.abs(np.vstack([np.hstack([a, b]), np.hstack([c, d])]) - here).max())
        if not change <= 1e-9 * scale:
            raise EquilibriumError(
                f"along this motion the linear model varies in time (entries change by {change:.3g} within {t:.3g} s), "
                "as it does when a spinning craft is driven in an inertial or Euler basis, sits in a fixed field, or "
                "puts out inertial components; take the body basis, other outputs, or ask with "
                "allow_nonequilibrium=True"
            )
