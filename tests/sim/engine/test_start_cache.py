"""Start arrays are cached: the next run of the same kind starts with equal arrays and its own parameters."""

from dataclasses import dataclass, field
from threading import Thread

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.laws.quaternion_feedback_kernel import quaternion_feedback_kernel
from polhode.plant import InputError
from polhode.plant.flexible import Arm, BeamSection
from polhode.sim.engine import start_cache
from polhode.sim.engine.loop_arrays import LoopArrays
from polhode.sim.engine.new_loop_arrays import _RESULTS
from polhode.sim.runs.drive import loop_of
from polhode.sim.runs.run_spec import run_spec

BODY = plant.RigidBody((4, 3, 2), mass=10.0)
LIMITED = plant.TorqueBasis("body", limit=0.5)
SECTION = BeamSection(
    area=1e-4, second_moment_m=1e-10, second_moment_n=1e-10, youngs_modulus=7e10, shear_modulus=2.6e10, density=2700.0
)
WHEELS = plant.wheel_array(np.eye(3), inertia=0.05)


CRAFTS = {
    "bare": (plant.Spacecraft(BODY, torques=LIMITED), {"integrator": "rk4", "step": 0.1}),
    "no ledger": (plant.Spacecraft(BODY, torques=LIMITED), {"integrator": "dop853", "ledger": False}),
    "translating": (plant.Spacecraft(BODY, translation=True), {"integrator": "rk8", "step": 0.1}),
    "euler basis": (
        plant.Spacecraft(BODY, torques=plant.TorqueBasis("dual-euler", "3-2-1")),
        {"integrator": "rk4", "step": 0.1},
    ),
    "two torques": (
        plant.Spacecraft(
            BODY, torques=plant.TorqueBasis("body", internal=True), external=LIMITED, elements=WHEELS
        ),
        {"integrator": "rk4", "step": 0.1},
    ),
    "arm, implicit": (
        plant.Spacecraft(BODY, elements=[Arm(section=SECTION, length=1.0, elements=2, direction=(1, 0, 0))]),
        {"integrator": "gauss4", "step": 0.05},
    ),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class OneOwn:
    """A user-defined law with parameters that may change."""

    parameters: np.ndarray
    memory: np.ndarray = field(default_factory=lambda: np.zeros(0))
    sample: float = 0.1
    delay: float = 0.0
    kernel: object = quaternion_feedback_kernel


def forget(monkeypatch):
    monkeypatch.setattr(start_cache, "_kept", type(start_cache._kept)())
    monkeypatch.setattr(start_cache, "_other_hubs", {})


def plan_of(craft, law, how, **more):
    rate = more.pop("rate", (0.02, -0.01, 0.03))
    return run_spec(
        craft, law, attitude=(0.8, 0.6, 0, 0), rate=rate, duration=2.0, output_times=[1.0, 2.0], **how, **more
    )


@pytest.mark.parametrize("kind", CRAFTS)
def test_next_run_begins_as_one_made_anew(kind, monkeypatch):
    craft, how = CRAFTS[kind]
    law = controllers.RateDamping(gain=1.0, sample=0.1)
    forget(monkeypatch)
    other = plan_of(craft, law, how, rate=(0.1, 0.2, -0.1))
    loop_of(other).advance(10**6)  # an earlier run has no effect
    assert len(start_cache._kept[craft]) == 1
    again = loop_of(plan_of(craft, law, how))
    assert len(start_cache._kept[craft]) == 1
    forget(monkeypatch)
    anew = loop_of(plan_of(craft, law, how))
    assert again.functions == anew.functions
    for name, one, two in zip(LoopArrays._fields, again.arrays, anew.arrays, strict=True):
        assert one.shape == two.shape, name
        assert name in _RESULTS or one.tobytes() == two.tobytes(), name  # rows are written before they are read
        assert not np.shares_memory(one, two), name
    assert again.advance(10**6) == anew.advance(10**6)
    assert again.arrays.out_x.tobytes() == anew.arrays.out_x.tobytes()


HUBS = {
    "inertia": (plant.RigidBody([[5, 0.1, 0], [0.1, 4, 0.2], [0, 0.2, 3]], mass=10.0), {}, True),
    "mass": (plant.RigidBody((4, 3, 2), mass=20.0), {}, True),
    "limit": (BODY, {"torques": plant.TorqueBasis("body", internal=True, limit=(0.3, 0.2, 0.1))}, True),
    "translation": (BODY, {"translation": True}, False),
    "external torque": (BODY, {"torques": LIMITED}, False),
    "other wheels": (BODY, {"elements": plant.wheel_array(np.eye(3), inertia=0.04)}, False),
    "gravity gradient": (
        BODY,
        {"potentials": [plant.GravityGradient(mu=4e14, position=(7e6, 0, 0), velocity=(0, 7.5e3, 0))]},
        False,
    ),
}


@pytest.mark.parametrize("hub", HUBS)
@pytest.mark.parametrize("how", [{"integrator": "dop853"}, {"integrator": "gauss4", "step": 0.05}])
def test_start_of_another_hub_equals_one_made_anew(hub, how, monkeypatch):
    body, options, shared = HUBS[hub]
    through = {"torques": plant.TorqueBasis("body", internal=True), "elements": WHEELS}
    law = controllers.RateDamping(gain=1.0, sample=0.1)
    forget(monkeypatch)
    loop_of(plan_of(plant.Spacecraft(BODY, **through), law, how)).advance(10**6)
    craft = plant.Spacecraft(body, **(through | options))
    again = loop_of(plan_of(craft, law, how))
    assert (craft not in start_cache._kept) == (shared and how["integrator"] == "dop853")
    forget(monkeypatch)
    anew = loop_of(plan_of(craft, law, how))
    assert craft in start_cache._kept
    assert again.functions == anew.functions
    for name, one, two in zip(LoopArrays._fields, again.arrays, anew.arrays, strict=True):
        assert one.shape == two.shape, name
        assert name in _RESULTS or one.tobytes() == two.tobytes(), name
    assert again.advance(10**6) == anew.advance(10**6)
    assert again.arrays.out_x.tobytes() == anew.arrays.out_x.tobytes()


def test_law_whose_numbers_change_flies_with_new_ones():
    craft, how = CRAFTS["bare"]
    pattern = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.7, sample=0.1)
    law = OneOwn(np.array(pattern.parameters), np.array(pattern.memory))
    first = sim.simulate(craft, law, rate=(0.1, 0, 0), duration=2.0, **how)
    law.parameters[:] = controllers.quaternion_feedback(craft, frequency=0.2, damping_ratio=0.9, sample=0.1).parameters
    second = sim.simulate(craft, law, rate=(0.1, 0, 0), duration=2.0, **how)
    slower = controllers.quaternion_feedback(craft, frequency=0.2, damping_ratio=0.9, sample=0.1)
    wanted = sim.simulate(craft, slower, rate=(0.1, 0, 0), duration=2.0, **how)
    assert not np.array_equal(first.states, second.states)
    assert second.states.tobytes() == wanted.states.tobytes()


