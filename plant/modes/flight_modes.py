"""Modes of a craft with flexible arms in free flight, to be read and drawn."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..one_thread import one_thread
from .alike import aligned, groups
from .mesh import free_mesh_of
from .mesh_modes import MeshModes, mesh_modes

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = ["flight_modes"]

Array = NDArray[np.float64]

RIGID = 6


@one_thread
def flight_modes(craft: "Spacecraft", *, count: int | None = None) -> MeshModes:
    """Return the elastic modes in free flight, those of one frequency sorted by what the hub does.

    Parameters
    ----------
    craft : Spacecraft
        With flexible arms; what other elements it has are locked to the hub where they start.
    count : int, optional
        How many elastic modes, the lowest; all if left out.

    Returns
    -------
    MeshModes
        The six rigid motions first. In each shape the largest motion of the hub, or else of the arms, is positive.

    Raises
    ------
    InputError
        When the craft has no arms or is held at a pivot.

    Examples
    --------
    >>> from polhode.plant import RigidBody, Spacecraft
    >>> from polhode.plant.flexible import Arm, BeamSection
    >>> section = BeamSection(
    ...     area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, elastic_modulus=7.17e10,
    ...     shear_modulus=2.68e10, density=2.8e3,
    ... )
    >>> arms = [
    ...     Arm(section=section, length=2.0, elements=2, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1, -1)
    ... ]
    >>> craft = Spacecraft(RigidBody(0.149 * np.eye(3), mass=22.4), elements=arms)
    >>> modes = flight_modes(craft, count=4)
    >>> np.abs(modes.shapes[[1, 2, 4, 5], 6:]).round(2)  # the hub moves along y, along z, turns about y, about z
    array([[0.1 , 0.  , 0.  , 0.  ],
           [0.  , 0.1 , 0.  , 0.  ],
           [0.  , 0.  , 0.47, 0.  ],
           [0.  , 0.  , 0.  , 0.47]])
    """
    mesh = free_mesh_of(craft, locked=True)
    last = mesh.degrees if count is None else min(mesh.degrees, RIGID + count + RIGID)
    found = mesh_modes(mesh, count=last)
    frequencies, shapes = found.frequencies[RIGID:], found.shapes[:, RIGID:].copy()
    reach = max(float(arm.length) for arm in mesh.arms)
    scale = np.array((1.0, 1.0, 1.0, reach, reach, reach)) * np.sqrt(mesh.mass)
    for group in groups(frequencies):
        own = shapes[:, group]
        if own.shape[1] > 1:
            shapes[:, group] = own @ aligned(own.T @ found.matrices.C @ own, own[:6].T * scale)
    hub = shapes[:6] * scale[:, None]
    still = np.abs(hub).max(axis=0) < 1e-6
    seen = np.where(still, shapes, np.pad(hub, ((0, mesh.degrees - 6), (0, 0))))
    largest = np.take_along_axis(seen, np.abs(seen).argmax(axis=0)[None], axis=0)[0]
    shapes *= np.where(largest < 0.0, -1.0, 1.0)
    damping = np.einsum("ik,ij,jk->k", shapes, found.matrices.C, shapes)
    last = None if count is None else RIGID + count
    return replace(
        found,
        frequencies=found.frequencies[:last],
        shapes=np.column_stack((found.shapes[:, :RIGID], shapes))[:, :last],
        damping_ratios=np.concatenate((np.zeros(RIGID), 0.5 * damping / frequencies))[:last],
    )
