"""Solids of a scene: cans, rods, arrows, rings and boxes, with outlines."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..palette import INK, mixed
from .scene import Scene

Array = NDArray[np.float64]


def around(axis: Array) -> tuple[Array, Array]:
    """Return two unit vectors that complete a unit vector to a right-handed frame."""
    helper = np.zeros(3)
    helper[int(np.argmin(np.abs(axis)))] = 1.0
    first = np.cross(axis, helper)
    first /= np.sqrt(first @ first)
    return first, np.cross(axis, first)


def ring(centre: Array, spokes: tuple[Array, Array], *, radius: float, angles: Array) -> Array:
    """Return points of a circle, (n, 3), at angles measured from the first spoke towards the second."""
    first, second = spokes
    return centre + radius * (np.cos(angles)[:, np.newaxis] * first + np.sin(angles)[:, np.newaxis] * second)


def cylinder(
    scene: Scene,
    start: Array,
    *,
    end: Array,
    radius: float,
    colour: str,
    top: float | None = None,
    sides: int = 72,
    outline: float = 0.9,
    new: bool = True,
) -> None:
    """Add a closed cylinder, or a cone if the radius at the end (`top`) differs."""
    if new:
        scene.begin()
    top = radius if top is None else top
    length = float(np.sqrt(((end - start) ** 2).sum()))
    axis = (end - start) / length
    spokes = around(axis)
    angles = np.linspace(0.0, 2.0 * np.pi, sides + 1)
    below = ring(start, spokes, radius=radius, angles=angles)
    above = ring(end, spokes, radius=top, angles=angles)
    slope = (radius - top) / length
    normals = ring(slope * axis, spokes, radius=1.0, angles=0.5 * (angles[1:] + angles[:-1]))
    normals /= np.sqrt(1.0 + slope * slope)
    for n in range(sides):
        scene.facet(np.array([below[n], below[n + 1], above[n + 1], above[n]]), normals[n], colour=colour)
    for centre, rim, normal in ((start, below, -axis), (end, above, axis)):
        if scene.cut is None:
            scene.facet(rim, normal, colour=colour)
        else:
            for n in range(sides):
                scene.facet(np.array([centre, rim[n], rim[n + 1]]), normal, colour=colour)
    if outline > 0.0:
        ink = mixed(colour, INK, 0.7)
        seen = normals @ scene.camera.towards > 0.0
        for rim, normal in ((below, -axis), (above, axis)):
            face = float(normal @ scene.camera.towards) > 0.0
            for run in _runs(seen | face):
                scene.line(rim[run], colour=ink, width=outline)
        for n in range(sides):
            if seen[n] != seen[n - 1]:
                scene.line(np.array([below[n], above[n]]), colour=ink, width=outline)


def _runs(seen: NDArray[np.bool_]) -> list[list[int]]:
    """Return the knots of each visible piece of a closed ring, from its first knot to its last."""
    count = len(seen)
    if seen.all():
        return [list(range(count + 1))]
    runs: list[list[int]] = []
    first = int(np.argmin(seen))  # start at an invisible knot
    for n in range(first, first + count):
        if seen[n % count]:
            if runs and runs[-1][-1] == n % count:
                runs[-1].append((n + 1) % count)
            else:
                runs.append([n % count, (n + 1) % count])
    return runs


def arrow(scene: Scene, start: Array, *, end: Array, colour: str, radius: float = 0.032, head: float = 0.26) -> int:
    """Add an arrow: a thin rod with a cone at its end; return the part number."""
    part = scene.begin()
    length = float(np.sqrt(((end - start) ** 2).sum()))
    head = min(head, 0.6 * length)
    neck = end - (head / length) * (end - start)
    pieces = [
        lambda: cylinder(scene, start, end=neck, radius=radius, colour=colour, sides=12, outline=0.4, new=False),
        lambda: cylinder(
            scene, neck, end=end, radius=0.36 * head, top=0.0, colour=colour, sides=36, outline=0.5, new=False
        ),
    ]
    if float((end - start) @ scene.camera.towards) < 0.0:
        pieces.reverse()  # the arrow points away from the camera: its head is behind
    for piece in pieces:
        piece()
    return part


def sector(
    scene: Scene,
    centre: Array,
    *,
    spokes: tuple[Array, Array],
    radii: tuple[float, float],
    angles: tuple[float, float],
    colour: str,
) -> None:
    """Add a piece of a flat ring between two radii and two angles to the current part."""
    start, end = angles
    pieces = max(1, int(np.ceil(abs(end - start) / np.radians(5.0))))
    knots = np.linspace(start, end, pieces + 1)
    inner, outer = (ring(centre, spokes, radius=radius, angles=knots) for radius in radii)
    for n in range(pieces):
        scene.sheet(np.array([inner[n], outer[n], outer[n + 1], inner[n + 1]]), colour=colour)


def box(scene: Scene, centre: Array, *, frame: Array, half: Array, colour: str) -> None:
    """Add a box whose edges are along the columns of `frame`; `half` contains half the edge lengths."""
    scene.begin()
    ink = mixed(colour, INK, 0.7)
    grid = np.linspace(-1.0, 1.0, 2 if scene.cut is None else 9).tolist()
    steps = list(pairwise(grid))
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        along = np.stack([half[u] * frame[:, u], half[v] * frame[:, v]])
        for sign in (-1.0, 1.0):
            normal = sign * frame[:, axis]
            middle = centre + half[axis] * normal
            for left, right in steps:
                for low, high in steps:
                    corners = np.array([[left, low], [right, low], [right, high], [left, high]])
                    scene.facet(middle + corners @ along, normal, colour=colour)
            if float(normal @ scene.camera.towards) > 0.0:
                loop = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]])
                scene.line(middle + loop @ along, colour=ink, width=0.9)
