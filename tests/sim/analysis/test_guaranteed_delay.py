"""A delay proven for every spacecraft is stable in simulation, and one above the worst case is not."""

import numpy as np
import pytest

from polhode import controllers, plant, sim

MOMENTS = np.array([400.0, 307.8, 200.0])


def craft_of(x):
    return plant.Spacecraft(plant.RigidBody(MOMENTS * (1.0 + 0.15 * np.array([x, x, -0.5 * x]))))


@pytest.mark.slow
def test_flights_keep_to_what_is_proven():
    still = craft_of(0.0)
    law = controllers.lqr(
        still.linearize(still.at_rest()), attitude=25.0, rate=200.0, effort=1.0, sample=0.2, delay=0.05
    )

    def loop_at(x):
        craft = craft_of(x[0])
        return law.loop(craft.linearize(craft.at_rest()))

    places = np.linspace(-1.0, 1.0, 5)
    margins = [controllers.loop_margin(loop_at((x,)), "delay_margin_s") for x in places]
    worst = min(margins)
    found = controllers.robust_margin_bound(loop_at, numbers=1, margin="delay_margin_s", found=worst, boxes=4)
    assert found.value is not None
    assert 0.95 * worst < found.value < worst

    def grows(x, late):
        change = sim.ChangedLaw(law, late=np.full(3, late), ticks=10)
        return sim.growth(craft_of(x), change, duration=600.0) > 0.0

    assert not any(grows(x, 0.99 * found.value) for x in places)
    assert grows(places[int(np.argmin(margins))], 1.03 * worst)
