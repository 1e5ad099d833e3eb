"""Magnetorquers along the body axes, with the continuous laws that command them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..checks import each_positive, non_negative, unit_quaternion, vector
from ..errors import InputError
from ..frozen import frozen_arrays


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Magnetorquers:
    """Three magnetorquers along the body axes, with dipole limits and faults.

    Parameters
    ----------
    limit : array_like, shape (3,)
        Largest dipole of each torquer, A m^2.
    fault_factors : array_like, shape (3,)
        Factor that multiplies the dipole of each torquer after its fault: -1 for reversed polarity, 0 for a dead
        torquer, 1 without a fault.
    fault_times : array_like, shape (3,)
        Time of the fault of each torquer, s.

    Raises
    ------
    InputError
        When a limit is not positive, or a factor or time is not finite.
    """

    limit: ArrayLike
    fault_factors: ArrayLike = (1.0, 1.0, 1.0)
    fault_times: ArrayLike = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "limit", each_positive("dipole limit", self.limit, unit="A m^2"))
        object.__setattr__(self, "fault_factors", vector("factors of faulty torquers", self.fault_factors))
        object.__setattr__(self, "fault_times", vector("times of faults of torquers", self.fault_times, unit="s"))

    @property
    def faults(self) -> dict[str, tuple[float, float]]:
        """Factor and time (s) of each faulty torquer, by its body axis."""
        rows = zip("xyz", np.asarray(self.fault_factors).tolist(), np.asarray(self.fault_times).tolist(), strict=True)
        return {axis: (factor, time) for axis, factor, time in rows if factor != 1.0}


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class MagneticDamping(Magnetorquers):
    """Continuous B-dot damping with three magnetorquers: m = -k dB/dt in body axes, limited on each axis.

    Parameters
    ----------
    gain : float
        k, A m^2 s/T.
    limit : array_like, shape (3,)
        Largest dipole of each torquer, A m^2.
    fault_factors, fault_times : array_like, shape (3,)
        As for `Magnetorquers`.

    Raises
    ------
    InputError
        When the gain is negative, a limit is not positive, or a factor or time is not finite.
    """

    gain: float

    def __post_init__(self) -> None:
        super().__post_init__()
        non_negative("gain of the magnetic damping", self.gain, "A m^2 s/T")


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class MagneticUnloading(Magnetorquers):
    """Continuous unloading by three magnetorquers, cross-product law: m = k (h - h_d) x B/|B|^2.

    If there is a deadband d, only the excess over d counts: h - h_d is reduced to the length |h - h_d| - d, and the
    torquers are off inside the deadband. The dipole is limited on each axis. h is the angular momentum of the whole
    spacecraft, wheels included, in body axes. If there are no limits and no deadband, the torque is the component of -k
    (h - h_d) normal to the field. If a law holds the attitude, the momentum of the wheels changes accordingly. On a
    polar orbit in a dipole field, the momentum in the orbital plane decays at k/2 on average, and the momentum along
    the orbit normal at k.

    Parameters
    ----------
    gain : float
        k, 1/s.
    limit : array_like, shape (3,)
        Largest dipole of each torquer, A m^2; for torquers that are off while a magnetometer samples, the largest
        dipole averaged over time.
    target : array_like, shape (3,)
        h_d, body axes, N m s: the momentum to keep, such as a momentum bias.
    deadband : float
        d, N m s: magnitude of h - h_d up to which the torquers are off.
    fault_factors, fault_times : array_like, shape (3,)
        As for `Magnetorquers`.

    Raises
    ------
    InputError
        When the gain or the deadband is negative, a limit is not positive, or any other value is not finite.
    """

    gain: float
    target: ArrayLike = (0.0, 0.0, 0.0)
    deadband: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        non_negative("gain of the magnetic unloading", self.gain, "1/s")
        object.__setattr__(self, "target", vector("momentum to keep", self.target, unit="N m s"))
        non_negative("deadband of the magnetic unloading", self.deadband, "N m s")


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class MagneticPointing(Magnetorquers):
    """Continuous nadir pointing by three magnetorquers: the projection of a proportional-derivative law.

    The desired torque tau_d = -(kp theta + kd omega_rel) acts towards an attitude that is fixed in the orbit frame
    (x forward, y along minus the orbit normal, z to nadir). theta = 2 q0 q / |q0| is the error, from the error
    quaternion (q0, q), and omega_rel is the rate relative to the orbit frame. Within 1e-4 rad of the opposite attitude,
    where theta changes its sign, it passes through zero. The dipole m = B x tau_d/|B|^2, limited on each axis, exerts
    the part of this torque normal to the field: (I - b b') tau_d with b = B/|B|. The law is stable only on average over
    the orbit, and not for every spacecraft: `polhode.sim.floquet` computes the stability. The rate of the orbit frame
    is |r x v|/r^2 about the orbit normal, without the precession of the orbital plane.

    Parameters
    ----------
    stiffness : float
        kp, N m/rad.
    damping : float
        kd, N m s/rad.
    limit : array_like, shape (3,)
        Largest dipole of each torquer, A m^2.
    attitude : array_like, shape (4,)
        Attitude to hold relative to the orbit frame, Euler parameters, scalar first.
    fault_factors, fault_times : array_like, shape (3,)
        As for `Magnetorquers`.

    Raises
    ------
    InputError
        When stiffness or damping is negative or both are zero, a limit is not positive, the attitude is not of unit
        norm, or a factor or time is not finite.
    """

    stiffness: float
    damping: float
    attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        kp = non_negative("stiffness of the magnetic pointing", self.stiffness, "N m/rad")
        kd = non_negative("damping of the magnetic pointing", self.damping, "N m s/rad")
        if kp == 0.0 and kd == 0.0:
            raise InputError("magnetic pointing needs a stiffness or a damping above zero; got 0 for both")
        object.__setattr__(self, "attitude", unit_quaternion("attitude in the orbit frame", self.attitude))
