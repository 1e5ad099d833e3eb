"""A run synchronised with the wall clock: not early, late samples counted, equal results."""

import time

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant import InputError

CRAFT = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
FLIGHT = {"rate": (0.1, 0.2, 0.3), "integrator": "rk4", "step": 0.1}


def law(function=lambda t, y, r: -y[:3], **keys):
    return controllers.CustomLaw(function, sample=0.1, compiled=False, **keys)


@pytest.mark.parametrize("compiled", [True, False])
def test_no_question_comes_before_its_time_and_the_numbers_are_the_same(compiled):
    asked = []

    def note(t, y, r):
        asked.append((t, time.monotonic()))
        return -y[:3]

    run = sim.simulate(CRAFT, law(note), duration=2.0, real_time=10.0, compiled=compiled, **FLIGHT)
    t, at = np.array(asked).T
    assert len(t) == 20
    assert (at - at[0] >= t / 10.0 - 1e-6).all()
    assert at[-1] - at[0] < 0.19 + 5.0  # on any machine
    assert run.counters["real_time_answers"] == 20
    free = sim.simulate(CRAFT, law(), duration=2.0, compiled=compiled, **FLIGHT)
    assert np.array_equal(run.states, free.states)
    assert "real_time_answers" not in free.counters


@pytest.mark.slow
def test_answers_that_come_too_late_are_counted_and_told():
    def slow(t, y, r):
        time.sleep(0.03 if 0.35 < t < 0.65 else 0.0)
        return -y[:3]

    run = sim.simulate(CRAFT, law(slow, delay=0.01), duration=1.0, real_time=1.0, **FLIGHT)
    assert run.counters["real_time_overruns"] >= 3
    assert run.counters["real_time_latest_s"] >= 0.019
    (words,) = [each for each in run.warnings if "in real time" in each]
    assert " of 10 answers were late for a run at 1 s per second" in words


def test_blocks_are_held_too():
    begun = time.monotonic()
    block = controllers.Block(lambda t, y: y, reads="rate", writes="rate", clock=controllers.Clock(0.1), compiled=False)
    damping = controllers.RateDamping(gain=1.0, sample=0.1)
    for compiled in (True, False):
        sim.simulate(CRAFT, damping, blocks=[block], duration=1.0, real_time=5.0, compiled=compiled, **FLIGHT)
    assert time.monotonic() - begun >= 2 * 0.9 / 5.0


def test_real_time_without_outside_calls_is_refused():
    damping = controllers.RateDamping(gain=1.0, sample=0.1)
    with pytest.raises(InputError, match="this run has none; omit it"):
        sim.simulate(CRAFT, damping, duration=1.0, real_time=1.0, **FLIGHT)
    with pytest.raises(InputError, match="real_time"):
        sim.simulate(CRAFT, law(), duration=1.0, real_time=0.0, **FLIGHT)
    with pytest.raises(InputError, match="needs several runs, but real_time applies to a single run"):
        sim.simulate_to_accuracy(CRAFT, law(), accuracy=1e-6, duration=1.0, real_time=1.0, **FLIGHT)
