"""Implicit steps: order on every kind of spacecraft, conserved quantities, admissible stiffness."""

import numpy as np
import pytest

from polhode import controllers, plant, sim

from ....crafts import CRAFTS, FREE, company, somewhere

BODY = plant.RigidBody(((400, 12, -8), (12, 307.8, 15), (-8, 15, 200)))
TUMBLE = {"rate": (0.1, 0.5, -0.3), "duration": 20.0, "output_times": [10.003, 20.0]}  # one row within a step


def unbalanced(run):
    """Momentum minus impulse, over the largest momentum."""
    found = run.invariants()["momentum_balance_relative"]
    assert found is not None
    return found


def turned(run, exact):
    return np.abs(run["attitude"].values - exact["attitude"].values).max()


@pytest.mark.parametrize(("integrator", "order"), [("gauss6", 6), ("gauss4", 4), ("midpoint", 2)])
def test_order_and_momentum_of_a_rigid_body(integrator, order):
    craft = plant.Spacecraft(BODY)
    exact = sim.simulate(craft, **TUMBLE, integrator="rk8", step=0.01)
    steps = (0.8, 0.4) if order == 6 else (0.2, 0.1)
    runs = [sim.simulate(craft, **TUMBLE, integrator=integrator, step=h) for h in steps]
    off = [turned(run, exact) for run in runs]
    assert np.log2(off[0] / off[1]) == pytest.approx(order, abs=0.1)
    assert off[1] < {2: 1e-2, 4: 1e-7, 6: 1e-7}[order]
    for run in runs:  # momentum for any step, energy to the order of the step
        assert unbalanced(run) < 5e-14
    coarse = sim.simulate(craft, rate=(0.1, 0.5, -0.3), duration=20.0, integrator=integrator, step=1.0)
    assert unbalanced(coarse) < 5e-14


QUICK = ("pivoted under gravity",)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in CRAFTS]
)
def test_every_craft_against_explicit_steps(name):
    """Order 4 against dop853, also in the attitude at a row within a step; momentum and work are balanced."""
    craft = CRAFTS[name]()
    given = {"state": somewhere(craft), "duration": 0.1, "output_times": [0.0712345, 0.1]}
    exact = sim.simulate(craft, **given, rtol=1e-12)
    runs = [sim.simulate(craft, **given, integrator="gauss4", step=h) for h in (2e-4, 1e-4)]
    off = [turned(run, exact) for run in runs]
    if "without arms" in name:
        assert off[0] < 1e-13
    else:  # axial modes of 20 kHz are far from resolved
        assert 12.0 < off[0] / off[1] < 20.0
        assert off[1] < 3e-10
    for run in (exact, runs[1]):
        assert unbalanced(run) < 1e-12
        work = run.invariants()["energy_balance_relative"]
        assert work is None or work < 2e-9


def test_more_stages_are_more_exact_on_arms_too():
    """Of two systems, a complex and a real one: each has separate matrices for every arm."""
    craft = CRAFTS["free"]()
    given = {"state": somewhere(craft), "duration": 0.02, "output_times": [0.0171, 0.02]}
    exact = sim.simulate(craft, **given, rtol=1e-12)
    off = {
        name: [turned(sim.simulate(craft, **given, integrator=name, step=h), exact) for h in (2e-4, 1e-4)]
        for name in ("gauss4", "gauss6")
    }
    assert off["gauss6"][1] < 0.1 * off["gauss4"][1]
    assert off["gauss6"][0] / off["gauss6"][1] > 30.0


def test_implicit_step_is_not_limited_by_stiffness():
    """A slider on 1e7 N/m (500 Hz at steps of 0.02 s) and a ring with a thousand times the usual friction."""
    slider = plant.MassSpringDamper(mass=1.0, point=(0.1, 0.2, 0.3), axis=(1, 1, 0), stiffness=1e7, damping=50.0)
    ring = plant.RingDamper(axis=(0, 0, 1), mass=2.0, radius=0.3, friction=100.0, center=(0, 0, 0.3), fill=3.0)
    stiff = plant.Spacecraft(FREE, elements=[slider, ring])
    given = {"rate": (0.3, -0.2, 0.4), "duration": 2.0, "output_times": [2.0]}
    run = sim.simulate(stiff, **given, integrator="gauss4", step=0.02)
    assert run.status == "completed"
    assert turned(run, sim.simulate(stiff, **given, rtol=1e-12)) < 1e-7
    assert unbalanced(run) < 1e-13


def test_law_holds_same_craft_with_either_step():
    craft = plant.Spacecraft(FREE, elements=company(), torques=plant.TorqueBasis("body", limit=2.0))
    law = controllers.QuaternionFeedback(inertia=FREE.inertia, stiffness=0.4, damping=1.2, sample=0.1, delay=0.03)
    given = {"rate": (0.02, -0.01, 0.03), "duration": 5.0, "output_step": 0.5}
    exact = sim.simulate(craft, law, **given, rtol=1e-12)
    run = sim.simulate(craft, law, **given, integrator="gauss4", step=0.005)
    assert run.counters["samples"] == exact.counters["samples"]
    assert turned(run, exact) < 1e-8


