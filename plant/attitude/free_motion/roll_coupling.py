"""Roll coupling: coning of an aircraft after an impulse about a roll axis that is not a principal axis."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...checks import finite, positive
from ...errors import InputError
from ._times import times
from .axisymmetric import AxisymmetricMotion, axisymmetric_motion


@dataclass(frozen=True, kw_only=True)
class RollCoupling:
    """Response of an aircraft to an impulse about a misaligned roll axis.

    The momentum is along the original roll axis and remains constant in space. The principal axis cones about the
    momentum at the misalignment angle. The nose, at the same angle from the principal axis, rotates about that axis at
    psidot. The nose thus swings out to twice the misalignment and back.

    Attributes
    ----------
    motion : AxisymmetricMotion
        The coning motion; its theta is the misalignment.
    misalignment : float
        Angle from the principal axis to the roll axis, rad.
    """

    motion: AxisymmetricMotion
    misalignment: float

    @property
    def largest_swing(self) -> float:
        """Largest angle between the nose and the original roll axis, rad: twice the misalignment."""
        return 2.0 * self.misalignment

    @property
    def time_of_largest_swing(self) -> float:
        """Time at which the swing first reaches its maximum, s: pi / psidot."""
        return float(np.pi) / abs(self.motion.spin)

    def swing(self, t: ArrayLike) -> NDArray[np.float64]:
        """Return the angle between nose and momentum, 2 asin(sin(misalignment) |sin(psidot t / 2)|).

        Parameters
        ----------
        t : array_like, shape (...)
            Times after the impulse, s.

        Returns
        -------
        numpy.ndarray, shape (...)
            Angle, rad.
        """
        sine = np.abs(np.sin(0.5 * self.motion.spin * times(t)))
        return 2.0 * np.arcsin(np.sin(self.misalignment) * sine)


def roll_coupling(transverse: float, axial: float, *, misalignment: float, impulse: float) -> RollCoupling:
    """Return the free motion of an aircraft at rest after a roll impulse, without aerodynamics.

    Parameters
    ----------
    transverse : float
        I0, pitch and yaw inertia, assumed equal, kg m^2.
    axial : float
        I, about the principal axis near the roll axis, kg m^2; different from I0.
    misalignment : float
        Angle between roll axis and principal axis, rad, between 0 and pi/2.
    impulse : float
        Angular impulse about the roll axis, N m s.

    Returns
    -------
    RollCoupling
        Coning motion and swing of the nose.

    Raises
    ------
    InputError
        When the inertia is not physical, both moments are equal, the misalignment is out of range, or the impulse is
        not positive.

    Notes
    -----
    MIT 16.07 lecture L29, "Extreme aircraft dynamics", which gives no values; the inertia in the example below is an
    assumed value, realistic for a small fighter.

    Examples
    --------
    >>> roll = roll_coupling(85000.0, 12800.0, misalignment=np.radians(2.0), impulse=51200.0)
    >>> round(roll.motion.precession, 10), round(float(np.degrees(roll.largest_swing)), 10)
    (0.6023529412, 4.0)
    """
    epsilon = finite("misalignment", misalignment, "rad")
    if not 0.0 < epsilon < 0.5 * np.pi:
        raise InputError(f"misalignment must be between 0 and pi/2 (rad); got {epsilon:g}")
    size = positive("impulse", impulse, "N m s")
    i0, i = positive("transverse", transverse, "kg m^2"), positive("axial", axial, "kg m^2")
    if i0 == i:
        raise InputError(
            f"axial and transverse inertia are both {i:g} kg m^2: every axis of a sphere is principal, so there is no "
            "coupling"
        )
    rate = (size * np.sin(epsilon) / i0, 0.0, size * np.cos(epsilon) / i)
    return RollCoupling(motion=axisymmetric_motion(i0, i, rate=rate), misalignment=epsilon)
