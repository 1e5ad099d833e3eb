"""Allocation of a body torque to thrusters: the cheapest forces, and the attainable torques."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.brief import brief
from ....plant.checks import positive, unit_axis, vector
from ....plant.errors import InputError
from ....plant.frozen import frozen_arrays
from ...contracts.checks import read_only
from .envelope import as_torques, largest_torque, shortened
from .thruster_geometry import cheapest_cones, force_free_rays, reach, reach_force_free

__all__ = ["ThrusterAllocation"]

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class ThrusterAllocation:
    """Allocation of a torque to thrusters at the least total force, and their attainable torques.

        minimise sum f   with   B f = tau,  0 <= f <= limit   (and no net force, if force_free)

    with column k of B the torque of thruster k for one newton. Use it with
    `TorqueBasis("body", envelope=thrusters.envelope)`: the engine reduces an unattainable demand in its own direction,
    so that the recorded command equals the torque of f, and `forces(run.values("command"))` are the forces. These model
    throttled thrusters, or the mean over a sample of pulsed ones; for on-off control see `OnOffThrusters`.

    Parameters
    ----------
    positions : sequence of array_like, shape (m, 3)
        Point of application of each force, body components, m.
    directions : sequence of array_like, shape (m, 3)
        The direction of its force on the craft (against the plume), body components, of any length but zero.
    limit : float or array_like, shape (m,)
        The largest force of each, N.
    center : array_like, shape (3,)
        The mass centre, in the components and from the origin of the positions, m.
    force_free : bool
        Whether the forces must add up to zero, so that the craft is not accelerated.

    Raises
    ------
    InputError
        When no torque is attainable in some direction (the message names it), a limit is not positive, shapes do not
        fit, or no forces add up to zero.

    Examples
    --------
    Six pairs on a cube of 2 m push along its edges.

    >>> positions, directions = [], []
    >>> for k in range(3):
    ...     arm, push = np.eye(3)[k], np.eye(3)[(k + 1) % 3]
    ...     positions += [arm, arm, -arm, -arm]
    ...     directions += [push, -push, push, -push]
    >>> thrusters = ThrusterAllocation(positions, directions, limit=10.0, force_free=True)
    >>> thrusters.forces((0.0, 0.0, 3.0)).tolist()
    [1.5, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    >>> round(thrusters.largest((0, 0, 1)), 9)
    20.0
    """

    torques: Array
    directions: Array
    limit: Array
    force_free: bool
    _cones: tuple[Array, Array] = field(repr=False)

    __repr__ = brief

    def __init__(
        self,
        positions: Sequence[ArrayLike],
        directions: Sequence[ArrayLike],
        *,
        limit: float | ArrayLike,
        center: ArrayLike = (0.0, 0.0, 0.0),
        force_free: bool = False,
    ) -> None:
        m = len(positions)
        if len(directions) != m or m == 0:
            raise InputError(f"each thruster needs a position and a direction; got {m} and {len(directions)}")
        middle = vector("center", center, unit="m")
        units = np.array([unit_axis(f"direction of thruster {n}", d) for n, d in enumerate(directions, 1)])
        places = np.array([vector(f"position of thruster {n}", p, unit="m") for n, p in enumerate(positions, 1)])
        limits = np.full(m, limit, dtype=np.float64) if np.ndim(limit) == 0 else vector("thrust limit", limit, m, "N")
        for value in limits:
            positive("thrust limit", float(value), "N")
        object.__setattr__(self, "torques", read_only(np.cross(places - middle, units)))
        object.__setattr__(self, "directions", read_only(units))
        object.__setattr__(self, "limit", read_only(limits))
        object.__setattr__(self, "force_free", bool(force_free))
        rays = force_free_rays(units) if force_free else np.eye(m)
        if not len(rays):
            raise InputError(f"no forces of these {m} thrusters add up to zero; use force_free=False")
        object.__setattr__(self, "_cones", cheapest_cones(rays, self.torques))

    @cached_property
    def envelope(self) -> Array:
        """G of the attainable torques {tau: G tau <= 1}, shape (k, 3), 1/(N m)."""
        if self.force_free:
            return read_only(reach_force_free(self.torques, self.directions, self.limit))
        return read_only(reach(self.torques, self.limit))

    @property
    def cones(self) -> tuple[Array, Array]:
        """Cones in which the cheapest forces are linear in the torque: forms (k, 3), 1/m, and forces (k, m, 3), 1/m.

        The cone of a torque has the largest product with its form.
        """
        return self._cones

    def forces(self, torque: ArrayLike) -> Array:
        """Return the forces that give a torque.

        Parameters
        ----------
        torque : array_like, shape (3,) or (n, 3)
            Body components, N m; within the envelope.

        Returns
        -------
        numpy.ndarray, shape (m,) or (n, m)
            N; between zero and the limit of each thruster.

        Raises
        ------
        InputError
            When a torque is beyond the envelope.
        """
        rows = as_torques(torque)
        load = (rows @ self.envelope.T).max(axis=1)
        worst = int(np.argmax(load))
        if load[worst] > 1.0 + 1e-9:
            raise InputError(
                f"the torque {rows[worst].tolist()} N m is {load[worst]:.4g} times the attainable torque in its "
                "direction; reduce it by limited(torque)"
            )
        found = np.array([self._cheapest(row) for row in rows])
        return found[0] if np.ndim(torque) == 1 else found

    def largest(self, direction: ArrayLike) -> float:
        """Return the largest torque in a direction.

        Parameters
        ----------
        direction : array_like, shape (3,)
            Body components, of any length but zero.

        Returns
        -------
        float
            N m.
        """
        return largest_torque(self.envelope, direction)

    def limited(self, torque: ArrayLike) -> Array:
        """Return the torque, reduced in its own direction to the attainable one.

        Parameters
        ----------
        torque : array_like, shape (3,) or (n, 3)
            Body components, N m.

        Returns
        -------
        numpy.ndarray, shape (3,) or (n, 3)
            N m.
        """
        return shortened(self.envelope, torque)

    def _cheapest(self, tau: Array) -> Array:
        if not tau.any():
            return np.zeros(len(self.limit))
        forms, cones = self._cones
        costs = forms @ tau
        ties = np.flatnonzero(costs >= costs.max() * (1.0 - 1e-9))  # triangles of one face share their form
        choices = cones[ties] @ tau
        forces = np.maximum(choices[int(np.argmax(choices.min(axis=1)))], 0.0)
        return forces if (forces <= self.limit).all() else self._within_limits(tau)

    def _within_limits(self, tau: Array) -> Array:
        """Return the forces where the cheapest cone exceeds the limit of a thruster and others must help."""
        from scipy.optimize import linprog  # pyright: ignore[reportUnknownVariableType] # scipy is untyped

        share = min(1.0, 1.0 / float((self.envelope @ tau).max()))  # avoids infeasibility by rounding
        rows = np.vstack((self.torques.T, self.directions.T)) if self.force_free else self.torques.T
        right = np.concatenate((share * tau, np.zeros(rows.shape[0] - 3)))
        bounds = np.column_stack((np.zeros(len(self.limit)), self.limit * (1.0 + 1e-12)))
        found: Any = linprog(np.ones(len(self.limit)), A_eq=rows, b_eq=right, bounds=bounds)
        if found.x is None:
            raise InputError(f"no forces within the limits give the torque {tau.tolist()} N m: {found.message}")
        return np.clip(found.x, 0.0, self.limit)
