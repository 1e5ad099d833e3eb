"""Allocation of a body torque to thrusters with the least total force, and the attainable torques."""

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
from .envelope import TorqueEnvelope, as_torques
from .thruster_geometry import cheapest_cones, force_free_rays, reach, reach_force_free

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class ThrusterAllocation(TorqueEnvelope):
    """Allocation of a torque to thrusters with the least total force, and the attainable torques.

        minimise sum f   with   B f = tau,  0 <= f <= limit   (and no net force, if force_free)

    Column k of B is the torque of thruster k per newton. Use the allocation with
    `TorqueBasis("body", envelope=thrusters.envelope)`: the engine then scales an unattainable command down in its
    direction, so that the recorded command equals the torque of f, and `forces(run.values("command"))` returns the
    forces. They apply to throttled thrusters, or are the mean forces of pulsed thrusters over a sample; for
    on-off control see `OnOffThrusters`.

    Parameters
    ----------
    positions : sequence of array_like, shape (m, 3)
        Point of application of each thruster's force, body components, m.
    directions : sequence of array_like, shape (m, 3)
        Direction of each thruster's force on the spacecraft (opposite to the plume), body components, of any nonzero
        length.
    limit : float or array_like, shape (m,)
        Largest force of each thruster, N.
    center : array_like, shape (3,)
        Centre of mass, in the same frame as the positions, m.
    force_free : bool
        Whether the forces must add up to zero, so that the spacecraft is not accelerated.

    Raises
    ------
    InputError
        When no torque is attainable in some direction (stated in the message), a limit is not positive, shapes do not
        match, or no forces add up to zero.

    Examples
    --------
    Six pairs of thrusters on the faces of a 2 m cube push parallel to its edges.

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
        """Matrix G of the attainable torques {tau: G tau <= 1}, shape (k, 3), 1/(N m)."""
        if self.force_free:
            return read_only(reach_force_free(self.torques, self.directions, self.limit))
        return read_only(reach(self.torques, self.limit))

    @property
    def cones(self) -> tuple[Array, Array]:
        """Cones in which the forces of least sum are linear in the torque: forms (k, 3), forces (k, m, 3).

        Both arrays are in 1/m.
        A torque belongs to the cone whose form has the largest scalar product with it.
        """
        return self._cones

    def forces(self, torque: ArrayLike) -> Array:
        """Return the forces of least sum that produce a torque.

        Parameters
        ----------
        torque : array_like, shape (3,) or (n, 3)
            Torque in body components, N m; within the envelope.

        Returns
        -------
        numpy.ndarray, shape (m,) or (n, m)
            Force of each thruster, N, between zero and its limit.

        Raises
        ------
        InputError
            When a torque is outside the envelope.
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

    def _cheapest(self, tau: Array) -> Array:
        if not tau.any():
            return np.zeros(len(self.limit))
        forms, cones = self._cones
        costs = forms @ tau
        ties = np.flatnonzero(costs >= costs.max() * (1.0 - 1e-9))  # triangles of one facet have the same form
        choices = cones[ties] @ tau
        forces = np.maximum(choices[int(np.argmax(choices.min(axis=1)))], 0.0)
        return forces if (forces <= self.limit).all() else self._within_limits(tau)

    def _within_limits(self, tau: Array) -> Array:
        """Return the forces of least sum by linear programming, used if a cone's forces exceed a limit."""
        from scipy.optimize import linprog  # pyright: ignore[reportUnknownVariableType] # scipy is untyped

        share = min(1.0, 1.0 / float((self.envelope @ tau).max()))  # avoids infeasibility due to rounding
        rows = np.vstack((self.torques.T, self.directions.T)) if self.force_free else self.torques.T
        right = np.concatenate((share * tau, np.zeros(rows.shape[0] - 3)))
        bounds = np.column_stack((np.zeros(len(self.limit)), self.limit * (1.0 + 1e-12)))
        found: Any = linprog(np.ones(len(self.limit)), A_eq=rows, b_eq=right, bounds=bounds)
        if found.x is None:
            raise InputError(f"no forces within the limits give the torque {tau.tolist()} N m: {found.message}")
        return np.clip(found.x, 0.0, self.limit)
