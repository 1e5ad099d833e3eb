"""Modes of a spacecraft with flexible arms in free flight, for reports and plots."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...one_thread import one_thread
from .alike import aligned, groups
from .mesh import free_mesh_of
from .mesh_modes import MeshModes, mesh_modes

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft

Array = NDArray[np.float64]

RIGID = 6


@one_thread
def flight_modes(craft: "Spacecraft", *, count: int | None = None) -> MeshModes:
    """Return the elastic modes in free flight, with modes of equal frequency separated by the hub motion.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with flexible arms; other elements are locked to the hub at their initial coordinates.
    count : int, optional
        Number of elastic modes, lowest first. Default: all.

    Returns
    -------
    MeshModes
        The six rigid motions come first. The sign makes the largest motion of the hub (or else of the arms)
        positive.

    Raises
    ------
    InputError
        When the spacecraft has no arms or is pivoted.

    Examples
    --------
    >>> from polhode.plant import RigidBody, Spacecraft
    >>> from polhode.plant.flexible import Arm, BeamSection
    >>> section = BeamSection(
    ...     area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, youngs_modulus=7.17e10,
    ...     shear_modulus=2.68e10, density=2.8e3,
    ... )
    >>> arms = [
    ...     Arm(section=section, length=2.0, elements=2, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1, -1)
    ... ]
    >>> craft = Spacecraft(RigidBody(0.149 * np.eye(3), mass=22.4), elements=arms)
    >>> modes = flight_modes(craft, count=4)
    >>> np.abs(modes.shapes[[1, 2, 4, 5], 6:]).round(2)  # hub: translation along y, z; rotation about y, z
    array([[0.1 , 0.  , 0.  , 0.  ],
           [0.  , 0.1 , 0.  , 0.  ],
           [0.  , 0.  , 0.47, 0.  ],
           [0.  , 0.  , 0.  , 0.47]])
    """
    mesh = free_mesh_of(craft, locked=True)
    last = mesh.degrees if count is None else min(mesh.degrees, RIGID + count + RIGID)
    free = mesh_modes(mesh, count=last)
    frequencies, shapes = free.frequencies[RIGID:], free.shapes[:, RIGID:].copy()
    reach = max(float(arm.length) for arm in mesh.arms)
    scale = np.array((1.0, 1.0, 1.0, reach, reach, reach)) * np.sqrt(mesh.mass)
    for group in groups(frequencies):
        own = shapes[:, group]
        if own.shape[1] > 1:
            shapes[:, group] = own @ aligned(own.T @ free.matrices.C @ own, own[:6].T * scale)
    hub = shapes[:6] * scale[:, None]
    still = np.abs(hub).max(axis=0) < 1e-6
    visible = np.where(still, shapes, np.pad(hub, ((0, mesh.degrees - 6), (0, 0))))
    largest = np.take_along_axis(visible, np.abs(visible).argmax(axis=0)[None], axis=0)[0]
    shapes *= np.where(largest < 0.0, -1.0, 1.0)
    damping = np.einsum("ik,ij,jk->k", shapes, free.matrices.C, shapes)
    last = None if count is None else RIGID + count
    return replace(
        free,
        frequencies=free.frequencies[:last],
        shapes=np.column_stack((free.shapes[:, :RIGID], shapes))[:, :last],
        damping_ratios=np.concatenate((np.zeros(RIGID), 0.5 * damping / frequencies))[:last],
    )
