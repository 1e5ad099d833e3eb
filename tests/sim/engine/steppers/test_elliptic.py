"""Exact solution of the free rigid body in the engine."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant import InputError
from polhode.plant.attitude import attitude_error, rotation_angle
from polhode.plant.attitude.free_motion import FreeMotion

MOMENTS = (400.0, 307.808385, 200.0)
START = (346.4101616, 0.0, -200.0)
CRAFT = plant.Spacecraft(plant.RigidBody(MOMENTS))
RATE = {"rate": (0.1, 0.5, -0.3), "duration": 10.0}


def apart(run, motion):
    return float(rotation_angle(attitude_error(run.values("attitude"), motion.attitude(run.t))).max())


def test_million_seconds():
    """Some 10^6 rad: rounding of the angle; dop853 at its default tolerance ends with an error of 0.3 rad and reports
    it.
    """
    run = sim.simulate(CRAFT, momentum=START, duration=1e6, output_step=1e4, integrator="elliptic")
    motion = FreeMotion(MOMENTS, momentum=START)
    assert run.status == "completed"
    assert not run.warnings
    assert apart(run, motion) < 3e-9
    assert np.linalg.norm(run.values("momentum") - motion.momentum(run.t), axis=1).max() < 1e-6
    found = run.invariants()
    assert (found["energy_balance_relative"] or 0.0) < 2e-15
    assert (found["momentum_balance_relative"] or 0.0) < 1e-9


def test_no_step_sets_an_error():
    given = {**RATE, "output_times": np.linspace(0.0, 10.0, 41), "integrator": "elliptic"}
    runs = [sim.simulate(CRAFT, **given, step=step) for step in (None, 0.013, 7.0)]
    assert [run.counters["steps"] for run in runs] == [41, 770, 2]
    for run in runs[1:]:
        np.testing.assert_allclose(run.states, runs[0].states, rtol=0, atol=2e-13)


def test_elliptic_solution_resumes_and_drifts_with_mass_centre():
    craft = plant.Spacecraft(plant.RigidBody(MOMENTS, mass=50.0), translation=True)
    given = {**RATE, "position": (1.0, 2.0, 3.0), "velocity": (0.1, 0.0, -0.2), "output_times": [4.0, 10.0]}
    exact = sim.simulate(craft, **given, rtol=1e-13)
    run = sim.simulate(craft, **given, integrator="elliptic")
    np.testing.assert_allclose(run.states, exact.states, rtol=0, atol=2e-10)
    rest = sim.simulate(craft, state=run.states[0], duration=6.0, output_times=[6.0], integrator="elliptic")
    np.testing.assert_allclose(rest.states[-1, :13], run.states[-1, :13], rtol=0, atol=2e-12)


def test_streamed_and_stopped_on_the_way(tmp_path):
    told = []

    def progress(share):
        told.append(share)
        if share > 0.2:
            raise KeyboardInterrupt

    given = {**RATE, "integrator": "elliptic"}
    run = sim.simulate(CRAFT, **given, output_step=1e-3, stream=tmp_path / "run.nc")
    assert run.t.size == 10001
    stopped = sim.simulate(CRAFT, **given, output_step=5e-5, progress=progress)
    assert stopped.status == "stopped"
    assert 0.2 < stopped.t[-1] / 10.0 < 0.6
    assert apart(stopped, FreeMotion(MOMENTS, rate=RATE["rate"])) < 1e-13


def test_many_runs_each_from_its_own_start():
    starts = np.random.default_rng(3).normal(size=(3, 3))
    runs = sim.simulate_batch(CRAFT, rate=starts, duration=10.0, output_times=[10.0], integrator="elliptic")
    for rate, run in zip(starts, runs, strict=True):
        np.testing.assert_array_equal(
            run.states, sim.simulate(CRAFT, rate=rate, duration=10.0, output_times=[10.0], integrator="elliptic").states
        )


def test_elliptic_solution_refuses_other_plants():
    def refused(match, craft=CRAFT, **more):
        with pytest.raises(InputError, match=match):
            sim.simulate(craft, **{**RATE, "integrator": "elliptic", **more})

    body = plant.RigidBody(MOMENTS, mass=50.0)
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1)
    refused("1 element", plant.Spacecraft(body, elements=[wheel]))
    gravity = plant.GravityGradient(mu=3.986e14, position=(7e6, 0, 0), velocity=(0, 7.5e3, 0))
    refused("a potential", plant.Spacecraft(body, potentials=[gravity]))
    refused("a law acts", law=controllers.QuaternionFeedback(inertia=body.inertia, stiffness=1, damping=1, sample=0.1))
    refused("a scheduled torque acts", torques=[plant.TorquePulse((1, 0, 0), start=0.0, stop=1.0)])
    refused("the states of a formulation", formulation="hamilton-7")
    with pytest.raises(InputError, match="omit the accuracy"):
        sim.simulate_to_accuracy(CRAFT, **RATE, integrator="elliptic", accuracy=1e-6)


@pytest.mark.parametrize(("beside", "silent"), [(1e-4, True), (1e-12, False), (0.0, False)])
def test_beside_the_separatrix_rounding_is_told(beside, silent):
    """The effect of one unit in the last place of the momentum on the attitude is within the reported error, and near
    it.
    """
    J = np.array((4.0, 3.1, 2.0))
    h = np.array((1.0, 0.3, np.sqrt((1 / 3.1 - 1 / 4) / (1 / 2 - 1 / 3.1)) * (1.0 + beside)))
    craft = plant.Spacecraft(plant.RigidBody(J))
    given = {"duration": 3000.0, "output_times": [3000.0], "integrator": "elliptic"}
    place = 2.3e-16 if beside else 1e-14  # a motion within rounding of the separatrix is treated as on it
    run, other = (sim.simulate(craft, momentum=start, **given) for start in (h, h * (1.0 + place * np.arange(3))))
    off = rotation_angle(attitude_error(run.values("attitude"), other.values("attitude"))).max()
    assert bool(run.warnings) != silent
    if silent:
        assert off < 1e-8
    else:
        assert "near the separatrix" in run.warnings[0]
        assert off > 1e-3


def test_short_run_beside_middle_axis_tells_nothing():
    """The time is too short for rounding to grow off the axis."""
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
    given = {"rate": (1e-9, 0.5, 0.0), "duration": 3.0, "output_times": [3.0]}
    run, other = (sim.simulate(craft, **given, integrator=name) for name in ("elliptic", "dop853"))
    assert not run.warnings
    assert rotation_angle(attitude_error(run.values("attitude"), other.values("attitude"))).max() < 1e-7
