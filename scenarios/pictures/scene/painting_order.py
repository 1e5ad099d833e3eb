"""Painting order of convex parts, derived from which part hides which."""

import numpy as np
from numpy.typing import NDArray

from .camera import Camera

Array = NDArray[np.float64]

_TOUCH = 0.07  # overlap of joined parts


def back_to_front(parts: list[Array], camera: Camera, *, directions: Array) -> list[int]:
    """Return the painting order of the parts: the part of rank 0 is painted first.

    Two parts whose projections overlap are ordered by a plane between them: the part on the camera's side of the plane
    is painted later. The normals tried are `directions`. If none of them separates the parts, the part with the nearer
    centre is painted later.

    parts: arrays (n, 3), the corners of each part; camera: the viewpoint; directions (m, 3): unit vectors. Returns one
    rank for each part.
    """
    lows, highs = _extents(parts, directions)
    turns = np.arange(18) * (np.pi / 18.0)
    flat = [camera.project(part) for part in parts]
    flat_lows, flat_highs = _extents(flat, np.stack([np.cos(turns), np.sin(turns)], axis=1))
    facing = directions @ camera.towards
    depth = [float(part.mean(axis=0) @ camera.towards) for part in parts]

    count = len(parts)
    hidden_by: list[set[int]] = [set() for _ in range(count)]  # parts that must be painted before each part
    for a in range(count):
        for b in range(a):
            apart = np.maximum(flat_lows[a] - flat_highs[b], flat_lows[b] - flat_highs[a])
            if apart.max() > 0.0:
                continue
            above, below = lows[a] - highs[b], lows[b] - highs[a]  # gaps with a above b, and with b above a
            use = np.abs(facing) > 1e-6
            gaps = np.where(use, np.maximum(above, below), -np.inf)
            best = int(np.argmax(gaps))
            if gaps[best] > -_TOUCH:
                a_in_front = (above[best] > below[best]) == (facing[best] > 0.0)
            else:
                a_in_front = depth[a] > depth[b]
            front, back = (a, b) if a_in_front else (b, a)
            hidden_by[front].add(back)

    rank = [0] * count
    left = set(range(count))
    for place in range(count):
        free = [part for part in left if not hidden_by[part] & left] or list(left)  # break a cycle anywhere
        chosen = min(free, key=lambda part: depth[part])
        rank[chosen] = place
        left.remove(chosen)
    return rank


def _extents(parts: list[Array], directions: Array) -> tuple[Array, Array]:
    heights = [part @ directions.T for part in parts]
    return np.array([h.min(axis=0) for h in heights]), np.array([h.max(axis=0) for h in heights])
