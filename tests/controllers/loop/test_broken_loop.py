"""A loop opened at its inputs: with many commands under way another algorithm gives the same response."""

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers.loop.broken_loop import MANY
from polhode.controllers.loop.schur_system import on_circle


@pytest.mark.parametrize("delay", [2.5, 6.0])
def test_broken_loop_factorises_once_for_all_frequencies(delay):
    craft = plant.Spacecraft(plant.RigidBody(((400, 12, -8), (12, 307.8, 15), (-8, 15, 200))))
    model = craft.linearize(craft.at_rest())
    law = controllers.lqr(model, attitude=1.0, rate=100.0, effort=100.0, sample=0.1, delay=0.05)
    loop = law.loop(model, delay=delay).broken((0, 1, 2))
    assert len(loop.F) >= MANY
    angles = np.geomspace(1e-6, np.pi, 60)
    found, expected = loop.response(angles), on_circle(loop.F, loop.G, loop.K, angles)
    size = np.abs(expected).max(axis=(1, 2), keepdims=True)
    np.testing.assert_allclose(found / size, expected / size, rtol=0, atol=1e-13)  # 1e-14 measured, at 1e-6 rad too
