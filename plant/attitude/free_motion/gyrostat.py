"""Gyrostat, a body with wheels of constant momentum: energy and steady spins on the momentum sphere.

Let h be the total momentum and k the momentum of the wheels, both in body components, and J the inertia without the
freely rotating wheels. Then

    omega = J^-1 (h - k)      E = 1/2 (h - k)' J^-1 (h - k)      h' = h x omega

and h moves along curves of constant E on |h| = H. A spin is steady if omega is parallel to h. The spin is stable if E
is minimal or maximal; if energy is dissipated internally, only if E is minimal. If there are no wheels (k = 0), the
curves are polhodes and the steady spins are the spins about the principal axes. Hughes, Spacecraft Attitude Dynamics
(1986), chap. 6, 7.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...checks import positive, vector
from ...elements import Wheel
from ...frozen import frozen_arrays
from ...hub.dynamics import derivative
from ...hub.packing import mass_matrix
from ...hub.parameters import W_SUMS
from .principal import principal_axes

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft

Array = NDArray[np.float64]

NONE = 1e-9


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class SteadySpin:
    """Steady spin of a gyrostat.

    Attributes
    ----------
    momentum : numpy.ndarray, shape (3,)
        h, body components, N m s.
    rate : numpy.ndarray, shape (3,)
        omega, body components, rad/s.
    kind : str
        Type of the energy's stationary point among all directions of h: "least", "most" or "saddle"; "level" if the
        second variation vanishes in some direction, for example with equal moments.
    """

    momentum: Array
    rate: Array
    kind: str


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Gyrostat:
    """Rigid spacecraft with wheels of constant momentum.

    Attributes
    ----------
    inertia : numpy.ndarray, shape (3, 3)
        J, without the axial inertia of the wheels, kg m^2.
    wheels : numpy.ndarray, shape (3,)
        k, body components, N m s.
    """

    inertia: Array
    wheels: Array

    def rate(self, momentum: ArrayLike) -> Array:
        """Return the body rate at a given momentum.

        Parameters
        ----------
        momentum : array_like, shape (..., 3)
            h, N m s.

        Returns
        -------
        numpy.ndarray, shape (..., 3)
            omega, rad/s.
        """
        left = np.asarray(momentum, dtype=np.float64) - self.wheels
        return np.asarray(np.linalg.solve(self.inertia, left[..., None])[..., 0], dtype=np.float64)

    def energy(self, momentum: ArrayLike) -> Array:
        """Return the energy at a given momentum, without the constant energy of the wheels.

        Parameters
        ----------
        momentum : array_like, shape (..., 3)
            h, N m s.

        Returns
        -------
        numpy.ndarray, shape (...)
            Energy, J.
        """
        left = np.asarray(momentum, dtype=np.float64) - self.wheels
        return np.asarray(0.5 * (left * self.rate(momentum)).sum(axis=-1), dtype=np.float64)

    def steady(self, momentum: float) -> tuple[SteadySpin, ...]:
        """Return the steady spins for a given momentum magnitude.

        Parameters
        ----------
        momentum : float
            H, N m s.

        Returns
        -------
        tuple of SteadySpin
            Steady spins in ascending order of energy: two to six if isolated, or two or four members of each
            continuous family if moments are equal.

        Raises
        ------
        InputError
            When the momentum is not positive.
        """
        size = positive("momentum", momentum, "N m s")
        principal = principal_axes(self.inertia)
        J, axes = principal.moments, principal.axes
        b: Array = self.wheels @ axes / size
        candidates = [size * (axes @ h) for h in _directions(J, b)]
        spins = [
            SteadySpin(momentum=h, rate=self.rate(h), kind=self._kind(h))
            for h in candidates
            if float(np.linalg.norm(np.cross(h, self.rate(h)))) < 1e-6 * size * size / float(J[0])
        ]
        return tuple(sorted(spins, key=lambda spin: float(self.energy(spin.momentum))))

    def _kind(self, h: Array) -> str:
        """Return the type of the stationary point, from the second variation of the energy on the sphere."""
        unit = h / np.linalg.norm(h)
        _, _, rows = np.linalg.svd(unit[None])
        across = rows[1:].T
        least = float(unit @ self.rate(h)) / float(np.linalg.norm(h))
        curved = np.linalg.eigvalsh(across.T @ np.linalg.inv(self.inertia) @ across) - least
        none = NONE / float(np.linalg.eigvalsh(self.inertia)[0])
        if np.abs(curved).min() <= none:
            return "level"
        return "least" if curved[0] > 0.0 else "most" if curved[1] < 0.0 else "saddle"


def _directions(J: Array, b: Array) -> list[Array]:
    """Return all unit vectors h with h - b = mu J h, in principal components.

    The solutions from the roots of a polynomial in mu come first, then those with b_i = 0.
    """
    turns = [i for i in range(3) if abs(float(b[i])) > NONE]
    scale = float(J.mean())
    factors: list[Any] = [np.polynomial.Polynomial((1.0, -float(J[i]) / scale)) ** 2 for i in range(3)]
    directions: list[Array] = []
    if turns:
        whole: Any = np.polynomial.Polynomial((-1.0,))
        for i in turns:
            whole = whole * factors[i]
        for i in turns:
            part: Any = np.polynomial.Polynomial((float(b[i]) ** 2,))
            for j in turns:
                part = part * (factors[j] if j != i else 1.0)
            whole = whole + part
        for root in np.asarray(whole.roots(), dtype=np.complex128):
            mu = float(root.real) / scale
            if abs(root.imag) > 1e-7 * max(1.0, abs(root)) or (np.abs(1.0 - mu * J[turns]) < NONE).any():
                continue
            h = np.zeros(3)
            for _ in range(4):  # Newton iterations on |h|^2 = 1: the polynomial loses half of the digits
                h[turns] = b[turns] / (1.0 - mu * J[turns])
                slope = 2.0 * float((J[turns] * h[turns] ** 2 / (1.0 - mu * J[turns])).sum())
                mu -= (float(h @ h) - 1.0) / slope if slope != 0.0 else 0.0
            directions.append(h / np.linalg.norm(h))
    directions += _with_zero_component(J, b, turns, scale)
    return directions


def _with_zero_component(J: Array, b: Array, turns: list[int], scale: float) -> list[Array]:
    """Return the solutions of `_directions` with mu = 1 / J_i, for each axis i along which b is zero.

    turns: axes with a nonzero component of b; scale: mean moment of inertia, kg m^2.
    """
    directions: list[Array] = []
    for i in (i for i in range(3) if i not in turns):
        h = np.zeros(3)
        if any(abs(float(J[j] - J[i])) < NONE * scale for j in turns):
            continue
        h[turns] = b[turns] / (1.0 - J[turns] / J[i])
        rest = 1.0 - float(h @ h)
        if rest > NONE:
            for sign in (1.0, -1.0):
                h[i] = sign * np.sqrt(rest)
                directions.append(h.copy())
    return directions


def gyrostat(craft: "Spacecraft", x: ArrayLike) -> Gyrostat:
    """Return a spacecraft as a gyrostat: wheels with constant momentum, all other elements locked.

    A wheel with friction but without a motor is also locked, since it comes to rest relative to the hub.

    Parameters
    ----------
    craft : Spacecraft
        The spacecraft.
    x : array_like, shape (nx,)
        The state.

    Returns
    -------
    Gyrostat
        Inertia, and momentum of the wheels.

    Raises
    ------
    InputError
        When the state does not have the length of the spacecraft's state vector.
    """
    state = vector("state", x, craft.layout.size)
    if not craft.elements:
        return Gyrostat(inertia=craft.body.inertia.copy(), wheels=np.zeros(3))
    whole = mass_matrix(craft, craft.pack(), state[craft.layout.internal])
    momenta = state[craft.layout.internal_momentum]
    inertia, wheels, at = whole[:3, :3].copy(), np.zeros(3), 0
    for element in craft.elements:
        if isinstance(element, Wheel) and not _comes_to_rest(element):
            coupling, own = whole[:3, 3 + at], float(whole[3 + at, 3 + at])
            inertia -= np.outer(coupling, coupling) / own
            wheels += coupling * float(momenta[at]) / own
        at += len(element.coordinates)
    return Gyrostat(inertia=inertia, wheels=wheels)


def _comes_to_rest(wheel: Wheel) -> bool:
    driven = wheel.motor_torque != 0.0 or np.any(wheel.command) or np.size(wheel.sharing) > 0
    return (wheel.friction > 0.0 or wheel.dry_friction > 0.0) and not driven


def dissipates(craft: "Spacecraft") -> bool:
    """Return whether an element dissipates energy.

    Parameters
    ----------
    craft : Spacecraft
        The spacecraft.

    Returns
    -------
    bool
        True if the elements lose power when all coordinates move at 1 rad/s or 1 m/s. The power is summed over both
        directions of motion, so that the power of a constant motor torque cancels.
    """
    n = len(craft.layout.coordinates)
    if n == 0:
        return False
    p, w, power = craft.pack(), craft.work_space(), 0.0
    for way in (1.0, -1.0):
        x = np.array(craft.at_rest(), dtype=np.float64)
        whole = mass_matrix(craft, p, x[craft.layout.internal]) @ np.concatenate([np.zeros(3), np.full(n, way)])
        x[:3], x[craft.layout.internal_momentum] = whole[:3], whole[3:]
        derivative(0.0, x, np.zeros(3), p, np.zeros_like(x), _nothing, w)
        power += float(w[int(p[W_SUMS])])
    return power < 0.0


def _nothing(t: float, x: Any, p: Any, dx: Any, w: Any) -> None:
    """Add no user loads."""
