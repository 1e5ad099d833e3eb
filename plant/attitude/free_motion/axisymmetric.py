"""Closed-form free motion of an axisymmetric body: steady precession, body cone and space cone."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...checks import finite, positive, vector
from ...errors import InputError
from ...hub.inertia import inertia_matrix
from ._times import times

Array = NDArray[np.float64]

ROUNDING = 1e-15  # rad, or relative to the body rate: smaller angles and rates count as zero


@dataclass(frozen=True, kw_only=True)
class AxisymmetricMotion:
    """Steady precession of a free axisymmetric body, MIT 16.07 lecture L29 (21)-(29).

    Angles as in `euler_equations`: phi about the momentum H, theta from H to the symmetry axis z, psi about z.

    Attributes
    ----------
    transverse, axial : float
        I0 and I, kg m^2.
    speed : float
        Magnitude of the body rate omega, rad/s.
    beta : float
        Angle from z to omega, rad, 0 to pi.
    phase : float
        Angle from the body's x axis to the transverse component of omega at t = 0, rad.

    Notes
    -----
    The lecture's "I0 w_y j + I w_z k = H" is I0 w_x i + I w_z k, and its "omega makes beta with the Z axis" refers to
    the z axis. "If I0 > I, phidot and psidot are of the same sign" is true only for cos theta > 0: psidot has the sign
    of (I0 - I) cos theta, and the direction of z along the symmetry axis is arbitrary. The precession is therefore
    classified by the inertia instead of that sign: direct for I < I0 (the body cone rolls on the outside of the space
    cone), retrograde for I > I0 (the space cone is inside the body cone).
    """

    transverse: float
    axial: float
    speed: float
    beta: float
    phase: float = 0.0

    @property
    def momentum(self) -> float:
        """Magnitude H of the angular momentum, N m s: (27)."""
        return self.speed * float(np.hypot(self.transverse * np.sin(self.beta), self.axial * np.cos(self.beta)))

    @property
    def theta(self) -> float:
        """Nutation angle, from H to the symmetry axis, rad: (24), constant by (22)."""
        return float(np.arctan2(self.transverse * np.sin(self.beta), self.axial * np.cos(self.beta)))

    @property
    def precession(self) -> float:
        """Precession rate phidot = H / I0, rad/s: (21), (28)."""
        return self.momentum / self.transverse

    @property
    def spin(self) -> float:
        """Spin rate psidot = (1 - I/I0) omega cos beta, rad/s: (23), (29)."""
        return (1.0 - self.axial / self.transverse) * self.speed * float(np.cos(self.beta))

    @property
    def body_cone(self) -> float:
        """Half angle of the body cone of omega, about the symmetry axis, rad: 0 to pi/2."""
        return min(self.beta, float(np.pi) - self.beta)

    @property
    def space_cone(self) -> float:
        """Half angle of the space cone of omega, about H, rad: |theta - beta|."""
        return abs(self.theta - self.beta)

    @property
    def kind(self) -> str:
        """Type of precession: "direct", "retrograde" or "none" (sphere, or spin along or normal to the axis)."""
        if self.body_cone < ROUNDING or abs(self.spin) < ROUNDING * self.speed:
            return "none"
        return "direct" if self.axial < self.transverse else "retrograde"

    def rate(self, t: ArrayLike) -> Array:
        """Return the body rate, (12), (13): its transverse component rotates in the body at Omega = -psidot.

        Parameters
        ----------
        t : array_like, shape (...)
            Times, s.

        Returns
        -------
        numpy.ndarray, shape (..., 3)
            Body components, rad/s.
        """
        angle = self.phase - self.spin * times(t)
        across, along = self.speed * np.sin(self.beta), self.speed * np.cos(self.beta)
        return np.stack((across * np.cos(angle), across * np.sin(angle), np.full_like(angle, along)), axis=-1)

    def angles(self, t: ArrayLike) -> Array:
        """Return the Euler angles relative to the momentum frame, (21)-(23).

        Parameters
        ----------
        t : array_like, shape (...)
            Times, s.

        Returns
        -------
        numpy.ndarray, shape (..., 3)
            (phi, theta, psi), rad, sequence 3-1-3; phi = 0 at t = 0.
        """
        t = times(t)
        psi = 0.5 * np.pi - self.phase + self.spin * t
        return np.stack((self.precession * t, np.full_like(t, self.theta), psi), axis=-1)


def axisymmetric_motion(
    transverse: float,
    axial: float,
    *,
    speed: float | None = None,
    angle: float | None = None,
    rate: ArrayLike | None = None,
) -> AxisymmetricMotion:
    """Return the free motion of an axisymmetric body.

    Parameters
    ----------
    transverse : float
        I0, moment of inertia about any axis normal to the symmetry axis, kg m^2.
    axial : float
        I, moment of inertia about the symmetry axis, kg m^2; at most 2 I0.
    speed : float, optional
        Magnitude of the body rate, rad/s; requires `angle`.
    angle : float, optional
        beta, from the symmetry axis to the body rate, rad, 0 to pi; requires `speed`.
    rate : array_like, shape (3,), optional
        Body rate at t = 0, rad/s, with z along the symmetry axis; alternative to speed and angle.

    Returns
    -------
    AxisymmetricMotion
        Momentum, angles, cones, rates.

    Raises
    ------
    InputError
        When the inertia is not physical, the body is at rest, the angle is greater than pi, or the arguments are
        neither the rate alone nor both speed and angle.

    Examples
    --------
    >>> motion = axisymmetric_motion(2.0, 0.5, speed=3.0, angle=np.radians(10.0))
    >>> motion.kind, round(motion.precession, 6), round(motion.spin, 6)
    ('direct', 0.903837, 2.215817)
    """
    i0, i = positive("transverse", transverse, "kg m^2"), positive("axial", axial, "kg m^2")
    inertia_matrix((i0, i0, i))
    if rate is None and speed is not None and angle is not None:
        beta = finite("angle", angle, "rad")
        if not 0.0 <= beta <= np.pi:
            raise InputError(f"angle must be from 0 to pi (rad); got {beta:g}")
        return AxisymmetricMotion(transverse=i0, axial=i, speed=positive("speed", speed, "rad/s"), beta=beta)
    if rate is None or speed is not None or angle is not None:
        raise InputError("give either speed (rad/s) and angle (rad), or the rate (rad/s)")
    w = vector("rate", rate, unit="rad/s")
    across = float(np.hypot(w[0], w[1]))
    return AxisymmetricMotion(
        transverse=i0,
        axial=i,
        speed=positive("rate magnitude", float(np.hypot(across, w[2])), "rad/s"),
        beta=float(np.arctan2(across, w[2])),
        phase=float(np.arctan2(w[1], w[0])),
    )
