"""Nonlinear quaternion feedback: any attitude, any torque basis, any moving reference."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..plant import LinearModel, TorqueBasis
from ..plant.checks import weight
from ..plant.errors import DesignError, InputError
from ..plant.frozen import frozen_arrays
from ..plant.inertia import inertia_matrix
from .acting_model import acting_model, is_rigid
from .compensator import Compensator
from .designed_on import DesignedOn
from .dynamic_loop import DynamicLoop
from .law import body_unless, check_timing, read_only
from .loop import SampledLoop
from .margins import Margins
from .quaternion_feedback_kernel import quaternion_feedback_kernel
from .small_signal import MEASURED_MOMENTUM, small_signal_gain, small_signal_on_measurement

__all__ = ["QuaternionFeedback"]

Array = NDArray[np.float64]


def _gain(name: str, value: ArrayLike) -> Array:
    matrix = weight(name, value, 3)
    lowest = float(np.linalg.eigvalsh(matrix).min())
    if lowest <= 0.0:
        raise InputError(f"{name} must be positive definite; its smallest eigenvalue is {lowest:g}")
    return read_only(matrix)


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class QuaternionFeedback:
    """Proportional-derivative feedback on the error attitude, with the reference's motion fed forward.

    In body components, with e_err = conj(e_ref) o e, R_err = R(e_err) and omega_d = R_err' omega_ref,

        tau = - sgn(e_err0) Kp vec(e_err) - Kd (omega - omega_d)
              + J (R_err' alpha_ref - omega x omega_d)  [+ omega x J omega],    sgn(0) = +1,

    written in the components of the plant's torque basis (Wie, Weiss & Arapostathis 1989, for rest; with the
    feed-forward of Wen & Kreutz-Delgado 1991 for a moving reference). With the gyroscopic torque cancelled
    and the inertia right, J (omega - omega_d)' = - Kp vec - Kd (omega - omega_d) whatever the reference does,
    between samples and saturations. Torques of potentials are not compensated.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        J about the point the body turns about, kg m^2.
    stiffness : array_like, shape (), (3,) or (3, 3)
        Kp on the vector part (half the error angle), N m; symmetric positive definite.
    damping : array_like, shape (), (3,) or (3, 3)
        Kd, N m s/rad; symmetric positive definite.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s. The law does not compensate it: see
        `margins`.
    torques : TorqueBasis, optional
        The basis of the plant's torque input; body when not given.
    gyroscopic : bool
        Whether omega x J omega is cancelled.

    Raises
    ------
    InputError
        When the inertia is not physical, a gain is not symmetric positive definite, or sample or delay are
        out of range.
    """

    inertia: Array
    stiffness: Array
    damping: Array
    sample: float
    delay: float
    torques: TorqueBasis
    gyroscopic: bool

    def __init__(
        self,
        *,
        inertia: ArrayLike,
        stiffness: ArrayLike,
        damping: ArrayLike,
        sample: float,
        delay: float = 0.0,
        torques: TorqueBasis | None = None,
        gyroscopic: bool = True,
    ) -> None:
        period, lag = check_timing(sample, delay)
        object.__setattr__(self, "inertia", read_only(inertia_matrix(inertia)))
        object.__setattr__(self, "stiffness", _gain("stiffness", stiffness))
        object.__setattr__(self, "damping", _gain("damping", damping))
        object.__setattr__(self, "sample", period)
        object.__setattr__(self, "delay", lag)
        object.__setattr__(self, "torques", body_unless(torques))
        object.__setattr__(self, "gyroscopic", bool(gyroscopic))

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return quaternion_feedback_kernel

    @property
    def parameters(self) -> Array:
        """The kernel's numbers: basis and axes, gyroscopic, J, Kp, Kd."""
        matrices = (self.inertia, self.stiffness, self.damping)
        head = np.array((self.torques.code, *self.torques.axes, self.gyroscopic), dtype=np.float64)
        return read_only(np.concatenate((head, *(matrix.ravel() for matrix in matrices))))

    @property
    def memory(self) -> Array:
        """Empty: this law remembers nothing."""
        return read_only(np.zeros(0))

    @property
    def designed_on(self) -> DesignedOn:
        """Its inertia; any attitude and rate."""
        return DesignedOn(torques=self.torques, inertia=self.inertia)

    def loop(self, model: LinearModel) -> SampledLoop:
        """Return the sampled loop of this law about a model's operating point.

        Parameters
        ----------
        model : LinearModel
            `craft.linearize(...)` of the plant that the law will fly, about rest or about a spin.

        Returns
        -------
        SampledLoop
            The law's exact small-signal gain around that plant, with every state of its elements.

        Raises
        ------
        DesignError
            When the law writes its torque in another basis than the plant takes it.
        """
        mine = (self.torques.code, *self.torques.axes)
        if mine != (model.torques.code, *model.torques.axes):
            raise DesignError(
                f"the law commands torque in the {self.torques.name!r} basis and the plant takes it in the "
                f"{model.torques.name!r} basis; give QuaternionFeedback(torques=craft.torques)"
            )
        if not is_rigid(acting_model(model)):
            gain = small_signal_on_measurement(self.kernel, self.parameters, model)
            return DynamicLoop(
                model,
                Compensator.static(gain),
                measured=MEASURED_MOMENTUM,
                sample=self.sample,
                delay=self.delay,
            )
        gain = small_signal_gain(self.kernel, self.parameters, model)
        return SampledLoop(model, gain, sample=self.sample, delay=self.delay)

    def closed_loop_poles(self, model: LinearModel) -> NDArray[np.complex128]:
        """Return the z-plane poles of the sampled loop about a model's operating point.

        Parameters
        ----------
        model : LinearModel
            The linear model of the plant.

        Returns
        -------
        numpy.ndarray, shape (6 + 3 m,)
            Largest modulus first; m is the delay in samples, rounded up.
        """
        return self.loop(model).poles()

    def margins(self, model: LinearModel) -> Margins:
        """Return the margins of the sampled loop about a model's operating point.

        Parameters
        ----------
        model : LinearModel
            The linear model of the plant.

        Returns
        -------
        Margins
            Per input, with the other inputs closed, and for all together.

        Raises
        ------
        DesignError
            When the loop is not stable there, or law and plant disagree on the torque basis.
        """
        return self.loop(model).margins()
