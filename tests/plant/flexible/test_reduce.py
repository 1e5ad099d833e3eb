"""Hub and modes against closed forms of cantilevers, and against the whole mesh."""

import numpy as np
import pytest

from polhode.plant import TorqueBasis
from polhode.plant.errors import InputError
from polhode.plant.flexible import BeamSection, about_spin, appendage_modes

LAMBDA = np.array((1.875104068711961, 4.694091132974175, 7.854757438237613))  # cos x cosh x = -1
SIGMA = (np.cosh(LAMBDA) + np.cos(LAMBDA)) / (np.sinh(LAMBDA) + np.sin(LAMBDA))
SLENDER = BeamSection(  # EI and mass of the document's beam, a hundredth of its rotary inertia
    area=0.25, second_moment_m=5.2e-7, second_moment_n=5.2e-7, elastic_modulus=7.17e10, shear_modulus=2.68e10,
    density=28.0,
)  # fmt: skip


def test_participation_of_a_cantilever(cantilever):
    """int phi dx = 2 sigma/lambda, int x phi dx = 2/lambda^2 with int phi^2 dx = 1: shares 4 s^2/l^2 and 12/l^4."""
    modes = appendage_modes(cantilever(8, section=SLENDER, hub=1e9))  # mass centre in the hub, where the arm begins
    bending = np.flatnonzero(modes.translation[1] ** 2 > 0.01)[:3]
    mass, inertia = 14.0, 14.0 * 2.0**2 / 3.0
    assert modes.translation[1, bending] ** 2 / mass == pytest.approx(4 * SIGMA**2 / LAMBDA**2, rel=1e-3)
    assert modes.rotation[2, bending] ** 2 / inertia == pytest.approx(12 / LAMBDA**4, rel=2e-3)


def test_inertia_and_what_the_modes_hold_of_it(satellite):
    """int rho A x^2 over both arms, their rotary inertia and the cube; all modes together hold the arms' share."""
    arms = 2 * (7.0 * (2.1**3 - 0.1**3) / 3 + 2 * 2.8e3 * 5.2e-7)
    left = []
    for elements in (2, 4, 8):
        modes = appendage_modes(satellite(elements))
        assert modes.inertia == pytest.approx(
            np.diag((0.149 + 2 * 2 * 2.8e3 * 1.04e-6, 0.149 + arms, 0.149 + arms)), rel=1e-9, abs=1e-9
        )
        left.append(1 - modes.effective_inertia.sum(axis=0)[1, 1] / arms)
    assert 0 < left[2] < left[1] < left[0] < 0.006
    assert left[2] < 5e-4  # what a mesh lumps at the root does not move: it shrinks with the elements


def test_all_modes_are_the_whole_mesh(satellite, crooked):
    for craft in (satellite(2), crooked()):
        exact = craft.modes().frequencies[6:]
        found = craft.reduce(translation=True).free_frequencies
        near = np.abs(found[:, None] / exact - 1).min(axis=1)
        assert near.max() < 1e-8
        assert found.size > 20


def test_the_element_is_the_linear_model(crooked):
    """Two ways to a model: the element's kernel by complex step, and the matrices of hub and modes."""
    craft = crooked(1e-4)
    reduced = craft.reduce(modes=6)
    plant = reduced.spacecraft(damping=0.01, torques=TorqueBasis(limit=2.0))
    model = plant.linearize(plant.at_rest())
    full = craft.linearize(damping=0.01)
    assert full.A.shape == (6 + 2 * 45, 6 + 2 * 45)
    whole = craft.reduce().spacecraft(damping=0.01)
    same = whole.linearize(whole.at_rest())
    assert same.states == full.states
    assert pytest.approx(full.A, rel=1e-9, abs=1e-9 * np.abs(full.A[6:]).max()) == same.A
    assert pytest.approx(full.C, rel=1e-9, abs=1e-9) == same.C
    assert (model.inertia, model.torques.limits()) == (pytest.approx(full.inertia), pytest.approx(2.0))
    assert model.A.shape == (18, 18)


def test_the_linear_model_is_the_nonlinear_mesh(crooked):
    """Poles of the equations of motion themselves, by complex steps in inertial coordinates; material damping too."""
    craft = crooked(1e-4)
    exact = about_spin(craft, (0, 0, 0)).eigenvalues()
    found = craft.linearize().eigenvalues()
    oscillating = found[found.imag > 1.0]
    assert oscillating.size > 30
    slow = oscillating[np.abs(oscillating) < 1e4]
    gap = np.abs(slow[:, None] - exact).min(axis=1) / np.abs(slow)
    assert gap.max() < 1e-6


def test_symmetric_bending_is_left_out(satellite):
    craft = satellite(2)
    both, seen = craft.reduce(up_to=70.0, translation=True), craft.reduce(up_to=70.0)
    assert both.frequencies / (2 * np.pi) == pytest.approx([10.2136] * 4, rel=1e-4)
    assert seen.numbers == (1, 2)
    assert seen.inertia_shares == pytest.approx(np.array(((0, 0.9546, 0), (0, 0, 0.9546))), abs=1e-4)
    assert both.mass_shares.sum(axis=0) == pytest.approx((0, 4.14232**2 / 50.4, 4.14232**2 / 50.4), rel=1e-5)
    assert both.spacecraft().layout.size == 7 + 8 + 6


def test_arms_of_unlike_damping_keep_their_own(satellite, section):
    """Equal frequencies, one arm damped: modes of one arm each, 1/2 eta w, and none."""
    from dataclasses import replace

    from polhode.plant.flexible import FlexibleSatellite

    craft = satellite(2)
    arms = [craft.arms[0], replace(craft.arms[1], section=replace(section, damping_time=1e-3))]
    unlike = FlexibleSatellite(craft.hub, arms=arms)
    modes = appendage_modes(unlike)
    ratios = np.sort(modes.damping_ratios[:4])
    assert ratios == pytest.approx([0, 0, *[0.5e-3 * modes.frequencies[0]] * 2], rel=1e-6, abs=1e-9)
    whole = modes.shapes.T @ unlike.modes(clamped=True).matrices.C @ modes.shapes
    assert np.abs(whole - np.diag(2 * modes.damping_ratios * modes.frequencies)).max() < 1e-9 * whole.max()


def test_refusals(satellite):
    craft = satellite(1)
    with pytest.raises(InputError, match=r"give modes .* or up_to"):
        craft.reduce(modes=1, up_to=3.0)
    with pytest.raises(InputError, match=r"modes must be 1 to \d+, the modes of this mesh that the hub sees; got 99"):
        craft.reduce(modes=99)
    with pytest.raises(InputError, match=r"no mode lies below 3 rad/s; the lowest has 64.4"):
        craft.reduce(up_to=3.0)
    with pytest.raises(InputError, match="damping ratios must be from 0 to below 1"):
        craft.linearize(damping=-0.1)
    with pytest.raises(InputError, match="damping must be one ratio, or one for each of 2 modes"):
        craft.reduce(modes=2).spacecraft(damping=(0.1, 0.1, 0.1))
    with pytest.raises(InputError, match="basis must be body, not inertial"):
        craft.linearize(torques=TorqueBasis("inertial"))
    with pytest.raises(InputError, match="output 'rates' is unknown; did you mean 'rate'"):
        craft.linearize(outputs=("rates",))
