"""The ring nutation damper, consistent and as published, side by side."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..plant import InputError, PublishedRing, RigidBody, RingDamper, Spacecraft, UniformGravity
from ..plant.attitude import rotation_matrix
from ..plant.brief import brief
from ..plant.checks import positive, vector
from ..plant.frozen import frozen_results
from .memory import require_memory
from .simulate import output_times, simulate

__all__ = ["RingComparison", "RingHistory", "compare_published_ring"]

Array = NDArray[np.float64]

MOST_EVALUATIONS = 300_000
"""Of the published equations, in plain Python: some ten seconds."""

LOOK = 20_000  # evaluations before their number to the end is foretold


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class RingHistory:
    """What one of the two models says of the rotor and its ring.

    Parameters
    ----------
    rotor_momentum : numpy.ndarray, shape (n, 3)
        J omega of the rotor alone, body components, N m s.
    momentum : numpy.ndarray, shape (n, 3)
        Angular momentum of rotor and ring together, inertial components, N m s.
    energy : numpy.ndarray, shape (n,)
        Of both, J.
    nutation : numpy.ndarray, shape (n,)
        Angle of the spin axis z from the angular momentum of both, rad.
    angle : numpy.ndarray, shape (n,)
        beta of the slug, rad.
    ring_rate : numpy.ndarray, shape (n,)
        w_m3 = omega_3 + betadot, rad/s.
    attitude : numpy.ndarray, shape (n, 4)
        Euler parameters, scalar first.
    """

    rotor_momentum: Array
    momentum: Array
    energy: Array
    nutation: Array
    angle: Array
    ring_rate: Array
    attitude: Array

    __repr__ = brief


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class RingComparison:
    """The same rotor and ring, from the same start, by both models.

    Parameters
    ----------
    t : numpy.ndarray, shape (n,)
        Times, s.
    consistent : RingHistory
        By `polhode.plant.RingDamper`.
    published : RingHistory
        By `polhode.plant.PublishedRing`.
    """

    t: Array
    consistent: RingHistory
    published: RingHistory

    __repr__ = brief


def compare_published_ring(
    body: RigidBody,
    ring: RingDamper,
    *,
    rate: ArrayLike,
    duration: float,
    attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    gravity: ArrayLike = (0.0, 0.0, 0.0),
    output: float | None = None,
    at: ArrayLike | None = None,
    rtol: float = 1e-11,
    compiled: bool = True,
) -> RingComparison:
    """Return the motion of a rotor with a ring damper by the consistent and by the published equations.

    Without gravity, which is a torque from outside, the momentum should stand still and the energy should only fall:
    the consistent model does both, the published one neither.

    Parameters
    ----------
    body : RigidBody
        The rotor, principal axes; its mass centre is the fixed point.
    ring : RingDamper
        The ring, about body z with its centre on that axis.
    rate : array_like, shape (3,)
        Body rate at t = 0, rad/s; angle and relative rate of the slug are the ring's own.
    duration : float
        s.
    attitude : array_like, shape (4,)
        Euler parameters at t = 0, scalar first.
    gravity : array_like, shape (3,)
        g, inertial components, m/s^2.
    output : float, optional
        Period of the results, s.
    at : array_like, shape (n,), optional
        Times of the results, s, in order, besides the periodic ones; 501 even ones if neither is given.
    rtol : float
        Tolerance of DOP853, for both.
    compiled : bool
        Whether the consistent model runs compiled.

    Returns
    -------
    RingComparison
        Times and both histories.

    Raises
    ------
    InputError
        When the published equations do not fit the rotor or the ring, a time is outside the duration, or the run is so
        long that it does not come to its end or its results do not fit into memory.

    Examples
    --------
    >>> ring = RingDamper(axis=(0, 0, 1), mass=0.05, radius=0.5, friction=0.2, center=(0, 0, 0.3), fill=2.0)
    >>> found = compare_published_ring(RigidBody((1.0, 1.0, 1.6)), ring, rate=(2, 0, 10), duration=1.0, compiled=False)
    >>> bool(np.ptp(found.consistent.energy) < 0.2), bool(np.ptp(found.published.energy) > 0.2)
    (True, True)
    """
    from scipy import integrate

    model = PublishedRing(body=body, ring=ring, gravity=gravity)
    span = positive("duration", duration, "s")
    wanted = None if at is None else vector("output times", at, int(np.size(at)), "s")
    if wanted is not None and (
        wanted.size == 0 or wanted[0] < 0.0 or wanted[-1] > span or (np.diff(wanted) <= 0.0).any()
    ):
        raise InputError(f"output times must rise from 0 to the duration of {span:g} s; got {wanted.tolist()}")
    times = output_times(span, output, wanted)
    require_memory(8.0 * 60.0 * times.size, f"{times.size:,} rows of two histories")
    pull = np.asarray(model.gravity)
    start = model.state(rate=rate, attitude=attitude)
    asked = 0

    def rates(t: float, x: Array) -> Array:
        nonlocal asked
        asked += 1
        if asked % LOOK == 0 and asked * span > MOST_EVALUATIONS * t:
            raise InputError(
                f"the published equations, which are integrated in plain Python, were evaluated {asked:,} times "
                f"up to t = {t:.6g} s of {span:g} s, in all {asked * span / max(t, 1e-300):.3g} times, more than "
                f"{MOST_EVALUATIONS:,}; shorten the duration, or raise rtol"
            )
        return model.derivative(x)

    options: dict[str, Any] = {"t_eval": times, "method": "DOP853", "rtol": rtol, "atol": 1e-2 * rtol}
    solution = cast("Any", integrate.solve_ivp(rates, (0.0, span), start, **options))
    held = RigidBody(body.central_inertia, mass=body.mass, pivot=(0.0, 0.0, 0.0))
    craft = Spacecraft(held, elements=[ring], potentials=[UniformGravity(pull)] if pull.any() else [])
    run = simulate(craft, rate=rate, attitude=attitude, duration=span, at=times, rtol=rtol, compiled=compiled)
    if run.status != "completed":
        raise InputError(f"the consistent model did not come to the end of {span:g} s: {run.reason}")
    return RingComparison(
        t=times,
        consistent=_consistent(craft, run.states[:, : craft.layout.size]),
        published=_published(model, np.array(solution.y.T)),
    )


def _consistent(craft: Spacecraft, states: Array) -> RingHistory:
    rates = np.array([craft.rate(x) for x in states])
    turning = np.array([craft.derivative(0.0, x)[7] for x in states])
    momentum = np.array([craft.inertial_momentum(x) for x in states])
    return RingHistory(
        rotor_momentum=rates @ craft.body.central_inertia,
        momentum=momentum,
        energy=np.array([craft.energy(x) for x in states]),
        nutation=_nutation(momentum, states[:, 3:7]),
        angle=states[:, 7],
        ring_rate=rates[:, 2] + turning,
        attitude=states[:, 3:7],
    )


def _published(model: PublishedRing, states: Array) -> RingHistory:
    momentum = np.array([model.momentum(x) for x in states])
    return RingHistory(
        rotor_momentum=states[:, :3],
        momentum=momentum,
        energy=np.array([model.energy(x) for x in states]),
        nutation=_nutation(momentum, states[:, 3:7]),
        angle=states[:, 7],
        ring_rate=states[:, 8],
        attitude=states[:, 3:7],
    )


def _nutation(momentum: Array, attitude: Array) -> Array:
    """The angle between R k and the momentum."""
    axis = rotation_matrix(attitude / np.linalg.norm(attitude, axis=1)[:, None])[:, :, 2]
    across = np.linalg.norm(np.cross(momentum, axis), axis=1)
    return np.arctan2(across, np.sum(momentum * axis, axis=1))
