"""Reduced motion of a free spacecraft without attitude: pi, s and p, their rates and exact derivatives.

If there is no external torque, nothing depends on the attitude. The motion of z = (pi, s, p) is therefore autonomous:

    pi' = pi x omega      s' = sdot      p' = -dH/ds + Q(s, sdot)

z omits ignorable coordinates, such as the angle of a wheel, but keeps their momenta.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...checks import of_kind
from ...elements.branch import branches
from ...elements.cyclic import cyclic_flags
from ...errors import InputError
from ...frozen import frozen_arrays
from ...hub.composition import compose_mass
from ...hub.dynamics import body_rate, derivative
from ...hub.packing import mass_matrix
from ...hub.parameters import W_MOMENT, W_V

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft

Array = NDArray[np.float64]
STEP = 1e-40
NO_FRICTION = 1e-12  # slip rate relative to the spin rate, below which a wheel counts as frictionless


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Slopes:
    """Rates, velocities and their derivatives at a point z.

    rates (3 + k + n,): z'.
    velocities (3 + n,): omega and sdot.
    a (3 + k + n, 3 + k + n): dz'/dz.
    b (3 + n, 3 + k + n): d(omega, sdot)/dz.
    """

    rates: Array
    velocities: Array
    a: Array
    b: Array


@frozen_arrays
@dataclass(frozen=True, eq=False)
class Reduced:
    """Spacecraft as z' = f(z), with n internal coordinates, k of them not ignorable.

    parameters: packed parameters.
    kept (k,): coordinates on which an energy depends.
    scales (3 + k + n,): typical magnitude of each entry of z at 1 rad/s: a moment of inertia, a radian or a length, or
        a momentum. Momenta scale with the rate.
    own (n,): generalised mass of each coordinate at the initial coordinates, kg m^2 or kg.
    """

    craft: "Spacecraft"
    parameters: Array
    kept: NDArray[np.int64]
    scales: Array
    own: Array

    @property
    def n(self) -> int:
        """Number of internal coordinates."""
        return len(self.craft.layout.coordinates)

    @property
    def k(self) -> int:
        """Number of coordinates that are not ignorable."""
        return len(self.kept)

    @property
    def momenta(self) -> Array:
        """Flags of the entries of z: 1 for momenta, which scale with the rate; 0 for coordinates."""
        return np.concatenate([np.ones(3), np.zeros(self.k), np.ones(self.n)])

    def state(self, z: Any) -> Any:
        """Return the state at z, with attitude (1, 0, 0, 0) and the mass centre at rest at the origin.

        z (3 + k + n,): pi, s, p -> (nx,), of the type of z.
        """
        layout = self.craft.layout
        x = np.zeros(layout.size, dtype=z.dtype)
        x[:3], x[3] = z[:3], 1.0
        x[layout.internal] = self.craft.initial_coordinates
        x[7 + self.kept] = z[3 : 3 + self.k]
        x[layout.internal_momentum] = z[3 + self.k :]
        return x

    def start(self, omega: Array, coordinates: Array, *, relative_rates: Array) -> Array:
        """Return z for a body rate, coordinates and relative rates.

        omega (3,): rad/s.
        coordinates (n,).
        relative_rates (n,): sdot; set to zero for coordinates that are not ignorable.
        -> (3 + k + n,): pi, s, p.
        """
        rates = relative_rates.copy()
        rates[self.kept] = 0.0
        whole = mass_matrix(self.craft, self.parameters, coordinates) @ np.concatenate([omega, rates])
        return np.concatenate([whole[:3], coordinates[self.kept], whole[3:]])

    def shape(self, z: Array) -> tuple[Array, float]:
        """Return the mass distribution at z and a measure of the regularity of the coordinates.

        z (3 + k + n,): pi, s, p.
        -> shape (12,): locked inertia and first moment, each relative to its initial magnitude. It is equal for
            two sets of coordinates that describe the same configuration, such as both solutions of a cross joint.
        regular: smallest eigenvalue of the scaled mass matrix; zero if the coordinates are singular, for example in a
            cross joint at 90 degrees.
        """
        x, w = self.state(z), self.craft.work_space()
        matrix = mass_matrix(self.craft, self.parameters, x[self.craft.layout.internal])
        compose_mass(0.0, x, np.zeros(3), self.parameters, w)
        at, inertia = int(self.parameters[W_MOMENT]), self.scales[0]
        mass = self.craft.mass if self.craft.mass > 0.0 else sum(element.mass for element in self.craft.elements)
        moment = w[at : at + 3] / np.sqrt(inertia * mass) if mass > 0.0 else np.zeros(3)
        weights = np.sqrt(np.concatenate([np.full(3, inertia), self.own]))
        regular = float(np.linalg.eigvalsh(matrix / np.outer(weights, weights)).min())
        return np.concatenate([matrix[:3, :3].ravel() / inertia, moment]), regular

    def move(self, z: Any) -> tuple[Any, Any]:
        """Return rates and velocities at z.

        z (3 + k + n,): real or complex -> rates (3 + k + n,); velocities (3 + n,): omega, sdot.
        """
        x, n = self.state(z), self.n
        dx, w, u = np.zeros_like(x), self.craft.work_space(dtype=x.dtype), np.zeros(3)
        derivative(0.0, x, u, self.parameters, dx, _nothing, w)
        rates = np.concatenate([dx[:3], dx[7 + self.kept], dx[7 + n : 7 + 2 * n]])
        if n == 0:
            return rates, np.array(body_rate(0.0, x, u, self.parameters, w))
        at = int(self.parameters[W_V])
        return rates, w[at : at + 3 + n].copy()

    def slopes(self, z: Array) -> Slopes:
        """Return rates, velocities and their derivatives at z, computed by complex steps.

        z (3 + k + n,): pi, s, p -> exact to rounding.
        """
        size = len(z)
        a, b = np.zeros((size, size)), np.zeros((3 + self.n, size))
        for column in range(size):
            point = z.astype(np.complex128)
            point[column] += 1j * STEP
            rates, velocities = self.move(point)
            a[:, column], b[:, column] = np.imag(rates) / STEP, np.imag(velocities) / STEP
        rates, velocities = self.move(z)
        return Slopes(rates=rates, velocities=velocities, a=a, b=b)


def reduce(craft: "Spacecraft") -> Reduced:
    """Return the motion of a spacecraft without its attitude, as z' = f(z).

    Raises InputError if an external load acts on the spacecraft.
    """
    require_alone(craft)
    if branches(craft.elements):
        raise InputError(
            "the stability of spins with flexible arms is not implemented; polhode.plant.steady_spin finds one spin, "
            "for craft.linearize(x), and polhode.plant.flexible.reduce_craft replaces arms by modes"
        )
    kept = np.flatnonzero(~np.array(cyclic_flags(craft.elements), dtype=bool)).astype(np.int64)
    parameters = craft.pack()
    whole = mass_matrix(craft, parameters, craft.initial_coordinates)
    inertia = float(np.linalg.eigvalsh(whole[:3, :3]).max())
    own = np.diag(whole)[3:]
    turns = np.array([unit == "rad" for unit in craft.layout.coordinate_units], dtype=bool)
    sizes = np.where(turns, 1.0, np.sqrt(inertia / np.where(turns, 1.0, own)))
    scales = np.concatenate([np.full(3, inertia), sizes[kept], own * sizes])
    return Reduced(craft, parameters, kept, scales, own)


def require_alone(craft: "Spacecraft") -> None:
    """Raise InputError unless `craft` is a Spacecraft without external loads."""
    from ...spacecraft import Spacecraft

    of_kind("craft", craft, Spacecraft, such_as="a Spacecraft")
    driven = [name for element in craft.elements for name in getattr(element, "rate_commanded", ())]
    if driven:
        raise InputError(
            "steady spins require elements that move freely; the rate loop of a control moment gyro holds its gimbal "
            "at any angle: omit time_constant for a free gimbal, or linearise about a state of your choice with "
            "craft.linearize(x)"
        )
    moving = [type(each).__name__ for each in craft.elements if getattr(each, "time_dependent", False)]
    if moving:
        raise InputError(
            f"steady spins require elements that do not depend on time; this spacecraft has {', '.join(moving)} with a "
            "drive: set the drive rate to zero"
        )
    outside = [type(part).__name__ for part in (*craft.potentials, *craft.user_forces)]
    if outside:
        raise InputError(
            f"steady spins require a spacecraft without external loads; this one has {', '.join(outside)}: remove "
            "these loads, or linearise about any state with craft.linearize(x)"
        )


def held_wheels(system: Reduced, found: Slopes) -> NDArray[np.int64]:
    """Return the indices of frictionless wheels, whose momentum is constant.

    system: the spacecraft; found: derivatives at any point -> coordinate indices. In a steady spin such a wheel has the
    initial relative rate of its element.
    """
    at, speed = 3 + system.k, float(np.linalg.norm(found.velocities[:3]))
    slip = np.abs(found.a[at:, at:]).max(axis=1, initial=0.0)  # friction over inertia, 1/s
    loose = [i for i in range(system.n) if i not in system.kept and slip[i] <= NO_FRICTION * speed]
    return np.array(loose, dtype=np.int64)


def _nothing(t: float, x: Any, p: Any, dx: Any, w: Any) -> None:
    """Add no user loads."""
