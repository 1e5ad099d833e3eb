"""Packed parameters of spacecraft that share their elements: copied from the first, equal to those made anew."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.hub import packing

AXES = ((1.0, 1.0, 1.0), (-1.0, 1.0, 1.0), (-1.0, -1.0, 1.0), (1.0, -1.0, 1.0))


def wheels(**more):
    return plant.wheel_array(AXES, inertia=0.02, relative_rates=(5.0, -5.0, 5.0, -5.0), **more)


def body(seed, *, mass=None):
    moments = np.random.default_rng(seed).uniform(40.0, 60.0, 3)
    return plant.RigidBody(np.diag(moments) + 0.5, mass=mass)


@pytest.mark.parametrize("translation", [False, True])
@pytest.mark.parametrize("torques", [None, plant.TorqueBasis("body", limit=0.3)])
def test_packing_of_a_new_hub_equals_packing_anew(translation, torques):
    elements = wheels()
    for seed in range(3):
        hub = body(seed, mass=100.0 + seed)
        craft = plant.Spacecraft(hub, elements=elements, torques=torques, translation=translation)
        anew = packing._packed_anew(craft, (), ledger=False)
        np.testing.assert_array_equal(packing.pack_without_matrix(craft), anew)
        np.testing.assert_array_equal(packing._packed_like(craft), anew)


def test_packing_follows_elements_basis_and_translation():
    known = plant.Spacecraft(body(0, mass=100.0), elements=wheels())
    others = (
        plant.Spacecraft(body(0, mass=100.0), elements=wheels(torque_limit=0.1)),
        plant.Spacecraft(body(0, mass=100.0), elements=wheels()[:3], torques=plant.TorqueBasis("body", internal=False)),
        plant.Spacecraft(body(0, mass=100.0), elements=known.elements, translation=True),
        plant.Spacecraft(body(0, mass=100.0), elements=known.elements, torques=plant.TorqueBasis("inertial")),
    )
    for craft in others:
        anew = packing._packed_anew(craft, (), ledger=False)
        np.testing.assert_array_equal(packing.pack_without_matrix(craft), anew)
        assert anew.size != known.pack().size or (anew != packing.pack_without_matrix(known)).any()


def test_packing_keeps_few_families():
    for _ in range(3 * packing.MOST_PLANTS):
        plant.Spacecraft(body(0), elements=wheels())
    assert len(packing._same) <= packing.MOST_PLANTS


def test_locked_inertia_is_that_of_the_momenta_at_unit_rates():
    craft = plant.Spacecraft(body(4), elements=wheels())
    x = craft.at_rest((0.5, 0.5, 0.5, 0.5))
    columns = [craft.state(attitude=x[3:7], rate=axis, internal_rate=np.zeros(4))[:3] for axis in np.eye(3)]
    np.testing.assert_array_equal(craft.locked_inertia(x), 0.5 * (np.array(columns) + np.array(columns).T))


def generic_mass_matrix(craft):
    return packing.mass_matrix(craft, packing.pack_without_matrix(craft), craft.initial_coordinates)


def test_mass_matrix_of_a_family_has_the_bits_of_the_kernels():
    tilted = [plant.Wheel(axis=(0.3, -0.7, n), inertia=0.01 * n, friction=1e-4) for n in (1, 2)]
    for elements in (wheels(), tilted, tilted[::-1], tilted[:1]):
        for seed in range(4):
            craft = plant.Spacecraft(body(seed), elements=elements, torques=plant.TorqueBasis("body", internal=False))
            assert craft.initial_mass_matrix.tobytes() == generic_mass_matrix(craft).tobytes()


def test_mass_matrix_of_wheels_with_other_elements_is_not_shared():
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.02)
    pendulum = plant.Pendulum(hinge=(0.1, 0, 0), length=0.3, mass=1.0, direction=(0, 0, 1))
    for seed in range(2):
        craft = plant.Spacecraft(body(seed, mass=50.0), elements=[wheel, pendulum])
        assert craft.initial_mass_matrix.tobytes() == generic_mass_matrix(craft).tobytes()


def test_packing_with_a_ledger_differs_in_two_entries():
    craft = plant.Spacecraft(body(1), elements=wheels())
    without, with_ledger = craft.pack(), craft.pack(ledger=True)
    anew = packing._with_mass_matrix(craft, packing.pack_without_matrix(craft, ledger=True))
    assert with_ledger.tobytes() == anew.tobytes()
    assert (without != with_ledger).sum() == 2
    assert craft.pack().tobytes() == without.tobytes()
