"""Several equal wheels that share a torque demanded of them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .axis import unit_axis
from .wheel import Wheel

__all__ = ["wheel_array"]


def wheel_array(
    axes: Sequence[ArrayLike],
    *,
    inertia: float,
    friction: float = 0.0,
    coulomb: float = 0.0,
    torque_limit: float | None = None,
    speed_limit: float | None = None,
    relative_rates: Sequence[float] | None = None,
) -> tuple[Wheel, ...]:
    """Return equal wheels that together give the hub the torque the law demands.

    The demand d is shared by the pseudo-inverse C of the matrix A of their axes, so that A C = 1 and the motor torques
    -C d are the smallest in the sum of their squares. Use them with TorqueBasis(..., internal=True).

    Parameters
    ----------
    axes : sequence of array_like, shape (n, 3)
        The axes, body components; three or more that span space.
    inertia : float
        Axial inertia of each, kg m^2; not in the hub's inertia.
    friction : float
        Viscous friction of each, N m s/rad.
    coulomb : float
        Coulomb friction of each, N m.
    torque_limit : float, optional
        Largest torque of each motor, N m.
    speed_limit : float, optional
        Relative rate (rad/s) beyond which a motor no longer drives its wheel outwards.
    relative_rates : sequence of float, optional
        Relative rate of each at t = 0, rad/s; zero if left out.

    Returns
    -------
    tuple of Wheel
        One for each axis.

    Raises
    ------
    InputError
        When the axes do not span space (the message names the direction that gets no torque), or the number of
        rates is not that of the axes.

    Examples
    --------
    >>> a = 1 / 3**0.5
    >>> wheels = wheel_array([(a, a, a), (-a, a, a), (-a, -a, a), (a, -a, a)], inertia=0.05)
    >>> wheels[0].command.round(3).tolist()
    [0.433, 0.433, 0.433]
    """
    units = np.array([unit_axis(f"axis of wheel {number}", axis) for number, axis in enumerate(axes, 1)]).reshape(-1, 3)
    rates = [0.0] * len(units) if relative_rates is None else list(relative_rates)
    if len(rates) != len(units):
        raise InputError(f"{len(units)} wheels need as many relative rates; got {len(rates)}")
    left, sizes, _ = np.linalg.svd(units.T)
    if len(units) < 3 or sizes[-1] < 1e-6:
        idle = left[:, -1].round(4).tolist()
        raise InputError(f"the axes of the wheels must span space; no wheel of these {len(units)} turns about {idle}")
    commands = np.linalg.pinv(units.T)
    return tuple(
        Wheel(
            axis=axis,
            inertia=inertia,
            friction=friction,
            coulomb=coulomb,
            command=command,
            torque_limit=torque_limit,
            speed_limit=speed_limit,
            relative_rate=rate,
        )
        for axis, command, rate in zip(units, commands, rates, strict=True)
    )