@pytest.mark.parametrize(
    "more",
    [
        {"duration": 3.0},
        {"output_times": [0.5, 2.0]},
        {"step": 0.05},
        {"integrator": "rk8"},
        {"ledger": False},
        {"max_steps": 7},
        {"amplification_limit": 30.0},
        {"reference": controllers.SpinReference(rate=(0, 0, 0.1))},
    ],
)  # fmt: skip
def test_whatever_is_said_otherwise_is_heard(more, monkeypatch):
    craft, law = plant.Spacecraft(BODY, torques=LIMITED), controllers.RateDamping(gain=1.0, sample=0.1)
    how = {"rate": (0.1, 0.2, 0.3), "duration": 2.0, "output_times": [1.0, 2.0], "integrator": "rk4", "step": 0.1}
    sim.simulate(craft, law, **how)
    found = sim.simulate(craft, law, **(how | more))
    forget(monkeypatch)
    wanted = sim.simulate(craft, law, **(how | more))
    assert (found.status, found.reason, found.counters) == (wanted.status, wanted.reason, wanted.counters)
    for name in wanted.names:
        assert found.values(name).tobytes() == wanted.values(name).tobytes(), name


def test_no_more_is_kept_of_a_craft_than_some():
    craft = plant.Spacecraft(BODY)
    for n in range(3 * start_cache.MOST):
        sim.simulate(craft, rate=(0.1, 0, 0), duration=1.0 + n, integrator="rk4", step=0.5)
    assert len(start_cache._kept[craft]) == start_cache.MOST
    kept = len(start_cache._kept)
    del craft
    assert len(start_cache._kept) == kept - 1


def test_another_thread_that_keeps_waits_its_turn(monkeypatch):
    """While the oldest entry of a spacecraft is searched, a different thread stores one."""
    craft, (law, how) = plant.Spacecraft(BODY), (None, {"integrator": "rk4", "step": 0.1})
    forget(monkeypatch)
    loop = loop_of(plan_of(craft, law, how))
    ((kind, _),) = start_cache._kept[craft].items()
    others, waits = [], []

    def keep(n):
        start_cache.keep(craft, kind._replace(max_steps=n), loop.arena, loop.functions)

    class Interrupted(dict):
        def __iter__(self):
            found = super().__iter__()
            if not others:
                others.append(Thread(target=keep, args=(1000,)))
                others[0].start()
                others[0].join(0.05)
                waits.append(others[0].is_alive())
            return found

    start_cache._kept[craft] = Interrupted({kind._replace(max_steps=n): None for n in range(start_cache.MOST)})
    keep(100)
    others[0].join()
    assert waits == [True]
    assert {each.max_steps for each in dict.keys(start_cache._kept[craft])} >= {100, 1000}
    assert len(start_cache._kept[craft]) == start_cache.MOST


def beyond(t, y, r, q, z, u):
    u[0] = u[1] = u[2] = -y[7 + int(q[0])]


def test_law_that_goes_beyond_its_arrays_is_refused_after_one_that_did_not():
    craft = plant.Spacecraft(BODY)
    how = {"rate": (0.1, 0, 0), "duration": 1.0, "integrator": "rk4", "step": 0.1}
    sim.simulate(craft, controllers.CustomLaw(beyond, sample=0.1, parameters=[2.0]), **how)
    for _ in range(2):
        with pytest.raises(InputError, match="exceeds its arrays"):
            sim.simulate(craft, controllers.CustomLaw(beyond, sample=0.1, parameters=[9.0]), **how)
