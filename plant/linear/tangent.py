"""Linearisation by complex step on the tangent space of the attitude.

The full state has four Euler parameters with one constraint, so its linear model has an uncontrollable mode and admits
no LQR. Here the attitude is e = e_ref(t) o (sqrt(1 - |delta|^2/4), delta/2), with e_ref rotating at the steady rate.
The equations of motion are differentiated with respect to delta by complex steps. The imaginary step is so small that
it does not affect the real parts, and the imaginary part of the result is the derivative to rounding, without
truncation error. A run integrates the same equations.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..checks import unit_quaternion
from ..errors import InputError, SingularBasisError
from ..hub.actuated_coordinates import ActuatedCoordinate, actuated_coordinate
from ..hub.dead_zones import without_dead_zones
from ..hub.dynamics import body_rate, derivative
from ..hub.packing import work_length
from ..hub.parameters import PULSES
from ..kernels.columns import as_columns
from ..kernels.rotation import compose
from ..loads.torque import TorquePulse, singularity
from ..one_thread import one_thread
from . import own_chart
from .cross_check import check_user_loads
from .deviations import deviations
from .holding import holding_inputs, holding_torques, require_held
from .left_out import left_out
from .model import LinearModel
from .model_cache import cached_model
from .outputs import Output, select_outputs
from .steady import Matrices, require_constant, require_finite, require_steady, turns

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

Array = NDArray[np.float64]

STEP = 1e-40
BACK = np.array([1.0, -1.0, -1.0, -1.0])  # conjugation
NEAREST_POSE = 1e-6  # rad; smallest accepted distance of the basis from its singular pose


@one_thread
def linearize(
    craft: "Spacecraft",
    x: Array,
    *,
    outputs: Sequence[str],
    coordinates: Sequence[str] = (),
    allow_nonequilibrium: bool = False,
) -> LinearModel:
    """Return the exact linear model of a spacecraft about a steady state.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    x : numpy.ndarray, shape (nx,)
        The state.
    outputs : sequence of str
        Keys of `OUTPUTS`.
    coordinates : sequence of str
        Coordinates of elements; the torque or force on each of them is an additional input.
    allow_nonequilibrium : bool
        Whether a state that is not steady is accepted.

    Returns
    -------
    LinearModel
        A, B, C, D with names and units.

    Raises
    ------
    EquilibriumError
        When the state is not steady, or the linear model varies in time along the motion.
    SingularBasisError
        When the torque basis is singular at this attitude.
    InputError
        When the attitude is not of unit norm, an output is unknown, a coordinate accepts no force, or a user function
        cannot be differentiated.
    """
    x = np.concatenate([x[:3], unit_quaternion("attitude", x[3:7]), x[7:]])
    _refuse_singular(craft, x[3:7])
    chosen = select_outputs(craft, outputs, x[3:7])
    if isinstance(coordinates, str):
        raise InputError(f"coordinates must be a sequence of names of coordinates, such as ({coordinates!r},)")
    driven = [actuated_coordinate(craft, name) for name in coordinates]
    if len({*coordinates}) < len(driven):
        raise InputError(f"coordinates contains a name twice: {', '.join(coordinates)}")
    return cached_model(
        craft,
        x,
        chosen,
        coordinates=tuple(coordinates),
        steady=not allow_nonequilibrium,
        find=lambda: _build(craft, x, chosen, driven, allow_nonequilibrium=allow_nonequilibrium),
    )


@one_thread
def linearize_at(
    craft: "Spacecraft", x: Array, *, t: float, outputs: Sequence[str] = ("attitude", "rate")
) -> LinearModel:
    """Return the linear model about a state at a given time, for a sequence of models along a motion.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    x : numpy.ndarray, shape (nx,)
        The state, which need not be steady.
    t : float
        Time, s, at which the loads of a prescribed orbit are evaluated.
    outputs : sequence of str
        Keys of `OUTPUTS`.

    Returns
    -------
    LinearModel
        A, B, C, D for this time. The deviations are relative to the motion through x, whose own rate of change beyond
        the steady rotation is the residual.

    Raises
    ------
    SingularBasisError
        When the torque basis is singular at this attitude.
    InputError
        When the attitude is not of unit norm, or an output is unknown.
    """
    x = np.concatenate([x[:3], unit_quaternion("attitude", x[3:7]), x[7:]])
    _refuse_singular(craft, x[3:7])
    return _build(craft, x, select_outputs(craft, outputs, x[3:7]), (), allow_nonequilibrium=True, t=float(t))


def _build(
    craft: "Spacecraft",
    x: Array,
    chosen: Sequence[Output],
    driven: Sequence[ActuatedCoordinate],
    *,
    allow_nonequilibrium: bool,
    t: float | None = None,
) -> LinearModel:
    for element in craft.elements:
        if reason := getattr(element, "not_linear", ""):
            raise InputError(reason)
    check_user_loads(craft, x, moved=lambda z: moved_by(craft, x, z))
    on = [each.name for each in driven]
    held = holding_torques(craft, x)
    whole, craft = craft, without_dead_zones(craft)
    matrices = matrices_at(craft, x, t or 0.0, chosen, on, held=held)
    require_finite(matrices)
    if not allow_nonequilibrium:
        require_held(craft, x, held)
        require_steady(craft, x, matrices)
        if turns(craft, x) or _depends_on_time(craft, x, chosen):
            require_constant(
                craft, x, matrices, at=lambda later, t: matrices_at(craft, later, t, chosen, on, held=held)
            )
    names, units, keep = deviations(craft)
    matrices = matrices.keeping(keep)
    return LinearModel(
        A=matrices.a,
        B=matrices.b,
        C=matrices.c,
        D=matrices.d,
        states=names,
        inputs=("torque_1", "torque_2", "torque_3", *(f"{each.quantity}_on_{each.name}" for each in driven)),
        outputs=tuple(name for output in chosen for name in output.names),
        state_units=units,
        input_units=("N m", "N m", "N m", *(each.unit for each in driven)),
        output_units=tuple(output.unit for output in chosen for _ in output.names),
        operating_point=x.copy(),
        residual=float(np.abs(matrices.residual).max()),
        inertia=craft.locked_inertia(x),
        torques=craft.torques,
        holding=held,
        left_out=left_out(whole, x, inputs=on, held=held, frozen=t is None),
    )


@np.errstate(all="ignore")
def _depends_on_time(craft: "Spacecraft", x: Array, outputs: Sequence[Output]) -> bool:
    """Return whether the equations depend on time.

    The equations do not depend on time if the results for one deviation are bitwise identical at three times. Only
    user-defined potentials, forces and elements may depend on time.
    """
    ours = all(
        element.kernel.__module__.startswith("polhode.") and not getattr(element, "time_dependent", False)
        for element in craft.elements
    )
    if ours and not craft.potentials and not craft.user_forces:
        return False
    equations, n = _equations(craft, x, outputs, held={})
    z = 0.1 * np.cos(np.arange(n + 3, dtype=np.float64))
    now, soon, late = (np.asarray(equations(t, z[:n], z[n:])) for t in (0.0, 1.0, 100.0))
    return not (np.isfinite(now).all() and np.array_equal(now, soon) and np.array_equal(now, late))


def moved_by(craft: "Spacecraft", x: Array, z: Any) -> Any:
    """Return the state at the deviation z from x, real or complex."""
    d0, d1, d2 = z[0], z[1], z[2]
    e = compose(*x[3:7], np.sqrt(1.0 - 0.25 * (d0 * d0 + d1 * d1 + d2 * d2)), 0.5 * d0, 0.5 * d1, 0.5 * d2)
    own = craft.layout.own.start
    plain = [x[n] + z[n + 3] for n in range(3)], e, [x[n] + z[n - 1] for n in range(7, own)]
    return _stacked(z, [*plain[0], *plain[1], *plain[2], *own_chart.moved(craft, x, e, z[own - 1 :])])


def _zeros(like: Any, size: int) -> Any:
    """Return `size` zeros, with the data type and columns of `like`."""
    whole = np.zeros((size, *like.shape[1:]), dtype=like.dtype)
    return as_columns(whole) if like.ndim == 2 else whole


def _stacked(like: Any, numbers: Any) -> Any:
    """Return numbers or rows as one array, with the data type and columns of `like`."""
    whole = np.zeros((len(numbers), *like.shape[1:]), dtype=like.dtype)
    for n, number in enumerate(numbers):
        whole[n] = number
    return as_columns(whole) if like.ndim == 2 else whole


def _equations(
    craft: "Spacecraft",
    x: Array,
    outputs: Sequence[Output],
    coordinates: Sequence[str] = (),
    *,
    held: Mapping[str, float],
) -> tuple[Callable[..., Any], int]:
    """Return a function of time, deviation and input, and the number of deviations.

    The function returns the rates of the deviations, then the outputs. The reference is the steady motion through x.
    Inputs are the control torque, then the torque or force on each coordinate of `coordinates`. held: constant torques
    on coordinates that belong to the steady motion.
    """
    pulses, constant = holding_inputs(held)
    p = craft.pack([*(TorquePulse(0.0, start=0.0, stop=1.0, coordinate=name) for name in coordinates), *pulses])
    loads = craft.user_loads()
    reference = x[3:7]
    own = craft.layout.own.start
    n = own - 1 + own_chart.span(craft)
    size_of_w = work_length(craft)
    omega = np.array(body_rate(0.0, x, np.zeros(3), p, craft.work_space()))
    reference_rate = 0.5 * np.array(compose(*reference, 0.0, *omega))

    def equations(t: float, z: Any, u: Any) -> NDArray[Any]:
        state = moved_by(craft, x, z)
        e = state[3:7]
        rates = np.zeros_like(state)
        w = _zeros(z, size_of_w)
        u = _acting(z, u, constant)
        derivative(t, state, u, p, rates, loads, w)
        first, second = compose(*(BACK * reference_rate), *e), compose(*(BACK * reference), *rates[3:7])
        turning = [2.0 * (a + b) for a, b in zip(first[1:], second[1:], strict=True)]
        y = [number for output in outputs for number in output.function(t, z[:3], state, u, p, w)]
        return _stacked(z, [*turning, *rates[:3], *rates[7:own], *own_chart.rates(craft, x, state, rates), *y])

    return equations, n


def _acting(like: Any, inputs: Any, constant: Sequence[float]) -> Any:
    """Return the inputs of a model in the order of the kernels, followed by the constant inputs."""
    numbers: list[Any] = [inputs[n] for n in range(PULSES)]
    for n in range(PULSES, len(inputs)):
        numbers += [0.0 * inputs[n] + 1.0, inputs[n], 0.0, 0.0]
    return _stacked(like, [*numbers, *constant])


@np.errstate(divide="ignore", invalid="ignore", over="ignore")  # results that are not finite raise a clear error later
def matrices_at(
    craft: "Spacecraft",
    x: Array,
    t: float,
    outputs: Sequence[Output],
    coordinates: Sequence[str] = (),
    *,
    held: Mapping[str, float],
) -> Matrices:
    """Return residual, A, B, C, D at the state x and time t.

    coordinates: coordinates with their own inputs; held: constant torques on coordinates, see `holding_torques`.
    """
    equations, n = _equations(craft, x, outputs, coordinates, held=held)
    size = n + sum(len(output.names) for output in outputs)
    inputs = 3 + len(coordinates)
    points = 1j * STEP * np.eye(n + inputs)
    if craft.user_potentials or craft.user_forces:  # user functions accept one point at a time
        jacobian = np.zeros((size, n + inputs))
        for column, point in enumerate(points):
            jacobian[:, column] = np.imag(equations(t, point[:n], point[n:])) / STEP
    else:
        whole = as_columns(points)
        jacobian = np.imag(np.asarray(equations(t, whole[:n], whole[n:]))) / STEP
    return Matrices(
        residual=equations(t, np.zeros(n), np.zeros(inputs))[:n],
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
            f"(distance {verdict.distance:.2g} rad; {verdict.theorem}: {verdict.behaviour}), so no law can be "
            "designed in this basis; use a different sequence, or the body basis"
        )
