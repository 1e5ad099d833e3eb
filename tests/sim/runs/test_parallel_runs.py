"""Runs in parallel equal single runs, for any mixture."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant import PolhodeError
from polhode.sim.runs import parallel_runs
from polhode.sim.runs.run_spec import run_spec

BASIS = plant.TorqueBasis("body", limit=0.5)
RK4 = {"duration": 3.0, "integrator": "rk4", "step": 0.1}


def craft(n=0, **more):
    return plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0 + 0.1 * n)), torques=BASIS, **more)


def law(**more):
    return controllers.quaternion_feedback(craft(), frequency=0.5, damping_ratio=0.7, sample=0.1, **more)


def damping(t, y, r):
    return -0.1 * y[7:10]


plain = controllers.CustomLaw(damping, sample=0.1, compiled=False)


def asked():
    """All kinds with their starts, in an order in which no two of a kind are adjacent."""
    ring = plant.RingDamper(axis=(0, 0, 1), mass=0.5, radius=0.4, friction=0.1)
    lqi = controllers.lqi(
        craft().linearize(craft().at_rest()), attitude=1.0, rate=1.0, integral=0.1, effort=1.0, sample=0.1
    )
    euler = plant.Spacecraft(plant.RigidBody((4, 3, 2)), torques=plant.TorqueBasis("dual-euler", "3-2-1"))
    tumble = {
        "rate": (0.0, 0.9, 0.0),
        "torques": [plant.TorquePulse((0.1, 0, 0), start=0.0, stop=9.0, basis=euler.torques)],
    }
    for n in range(4):
        start = {"attitude": (0.8, 0.6, 0.0, 0.0), "rate": (0.01 * n, 0.2, 0.1)}
        yield craft(n), law(), {**start, **RK4}
        yield craft(elements=[ring]), None, {**start, "duration": 2.0 + n}
        yield craft(n), lqi, {**start, **RK4, "output_step": 0.7}
        yield craft(n), plain, {**start, **RK4}
        yield euler, None, {**tumble, **RK4, "step": 0.05 + 0.01 * n, "amplification_limit": 5.0}
        yield craft(n), law(delay=0.05), {**start, **RK4, "max_steps": 10 if n == 2 else 1000}


def outcome(craft, law, settings):
    try:
        return sim.simulate(craft, law, **settings)
    except PolhodeError as error:
        return error


@pytest.mark.parametrize("lanes", [1, 3, 32])
def test_each_is_what_it_is_alone(lanes, monkeypatch):
    monkeypatch.setattr(parallel_runs, "LANES", lanes)
    wanted = list(asked())
    alone = [outcome(*each) for each in wanted]
    found = dict(parallel_runs.run_in_parallel([run_spec(craft, law, **settings) for craft, law, settings in wanted]))
    assert sorted(found) == list(range(len(wanted)))
    assert {"completed", "singular", "failed"} == {run.status for run in alone}
    for n, one in enumerate(alone):
        other = found[n]
        for table in ("t", "states", "inputs", "observables", "start"):
            assert np.array_equal(getattr(one, table), getattr(other, table), equal_nan=True), (n, table)
        assert (one.status, one.reason, one.counters) == (other.status, other.reason, other.counters), n
        assert one.warnings == other.warnings, n


def test_parallel_runs_refusal_names_the_reason():
    here = plant.Spring(body_point=(0, 0, 0), inertial_point=(0, 0, 0), stiffness=1.0, natural_length=0.5)
    lost = plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=1.0), potentials=[here], translation=True)
    plans = [run_spec(lost, duration=1.0), run_spec(craft(), duration=1.0, rate=(0, 0, 1.0))]
    found = dict(parallel_runs.run_in_parallel(plans))
    with pytest.raises(PolhodeError) as alone:
        sim.simulate(lost, duration=1.0)
    assert (type(found[0]), str(found[0])) == (type(alone.value), str(alone.value))
    assert found[1].status == "completed"
