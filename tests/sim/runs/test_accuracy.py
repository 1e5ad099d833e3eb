"""Requested accuracy against exact solutions, and reports of accuracy out of reach."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.attitude import attitude_error, rotation_angle
from polhode.plant.attitude.free_motion import FreeMotion
from polhode.sim.results.ending import COUNTER

from ...crafts import arms

RATE = (0.1, 0.5, 0.1)
BODY = plant.RigidBody((400.0, 307.8, 200.0))
CRAFT = plant.Spacecraft(BODY)


def true_error(run, rate=RATE):
    exact = FreeMotion(BODY.inertia, rate=rate).attitude(run.t)
    return float(rotation_angle(attitude_error(run.values("attitude"), exact)).max())


@pytest.mark.parametrize(
    ("accuracy", "duration", "more"),
    [
        (1e-4, 1e4, {"integrator": "dop853"}),
        (1e-9, 1e3, {"integrator": "dop853"}),
        (1e-6, 1e5, {"integrator": "dop853"}),
        (1e-9, 1e5, {}),
        (1e-6, 1e3, {"integrator": "rk4", "step": 1.0}),
        (1e-7, 300.0, {"integrator": "rk8", "step": 2.0}),
        (1e-3, 10.0, {"integrator": "midpoint", "step": 1.0}),
        (1e-6, 100.0, {"integrator": "gauss4", "step": 1.0}),
    ],
)
def test_requested_accuracy_is_reached(accuracy, duration, more):
    run = sim.simulate_to_accuracy(CRAFT, accuracy=accuracy, rate=RATE, duration=duration, **more)
    assert not any("accuracy" in words for words in run.warnings)
    assert true_error(run) <= run.counters[COUNTER] <= accuracy


@pytest.mark.thinned(4)
@pytest.mark.parametrize("rate", [(0.1, 0.5, 0.11), (0.1, 0.49, 0.1), (0.12, 0.5, 0.1), (0.2, 0.5, 0.1)])
def test_rounding_that_a_pair_of_runs_does_not_see_is_told(rate):
    """After 50,000 rad round-off is the only error, and either run may have more of it."""
    run = sim.simulate_to_accuracy(CRAFT, accuracy=1e-6, rate=rate, duration=1e5, integrator="dop853")
    assert 1e-8 < true_error(run, rate) <= run.counters[COUNTER] <= 1e-6


@pytest.mark.parametrize("integrator", ["dop853", "rk4"])
def test_error_counts_where_a_clock_cuts_the_steps(integrator):
    """A long sample is divided into equal steps, the same ones at nearly the same tolerance."""
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=10.0, rate=1.0, effort=1.0, sample=2.0)
    turned = np.array([1.0, 0.2, 0.1, 0.3])
    start = {"rate": (0.3, 0.4, 0.1), "attitude": turned / np.linalg.norm(turned), "duration": 20.0}
    step = {"step": 0.5} if integrator == "rk4" else {}
    run = sim.simulate_to_accuracy(craft, law, accuracy=1e-2, integrator=integrator, **step, **start)
    exact = sim.simulate(craft, law, integrator="dop853", rtol=1e-13, step=0.02, **start)
    error = rotation_angle(attitude_error(run.values("attitude"), exact.values("attitude"))).max()
    assert 1e-12 < error < run.counters[COUNTER]


def test_tolerance_alone_promises_nothing():
    """At a tolerance of 1e-10 a body that tumbles for 1e5 s has a final error of 1e-5 rad."""
    assert true_error(sim.simulate(CRAFT, rate=RATE, duration=1e5, rtol=1e-10)) > 1e-6


def test_free_rigid_body_flies_by_its_exact_solution():
    """The reported error is an upper bound: the attitude after 1000 s by a Taylor series of 34 digits in mpmath."""
    craft, true = plant.Spacecraft(plant.RigidBody((5.0, 3.0, 2.5))), (
        0.04855597843949954, -0.24500737792932517, -0.9238324133186456, 0.29008166750042447,
    )  # fmt: skip
    given = {"rate": (0.05, 0.9, 0.02), "duration": 1000.0, "accuracy": 1e-10}
    run = sim.simulate_to_accuracy(craft, **given)
    off = rotation_angle(attitude_error(run.values("attitude")[-1:], np.array([true])))[0]
    assert run.scheme.integrator == "elliptic"
    assert 1e-14 < off < run.counters[COUNTER] < 1e-11
    pulse = plant.TorquePulse((1.0, 0.0, 0.0), start=900.0, stop=901.0)
    for more in ({"torques": [pulse]}, {"formulation": "hamilton-7"}, {"rtol": 1e-9}):
        assert sim.simulate_to_accuracy(craft, **{**given, "duration": 5.0}, **more).scheme.integrator == "dop853"


def test_accuracy_below_round_off_is_reported():
    run = sim.simulate_to_accuracy(CRAFT, accuracy=1e-12, rate=RATE, duration=1e5)
    assert 1e-12 < true_error(run) < 3.0 * run.counters[COUNTER]
    assert "the required accuracy of 1e-12 rad was not reached; the accuracy with dop853 at rtol" in run.warnings[0]


def test_steps_that_the_clock_cuts_are_cut_further():
    """At 1 s per step and samples every 0.1 s, half of 1 s would repeat the run and agree with it exactly."""
    law = controllers.lqr(CRAFT.linearize(CRAFT.at_rest()), attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    given = {"attitude": (0.6, 0.8, 0.0, 0.0), "duration": 30.0}
    exact = sim.simulate(CRAFT, law, integrator="rk8", step=0.005, **given)
    for how in ({"integrator": "rk4", "step": 1.0}, {"rtol": 1e-6}):
        run = sim.simulate_to_accuracy(CRAFT, law, accuracy=1e-8, **how, **given)
        assert run.counters["steps"] >= 600
        found = rotation_angle(attitude_error(run.values("attitude"), exact.values("attitude"))).max()
        assert found <= run.counters[COUNTER]
        assert run.counters[COUNTER] < 1e-8


def test_clock_that_cuts_most_steps_hides_nothing():
    """A pulse in a long run between distant samples: only the steps next to it would differ."""
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
    idle = controllers.RateDamping(gain=1e-12, sample=0.38)
    pulse = plant.TorquePulse((0.0, 30.0, 0.0), start=410.4, stop=410.7)
    given = {"rate": (0.3, 2.0, 0.2), "duration": 456.0, "torques": [pulse]}
    run = sim.simulate_to_accuracy(craft, idle, accuracy=1e-3, **given)
    exact = sim.simulate(craft, idle, rtol=1e-14, **given)
    found = rotation_angle(attitude_error(run.values("attitude"), exact.values("attitude"))).max()
    assert found <= run.counters[COUNTER] <= 1e-3


def test_craft_with_arms_flies_with_gauss():
    craft = plant.Spacecraft(plant.RigidBody((20.0, 20.0, 10.0), mass=20.0), elements=arms()[:1])
    run = sim.simulate_to_accuracy(craft, accuracy=1e-5, rate=(0.0, 0.05, 0.0), duration=2.0)
    assert run.scheme.integrator == "gauss4"
    assert run.counters[COUNTER] <= 1e-5


def test_interrupted_run_promises_nothing():
    def stop(share):
        raise KeyboardInterrupt

    run = sim.simulate_to_accuracy(CRAFT, accuracy=1e-9, rate=RATE, duration=1e4, progress=stop)
    assert run.status == "stopped"
    assert run.counters[COUNTER] == np.inf
    assert "no two runs ended in the same way" in run.warnings[0]


def test_accuracy_refuses_bad_input():
    with pytest.raises(plant.InputError, match="accuracy must be"):
        sim.simulate_to_accuracy(CRAFT, accuracy=0.0, rate=RATE, duration=1.0)
    with pytest.raises(plant.InputError, match="a stream stores one"):
        sim.simulate_to_accuracy(CRAFT, accuracy=1e-6, rate=RATE, duration=1.0, stream="a.nc")
    with pytest.raises(plant.InputError, match="integrator"):
        sim.simulate_to_accuracy(CRAFT, accuracy=1e-6, integrator="rk9", rate=RATE, duration=1.0)
    with pytest.raises(TypeError, match="dration"):
        sim.simulate_to_accuracy(CRAFT, accuracy=1e-6, rate=RATE, dration=1.0)  # pyright: ignore[reportCallIssue]
    with pytest.raises(plant.InputError, match="needs a step"):
        sim.simulate_to_accuracy(CRAFT, accuracy=1e-6, integrator="rk4", rate=RATE, duration=1.0)
