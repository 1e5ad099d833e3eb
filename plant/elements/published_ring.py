"""The ring nutation damper as published: Shivarama & Fahrenthold (2004), (63)-(68), for comparison only.

    h' = h x omega - 1/2 G dV/de + mu c        e' = 1/2 G' J^-1 h        beta' = w_m3 - h3/J3
    w_m3' = -c' Jm^-1 (w_m x Jm w_m) - mu c' Jm^-1 c
    mu = Cd R^2 (w_m3 - h3/J3) + dV/dbeta,  c = (0, 0, 1),  w_m = (cos b w1 + sin b w2, -sin b w1 + cos b w2, w_m3)
    V = -m g' R B' r_c      (their (50), with R for R')

A multiplier enters for (59) alone; the torques with which the ring and the rotor keep each other to (58) are missing
from (60). So the rotor never feels the ring across its axis: with V = 0 and J1 = J2 its transverse momentum keeps its
size exactly, nutation is not damped, the total angular momentum drifts and energy grows. It is therefore no element of
a craft; `RingDamper` is the consistent damper, and `polhode.sim.compare_published_ring` runs both.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..attitude import matrix_G
from ..checks import unit_quaternion, vector
from ..errors import InputError
from ..frozen import frozen_arrays
from ..rigid_body import RigidBody
from ..rotation import to_body, to_inertial
from .ring_damper import RingDamper

__all__ = ["PublishedRing"]

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class PublishedRing:
    """A rotor with a ring damper in the published equations: state h (3), e (4), beta, w_m3.

    Parameters
    ----------
    body : RigidBody
        The rotor, turning about its mass centre, body axes principal.
    ring : RingDamper
        The ring, about body z, its centre on that axis.
    gravity : array_like, shape (3,)
        g, inertial components, m/s^2; it pulls on the ring.

    Raises
    ------
    InputError
        When the axes of the body are not principal, or the ring is not about z.

    Examples
    --------
    >>> ring = RingDamper(axis=(0, 0, 1), mass=0.05, radius=0.5, friction=0.2, center=(0, 0, 0.3), fill=2.0)
    >>> model = PublishedRing(body=RigidBody((1.0, 1.0, 1.6)), ring=ring)
    >>> model.derivative(model.state(rate=(2.0, 0.0, 10.0)))[:2].round(12)  # nothing but free motion across the axis
    array([ 0., 12.])
    """

    body: RigidBody
    ring: RingDamper
    gravity: ArrayLike = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "gravity", vector("gravity", self.gravity, unit="m/s^2"))
        inertia = self.body.central_inertia
        if np.count_nonzero(inertia - np.diag(np.diag(inertia))):
            raise InputError("the published ring model is written in principal axes; give the rotor three moments")
        if self.body.pivot is not None and self.body.pivot.any():
            raise InputError("the published ring model turns about the mass centre of the rotor; leave out the pivot")
        center = np.asarray(self.ring.center)
        if not np.array_equal(np.asarray(self.ring.axis), (0.0, 0.0, 1.0)) or center[0] or center[1]:
            raise InputError("the published ring model has its ring about body z, with the centre on that axis")

    def state(self, *, rate: ArrayLike, attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0)) -> Array:
        """Return the state at a body rate, with the angle and relative rate of the ring.

        Parameters
        ----------
        rate : array_like, shape (3,)
            omega of the rotor, rad/s.
        attitude : array_like, shape (4,)
            Euler parameters, scalar first.

        Returns
        -------
        numpy.ndarray, shape (9,)
            h, e, beta, w_m3.
        """
        omega = vector("rate", rate, unit="rad/s")
        e = unit_quaternion("attitude", attitude)
        tail = [self.ring.angle, omega[2] + self.ring.relative_rate]
        return np.concatenate([self.body.central_inertia @ omega, e, tail])

    def derivative(self, x: ArrayLike) -> Array:
        """Return dx/dt, (63)-(66).

        Parameters
        ----------
        x : array_like, shape (9,)
            The state.

        Returns
        -------
        numpy.ndarray, shape (9,)
            The rates of change.
        """
        x = np.asarray(x)
        h, e = x[:3], x[3:7]
        omega = h / np.diag(self.body.central_inertia)
        turn, inertia, r = self._ring(x[7])
        ring_rate = np.array([*(turn @ omega)[:2], x[8]])
        pull = self.ring.mass * (turn @ np.array(to_body(*e, *np.asarray(self.gravity))))  # on the ring, its own axes
        potential = -(r[0] * pull[1] - r[1] * pull[0])  # dV/dbeta
        friction = self.ring.friction * self.ring.radius**2 * (x[8] - omega[2])
        along = np.linalg.solve(inertia, np.array([0.0, 0.0, 1.0]))  # Jm^-1 c
        spin_up = -along @ np.cross(ring_rate, inertia @ ring_rate) - (friction + potential) * along[2]
        torque = turn.T @ np.cross(r, pull) + np.array([0.0, 0.0, friction + potential])
        rates = [np.cross(h, omega) + torque, 0.5 * matrix_G(e).T @ omega, [x[8] - omega[2], spin_up]]
        return np.concatenate(rates)

    def momentum(self, x: ArrayLike) -> Array:
        """Return the angular momentum of rotor and ring, R (h + B' Jm w_m).

        Parameters
        ----------
        x : array_like, shape (9,)
            The state.

        Returns
        -------
        numpy.ndarray, shape (3,)
            Inertial components, N m s.
        """
        x = np.asarray(x)
        turn, inertia, _ = self._ring(x[7])
        return np.array(to_inertial(*x[3:7], *(x[:3] + turn.T @ inertia @ self._ring_rate(x, turn))))

    def energy(self, x: ArrayLike) -> float:
        """Return the energy of rotor and ring, kinetic and potential.

        Parameters
        ----------
        x : array_like, shape (9,)
            The state.

        Returns
        -------
        float
            J.
        """
        x = np.asarray(x)
        turn, inertia, r = self._ring(x[7])
        rate = self._ring_rate(x, turn)
        height = np.asarray(self.gravity) @ np.array(to_inertial(*x[3:7], *(turn.T @ r)))  # times g
        spin = x[:3] @ (x[:3] / np.diag(self.body.central_inertia))
        return float(0.5 * (spin + rate @ inertia @ rate) - self.ring.mass * height)

    def _ring_rate(self, x: Any, turn: Any) -> Any:
        omega = x[:3] / np.diag(self.body.central_inertia)
        return np.array([*(turn @ omega)[:2], x[8]])

    def _ring(self, beta: float) -> tuple[Array, Array, Array]:
        """B, and in the axes of the ring its inertia and mass centre about that of the rotor."""
        turn = np.array([[np.cos(beta), np.sin(beta), 0.0], [-np.sin(beta), np.cos(beta), 0.0], [0.0, 0.0, 1.0]])
        m, radius, height = self.ring.mass, self.ring.radius, float(np.asarray(self.ring.center)[2])
        half, full = 0.5 * self.ring.fill, self.ring.fill
        mean = 0.0 if self.ring.cyclic else radius * np.sin(half) / half
        share = 0.0 if self.ring.cyclic else np.sin(full) / full
        square = 0.5 * m * radius**2
        first, second = square * (1.0 - share) + m * height**2, square * (1.0 + share) + m * height**2
        product = -m * mean * height  # Jm13 = -Jm4
        inertia = np.array([[first, 0.0, product], [0.0, second, 0.0], [product, 0.0, 2.0 * square]])
        return turn, inertia, np.array([mean, 0.0, height])
