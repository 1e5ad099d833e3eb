"""Viewpoint of the cans without end-on axes or occlusion, and with a visible plane of gimbal lock."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..scene.camera import Camera
from .cans_geometry import RADIUS, Cans

Array = NDArray[np.float64]

_ELEVATIONS = np.radians((15.0, 20.0, 25.0, 30.0, 35.0, 40.0))
_AZIMUTHS = np.radians(np.arange(-180.0, 180.0, 5.0))
_USUAL = np.radians(35.0)  # azimuth: x to the lower left, y to the right, as in most books


def best_camera(cans: Cans) -> Camera:
    """Return the camera with the best view of the cans.

    cans: the cans. Returns the best of a grid of directions, all from above.
    """
    parts = _parts(cans)
    directions = np.array([pair.direction for pair in cans.pairs])
    normal = cans.plane[1]
    best, choice = -np.inf, Camera(_USUAL, float(_ELEVATIONS[2]))
    for elevation in _ELEVATIONS.tolist():
        for azimuth in _AZIMUTHS.tolist():
            camera = Camera(azimuth, elevation)
            along = np.abs(directions @ camera.towards)
            score = float(np.minimum((0.88 - along) / 0.25, 1.0).sum())  # penalise end-on views, which shorten the cans
            score += 0.8 * float(np.minimum(along / 0.35, 1.0).sum())  # penalise side views, which hide the dial
            score += 0.25 * float((directions @ camera.towards).sum())  # favour rotating halves in front
            score += 1.0 * float(np.cos(azimuth - _USUAL)) - 0.8 * abs(elevation - np.radians(25.0))
            score -= 20.0 * max(0.0, 0.25 - float(directions[0] @ camera.towards))  # plate seen from behind
            if cans.locked:
                score += 3.0 * min(abs(float(normal @ camera.towards)) / 0.5, 1.0)
            score -= 3.0 * _overlap(parts, camera)
            if score > best:
                best, choice = score, camera
    return choice


def _parts(cans: Cans) -> list[Array]:
    """Return points along the middle of each pair of cans, of its arrow and of the body."""
    shares = np.linspace(0.0, 1.0, 9)[:, np.newaxis]
    parts = [pair.foot + shares * (pair.end + 0.6 * pair.direction - pair.foot) for pair in cans.pairs]
    last = cans.pairs[2]
    parts[2] = last.foot + shares * (last.end + 1.6 * last.direction - last.foot)
    return parts


def _overlap(parts: list[Array], camera: Camera) -> float:
    """Return the projected overlap of parts that do not touch in space."""
    seen = [camera.project(part) for part in parts]
    total = 0.0
    for first, second in combinations(seen, 2):
        gaps = np.sqrt(((first[:, np.newaxis] - second[np.newaxis]) ** 2).sum(axis=-1))
        total += float(np.maximum(2.4 * RADIUS - gaps.min(axis=0), 0.0).mean())
        total += float(np.maximum(2.4 * RADIUS - gaps.min(axis=1), 0.0).mean())
    return total
