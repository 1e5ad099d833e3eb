"""The torques by which motors hold the rates of their wheels against friction: a part of a steady motion.

A rotor whose momentum is p has p' = -D(sdot) + u. At a constant rate its motor gives u = D(sdot), and the hub, on which
both act backwards, is left alone. A speed loop or a feed-forward of the friction gives such a torque in flight.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..elements.signal import element_labels
from ..errors import EquilibriumError
from ..hub.driven import driven_coordinates
from ..hub.dynamics import derivative
from ..hub.parameters import W_V
from ..loads.torque import TorquePulse

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = [
    "UnheldRateError",
    "held_coordinates",
    "holding_inputs",
    "holding_pulses",
    "holding_torques",
    "require_held",
]

Array = NDArray[np.float64]
STILL = 1e-12  # rad/s: a slower wheel stands
REACHED = 1e-9  # of the torque that holds a rate: what is missed by less is rounding


class UnheldRateError(EquilibriumError):
    """A wheel turns against friction and no motor holds its rate."""


def held_coordinates(craft: "Spacecraft") -> list[int]:
    """Return the numbers of the coordinates whose rate a motor can hold: those of elements with `holds_rate`."""
    driven = {each.number for each in driven_coordinates(craft).values()}
    holds = [
        element.cyclic and bool(getattr(element, "holds_rate", False))
        for element in craft.elements
        for _ in element.coordinates
    ]
    return [number for number, flag in enumerate(holds) if flag and number in driven]


def holding_torques(craft: "Spacecraft", x: Array) -> dict[str, float]:
    """Return the torque of each motor that holds the rate of its wheel, by the name of the coordinate.

    x (nx,): the state -> N m, along the rate; empty where no wheel turns against friction.
    """
    held = held_coordinates(craft)
    if not held:
        return {}
    slopes, rates = _slopes_and_rates(craft, x, {})
    names = craft.layout.coordinates
    return {names[k]: -float(slopes[k]) for k in held if slopes[k] * rates[k] < 0.0 and abs(rates[k]) > STILL}


def holding_pulses(craft: "Spacecraft", x: Array, *, duration: float) -> list[TorquePulse]:
    """Return the same as torques of a run that begin at t = 0 and last for `duration`, s."""
    return [
        TorquePulse(torque, start=0.0, stop=duration, on=name) for name, torque in holding_torques(craft, x).items()
    ]


def holding_inputs(torques: Mapping[str, float]) -> tuple[list[TorquePulse], list[float]]:
    """Return holding torques as the equations of motion take them: pulses to pack, and what stands in u behind them."""
    pulses = [TorquePulse(0.0, start=0.0, stop=1.0, on=name) for name in torques]
    return pulses, [number for torque in torques.values() for number in (1.0, torque, 0.0, 0.0)]


def require_held(craft: "Spacecraft", x: Array, torques: Mapping[str, float]) -> None:
    """Raise where a wheel turns against friction and no motor holds it.

    x (nx,): the state; torques: those that hold the others. Raises UnheldRateError that names the wheel: it has no
    motor, one with a torque of its own, or one whose limits leave less than it takes.
    """
    free, rates = _slopes_and_rates(craft, x, {})
    slopes, _ = _slopes_and_rates(craft, x, torques)
    labels = [
        label.replace("_", " ")
        for label, element in zip(element_labels(craft.elements), craft.elements, strict=True)
        for _ in element.coordinates
    ]
    bearers = [element for element in craft.elements for _ in element.coordinates]
    for driven in driven_coordinates(craft).values():
        k, bearer = driven.number, bearers[driven.number]
        if not bearer.cyclic or abs(rates[k]) <= STILL or not free[k] * rates[k] < 0.0:
            continue
        turns = f"the state is not steady: {labels[k]} turns at {rates[k]:.6g} rad/s against {abs(free[k]):.4g} N m"
        if driven.name not in torques:
            motor = "has a motor with a constant torque" if getattr(bearer, "has_motor", False) else "has no motor"
            raise UnheldRateError(
                f"{turns} and {motor}, so that nothing holds its rate; give it a motor that does (a command, as in "
                "plant.wheel_array, or a torque_limit, and no motor_torque), or a relative rate of 0"
            )
        if abs(slopes[k]) > REACHED * abs(torques[driven.name]):
            given = max(abs(free[k]) - abs(slopes[k]), 0.0)
            given = given if given > REACHED * abs(free[k]) else 0.0
            raise UnheldRateError(
                f"{turns}, and its motor gives no more than {given:.4g} N m there; raise its torque or speed limit, or "
                "lower the relative rate"
            )


@np.errstate(all="ignore")  # what is not finite is reported in words
def _slopes_and_rates(craft: "Spacecraft", x: Array, torques: Mapping[str, float]) -> tuple[Array, Array]:
    """p' and sdot of all coordinates under such torques of motors and no command, (n,) and (n,)."""
    pulses, acting = holding_inputs(torques)
    p, w, dx = craft.pack(pulses), craft.work_space(), np.zeros(craft.layout.size)
    derivative(0.0, x, _control(craft, acting), p, dx, craft.user_loads(), w)
    first, n = int(p[W_V]) + 3, len(craft.layout.coordinates)
    return dx[craft.layout.internal_momentum], w[first : first + n].copy()


def _control(craft: "Spacecraft", acting: Sequence[float]) -> Array:
    """The inputs of the equations of motion without a command."""
    return np.array([0.0, 0.0, 0.0, *acting])
