"""A law changed during a run equals the law with the changed parameters, bitwise or nearly."""

import numpy as np
import pytest

from polhode import controllers, plant, sim

INERTIA = np.array([[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]])
START = {"attitude": (0.8, 0.6, 0.0, 0.0), "duration": 20.0, "integrator": "rk8", "step": 0.1}


@pytest.fixture(scope="module")
def craft():
    return plant.Spacecraft(plant.RigidBody(INERTIA))


@pytest.fixture(scope="module")
def lqg(craft):
    return controllers.lqg(
        craft.linearize(craft.at_rest()),
        attitude=25.0, rate=1.0, effort=1.0, torque_noise=1e-3, attitude_noise=1e-4, sample=0.1, delay=0.13,
    )  # fmt: skip


def test_unchanged_it_is_the_law(craft, lqg):
    one = sim.simulate(craft, lqg, **START)
    other = sim.simulate(craft, sim.ChangedLaw(lqg), **START)
    assert np.array_equal(one.states, other.states)


@pytest.mark.parametrize("late", [0.1, 0.225, 1.9])
def test_later_on_all_inputs_is_a_longer_delay_of_the_law(craft, lqg, late):
    later = controllers.LinearFeedback(lqg.compensator, lqg.model, sample=0.1, delay=0.13 + late)
    one = sim.simulate(craft, later, **START)
    other = sim.simulate(craft, sim.ChangedLaw(lqg, ticks=4, late=(late,) * 3), **START)
    np.testing.assert_allclose(other.x, one.x, rtol=0, atol=1e-11 * abs(one.x).max())


def test_factor_and_delay_of_one_input_alone(craft):
    """A diagonal law in plain Python with the same change."""
    past = []

    def by_hand(t, y, r):
        u = [-3.0 * y[4] - 40.0 * y[7], -3.0 * y[5] - 40.0 * y[8], -3.0 * y[6] - 40.0 * y[9]]
        past.append(u)
        return u[0], 0.7 * u[1], past[-4][2] if len(past) > 3 else 0.0

    def plainly(t, y, r):
        return [-3.0 * y[4] - 40.0 * y[7], -3.0 * y[5] - 40.0 * y[8], -3.0 * y[6] - 40.0 * y[9]]

    one = sim.simulate(craft, controllers.CustomLaw(by_hand, sample=0.1, compiled=False), **START)
    law = controllers.CustomLaw(plainly, sample=0.1, compiled=False)
    other = sim.simulate(craft, sim.ChangedLaw(law, factor=(1, 0.7, 1), late=(0, 0, 0.3)), **START)
    np.testing.assert_allclose(other.x, one.x, rtol=0, atol=1e-15 * abs(one.x).max())


def test_plain_python_agrees_with_compiled(craft, lqg):
    short = {**START, "duration": 2.0}
    changed = {"factor": (1.0, 0.5, 2.0), "late": (0.0, 0.05, 0.15), "ticks": 2}
    one = sim.simulate(craft, sim.ChangedLaw(lqg, **changed), **short)
    other = sim.simulate(craft, sim.ChangedLaw(lqg, **changed), compiled=False, **short)
    np.testing.assert_allclose(other.x, one.x, rtol=0, atol=1e-13 * abs(one.x).max())


def test_delays_are_whole_ticks(lqg):
    assert sim.ChangedLaw(lqg, late=(0.0, 0.26, 0.1), ticks=2).late.tolist() == pytest.approx([0.0, 0.25, 0.1])


def test_bad_input(lqg):
    with pytest.raises(plant.InputError, match="at least one tick"):
        sim.ChangedLaw(lqg, ticks=0)
    with pytest.raises(plant.InputError, match="late must be between 0"):
        sim.ChangedLaw(lqg, late=(-1.0, 0, 0))
