"""Drawing of gimbal lock: plane of the three axes, and normal with a crossed-out rotation arrow."""

import numpy as np
from numpy.typing import NDArray

from ..palette import AXIS_COLOURS, INK, LOCK
from ..scene.scene import Scene
from ..scene.solids import arrow, ring
from .cans_geometry import Cans

Array = NDArray[np.float64]


def add_lock(scene: Scene, cans: Cans) -> tuple[Array, Array]:
    """Add the plane of the three axes and its normal; return foot and tip of the normal."""
    point, normal = cans.plane
    u, v = cans.pairs[0].direction, cans.pairs[1].direction
    marks = [end for pair in cans.pairs for end in (pair.foot - 0.3 * pair.direction, pair.end + pair.direction)]
    marks.append(cans.pairs[2].end + 1.6 * cans.pairs[2].direction)
    places = np.array([[(mark - point) @ u, (mark - point) @ v] for mark in marks])
    (low_u, low_v), (high_u, high_v) = places.min(axis=0) - 0.25, places.max(axis=0) + 0.25
    corners = [(low_u, low_v), (high_u, low_v), (high_u, high_v), (low_u, high_v)]
    sheet = np.array([point + a * u + b * v for a, b in corners])
    scene.sheet(sheet, colour=LOCK, alpha=0.30, layer=0)
    for pair in cans.pairs:  # extend the three axes to the edges of the plane
        along = pair.direction @ u, pair.direction @ v
        place = np.array([(pair.centre - point) @ u, (pair.centre - point) @ v])
        upright = abs(along[0]) > abs(along[1])
        ends = [(low_u, place[1]), (high_u, place[1])] if upright else [(place[0], low_v), (place[0], high_v)]
        _dashed(scene, *(point + a * u + b * v for a, b in ends), colour=AXIS_COLOURS[pair.axis])
    side = float(np.sign(normal @ scene.camera.towards)) or 1.0
    foot = normal_foot(cans)
    tip = foot + 1.1 * side * normal
    arrow(scene, foot, end=tip, colour=INK, radius=0.035)
    _no_turn(scene, foot + 0.45 * side * normal, spokes=(u, v))
    return foot, tip


def normal_foot(cans: Cans) -> Array:
    """Return the foot of the plane's normal in the figure: beyond the second pair, away from the third."""
    return cans.pairs[1].shoulder - 1.5 * cans.pairs[2].direction


def _no_turn(scene: Scene, centre: Array, *, spokes: tuple[Array, Array]) -> None:
    """Add a crossed-out rotation arrow."""
    scene.begin()
    knots = np.radians(np.linspace(60.0, 345.0, 40))
    scene.line(ring(centre, spokes, radius=0.34, angles=knots), colour=INK, width=1.6)
    back, tip = np.radians([335.0]), np.radians([375.0])
    wings = [ring(centre, spokes, radius=radius, angles=back) for radius in (0.27, 0.41)]
    scene.sheet(np.concatenate([ring(centre, spokes, radius=0.34, angles=tip), *wings]), colour=INK)
    for turn in (0.25, 0.75):
        ends = ring(centre, spokes, radius=0.5, angles=np.pi * np.array([turn, turn + 1.0]))
        scene.line(ends, colour="#C00000", width=2.2)


def _dashed(scene: Scene, start: Array, end: Array, *, colour: str) -> None:
    length = float(np.sqrt(((end - start) ** 2).sum()))
    way = (end - start) / length
    for at in np.arange(0.0, length, 0.30).tolist():
        stop = min(at + 0.18, length)
        scene.line(np.array([start + at * way, start + stop * way]), colour=colour, width=1.8, layer=0)
