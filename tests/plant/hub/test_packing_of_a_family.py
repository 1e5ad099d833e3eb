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
