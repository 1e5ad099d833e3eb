"""Components of a torque in the four bases, checked by the basis vectors, and at singular attitudes."""

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.plant import TorqueBasis
from polhode.plant.attitude import from_euler_angles, rotation_matrix
from polhode.plant.attitude.sequences import SEQUENCES
from polhode.plant.loads.torque import explore_bases

TAU = np.array((0.3, -0.2, 0.5))


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_basis_components_sum_to_the_torque(sequence):
    e = from_euler_angles((0.4, 0.7, -1.1), sequence)
    known = explore_bases(sequence, attitude=e)
    for name, vectors in (("euler", known.euler_body), ("dual-euler", known.dual_body)):
        found = controllers.to_basis(TAU, e, basis=TorqueBasis(name, sequence))
        np.testing.assert_allclose(found.components @ vectors, TAU, rtol=0, atol=1e-14)
        assert not found.singular
        assert found.distance == pytest.approx(known.distance, rel=1e-12)
        assert found.amplification <= known.dual_lengths.max() * (1.0 + 1e-12)


def test_basis_components_in_body_and_inertial_bases():
    e = from_euler_angles((0.4, 0.7, -1.1), "3-2-1")
    np.testing.assert_array_equal(controllers.to_basis(TAU, e, basis=TorqueBasis()).components, TAU)
    found = controllers.to_basis(TAU, e, basis=TorqueBasis("inertial"))
    np.testing.assert_allclose(found.components, rotation_matrix(e) @ TAU, rtol=0, atol=1e-15)
    assert (found.singular, found.distance) == (False, np.inf)


@pytest.mark.parametrize("name", ["euler", "dual-euler"])
def test_singular_attitude_of_a_basis_is_flagged(name):
    basis = TorqueBasis(name, "3-2-1")
    pose = from_euler_angles((0.3, np.pi / 2, 0.1), "3-2-1")
    found = controllers.to_basis(TAU, pose, basis=basis)
    assert found.singular
    assert np.isnan(found.components).all()
    assert found.amplification == np.inf
    idle = controllers.to_basis((0.0, 0.0, 0.0), pose, basis=basis)
    np.testing.assert_array_equal(idle.components, 0.0)


def test_euler_components_grow_as_inverse_cosine_near_singularity():
    for gap in (1e-1, 1e-3, 1e-5):
        e = from_euler_angles((0.3, np.pi / 2 - gap, 0.1), "3-2-1")
        known = explore_bases("3-2-1", attitude=e)
        worst = known.dual_body[0] / known.dual_lengths[0]  # the torque whose component along g1 is the largest
        found = controllers.to_basis(worst, e, basis=TorqueBasis("euler", "3-2-1"))
        assert found.amplification == pytest.approx(1.0 / np.sin(gap), rel=1e-4)


def test_to_basis_rejects_bad_input():
    with pytest.raises(plant.InputError, match="torque must be 3 numbers"):
        controllers.to_basis((1.0, 2.0), (1, 0, 0, 0), basis=TorqueBasis())
    with pytest.raises(plant.InputError, match="attitude"):
        controllers.to_basis(TAU, (0, 0, 0, 0), basis=TorqueBasis())
