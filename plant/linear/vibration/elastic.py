"""Cached vibration modes of a spacecraft's arms about rest."""

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from ...elements.branch import branches

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft
    from .mesh_modes import MeshModes

_cache: "WeakKeyDictionary[Spacecraft, MeshModes]" = WeakKeyDictionary()


def elastic_modes(craft: "Spacecraft") -> "MeshModes | None":
    """Return the modes of hub and arms alone, about rest; None if there are no arms.

    The hub is free. However, a pivoted hub without stated mass is fixed.
    """
    if not branches(craft.elements):  # the usual case, without importing the modules of the arms
        return None
    from .mesh import Mesh, arms_of
    from .mesh_modes import mesh_modes

    arms = arms_of(craft)
    if not arms:
        return None
    if craft not in _cache:
        hub, mass = np.zeros((6, 6)), craft.body.mass or 1.0
        hub[:3, :3], hub[3:, 3:] = mass * np.eye(3), craft.body.central_inertia
        mesh = Mesh(arms=arms, hub=hub, hub_mass=mass, hub_moment=np.zeros(3))
        _cache[craft] = mesh_modes(mesh, clamped=craft.body.mass is None)
    return _cache[craft]
