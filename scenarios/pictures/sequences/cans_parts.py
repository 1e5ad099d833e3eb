"""Parts of the drawing of cans: base plate, pairs with dials, links, frames, body."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....plant.frozen import frozen_arrays
from ..palette import AXIS_COLOURS, BODY, FAINT, METAL, PLATE, mixed
from ..scene.scene import Scene
from ..scene.solids import arrow, box, cylinder, ring, sector
from .cans_geometry import GAP, RADIUS, CanPair, Cans
from .cans_lock import normal_foot

Array = NDArray[np.float64]

DIAL = 1.62 * RADIUS
ARC = 1.82 * RADIUS
_MARK = "#111111"
BODY_HALF = np.array([0.42, 0.34, 0.27])


@frozen_arrays
@dataclass(frozen=True, eq=False)
class Triad:
    """A drawn frame: origin, tips of the arrows as rows, and part numbers of the arrows."""

    origin: Array
    tips: Array
    parts: tuple[int, ...]


def zero_direction(pair: CanPair, towards: Array) -> tuple[Array, Array]:
    """Return the direction from which the angle is measured, and the direction at 90 deg.

    Both are axes of the frame before the rotation. Of the four possible directions, the one for which the drawn part of
    the dial faces the camera is used.
    """
    best, choice = -np.inf, (pair.before[:, 0], pair.before[:, 1])
    for index in ((pair.axis + 1) % 3, (pair.axis + 2) % 3):
        for sign in (1.0, -1.0):
            first = sign * pair.before[:, index]
            second = np.cross(pair.direction, first)
            middle = np.cos(0.5 * arc(pair)) * first + np.sin(0.5 * arc(pair)) * second
            score = float(middle @ towards)
            if score > best + 1e-9:
                best, choice = score, (first, second)
    return choice


def arc(pair: CanPair) -> float:
    """Return the drawn angle, rad, without whole revolutions."""
    return float(np.fmod(pair.angle, 2.0 * np.pi))


def add_pair(scene: Scene, pair: CanPair) -> None:
    """Add both halves of a pair and the dial between them; all three show the angle."""
    colour = AXIS_COLOURS[pair.axis]
    pale = mixed(colour, "#FFFFFF", 0.62)
    g, middle = pair.direction, pair.centre
    spokes = zero_direction(pair, scene.camera.towards)
    turned = ring(np.zeros(3), spokes, radius=1.0, angles=np.array([arc(pair)]))[0]
    below, above = middle - 0.5 * GAP * g, middle + 0.5 * GAP * g
    for start, end, paint, mark in ((pair.foot, below, pale, spokes[0]), (above, pair.end, colour, turned)):
        cylinder(scene, start, end=end, radius=RADIUS, colour=paint)
        if float(mark @ scene.camera.towards) > 0.0:
            line = np.array([start, end]) + RADIUS * mark
            scene.line(line, colour=_MARK, width=1.6)
    scene.begin()
    _dial(scene, pair, spokes=spokes, turned=turned)


def _dial(scene: Scene, pair: CanPair, *, spokes: tuple[Array, Array], turned: Array) -> None:
    colour, middle, angle = AXIS_COLOURS[pair.axis], pair.centre, arc(pair)
    whole = np.linspace(0.0, 2.0 * np.pi, 73)
    sector(scene, middle, spokes=spokes, radii=(0.0, DIAL), angles=(0.0, 2.0 * np.pi), colour="#F6F6F4")
    scene.line(ring(middle, spokes, radius=DIAL, angles=whole), colour=FAINT, width=0.8)
    for n in range(24):
        ends = [
            ring(middle, spokes, radius=radius, angles=np.array([n * np.pi / 12.0]))[0]
            for radius in ((0.94 if n % 2 else 0.90) * DIAL, DIAL)
        ]
        scene.line(np.array(ends), colour=FAINT, width=0.7)
    if angle != 0.0:
        shade = mixed(colour, "#FFFFFF", 0.15)
        sector(scene, middle, spokes=spokes, radii=(0.0, 0.88 * DIAL), angles=(0.0, angle), colour=shade)
    for spoke in (spokes[0], turned):
        scene.line(np.array([middle, middle + DIAL * spoke]), colour=_MARK, width=1.6)
    if angle != 0.0:
        _turn(scene, middle, spokes=spokes, angle=angle)


def _turn(scene: Scene, centre: Array, *, spokes: tuple[Array, Array], angle: float) -> None:
    """Add the arrow around the dial."""
    radius, sign = ARC, float(np.sign(angle))
    head = min(0.26, 0.7 * abs(angle))
    knots = np.linspace(0.0, angle - 0.8 * sign * head, 40)
    scene.line(ring(centre, spokes, radius=radius, angles=knots), colour=_MARK, width=1.8)
    tip = ring(centre, spokes, radius=radius, angles=np.array([angle]))
    back = np.array([angle - sign * head])
    wings = [ring(centre, spokes, radius=side * radius, angles=back) for side in (0.91, 1.09)]
    scene.sheet(np.concatenate([tip, *wings]), colour=_MARK)


def add_links(scene: Scene, cans: Cans) -> None:
    """Add the links from the rotating half of one pair to the fixed half of the next pair."""
    for start, end in cans.links:
        way = (end - start) / np.sqrt(((end - start) ** 2).sum())
        cylinder(scene, start - 0.02 * way, end=end, radius=0.13, colour=METAL, sides=36)


def add_base(scene: Scene, cans: Cans) -> Triad:
    """Add the base plate, with the space frame at the point of the plate with the best view."""
    pair = cans.pairs[0]
    frame, g = pair.before, pair.direction
    best, side = -np.inf, frame[:, (pair.axis + 1) % 3]
    for index in ((pair.axis + 1) % 3, (pair.axis + 2) % 3):
        for sign in (1.0, -1.0):
            way = sign * frame[:, index]
            score = _clearance(scene, cans, pair.foot + 1.5 * way) + 0.3 * float(way @ scene.camera.towards)
            if score > best + 1e-9:
                best, side = score, way
    half = np.full(3, 0.78)
    half[pair.axis] = 0.07
    half[np.argmax(np.abs(side))] += 0.65
    scene.quiet = True
    box(scene, pair.foot - 0.07 * g + 0.65 * side, frame=frame, half=half, colour=PLATE)
    scene.quiet = False
    return _triad(scene, pair.foot + 1.5 * side + 0.1 * g, frame=frame)


def _clearance(scene: Scene, cans: Cans, point: Array) -> float:
    """Return the distance between a point and the cans in the figure, at most two radii."""
    shares = np.linspace(0.0, 1.0, 12)[:, np.newaxis]
    lines = np.concatenate([pair.foot + shares * (pair.end - pair.foot) for pair in cans.pairs])
    if cans.locked:  # leave space for the normal
        lines = np.concatenate([lines, normal_foot(cans)[np.newaxis]])
    gaps = scene.camera.project(lines) - scene.camera.project(point)
    return min(float(np.sqrt((gaps**2).sum(axis=1)).min()), 2.0 * RADIUS)


def add_frames(scene: Scene, cans: Cans) -> list[Triad]:
    """Add the two intermediate frames, above the ends of the first two pairs."""
    triads: list[Triad] = []
    for pair in cans.pairs[:2]:
        origin = pair.end + 0.24 * pair.direction
        cylinder(scene, pair.end, end=origin, radius=0.035, colour=METAL, sides=12, outline=0.4)
        triads.append(_triad(scene, origin, frame=pair.after))
    return triads


def add_body(scene: Scene, cans: Cans) -> Triad:
    """Add the body at the end of the third pair, with its frame."""
    last = cans.pairs[2]
    neck = last.end + 0.22 * last.direction
    centre = neck + BODY_HALF[last.axis] * last.direction
    cylinder(scene, last.end, end=neck, radius=0.13, colour=METAL, sides=36)
    box(scene, centre, frame=last.after, half=BODY_HALF, colour=BODY)
    return _triad(scene, centre, frame=last.after, start=BODY_HALF, length=BODY_HALF + 0.62)


def _triad(
    scene: Scene, origin: Array, *, frame: Array, start: Array | float = 0.0, length: Array | float = 0.85
) -> Triad:
    starts, lengths = np.broadcast_to(start, 3), np.broadcast_to(length, 3)
    tips = [origin + lengths[axis] * frame[:, axis] for axis in range(3)]
    parts = [
        arrow(scene, origin + starts[axis] * frame[:, axis], end=tips[axis], colour=AXIS_COLOURS[axis])
        for axis in range(3)
    ]
    return Triad(origin, np.array(tips), tuple(parts))
