"""Nonlinear quaternion feedback for any attitude, any torque basis and moving references."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import DesignError
from ...plant.kernels.fields import filled
from ...plant.quantity import INERTIA, POSITIVE_DEFINITE, argument, declared, quantity
from ..contracts.checks import read_only
from ..contracts.design_condition import DesignCondition
from .lyapunov import ROUNDING, LyapunovFunction
from .quaternion_feedback_kernel import AT, quaternion_feedback_kernel
from .torque_law import TorqueLaw

Array = NDArray[np.float64]


@declared
class QuaternionFeedback(TorqueLaw):
    """Proportional-derivative feedback on the error quaternion, with feed-forward of the reference motion.

    In body components, with e_err = conj(e_ref) o e, R_err = R(e_err) and omega_d = R_err' omega_ref,

        tau = - sgn(e_err0) Kp vec(e_err) - Kd (omega - omega_d)
              + J (R_err' alpha_ref - omega x omega_d)  [+ omega x J omega],    sgn(0) = +1,

    converted to components of the plant's torque basis (Wie, Weiss & Arapostathis 1989, for a reference at rest; with
    the feed-forward of Wen & Kreutz-Delgado 1991 for a moving reference). If the gyroscopic torque is cancelled and the
    inertia is exact, J (omega - omega_d)' = - Kp vec - Kd (omega - omega_d) for any reference, apart from sampling and
    saturation. Torques of potentials are not compensated.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        Inertia J about the centre of rotation, kg m^2.
    stiffness : array_like, shape (), (3,) or (3, 3)
        Gain Kp on the vector part (half the error angle), N m; symmetric positive definite.
    damping : array_like, shape (), (3,) or (3, 3)
        Gain Kd on the rate error, N m s/rad; symmetric positive definite.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s. The law does not compensate the delay, so
        check `margins`.
    torques : TorqueBasis, optional
        Basis of the plant's torque input; by default the body basis.
    gyroscopic : bool
        Whether the law cancels omega x J omega.

    Raises
    ------
    InputError
        When the inertia is not physical, a gain is not symmetric positive definite, or sample or delay is out of range.
    """

    kind: ClassVar[str] = "quaternion-feedback"
    alike: ClassVar[int] = AT.inertia

    inertia: Array = quantity("kg m^2", converter=INERTIA, doc="J")
    stiffness: Array = quantity("N m", converter=POSITIVE_DEFINITE, doc="Kp")
    damping: Array = quantity("N m s/rad", converter=POSITIVE_DEFINITE, doc="Kd")
    gyroscopic: bool = argument(converter=bool, default=True)

    @property
    def summary(self) -> str:
        """Description of the law."""
        return "quaternion feedback, which holds the attitude and rate of any reference"

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return quaternion_feedback_kernel

    @property
    def parameters(self) -> Array:
        """The kernel's parameters: basis and axes, whether the gyroscopic torque is cancelled, J, Kp, Kd."""
        return self._numbers

    @cached_property
    def _numbers(self) -> Array:
        matrices = {"inertia": self.inertia, "stiffness": self.stiffness, "damping": self.damping}
        return read_only(np.array(filled(AT, basis=self.basis_numbers(), gyroscopic=self.gyroscopic, **matrices)))

    @property
    def plant_independent(self) -> object:
        """The law itself serves as key, because its linear form depends only on its own inertia."""
        return self

    @property
    def design_condition(self) -> DesignCondition:
        """Design conditions: the law's inertia, any attitude and rate."""
        return DesignCondition(torques=self.torques, inertia=self.inertia)

    def gains(self) -> dict[str, list[list[float]]]:
        """Return Kp and Kd."""
        return {"stiffness_N_m": self.stiffness.tolist(), "damping_N_m_s": self.damping.tolist()}

    def lyapunov(self, *, moving: bool = False) -> LyapunovFunction:
        """Return V = 1/2 v' P J v + 2 (1 - e_err0), P = Kp^-1, with V' = - v' P Kd v.

        V is a Lyapunov function in continuous time (Wie, Weiss & Arapostathis 1989; Wen & Kreutz-Delgado 1991) if

        - P J is symmetric, that is if Kp is a scalar, a multiple of J, or has the eigenvectors of J;
        - the symmetric part of P Kd is positive definite;
        - the gyroscopic torque is cancelled, or the reference is at rest and w' P (w x J w) = 0 for every w, which
          holds for P = a J + b.

        For other matrices Kp, Kp vec(e_err) is not the gradient of a known function of the attitude. V is then not
        valid, although the law may still be stable.

        Parameters
        ----------
        moving : bool
            Whether the reference moves.

        Returns
        -------
        LyapunovFunction
            V, and the damping term of V'.

        Raises
        ------
        DesignError
            When V is not a Lyapunov function; the message states the condition that fails.
        """
        J = self.inertia
        P: Array = np.linalg.inv(self.stiffness).astype(np.float64)
        kinetic, loss = P @ J, P @ self.damping
        if float(np.abs(kinetic - kinetic.T).max()) > ROUNDING * float(np.abs(kinetic).max()):
            raise DesignError(
                "no Lyapunov function is known: Kp^-1 J is not symmetric, so Kp vec(e_err) is not a gradient; use Kp "
                "that is a number or a multiple of J"
            )
        damping = 0.5 * (loss + loss.T)
        lowest = float(np.linalg.eigvalsh(damping).min())
        if lowest <= 0.0:
            raise DesignError(
                "V = 1/2 v' Kp^-1 J v + 2 (1 - e_err0) does not decrease along every motion: the symmetric part of "
                f"Kp^-1 Kd has the eigenvalue {lowest:g} s; use a Kd that is a multiple of Kp or of J"
            )
        if not self.gyroscopic and (moving or _gyroscopic_power(J, P) > ROUNDING):
            raise DesignError(
                "no Lyapunov function is known: the gyroscopic torque is not cancelled and does work in "
                "v' Kp^-1 J v; use gyroscopic=True, or for a reference at rest a Kp with Kp^-1 = a J + b"
            )

        def value(error: Array, rate: Array) -> float:
            # 1 - e0 = |vec|^2 / (1 + e0) avoids cancellation near the reference
            return float(0.5 * rate @ kinetic @ rate + 2.0 * (error[1:] @ error[1:]) / (1.0 + error[0]))

        return LyapunovFunction(words="1/2 v' Kp^-1 J v + 2 (1 - e_err0)", unit="1", value=value, damping=damping)


def _gyroscopic_power(J: Array, P: Array) -> float:
    """Return the largest relative value of |w' P (w x J w)| over a set of generic vectors w."""
    directions = np.array([(1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, 1, 1), (1, 2, 3), (3, 1, 2), (2, 3, 1)], dtype=float)
    size = float(np.abs(P).max() * np.abs(J).max())
    return max(abs(float(w @ P @ np.cross(w, J @ w))) / (float(w @ w) ** 1.5 * size) for w in directions)
