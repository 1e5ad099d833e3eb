"""Hub as a solid: a box of given edges, or a uniform box or cylinder of equal mass and inertia."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant import RigidBody
from ....plant.hub.uniform_box import DENSITY, mass_at_density, uniform_box

Array = NDArray[np.float64]

EQUAL = 0.01
"""Largest relative difference of the transverse moments of inertia of a body drawn as a cylinder."""


def hub_solid(body: RigidBody, *, size: ArrayLike | None = None) -> dict[str, Any]:
    """Return the solid of the hub, centred on the hub's mass centre.

    size (3,): edge lengths along the body axes, m, if known. Returns kind "box" with `size`, or "cylinder" with
    `radius` and `height`, and `frame` (3 x 3, directions as columns; the third is the axis of a cylinder). `words` says
    where the dimensions come from. `mass` and the mean `inertia` scale parts without dimensions.
    """
    inertia = np.asarray(body.central_inertia)
    words = "its mass and inertia" if body.mass is not None else f"its inertia at {DENSITY:g} kg/m³ (mass unknown)"
    mass = mass_at_density(inertia) if body.mass is None else body.mass
    scale = {"mass": mass, "inertia": float(np.trace(inertia)) / 3.0}
    if size is not None:
        stated = np.asarray(size, dtype=np.float64).tolist()
        return {"kind": "box", "size": stated, "frame": np.eye(3).tolist(), "words": "hub: stated edges", **scale}
    edges, frame = uniform_box(inertia, mass=mass)
    axial = _symmetry_axis(np.diag(frame.T @ inertia @ frame))
    if axial is None:
        words = f"hub: uniform box of {words}"
        return {"kind": "box", "size": edges.tolist(), "frame": frame.tolist(), "words": words, **scale}
    moments = np.diag(frame.T @ inertia @ frame)
    along, across = float(moments[axial]), float(np.delete(moments, axial).mean())
    radius = float(np.sqrt(2.0 * along / mass))
    height = float(np.sqrt(max(12.0 * across / mass - 3.0 * radius**2, (0.05 * radius) ** 2)))
    turned = np.column_stack([frame[:, (axial + n) % 3] for n in (1, 2, 3)])
    return {
        "kind": "cylinder",
        "radius": radius,
        "height": height,
        "frame": turned.tolist(),
        "words": f"hub: uniform cylinder of {words}",
        **scale,
    }


def half_extents(solid: dict[str, Any]) -> Array:
    """Return half the extents of a hub along the axes of the solid, m, shape (3,)."""
    if solid["kind"] == "box":
        return 0.5 * np.asarray(solid["size"])
    return np.array([solid["radius"], solid["radius"], 0.5 * solid["height"]])


def _symmetry_axis(moments: Array) -> int | None:
    """Return the index of the symmetry axis; None for three equal or three different moments."""
    largest = float(moments.max())
    for axis in range(3):
        one, other = np.delete(moments, axis)
        if abs(one - other) <= EQUAL * largest and abs(moments[axis] - one) > 2.0 * EQUAL * largest:
            return axis
    return None
