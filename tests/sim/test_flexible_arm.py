"""Arms as elements in the engine: compiled as in plain Python, balances kept, and stiff arms are rigid."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant.flexible import Arm, BeamSection, FlexibleSatellite
from polhode.sim.flexible import simulate_flexible

HUB = plant.RigidBody(((14.0, 0.5, 0.2), (0.5, 11.0, -0.3), (0.2, -0.3, 9.0)), mass=60.0)
RATE = (0.1, 0.5, 0.2)


def arms(modulus=7e6, damping_time=0.0, bend=8e-9):
    section = BeamSection(
        area=1e-3,
        second_moment_m=bend,
        second_moment_n=2.5 * bend,
        elastic_modulus=modulus,
        shear_modulus=0.37 * modulus,
        density=2700.0,
        damping_time=damping_time,
    )
    return [
        Arm(section=section, length=2.0, elements=2, direction=(1, 0.2, 0.1), root=(0.4, 0, 0.1), tip_mass=0.5),
        Arm(section=section, length=1.5, elements=1, direction=(-1, 0.3, 0.2), root=(-0.3, 0.1, 0)),
    ]


def company():
    return [
        plant.RingDamper(axis=(0, 0, 1), mass=2.0, radius=0.3, friction=0.1, center=(0, 0, 0.3), fill=3.0),
        plant.Wheel(axis=(1, 0, 0), inertia=0.06, friction=0.01, relative_rate=20.0),
        plant.Pendulum(mass=4.0, length=0.5, hinge=(0.1, 0.2, -0.3), direction=(0, 0, -1)),
    ]


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
def test_compiled_is_plain(integrator):
    near = plant.GravityGradient(mu=5e3, position=(20.0, 1.0, 3.0), velocity=(0.0, 16.0, 0.0))
    craft = plant.Spacecraft(HUB, elements=[arms()[1], *company()], potentials=[near])
    flights = [
        sim.simulate(craft, rate=RATE, duration=1e-3, integrator=integrator, step=1e-3, at=[1e-3], compiled=compiled)
        for compiled in (True, False)
    ]
    assert {run.status for run in flights} == {"completed"}
    # momenta of 30 N m s; contraction of a product and a sum rounds once less
    np.testing.assert_allclose(flights[0].states, flights[1].states, rtol=0, atol=1e-13)
    np.testing.assert_allclose(flights[0].observables, flights[1].observables, rtol=0, atol=1e-11)


@pytest.mark.parametrize("hub", ["free", "pivoted"])
def test_balances(hub):
    """Momentum to round-off, energy with friction, a pulse and the arms' own damping to the steps' error."""
    body = HUB if hub == "free" else plant.RigidBody(20.0 * np.eye(3), mass=60.0, pivot=(0.1, 0.2, 0.3))
    craft = plant.Spacecraft(body, elements=[*company(), *arms(damping_time=1e-5)])
    pulse = plant.TorquePulse((3.0, 1.0, -2.0), start=0.2, stop=0.5, basis=plant.TorqueBasis("body"))
    run = sim.simulate(craft, rate=RATE, duration=1.0, integrator="rk4", step=5e-4, torques=[pulse])
    assert run.status == "completed"
    found = run.invariants()
    assert float(found["momentum_balance_relative"]) < 1e-12
    assert float(found["energy_balance_relative"]) < 1e-8


def test_the_flight_of_the_satellite_of_arms():
    satellite = FlexibleSatellite(HUB, arms=arms())
    other = simulate_flexible(satellite, rate=RATE, duration=1.0, step=1e-3)
    craft = plant.Spacecraft(HUB, elements=arms())
    run = sim.simulate(craft, rate=RATE, duration=1.0, integrator="rk4", step=5e-4)
    # implicit steps of order 4 against explicit ones, bending at 5 rad/s and stretching at 500
    np.testing.assert_allclose(np.abs(run.states[-1, 3:7]), np.abs(other.values("attitude")[-1]), rtol=0, atol=1e-7)


def test_stiff_arms_are_rigid():
    """The difference to a rigid craft falls as 1/E."""

    def flight(body, elements, step):
        craft = plant.Spacecraft(body, elements=elements)
        start = {"rate": RATE, "duration": 0.5, "integrator": "rk4", "step": step, "output": 0.005}
        return sim.simulate(craft, **start).states[:, :7]

    rigid = plant.Spacecraft(HUB, elements=arms(bend=8e-7))
    whole = plant.RigidBody(rigid.locked_inertia(rigid.at_rest()), mass=rigid.mass)
    expected = flight(whole, [], 5e-4)
    off = [
        np.abs(flight(HUB, arms(modulus, bend=8e-7), step) - expected).max()
        for modulus, step in ((1e8, 2e-4), (1e9, 6e-5))
    ]
    assert off[1] < 5e-3  # of 8 N m s
    assert off[0] / off[1] == pytest.approx(10.0, rel=0.3)
