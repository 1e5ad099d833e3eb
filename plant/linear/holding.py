"""Motor torques that hold the rates of wheels against friction in a steady motion.

A rotor with momentum p has p' = -D(sdot) + u. At a constant rate its motor provides u = D(sdot). The reactions of
friction and motor on the hub cancel. A real spacecraft provides this torque by a speed loop or friction feed-forward.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..elements.signal import element_labels
from ..errors import EquilibriumError
from ..hub.actuated_coordinates import actuated_coordinates
from ..hub.dynamics import derivative
from ..hub.parameters import W_V
from ..loads.torque import TorquePulse

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

Array = NDArray[np.float64]
STILL = 1e-12  # rad/s: a slower wheel counts as being at rest
REACHED = 1e-9  # torque error relative to the holding torque; smaller errors are rounding


class UnheldRateError(EquilibriumError):
    """A wheel rotates against friction and no motor holds its rate."""


def held_coordinates(craft: "Spacecraft") -> list[int]:
    """Return the indices of the coordinates whose rate a motor can hold (elements with `holds_rate`)."""
    driven = {each.number for each in actuated_coordinates(craft).values() if not each.level}
    holds = [
        element.cyclic and bool(getattr(element, "holds_rate", False))
        for element in craft.elements
        for _ in element.coordinates
    ]
    return [number for number, flag in enumerate(holds) if flag and number in driven]


def holding_torques(craft: "Spacecraft", x: Array) -> dict[str, float]:
    """Return the motor torques that hold the rates of wheels against friction, by coordinate name.

    x (nx,): the state -> torques along the rates, N m; empty if no wheel rotates against friction.
    """
    held = held_coordinates(craft)
    if not held:
        return {}
    slopes, rates = _slopes_and_rates(craft, x, {})
    names = craft.layout.coordinates
    return {names[k]: -float(slopes[k]) for k in held if slopes[k] * rates[k] < 0.0 and abs(rates[k]) > STILL}


def holding_pulses(craft: "Spacecraft", x: Array, *, duration: float) -> list[TorquePulse]:
    """Return the holding torques as torque pulses for a run, from t = 0 to `duration`, s."""
    return [
        TorquePulse(torque, start=0.0, stop=duration, coordinate=name)
        for name, torque in holding_torques(craft, x).items()
    ]


def holding_inputs(torques: Mapping[str, float]) -> tuple[list[TorquePulse], list[float]]:
    """Return holding torques as inputs of the equations of motion: pulses to pack, and their entries of u."""
    pulses = [TorquePulse(0.0, start=0.0, stop=1.0, coordinate=name) for name in torques]
    return pulses, [number for torque in torques.values() for number in (1.0, torque, 0.0, 0.0)]


def require_held(craft: "Spacecraft", x: Array, torques: Mapping[str, float]) -> None:
    """Raise UnheldRateError if a wheel rotates against friction and no motor holds its rate.

    x (nx,): the state; torques: holding torques of the other wheels. The message names the wheel and the reason: it has
    no motor, a motor with a constant torque, or a motor whose limits are too low.
    """
    free, rates = _slopes_and_rates(craft, x, {})
    slopes, _ = _slopes_and_rates(craft, x, torques)
    labels = [
        label.replace("_", " ")
        for label, element in zip(element_labels(craft.elements), craft.elements, strict=True)
        for _ in element.coordinates
    ]
    bearers = [element for element in craft.elements for _ in element.coordinates]
    for driven in actuated_coordinates(craft).values():
        if driven.level:
            continue
        k, bearer = driven.number, bearers[driven.number]
        if not bearer.cyclic or abs(rates[k]) <= STILL or not free[k] * rates[k] < 0.0:
            continue
        turns = f"the state is not steady: {labels[k]} rotates at {rates[k]:.6g} rad/s against {abs(free[k]):.4g} N m"
        if driven.name not in torques:
            motor = "has a motor with a constant torque" if getattr(bearer, "has_motor", False) else "has no motor"
            raise UnheldRateError(
                f"{turns} and {motor}, so that nothing holds its rate; give it a motor with a command "
                "(plant.wheel_array) or a torque_limit and no motor_torque, or a relative rate of 0"
            )
        if abs(slopes[k]) > REACHED * abs(torques[driven.name]):
            available = max(abs(free[k]) - abs(slopes[k]), 0.0)
            available = available if available > REACHED * abs(free[k]) else 0.0
            raise UnheldRateError(
                f"{turns}, and its motor provides at most {available:.4g} N m there; raise its torque or speed limit, "
                "or lower the relative rate"
            )


@np.errstate(all="ignore")  # results that are not finite raise a clear error later
def _slopes_and_rates(craft: "Spacecraft", x: Array, torques: Mapping[str, float]) -> tuple[Array, Array]:
    """Return p' and sdot of all coordinates under given motor torques and no command, (n,) and (n,)."""
    pulses, acting = holding_inputs(torques)
    p, w, dx = craft.pack(pulses), craft.work_space(), np.zeros(craft.layout.size)
    derivative(0.0, x, _control(craft, acting), p, dx, craft.user_loads(), w)
    first, n = int(p[W_V]) + 3, len(craft.layout.coordinates)
    return dx[craft.layout.internal_momentum], w[first : first + n].copy()


def _control(craft: "Spacecraft", acting: Sequence[float]) -> Array:
    """Return the inputs of the equations of motion with zero command."""
    return np.array([0.0, 0.0, 0.0, *acting])
