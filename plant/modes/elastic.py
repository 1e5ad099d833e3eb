"""The vibrations of a craft's arms about rest."""

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from ..elements.branch import branches

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft
    from .mesh_modes import MeshModes

__all__ = ["elastic_modes"]

_known: "WeakKeyDictionary[Spacecraft, MeshModes]" = WeakKeyDictionary()


def elastic_modes(craft: "Spacecraft") -> "MeshModes | None":
    """Return the modes of hub and arms about rest, every other element left out; None of a craft without arms.

    The hub is free; where a pivot holds it and its mass is not known it is held fast.
    """
    if not branches(craft.elements):  # as of most: nothing of the arms is imported
        return None
    from .mesh import Mesh, arms_of
    from .mesh_modes import mesh_modes

    arms = arms_of(craft)
    if not arms:
        return None
    if craft not in _known:
        hub, mass = np.zeros((6, 6)), craft.body.mass or 1.0
        hub[:3, :3], hub[3:, 3:] = mass * np.eye(3), craft.body.central_inertia
        mesh = Mesh(arms=arms, hub=hub, hub_mass=mass, hub_moment=np.zeros(3))
        _known[craft] = mesh_modes(mesh, clamped=craft.body.mass is None)
    return _known[craft]
