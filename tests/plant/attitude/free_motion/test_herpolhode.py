"""Herpolhode: plane, circles and advance."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.plant.attitude.free_motion import FreeMotion, herpolhode
from polhode.plant.errors import InputError

TENSOR = np.array([[3.0, 0.2, -0.1], [0.2, 2.0, 0.3], [-0.1, 0.3, 2.5]])
E0 = (0.5, 0.5, -0.5, 0.5)


@pytest.mark.parametrize("rate", [(0.4, 0.1, -0.2), (0.1, 0.9, 0.2), (0.1, -0.2, 0.6)])
def test_herpolhode_stays_in_plane_between_circles(rate: tuple[float, float, float]) -> None:
    motion = FreeMotion(TENSOR, rate=rate, attitude=E0)
    computed = herpolhode(motion, np.linspace(0.0, 400.0, 4001))
    h = motion.initial_momentum
    size = np.linalg.norm(h)
    assert computed.distance == pytest.approx(2.0 * motion.energy / size, rel=1e-15)
    radius = np.linalg.norm(computed.plane, axis=1)
    np.testing.assert_allclose(np.hypot(radius, computed.distance), np.linalg.norm(computed.rate, axis=1), rtol=1e-12)
    assert computed.inner - 1e-13 <= radius.min() < computed.inner + 1e-3  # samples come near the circles
    assert computed.outer - 1e-3 < radius.max() <= computed.outer + 1e-13
    np.testing.assert_allclose(computed.plane[0], (radius[0], 0.0), rtol=0.0, atol=1e-14)


def test_herpolhode_advance_matches_the_curve() -> None:
    motion = FreeMotion((1.0, 2.0, 2.5), rate=(0.2, 0.0, 0.7))
    computed = herpolhode(motion, motion.period * np.arange(4))
    angle = np.arctan2(computed.plane[:, 1], computed.plane[:, 0])
    radius = np.linalg.norm(computed.plane, axis=1)
    np.testing.assert_allclose(radius, radius[0], rtol=1e-13)
    np.testing.assert_allclose(np.sin(0.5 * (np.diff(angle) - computed.advance)), 0.0, rtol=0.0, atol=1e-13)


def test_herpolhode_of_symmetric_body_is_a_circle() -> None:
    circle = herpolhode(FreeMotion((2.0, 2.0, 1.0), rate=(0.3, 0.1, 0.5)), np.linspace(0.0, 9.0, 10))
    assert circle.inner == pytest.approx(circle.outer, rel=1e-14)
    point = herpolhode(FreeMotion((1.0, 2.0, 2.5), rate=(0.0, 0.3, 0.0)), (0.0, 7.0))
    assert (point.inner, point.outer) == (0.0, 0.0)
    np.testing.assert_allclose(point.plane, 0.0, atol=1e-16)
    assert np.isnan(point.advance)


def test_herpolhode_on_separatrix_spirals_to_the_centre() -> None:
    motion = FreeMotion((1.0, 2.0, 3.0), momentum=(0.4, 0.1, 0.4 * np.sqrt(3.0)))
    computed = herpolhode(motion, (0.0, 150.0))
    assert computed.inner == 0.0
    assert np.linalg.norm(computed.plane[1]) < 1e-14
    assert np.isnan(computed.advance)


def test_herpolhode_rejects_a_body_at_rest() -> None:
    with pytest.raises(InputError, match="at rest"):
        herpolhode(FreeMotion((1.0, 2.0, 3.0), rate=(0, 0, 0)), (0.0,))
