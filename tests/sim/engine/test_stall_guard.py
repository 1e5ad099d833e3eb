"""A run that cannot reach its end reports it early, with the reason."""

from types import SimpleNamespace

import numpy as np
import pytest

from polhode import plant, sim
from polhode.sim.engine import indices as at
from polhode.sim.engine.stall_guard import StallGuard

BODY = plant.RigidBody((3.0, 2.0, 1.0), mass=1.0)


def stiff_wheel():
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1, friction=1e7, relative_rate=1.0)
    return plant.Spacecraft(BODY, elements=[wheel]), {"rate": (0.1, 0.0, 0.2)}


def stiff_damper():
    ends = {"body_point": (0, 0, 1), "inertial_point": (0, 0, 2), "stiffness": 1.0, "natural_length": 1.0}
    spring = plant.Spring(**ends, damping=1e9)
    return plant.Spacecraft(BODY, translation=True, potentials=[spring]), {"rate": (0.1, 0.0, 0.0)}


@pytest.mark.thinned(2)
@pytest.mark.parametrize(("make", "rate"), [(stiff_wheel, "1.1e+08/s"), (stiff_damper, "1e+09/s")])
def test_stiff_plant_is_called_stiff(make, rate):
    # friction c on inertia I against a hub of C: rate c (1/I + 1/(C - I)); a damper on a free mass: d/m
    craft, start = make()
    run = sim.simulate(craft, duration=1000.0, output_times=[1000.0], **start)
    assert run.status == "failed"
    assert run.counters["steps"] < 1_000_000
    for words in ("stiff", rate, "steps to its end", "soften"):
        assert words in run.reason


def test_absurd_rate_is_named():
    run = sim.simulate(plant.Spacecraft(BODY), rate=(1e9, 1e9, 0.0), duration=1e4, output_times=[1e4])
    assert run.status == "failed"
    assert run.counters["steps"] < 1_000_000
    for words in ("max_steps is 1e+08", "fastest rate", "check the units"):
        assert words in run.reason
    assert "stiff" not in run.reason.replace("stiffness", "")


def test_fixed_steps_too_many_are_foretold():
    run = sim.simulate(
        plant.Spacecraft(BODY), rate=(1, 1, 0), duration=1e6, integrator="rk4", step=1e-6, output_times=[1e6]
    )
    assert run.status == "failed"
    assert "1e+12 steps to its end" in run.reason


@pytest.mark.slow
def test_run_that_takes_long_may_go_on():
    # 1e6 steps of a motion that must be resolved
    run = sim.simulate(plant.Spacecraft(BODY), rate=(0.1, 1.0, 0.1), duration=3e5, output_times=[3e5], rtol=1e-12)
    assert run.status == "completed"
    assert run.counters["steps"] > 700_000


def test_verdict_takes_five_slow_looks_in_row():
    """The first check counts the steps and the time from the start of the run."""
    craft = plant.Spacecraft(BODY)
    b = SimpleNamespace(clock=np.zeros(at.CLOCK_SIZE), count=np.zeros(at.COUNT_SIZE, np.int64), x=craft.at_rest())
    b.u, b.count[at.MAX_STEPS] = np.zeros(3), 1000

    def looks(times, steps):
        pace, found = StallGuard(craft, (), b, duration=1.0, steps=10), []
        for t, taken in zip(times, steps, strict=True):
            b.clock[at.T], b.count[at.STEPS] = t, taken
            found.append(bool(pace.verdict()))
        return found

    slow = [0.001 * n for n in range(1, 6)]
    assert looks(slow, [100 * n for n in range(1, 6)]) == [False] * 4 + [True]
    assert looks([1e-4, *slow[1:]], [1, 200, 300, 400, 500]) == [False] * 4 + [True]
    quick = [0.9, 0.9001, 0.9002, 0.9003, 0.9004]
    assert looks(quick, [100, 600, 1100, 1600, 2100]) == [False] * 5


@pytest.mark.parametrize(("needed", "ends"), [(900, False), (1100, True)])
def test_stiff_run_may_take_steps_of_a_hundred_calls(needed, ends):
    """With steps of 10 per call, a stiff run of 900 steps completes, and one of 1100 is ended."""
    craft, _ = stiff_wheel()
    b = SimpleNamespace(clock=np.zeros(at.CLOCK_SIZE), count=np.zeros(at.COUNT_SIZE, np.int64), x=craft.at_rest())
    b.u, b.count[at.MAX_STEPS], b.count[at.METHOD] = np.zeros(3), 10**6, at.DOP853
    guard, found = StallGuard(craft, (), b, duration=1.0, steps=10), []
    for n in range(1, 6):
        b.clock[at.T], b.count[at.STEPS] = 10.0 * n / needed, 10 * n
        found.append(guard.verdict())
    assert found[:4] == [""] * 4
    assert ("the plant is stiff" in found[4]) == ends
