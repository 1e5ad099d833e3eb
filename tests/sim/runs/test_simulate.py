"""Arguments that `simulate` refuses, and its progress reports."""

import numpy as np
import pytest

from polhode import controllers, plant, sim

CRAFT = plant.Spacecraft(plant.RigidBody((3, 2, 1)))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"duration": -1.0}, r"duration must be greater than 0 \(s\); got -1"),
        ({"duration": np.nan}, "duration must be finite"),
        ({"integrator": "rk5"}, "integrator 'rk5' is unknown; did you mean"),
        ({"integrator": "rk4"}, "needs a step"),
        ({"integrator": "rk4", "step": 0.0}, "step must be greater than 0"),
        ({"rtol": 0.1}, "rtol must be between"),
        ({"rtol": 1e-17}, "rtol must be between"),
        ({"output_times": [0.5, 1.5]}, "between 0 and the duration of 1 s; got 1.5 s"),
        ({"output_times": [-0.5]}, "between 0 and the duration"),
        ({"output_times": [np.nan]}, "output times must be finite"),
        ({"output_step": 0.0}, "output_step must be greater than 0"),
        ({"output_step": 1e-12}, "more than 20,000,000 rows"),
        ({"max_steps": 0}, "max_steps must be at least 1"),
        ({"amplification_limit": 1.0}, "must be greater than 1"),
        ({"rate": (0, 0, 1), "momentum": (0, 0, 1)}, "not both"),
        ({"state": np.ones(7), "rate": (0, 0, 1)}, "the state or its parts, not both: state and rate"),
        ({"state": np.ones(6)}, "state must be 7 numbers"),
        ({"attitude": (1, 1, 0, 0)}, "unit"),
        ({"position": (0, 0, 1)}, "translation=True"),
    ],
)
def test_simulate_refuses_arguments_out_of_range(more, message):
    with pytest.raises(plant.InputError, match=message):
        sim.simulate(CRAFT, **({"duration": 1.0} | more))


def test_start_without_finite_rates_is_refused():
    spring = plant.Spring(body_point=(0, 0, 1), inertial_point=(0, 0, 1), stiffness=1.0, natural_length=0.5)
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1), pivot=(0, 0, 0)), potentials=[spring])
    with pytest.raises(plant.InputError, match="rates of change at t = 0 are not finite"):
        sim.simulate(craft, duration=1.0)


def test_rigid_body_whose_rates_overflow_is_refused_and_fast_one_is_not():
    heavy = plant.RigidBody((3e30, 2e30, 1e30), mass=1.0)
    rates = "rates of change at t = 0 are not finite"
    for craft in (plant.Spacecraft(heavy), plant.Spacecraft(heavy, translation=True)):
        with pytest.raises(plant.InputError, match=rates):
            sim.simulate(craft, rate=(1e140, 1e140, 1e140), duration=1.0)
    for size in (1e40, 1e120):  # below the checked range, and above
        run = sim.simulate(CRAFT, momentum=(size, size, 0), duration=1e-3 / size, integrator="rk4", step=1e-3 / size)
        assert run.status == "completed"


@pytest.mark.parametrize("at", [[2.0, 0.5], [0.5, 2.0, -1.0], np.linspace(0.0, 2.0, 50), np.linspace(2.0, 0.0, 50)])
def test_times_beyond_the_run_are_refused_by_the_first_of_them(at):
    first = next(t for t in at if not 0.0 <= t <= 1.0)
    with pytest.raises(plant.InputError, match=f"got {first:g} s"):
        sim.simulate(CRAFT, duration=1.0, output_times=at)


def test_states_come_exactly_at_the_times_asked_for():
    at = [0.3, 0.1, 0.7000000000000001, 0.1]
    run = sim.simulate(CRAFT, duration=1.0, output_times=at)
    assert run.t.tolist() == [0.1, 0.3, 0.7000000000000001]
    both = sim.simulate(CRAFT, duration=1.0, output_times=[0.3, 0.55], output_step=0.1)
    assert both.t.size == 12
    assert {0.3, 0.55, 1.0} <= set(both.t.tolist())  # 0.3 as typed, once, although 3 x 0.1 is a different number


@pytest.mark.parametrize(
    ("duration", "output_step", "rows"), [(1.0, 0.1, 11), (1.0, 0.3, 5), (0.7, 0.1, 8), (2.0, 5.0, 2)]
)
def test_end_is_always_reported(duration, output_step, rows):
    run = sim.simulate(CRAFT, duration=duration, output_step=output_step)
    assert run.t[-1] == duration
    assert run.t.size == rows
    assert (np.diff(run.t) > 1e-9).all()


def test_state_at_zero_is_state_given():
    e = np.array((0.6, 0.0, 0.8, 0.0))
    run = sim.simulate(CRAFT, attitude=e, momentum=(1, 2, 3), duration=1.0)
    np.testing.assert_array_equal(run.x[0], (1, 2, 3, *e))
    same = sim.simulate(CRAFT, state=(1, 2, 3, *e), duration=1.0)
    np.testing.assert_array_equal(same.x, run.x)


def test_linear_law_follows_what_it_was_designed_about():
    about = CRAFT.spinning((0, 0, 0.5), attitude=(0.6, 0.0, 0.8, 0.0))
    law = controllers.lqr(CRAFT.linearize(about), attitude=1.0, rate=1.0, effort=1.0, sample=0.1)
    run = sim.simulate(CRAFT, law, state=about, duration=20.0)
    assert isinstance(run.reference, controllers.SpinReference)
    assert run.values("attitude_error").max() < 1e-8  # it starts there, and a spin about an axis needs no torque
    rest = controllers.lqr(
        CRAFT.linearize(CRAFT.at_rest((0.6, 0, 0.8, 0))), attitude=1.0, rate=1.0, effort=1.0, sample=0.1
    )
    followed = sim.simulate(CRAFT, rest, duration=1.0).reference
    assert followed is not None
    np.testing.assert_allclose(followed.at(0.0)[:4], (0.6, 0, 0.8, 0))


def test_law_that_cannot_follow_reference_says_so_before_run():
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)), torques=plant.TorqueBasis("inertial"))
    law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=1.0, rate=1.0, effort=1.0, sample=0.1)
    with pytest.raises(plant.DesignError, match="moving reference"):
        sim.simulate(craft, law, reference=controllers.SpinReference(rate=(0, 0, 1)), duration=1.0)


def test_runs_repeat_to_the_bit():
    more = {"rate": (0.1, 2.0, 0.1), "duration": 20.0}
    np.testing.assert_array_equal(sim.simulate(CRAFT, **more).states, sim.simulate(CRAFT, **more).states)
