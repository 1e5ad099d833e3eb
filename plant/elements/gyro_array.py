"""Arrays of equal control moment gyros, such as the pyramid of four."""

from __future__ import annotations

import math
from collections.abc import Sequence

from numpy.typing import ArrayLike

from ..checks import finite
from ..errors import InputError
from .control_moment_gyro import ControlMomentGyro

Vector = tuple[float, float, float]


def pyramid_axes(skew: float) -> tuple[tuple[Vector, ...], tuple[Vector, ...]]:
    """Return gimbal axes and spin axes of a pyramid of four gyros about body z.

    With b the skew angle, the gimbal axes are normal to the faces of a pyramid with face inclination b. The
    momentum of four gyros of unit momentum is, with s and c the sines and cosines of their gimbal angles,

        H = (-cos b s1 - c2 + cos b s3 + c4,  c1 - cos b s2 - c3 + cos b s4,  sin b (s1 + s2 + s3 + s4))

    as in Wie, Bailey & Heiberg, J. Guidance 24 (5), 2001.

    Parameters
    ----------
    skew : float
        Skew angle b, rad.

    Returns
    -------
    tuple
        Four gimbal axes and four spin axes at gimbal angle 0, body components.

    Raises
    ------
    InputError
        When the skew angle is not between 0 and 90 degrees.
    """
    if not 0.0 < finite("skew angle of a pyramid of gyros", skew, "rad") < 0.5 * math.pi:
        raise InputError(
            f"skew angle of a pyramid of gyros must be between 0 and {0.5 * math.pi:.6g} rad (90 degrees); got "
            f"{skew:.6g} rad"
        )
    s, c = math.sin(skew), math.cos(skew)
    gimbals = ((s, 0.0, c), (0.0, s, c), (-s, 0.0, c), (0.0, -s, c))
    spins = ((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0))
    return gimbals, spins


def gyro_array(
    axes: Sequence[ArrayLike],
    spin_axes: Sequence[ArrayLike],
    *,
    momentum: float,
    rotor_inertia: float,
    gimbal_inertia: float,
    time_constant: float,
    rate_limit: float | None = None,
    torque_limit: float | None = None,
    angles: Sequence[float] | None = None,
) -> tuple[ControlMomentGyro, ...]:
    """Return equal control moment gyros with rate loops.

    Parameters
    ----------
    axes, spin_axes : sequence of array_like, shape (n, 3)
        Gimbal axis of each gyro, and axis of its rotor at gimbal angle 0; see `pyramid_axes`.
    momentum : float
        Axial momentum of each rotor relative to the hub at t = 0, N m s.
    rotor_inertia : float
        Axial inertia of each rotor, kg m^2; the inertia of the hub excludes it.
    gimbal_inertia : float
        Inertia of each gimbal with its rotor about the gimbal axis, kg m^2; the inertia of the hub excludes it.
    time_constant : float
        Time constant of the rate loops, s.
    rate_limit : float, optional
        Largest commanded gimbal rate, rad/s.
    torque_limit : float, optional
        Largest torque of each gimbal motor, N m.
    angles : sequence of float, optional
        Gimbal angle of each gyro at t = 0, rad. Default: zero.

    Returns
    -------
    tuple of ControlMomentGyro
        One gyro per axis.

    Raises
    ------
    InputError
        When the numbers of axes, spin axes and angles differ, or a gyro rejects a value.

    Examples
    --------
    >>> gyros = gyro_array(
    ...     *pyramid_axes(0.9553), momentum=10.0, rotor_inertia=0.02, gimbal_inertia=0.03, time_constant=0.02
    ... )
    >>> len(gyros), gyros[0].spin_axis.tolist()
    (4, [0.0, 1.0, 0.0])
    """
    count = len(axes)
    if not count:
        raise InputError("an array of control moment gyros needs at least one gimbal axis")
    start = [0.0] * count if angles is None else list(angles)
    for what, values in (("spin axes", spin_axes), ("angles", start)):
        if len(values) != count:
            raise InputError(f"{count} gimbal axes need {count} {what}; got {len(values)}")
    return tuple(
        ControlMomentGyro(
            axis=axis,
            spin_axis=spin,
            momentum=momentum,
            rotor_inertia=rotor_inertia,
            gimbal_inertia=gimbal_inertia,
            time_constant=time_constant,
            rate_limit=rate_limit,
            torque_limit=torque_limit,
            angle=angle,
        )
        for axis, spin, angle in zip(axes, spin_axes, start, strict=True)
    )
