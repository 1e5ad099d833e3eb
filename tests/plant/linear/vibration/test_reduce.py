"""Hub and modes against closed forms of cantilevers, and against the full mesh."""

from dataclasses import replace

import numpy as np
import pytest

from polhode.plant import FlexibleModes, MassSpringDamper, Spacecraft, TorqueBasis, UserForce, Wheel
from polhode.plant.errors import InputError
from polhode.plant.flexible import BeamSection, appendage_modes, modes_of, reduce_craft

LAMBDA = np.array((1.875104068711961, 4.694091132974175, 7.854757438237613))  # cos x cosh x = -1
SIGMA = (np.cosh(LAMBDA) + np.cos(LAMBDA)) / (np.sinh(LAMBDA) + np.sin(LAMBDA))
SLENDER = BeamSection(  # EI and mass of the reference beam, a hundredth of its rotary inertia
    area=0.25, second_moment_m=5.2e-7, second_moment_n=5.2e-7, youngs_modulus=7.17e10, shear_modulus=2.68e10,
    density=28.0,
)  # fmt: skip


def test_modal_participation_of_a_cantilever(cantilever):
    """int phi dx = 2 sigma/lambda, int x phi dx = 2/lambda^2 with int phi^2 dx = 1: shares 4 s^2/l^2 and 12/l^4."""
    modes = appendage_modes(
        cantilever(8, section=SLENDER, hub=1e9)
    )  # the mass centre is in the hub, at the root of the arm
    bending = np.flatnonzero(modes.translation[1] ** 2 > 0.01)[:3]
    mass, inertia = 14.0, 14.0 * 2.0**2 / 3.0
    assert modes.translation[1, bending] ** 2 / mass == pytest.approx(4 * SIGMA**2 / LAMBDA**2, rel=1e-3)
    assert modes.rotation[2, bending] ** 2 / inertia == pytest.approx(12 / LAMBDA**4, rel=2e-3)


def test_effective_inertia_of_all_modes_is_that_of_the_arms(satellite):
    """int rho A x^2 over both arms, plus rotary inertia and the cube. All modes have the inertia of the arms."""
    arms = 2 * (7.0 * (2.1**3 - 0.1**3) / 3 + 2 * 2.8e3 * 5.2e-7)
    missing = []
    for elements in (2, 4, 8):
        modes = appendage_modes(satellite(elements))
        assert modes.inertia == pytest.approx(
            np.diag((0.149 + 2 * 2 * 2.8e3 * 1.04e-6, 0.149 + arms, 0.149 + arms)), rel=1e-9, abs=1e-9
        )
        missing.append(1 - modes.effective_inertia.sum(axis=0)[1, 1] / arms)
    assert 0 < missing[2] < missing[1] < missing[0] < 0.006
    assert missing[2] < 5e-4  # the mass lumped at the root does not move; it decreases with finer elements


def test_reduced_craft_with_all_modes_matches_the_mesh(satellite, crooked):
    for craft in (satellite(2), crooked()):
        exact = modes_of(craft).frequencies[6:]
        computed = reduce_craft(craft, translation=True).free_frequencies
        near = np.abs(computed[:, None] / exact - 1).min(axis=1)
        assert near.max() < 1e-8
        assert computed.size > 20


def test_modal_element_matches_the_explicit_linear_model(crooked):
    """Two derivations: complex step through the kernel of the element, and explicit M, D and K of hub and modes."""
    reduced = reduce_craft(crooked(1e-4), modes=6)
    plant = reduced.spacecraft(damping=0.01, torques=TorqueBasis(limit=2.0))
    model = plant.linearize(plant.at_rest())
    modes = reduced.modes
    faster = np.linalg.inv(modes.mass_matrix)
    expected = np.zeros((18, 18))
    expected[:3, 3:6], expected[:3, 12:] = faster[:3, :3], faster[:3, 3:]
    expected[6:12, 3:6], expected[6:12, 12:] = faster[3:, :3], faster[3:, 3:]
    friction = 2 * (modes.damping_ratios + 0.01) * modes.frequencies
    expected[12:] = -friction[:, None] * expected[6:12]
    expected[12:, 6:12] -= np.diag(modes.frequencies**2)
    np.testing.assert_allclose(model.A, expected, rtol=1e-12, atol=1e-12 * np.abs(expected[6:]).max())
    assert (model.inertia, model.torques.limits()) == (pytest.approx(modes.inertia), pytest.approx(2.0))


def test_reduced_linear_model_matches_the_nonlinear_mesh(crooked):
    """Poles of the equations of motion of the mesh, by complex steps, with material damping."""
    craft = crooked(1e-4)
    exact = craft.linearize(craft.at_rest()).eigenvalues()
    whole = reduce_craft(craft).spacecraft()
    computed = whole.linearize(whole.at_rest()).eigenvalues()
    oscillating = computed[computed.imag > 1.0]
    assert oscillating.size > 30
    slow = oscillating[np.abs(oscillating) < 1e4]
    difference = np.abs(slow[:, None] - exact).min(axis=1) / np.abs(slow)
    assert difference.max() < 1e-6


