"""Frequencies of the linearised nonlinear element against closed forms, with the order of convergence."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from polhode import plant
from polhode.plant import InputError
from polhode.plant.flexible import (
    BeamSection,
    appendage_modes,
    flight_modes,
    modes_of,
    node_rates,
    node_velocities,
    reduce_craft,
)
from polhode.plant.linear.vibration.mesh import mesh_of

TWO_PI = 2 * np.pi
HUB = np.array((12.556713, 39.976164))  # two independent codes: symmetric, antisymmetric; rotary inertia
HUB_EULER = np.array((12.559057456, 39.999711308))  # without rotary inertia, exact
EULER = np.array((10.2099384109, 63.9845918207, 179.158709841))  # cantilever without rotary inertia
FREE_EULER = np.array((16.2420985853, 44.7719701866))  # free-free, 4 m


def rayleigh(section, guess, length=2.0):
    """A cantilever with rotary inertia: EI w'''' + rho I s w'' - rho A s w = 0, just below the guess."""
    EI, mass = section.bending_stiffness[0], section.mass_per_length
    rotary = section.density * section.second_moment_m

    def determinant(f):
        s = (TWO_PI * f) ** 2
        roots = np.roots((EI, 0, rotary * s, 0, -mass * s))
        x = roots * length
        rows = (np.ones(4), roots, roots**2 * np.exp(x), (EI * roots**3 + rotary * s * roots) * np.exp(x))
        order = np.argsort(roots.real + 2 * roots.imag)  # the sign of the determinant depends on the order
        value = np.linalg.det(np.array(rows)[:, order] / np.array([np.abs(r).max() for r in rows])[:, None])
        return value.imag if abs(value.imag) > abs(value.real) else value.real

    return brentq(determinant, 0.985 * guess, guess * (1 - 1e-9), xtol=1e-12)


def pairs(hertz):
    """Bending frequencies, which occur in pairs for a square section."""
    double = np.flatnonzero(np.diff(hertz) < 1e-6 * hertz[1:])
    return hertz[double]


def test_mesh_modes_match_reference_frequencies(satellite):
    two = pairs(modes_of(satellite(2), count=12).hertz)[:2]
    eight = pairs(modes_of(satellite(8), count=12).hertz)[:2]
    assert np.abs(two / HUB - 1).max() < 0.006
    assert np.abs(eight / HUB - 1).max() < 1e-4


def test_cantilever_frequencies_converge_with_order_four(cantilever, section):
    exact = np.array([rayleigh(section, f) for f in EULER])
    errors = []
    for elements in (4, 8, 16):
        computed = pairs(modes_of(cantilever(elements), clamped=True, count=16).hertz)[:3]
        errors.append(computed / exact - 1)
    order = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.abs(order[-1] - 4).max() < 0.1
    assert np.abs(errors[1][:2]).max() < 1e-4


def test_slender_beam_has_euler_bernoulli_frequencies(cantilever, satellite):
    slender = BeamSection(  # the same stiffness and mass with a hundredth of the rotary inertia
        area=0.25,
        second_moment_m=5.2e-7,
        second_moment_n=5.2e-7,
        youngs_modulus=7.17e10,
        shear_modulus=2.68e10,
        density=28.0,
    )
    computed = pairs(modes_of(cantilever(8, section=slender), clamped=True, count=16).hertz)[:2]
    assert np.abs(computed / EULER[:2] - 1).max() < 1e-4
    free = pairs(modes_of(satellite(8, mass=1e-9, inertia=1e-9, offset=0.0, section=slender), count=14).hertz)[:2]
    assert np.abs(free / FREE_EULER - 1).max() < 1e-4
    hub = pairs(modes_of(satellite(8, section=slender), count=14).hertz)[:2]
    assert np.abs(hub / HUB_EULER - 1).max() < 1e-4


@pytest.mark.parametrize(("exact", "coarse"), [(386.7216, 1e-3), (632.5438, 1e-5)], ids=["torsion", "axial"])
def test_torsional_and_axial_frequencies_of_a_cantilever(cantilever, exact, coarse):
    errors = []
    for elements in (2, 8):
        hertz = modes_of(cantilever(elements), clamped=True).hertz
        errors.append(np.abs(hertz / exact - 1).min())
    assert errors[0] < coarse
    assert errors[1] < 5e-6


def test_strain_rate_damping_gives_the_damping_ratio(cantilever):
    section = BeamSection(
        area=2.5e-3,
        second_moment_m=5.2e-7,
        second_moment_n=5.2e-7,
        youngs_modulus=7.17e10,
        shear_modulus=2.68e10,
        density=2.8e3,
        damping_time=1e-4,
    )
    modes = modes_of(cantilever(4, section=section), clamped=True, count=6)
    assert modes.damping_ratios == pytest.approx(0.5e-4 * modes.frequencies, rel=1e-9)


def test_mesh_has_zero_rigid_frequencies_and_normal_shapes(crooked):
    craft = crooked()
    modes = modes_of(craft)
    computed = modes.matrices
    scale = np.abs(computed.K).max()
    mesh = mesh_of(craft, locked=True)
    for axis in np.eye(3):
        turn = mesh.rigid_rates(axis, velocity=(0.1, 0.2, 0.3))
        assert np.abs(computed.K @ turn).max() < 1e-12 * scale
    normal = modes.shapes.T @ computed.M @ modes.shapes
    assert normal == pytest.approx(np.eye(mesh.degrees), abs=1e-9)
    assert np.abs(computed.K - computed.K.T).max() < 1e-12 * scale


def test_mesh_mass_matrix_matches_the_equations_of_motion(crooked):
    """M times the velocities computed from the momenta returns these momenta, and no impulse."""
    craft = crooked()
    rng = np.random.default_rng(5)
    x = craft.at_rest()
    x[:3] = rng.normal(size=3)
    own = craft.layout.own.start
    momenta, strain_rates, at = [], [], own
    for arm in craft.elements:
        n = arm.elements
        rest = slice(at + 1 + 8 * n, at + len(arm.states))
        x[rest] = rng.normal(size=2 + 7 * n - 1)
        momenta += x[rest].tolist()
        at += len(arm.states)
    rates, at = craft.derivative(0.0, x), own
    root = craft.elements[0]
    v, w = node_velocities(craft, [x]), node_rates(craft, [x])
    omega = w[0][0, 0]
    nu = [*(v[0][0, 0] - np.cross(omega, root.root)), *omega]
    for k, arm in enumerate(craft.elements):
        strain_rates = [rates[at], *rates[at + 8 : at + 1 + 8 * arm.elements : 8]]
        nu.append(strain_rates[0])
        for n in range(arm.elements):
            nu += [*v[k][0, n + 1], *w[k][0, n + 1], strain_rates[n + 1]]
        at += len(arm.states)
    mesh = mesh_of(craft, locked=True)
    computed = modes_of(craft).matrices.M @ nu
    np.testing.assert_allclose(computed[6:], momenta, rtol=0, atol=1e-10)
    unit = [mesh.rigid_rates(axis) for axis in np.eye(3)]
    np.testing.assert_allclose(unit @ computed, x[:3], rtol=0, atol=1e-10)
    drift = [mesh.rigid_rates((0, 0, 0), velocity=axis) for axis in np.eye(3)]
    np.testing.assert_allclose(drift @ computed, 0.0, atol=1e-10)


def test_mesh_modes_lock_all_other_elements(crooked):
    """A slider and a wheel as parts of the hub: mass and inertia about its mass centre, in closed form."""
    bare = crooked()
    slider = plant.MassSpringDamper(mass=2.0, point=(0.1, 0.2, 0.0), axis=(0, 0, 1), stiffness=10.0, damping=0.3)
    wheel = plant.Wheel(axis=(1, 0, 0), inertia=0.06, friction=0.01)
    craft = plant.Spacecraft(bare.body, elements=[wheel, *bare.elements, slider])
    place = np.array((0.1, 0.2, 0.0)) * 2.0 / 7.0  # of the mass centre of slider and hub, 5 kg
    reduced = 2.0 * 5.0 / 7.0
    far = np.array((0.1, 0.2, 0.0))
    inertia = np.diag((1.06, 1.2, 1.4)) + reduced * (far @ far * np.eye(3) - np.outer(far, far))
    arms = [replace(arm, root=np.asarray(arm.root) - place) for arm in bare.elements]
    same = plant.Spacecraft(plant.RigidBody(inertia, mass=7.0), elements=arms)
    np.testing.assert_allclose(modes_of(craft).frequencies[6:], modes_of(same).frequencies[6:], rtol=1e-9)
    assert appendage_modes(craft).mass == pytest.approx(bare.mass)


def test_each_arm_root_has_its_own_strain(satellite, section):
    """The axial modes in phase and out of phase are distinct; a strain shared by both roots would merge them."""
    craft = satellite()
    assert modes_of(craft).shapes.shape == (6 + 2 * (1 + 2 * 7),) * 2
    lowest_axial = [f for f in modes_of(craft).hertz if abs(f / 632.5438 - 1) < 0.25]
    assert len(lowest_axial) >= 2  # in phase and out of phase


@pytest.mark.parametrize("mass", [5.0, None])
def test_modes_of_a_pivoted_spacecraft_match_its_poles(crooked, mass):
    """Against the poles of the equations of motion; a pivoted spacecraft has three rigid modes."""
    pivot = (0.1, 0.2, -0.3) if mass else (0, 0, 0)
    slider = plant.MassSpringDamper(mass=2.0, point=(0.1, 0.2, 0.0), axis=(0, 0, 1), stiffness=1e13)
    body = plant.RigidBody((5.0, 5.2, 5.4), mass=mass, pivot=pivot)
    craft = plant.Spacecraft(body, elements=[*crooked().elements, slider])
    modes = modes_of(craft)
    assert modes.rigid == 3
    exact = craft.linearize(craft.at_rest()).eigenvalues().imag
    slow = modes.frequencies[3:][modes.frequencies[3:] < 1e4]
    assert slow.size > 5
    assert (np.abs(slow[:, None] - exact).min(axis=1) / slow).max() < 1e-6


def test_mesh_modes_reject_bad_input(crooked):
    craft = crooked()
    with pytest.raises(InputError, match="the spacecraft has no flexible arms"):
        modes_of(plant.Spacecraft(craft.body))
    held = plant.Spacecraft(plant.RigidBody((5.0, 5.2, 5.4), mass=5.0, pivot=(0, 0, 0.1)), elements=craft.elements)
    for function in (flight_modes, appendage_modes, reduce_craft):
        with pytest.raises(InputError, match="require a free spacecraft; omit the pivot"):
            function(held)
    with pytest.raises(InputError, match="craft must be a Spacecraft"):
        modes_of(craft.body)
