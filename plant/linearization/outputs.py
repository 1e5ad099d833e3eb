"""What a linear model can put out, as functions on the tangent space."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..attitude import parse_sequence
from ..checks import choice
from ..dynamics import body_rate, energy, port_torque
from ..errors import InputError, SingularBasisError
from ..rotation import to_inertial
from ..torque.kernels import EULER, components, pose_distance

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = ["OUTPUTS", "Output", "select_outputs"]

OUTPUTS: dict[str, tuple[tuple[str, ...], str]] = {
    "attitude": (("attitude_error_x", "attitude_error_y", "attitude_error_z"), "rad"),
    "rate": (("rate_x", "rate_y", "rate_z"), "rad/s"),
    "momentum": (("momentum_x", "momentum_y", "momentum_z"), "N m s"),
    "inertial_rate": (("inertial_rate_x", "inertial_rate_y", "inertial_rate_z"), "rad/s"),
    "inertial_momentum": (("inertial_momentum_x", "inertial_momentum_y", "inertial_momentum_z"), "N m s"),
    "torque": (("torque_x", "torque_y", "torque_z"), "N m"),
    "energy": (("energy",), "J"),
    "position": (("position_x", "position_y", "position_z"), "m"),
    "velocity": (("velocity_x", "velocity_y", "velocity_z"), "m/s"),
    "linear_momentum": (("linear_momentum_x", "linear_momentum_y", "linear_momentum_z"), "kg m/s"),
}
"""Every output by its word: the names of its signals and their unit. All are deviations from the steady state.
A word such as "euler_angles_3-1-3" gives the deviations of those Euler angles, euler_angle_1_3-1-3 and so on."""

_ANGLES = "euler_angles_"


@dataclass(frozen=True)
class Output:
    """One output of a linear model.

    Parameters
    ----------
    names : tuple of str
        The names of its signals.
    unit : str
        Their unit.
    function : callable
        y(t, delta, x, u, p), with delta the attitude error and x the state, both possibly complex.
    """

    names: tuple[str, ...]
    unit: str
    function: Callable[[float, Any, Any, Any, Any], Sequence[Any]]


def select_outputs(craft: "Spacecraft", words: Sequence[str], attitude: Any) -> list[Output]:
    """Return the outputs asked for.

    Parameters
    ----------
    craft : Spacecraft
        The craft.
    words : sequence of str
        Keys of `OUTPUTS`, or "euler_angles_" and a sequence.
    attitude : numpy.ndarray, shape (4,)
        The reference attitude.

    Returns
    -------
    list of Output
        In the order asked for.

    Raises
    ------
    InputError
        When a word is unknown, given twice, or needs translation.
    SingularBasisError
        When Euler angles are asked for at their singular pose.
    """
    if isinstance(words, str):
        raise InputError(f"outputs must be a sequence of words, such as ({words!r},)")
    if not words:
        raise InputError("a linear model needs at least one output")
    if len(set(words)) != len(words):
        raise InputError(f"an output is asked for twice: {', '.join(words)}")
    return [_one(craft, word, attitude) for word in words]


def _one(craft: "Spacecraft", word: str, attitude: Any) -> Output:
    if word.startswith(_ANGLES):
        return _euler_angles(word.removeprefix(_ANGLES), attitude)
    choice("output", word, OUTPUTS)
    if word in ("position", "velocity", "linear_momentum") and not craft.translation:
        raise InputError(f"output {word!r} needs Spacecraft(..., translation=True)")
    mass = craft.body.mass

    def torque(t: float, delta: Any, x: Any, u: Any, p: Any) -> Sequence[Any]:
        return port_torque(x, u, p, *body_rate(x, p))

    functions: dict[str, Callable[[float, Any, Any, Any, Any], Sequence[Any]]] = {
        "attitude": lambda t, delta, x, u, p: delta,
        "rate": lambda t, delta, x, u, p: body_rate(x, p),
        "momentum": lambda t, delta, x, u, p: x[:3],
        "inertial_rate": lambda t, delta, x, u, p: to_inertial(*x[3:7], *body_rate(x, p)),
        "inertial_momentum": lambda t, delta, x, u, p: to_inertial(*x[3:7], *x[:3]),
        "torque": torque,
        "energy": lambda t, delta, x, u, p: [_energy(craft, t, x, p)],
        "position": lambda t, delta, x, u, p: x[7:10],
        "velocity": lambda t, delta, x, u, p: x[10:13] / mass,
        "linear_momentum": lambda t, delta, x, u, p: x[10:13],
    }
    return Output(*OUTPUTS[word], functions[word])


def _energy(craft: "Spacecraft", t: float, x: Any, p: Any) -> Any:
    c, e = x[7:10] if craft.translation else np.zeros(3), x[3:7]
    value = energy(t, x, p)
    for potential in craft.user_potentials:
        # V may drop an imaginary part; its gradient, which is exact, carries the infinitesimal one here
        value = value + float(potential.function(np.real(c), np.real(e)))
        if np.iscomplexobj(e):
            slope = np.real(potential.slope(np.real(c), np.real(e)))
            value = value + 1j * (slope @ np.imag(np.concatenate([c, e])))
    return value


def _euler_angles(sequence: str, attitude: Any) -> Output:
    axes = parse_sequence(sequence)
    distance = float(pose_distance(*axes, *attitude))
    if distance < 1e-6:
        raise SingularBasisError(
            f"the {sequence} Euler angles are at their singular pose here (distance {distance:.2g} rad), so their "
            "deviations are not defined; take another sequence"
        )

    def angles(t: float, delta: Any, x: Any, u: Any, p: Any) -> Sequence[Any]:
        return components(EULER, *axes, *attitude, *delta)  # d angle_n = g^n . delta

    return Output(tuple(f"euler_angle_{n}_{sequence}" for n in (1, 2, 3)), "rad", angles)
