"""Responses are drawn within the range of the linear model, with a note."""

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.scenarios.pictures.loop.loop_responses import draw_loop_responses


@pytest.mark.parametrize(("attitude", "push"), [(1e-3, 1e-3), (25.0, 0.1), (1e4, 1.0)])
def test_torque_that_keeps_angle_small(attitude, push):
    craft = plant.Spacecraft(plant.RigidBody((400, 307.8, 200)), torques=plant.TorqueBasis("body"))
    model = craft.linearize(craft.at_rest())
    law = controllers.lqr(model, attitude=attitude, rate=1.0, effort=1.0, sample=0.1)
    loop = law.loop()
    step = controllers.step_response(loop)
    disturbance = controllers.disturbance_response(loop)
    figure = draw_loop_responses(step, disturbance, title="loop")
    pushed = figure.axes[2]
    assert pushed.get_ylabel() == f"attitude (deg)\nunder {push:g} N m"
    shown = np.asarray(pushed.lines[0].get_ydata())
    np.testing.assert_allclose(shown, push * np.degrees(disturbance.attitude[0, :, 0]))
    assert max(np.abs(np.asarray(line.get_ydata())).max() for line in pushed.lines) <= 5.0
    assert "linear model, without torque limits" in figure.get_suptitle()
