"""Steady spins of a spacecraft with internal elements and their stability."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...checks import positive, unit_axis
from ...errors import EquilibriumError, InputError
from ...in_range import in_range
from ...one_thread import one_thread
from .equilibrium import SpinEquilibrium, judged
from .newton import ACCEPTED, Target, solve
from .reduced import Reduced, reduce
from .starts import starts

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft

Array = NDArray[np.float64]

REGULAR = 1e-6  # smallest `regular` of `Reduced.shape` at which the coordinates count as not singular
SAME = 1e-7  # scaled distance below which two solutions are the same


@one_thread
@in_range("the spins")
def spin_equilibria(
    craft: Spacecraft,
    *,
    rate: float | None = None,
    momentum: float | None = None,
    axis: ArrayLike | None = None,
) -> tuple[SpinEquilibrium, ...]:
    """Return the steady spins of a spacecraft without external loads.

    Solves pi x omega = 0 and p' = 0 with sdot = 0 (zero friction) at a given |omega| or |pi|. Newton's method with
    exact derivatives starts from each principal axis of the locked spacecraft. The starting values of coordinates that
    are angles (a slug in a ring, a pendulum) are spread over the full circle. A wheel with friction rotates at the rate
    at which its constant `motor_torque` balances friction, a frictionless wheel at the `relative_rate` of its element.
    `steady_spin` can also hold wheels at a rate against friction. If a ring is full or the hub is symmetric, spins form
    families; one spin of each family is returned, reached by minimum-norm steps.

    Parameters
    ----------
    craft : Spacecraft
        The spacecraft; a pivot is allowed, potentials and user forces are not.
    rate : float, optional
        |omega|, rad/s; alternative to the momentum.
    momentum : float, optional
        |pi|, N m s; alternative to the rate.
    axis : array_like, shape (3,), optional
        Start from this direction only, body components, instead of the three principal axes.

    Returns
    -------
    tuple of SpinEquilibrium
        In descending order of |pi|/|omega|: spins about the major axis come first. The reversed spin is equivalent
        and therefore not listed, unless a wheel spins.

    Raises
    ------
    InputError
        When not exactly one of rate and momentum is given, the given one is not positive, the axis has no
        direction, or an external load acts on the spacecraft.
    EquilibriumError
        When no steady spin is found, for example if a motor keeps accelerating a wheel.

    Examples
    --------
    >>> from polhode import plant
    >>> ring = plant.RingDamper(axis=(0, 0, 1), mass=0.05, radius=0.5, center=(0, 0, 0.3), fill=2.0943951, friction=0.2)
    >>> craft = plant.Spacecraft(plant.RigidBody((1, 1, 1.6), pivot=(0, 0, 0)), elements=[ring])
    >>> spin = plant.spin_equilibria(craft, rate=10.0)[0]
    >>> print(f"{spin.nutation:.6f}; {spin.energy_sink:.4f}; {spin.kind}")
    -0.078615+6.073347j; -0.0824; asymptotically stable
    """
    if (rate is None) == (momentum is None):
        raise InputError("give either the rate (rad/s) or the momentum (N m s) of the spin")
    target = Target(
        rate=None if rate is None else positive("rate", rate, "rad/s"),
        momentum=None if momentum is None else positive("momentum", momentum, "N m s"),
    )
    system = reduce(craft)
    results: list[tuple[Array, SpinEquilibrium]] = []
    for start in starts(system, target, axis=None if axis is None else unit_axis("spin axis", axis)):
        z, residual = solve(system, start, target=target)
        if not residual < ACCEPTED:
            continue
        z = _oriented(system, z)
        if any(_near(system, z, other) for other, _ in results) or system.shape(z)[1] < REGULAR:
            continue
        spin = judged(system, z, residual=residual)
        if not any(
            _same_invariants(spin, other) and (spin.family or _same_shape(system, z, at)) for at, other in results
        ):
            results.append((z, spin))
    if not results:
        raise EquilibriumError(
            "no steady spin was found: a motor may drive a wheel without friction, or a coordinate may have no "
            "equilibrium at this rate; check the elements, or start from another axis"
        )
    spins = [spin for _, spin in results]
    return tuple(sorted(spins, key=lambda spin: -float(np.linalg.norm(spin.momentum) / np.linalg.norm(spin.rate))))


def _oriented(system: Reduced, z: Array) -> Array:
    """Return the spin or its reverse, whichever has a positive largest component of pi; unchanged if wheels rotate."""
    _, velocities = system.move(z)
    speed = float(np.linalg.norm(velocities[:3]))
    if np.abs(velocities[3:]).max(initial=0.0) > SAME * speed or z[int(np.argmax(np.abs(z[:3])))] > 0.0:
        return z
    return np.where(system.momenta > 0.0, -z, z)


def _near(system: Reduced, one: Array, other: Array) -> bool:
    _, velocities = system.move(one)
    units = system.scales * float(np.linalg.norm(velocities[:3])) ** system.momenta
    gap = one - other
    angles = [3 + i for i, n in enumerate(system.kept) if system.craft.layout.coordinate_units[n] == "rad"]
    gap[angles] = np.remainder(gap[angles] + np.pi, 2.0 * np.pi) - np.pi
    return float(np.abs(gap / units).max()) < SAME


def _same_shape(system: Reduced, one: Array, other: Array) -> bool:
    """Return whether two sets of coordinates describe the same configuration."""
    turned = np.linalg.norm(one[:3] - other[:3]) > SAME * np.linalg.norm(one[:3])
    return not turned and float(np.abs(system.shape(one)[0] - system.shape(other)[0]).max()) < SAME * 1e-3


def _same_invariants(one: SpinEquilibrium, other: SpinEquilibrium) -> bool:
    """Return whether two spins have equal energy, momentum, rate and eigenvalues, as in a family."""
    if one.family != other.family:
        return False
    pairs = (
        (one.energy, other.energy),
        (np.linalg.norm(one.momentum), np.linalg.norm(other.momentum)),
        (np.linalg.norm(one.rate), np.linalg.norm(other.rate)),
    )
    speed = float(np.linalg.norm(one.rate))
    return all(abs(a - b) <= SAME * abs(a) for a, b in pairs) and bool(
        np.allclose(one.variation, other.variation, rtol=SAME, atol=SAME)
        and abs(one.nutation - other.nutation) <= SAME * speed
    )
