"""Kinetic energy as the scale of relative balances, against sums over the parts."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.scenarios.report.metrics import measure
from polhode.sim.results.kinetic_energy import kinetic_energy

from ...crafts import CRAFTS, somewhere

HUB = np.array([[12.0, -0.5, 0.3], [-0.5, 10.0, 0.2], [0.3, 0.2, 8.0]])
AXES = np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [1.0, -1.0, 1.0]]) / np.sqrt(3.0)


def on_wheels(rates, **more):
    wheels = [plant.Wheel(axis=axis, inertia=0.05, relative_rate=rate) for axis, rate in zip(AXES, rates, strict=True)]
    return plant.Spacecraft(plant.RigidBody(HUB), elements=wheels, **more)


@pytest.mark.parametrize("rows", [1, 5, 40])
def test_kinetic_energy_of_hub_and_wheels(rows):
    rng = np.random.default_rng(rows)
    craft = on_wheels(np.zeros(4))
    omega, spin = rng.normal(size=(rows, 3)), 100.0 * rng.normal(size=(rows, 4))
    states = np.array([craft.state(rate=w, internal_rate=s) for w, s in zip(omega, spin, strict=True)])
    hub = 0.5 * np.einsum("ni,ij,nj->n", omega, HUB, omega)
    rotors = 0.5 * 0.05 * ((spin + omega @ AXES.T) ** 2).sum(axis=1)
    np.testing.assert_allclose(kinetic_energy(craft, states), hub + rotors, rtol=1e-13)


@pytest.mark.parametrize("potentials", [(), (plant.UniformGravity((0.0, 0.0, -9.81)),)], ids=["free", "gravity"])
def test_kinetic_energy_of_hub_and_slider(potentials):
    """The hub recoils from the sliding mass: both move about their common mass centre."""
    m, M, r, a = 1.5, 20.0, np.array([0.2, 0.1, -0.3]), np.array([0.6, 0.0, 0.8])
    slider = plant.MassSpringDamper(mass=m, point=r, axis=a, stiffness=30.0, displacement=0.1, rate=0.7)
    body = plant.RigidBody(HUB, mass=M)
    craft = plant.Spacecraft(body, elements=[slider], potentials=potentials, translation=True)
    w = np.array([0.3, -0.2, 0.5])
    x = craft.state(rate=w, velocity=(3.0, 0.0, 0.0))
    apart = np.cross(w, r + 0.1 * a) + 0.7 * a  # velocity of the slider relative to the hub
    expected = 0.5 * w @ HUB @ w + 0.5 * m * M / (m + M) * (apart @ apart)
    np.testing.assert_allclose(kinetic_energy(craft, x[None, :]), expected, rtol=1e-13)
    run = sim.simulate(craft, state=x, duration=1e-6, integrator="rk4", step=1e-6, output_step=1e-6)
    assert run.largest_kinetic_energy == pytest.approx(expected + 0.5 * (m + M) * 9.0, rel=1e-4)


@pytest.mark.parametrize("kind", ["alone", "free", "translating"])
def test_kinetic_energy_with_arms_is_energy_less_strain(kind):
    """Without other potentials; the energy of ring, pendulum and slider is not available otherwise."""
    craft = CRAFTS[kind]()
    craft = plant.Spacecraft(craft.body, elements=craft.elements[:3])
    run = sim.simulate(craft, state=somewhere(craft), duration=1e-4, output_step=1e-4, integrator="rk4", step=1e-5)
    strain = run.values("strain_energy").sum(axis=1)
    np.testing.assert_allclose(kinetic_energy(craft, run.states[:, : craft.layout.size]), run.values("energy") - strain)
    assert (strain > 0.0).all()


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_energy_balance_is_a_share_of_the_kinetic_energy(sign):
    """Wheels with four times the momentum of the hub, with or against it: 1/2 omega . pi is -4 J or 14.8 J."""
    craft = on_wheels(sign * 400.0 * AXES @ (0.0, 0.0, 1.0))
    run = sim.simulate(craft, rate=(0.0, 0.0, 1.0), duration=1.0, integrator="rk4", step=0.05, output_step=0.25)
    kinetic = 0.5 * 8.0 + 4 * 0.5 * 0.05 * (sign * 400.0 / np.sqrt(3.0) + 1.0 / np.sqrt(3.0)) ** 2
    assert run.largest_kinetic_energy == pytest.approx(kinetic, rel=0.02)
    off = np.abs(run.values("energy_balance")).max()
    share = run.invariants()["energy_balance_relative"]
    assert share == pytest.approx(off / run.largest_kinetic_energy, rel=1e-12)
    found = measure(run, settling_band_deg=0.1)["energy_drift_relative"].value
    assert found == pytest.approx(share, rel=1e-12)


def test_relative_balances_of_a_craft_that_hardly_moves():
    """A rotation at 1e-15 rad/s is rounding, and a fraction of it would be meaningless."""
    craft = plant.Spacecraft(plant.RigidBody(HUB))
    push = plant.TorquePulse((1e-14, 0.0, 0.0), start=0.0, stop=1.0)
    run = sim.simulate(craft, duration=1.0, torques=[push], integrator="rk4", step=0.1, output_step=0.5)
    found = measure(run, settling_band_deg=0.1)
    for name in ("energy_drift_relative", "momentum_drift_relative"):
        value = found[name].value
        assert value is not None
        assert 0.0 <= value < 1e-12
    assert run.largest_kinetic_energy == pytest.approx(0.5e-12 * np.trace(HUB) / 3.0)