def test_reduced_craft_retains_other_elements(crooked):
    """Arms that shift the mass centre from that of the hub, together with a spinning wheel and a slider."""
    bare = crooked(1e-4)
    others = [
        MassSpringDamper(mass=0.5, point=(0.1, 0.2, 0.0), axis=(0, 0, 1), stiffness=10.0, damping=0.3),
        Wheel(axis=(1, 0, 0), inertia=0.06, friction=0.0, relative_rate=200.0),
    ]
    craft = Spacecraft(bare.body, elements=[others[0], *bare.elements, others[1]])
    reduced = reduce_craft(craft)
    assert np.linalg.norm(reduced.mass_centre) > 0.1
    model = reduced.spacecraft()
    assert model.layout.coordinates[-2:] == ("slider_displacement", "wheel_angle")
    exact = craft.linearize(craft.at_rest()).eigenvalues()
    computed = model.linearize(model.at_rest()).eigenvalues()
    slow = computed[(np.abs(computed) < 1e4) & (np.abs(computed) > 1e-3)]
    assert slow.size > 30
    difference = np.abs(slow[:, None] - exact).min(axis=1) / np.abs(slow)
    assert difference.max() < 1e-6
    assert model.energy(model.spinning((0.1, 0.2, 0.3))) == pytest.approx(craft.energy(craft.spinning((0.1, 0.2, 0.3))))


def test_reduced_craft_keeps_the_numbers_of_other_modes(satellite):
    """A sensor names the modes that rotate its place by their number."""
    craft = satellite(2)
    others = [FlexibleModes(frequencies=[w], damping_ratios=0.01, rotation=[[0.01], [0.0], [0.0]]) for w in (3.0, 5.0)]
    whole = Spacecraft(craft.body, elements=[*craft.elements, *others])
    reduced = reduce_craft(whole, modes=2).spacecraft()
    assert whole.layout.coordinates == ("mode_1_1", "mode_2_1")
    assert reduced.layout.coordinates == ("mode_1_1", "mode_2_1", "mode_3_1", "mode_3_2")
    assert [each.frequencies[0] for each in reduced.elements[:2]] == [3.0, 5.0]


def test_reduced_craft_omits_symmetric_bending_without_translation(satellite):
    craft = satellite(2)
    both, seen = reduce_craft(craft, up_to=70.0, translation=True), reduce_craft(craft, up_to=70.0)
    assert both.frequencies / (2 * np.pi) == pytest.approx([10.2136] * 4, rel=1e-4)
    assert seen.numbers == (1, 2)
    assert seen.inertia_shares == pytest.approx(np.array(((0, 0.9546, 0), (0, 0, 0.9546))), abs=1e-4)
    assert both.mass_shares.sum(axis=0) == pytest.approx((0, 4.14232**2 / 50.4, 4.14232**2 / 50.4), rel=1e-5)
    assert both.spacecraft().layout.size == 7 + 8 + 6


def test_modes_of_differently_damped_arms_are_separate(satellite, section):
    """At equal frequencies each mode belongs to one arm; the damping ratio is 1/2 eta w for the damped arm, else 0."""
    craft = satellite(2)
    arms = [craft.elements[0], replace(craft.elements[1], section=replace(section, damping_time=1e-3))]
    differing = Spacecraft(craft.body, elements=arms)
    modes = appendage_modes(differing)
    ratios = np.sort(modes.damping_ratios[:4])
    assert ratios == pytest.approx([0, 0, *[0.5e-3 * modes.frequencies[0]] * 2], rel=1e-6, abs=1e-9)
    whole = modes.shapes.T @ modes_of(differing, clamped=True).matrices.C @ modes.shapes
    assert np.abs(whole - np.diag(2 * modes.damping_ratios * modes.frequencies)).max() < 1e-9 * whole.max()


def test_reduce_craft_rejects_bad_input(satellite):
    craft = satellite(1)
    with pytest.raises(InputError, match=r"give modes .* or up_to"):
        reduce_craft(craft, modes=1, up_to=3.0)
    with pytest.raises(InputError, match=r"modes must be 1 to \d+, the modes of this mesh that affect the hub; got 99"):
        reduce_craft(craft, modes=99)
    with pytest.raises(InputError, match=r"no mode is below 3 rad/s; the lowest has 64.4"):
        reduce_craft(craft, up_to=3.0)
    with pytest.raises(InputError, match="damping ratios must be from 0 to below 1"):
        reduce_craft(craft, modes=2).spacecraft(damping=-0.1)
    with pytest.raises(InputError, match="damping must be one ratio, or one for each of 2 modes"):
        reduce_craft(craft, modes=2).spacecraft(damping=(0.1, 0.1, 0.1))


def test_reduced_craft_rejects_user_loads_at_a_shifted_mass_centre(satellite, crooked):
    def push(t, e, omega, c, v):
        return (0.1, 0.2, 0.3, 1.0, 2.0, -3.0)

    crafts = [
        Spacecraft(craft.body, elements=craft.elements, user_forces=[UserForce(push)], translation=True)
        for craft in (satellite(1), crooked())
    ]
    assert reduce_craft(crafts[0], translation=True).spacecraft().user_forces == crafts[0].user_forces
    with pytest.raises(InputError, match=r"the mass centre of hub and arms is 0\.518 m away; remove"):
        reduce_craft(crafts[1], translation=True).spacecraft()