def test_limits_of_wheels_are_met_within_the_step():
    """Saturation is not smooth: the iteration converges nevertheless."""
    axes = ((1, 0, 1), (0, 1, 1), (-1, 0, 1), (0, -1, 1))
    wheels = plant.wheel_array(axes, inertia=0.05, torque_limit=0.1, speed_limit=30.0)
    craft = plant.Spacecraft(
        plant.RigidBody((14, 11, 9)), elements=wheels, torques=plant.TorqueBasis("body", internal=True)
    )
    law = controllers.QuaternionFeedback(inertia=craft.body.inertia, stiffness=0.4, damping=1.2, sample=0.1)
    given = {"attitude": (0.8, 0.6, 0.0, 0.0), "duration": 20.0, "output_times": [20.0]}
    run = sim.simulate(craft, law, **given, integrator="gauss4", step=0.02)
    exact = sim.simulate(craft, law, **given, integrator="rk8", step=0.002)
    assert run.status == "completed"
    assert turned(run, exact) < 1e-4


def test_compiled_and_plain_are_one():
    craft = CRAFTS["free"]()
    given = {
        "state": somewhere(craft),
        "duration": 2e-3,
        "integrator": "gauss4",
        "step": 5e-4,
        "output_times": [1.2e-3, 2e-3],
    }
    plain, compiled = (sim.simulate(craft, **given, compiled=way).states for way in (False, True))
    scale = 1e-3 + np.abs(plain[-1])
    assert (np.abs(compiled - plain) / scale).max() < 1e-9  # the iteration leaves this error in strains at 20 kHz


def test_sticking_friction_is_met_by_halved_steps():
    """Friction over 1e-6 rad/s stops a wheel within 12 ns: the rest is the motion of one body, in closed form."""
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.06, coulomb=5.0, coulomb_rate=1e-6, relative_rate=0.5)
    craft = plant.Spacecraft(plant.RigidBody((14, 11, 9)), elements=[wheel])
    run = sim.simulate(craft, duration=1.0, integrator="gauss4", step=0.02)
    assert run.status == "completed"
    assert run.t[-1] == 1.0
    stop = 0.5 / (5.0 / 0.06 + 5.0 / 9.0)  # s, the same torque slows both
    together = 0.06 * 0.5 / 9.06
    assert run.values("rate")[-1, 2] == pytest.approx(together, rel=1e-5)
    angle = 0.5 * together * stop + together * (1.0 - stop)
    assert 2.0 * run.values("attitude")[-1, 3] == pytest.approx(angle, rel=1e-4)
    assert 0 < run.counters["rejected_steps"] < 60
    assert 1e-9 < run.counters["shortest_implicit_step"] < 1e-5
    assert "had no solution and were halved" in run.warnings[0]


def test_jump_of_load_ends_below_floor():
    """A sign has no slope: the run reports it after a bounded number of halvings."""

    def brake(t, e, omega, c, v):
        return (0.0, 0.0, -5.0 if omega[2] > 0.0 else 5.0, 0.0, 0.0, 0.0)

    craft = plant.Spacecraft(plant.RigidBody((400, 300, 200)), user_forces=[plant.UserForce(brake)])
    run = sim.simulate(craft, rate=(0, 0, 0.1), duration=10.0, integrator="gauss4", step=0.03, compiled=False)
    assert run.status == "failed"
    assert "nor with halved steps down to" in run.reason
    assert run.t[-1] == pytest.approx(0.1 * 200.0 / 5.0, rel=1e-3)  # the body rests
    assert 20 < run.counters["rejected_steps"] < 100


def test_fast_wheel_does_not_excuse_iteration():
    """In both directions: a coordinate that only rotates does not measure the residual of the step equations."""
    section = plant.flexible.BeamSection(
        area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, youngs_modulus=7e10, shear_modulus=3e10,
        density=3e3,
    )  # fmt: skip
    arm = plant.flexible.Arm(section=section, length=2.0, elements=1, direction=(1, 0, 0), root=(0.1, 0, 0))
    found = []
    for sense in (1.0, -1.0):  # the same wheel with its axis reversed
        wheel = plant.Wheel(axis=(0, 0, sense), inertia=0.05, relative_rate=sense * 1e4)
        craft = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0), mass=20.0), elements=[arm, wheel])
        run = sim.simulate(craft, rate=(1e-3, 2e-3, 1e-3), duration=2.0, integrator="gauss4", step=0.01)
        found.append(run["rate"].values)
    # treated as a speed it would leave an error of 3e-7 rad/s between them
    np.testing.assert_allclose(found[0], found[1], rtol=0.0, atol=1e-13)
