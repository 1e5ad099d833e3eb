"""A run that cannot come to its end says so soon, and why."""

from types import SimpleNamespace

import numpy as np
import pytest

from polhode import plant, sim
from polhode.sim.engine import indices as at
from polhode.sim.engine.pace import Pace

BODY = plant.RigidBody((3.0, 2.0, 1.0), mass=1.0)


def stiff_wheel():
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1, friction=1e7, relative_rate=1.0)
    return plant.Spacecraft(BODY, elements=[wheel]), {"rate": (0.1, 0.0, 0.2)}


def stiff_damper():
    ends = {"body_point": (0, 0, 1), "inertial_point": (0, 0, 2), "stiffness": 1.0, "natural_length": 1.0}
    spring = plant.Spring(**ends, damping=1e9)
    return plant.Spacecraft(BODY, translation=True, potentials=[spring]), {"rate": (0.1, 0.0, 0.0)}


@pytest.mark.parametrize(("make", "rate"), [(stiff_wheel, "1.1e+08/s"), (stiff_damper, "1e+09/s")])
def test_a_stiff_plant_is_called_stiff(make, rate):
    # friction c on inertia I against a hub of C: rate c (1/I + 1/(C - I)); a damper on a free mass: d/m
    craft, start = make()
    run = sim.simulate(craft, duration=1000.0, at=[1000.0], **start)
    assert run.status == "failed"
    assert run.counters["steps"] < 1_000_000
    for words in ("stiff", rate, "steps to its end", "soften"):
        assert words in run.reason


def test_an_absurd_rate_is_named():
    run = sim.simulate(plant.Spacecraft(BODY), rate=(1e9, 1e9, 0.0), duration=1e4, at=[1e4])
    assert run.status == "failed"
    assert run.counters["steps"] < 1_000_000
    for words in ("max_steps is 1e+08", "fastest rate", "check the units"):
        assert words in run.reason
    assert "stiff" not in run.reason.replace("stiffness", "")


def test_fixed_steps_too_many_are_foretold():
    run = sim.simulate(plant.Spacecraft(BODY), rate=(1, 1, 0), duration=1e6, integrator="rk4", step=1e-6, at=[1e6])
    assert run.status == "failed"
    assert "1e+12 steps to its end" in run.reason


def test_a_run_that_takes_long_may_go_on():
    # 1e6 steps of a motion that has to be resolved
    run = sim.simulate(plant.Spacecraft(BODY), rate=(0.1, 1.0, 0.1), duration=3e5, at=[3e5], rtol=1e-12)
    assert run.status == "completed"
    assert run.counters["steps"] > 700_000


def test_a_verdict_takes_five_slow_looks_in_a_row():
    """The first look counts the steps and the time from the start of the run."""
    craft = plant.Spacecraft(BODY)
    b = SimpleNamespace(clock=np.zeros(at.CLOCK_SIZE), count=np.zeros(at.COUNT_SIZE, np.int64), x=craft.at_rest())
    b.u, b.count[at.MAX_STEPS] = np.zeros(3), 1000

    def looks(times, steps):
        pace, found = Pace(craft, (), b, duration=1.0, steps=10), []
        for t, taken in zip(times, steps, strict=True):
            b.clock[at.T], b.count[at.STEPS] = t, taken
            found.append(bool(pace.verdict()))
        return found

    slow = [0.001 * n for n in range(1, 6)]
    assert looks(slow, [100 * n for n in range(1, 6)]) == [False] * 4 + [True]
    assert looks([1e-4, *slow[1:]], [1, 200, 300, 400, 500]) == [False] * 4 + [True]
    quick = [0.9, 0.9001, 0.9002, 0.9003, 0.9004]
    assert looks(quick, [100, 600, 1100, 1600, 2100]) == [False] * 5
