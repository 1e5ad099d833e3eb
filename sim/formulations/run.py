"""What comes out of a run in a formulation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft
from ...plant.brief import brief
from ...plant.formulations import Load, RotationModel
from ...plant.frozen import frozen_results

__all__ = ["FormulationRun"]

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class FormulationRun:
    """A trajectory in a formulation, read in the quantities common to all.

    Attributes
    ----------
    model : RotationModel
        The formulation and the body.
    craft : Spacecraft or None
        Whose potentials acted.
    load : Load
        What acted all the time.
    t : numpy.ndarray, shape (n,)
        Times, s.
    x : numpy.ndarray, shape (n, nx)
        States, in the order of `model.formulation.states`.
    attitude : numpy.ndarray, shape (n, 4)
        Euler parameters, of the norm the state has.
    rate : numpy.ndarray, shape (n, 3)
        Body rate, rad/s.
    multiplier : numpy.ndarray, shape (n,), or None
        N m, in the convention of the document; None where the formulation has none.
    status : str
        "completed", "singular" (gimbal lock) or "failed".
    reason : str
        Why, in a sentence; empty when completed.
    closest : float
        The smallest distance of the middle angle from gimbal lock after any step, rad; infinite without angles.
    """

    model: RotationModel
    craft: Spacecraft | None
    load: Load
    t: Array
    x: Array
    attitude: Array
    rate: Array
    multiplier: Array | None
    status: str
    reason: str
    closest: float

    __repr__ = brief

    @property
    def norm_error(self) -> Array:
        """|e|^2 - 1; zero to round-off in Euler angles. Shape (n,)."""
        return (self.attitude * self.attitude).sum(axis=1) - 1.0

    @property
    def energy(self) -> Array:
        """Kinetic energy, potentials of the craft and -f.(A u) of the load's force, J. Shape (n,)."""
        momentum = self.rate @ self.model.inertia
        kinetic = 0.5 * (self.rate * momentum).sum(axis=1)
        unit = self._unit()
        potential = -self._to_inertial(unit, np.broadcast_to(self.load.point, self.rate.shape)) @ self.load.force
        if self.craft is None or not self.craft.potentials:
            return kinetic + potential
        states = np.hstack((momentum, unit))
        craft = np.array([self.craft.energy(x, t=float(t)) for t, x in zip(self.t, states, strict=True)])
        return craft + potential

    @property
    def inertial_momentum(self) -> Array:
        """R J omega, N m s, inertial components, R of e / |e|. Shape (n, 3)."""
        return self._to_inertial(self._unit(), self.rate @ self.model.inertia)

    def _unit(self) -> Array:
        return self.attitude / np.sqrt(1.0 + self.norm_error)[:, np.newaxis]

    @staticmethod
    def _to_inertial(e: Array, a: Array) -> Array:
        s, v = e[:, :1], e[:, 1:]
        turned = np.cross(v, a)
        return a + 2.0 * (s * turned + np.cross(v, turned))
