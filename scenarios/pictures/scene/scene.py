"""A small renderer: shaded solids in parallel projection, painted from back to front.

The projection is parallel, so parallel axes stay parallel. A scene consists of convex parts. Of two parts, the part on
the camera's side of a plane between them is painted later (see `back_to_front`). Unlike sorting facets by depth, this
order is exact. An optional cutting plane (`Scene.cut`) divides the facets into those behind and those in front of it.
The result is one matplotlib collection, so PDF and SVG files remain vector graphics.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..palette import rgb
from .camera import Camera
from .paint import NOTHING, Colour, Patch, shade_of
from .painting_order import back_to_front

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]


@dataclass
class Scene:
    """A scene of convex parts in front of a camera.

    camera: the viewpoint.
    directions (n, 3): unit normals of planes that may separate parts: the axes of the frames in use.
    cut: a point and the normal of a translucent plane through the scene.
    patches: all paint; within a part, later patches cover earlier ones.
    quiet: whether labels may cover the patches that are added next.
    """

    camera: Camera
    directions: Array
    cut: tuple[Array, Array] | None = None
    patches: list[Patch] = field(default_factory=list[Patch])
    quiet: bool = False
    _corners: list[list[Array]] = field(default_factory=list[list[Array]])
    _rank: list[int] = field(default_factory=list[int])

    def begin(self) -> int:
        """Start a new part, a convex solid or a flat sheet with the drawing on it, and return its number."""
        self._corners.append([])
        return len(self._corners) - 1

    def facet(self, points: Array, normal: Array, *, colour: str) -> None:
        """Add a flat facet of a solid; a facet that faces away from the camera is not painted.

        points (n, 3): corners; normal (3,): outward unit normal; colour: colour in full light.
        """
        self._corners[-1].append(points)
        if float(normal @ self.camera.towards) > 0.0:
            shade: Colour = (*shade_of(normal, colour, camera=self.camera), 1.0)
            self._paint(points, face=shade, edge=shade, width=0.7)

    def sheet(self, points: Array, *, colour: str, alpha: float = 1.0, layer: int | None = None) -> None:
        """Add a flat sheet without thickness, visible from both sides and not shaded.

        points (n, 3): corners.
        alpha: opacity.
        layer: 0 for the cutting plane itself, which is not a part and hides nothing.
        """
        face: Colour = (*rgb(colour), alpha)
        if layer is None:
            self._corners[-1].append(points)
        self._paint(points, face=face, edge=face if alpha == 1.0 else NOTHING, width=0.3, layer=layer)

    def line(self, points: Array, *, colour: str, width: float, layer: int | None = None) -> None:
        """Add a line on the current part; it is divided into short pieces if the scene has a cutting plane.

        points (n, 3): vertices; width: line width, pt; layer: 0 for a line in the cutting plane.
        """
        ink: Colour = (*rgb(colour), 1.0)
        if layer is None:
            self._corners[-1].append(points)
        if self.cut is None or layer is not None:
            self._paint(points, face=NOTHING, edge=ink, width=width, layer=layer)
            return
        for start, end in pairwise(points):
            pieces = max(1, int(np.ceil(np.sqrt(((end - start) ** 2).sum()) / 0.1)))
            knots = start + np.linspace(0.0, 1.0, pieces + 1)[:, np.newaxis] * (end - start)
            for index in range(pieces):
                self._paint(knots[index : index + 2], face=NOTHING, edge=ink, width=width)

    def bounds(self) -> Array:
        """Return the bounding box of the projected scene.

        -> (2, 2): lower left and upper right corner.
        """
        points = np.concatenate([patch.outline for patch in self.patches])
        return np.array([points.min(axis=0), points.max(axis=0)])

    def paint(self, axes: "Axes") -> None:
        """Paint all patches into the axes, from back to front."""
        from matplotlib.collections import PolyCollection

        parts = [np.concatenate(corners) for corners in self._corners]
        self._rank = back_to_front(parts, self.camera, directions=self.directions)
        ordered = sorted(self.patches, key=self._key)  # stable: later patches cover earlier ones
        collection: Any = PolyCollection(
            [patch.outline for patch in ordered],
            closed=False,  # lines are open; faces do not need their last edge
            facecolors=[patch.face for patch in ordered],
            edgecolors=[patch.edge for patch in ordered],
            linewidths=[patch.width for patch in ordered],
            capstyle="round",
            joinstyle="round",
        )
        axes.add_collection(collection, autolim=False)

    def hidden(self, point: Array, part: int) -> bool:
        """Return whether a point of a part is behind another part, after the scene has been painted.

        point (3,): position; part: number returned by `begin`. Returns True if the point is invisible.
        """
        from matplotlib.path import Path

        place, key = self.camera.project(point), (self._side(point), self._rank[part])
        for patch in self.patches:
            if patch.face[3] == 1.0 and patch.part != part and self._key(patch) > key:
                low, high = patch.outline.min(axis=0), patch.outline.max(axis=0)
                if (low <= place).all() and (place <= high).all() and Path(patch.outline).contains_points([place])[0]:
                    return True
        return False

    def _key(self, patch: Patch) -> tuple[int, int]:
        return patch.layer, self._rank[patch.part] if patch.layer else 0

    def _paint(self, points: Array, *, face: Colour, edge: Colour, width: float, layer: int | None = None) -> None:
        if layer is None:
            layer = self._side(points.mean(axis=0))
        part = len(self._corners) - 1
        self.patches.append(
            Patch(self.camera.project(points), face, edge, width, part, layer, self.quiet and face[3] == 1.0)
        )

    def _side(self, point: Array) -> int:
        """Return 1 for a point in front of or in the cutting plane, and -1 for a point behind it."""
        if self.cut is None:
            return 1
        origin, normal = self.cut
        height = float((point - origin) @ normal) * float(np.sign(normal @ self.camera.towards))
        return 1 if height > -1e-9 else -1
