"""Array of equal wheels that share a commanded torque."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..checks import choice
from ..errors import InputError
from .axis import spanning_axes
from .imbalanced_wheel import ImbalancedWheel
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
    coulomb_rate: float = 0.1,
    static_friction: float | None = None,
    stribeck_rate: float | None = None,
    allocation: str = "pseudo-inverse",
    assumed_axes: Sequence[ArrayLike] | None = None,
    torque_limit: float | None = None,
    minimum_torque: float | None = None,
    power_limit: float | None = None,
    speed_limit: float | None = None,
    motor_efficiency: float | None = None,
    standby_power: float = 0.0,
    regeneration_efficiency: float | None = None,
    rated_power: float | None = None,
    relative_rates: Sequence[float] | None = None,
    static_imbalance: float | None = None,
    dynamic_imbalance: float | None = None,
    static_phases: Sequence[float] | None = None,
    dynamic_phases: Sequence[float] | None = None,
    positions: Sequence[ArrayLike] | None = None,
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
    coulomb_rate : float
        Relative rate over which it is smoothed, rad/s.
    static_friction, stribeck_rate : float, optional
        Static friction (N m) and Stribeck rate (rad/s) of each wheel; see `Wheel`.
    allocation : str
        "pseudo-inverse" or "min-max".
    assumed_axes : sequence of array_like, shape (n, 3), optional
        Axes that the allocation assumes, such as those before a misalignment. Default: `axes`.
    torque_limit : float, optional
        Largest torque of each motor, N m.
    minimum_torque : float, optional
        Least torque of each motor, N m; a smaller demand gives zero torque.
    power_limit : float, optional
        Largest mechanical power of each motor, W.
    speed_limit : float, optional
        Relative rate (rad/s) at which a motor stops accelerating its wheel.
    motor_efficiency, standby_power, regeneration_efficiency, rated_power : float, optional
        Electrical power of each wheel (1, W, 1, W); see `Wheel`.
    relative_rates : sequence of float, optional
        Relative rate of each wheel at t = 0, rad/s. Default: zero.
    static_imbalance, dynamic_imbalance : float, optional
        Imbalance of each wheel, kg m and kg m^2. With one of them, even zero, the wheels are `ImbalancedWheel`.
    static_phases, dynamic_phases : sequence of float, optional
        Directions of the imbalance of each wheel at angle 0, rad; see `ImbalancedWheel`. Default: zero.
    positions : sequence of array_like, shape (n, 3), optional
        Centre of each wheel with imbalance, from the mass centre of the hub, m. Default: the mass centre.

    Returns
    -------
    tuple of Wheel
        One wheel per axis.

    Raises
    ------
    InputError
        When the axes do not span space (the message states the direction without torque), the number of rates,
        phases or positions differs from the number of axes, phases or positions are given without imbalance, or the
        allocation is unknown.

    Examples
    --------
    >>> a = 1 / 3**0.5
    >>> wheels = wheel_array([(a, a, a), (-a, a, a), (-a, -a, a), (a, -a, a)], inertia=0.05)
    >>> wheels[0].command.round(3).tolist()
    [0.433, 0.433, 0.433]
    """
    choice("allocation", allocation, ALLOCATIONS)
    units = spanning_axes(axes)
    rates = _each("relative rates", relative_rates, len(units), default=0.0)
    assumed = units if assumed_axes is None else spanning_axes(assumed_axes)
    if len(assumed) != len(units):
        raise InputError(f"{len(units)} wheels need {len(units)} assumed axes; got {len(assumed)}")
    imbalance = _imbalance(
        len(units), static_imbalance, dynamic_imbalance, static_phase=static_phases, dynamic_phase=dynamic_phases,
        position=positions,
    )  # fmt: skip
    made: type[Wheel] = ImbalancedWheel if imbalance[0] else Wheel
    commands = np.linalg.pinv(assumed.T)
    table = sharing_table(assumed, np.ones(len(assumed))) if allocation == "min-max" else None
    return tuple(
        made(
            axis=axis,
            inertia=inertia,
            friction=friction,
            coulomb=coulomb,
            coulomb_rate=coulomb_rate,
            static_friction=static_friction,
            stribeck_rate=stribeck_rate,
            command=command,
            assumed_axis=None if assumed is units else other,
            sharing=() if table is None else np.concatenate(((float(number),), table)),
            torque_limit=torque_limit,
            minimum_torque=minimum_torque,
            power_limit=power_limit,
            speed_limit=speed_limit,
            motor_efficiency=motor_efficiency,
            standby_power=standby_power,
            regeneration_efficiency=regeneration_efficiency,
            rated_power=rated_power,
            relative_rate=rate,
            **imbalance[number],
        )
        for number, (axis, other, command, rate) in enumerate(zip(units, assumed, commands, rates, strict=True))
    )


def _each(words: str, values: Sequence[Any] | None, count: int, *, default: Any) -> list[Any]:
    """Return a value for each wheel; raise InputError if their number differs from the number of axes."""
    each = [default] * count if values is None else list(values)
    if len(each) != count:
        raise InputError(f"{count} wheels need {count} {words}; got {len(each)}")
    return each


def _imbalance(
    count: int, static: float | None, dynamic: float | None, **of_wheels: Sequence[Any] | None
) -> list[dict[str, Any]]:
    """Return the arguments of `ImbalancedWheel` for each wheel; empty for balanced wheels.

    Raises InputError if phases or positions are given for balanced wheels, or have a wrong number.
    """
    if static is None and dynamic is None:
        useless = next((name for name, values in of_wheels.items() if values is not None), None)
        if useless is not None:
            raise InputError(
                f"{useless}s of wheels have no effect on balanced wheels; give static_imbalance (kg m) or "
                "dynamic_imbalance (kg m^2), or remove them"
            )
        return [{}] * count
    each = {
        name: _each(f"{name.replace('_', ' ')}s", values, count, default=(0.0, 0.0, 0.0) if name == "position" else 0.0)
        for name, values in of_wheels.items()
    }
    amounts = {"static_imbalance": static or 0.0, "dynamic_imbalance": dynamic or 0.0}
    return [{**amounts, **{name: values[n] for name, values in each.items()}} for n in range(count)]
