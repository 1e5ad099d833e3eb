"""Linear-quadratic regulator for magnetorquers along an orbit, with periodic gains."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import Spacecraft
from ...plant.attitude import rotation_matrix
from ...plant.checks import each_positive, of_kind
from ...plant.environment.budget import orbital_period
from ...plant.environment.fields_along_orbit import FieldsAlongOrbit
from ...plant.environment.spline_table import COLUMNS
from ...plant.errors import DesignError, InputError
from ...plant.linear import linearize_at
from ...plant.one_thread import one_thread
from ..contracts.block_draws import whole
from ..contracts.checks import check_timing
from ..contracts.reference import Reference
from ..laws.periodic_dipole import PeriodicDipoleFeedback, check_basis, environment_of_craft, interpolated_gains
from ..loop.orbit_loop import Interpolated, Monodromy, product
from ..loop.sampled_plant import sampled_plant
from .design_plant import design_plant
from .lqr import attitude_cost, weighed
from .periodic_riccati import periodic_regulator
from .weights import Weights

Array = NDArray[np.float64]

FEWEST = 16
"""Smallest number of samples in an orbit."""
COMPARED = 8
"""Number of attitudes of the reference that the law stores for the check of a run."""
CLOSED = 1e-4
"""Change of the field in the reference frame over the period, relative to the field, that counts as periodic."""


@one_thread
def periodic_lqr(
    craft: Spacecraft,
    *,
    reference: Reference,
    attitude: ArrayLike,
    rate: ArrayLike,
    effort: ArrayLike,
    dipole_limit: ArrayLike,
    sample: float,
    delay: float = 0.0,
    orbits: int = 1,
    points: int | None = None,
) -> PeriodicDipoleFeedback:
    """Design a periodic linear-quadratic regulator for three magnetorquers along an orbit.

    Along the reference, the small motion is x[k+1] = F[k] x[k] + G[k] m[k], with the dipole m held for a sample. F
    contains the gravity gradient and the rotation of the orbit frame, with elements locked to the body. G is the torque
    m x B in the field B(t) of the environment. The gains minimise the sum over samples of

        delta' Wa delta + (rate deviation)' Wr (rate deviation) + m' We m

    in the limit of many periods: the solution of the discrete periodic Riccati equation. The period of the design is
    `orbits` orbits, divided into a whole number of samples as close as possible to `sample`.

    Only for a field that repeats after an orbit, such as `AxialDipoleField` on a two-body orbit, is the loop periodic.
    The field of the rotating Earth is not: the design repeats the field of the first orbit or, for `orbits` = 15 on a
    low orbit, of about a day, in which the Earth comes back below the orbit. `notes` of the law state how much
    the field differs after the period, and a simulation uses the true field.

    The design contains neither the dipole limit nor, except for the field at the time of the torque, the delay; the
    Floquet multipliers contain the delay.

    Parameters
    ----------
    craft : Spacecraft
        The plant, with `EnvironmentLoads` that have a magnetic field over the period of the design.
    reference : Reference
        Motion along the orbit, such as `NadirPointing`, or a fixed attitude.
    attitude : array_like, shape (), (3,) or (3, 3)
        Weight Wa on the attitude error delta, per rad^2; positive definite.
    rate : array_like, shape (), (3,) or (3, 3)
        Weight Wr on the rate deviation, per (rad/s)^2; positive semidefinite.
    effort : array_like, shape (), (3,) or (3, 3)
        Weight We on the dipole, per (A m^2)^2; positive definite.
    dipole_limit : array_like, shape () or (3,)
        Largest dipole of each torquer, A m^2.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    orbits : int
        Number of orbits in the period of the design.
    points : int, optional
        Number of gains in an orbit that the law stores, between which it interpolates; by default one for each sample.

    Returns
    -------
    PeriodicDipoleFeedback
        The law, with the Floquet multipliers over the period of the design.

    Raises
    ------
    InputError
        When the spacecraft has no magnetic field or no closed orbit, its magnetorquers already have a law, the
        environment is shorter than the period, a weight has the wrong shape, or a value is out of range.
    DesignError
        When `attitude` or `effort` is not positive definite, the motion cannot be stabilised in this field, or the loop
        with the delay and the stored gains is not stable.

    References
    ----------
    Bittanti & Colaneri, Periodic Systems, 2009, chapter 12; Psiaki, Magnetic torquer attitude control via asymptotic
    periodic linear quadratic regulation, J. Guidance, Control, and Dynamics 24 (2001), 386.
    """
    of_kind("craft", craft, Spacecraft, such_as="a Spacecraft")
    of_kind("reference", reference, Reference, such_as="NadirPointing(...)")
    check_basis(craft.torques)
    step, lag = check_timing(sample, delay)
    weights = weighed(attitude, rate, effort=effort)
    limits = each_positive("dipole limit", dipole_limit, unit="A m^2")
    many = whole("orbits", orbits, 1000)
    if many < 1:
        raise InputError("orbits, the number of orbits in the period of the design, must be 1 or more; got 0")
    fields = environment_of_craft(craft).fields
    orbit = orbital_period(craft)
    if not np.isfinite(orbit):
        raise InputError("the orbit of the environment is not closed, so it has no period for a periodic design")
    period = many * orbit
    samples = round(period / step)
    if samples < FEWEST * many:
        raise InputError(
            f"sample {step:g} s is too long for a design along an orbit of {orbit:g} s: at least {FEWEST} samples in "
            f"an orbit are needed, so at most {orbit / FEWEST:.4g} s"
        )
    if fields.duration < period * (1.0 - 1e-9):
        raise InputError(
            f"the design needs the magnetic field over {many} orbit{'s' * (many > 1)}, {period:g} s, but the "
            f"environment is computed for {fields.duration:g} s: compute it for longer (in a case, lengthen the run)"
        )
    stored = samples if points is None else whole("points", points, 10**6) * many
    if not 4 <= stored <= samples:
        raise InputError(
            f"points, the number of stored gains in an orbit, must be 4 to {samples // many}, the number of samples; "
            f"got {points}"
        )

    h = period / samples
    middle = np.asarray(h * (np.arange(samples) + 0.5), dtype=np.float64)
    A, B, C, Q, scale = _plant(craft, reference, period, weights, middle)
    along, closure = _field(fields, reference, middle + lag, period)
    on_torque = _cross(along).transpose(0, 2, 1) / scale  # m x B = -[B x] m
    F, gamma = _held(A, B, h)
    units = np.array([1.0] * 3 + [2.0 * np.pi / orbit] * 3)  # of the states of the Riccati equation
    _, K = periodic_regulator(
        F / units[:, None] * units, gamma @ on_torque / units[:, None], Q * units[:, None] * units, R=weights.effort
    )
    gains = np.asarray(K / units @ np.linalg.inv(C), dtype=np.float64)
    used = gains
    if stored != samples:
        gains = interpolated_gains(gains, _places(stored, samples / stored))
        used = interpolated_gains(gains, _places(samples, stored / samples))
    loop = _loop(A, B, on_torque @ used @ C, h, lag)
    largest = loop.largest()
    if not largest < 0.0:
        raise DesignError(
            f"the loop is not stable along the orbit: its largest Floquet multiplier is {np.exp(largest):.6g} with a "
            f"delay of {lag:g} s and {stored // many} stored gains in an orbit; shorten the delay, store more gains, "
            "or lower the weights on attitude and rate"
        )
    return PeriodicDipoleFeedback(
        gains,
        period=period,
        dipole_limit=limits,
        fields=fields,
        sample=step,
        delay=lag,
        torques=craft.torques,
        inertia=craft.locked_inertia(_state(craft, reference, 0.0)),
        attitudes=[(t, *reference.at(float(t))[:4]) for t in orbit * np.arange(COMPARED) / COMPARED],
        multipliers=loop.multipliers(),
        notes=_notes(closure, many, period / step),
    )


def _state(craft: Spacecraft, reference: Reference, t: float) -> Array:
    r = reference.at(t)
    return craft.state(attitude=r[:4] / np.linalg.norm(r[:4]), rate=r[4:7])


def _places(many: int, step: float) -> Array:
    return np.asarray(np.arange(many) * step, dtype=np.float64)


def _plant(
    craft: Spacecraft, reference: Reference, period: float, weights: Weights, times: Array
) -> tuple[Array, Array, Array, Array, float]:
    """Return A (N, 6, 6) at times, B (6, 3), C (6, 6) and weight Q (6, 6) of the locked plant, and its torque unit."""
    first = design_plant(linearize_at(craft, _state(craft, reference, 0.0), t=0.0), internal="locked")

    def matrices(t: float) -> tuple[Array, Array]:
        plant = design_plant(linearize_at(craft, _state(craft, reference, t), t=t), internal="locked")
        if plant.A.shape != (6, 6) or plant.scale != first.scale:
            raise DesignError(
                "the spacecraft does not have the six states of a rigid body of constant inertia, which a design along "
                "an orbit needs; lock or omit its moving elements"
            )
        return plant.A, plant.C

    along = Interpolated(matrices, period)
    A, C = along(times)
    if float(np.abs(C - first.C).max()) > 1e-9 * float(np.abs(first.C).max()):
        raise DesignError("the inertia of the spacecraft changes along the orbit, but the design needs a constant one")
    return A, first.B, first.C, attitude_cost(first, weights), first.scale


def _field(fields: FieldsAlongOrbit, reference: Reference, times: Array, period: float) -> tuple[Array, float]:
    """Return the field in the reference frame at times (N, 3), T, and its relative change over the period."""
    ends = [0.0, min(period, fields.duration)]
    inertial = fields.at(np.concatenate((times, ends)))[:, COLUMNS.field : COLUMNS.wind]
    attitudes = np.array([reference.at(float(t))[:4] for t in (*times, *ends)])
    attitudes /= np.linalg.norm(attitudes, axis=1)[:, None]
    along = np.einsum("nji,nj->ni", rotation_matrix(attitudes), inertial)
    closure = float(np.linalg.norm(along[-1] - along[-2]) / np.linalg.norm(along[-2]))
    return along[:-2], closure


def _cross(a: Array) -> Array:
    """Return the matrices [a x] of vectors (N, 3)."""
    zero = np.zeros(len(a))
    rows = ((zero, -a[:, 2], a[:, 1]), (a[:, 2], zero, -a[:, 0]), (-a[:, 1], a[:, 0], zero))
    return np.array(rows).transpose(2, 0, 1)


def _held(A: Array, B: Array, h: float) -> tuple[Array, Array]:
    """Return exp(A h) and its integral times B for each of the matrices A (N, n, n), with B (n, m)."""
    from scipy import linalg

    n, m = B.shape
    block = np.zeros((len(A), n + m, n + m))
    block[:, :n, :n], block[:, :n, n:] = A, B
    whole_block = np.asarray(cast("Any", linalg).expm(block * h), dtype=np.float64)
    return whole_block[:, :n, :n], whole_block[:, :n, n:]


def _loop(A: Array, B: Array, on_states: Array, h: float, delay: float) -> Monodromy:
    """Return the transition matrix over the period under the torque -on_states[k] x, with the delay."""
    F, G = _held(A, B, h) if delay == 0.0 else _delayed(A, B, h, delay)
    feedback = np.zeros((len(A), 3, F.shape[-1]))
    feedback[:, :, : A.shape[-1]] = on_states
    return product(F - G @ feedback)


def _delayed(A: Array, B: Array, h: float, delay: float) -> tuple[Array, Array]:
    """Return the matrices of `_held` with the pending commands among the states."""
    each = [sampled_plant(one, B, sample=h, delays=[delay] * 3) for one in A]
    return np.array([F for F, _ in each]), np.array([G for _, G in each])


def _notes(closure: float, orbits: int, samples: float) -> tuple[str, ...]:
    notes: list[str] = []
    if closure > CLOSED:
        over = "one orbit" if orbits == 1 else f"{orbits} orbits"
        notes.append(
            f"the field is not periodic: in the axes of the reference it differs by {100.0 * closure:.2g} % after "
            f"{over}, and the design repeats its gains"
        )
    if abs(samples - round(samples)) > 1e-6:
        notes.append(
            f"the period takes {samples:.6g} samples; the gains between those of {round(samples)} samples are "
            "interpolated"
        )
    return tuple(notes)
