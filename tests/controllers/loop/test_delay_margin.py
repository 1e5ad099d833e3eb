"""Delay margins of fast loops, found by tracking poles, compared with closed forms."""

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers.loop.margin_search import smallest_margins


def test_delay_margin_of_fast_rate_damping():
    """w[k+1] = w[k] - a ((1 - f) w[k] + f w[k-1]), a = K h / J: two poles, whose product a f is 1 at the edge."""
    craft = plant.Spacecraft(plant.RigidBody((4.0, 3.2, 3.0)))
    margins = controllers.RateDamping(gain=48.0, sample=0.1).margins(craft.linearize(craft.at_rest()))
    edges = [0.1 / 1.2, 0.1 / 1.5, 0.1 / 1.6]
    assert [axis.delay_s for axis in margins.axes] == pytest.approx(edges, rel=1e-9)
    assert margins.delay_s == pytest.approx(edges[2], rel=1e-9)


@pytest.mark.parametrize("moments", [(60.0, 50.0, 40.0), (60.0, 59.9, 59.8), (400.0, 307.8, 200.0)])
def test_delay_margin_is_the_same_without_early_stop(monkeypatch, moments):
    craft = plant.Spacecraft(plant.RigidBody(moments), torques=plant.TorqueBasis("body", limit=1.0))
    law = controllers.quaternion_feedback(craft, frequency=0.12, damping_ratio=0.9, sample=0.1)
    loop = law.loop(craft.linearize(craft.at_rest()))
    early = smallest_margins(loop, ["delay_margin_s"])
    monkeypatch.setattr("polhode.controllers.loop.delay_margin.FURTHER", np.inf)
    assert smallest_margins(loop, ["delay_margin_s"]) == early
    assert early["delay_margin_s"] == min(loop.margins().delay_s, *(axis.delay_s for axis in loop.margins().axes))
