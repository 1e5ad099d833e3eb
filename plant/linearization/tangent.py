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

from ..checks import unit_quaternion
from ..dynamics import body_rate, derivative
from ..errors import SingularBasisError
from ..rotation import compose
from ..torque import singularity
from . import own_chart
from .cross_check import check_user_loads
from .deviations import deviations
from .model import LinearModel
from .outputs import Output, select_outputs
from .steady import Matrices, require_constant, require_finite, require_steady

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = ["linearize"]

Array = NDArray[np.float64]

STEP = 1e-40
BACK = np.array([1.0, -1.0, -1.0, -1.0])  # conjugation
NEAREST_POSE = 1e-6  # a basis nearer to its singular pose than this (rad) is refused


def linearize(
    craft: "Spacecraft", x: Array, *, outputs: Sequence[str], allow_nonequilibrium: bool = False
) -> LinearModel:
    """Return the exact linear model of a craft about a steady state.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    x : numpy.ndarray, shape (nx,)
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
    InputError
        When the attitude is not of unit norm, an output is unknown, or a user's function cannot be differentiated.
    """
    x = np.concatenate([x[:3], unit_quaternion("attitude", x[3:7]), x[7:]])
    _refuse_singular(craft, x[3:7])
    chosen = select_outputs(craft, outputs, x[3:7])
    check_user_loads(craft, x, moved=lambda z: _moved(craft, x, z))
    found = _matrices(craft, x, 0.0, chosen)
    require_finite(found)
    if not allow_nonequilibrium:
        require_steady(craft, x, found)
        require_constant(craft, x, found, at=lambda later, t: _matrices(craft, later, t, chosen))
    names, units, keep = deviations(craft)
    found = found.keeping(keep)
    return LinearModel(
        A=found.a,
        B=found.b,
        C=found.c,
        D=found.d,
        states=names,
        inputs=("torque_1", "torque_2", "torque_3"),
        outputs=tuple(name for output in chosen for name in output.names),
        state_units=units,
        input_units=("N m",) * 3,
        output_units=tuple(output.unit for output in chosen for _ in output.names),
        operating_point=x.copy(),
        residual=float(np.abs(found.residual).max()),
        inertia=craft.locked_inertia(x),
        torques=craft.torques,
    )


def _moved(craft: "Spacecraft", x: Array, z: Any) -> Any:
    """The state at the deviation z from x, real or complex."""
    error = np.concatenate([[np.sqrt(1.0 - 0.25 * (z[:3] @ z[:3]))], 0.5 * z[:3]])
    e, own = compose(*x[3:7], *error), craft.layout.own.start
    return np.concatenate([x[:3] + z[3:6], e, x[7:own] + z[6 : own - 1], own_chart.moved(craft, x, e, z[own - 1 :])])


@np.errstate(divide="ignore", invalid="ignore")  # what is not finite is reported in words
def _matrices(craft: "Spacecraft", x: Array, t: float, outputs: Sequence[Output]) -> Matrices:
    """Residual, A, B, C, D at the state x and time t."""
    p = craft.pack()
    loads = craft.user_loads()
    reference = x[3:7]
    omega = np.array(body_rate(t, x, np.zeros(3), p, craft.work_space()))
    reference_rate = 0.5 * np.array(compose(*reference, 0.0, *omega))
    own = craft.layout.own.start
    n = own - 1 + own_chart.span(craft)

    def everything(z: Any, u: Any) -> NDArray[Any]:
        state = _moved(craft, x, z)
        e = state[3:7]
        rates = np.zeros_like(state)
        w = craft.work_space(dtype=state.dtype)
        derivative(t, state, u, p, rates, loads, w)
        turning = np.array(compose(*(BACK * reference_rate), *e)) + np.array(compose(*(BACK * reference), *rates[3:7]))
        y = [np.asarray(output.function(t, z[:3], state, u, p, w)) for output in outputs]
        inner = own_chart.rates(craft, x, state, rates)
        return np.concatenate([2.0 * turning[1:], rates[:3], rates[7:own], inner, *y])

    size = n + sum(len(output.names) for output in outputs)
    jacobian = np.zeros((size, n + 3))
    for column in range(n + 3):
        point = np.zeros(n + 3, dtype=np.complex128)
        point[column] = 1j * STEP
        jacobian[:, column] = np.imag(everything(point[:n], point[n:])) / STEP
    return Matrices(
        residual=everything(np.zeros(n), np.zeros(3))[:n],
        a=jacobian[:n, :n],
        b=jacobian[:n, n:],
        c=jacobian[n:, :n],
        d=jacobian[n:, n:],
        rows=tuple(len(output.names) for output in outputs),
    )


def _refuse_singular(craft: "Spacecraft", attitude: Array) -> None:
    verdict = singularity(craft.torques, attitude)
    if verdict.distance < NEAREST_POSE:
        raise SingularBasisError(
            f"the {craft.torques.name} torque basis {craft.torques.sequence} is singular at the reference attitude "
            f"(distance {verdict.distance:.2g} rad; {verdict.theorem}: {verdict.behaviour}), so nothing can be "
            "designed in it there; take another sequence, or the body basis"
        )
