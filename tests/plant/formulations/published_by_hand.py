"""Shivarama & Fahrenthold (2004) (63)-(68) in matrix form: the reference for the published ring."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from polhode.plant import RigidBody, RingDamper
from polhode.plant.attitude import matrix_E, matrix_G


@dataclass(frozen=True, kw_only=True)
class ByHand:
    """Rotor with a ring about z under gravity: state h (3), e (4), beta, w_m3."""

    body: RigidBody
    ring: RingDamper
    gravity: Any = (0.0, 0.0, 0.0)

    def state(self, *, rate, attitude=(1.0, 0.0, 0.0, 0.0)):
        tail = [self.ring.angle, rate[2] + self.ring.relative_rate]
        return np.concatenate([self.body.central_inertia @ rate, attitude, tail])

    def derivative(self, x, torque=(0.0, 0.0, 0.0)):
        """(63)-(66), with an external torque on the rotor."""
        h, e = x[:3], x[3:7]
        omega = h / np.diag(self.body.central_inertia)
        turn, inertia, r = self._ring(x[7])
        ring_rate = np.array([*(turn @ omega)[:2], x[8]])
        pull = self.ring.mass * (turn @ matrix_G(e) @ matrix_E(e).T @ self.gravity)  # on the ring, in its axes
        potential = -(r[0] * pull[1] - r[1] * pull[0])  # dV/dbeta
        friction = self.ring.friction * self.ring.radius**2 * (x[8] - omega[2])
        along = np.linalg.solve(inertia, np.array([0.0, 0.0, 1.0]))  # Jm^-1 c
        spin_up = -along @ np.cross(ring_rate, inertia @ ring_rate) - (friction + potential) * along[2]
        on_rotor = turn.T @ np.cross(r, pull) + np.array([0.0, 0.0, friction + potential]) + torque
        rates = [np.cross(h, omega) + on_rotor, 0.5 * matrix_G(e).T @ omega, [x[8] - omega[2], spin_up]]
        return np.concatenate(rates)

    def momentum(self, x):
        """R (h + B' Jm w_m)."""
        turn, inertia, _ = self._ring(x[7])
        return matrix_E(x[3:7]) @ matrix_G(x[3:7]).T @ (x[:3] + turn.T @ inertia @ self._ring_rate(x, turn))

    def energy(self, x):
        turn, inertia, r = self._ring(x[7])
        rate = self._ring_rate(x, turn)
        height = self.gravity @ matrix_E(x[3:7]) @ matrix_G(x[3:7]).T @ (turn.T @ r)  # times g
        spin = x[:3] @ (x[:3] / np.diag(self.body.central_inertia))
        return float(0.5 * (spin + rate @ inertia @ rate) - self.ring.mass * height)

    def _ring_rate(self, x, turn):
        omega = x[:3] / np.diag(self.body.central_inertia)
        return np.array([*(turn @ omega)[:2], x[8]])

    def _ring(self, beta):
        """B, and inertia and mass centre of the ring about the rotor's mass centre, in the axes of the ring."""
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
