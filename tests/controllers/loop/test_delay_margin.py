"""Delay margins of fast loops, found by tracking poles, compared with closed forms."""

import pytest

from polhode import controllers, plant


def test_delay_margin_of_fast_rate_damping():
    """w[k+1] = w[k] - a ((1 - f) w[k] + f w[k-1]), a = K h / J: two poles, whose product a f is 1 at the edge."""
    craft = plant.Spacecraft(plant.RigidBody((4.0, 3.2, 3.0)))
    margins = controllers.RateDamping(gain=48.0, sample=0.1).margins(craft.linearize(craft.at_rest()))
    edges = [0.1 / 1.2, 0.1 / 1.5, 0.1 / 1.6]
    assert [axis.delay_s for axis in margins.axes] == pytest.approx(edges, rel=1e-9)
    assert margins.delay_s == pytest.approx(edges[2], rel=1e-9)
