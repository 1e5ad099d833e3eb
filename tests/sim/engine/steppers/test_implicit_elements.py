"""Implicit steps of every kind of element, with and without arms, against dop853 and against a batch."""

import numpy as np
import pytest

from polhode import plant, sim

from ....crafts import FREE, arms

ELEMENTS = {
    "fast wheel": lambda: plant.Wheel(axis=(0, 0, 1), inertia=0.06, relative_rate=6000.0),
    "friction": lambda: plant.Wheel(axis=(0, 0, 1), inertia=0.06, coulomb=0.5, coulomb_rate=0.01, relative_rate=0.5),
    "speed limit": lambda: plant.Wheel(
        axis=(0, 1, 0), inertia=0.06, motor_torque=0.5, speed_limit=6.0, relative_rate=5.5
    ),
    "driven gimbal": lambda: plant.ControlMomentGyro(
        axis=(0, 0.6, 0.8),
        spin_axis=(1, 0, 0),
        momentum=40.0,
        rotor_inertia=0.06,
        gimbal_inertia=0.05,
        transverse_inertia=0.2,
        time_constant=0.004,
        rate=2.0,
    ),
    "swinging pendulum": lambda: plant.Pendulum(
        mass=4.0, length=0.5, hinge=(0.1, 0.2, -0.3), direction=(0, 0, -1), axis=(1, 0, 0), rate=12.0
    ),
    "cross pendulum": lambda: plant.Pendulum(
        mass=4.0, length=0.5, hinge=(0.1, 0.2, -0.3), direction=(0, 0, -1), stiffness=130.0, angle=(0.8, 0.4)
    ),
    "modes": lambda: plant.FlexibleModes(
        frequencies=(20.0, 60.0),
        damping_ratios=(0.01, 0.005),
        rotation=((1.0, 0.1), (0.5, 0.6), (0.2, 0.9)),
        displacements=(0.1, 0.05),
    ),
    "slider": lambda: plant.MassSpringDamper(
        mass=1.0, point=(0.1, 0.2, 0.3), axis=(1, 1, 0), stiffness=1000.0, damping=0.3, displacement=0.2
    ),
    "ring": lambda: plant.RingDamper(
        axis=(0, 0, 1), mass=2.0, radius=0.3, friction=0.1, center=(0, 0, 0.3), fill=3.0, relative_rate=30.0
    ),
}
START = {"rate": (0.3, -0.2, 0.4)}


def craft_of(name, *, flexible=False):
    return plant.Spacecraft(FREE, elements=[ELEMENTS[name](), *(arms() if flexible else ())])


def turned(run, exact):
    """The largest angle between two runs, rad."""
    return 2.0 * np.linalg.norm(run.values("attitude") - exact.values("attitude"), axis=1).max()


def test_fast_wheel_needs_no_halving():
    """Its nutation rotates by 1.9 rad per step: without gyroscopic terms in its matrix the iteration diverges."""
    run = sim.simulate(craft_of("fast wheel"), **START, duration=2.0, integrator="gauss4", step=0.05)
    assert run.status == "completed"
    assert run.counters["rejected_steps"] == 0


@pytest.mark.parametrize("name", ["friction", "swinging pendulum", "modes"])
def test_default_step_carries_an_element_on_soft_arms(name):
    craft = plant.Spacecraft(FREE, elements=[ELEMENTS[name](), *arms(modulus=7e7)])
    run = sim.simulate(craft, **START, duration=0.5, integrator="gauss4", output_times=[0.123, 0.5])
    assert run.status == "completed"
    assert run.t[-1] == 0.5
    balance = run.invariants()["momentum_balance_relative"]
    assert balance is not None
    assert balance < 1e-12


def test_halved_steps_of_a_batch_are_those_of_a_run():
    craft = craft_of("friction")
    given = {"duration": 0.5, "integrator": "gauss4", "step": 0.1, "output_times": [0.03, 0.5]}
    rates = [(0.3, -0.2, 0.4), (0.1, 0.2, -0.3)]
    runs = sim.simulate_batch(craft, rate=rates, **given)
    for k, rate in enumerate(rates):
        one = sim.simulate(craft, rate=rate, **given)
        assert one.counters["rejected_steps"] > 0
        np.testing.assert_array_equal(runs[k].states, one.states)
        assert runs[k].counters["rejected_steps"] == one.counters["rejected_steps"]


ON_ARMS = ("swinging pendulum", "slider", "ring")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "flexible"), [*((name, False) for name in ELEMENTS), *((name, True) for name in ON_ARMS)]
)
def test_every_element_converges_to_explicit_steps(name, flexible):
    craft = craft_of(name, flexible=flexible)
    given = {**START, "duration": 0.06, "output_times": [0.0356, 0.06]}
    exact = sim.simulate(craft, **given, integrator="dop853", rtol=1e-11)
    for method, step in (("midpoint", 2.5e-4), ("gauss4", 1e-3), ("gauss6", 1e-3)):
        runs = [sim.simulate(craft, **given, integrator=method, step=k * step) for k in (1, 2, 4, 40)]
        assert {run.status for run in runs} == {"completed"}
        near, middle, far, _ = (turned(run, exact) for run in runs)
        assert near < 3e-6  # rad; axial modes of 20 kHz are not resolved
        assert near < 0.5 * far or far < 1e-9
        assert middle < 1e-4
