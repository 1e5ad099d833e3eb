"""A loop near a checked one is stable, and its run has the same warnings."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.sim.results import law_warnings
from polhode.sim.results.small_gain_cache import SmallGainCache

MOMENTS = np.array([400.0, 307.8, 200.0])
POSE = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def craft_of(inertia):
    return plant.Spacecraft(plant.RigidBody(inertia), torques=plant.TorqueBasis("body", limit=1.0))


def law_of(sample):
    craft = craft_of(MOMENTS)
    model = craft.linearize(craft.at_rest())
    return controllers.lqr(model, attitude=25.0, rate=1.0, effort=1.0, sample=sample, delay=0.3 * sample)


def some_inertia(rng, spread):
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    inertia = turn @ np.diag(MOMENTS * np.exp(spread * rng.normal(size=3))) @ turn.T
    return 0.5 * (inertia + inertia.T)


@pytest.mark.parametrize("sample", [0.1, 2.0])
def test_small_gain_cache_accepts_stable_loops_only(sample):
    law, rng, near = law_of(sample), np.random.default_rng(1), SmallGainCache()
    assert not near.holds(craft_of(MOMENTS), law, POSE)
    near.add(craft_of(MOMENTS), law, POSE, law.loop())
    told = []
    for _ in range(40):
        try:
            craft = craft_of(some_inertia(rng, rng.uniform(0.02, 0.6)))
        except plant.InputError:
            continue
        told.append(near.holds(craft, law, POSE))
        if told[-1]:
            loop = law.loop(craft.linearize(craft.at_rest()))
            assert max(loop.radius(), loop.radius(factor=(2.0, 2.0, 2.0))) < 1.0
    assert 0 < sum(told) < len(told)
    assert not near.holds(craft_of(0.2 * MOMENTS), law, POSE)


def test_more_than_another_inertia_is_looked_at():
    law, near = law_of(0.1), SmallGainCache()
    near.add(craft_of(MOMENTS), law, POSE, law.loop())
    assert near.holds(craft_of(MOMENTS), law, POSE)
    wheels = [
        plant.Wheel(axis=(0.0, 1.0, 0.0), inertia=0.5, **more)
        for more in ({"friction": 0.01}, {"coulomb": 0.01}, {"relative_rate": 0.1}, {"motor_torque": 0.01})
    ]
    others = (
        *(plant.Spacecraft(plant.RigidBody(MOMENTS), elements=[wheel]) for wheel in wheels),
        plant.Spacecraft(plant.RigidBody(MOMENTS), torques=plant.TorqueBasis("inertial")),
        plant.Spacecraft(plant.RigidBody(MOMENTS, mass=100.0), translation=True),
    )
    assert not any(near.holds(craft, law, POSE) for craft in others)
    assert not near.holds(craft_of(MOMENTS), law, POSE + np.array([0, 0, 0, 0, 0.1, 0, 0]))
    assert not near.holds(craft_of(MOMENTS), law_of(0.2), POSE)
    user = controllers.CustomLaw(lambda t, y, r, q, z, u: None, sample=0.1)
    assert not near.holds(craft_of(MOMENTS), user, POSE)


def on_wheels(inertia, **more):
    axes = [[1, 1, 1], [-1, 1, 1], [-1, -1, 1], [1, -1, 1]]
    wheels = plant.wheel_array(axes=axes, inertia=0.02, **more)
    return plant.Spacecraft(plant.RigidBody(inertia), elements=wheels)


@pytest.mark.parametrize("kind", ["lqr", "quaternion feedback"])
def test_near_loops_hold_for_balanced_wheels(kind):
    first, rng, near = on_wheels(MOMENTS, relative_rates=[50, -50, 50, -50]), np.random.default_rng(3), SmallGainCache()
    model = first.from_outside.linearize(first.from_outside.at_rest())
    law = (
        controllers.lqr(model, attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
        if kind == "lqr"
        else controllers.quaternion_feedback(first, frequency=0.12, damping_ratio=0.9, sample=0.1)
    )
    near.add(first, law, POSE, law.loop(model))
    held = []
    for _ in range(30):
        try:
            craft = on_wheels(some_inertia(rng, rng.uniform(0.02, 0.6)))
        except plant.InputError:
            continue
        held.append(near.holds(craft, law, POSE))
        if held[-1]:
            outside = craft.from_outside
            loop = law.loop(outside.linearize(outside.at_rest()))
            assert max(loop.radius(), loop.radius(factor=(2.0, 2.0, 2.0))) < 1.0
    assert 0 < sum(held) < len(held)
    assert near.holds(on_wheels(MOMENTS), law, POSE)
    for more in ({"friction": 1e-3}, {"relative_rates": [50, 50, 50, 50]}):
        assert not near.holds(on_wheels(MOMENTS, **more), law, POSE)


def test_small_gain_counts_every_warning(monkeypatch):
    law, rng = law_of(0.1), np.random.default_rng(2)
    looked = []
    look = law_warnings._look
    monkeypatch.setattr(law_warnings, "_look", lambda *given: looked.append(given) or look(*given))
    crafts = [craft_of(MOMENTS), craft_of(1.001 * MOMENTS), craft_of(0.004 * MOMENTS)]
    crafts += [craft_of(MOMENTS * np.exp(0.05 * rng.normal(size=3))) for _ in range(3)]
    far, close = (0.6, 0.0, 0.0, 0.8), (0.9999, 0.0, 0.0, np.sqrt(1.0 - 0.9999**2))
    for n, craft in enumerate(crafts):
        for attitude in (close, far):  # distant from it, the slowest pole is computed too
            run = sim.simulate(craft, law=law, attitude=attitude, duration=20.0, step=0.1)
            before = len(looked)
            counted, quick = run.warned, len(looked) == before
            assert counted == len(run.warnings)
            assert quick == (n not in {0, 2}) or attitude is far
            fresh = sim.simulate(craft, law=law, attitude=attitude, duration=20.0, step=0.1)
            assert fresh.warnings == run.warnings
            assert fresh.warned == counted
    assert any(
        "does not stabilise" in each for each in sim.simulate(crafts[2], law=law, duration=1.0, step=0.1).warnings
    )
