"""Steady spins of a craft with internal elements: found to rounding, and judged."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import positive
from ..elements.axis import unit_axis
from ..errors import EquilibriumError, InputError
from ..in_range import in_range
from ..one_thread import one_thread
from .equilibrium import SpinEquilibrium, judged
from .newton import ACCEPTED, Target, solve
from .reduced import Reduced, reduce
from .starts import starts

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = ["spin_equilibria"]

Array = NDArray[np.float64]

REGULAR = 1e-6  # of the mass matrix at the start: where less is left, coordinates fail and nothing is steady
SAME = 1e-7  # in the craft's own units: solutions nearer than that are one


@one_thread
@in_range("the spins")
def spin_equilibria(
    craft: "Spacecraft",
    *,
    rate: float | None = None,
    momentum: float | None = None,
    axis: ArrayLike | None = None,
) -> tuple[SpinEquilibrium, ...]:
    """Return the steady spins of a craft on which nothing acts from outside.

    pi x omega = 0 and p' = 0 with sdot = 0 (friction then is zero), at a given |omega| or |pi|, by Newton's method with
    exact derivatives from each principal axis of the locked craft, with coordinates that are angles (a slug in a ring,
    a pendulum) started all round. A wheel with friction turns at the rate at which its constant `motor_torque` meets
    it, a wheel without at the `relative_rate` its element says; `steady_spin` holds wheels at a rate against friction.
    Where a ring is full or the hub symmetric, spins come in families, and one of each is returned, reached by steps of
    least norm.

    Parameters
    ----------
    craft : Spacecraft
        The craft; a pivot is allowed, potentials and efforts are not, but those of its elements.
    rate : float, optional
        |omega|, rad/s; or give the momentum.
    momentum : float, optional
        |pi|, N m s.
    axis : array_like, shape (3,), optional
        Start only from this direction, body components, in place of the three principal axes.

    Returns
    -------
    tuple of SpinEquilibrium
        In falling order of |pi|/|omega|: spins about the major axis first. A spin the other way round is as good and
        not listed, unless a wheel spins.

    Raises
    ------
    InputError
        When neither or both of rate and momentum are given, one is not positive, the axis has no direction, or
        something acts on the craft from outside.
    EquilibriumError
        When no steady spin is found, as with a motor that accelerates a wheel for ever.

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
    found: list[tuple[Array, SpinEquilibrium]] = []
    for start in starts(system, target, axis=None if axis is None else unit_axis("spin axis", axis)):
        z, residual = solve(system, start, target=target)
        if not residual < ACCEPTED:
            continue
        z = _one_way(system, z)
        if any(_near(system, z, other) for other, _ in found) or system.shape(z)[1] < REGULAR:
            continue
        spin = judged(system, z, residual=residual)
        if not any(_alike(spin, other) and (spin.family or _one_place(system, z, at)) for at, other in found):
            found.append((z, spin))
    if not found:
        raise EquilibriumError(
            "no steady spin was found: a motor may drive a wheel without friction, or a coordinate may have no place "
            "to rest at this rate; look at the elements, or start from another axis"
        )
    spins = [spin for _, spin in found]
    return tuple(sorted(spins, key=lambda spin: -float(np.linalg.norm(spin.momentum) / np.linalg.norm(spin.rate))))


def _one_way(system: Reduced, z: Array) -> Array:
    """The same spin with the largest component of pi positive, unless wheels turn: time runs as well backwards."""
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


def _one_place(system: Reduced, one: Array, other: Array) -> bool:
    """Whether two sets of coordinates mean the same place."""
    turned = np.linalg.norm(one[:3] - other[:3]) > SAME * np.linalg.norm(one[:3])
    return not turned and float(np.abs(system.shape(one)[0] - system.shape(other)[0]).max()) < SAME * 1e-3


def _alike(one: SpinEquilibrium, other: SpinEquilibrium) -> bool:
    """Whether two spins have the same energy, momentum, rate and modes, as those of one family do."""
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
