"""Steady spins of a craft with internal elements: found to rounding, and judged."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import positive
from ..elements.axis import unit_axis
from ..errors import EquilibriumError, InputError
from .energy_sink import energy_sink
from .modes import modes
from .newton import ACCEPTED, Target, solve
from .reduced import Reduced, reduce
from .second_variation import second_variation
from .starts import starts
from .verdict import judge, place, sentence

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = ["SpinEquilibrium", "spin_equilibria"]

Array = NDArray[np.float64]

SAME = 1e-7  # in the craft's own units: solutions nearer than that are one


@dataclass(frozen=True, eq=False, kw_only=True)
class SpinEquilibrium:
    """A steady spin: everything turns as one, or wheels at constant rates beside it.

    Attributes
    ----------
    state : numpy.ndarray, shape (nx,)
        The state of the craft, for `Spacecraft.linearize` and simulation; attitude (1, 0, 0, 0).
    rate : numpy.ndarray, shape (3,)
        omega, body components, rad/s.
    momentum : numpy.ndarray, shape (3,)
        pi, along omega, body components, N m s.
    coordinates : numpy.ndarray, shape (n,)
        s: where the elements lie, in the units of `StateLayout`.
    relative_rates : numpy.ndarray, shape (n,)
        sdot: zero but for wheels.
    energy : float
        J.
    residual : float
        The largest rate of change left, in the craft's own units: 1e-13 or less, when only rounding is left.
    axis : str
        "major", "middle" or "minor" principal axis of the craft locked as it is, "equal" where another moment is equal.
        Where a wheel spins, the axis nearest to the spin.
    moments : numpy.ndarray, shape (3,)
        Principal moments of the locked craft, that of the spin axis first, kg m^2.
    kind : str
        "asymptotically stable", "neutrally stable" or "unstable", at constant momentum.
    eigenvalues : numpy.ndarray
        Of the exact linear motion of pi, s and p at constant momentum, 1/s, by real part; without those that any
        craft has (attitude, size of the momentum, wheels without friction) and without the zeros of the family.
    nutation : complex
        The eigenvalue of the nutation, 1/s.
    energy_sink : float
        The energy-sink estimate of its real part, 1/s; not a number where the locked craft does not nutate.
    variation : numpy.ndarray
        Eigenvalues of the second variation of the energy at constant momentum, per pi.omega: all positive means a
        minimum.
    family : int
        The dimension of the family of steady spins of this momentum it belongs to, as when the hub is symmetric about
        the axis of a ring; 0 when it stands alone.
    words : str
        The verdict as a sentence, with its evidence.
    """

    state: Array
    rate: Array
    momentum: Array
    coordinates: Array
    relative_rates: Array
    energy: float
    residual: float
    axis: str
    moments: Array
    kind: str
    eigenvalues: NDArray[np.complex128]
    nutation: complex
    energy_sink: float
    variation: Array
    family: int
    words: str

    @property
    def time_constants(self) -> Array:
        """-1/Re of every eigenvalue, s: negative for what grows, infinite for what lasts."""
        real = self.eigenvalues.real
        return np.divide(-1.0, real, out=np.full(len(real), np.inf), where=real != 0.0)


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
    a pendulum) started all round. A wheel with friction turns at the rate at which its motor holds it, a wheel
    without at the `relative_rate` its element says. Where a ring is full or the hub symmetric, spins come in families,
    and one of each is returned, reached by steps of least norm.

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
        if any(_near(system, z, other) for other, _ in found):
            continue
        spin = _judged(system, z, residual)
        if not any(_of_one_family(spin, other) for _, other in found):
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


def _of_one_family(one: SpinEquilibrium, other: SpinEquilibrium) -> bool:
    """Whether two spins of a family have the same energy, momentum, rate and eigenvalues."""
    if one.family == 0 or one.family != other.family:
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


def _judged(system: Reduced, z: Array, residual: float) -> SpinEquilibrium:
    """A solution with its verdict."""
    _, velocities = system.move(z)
    omega, state = velocities[:3], system.state(z)
    variation = second_variation(system, z)
    found = modes(variation)
    where = place(system.craft.locked_inertia(state), omega, z[:3])
    speed = float(np.linalg.norm(omega))
    kind = judge(found, speed)
    return SpinEquilibrium(
        state=state,
        rate=omega + 0.0,  # no -0
        momentum=z[:3].copy(),
        coordinates=state[system.craft.layout.internal].copy(),
        relative_rates=velocities[3:],
        energy=system.craft.energy(state),
        residual=residual,
        axis=where.name,
        moments=where.moments,
        kind=kind,
        eigenvalues=found.eigenvalues,
        nutation=found.nutation,
        energy_sink=energy_sink(variation),
        variation=found.variation,
        family=found.family,
        words=sentence(kind, where, found, speed=speed),
    )
