"""Steady spins with flexible arms: a spinning beam, the rigid limit, and the linear model about them."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant import EquilibriumError, InputError
from polhode.plant.flexible import Arm, BeamSection, hub_position, node_positions, node_strains

THIN = BeamSection(
    area=1e-2, second_moment_m=2e-7, second_moment_n=2e-7, youngs_modulus=7e10, shear_modulus=2.7e10, density=120.0
)


@pytest.mark.parametrize(("ratio", "flap"), [pytest.param(2, 4.1373, marks=pytest.mark.slow), (10, 11.2023)])
def test_steady_spin_centrifugal_stiffening_matches_reference(ratio, flap):
    """Wright et al. (1982): flap frequencies of a cantilever at spin ratio sqrt(EI/m L^4); lead-lag from flap and
    ratio."""
    arm = Arm(section=THIN, length=10.0, elements=5, direction=(1, 0, 0))
    craft = plant.Spacecraft(plant.RigidBody(1e8 * np.diag((1, 1, 1.5)), mass=1e8), elements=[arm])
    unit = np.sqrt(THIN.bending_stiffness[0] / THIN.mass_per_length / 1e4)
    x = plant.steady_spin(craft, (0, 0, ratio * unit))
    assert craft.rate(x) == pytest.approx((0, 0, ratio * unit), rel=1e-12, abs=1e-12)
    values = craft.linearize(x).eigenvalues()
    computed = np.sort(values.imag) / unit
    for exact in (flap, np.sqrt(flap**2 - ratio**2)):
        assert np.abs(computed / exact - 1).min() < 2e-3  # five elements
    strain = THIN.mass_per_length * (ratio * unit) ** 2 * 100 / (2 * THIN.axial_stiffness)
    assert node_strains(craft, [x])[0][0, 0] == pytest.approx(strain, rel=1e-4)  # at the root
    assert np.abs(values.real).max() < 1e-5 * unit * ratio


ORBIT = plant.GravityGradient(mu=4e14, position=(7e6, 0, 0), velocity=(0, 7.5e3, 0))


def bent(inertia, *, modulus=7.17e8, more=()):
    """Hub with two arms inclined to the spin plane."""
    section = BeamSection(
        area=2.5e-3,
        second_moment_m=5.2e-7,
        second_moment_n=5.2e-7,
        youngs_modulus=modulus,
        shear_modulus=0.37 * modulus,
        density=2.8e3,
    )
    arms = [Arm(section=section, length=2.0, elements=1, direction=(s, 0, 0.3), root=(0.1 * s, 0, 0)) for s in (1, -1)]
    return plant.Spacecraft(plant.RigidBody(inertia, mass=22.4), elements=[*arms, *more])


@pytest.mark.slow
def test_steady_spin_bends_arms_outwards():
    craft = bent((30, 30, 59))  # z: the largest moment
    x, still = plant.steady_spin(craft, (0, 0, 2.0)), craft.at_rest()
    raised = [(node_positions(craft, [y])[0][0, -1] - hub_position(craft, [y])[0])[2] for y in (still, x)]
    assert raised[1] < raised[0] - 1e-3
    assert craft.linearize(x).eigenvalues().real.max() < 1e-4
    about_middle = bent((1, 1, 1))
    x = plant.steady_spin(about_middle, (0, 0, 2.0))
    assert about_middle.linearize(x).eigenvalues().real.max() > 0.1  # z is now the intermediate axis


def wheels():
    return [
        plant.Wheel(axis=(0, 1, 0), inertia=0.06, friction=0.0, relative_rate=20.0),
        plant.Wheel(axis=(0, 0, 1), inertia=0.05, friction=0.02),
    ]


@pytest.mark.slow
def test_steady_spin_with_wheels_approaches_the_rigid_limit():
    """A wheel shifts the spin from the principal axis; the difference to a rigid craft is proportional to 1/E.

    That wheel keeps its relative rate; the one with friction follows the hub.
    """
    differences, poles = [], []
    for modulus in (1e11, 1e12):
        craft = bent((30, 34, 59), modulus=modulus, more=wheels())
        x = plant.steady_spin(craft, (0, 0, 1.0))
        whole = plant.Spacecraft(
            plant.RigidBody(bent((30, 34, 59)).locked_inertia(bent((30, 34, 59)).at_rest()), mass=78.4),
            elements=wheels(),
        )
        spins = plant.spin_equilibria(whole, rate=1.0, axis=(0, 0, 1))
        spin = min(spins, key=lambda each: -each.rate[2])
        assert abs(spin.rate[1]) > 1e-2
        assert np.linalg.norm(craft.rate(x)) == pytest.approx(1.0, rel=1e-12)
        assert craft.internal_rates(x) == pytest.approx((20.0, 0.0), abs=1e-9)
        differences.append(np.abs(craft.rate(x) - spin.rate).max())
        ours = craft.linearize(x).eigenvalues()
        poles.append(np.abs(ours - spin.nutation).min())
    assert differences[0] < 1e-4
    assert differences[1] == pytest.approx(0.1 * differences[0], rel=0.05)
    assert poles[0] < 1e-4
    assert poles[1] < 0.15 * poles[0]


def test_steady_spin_without_arms_matches_spin_equilibria():
    craft = plant.Spacecraft(plant.RigidBody((30, 34, 59), mass=50.0), elements=wheels(), translation=True)
    attitude = (0.5, 0.5, -0.5, 0.5)
    x = plant.steady_spin(craft, (0, 0, 1.0), attitude=attitude)
    spin = plant.spin_equilibria(plant.Spacecraft(craft.body, elements=wheels()), rate=1.0, axis=(0, 0, 1))[0]
    np.testing.assert_allclose(craft.rate(x), spin.rate, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(x[3:7], attitude)


def test_steady_spin_is_independent_of_attitude():
    craft = bent((30, 30, 59))
    x = plant.steady_spin(craft, (0, 0, 2.0), attitude=(0.5, 0.5, -0.5, 0.5))
    assert craft.rate(x) == pytest.approx((0, 0, 2.0), abs=1e-9)
    assert craft.linearize(x).residual < 1e-6


def test_steady_spin_rejects_bad_input():
    craft = bent((30, 30, 59))
    with pytest.raises(InputError, match=r"rate must not be zero; .* craft.at_rest\(\)"):
        plant.steady_spin(craft, (0, 0, 0))
    pulled = plant.Spacecraft(craft.body, elements=craft.elements, potentials=[ORBIT])
    with pytest.raises(InputError, match="without external loads; this one has GravityGradient"):
        plant.steady_spin(pulled, (0, 0, 1.0))
    with pytest.raises(EquilibriumError, match=r"no steady spin found near \[0.0, 0.0, 500.0\] rad/s"):
        plant.steady_spin(craft, (0, 0, 500.0))
