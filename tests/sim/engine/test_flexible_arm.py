"""Arms as elements in the engine: compiled equals plain, balances hold, large bending, spin-up, rigid limit."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant.flexible import Arm, BeamSection, static_shape

HUB = plant.RigidBody(((14.0, 0.5, 0.2), (0.5, 11.0, -0.3), (0.2, -0.3, 9.0)), mass=60.0)
RATE = (0.1, 0.5, 0.2)


def arms(modulus=7e6, damping_time=0.0, bend=8e-9):
    section = BeamSection(
        area=1e-3,
        second_moment_m=bend,
        second_moment_n=2.5 * bend,
        youngs_modulus=modulus,
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
        sim.simulate(
            craft, rate=RATE, duration=1e-3, integrator=integrator, step=1e-3, output_times=[1e-3], compiled=compiled
        )
        for compiled in (True, False)
    ]
    assert {run.status for run in flights} == {"completed"}
    # momenta of 30 N m s; the contraction of a product and a sum has one rounding less
    np.testing.assert_allclose(flights[0].states, flights[1].states, rtol=0, atol=1e-13)
    np.testing.assert_allclose(flights[0].observables, flights[1].observables, rtol=0, atol=1e-11)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("hub", ["free", "pivoted"])
def test_balances(hub):
    """Momentum to round-off, energy with friction, a pulse and arm damping to the error of the steps."""
    body = HUB if hub == "free" else plant.RigidBody(20.0 * np.eye(3), mass=60.0, pivot=(0.1, 0.2, 0.3))
    craft = plant.Spacecraft(body, elements=[*company(), *arms(damping_time=1e-5)])
    pulse = plant.TorquePulse((3.0, 1.0, -2.0), start=0.2, stop=0.5, basis=plant.TorqueBasis("body"))
    run = sim.simulate(craft, rate=RATE, duration=1.0, integrator="rk4", step=5e-4, torques=[pulse])
    assert run.status == "completed"
    found = run.invariants()
    assert float(found["momentum_balance_relative"]) < 1e-12
    assert float(found["energy_balance_relative"]) < 1e-8


def test_another_program_turns_as_far():
    """An independent implementation of the same equations, in inertial positions of hub and nodes; implicit steps."""
    craft = plant.Spacecraft(HUB, elements=arms())
    run = sim.simulate(craft, rate=RATE, duration=1.0, integrator="rk4", step=5e-4, output_step=1.0)
    there = (0.961424995331806, 0.054811600281945, 0.246616063395933, 0.108803419527430)
    np.testing.assert_allclose(run.values("attitude")[-1], there, rtol=0, atol=1e-11)
    tips = [
        [-0.009450899583191, -0.180401451925084, -0.022149491220505],
        [-0.000329294151566, 0.003059433380909, 0.031013879775802],
    ]
    np.testing.assert_allclose(run.values("tip_deflection")[-1], tips, rtol=0, atol=1e-9)


@pytest.mark.parametrize("integrator", ["rk4", "gauss4"])
def test_many_nodes_find_room(integrator):
    """Plain Python checks array bounds where compiled code writes: a short array is an error here and corruption
    there.
    """
    arm = Arm(section=arms()[0].section, length=2.0, elements=14, direction=(1, 0, 0), root=(0.1, 0, 0))
    craft = plant.Spacecraft(HUB, elements=[arm])
    given = {"rate": RATE, "duration": 1e-4, "step": 1e-4, "integrator": integrator, "output_times": [1e-4]}
    runs = [sim.simulate(craft, **given, compiled=compiled) for compiled in (True, False)]
    np.testing.assert_allclose(runs[0].states, runs[1].states, rtol=0, atol=1e-12)


def soft(damping_time=0.0):
    """Unlike the arms of Choi (2014), a thousand times softer than his."""
    section = BeamSection(
        area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=9.2e-7, youngs_modulus=7.17e7, shear_modulus=2.68e7,
        density=2.8e3, damping_time=damping_time,
    )  # fmt: skip
    both = [
        Arm(section=section, length=2.0, elements=2, direction=(1, 0.3, 0), root=(0.1, 0, 0)),
        Arm(section=section, length=1.5, elements=1, direction=(-1, 0, 0.4), root=(-0.1, 0, 0), tip_mass=0.5),
    ]
    return plant.Spacecraft(plant.RigidBody(0.149 * np.eye(3), mass=22.4), elements=both)


def released(craft, **given):
    """From a bend of a third of the length of the first arm, while a torque makes the spacecraft tumble."""
    bent = static_shape(craft, force=(0, 8, 15.0), moment=(5.0, 0, 0), increments=4)
    pulse = plant.TorquePulse((10.0, 60.0, -50.0), start=0.0, stop=0.2, shape="raised-cosine")
    return sim.simulate(craft, state=bent, torques=[pulse], duration=2.0, **given)


@pytest.mark.thinned(2)
@pytest.mark.parametrize(("integrator", "energy"), [("rk8", 1e-10), ("gauss4", 1e-7)])
def test_visible_bending_keeps_energy_and_momentum(integrator, energy):
    run = released(soft(), integrator=integrator, step=5e-4)
    assert np.linalg.norm(run.values("tip_deflection")[0, 0, 1:]) > 0.6
    assert np.linalg.norm(run.values("inertial_momentum")[-1]) > 5.0
    found = run.invariants()
    assert float(found["momentum_balance_relative"]) < 1e-11
    assert float(found["energy_balance_relative"]) < energy


def test_damping_dissipates_and_momentum_stays():
    run = released(soft(damping_time=2e-3), integrator="gauss4", step=2e-3, output_step=0.01)
    free = run.t > 0.2
    energy, momentum = run.values("energy")[free], run.values("inertial_momentum")[free]
    assert energy[-1] < 0.6 * energy[0]
    assert np.diff(energy).max() < 0.0
    assert np.ptp(momentum, axis=0).max() < 1e-12  # of 6 N m s


def test_spin_up_of_a_beam():
    """Spin-up manoeuvre: 6 rad/s in 15 s; the stretch in steady spin is rho A w^2 L^3/(3 EA) = 5.14e-4 m.

    The prescribed rate 6/15 (t - 15/2pi sin(2 pi t/15)) is that of a heavy hub under a raised cosine.
    """
    section = BeamSection(  # EA 2.8e7 N, EI 1.4e4 N m^2, rho A 1.2 kg/m, rho I 6e-4 kg m
        area=1e-2, second_moment_m=5e-6, second_moment_n=5e-6, youngs_modulus=2.8e9, shear_modulus=1e9, density=120.0
    )
    arm = Arm(section=section, length=10.0, elements=4, direction=(1, 0, 0))
    craft = plant.Spacecraft(plant.RigidBody(1e8 * np.eye(3), mass=1e8), elements=[arm])
    pulse = plant.TorquePulse((0, 0, 2e8 * 6 / 15), start=0.0, stop=15.0, shape="raised-cosine")
    run = sim.simulate(craft, torques=[pulse], duration=20.0, integrator="gauss4", step=5e-3, output_step=0.02)
    tip = run.values("tip_deflection")[:, 0]
    assert run.values("rate")[-1, 2] == pytest.approx(6.0, rel=1e-5)
    assert np.abs(tip[:, 1]).max() > 0.5  # it lags by half a metre during the spin-up
    steady = tip[run.t > 15.5]
    assert np.abs(steady[:, 1]).max() < 5e-3
    assert steady[:, 0].mean() == pytest.approx(5.142857e-4, rel=0.01)


def test_stiff_arms_are_rigid():
    """The difference to a rigid craft falls as 1/E."""

    def flight(body, elements, step):
        craft = plant.Spacecraft(body, elements=elements)
        start = {"rate": RATE, "duration": 0.5, "integrator": "rk4", "step": step, "output_step": 0.005}
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
