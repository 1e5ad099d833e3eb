"""Reference that points a body axis to the centre of attraction, for an elliptic orbit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from math import atan2, cos, hypot, pi, sin, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.attitude import from_rotation_matrix, quaternion_product, rotation_matrix
from ...plant.errors import InputError
from ...plant.loads.potentials.orbit_start import orbit_start
from ...plant.quantity import NUMBER, VECTOR, check_fields, declared, one_of, quantity
from ..contracts.kernel_reference import KernelReference
from .nadir_kernel import nadir_kernel
from .pointing_attitude import pointing_attitude

Array = NDArray[np.float64]
_CLOCK = {"orbit-normal": (0.0, 0.0, 1.0), "velocity": (0.0, 1.0, 0.0)}
"""Direction of each clock target in the orbit frame (radial, transverse, normal)."""


@declared
class NadirPointing(KernelReference):
    """Reference that points one body axis at the centre of attraction and aligns another with the orbit.

    The orbit is an unperturbed ellipse. The orbit frame (radial, transverse, normal) rotates only about the normal, by
    the true anomaly f: f' = h/r^2 and f'' = -2 r' h/r^3. The body is at rest in that frame, so

        e_ref = e0 o (cos(f/2), a sin(f/2)),    omega_ref = a f',    alpha_ref = a f'',

    with the orbit normal a in body components. This is exact at any time, because f follows from Kepler's equation.

    Parameters
    ----------
    position : array_like, shape (3,)
        Position relative to the centre at t = 0, inertial components, m.
    velocity : array_like, shape (3,)
        Velocity at t = 0, inertial components, m/s.
    mu : float
        Gravitational parameter of the centre, m^3/s^2, greater than zero.
    boresight : array_like, shape (3,)
        Body axis that points to the centre, of any nonzero length.
    clock : array_like, shape (3,)
        Second body axis, not parallel to the first.
    clock_target : {"orbit-normal", "velocity"}
        Target to which the second axis points as closely as possible. On an ellipse the velocity is not perpendicular
        to nadir; the second axis is then aligned with the transverse component of the velocity.

    Raises
    ------
    InputError
        When mu is not positive, the orbit is not an ellipse (parabolic, hyperbolic or straight), or boresight and
        clock are parallel.

    Examples
    --------
    >>> orbit = NadirPointing((7e6, 0, 0), (0, 7546.0, 0), mu=3.986e14, boresight=(0, 0, 1), clock=(1, 0, 0),
    ...     clock_target="velocity")
    >>> orbit.at(0.0)[4:7].round(9).tolist()  # the orbital rate, about minus the second body axis
    [0.0, -0.001078, 0.0]
    """

    position: Array = quantity("m", converter=VECTOR, kw_only=False, doc="orbit at t = 0, inertial axes")
    velocity: Array = quantity("m/s", converter=VECTOR, kw_only=False, doc="orbit at t = 0, inertial axes")
    mu: float = quantity("m^3/s^2", converter=NUMBER, positive=True, doc="gravitational parameter of the centre")
    boresight: Array = quantity(converter=VECTOR, doc="body axis to point, any length but zero")
    clock: Array = quantity(converter=VECTOR, doc="second body axis, any length but zero")
    clock_target: str = quantity(
        converter=one_of(*_CLOCK), case=None, default="orbit-normal", doc="target of the second axis"
    )
    eccentricity: float = field(init=False)
    period: float = field(init=False)
    parameters: Array = field(init=False)

    def __post_init__(self) -> None:
        check_fields(self, of="orbit")
        r, v, mu = orbit_start("orbit", self.position, self.velocity, self.mu)
        frame, eccentricity, mean, motion, true = _ellipse(r, v, mu)
        in_frame = pointing_attitude(
            self.boresight, (-1.0, 0.0, 0.0), clock=self.clock, clock_target=_CLOCK[self.clock_target]
        )
        back = (cos(0.5 * true), 0.0, 0.0, -sin(0.5 * true))  # from the current position to periapsis
        attitude = quaternion_product(quaternion_product(frame, back), in_frame)
        normal = rotation_matrix(in_frame)[2]
        numbers = np.concatenate((attitude / np.linalg.norm(attitude), normal, (mean, motion, eccentricity)))
        object.__setattr__(self, "eccentricity", eccentricity)
        object.__setattr__(self, "period", 2.0 * pi / motion)
        object.__setattr__(self, "parameters", numbers)

    def center_direction(self, t: float) -> Array:
        """Return the direction to the centre.

        Parameters
        ----------
        t : float
            Time, s.

        Returns
        -------
        numpy.ndarray, shape (3,)
            Unit vector in inertial components, to which the boresight of the reference points.
        """
        axis = self.boresight / np.linalg.norm(self.boresight)
        return np.asarray(rotation_matrix(self.at(t)[:4]) @ axis, dtype=np.float64)

    @property
    def follows_orbit(self) -> bool:
        """True, because the reference rotates with an orbit."""
        return True

    @property
    def steady(self) -> tuple[Array, Array]:
        """Attitude and rate at t = 0; on a circular orbit the rate is constant in body axes."""
        r = self.at(0.0)
        return r[:4], r[4:7]

    @property
    def kernel(self) -> Callable[..., Any]:
        """The reference kernel `reference(t, q, r)`."""
        return nadir_kernel


def _ellipse(r: Array, v: Array, mu: float) -> tuple[Array, float, float, float, float]:
    """Return orbit frame attitude, eccentricity, mean anomaly, mean motion and true anomaly at t = 0."""
    distance, speed = float(np.linalg.norm(r)), float(np.linalg.norm(v))
    momentum = np.cross(r, v)
    h = float(np.linalg.norm(momentum))
    if h <= 1e-9 * distance * speed or speed == 0.0:
        raise InputError(
            f"orbit velocity {v.tolist()} m/s is parallel to the position: a straight fall has no orbit normal"
        )
    alpha = 2.0 / distance - speed**2 / mu  # 1 / semi-major axis
    radial = float(r @ v)
    across, along = h * radial / (distance * mu), h * h / (distance * mu) - 1.0  # e sin f, e cos f
    eccentricity = hypot(across, along)
    if alpha <= 0.0 or eccentricity >= 1.0:
        escape = sqrt(2.0 * mu / distance)
        raise InputError(
            f"orbit must be an ellipse: {speed:g} m/s at {distance:g} m is not below the escape speed, {escape:g} m/s "
            f"(eccentricity {eccentricity:.6g}); check mu and units, or use a CustomReference"
        )
    true = atan2(across, along)
    anomaly = 2.0 * atan2(sqrt(1.0 - eccentricity) * sin(0.5 * true), sqrt(1.0 + eccentricity) * cos(0.5 * true))
    mean = anomaly - eccentricity * sin(anomaly)
    x, z = r / distance, momentum / h
    frame = from_rotation_matrix(np.column_stack((x, np.cross(z, x), z)))
    return frame, eccentricity, mean, sqrt(mu * alpha) * alpha, true
