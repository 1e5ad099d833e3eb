"""Outputs of a linear model, as functions on the tangent space."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..attitude import parse_sequence
from ..checks import choice, of_kind
from ..errors import InputError, SingularBasisError
from ..hub.dynamics import energy, port_torque
from ..hub.mass_now import total_mass
from ..hub.parameters import W_V
from ..hub.place import whole_centre
from ..kernels.rotation import to_inertial
from ..loads.torque.torque_kernels import EULER, components, pose_distance

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

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
    "internal": ((), ""),
    "linear_momentum": (("linear_momentum_x", "linear_momentum_y", "linear_momentum_z"), "kg m/s"),
}
"""Names and unit of the signals of each output. All are deviations from the steady state. "internal" holds the
coordinates and rates of the elements. A name such as "euler_angles_3-1-3" selects the deviations of the Euler angles of
this sequence, named euler_angle_1_3-1-3 and so on."""

_ANGLES = "euler_angles_"


@dataclass(frozen=True)
class Output:
    """Output of a linear model.

    names: names of the signals.
    unit: unit of the signals.
    function: y(t, delta, x, u, p, w), with the attitude error delta, the state x, and the workspace w that holds the
        velocities at x. All may be complex.
    """

    names: tuple[str, ...]
    unit: str
    function: Callable[[float, Any, Any, Any, Any, Any], Sequence[Any]]


def select_outputs(craft: "Spacecraft", words: Sequence[str], attitude: Any) -> list[Output]:
    """Return the selected outputs.

    words: keys of `OUTPUTS`, or "euler_angles_" and a sequence; attitude (4,): reference attitude -> outputs in the
    order of the words. Raises InputError if a word is unknown or repeated, or requires a position that the spacecraft
    does not have; SingularBasisError if the Euler angles are singular at the reference attitude.
    """
    if isinstance(words, str):
        raise InputError(f"outputs must be a sequence of words, such as ({words!r},)")
    of_kind("outputs", words, Sequence, such_as="a sequence of words")
    for word in words:
        of_kind("an output", word, str, such_as=f"one of {', '.join(OUTPUTS)}")
    if not words:
        raise InputError("a linear model needs at least one output")
    if len(set(words)) != len(words):
        raise InputError(f"an output is given twice: {', '.join(words)}")
    return [_one(craft, word, attitude) for word in words]


def _one(craft: "Spacecraft", word: str, attitude: Any) -> Output:
    if word.startswith(_ANGLES):
        return _euler_angles(word.removeprefix(_ANGLES), attitude)
    choice("output", word, OUTPUTS)
    if word in ("position", "velocity", "linear_momentum") and not craft.translation:
        raise InputError(f"output {word!r} needs Spacecraft(..., translation=True)")
    position, linear = craft.layout.position, craft.layout.linear_momentum

    def rate(p: Any, w: Any) -> Any:
        at = int(p[W_V])
        return w[at : at + 3].copy()

    def torque(t: float, delta: Any, x: Any, u: Any, p: Any, w: Any) -> Sequence[Any]:
        return port_torque(t, x, u, p, *rate(p, w))

    if word == "internal" and not craft.elements:
        raise InputError("output 'internal' needs Spacecraft(..., elements=...)")
    if word == "internal":
        return _internal(craft)
    functions: dict[str, Callable[[float, Any, Any, Any, Any, Any], Sequence[Any]]] = {
        "attitude": lambda t, delta, x, u, p, w: delta,
        "rate": lambda t, delta, x, u, p, w: rate(p, w),
        "momentum": lambda t, delta, x, u, p, w: x[:3],
        "inertial_rate": lambda t, delta, x, u, p, w: to_inertial(*x[3:7], *rate(p, w)),
        "inertial_momentum": lambda t, delta, x, u, p, w: to_inertial(*x[3:7], *x[:3]),
        "torque": torque,
        "energy": lambda t, delta, x, u, p, w: [_energy(craft, t, x, u, p, w)],
        "position": lambda t, delta, x, u, p, w: x[position],
        "velocity": lambda t, delta, x, u, p, w: x[linear] / total_mass(p, w),
        "linear_momentum": lambda t, delta, x, u, p, w: x[linear],
    }
    return Output(*OUTPUTS[word], functions[word])


def _internal(craft: "Spacecraft") -> Output:
    """Return the output of the coordinates and rates of the elements."""
    layout = craft.layout
    n = len(layout.coordinates)

    def internal(t: float, delta: Any, x: Any, u: Any, p: Any, w: Any) -> Sequence[Any]:
        at = int(p[W_V]) + 3
        return [*x[layout.internal], *w[at : at + n]]

    return Output((*layout.coordinates, *layout.rates), "rad, m, rad/s, m/s", internal)


def _energy(craft: "Spacecraft", t: float, x: Any, u: Any, p: Any, w: Any) -> Any:
    w = w.copy()
    value = energy(t, x, u, p, w)
    c, e = np.array(whole_centre(x, p, w)), x[3:7]
    for potential in craft.user_potentials:
        # V may drop an imaginary part, so the exact gradient propagates it here
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
            "deviations are undefined; use another sequence"
        )

    def angles(t: float, delta: Any, x: Any, u: Any, p: Any, w: Any) -> Sequence[Any]:
        return components(EULER, *axes, *attitude, *delta)  # d angle_n = g^n . delta

    return Output(tuple(f"euler_angle_{n}_{sequence}" for n in (1, 2, 3)), "rad", angles)
