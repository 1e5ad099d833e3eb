"""Conversion between attitudes and Euler angles in the momentum frame, the coordinates of `euler_equations`."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...checks import non_negative, unit_quaternion, vector
from ...errors import InputError
from ...frozen import frozen_arrays
from ...hub.inertia import inertia_matrix
from .. import conjugate, from_euler_angles, quaternion_product
from .._batch import components
from .euler_equations import euler_angle_derivative

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class MomentumFrame:
    """Inertial frame with its Z axis along the angular momentum, and the initial Euler angles in it.

    Attributes
    ----------
    momentum : float
        H, N m s.
    orientation : numpy.ndarray, shape (4,)
        Euler parameters of the frame in inertial space, scalar first.
    angles : numpy.ndarray, shape (3,)
        Initial (phi, theta, psi), rad; phi = 0.
    """

    momentum: float
    orientation: Array
    angles: Array

    def attitude(self, angles: ArrayLike) -> Array:
        """Return the attitude of the body from Euler angles.

        Parameters
        ----------
        angles : array_like, shape (..., 3)
            (phi, theta, psi), rad.

        Returns
        -------
        numpy.ndarray, shape (..., 4)
            Euler parameters, scalar first, body to inertial; continuous in the angles.
        """
        return quaternion_product(self.orientation, from_euler_angles(angles, "3-1-3"))

    def body_momentum(self, angles: ArrayLike) -> Array:
        """Return the angular momentum in body components, MIT 16.07 lecture L29 (14).

        Parameters
        ----------
        angles : array_like, shape (..., 3)
            (phi, theta, psi), rad.

        Returns
        -------
        numpy.ndarray, shape (..., 3)
            H (sin theta sin psi, sin theta cos psi, cos theta), N m s.
        """
        _, theta, psi = np.moveaxis(components("angles", angles, 3, unit="rad"), -1, 0)
        sine = np.sin(theta)
        return self.momentum * np.stack((sine * np.sin(psi), sine * np.cos(psi), np.cos(theta)), axis=-1)


def momentum_frame(momentum: ArrayLike, attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0)) -> MomentumFrame:
    """Return the momentum frame of a body, with the initial Euler angles in this frame.

    Parameters
    ----------
    momentum : array_like, shape (3,)
        Angular momentum, body components, N m s.
    attitude : array_like, shape (4,)
        Euler parameters of the body, scalar first.

    Returns
    -------
    MomentumFrame
        The frame, with phi = 0; psi = 0 if the momentum is along the body's z axis.

    Raises
    ------
    InputError
        When the momentum is zero and thus has no direction.

    Examples
    --------
    >>> momentum_frame((0.0, 3.0, 4.0)).angles.round(6)
    array([0.      , 0.643501, 0.      ])
    """
    h = vector("momentum", momentum, unit="N m s")
    size = float(np.hypot(np.hypot(h[0], h[1]), h[2]))
    if size == 0.0:
        raise InputError("the momentum is zero (N m s), so it defines no frame; give a momentum with a direction")
    across = float(np.hypot(h[0], h[1]))
    psi = float(np.arctan2(h[0], h[1])) if across > 0.0 else 0.0
    angles = np.array([0.0, np.arctan2(across, h[2]), psi])
    e = unit_quaternion("attitude", attitude)
    turn = conjugate(from_euler_angles(angles, "3-1-3"))
    return MomentumFrame(momentum=size, orientation=quaternion_product(e, turn), angles=angles)


def euler_angle_rates(angles: ArrayLike, momentum: float, *, inertia: ArrayLike) -> Array:
    """Return the Euler-angle rates of free motion, MIT 16.07 lecture L29 (18)-(20).

    Parameters
    ----------
    angles : array_like, shape (3,)
        (phi, theta, psi), rad, relative to the momentum frame, sequence 3-1-3.
    momentum : float
        H, N m s.
    inertia : array_like, shape (3,) or (3, 3)
        Inertia in principal axes, kg m^2.

    Returns
    -------
    numpy.ndarray, shape (3,)
        (phidot, thetadot, psidot), rad/s; finite everywhere, including theta = 0.

    Raises
    ------
    InputError
        When a shape is wrong, H is negative, or the inertia is not physical or has products of inertia.

    Notes
    -----
    The compiled form is the kernel `polhode.plant.attitude.free_motion.euler_equations.euler_angle_derivative`.

    Examples
    --------
    >>> euler_angle_rates((0, 0.5, 0), 2.0, inertia=(1, 2, 2))
    array([1., 0., 0.])
    """
    x = vector("angles", angles, unit="rad")
    tensor = inertia_matrix(inertia)
    if np.any(tensor - np.diag(np.diagonal(tensor))):
        raise InputError(
            "the Euler-angle equations of free motion require principal axes, but the inertia has products of inertia; "
            "rotate the body axes with polhode.plant.attitude.free_motion.principal_axes"
        )
    rates = np.empty(3)
    p = np.array([non_negative("momentum", momentum, "N m s"), *np.diagonal(tensor)])
    euler_angle_derivative(0.0, x, p, rates)
    return rates
