"""Several equal wheels that share a torque demanded of them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..checks import choice
from ..errors import InputError
from .axis import spanning_axes
from .wheel import Wheel
from .wheel_sharing import sharing_table

__all__ = ["ALLOCATIONS", "wheel_array"]

ALLOCATIONS = ("pseudo-inverse", "min-max")
"""How wheels can share a torque."""


def wheel_array(
    axes: Sequence[ArrayLike],
    *,
    inertia: float,
    friction: float = 0.0,
    coulomb: float = 0.0,
    allocation: str = "pseudo-inverse",
    torque_limit: float | None = None,
    speed_limit: float | None = None,
    relative_rates: Sequence[float] | None = None,
) -> tuple[Wheel, ...]:
    """Return equal wheels that together give the hub the torque the law demands.

    With A the matrix of their axes and the demand d, the motor torques -u have A u = d. Either u = C d with the
    pseudo-inverse C of A, which is the smallest u in the sum of its squares, or the largest of |u| is made as small
    as it can be, so that the wheels together reach every torque they can (`polhode.plant.elements.wheel_sharing`). They
    drive a craft that states no `torques`, and one with TorqueBasis(..., internal=True). With the envelope of
    `polhode.controllers.WheelAllocation` a demand beyond it keeps its direction, otherwise each motor is cut off at its
    own limit.

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
    allocation : str
        "pseudo-inverse" or "min-max".
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
        rates is not that of the axes, or the allocation is not known.

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
        raise InputError(f"{len(units)} wheels need as many relative rates; got {len(rates)}")
    commands = np.linalg.pinv(units.T)
    table = sharing_table(units, np.ones(len(units))) if allocation == "min-max" else None
    return tuple(
        Wheel(
            axis=axis,
            inertia=inertia,
            friction=friction,
            coulomb=coulomb,
            command=command,
            sharing=() if table is None else np.concatenate(((float(number),), table)),
            torque_limit=torque_limit,
            speed_limit=speed_limit,
            relative_rate=rate,
        )
        for number, (axis, command, rate) in enumerate(zip(units, commands, rates, strict=True))
    )
