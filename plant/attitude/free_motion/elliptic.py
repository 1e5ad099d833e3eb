"""Exact torque-free motion of any rigid body: momentum and attitude at any time, without integration.

The momentum is Jacobi's solution. Let z be the principal axis that the momentum circles (the major axis if
H^2 > 2 T J_middle, otherwise the minor axis), y the other extreme axis and x the middle axis:

    h_x = a_x sn(u | m),   h_y = a_y cn(u | m),   h_z = a_z dn(u | m),   u = p t + u0.

The attitude is determined by the direction of h in the body, except for one angle about the constant inertial momentum.
The rate of this angle is the precession, MIT 16.07 lecture L29 (18), phidot = H (sin^2 psi / J_x + cos^2 psi / J_y).
Its integral is an elliptic integral of the third kind, evaluated by Carlson's R_J. There is no step size, truncation
error or drift: the error is the rounding error times the angle of rotation.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...checks import unit_quaternion, vector
from ...errors import InputError
from ...frozen import frozen_arrays
from ...in_range import in_range
from .. import conjugate, from_euler_angles, from_rotation_matrix, quaternion_product
from ._times import times
from .jacobi import half_period, third_kind
from .principal import PrincipalAxes, principal_axes
from .regime import Regime, regime_of

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class FreeMotion:
    """Torque-free motion of a rigid body from given initial conditions.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        Inertia about the mass centre, body axes, kg m^2: principal moments or the full tensor.
    rate : array_like, shape (3,), optional
        Body rate at t = 0, rad/s; alternative to the momentum.
    momentum : array_like, shape (3,), optional
        Angular momentum at t = 0, body components, N m s.
    attitude : array_like, shape (4,)
        Euler parameters at t = 0, scalar first.

    Raises
    ------
    InputError
        When the inertia is not physical, a shape is wrong, or not exactly one of rate and momentum is given.

    Notes
    -----
    Shivarama & Fahrenthold (2004), Table 3, describes this motion for the body of Table 2. The minimum of h1 is printed
    as 162.6296 instead of 162.6297, and the second "period of h2" is the period of h3.

    `regime` is "major" or "minor" (the axis circled), "separatrix" (m = 1: the motion approaches the middle axis
    asymptotically in both directions of time), or "steady" (a spin about a principal axis, or rest). A momentum within
    rounding of the separatrix counts as being on it. The same formulas describe a symmetric body as the limit m = 0.

    Examples
    --------
    >>> motion = FreeMotion((400, 307.808385, 200), momentum=(346.4101616, 0, -200))
    >>> motion.regime, round(motion.period, 4)
    ('major', 9.3393)
    >>> motion.momentum(5.0).round(4)
    array([164.1835, 364.4539,  14.735 ])
    """

    initial_momentum: Array
    initial_attitude: Array
    principal: PrincipalAxes
    path: Regime

    @in_range("the free motion")
    def __init__(
        self,
        inertia: ArrayLike,
        *,
        rate: ArrayLike | None = None,
        momentum: ArrayLike | None = None,
        attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    ) -> None:
        principal = principal_axes(inertia)
        if (rate is None) == (momentum is None):
            raise InputError("give either the rate (rad/s) or the momentum (N m s)")
        if momentum is not None:
            h = vector("momentum", momentum, unit="N m s")
        else:
            assert rate is not None  # noqa: S101 # exactly one of the two is given
            h = principal.momentum(vector("rate", rate, unit="rad/s"))
        object.__setattr__(self, "initial_momentum", h)
        object.__setattr__(self, "initial_attitude", unit_quaternion("attitude", attitude))
        object.__setattr__(self, "principal", principal)
        object.__setattr__(self, "path", regime_of(principal, h))

    @property
    def regime(self) -> str:
        """Type of motion: "major", "minor", "separatrix" or "steady"."""
        return self.path.name

    @property
    def energy(self) -> float:
        """Kinetic energy, J."""
        return 0.5 * float(self.initial_momentum @ self.principal.rate(self.initial_momentum))

    @property
    def parameter(self) -> float:
        """Parameter m of the elliptic functions, 0 to 1; 0 if steady."""
        return 1.0 - self.path.complement

    @property
    def amplitudes(self) -> Array:
        """Largest magnitude of each momentum component along the principal axes, N m s, shape (3,).

        The axes are in ascending order of moment.
        """
        largest = np.empty(3)
        largest[list(self.path.order)] = np.abs(self.path.amplitudes)
        return largest

    @property
    def smallest(self) -> float:
        """Smallest magnitude of the momentum component along the circled axis, N m s: a_z sqrt(1 - m)."""
        return abs(float(self.path.amplitudes[2])) * float(np.sqrt(self.path.complement))

    @property
    def axis(self) -> Array:
        """Unit vector along the circled axis, towards the side of the momentum, body components, shape (3,)."""
        return self.path.triad[:, 2] * np.copysign(1.0, self.path.amplitudes[2])

    @property
    def period(self) -> float:
        """Period of the momentum component along the circled axis, s: infinite on the separatrix, 0 if steady.

        The other two components have twice this period.
        """
        if self.regime == "steady":
            return 0.0
        return half_period(self.path.complement) / self.path.frequency

    @property
    def mean_precession(self) -> float:
        """Mean rate of rotation of the circled axis about the inertial momentum, rad/s."""
        path = self.path
        if path.complement == 0.0:
            return path.base_rate + path.extra_rate / path.ratio
        whole = half_period(path.complement)
        share = float(third_kind(np.array(whole), path.complement, ratio=path.ratio)) / whole
        return path.base_rate + path.extra_rate * share

    @in_range("the momentum of the free motion")
    def momentum(self, t: ArrayLike) -> Array:
        """Return the angular momentum at given times.

        Parameters
        ----------
        t : array_like, shape (...)
            Times, s, positive or negative.

        Returns
        -------
        numpy.ndarray, shape (..., 3)
            Body components, N m s.
        """
        return self.path.momentum(times(t)) @ self.path.triad.T

    @in_range("the rate of the free motion")
    def rate(self, t: ArrayLike) -> Array:
        """Return the body rate at given times.

        Parameters
        ----------
        t : array_like, shape (...)
            Times, s.

        Returns
        -------
        numpy.ndarray, shape (..., 3)
            Body components, rad/s.
        """
        return self.principal.rate(self.momentum(t))

    @in_range("the attitude of the free motion")
    def attitude(self, t: ArrayLike) -> Array:
        """Return the Euler parameters at given times, continuous in time.

        Parameters
        ----------
        t : array_like, shape (...)
            Times, s.

        Returns
        -------
        numpy.ndarray, shape (..., 4)
            Euler parameters, scalar first, body to inertial.
        """
        inner = conjugate(from_rotation_matrix(self.path.triad))
        first = quaternion_product(from_euler_angles(self.path.angles(np.zeros(())), "3-1-3"), inner)
        outer = quaternion_product(self.initial_attitude, conjugate(first))
        now = quaternion_product(from_euler_angles(self.path.angles(times(t)), "3-1-3"), inner)
        return quaternion_product(outer, now)
