"""Figure of a pointing budget shows its numbers."""

from __future__ import annotations

import numpy as np

from polhode import controllers, plant
from polhode.controllers import blocks


def test_bars_are_the_budget():
    craft = plant.Spacecraft(plant.RigidBody((10.0, 8.0, 6.0)))
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.7, sample=0.1)
    shaking = blocks.noise(1e-3, reads="command", sample=0.1, name="actuator")
    budget = controllers.pointing_budget(
        law, craft.linearize(craft.at_rest()), window=5.0, blocks=[shaking], torque_noise=1e-4
    )
    bars, curve = budget.plot().axes
    assert [each.get_text() for each in bars.get_yticklabels()] == ["all", "torque", "actuator: noise"]
    widths = sorted(patch.get_width() for patch in bars.patches)
    both = np.vstack((budget.pointing.absolute, budget.pointing.relative))
    total = budget.pointing.total()[[0, 2]]
    np.testing.assert_allclose(widths, sorted(np.vstack((both, total)).ravel() * 180.0 * 3600.0 / np.pi), rtol=1e-12)
    assert len(curve.lines) == 4  # a line for each axis, and the window
    text = str(budget)
    assert "actuator: noise" in text
    assert "mixed interpretation" in text
    assert budget.to_dict()["pointing"][-1]["source"] == "all"
