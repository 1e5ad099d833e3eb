"""Dipole feedback with gains that vary periodically along an orbit, and the magnetic torque of the dipole."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel, Spacecraft, TorqueBasis
from ...plant.attitude import attitude_error, from_rotation_vector, rotation_matrix
from ...plant.brief import brief
from ...plant.checks import each_positive, finite, numbers, of_kind, positive
from ...plant.environment import EnvironmentLoads
from ...plant.environment.fields_along_orbit import FieldsAlongOrbit
from ...plant.environment.spline_table import COLUMNS, local_polynomials
from ...plant.errors import DesignError, InputError
from ...plant.frozen import frozen_arrays
from ...plant.kernels.fields import filled
from ..contracts.attitude_law import AttitudeLaw
from ..contracts.checks import check_timing, read_only
from ..contracts.design_condition import DesignCondition
from ..contracts.reference import Reference
from ..loop.acting_model import operating_rate
from ..loop.small_signal import SmallSignal
from .compensator import Compensator
from .periodic_dipole_kernel import AT, periodic_dipole_kernel

Array = NDArray[np.float64]

FEWEST = 4
"""Smallest number of gains in a period: the interpolation uses four neighbours."""
NEAR = 1e-3  # rad, largest accepted difference from the reference of the design


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class PeriodicDipoleFeedback(AttitudeLaw):
    """Sampled feedback from attitude and rate to the dipole of three magnetorquers, with periodic gains.

    At a sample, m = -K(t) [delta; omega - omega_ref], limited on each axis, with delta = 2 sgn(e_err0) vec(e_err) as in
    `LinearFeedback`. K(t) is a cubic through the four neighbouring gains. The command is the torque m x B, in the body
    basis, and is held for a sample. B is the field of the environment in body axes in the middle of the time that the
    torque acts, predicted with the measured attitude and rate: the held torque has the impulse of the held dipole
    to second order in the angle that the field turns in a sample. The gains repeat after the period; the field is that
    of the environment at all times, periodic or not.

    The law has no feed-forward, and its torquers have neither faults nor a duty cycle: give the mean dipole limit.

    Parameters
    ----------
    gain_table : array_like, shape (n, 3, 6)
        Gains at n equidistant times of the period, from t = 0: A m^2 per rad of delta and A m^2 s/rad of rate error.
    period : float
        Period of the gains, s.
    dipole_limit : array_like, shape () or (3,)
        Largest dipole of each torquer, A m^2.
    fields : FieldsAlongOrbit
        Field along the orbit, that of the environment of the spacecraft.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    torques : TorqueBasis, optional
        Basis of the plant's torque input: the body basis.
    inertia : numpy.ndarray, shape (3, 3), optional
        Inertia of the design, kg m^2.
    attitudes : array_like, shape (m, 5), optional
        Times (s) and attitudes of the reference of the design, with which a run compares its own.
    multipliers : array_like, shape (k,), optional
        Floquet multipliers of the design loop.
    notes : sequence of str
        Sentences about the design.

    Raises
    ------
    InputError
        When the gains have the wrong shape, a value is out of range, the fields have no magnetic field, or the torque
        basis is not the body basis.
    """

    gain_table: Array
    period: float
    dipole_limit: Array
    fields: FieldsAlongOrbit
    sample: float
    delay: float
    torques: TorqueBasis
    inertia: Array | None
    attitudes: Array
    multipliers: NDArray[np.complex128]
    notes: tuple[str, ...]
    frozen_time: float | None

    __repr__ = brief

    def __init__(
        self,
        gain_table: ArrayLike,
        *,
        period: float,
        dipole_limit: ArrayLike,
        fields: FieldsAlongOrbit,
        sample: float,
        delay: float = 0.0,
        torques: TorqueBasis | None = None,
        inertia: Array | None = None,
        attitudes: ArrayLike = (),
        multipliers: ArrayLike = (),
        notes: tuple[str, ...] = (),
    ) -> None:
        table = numbers("gains", gain_table, "A m^2/rad and A m^2 s/rad")
        if table.ndim != 3 or table.shape[1:] != (3, 6) or len(table) < FEWEST:
            raise InputError(
                f"gains of a periodic law must be n x 3 x 6 with n of {FEWEST} or more; got shape {table.shape}"
            )
        of_kind("fields", fields, FieldsAlongOrbit, such_as="the result of fields_along(...)")
        if not fields.magnetic:
            raise InputError("magnetorquers need a magnetic field, but the orbit has none: give a model")
        basis = TorqueBasis("body") if torques is None else torques
        check_basis(basis)
        step, lag = check_timing(sample, delay)
        values: dict[str, Any] = {
            "gain_table": read_only(table),
            "period": positive("period of the gains", period, "s"),
            "dipole_limit": each_positive("dipole limit", dipole_limit, unit="A m^2"),
            "fields": fields,
            "sample": step,
            "delay": lag,
            "torques": basis,
            "inertia": None if inertia is None else read_only(numbers("inertia", inertia, "kg m^2")),
            "attitudes": read_only(np.reshape(np.asarray(attitudes, dtype=np.float64), (-1, 5))),
            "multipliers": np.array(multipliers, dtype=np.complex128),
            "notes": tuple(notes),
            "frozen_time": None,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def frozen_at(self, t: float) -> PeriodicDipoleFeedback:
        """Return the law with gain and field of one sample, for the analysis along the orbit.

        Parameters
        ----------
        t : float
            Middle of the sample, s, at which the linear model and its attitude are taken.

        Returns
        -------
        PeriodicDipoleFeedback
            A law that has a linear form; `polhode.sim.floquet` combines such laws along the orbit.
        """
        law = copy(self)
        object.__setattr__(law, "frozen_time", finite("time", t, "s"))
        return law

    def gain_at(self, t: float) -> Array:
        """Return the interpolated gain.

        Parameters
        ----------
        t : float
            Time, s.

        Returns
        -------
        numpy.ndarray, shape (3, 6)
            K, A m^2/rad and A m^2 s/rad.
        """
        place = finite("time", t, "s") / self.period % 1.0 * len(self.gain_table)
        return interpolated_gains(self.gain_table, np.array([place]))[0]

    def demanded_dipoles(self, times: ArrayLike, states: ArrayLike, *, references: ArrayLike) -> Array:
        """Return the dipoles that the gains demand, before their limit.

        Parameters
        ----------
        times : array_like, shape (n,)
            Times, s.
        states : array_like, shape (n, 7)
            Attitude, scalar first, and body rate, rad/s.
        references : array_like, shape (n, 7)
            The same of the reference.

        Returns
        -------
        numpy.ndarray, shape (n, 3)
            Dipoles, A m^2.
        """
        t = np.asarray(times, dtype=np.float64)
        y, r = (np.reshape(np.asarray(each, dtype=np.float64), (t.size, 7)) for each in (states, references))
        error = attitude_error(y[:, :4], r[:, :4])
        delta = 2.0 * np.where(error[:, :1] < 0.0, -1.0, 1.0) * error[:, 1:]
        gains = interpolated_gains(self.gain_table, t / self.period % 1.0 * len(self.gain_table))
        return -np.einsum("kij,kj->ki", gains, np.hstack((delta, y[:, 4:] - r[:, 4:])))

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return periodic_dipole_kernel

    @property
    def parameters(self) -> Array:
        """Kernel parameters: head, gains, polynomials of the field."""
        found = self._numbers
        if self.frozen_time is None:
            return found
        shifted = found.copy()
        shifted[AT.start] = self.frozen_time - 0.5 * self.sample
        shifted[AT.turned] = self.delay
        return read_only(shifted)

    @cached_property
    def _numbers(self) -> Array:
        table = self.fields
        field = local_polynomials(table.coefficients[:, COLUMNS.field : COLUMNS.wind])
        head = filled(
            AT, period=self.period, gains=float(len(self.gain_table)), start=0.0,
            ahead=self.delay + 0.5 * self.sample, turned=self.delay + 0.5 * self.sample, limit=self.dipole_limit,
            inverse_step=1.0 / table.step, intervals=float(table.intervals),
            table=float(AT.size + self.gain_table.size),
        )  # fmt: skip
        return read_only(np.concatenate((head, self.gain_table.ravel(), field.ravel())))

    @property
    def memory(self) -> Array:
        """Empty: the law has no memory."""
        return read_only(np.zeros(0))

    @property
    def summary(self) -> str:
        """Description of the law, with the multipliers of its design."""
        words = f"periodic dipole feedback, {len(self.gain_table)} gains in {self.period:.6g} s"
        if not self.multipliers.size:
            return words
        each = ", ".join(_complex_text(value) for value in self.multipliers)
        return "; ".join((f"{words}, with the Floquet multipliers {each}", *self.notes))

    @property
    def no_margins(self) -> str:
        """Reason why the law has no margins at one time; empty if the law is frozen at a time."""
        if self.frozen_time is not None:
            return ""
        return (
            "the gains and the field change along the orbit, and no torque acts along the field: the loop has Floquet "
            "multipliers (`polhode analyse`, sim.floquet) in place of margins"
        )

    def small_signal(self, model: LinearModel) -> SmallSignal:
        """Return the torque gains of the frozen law, -[m x B] K, about a model's operating point.

        Parameters
        ----------
        model : LinearModel
            Model at the middle of the sample.

        Returns
        -------
        SmallSignal
            Gains on attitude error and rate.

        Raises
        ------
        DesignError
            When the law is not frozen at a time.
        """
        if self.frozen_time is None:
            raise DesignError(self.no_margins)
        attitude = np.asarray(model.operating_point[3:7], dtype=np.float64)
        rate = operating_rate(model)
        inertial = self.fields.at(np.array([self.frozen_time + self.delay]))[0, COLUMNS.field : COLUMNS.wind]
        later = rotation_matrix(attitude) @ rotation_matrix(from_rotation_vector(self.delay * rate))
        field = later.T @ inertial
        on_torque = np.array([np.cross(axis, field) for axis in np.eye(3)]).T
        gain = self.gain_at(self.frozen_time - 0.5 * self.sample)
        return SmallSignal(Compensator.static(-on_torque @ gain), ())

    @property
    def design_condition(self) -> DesignCondition:
        """Design conditions: torque basis and inertia."""
        return DesignCondition(torques=self.torques, inertia=self.inertia)

    def check_craft(self, craft: Spacecraft) -> None:
        """Raise InputError if the field of a spacecraft is not that of the law.

        Parameters
        ----------
        craft : Spacecraft
            The spacecraft of a run.

        Raises
        ------
        InputError
            When the spacecraft has no environment, its field differs, or its magnetorquers have a law of their own.
        """
        loads = environment_of_craft(craft)
        same = loads.fields is self.fields or (
            loads.fields.step == self.fields.step
            and np.array_equal(loads.fields.coefficients, self.fields.coefficients)
        )
        if not same and not _same_field(loads.fields, self.fields):
            raise InputError(
                "the magnetic field of the spacecraft's environment differs from that of the law, which computes its "
                "torque from it; design the law for this spacecraft"
            )

    def check_reference(self, reference: Reference) -> None:
        """Raise DesignError if the reference is not that of the design.

        Parameters
        ----------
        reference : Reference
            The reference of the run.

        Raises
        ------
        DesignError
            When its attitude differs at one of the stored times.
        """
        for row in self.attitudes:
            r = reference.at(float(row[0]))
            angle = 2.0 * np.arccos(min(1.0, abs(float(r[:4] @ row[1:])) / float(np.linalg.norm(r[:4]))))
            if angle > NEAR:
                raise DesignError(
                    f"the periodic law was designed about another reference: at {row[0]:g} s the attitudes differ by "
                    f"{np.degrees(angle):.3g} deg; design it about the reference of the run"
                )


def interpolated_gains(table: Array, places: Array) -> Array:
    """Return cubics through the four neighbouring gains of a period (n, 3, 6), at places (k,) from 0 to n."""
    many = len(table)
    rows = np.minimum(places.astype(np.int64), many - 1)
    u = places - rows
    weights = -u * (u - 1) * (u - 2) / 6, (u + 1) * (u - 1) * (u - 2) / 2, -(u + 1) * u * (u - 2) / 2, (u**3 - u) / 6
    around = table[(rows[:, None] + np.arange(-1, 3)) % many]
    return np.asarray(np.einsum("nk,knij->kij", np.array(weights), around), dtype=np.float64)


def check_basis(torques: TorqueBasis) -> None:
    """Raise InputError unless a torque basis is that of an external torque along the body axes."""
    if torques.name != "body" or torques.internal:
        raise InputError(
            "magnetorquers exert an external torque along the body axes; use TorqueBasis('body', internal=False)"
        )


def environment_of_craft(craft: Spacecraft) -> EnvironmentLoads:
    """Return the environment of a spacecraft with a magnetic field and without a law for its magnetorquers.

    Raises InputError when there is none.
    """
    found = [each for each in craft.potentials if isinstance(each, EnvironmentLoads)]
    magnetic = [each for each in found if each.fields.magnetic]
    if not magnetic:
        raise InputError(
            "magnetorquers need the magnetic field along the orbit; give the spacecraft EnvironmentLoads(fields_along("
            "..., magnetic=...)), in a case [orbit] and environment.magnetic_field"
        )
    if any(each.torquers is not None for each in found):
        raise InputError(
            "the magnetorquers would be commanded twice: by this law and by the law of the environment; omit the "
            "latter (in a case [plant.magnetorquers])"
        )
    return magnetic[0]


def _same_field(one: FieldsAlongOrbit, other: FieldsAlongOrbit) -> bool:
    """Return whether two tables have the same field over the time that both cover."""
    t = np.linspace(0.0, min(one.duration, other.duration), 24)
    a, b = (each.at(t)[:, COLUMNS.field : COLUMNS.wind] for each in (one, other))
    return bool(np.abs(a - b).max() <= 1e-3 * np.abs(a).max())


def _complex_text(value: complex) -> str:
    return f"{value.real:.6g}" if value.imag == 0.0 else f"{value.real:.6g} {value.imag:+.6g}i"
