"""A spinning beam: the frequencies of Wright et al. (1982), and the stretch of a spinning rod."""

import numpy as np
import pytest

from polhode.plant import RigidBody
from polhode.plant.flexible import Arm, BeamSection, FlexibleSatellite, about_spin

THIN = BeamSection(
    area=1e-2, second_moment_m=2e-7, second_moment_n=2e-7, elastic_modulus=7e10, shear_modulus=2.7e10, density=120.0
)


@pytest.mark.parametrize(("ratio", "flap"), [(2, 4.1373), (5, 6.4495), (10, 11.2023)])
def test_centrifugal_stiffening(cantilever, ratio, flap):
    """Flap frequencies of a cantilever spun at ratio sqrt(EI/m L^4); lead-lag is sqrt(flap^2 - ratio^2)."""
    unit = np.sqrt(THIN.bending_stiffness[0] / THIN.mass_per_length / 1e4)
    model = about_spin(cantilever(8, section=THIN, length=10.0, hub=1e8), (0, 0, ratio * unit))
    found = np.sort(model.eigenvalues().imag) / unit
    for exact in (flap, np.sqrt(flap**2 - ratio**2)):
        assert np.abs(found / exact - 1).min() < 4e-4
    strain = THIN.mass_per_length * (ratio * unit) ** 2 * 100 / (2 * THIN.axial_stiffness)
    assert model.q[7] == pytest.approx(strain, rel=2e-5)  # at the root; the hub moves a little, 1e8 kg as it has
    assert np.abs(model.eigenvalues().real).max() < 1e-5 * unit * ratio


def test_no_spin_is_rest(crooked):
    craft = crooked()
    model = about_spin(craft, (0, 0, 0))
    found = np.sort(model.eigenvalues().imag)[-5:]
    assert found == pytest.approx(craft.modes().frequencies[-5:], rel=1e-9)


def test_a_free_satellite_turns_to_its_principal_axis():
    """Arms bent out by the spin: what is left is nothing, and the rigid motions do not grow."""
    section = BeamSection(
        area=2.5e-3,
        second_moment_m=5.2e-7,
        second_moment_n=5.2e-7,
        elastic_modulus=7.17e8,
        shear_modulus=2.68e8,
        density=2.8e3,
    )
    arms = [Arm(section=section, length=2.0, elements=2, direction=(s, 0, 0.3), root=(0.1 * s, 0, 0)) for s in (1, -1)]
    craft = FlexibleSatellite(RigidBody((30, 30, 59), mass=22.4), arms=arms)  # z: the largest moment
    model = about_spin(craft, (0, 0, 2.0))
    straight = craft.straight()
    tip = slice(-8, -5)
    assert model.residual < 1e-7
    assert abs(model.q[tip][2] - model.q[2]) < abs(straight[tip][2] - straight[2]) - 1e-3  # flung outwards
    assert model.eigenvalues().real.max() < 1e-4
    middle = FlexibleSatellite(RigidBody((1, 1, 1), mass=22.4), arms=arms)
    assert about_spin(middle, (0, 0, 2.0)).eigenvalues().real.max() > 0.1  # z is now the intermediate axis
