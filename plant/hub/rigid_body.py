"""A rigid body: inertia, mass and pivot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import positive, vector
from ..errors import InputError
from ..frozen import frozen_arrays, read_only
from .inertia import inertia_matrix, parallel_axis


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class RigidBody:
    """A rigid body, free about its mass centre or held at a pivot.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        Inertia about the mass centre, body axes, kg m^2: principal moments or the full tensor.
    mass : float, optional
        Mass, kg; required if the body is pivoted, translates or is subject to gravity.
    pivot : array_like, shape (3,), optional
        Fixed point of a pivoted body, relative to the mass centre, body axes, m. The pivot is then the origin of
        inertial space and the reference point of the angular momentum.

    Raises
    ------
    InputError
        If the inertia is not physical, the mass is not positive, or a pivot is given but no mass.

    Examples
    --------
    >>> RigidBody((2.0, 2.0, 1.0), mass=3.0, pivot=(0, 0, -1)).inertia.diagonal()
    array([5., 5., 1.])
    """

    central_inertia: NDArray[np.float64]
    mass: float | None
    pivot: NDArray[np.float64] | None

    def __init__(self, inertia: ArrayLike, *, mass: float | None = None, pivot: ArrayLike | None = None) -> None:
        object.__setattr__(self, "central_inertia", inertia_matrix(inertia))
        object.__setattr__(self, "mass", None if mass is None else positive("mass", mass, "kg"))
        object.__setattr__(self, "pivot", None if pivot is None else vector("pivot", pivot, unit="m"))
        if self.pivot is not None and self.pivot.any() and mass is None:
            raise InputError("a pivot shifts the inertia by a term in the mass; give RigidBody(..., mass=...) in kg")

    @property
    def inertia(self) -> NDArray[np.float64]:
        """Inertia about the mass centre, or about the pivot if there is one, kg m^2, shape (3, 3)."""
        if self.pivot is None or self.mass is None:  # a pivot without mass is at the mass centre
            return self.central_inertia
        return read_only(self.central_inertia + parallel_axis(self.mass, self.pivot))
