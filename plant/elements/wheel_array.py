"""Array of equal wheels that share a commanded torque."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..checks import choice
from ..errors import InputError
from .axis import spanning_axes
from .wheel import Wheel
from .wheel_sharing import sharing_table

ALLOCATIONS = ("pseudo-inverse", "min-max")
"""Methods of torque allocation."""


def wheel_array(
    axes: Sequence[ArrayLike],
    *,
    inertia: float,
    friction: float = 0.0,
    coulomb: float = 0.0,
    static_friction: float | None = None,
    stribeck_rate: float | None = None,
    allocation: str = "pseudo-inverse",
    assumed_axes: Sequence[ArrayLike] | None = None,
    torque_limit: float | None = None,
    power_limit: float | None = None,
    speed_limit: float | None = None,
    motor_efficiency: float | None = None,
    standby_power: float = 0.0,
    regeneration_efficiency: float | None = None,
    rated_power: float | None = None,
    relative_rates: Sequence[float] | None = None,
) -> tuple[Wheel, ...]:
    """Return equal wheels that together exert the commanded torque on the hub.

    With A the matrix of their axes and d the demand, the motor torques -u satisfy A u = d. "pseudo-inverse": u = C d
    with the pseudo-inverse C of A, which minimises the sum of squares of u. "min-max": u minimises the largest |u_k|,
    so that the wheels reach every feasible torque (`polhode.plant.elements.wheel_sharing`). The array drives the
    spacecraft when `torques` is not given, or is a TorqueBasis(..., internal=True). If that basis has the envelope of
    `polhode.controllers.WheelAllocation`, a demand outside the envelope keeps its direction; otherwise each motor
    saturates at its own limit.

    Parameters
    ----------
    axes : sequence of array_like, shape (n, 3)
        Axes, body components; three or more that span space.
    inertia : float
        Axial inertia of each wheel, kg m^2; the inertia of the hub excludes it.
    friction : float
        Viscous friction of each wheel, N m s/rad.
    coulomb : float
        Coulomb friction of each wheel, N m.
    static_friction, stribeck_rate : float, optional
        Static friction (N m) and Stribeck rate (rad/s) of each wheel; see `Wheel`.
    allocation : str
        "pseudo-inverse" or "min-max".
    assumed_axes : sequence of array_like, shape (n, 3), optional
        Axes that the allocation assumes, such as those before a misalignment. Default: `axes`.
    torque_limit : float, optional
        Largest torque of each motor, N m.
    power_limit : float, optional
        Largest mechanical power of each motor, W.
    speed_limit : float, optional
        Relative rate (rad/s) at which a motor stops accelerating its wheel.
    motor_efficiency, standby_power, regeneration_efficiency, rated_power : float, optional
        Electrical power of each wheel (1, W, 1, W); see `Wheel`.
    relative_rates : sequence of float, optional
        Relative rate of each wheel at t = 0, rad/s. Default: zero.

    Returns
    -------
    tuple of Wheel
        One wheel per axis.

    Raises
    ------
    InputError
        When the axes do not span space (the message states the direction without torque), the number of rates
        differs from the number of axes, or the allocation is unknown.

    Examples
    --------
    >>> a = 1 / 3**0.5
    >>> wheels = wheel_array([(a, a, a), (-a, a, a), (-a, -a, a), (a, -a, a)], inertia=0.05)
    >>> wheels[0].command.round(3).tolist()
    [0.433, 0.433, 0.433]
    """
    choice("allocation", allocation, ALLOCATIONS)
    units = spanning_axes(axes)
    rates = [0.0] * len(units) if relative_rates is None else list(relative_rates)
    if len(rates) != len(units):
        raise InputError(f"{len(units)} wheels need {len(units)} relative rates; got {len(rates)}")
    assumed = units if assumed_axes is None else spanning_axes(assumed_axes)
    if len(assumed) != len(units):
        raise InputError(f"{len(units)} wheels need {len(units)} assumed axes; got {len(assumed)}")
    commands = np.linalg.pinv(assumed.T)
    table = sharing_table(assumed, np.ones(len(assumed))) if allocation == "min-max" else None
    return tuple(
        Wheel(
            axis=axis,
            inertia=inertia,
            friction=friction,
            coulomb=coulomb,
            static_friction=static_friction,
            stribeck_rate=stribeck_rate,
            command=command,
            assumed_axis=None if assumed is units else other,
            sharing=() if table is None else np.concatenate(((float(number),), table)),
            torque_limit=torque_limit,
            power_limit=power_limit,
            speed_limit=speed_limit,
            motor_efficiency=motor_efficiency,
            standby_power=standby_power,
            regeneration_efficiency=regeneration_efficiency,
            rated_power=rated_power,
            relative_rate=rate,
        )
        for number, (axis, other, command, rate) in enumerate(zip(units, assumed, commands, rates, strict=True))
    )
