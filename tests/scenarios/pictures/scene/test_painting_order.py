"""Painting order against the depth of points on the cans."""

import numpy as np
import pytest

from polhode.plant.attitude import SEQUENCES
from polhode.scenarios.pictures import cans_in_series
from polhode.scenarios.pictures.scene.camera import Camera
from polhode.scenarios.pictures.scene.painting_order import back_to_front
from polhode.scenarios.pictures.scene.solids import around, ring
from polhode.scenarios.pictures.sequences.cans_geometry import GAP, RADIUS

CELL = 0.08


def surface(start, end):
    """Points on the whole surface of a can."""
    axis = (end - start) / np.linalg.norm(end - start)
    turns = np.linspace(0.0, 2.0 * np.pi, 60)
    along = [start + share * (end - start) for share in np.linspace(0.0, 1.0, 25)]
    sides = [ring(centre, around(axis), radius=RADIUS, angles=turns) for centre in along]
    caps = [
        ring(centre, around(axis), radius=share * RADIUS, angles=turns)
        for centre in (start, end)
        for share in np.linspace(0.05, 1.0, 12)
    ]
    return np.concatenate(sides + caps)


@pytest.mark.thinned(6)
@pytest.mark.parametrize("sequence", SEQUENCES)
def test_nearest_can_is_painted_last(sequence):
    rng = np.random.default_rng(int(sequence.replace("-", "")))
    compared = 0
    for _ in range(5):
        cans = cans_in_series(sequence, rng.uniform(-3.0, 3.0, 3))
        camera = Camera(rng.uniform(-3.0, 3.0), rng.uniform(0.1, 1.0))
        halves = [
            half
            for pair in cans.pairs
            for half in (
                surface(pair.foot, pair.centre - 0.5 * GAP * pair.direction),
                surface(pair.centre + 0.5 * GAP * pair.direction, pair.end),
            )
        ]
        rank = back_to_front(halves, camera, directions=np.concatenate([frame.T for frame in cans.frames]))
        assert sorted(rank) == list(range(6))
        nearest = {}
        for part, points in enumerate(halves):
            cells = np.floor(camera.project(points) / CELL).astype(int)
            for cell, depth in zip(map(tuple, cells), points @ camera.towards, strict=True):
                place = nearest.setdefault(cell, {})
                place[part] = max(place.get(part, -np.inf), depth)
        for place in nearest.values():
            front = max(place, key=lambda part: place[part])
            for part, depth in place.items():
                if depth < place[front] - 0.25:  # clearly behind, for any slope within the cell
                    assert rank[part] < rank[front]
                    compared += 1
    assert compared > 50


def test_camera_is_orthonormal_and_upright():
    camera = Camera(0.7, 0.4)
    np.testing.assert_allclose(camera.basis @ camera.basis.T, np.eye(3), atol=1e-15)
    right, up = camera.project(np.array([0.0, 0.0, 1.0]))
    assert right == 0.0
    assert up > 0.0
    np.testing.assert_allclose(camera.project(camera.towards), 0.0, atol=1e-15)
