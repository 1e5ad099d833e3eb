"""Gyrostats: steady spins against their definition, their number and kind against Euler's polyhedron formula."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant import InputError
from polhode.plant.attitude.free_motion import Gyrostat, axis_stability, dissipates, gyrostat

J = np.array([[40.0, 1.0, -2.0], [1.0, 46.0, 0.5], [-2.0, 0.5, 60.0]])
FREE = np.array((3.0, -2.0, 1.0))


@pytest.mark.parametrize("share", [0.0, 0.02, 0.1, 0.3, 1.0, 3.0])
@pytest.mark.parametrize("along", [(1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.3, -0.5, 0.81)])
@pytest.mark.parametrize("inertia", [np.diag((40.0, 46.0, 60.0)), J])
def test_gyrostat_steady_spins_match_their_definition(inertia, along, share):
    craft = Gyrostat(inertia=inertia, wheels=18.0 * share * np.array(along))
    spins = craft.steady(18.0)
    for spin in spins:
        assert np.linalg.norm(spin.momentum) == pytest.approx(18.0, rel=1e-9)
        np.testing.assert_allclose(np.cross(spin.momentum, spin.rate), 0.0, atol=1e-6)
        # the kind matches the energy in the neighbourhood
        way = np.random.default_rng(0).standard_normal((400, 3))
        near = spin.momentum + 1e-2 * way
        around = craft.energy(18.0 * near / np.linalg.norm(near, axis=1)[:, None]) - craft.energy(spin.momentum)
        seen = "least" if around.min() > -1e-9 else "most" if around.max() < 1e-9 else "saddle"
        assert spin.kind == seen
    kinds = [spin.kind for spin in spins]
    assert kinds.count("least") + kinds.count("most") - kinds.count("saddle") == 2  # on any sphere
    if share == 0.0:
        assert kinds == ["least"] * 2 + ["saddle"] * 2 + ["most"] * 2
    if share >= 1.0:
        assert kinds == ["least", "most"]


def test_gyrostat_without_wheels_spins_about_principal_axes():
    craft = Gyrostat(inertia=J, wheels=np.zeros(3))
    by_moment = {"major": "least", "middle": "saddle", "minor": "most"}
    for spin in craft.steady(2.0):
        known = max(axis_stability(J, speed=1.0), key=lambda each: abs(float(each.axis @ spin.momentum)))
        assert abs(known.axis @ spin.momentum) == pytest.approx(2.0)
        assert by_moment[known.name] == spin.kind
    kinds = {spin.kind for spin in Gyrostat(inertia=np.diag((2.0, 2.0, 3.0)), wheels=np.zeros(3)).steady(1.0)}
    assert kinds == {"least", "level"}
    with pytest.raises(InputError, match="momentum must be greater than 0"):
        craft.steady(0.0)


def test_gyrostat_energy_is_constant_in_simulation():
    wheel = plant.Wheel(axis=(1, 2, 2), inertia=0.3, relative_rate=60.0)
    craft = plant.Spacecraft(plant.RigidBody(J), elements=[wheel])
    run = sim.simulate(craft, state=craft.state(rate=(0.05, -0.1, 0.2)), duration=60.0, rtol=1e-12)
    held = gyrostat(craft, run.x[0])
    np.testing.assert_allclose(held.wheels, gyrostat(craft, run.x[-1]).wheels, rtol=1e-12)
    np.testing.assert_allclose(held.rate(run.values("momentum")), run.values("rate"), rtol=0, atol=1e-12)
    energy = held.energy(run.values("momentum"))
    np.testing.assert_allclose(energy, energy[0], rtol=1e-9)


def test_gyrostat_locks_dragged_wheels_and_detects_dissipation():
    body = plant.RigidBody((10.0, 8.0, 6.0))

    def craft(**numbers):
        wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.5, relative_rate=4.0, **numbers)
        return plant.Spacecraft(body, elements=[wheel])

    def state(one):
        return one.state(rate=(0.0, 0.0, 1.0))

    free, dragged, driven = craft(), craft(friction=0.1), craft(motor_torque=0.2)
    assert gyrostat(free, state(free)).wheels == pytest.approx((0, 0, 0.5 * 5.0))
    assert gyrostat(free, state(free)).inertia == pytest.approx(np.diag((10.0, 8.0, 6.0)))
    assert gyrostat(dragged, state(dragged)).wheels == pytest.approx((0, 0, 0))
    assert gyrostat(dragged, state(dragged)).inertia == pytest.approx(np.diag((10.0, 8.0, 6.5)))
    assert gyrostat(driven, state(driven)).wheels == pytest.approx((0, 0, 2.5))
    assert [dissipates(each) for each in (free, dragged, driven, craft(coulomb=0.01))] == [False, True, False, True]
    assert not dissipates(plant.Spacecraft(body))
    ring = plant.RingDamper(axis=(0, 0, 1), mass=0.05, radius=0.5, center=(0, 0, 0.3), fill=2.0, friction=0.2)
    assert dissipates(plant.Spacecraft(plant.RigidBody((1, 1, 1.6), pivot=(0, 0, 0)), elements=[ring]))
