"""Allocation of a body torque to single-gimbal control moment gyros."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.brief import brief
from ....plant.checks import choice, finite, non_negative, of_kind, positive, vector
from ....plant.elements.control_moment_gyro import ControlMomentGyro
from ....plant.errors import InputError
from ....plant.frozen import frozen_arrays
from ....plant.kernels.fields import filled
from ...contracts.checks import read_only
from .gyro_kernel import AT, GYRO, gyro_columns, gyro_rates

if TYPE_CHECKING:
    from ....plant import Spacecraft

Array = NDArray[np.float64]

STEERING = ("pseudo-inverse", "singularity-robust")
"""Steering laws."""

UNLIMITED = 1e300
FLAT = 1e-6  # least singular value of the torque directions of all gyros, relative to the largest


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class GyroAllocation:
    """Steering law of control moment gyros: from a torque on the spacecraft to gimbal rates.

    With the Jacobian A = [h_1 t_1 ... h_n t_n]/h of the gyros' momentum in units of the mean momentum h,

        pseudo-inverse       rates = A' (A A')^-1 u/h
        singularity-robust   rates = A' (A A' + lambda E)^-1 u/h,   lambda = robust exp(-decay det(A A'))

    where u = -torque. E has unit diagonal and the off-diagonal terms e_i = dither sin(frequency t + phase) with phases
    0, pi/2, pi, which move the gyros out of singularities that they cannot leave with only lambda. `null_gain` adds
    null motion, which produces no torque and raises det(A A'). If a rate exceeds the limit, all rates are scaled down
    by the same factor.

    Source: Wie, Bailey & Heiberg, Singularity Robust Steering Logic for Redundant Single-Gimbal Control Moment Gyros,
    J. Guidance 24 (5), 2001.

    Parameters
    ----------
    gyros : sequence of ControlMomentGyro
        Three or more gyros with a rate loop.
    method : str
        "pseudo-inverse" or "singularity-robust".
    robust : float
        lambda at a singularity.
    decay : float
        Decay coefficient in the exponent of lambda.
    dither : float
        Amplitude of the off-diagonal terms of E.
    frequency : float
        Angular frequency of the off-diagonal terms, rad/s.
    null_gain : float
        Gain of the null motion, rad/s; 0 for none.

    Raises
    ------
    InputError
        When there are fewer than three gyros, a gyro has no rate loop, the gyros produce no torque in some direction,
        or a value is out of range.

    Examples
    --------
    >>> from polhode import plant
    >>> gyros = plant.gyro_array(
    ...     *plant.pyramid_axes(0.9553), momentum=10.0, rotor_inertia=0.02, gimbal_inertia=0.03, time_constant=0.02
    ... )
    >>> steering = GyroAllocation(gyros, method="pseudo-inverse")
    >>> round(steering.singularity_measure((0, 0, 0, 0)), 4)
    1.0887
    >>> steering.rates((1.0, 0, 0), (0, 0, 0, 0)).round(4) + 0.0
    array([ 0.0866,  0.    , -0.0866,  0.    ])
    """

    gyros: tuple[ControlMomentGyro, ...]
    method: str
    robust: float
    decay: float
    dither: float
    frequency: float
    null_gain: float
    parameters: Array

    __repr__ = brief

    def __init__(
        self,
        gyros: Sequence[ControlMomentGyro],
        *,
        method: str = "singularity-robust",
        robust: float = 0.01,
        decay: float = 10.0,
        dither: float = 0.01,
        frequency: float = 0.5 * np.pi,
        null_gain: float = 0.0,
    ) -> None:
        found = tuple(gyros)
        for gyro in found:
            of_kind("each of gyros", gyro, ControlMomentGyro, such_as="a ControlMomentGyro")
        choice("steering method", method, STEERING)
        _check_gyros(found)
        values: dict[str, Any] = {
            "gyros": found,
            "method": method,
            "robust": positive("robust", robust) if method == "singularity-robust" else 0.0,
            "decay": non_negative("decay", decay),
            "dither": non_negative("dither", dither),
            "frequency": non_negative("frequency", frequency, "rad/s"),
            "null_gain": non_negative("null gain", null_gain, "rad/s"),
        }
        if values["dither"] >= 0.5:
            raise InputError(f"dither must be below 0.5, so that E is positive definite; got {dither:g}")
        for name, value in values.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "parameters", read_only(self._packed()))

    def _packed(self) -> Array:
        """Return the parameters of the kernels, in the order of AT and GYRO."""
        limits = [gyro.rate_limit for gyro in self.gyros if gyro.rate_limit is not None]
        mean = float(np.mean([abs(gyro.momentum) for gyro in self.gyros]))
        head = filled(
            AT, through=0.0, gyros=float(len(self.gyros)), mean=mean, robust=self.robust, decay=self.decay,
            dither=self.dither, frequency=self.frequency, null=self.null_gain, limit=min(limits, default=UNLIMITED),
            compensates=0.0, held=0.0, fresh=1.0, kept=0.0,
        )  # fmt: skip
        rows = [
            filled(GYRO, momentum=gyro.momentum, spin=gyro.spin_axis, side=np.cross(gyro.axis, gyro.spin_axis))
            for gyro in self.gyros
        ]
        return np.concatenate((head, *rows))

    def momentum(self, angles: ArrayLike) -> Array:
        """Return the momentum of all rotors relative to the hub, body components.

        Parameters
        ----------
        angles : array_like, shape (n,)
            Gimbal angles, rad.

        Returns
        -------
        numpy.ndarray, shape (3,)
            Momentum, N m s.
        """
        return np.asarray(self._columns(angles)[1].sum(axis=0), dtype=np.float64)

    def jacobian(self, angles: ArrayLike) -> Array:
        """Return the derivative of the momentum with respect to the gimbal angles.

        Parameters
        ----------
        angles : array_like, shape (n,)
            Gimbal angles, rad.

        Returns
        -------
        numpy.ndarray, shape (3, n)
            Jacobian, N m s/rad. The torque on the spacecraft is minus the Jacobian times the gimbal rates.
        """
        return np.asarray(self._columns(angles)[0].T, dtype=np.float64)

    def singularity_measure(self, angles: ArrayLike) -> float:
        """Return m = sqrt(det(A A')), with A the Jacobian in units of the mean momentum; zero where singular.

        Parameters
        ----------
        angles : array_like, shape (n,)
            Gimbal angles, rad.

        Returns
        -------
        float
            The singularity measure.
        """
        A = self.jacobian(angles) / self.parameters[AT.mean]
        return float(np.sqrt(max(np.linalg.det(A @ A.T), 0.0)))

    def rates(self, torque: ArrayLike, angles: ArrayLike, *, time: float = 0.0) -> Array:
        """Return the gimbal rates for a torque on a spacecraft at rest.

        Parameters
        ----------
        torque : array_like, shape (3,)
            Torque on the spacecraft, body components, N m.
        angles : array_like, shape (n,)
            Gimbal angles, rad.
        time : float
            Time of the off-diagonal terms, s.

        Returns
        -------
        numpy.ndarray, shape (n,)
            Gimbal rates, rad/s.
        """
        u = -vector("torque", torque, 3, "N m")
        n = len(self.gyros)
        z, v = np.zeros(7 * n), np.zeros(n)
        gyro_columns(vector("gimbal angles", angles, n, "rad"), 0, self.parameters, z)
        gyro_rates(finite("time", time, "s"), *u.tolist(), self.parameters, z, v, 0)
        return v

    def largest_momentum(self, direction: ArrayLike) -> float:
        """Return the largest component of the momentum along a direction, over all gimbal angles.

        max H . u = sum h_k |g_k x u| (Margulies & Aubrun, J. Astronautical Sciences 26 (2), 1978). The planes normal to
        u at this distance envelop the momentum.

        Parameters
        ----------
        direction : array_like, shape (3,)
            Direction u, any non-zero length.

        Returns
        -------
        float
            Largest component, N m s.
        """
        u = _unit(direction)
        return sum(abs(gyro.momentum) * float(np.linalg.norm(np.cross(gyro.axis, u))) for gyro in self.gyros)

    def envelope_angles(self, direction: ArrayLike) -> Array:
        """Return the gimbal angles that give the largest momentum along a direction, a singularity.

        Parameters
        ----------
        direction : array_like, shape (3,)
            Direction u, any non-zero length. A gyro whose gimbal axis is parallel to u contributes nothing; its angle
            is then 0.

        Returns
        -------
        numpy.ndarray, shape (n,)
            Gimbal angles, rad.
        """
        u = _unit(direction)
        found = [
            np.arctan2(np.sign(gyro.momentum) * (np.cross(gyro.axis, gyro.spin_axis) @ u),
                       np.sign(gyro.momentum) * (gyro.spin_axis @ u))
            if np.linalg.norm(np.cross(gyro.axis, u)) > 0.0 else 0.0
            for gyro in self.gyros
        ]  # fmt: skip
        return np.array(found, dtype=np.float64)

    def _columns(self, angles: ArrayLike) -> tuple[Array, Array]:
        """Return h_k t_k and h_k a_k as rows, N m s."""
        n = len(self.gyros)
        z = np.zeros(6 * n)
        gyro_columns(vector("gimbal angles", angles, n, "rad"), 0, self.parameters, z)
        rows = z.reshape(2, n, 3) * self.parameters[AT.mean]
        return rows[0], rows[1]


def gyros_of(craft: Spacecraft) -> dict[str, ControlMomentGyro]:
    """Return a spacecraft's gyros that accept commanded gimbal rates, keyed by the names of their gimbal angles."""
    names = iter(craft.layout.coordinates)
    found: dict[str, ControlMomentGyro] = {}
    for element in craft.elements:
        own = [next(names) for _ in element.coordinates]
        if isinstance(element, ControlMomentGyro) and element.time_constant is not None:
            found[own[0]] = element
    return found


def _unit(direction: ArrayLike) -> Array:
    u = vector("direction", direction, 3)
    size = float(np.linalg.norm(u))
    if size == 0.0:
        raise InputError("direction of a momentum must not be zero; give any other vector")
    return np.asarray(u / size, dtype=np.float64)


def _check_gyros(gyros: tuple[ControlMomentGyro, ...]) -> None:
    if len(gyros) < 3:
        raise InputError(f"steering needs three or more control moment gyros; got {len(gyros)}")
    for number, gyro in enumerate(gyros, 1):
        if gyro.time_constant is None:
            raise InputError(f"control moment gyro {number} has no rate loop; give its time_constant, s")
    planes = sum(abs(gyro.momentum) * (np.eye(3) - np.outer(gyro.axis, gyro.axis)) for gyro in gyros)
    values, vectors = np.linalg.eigh(planes)
    if values[0] < FLAT * values[-1]:
        raise InputError(
            "the control moment gyros produce no torque along "
            f"{vectors[:, 0].round(4).tolist()}, the direction of all gimbal axes; incline a gimbal axis"
        )
