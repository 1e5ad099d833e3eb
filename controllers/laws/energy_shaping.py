"""Passivity-based attitude control with a potential energy of the attitude error, and damping."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.attitude import rotation_matrix
from ...plant.checks import unit_quaternion, vector
from ...plant.kernels.fields import filled
from ...plant.quantity import INERTIA, POSITIVE_DEFINITE, declared, quantity
from ..contracts.checks import read_only
from .lyapunov import LyapunovFunction
from .nonlinear_kernels import SHAPING, energy_shaping_kernel
from .torque_law import TorqueLaw

Array = NDArray[np.float64]


@declared
class EnergyShaping(TorqueLaw):
    """Attitude control with a potential energy of the error attitude, and damping.

    Let R = R(e_err), v = omega - omega_d and G = tr(K) - 2 K, so that K is the stiffness for small rotations. Then

        V = 1/2 tr(G (1 - R)),      tau = -1/2 vee(G R - R'G) - Kd v + J omega_d' - pi x omega_d
        S = 1/2 v'J v + V,          S' = -v'Kd v

    S is the storage function of the closed loop (`storage`). The gyroscopic torque is not fully cancelled; the part
    that remains does no work on v. The law does not use the inertia when it holds an attitude, so stability depends
    neither on the inertia nor on passive moving parts of the spacecraft. The potential is smooth on the rotation group:
    e and -e are the same attitude, so there is no unwinding. The torque vanishes at rotation errors of 180 deg about
    the principal axes of K, which are unstable equilibria (Koditschek 1989; Bullo & Lewis 2005; energy shaping, Ortega
    et al. 2002).

    Parameters
    ----------
    stiffness : array_like, shape (), (3,) or (3, 3)
        Stiffness K, N m/rad; symmetric positive definite. Three different eigenvalues give four equilibria, one of them
        stable.
    damping : array_like, shape (), (3,) or (3, 3)
        Damping Kd, N m s/rad; symmetric positive definite.
    inertia : array_like, shape (3,) or (3, 3)
        Inertia J, kg m^2; used only for the acceleration of the reference.
    sample : float
        Sampling period, s. Sampling and delay add energy, so check `margins`.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    torques : TorqueBasis, optional
        Basis of the plant's torque input; by default the body basis.

    Raises
    ------
    InputError
        When a gain is not symmetric positive definite, the inertia is not physical, or sample or delay is out of range.
    """

    kind: ClassVar[str] = "energy-shaping"

    stiffness: Array = quantity("N m/rad", converter=POSITIVE_DEFINITE, doc="K")
    damping: Array = quantity("N m s/rad", converter=POSITIVE_DEFINITE, doc="Kd")
    inertia: Array = quantity("kg m^2", converter=INERTIA, doc="J")

    @property
    def summary(self) -> str:
        """Description of the law."""
        return "energy shaping, which holds the attitude and rate of its reference by a virtual spring and damping"

    def gains(self) -> dict[str, list[list[float]]]:
        """Return K and Kd."""
        return {"stiffness_N_m_rad": self.stiffness.tolist(), "damping_N_m_s": self.damping.tolist()}

    def lyapunov(self, *, moving: bool = False) -> LyapunovFunction:
        """Return the storage function; it is valid for a reference at rest or in motion.

        Parameters
        ----------
        moving : bool
            Whether the reference moves.

        Returns
        -------
        LyapunovFunction
            V, and the damping term of V'.
        """
        return LyapunovFunction(
            words="1/2 v' J v + 1/2 tr(G (1 - R_err)), the storage function",
            unit="J",
            value=self.storage,
            damping=np.array(self.damping),
        )

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return energy_shaping_kernel

    @property
    def weights(self) -> Array:
        """G = tr(K) - 2 K, shape (3, 3), N m."""
        return np.trace(self.stiffness) * np.eye(3) - 2.0 * self.stiffness

    @property
    def parameters(self) -> Array:
        """The kernel's parameters: basis and axes, J, G, Kd."""
        given = {"inertia": self.inertia, "weights": self.weights, "damping": self.damping}
        return read_only(np.array(filled(SHAPING, basis=self.basis_numbers(), **given)))

    def storage(self, error: ArrayLike, rate_error: ArrayLike) -> float:
        """Return the storage function S.

        Parameters
        ----------
        error : array_like, shape (4,)
            Error attitude e_err = conj(e_ref) o e.
        rate_error : array_like, shape (3,)
            omega - omega_d, body components, rad/s.

        Returns
        -------
        float
            S >= 0, J; zero only if both errors are zero.
        """
        R = rotation_matrix(unit_quaternion("error attitude", error))
        v = vector("rate error", rate_error, unit="rad/s")
        return float(0.5 * v @ self.inertia @ v + 0.5 * np.trace(self.weights @ (np.eye(3) - R)))
