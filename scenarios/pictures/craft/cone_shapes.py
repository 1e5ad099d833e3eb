"""Two cones that share an apex and a line of contact, painted from back to front in parallel projection."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.frozen import frozen_arrays
from ..palette import INK, mixed
from ..scene.camera import Camera

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

_SIDES = 720


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Cone:
    """A cone with apex at the origin and rim at unit distance from the apex.

    axis (3,): unit vector along the axis.
    half: half angle, rad.
    """

    axis: Array
    half: float
    colour: str

    def rim(self) -> Array:
        """Return points of the rim, shape (n, 3), without repeating the first point."""
        angles = np.arange(_SIDES) * (2.0 * np.pi / _SIDES)
        helper = np.eye(3)[int(np.abs(self.axis).argmin())]
        first = np.cross(self.axis, helper)
        first = first / np.sqrt(first @ first)
        around = np.outer(np.cos(angles), first) + np.outer(np.sin(angles), np.cross(self.axis, first))
        return np.cos(self.half) * self.axis + np.sin(self.half) * around


def paint_cones(axes: "Axes", space: Cone, *, body: Cone, line: Array, camera: Camera) -> None:
    """Paint a space cone and a body cone.

    space, body: cones, either side by side or with the space cone inside the body cone.
    line (3,): unit vector along the line of contact.
    camera: the camera.
    """
    if float(body.axis @ space.axis) > np.cos(body.half):
        for cone, near in ((body, False), (space, False), (space, True), (body, True)):
            _half(axes, cone, near=near, camera=camera)
        return
    apart = body.axis - (body.axis @ line) * line  # from the common line into the body cone
    for cone in (space, body) if apart @ camera.towards > 0.0 else (body, space):
        _half(axes, cone, near=False, camera=camera)
        _half(axes, cone, near=True, camera=camera)


def _half(axes: "Axes", cone: Cone, *, near: bool, camera: Camera) -> None:
    """Paint the part of a cone whose outer or inner side faces the camera."""
    from matplotlib.patches import Polygon

    rim = cone.rim()
    facing = ((np.cos(cone.half) * rim - cone.axis) @ camera.towards > 0.0) == near
    if not facing.any():
        return
    whole = bool(facing.all())
    first = 0 if whole else int(np.flatnonzero(facing & ~np.roll(facing, 1))[0])
    arc = rim[(first + np.arange(int(facing.sum()) + 1)) % _SIDES]
    outline = arc if whole else np.vstack((np.zeros(3), arc))
    ink = mixed(cone.colour, INK, 0.35)
    axes.add_patch(
        Polygon(
            camera.project(outline),
            closed=True,
            facecolor=cone.colour if near else mixed(cone.colour, INK, 0.25),
            alpha=0.36 if near else 0.22,
            edgecolor="none",
            zorder=2,
        )
    )
    axes.plot(*camera.project(arc).T, color=ink, linewidth=1.4, zorder=3)
    if near and not whole:
        edges = np.stack((arc[0], np.zeros(3), arc[-1]))
        axes.plot(*camera.project(edges).T, color=ink, linewidth=1.4, zorder=3, solid_joinstyle="round")
