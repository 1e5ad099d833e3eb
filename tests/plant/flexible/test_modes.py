"""Frequencies of the linearised nonlinear element against closed forms, with the order of convergence."""

import numpy as np
import pytest
from scipy.optimize import brentq

from polhode.plant.flexible import BeamSection

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
        order = np.argsort(roots.real + 2 * roots.imag)  # the sign of the determinant hangs on the order
        value = np.linalg.det(np.array(rows)[:, order] / np.array([np.abs(r).max() for r in rows])[:, None])
        return value.imag if abs(value.imag) > abs(value.real) else value.real

    return brentq(determinant, 0.985 * guess, guess * (1 - 1e-9), xtol=1e-12)


def pairs(hertz):
    """Frequencies of bending, which come twice for a square section."""
    double = np.flatnonzero(np.diff(hertz) < 1e-6 * hertz[1:])
    return hertz[double]


def test_the_documents_mesh_and_eight_elements(satellite):
    two = pairs(satellite(2).modes(count=12).hertz)[:2]
    eight = pairs(satellite(8).modes(count=12).hertz)[:2]
    assert np.abs(two / HUB - 1).max() < 0.006
    assert np.abs(eight / HUB - 1).max() < 1e-4


def test_cantilever_converges_with_order_four(cantilever, section):
    exact = np.array([rayleigh(section, f) for f in EULER])
    errors = []
    for elements in (4, 8, 16):
        found = pairs(cantilever(elements).modes(clamped=True, count=16).hertz)[:3]
        errors.append(found / exact - 1)
    order = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.abs(order[-1] - 4).max() < 0.1
    assert np.abs(errors[1][:2]).max() < 1e-4


def test_a_slender_beam_is_euler_bernoullis(cantilever, satellite):
    slender = BeamSection(  # the same stiffness and mass with a hundredth of the rotary inertia
        area=0.25,
        second_moment_m=5.2e-7,
        second_moment_n=5.2e-7,
        elastic_modulus=7.17e10,
        shear_modulus=2.68e10,
        density=28.0,
    )
    found = pairs(cantilever(8, section=slender).modes(clamped=True, count=16).hertz)[:2]
    assert np.abs(found / EULER[:2] - 1).max() < 1e-4
    free = pairs(satellite(8, mass=1e-9, inertia=1e-9, offset=0.0, section=slender).modes(count=14).hertz)[:2]
    assert np.abs(free / FREE_EULER - 1).max() < 1e-4
    hub = pairs(satellite(8, section=slender).modes(count=14).hertz)[:2]
    assert np.abs(hub / HUB_EULER - 1).max() < 1e-4


@pytest.mark.parametrize(("exact", "coarse"), [(386.7216, 1e-3), (632.5438, 1e-5)], ids=["torsion", "axial"])
def test_torsion_and_axial_vibration(cantilever, exact, coarse):
    errors = []
    for elements in (2, 8):
        hertz = cantilever(elements).modes(clamped=True).hertz
        errors.append(np.abs(hertz / exact - 1).min())
    assert errors[0] < coarse
    assert errors[1] < 5e-6


def test_damping_ratio_of_strain_rate_damping(cantilever):
    section = BeamSection(
        area=2.5e-3,
        second_moment_m=5.2e-7,
        second_moment_n=5.2e-7,
        elastic_modulus=7.17e10,
        shear_modulus=2.68e10,
        density=2.8e3,
        damping_time=1e-4,
    )
    modes = cantilever(4, section=section).modes(clamped=True, count=6)
    assert modes.damping_ratios == pytest.approx(0.5e-4 * modes.frequencies, rel=1e-9)


def test_rigid_motion_is_free_and_shapes_are_normal(crooked):
    craft = crooked()
    modes = craft.modes()
    found = modes.matrices
    scale = np.abs(found.K).max()
    q = craft.straight()
    for k in range(3):
        turn = craft.rigid_rates(q, np.eye(3)[k], velocity=(0.1, 0.2, 0.3))
        assert np.abs(found.K @ turn).max() < 1e-12 * scale
    normal = modes.shapes.T @ found.M @ modes.shapes
    assert normal == pytest.approx(np.eye(craft.degrees), abs=1e-9)
    M = np.column_stack([craft.sweep(q, unit)[0] for unit in np.eye(craft.degrees)])
    assert pytest.approx(M, abs=1e-14 * np.abs(M).max()) == found.M
    assert np.abs(found.K - found.K.T).max() < 1e-12 * scale


def test_each_root_has_a_strain_of_its_own(satellite, section):
    """Arms pulled alike from both sides need not be strained alike: 003's shared strain is right by symmetry only."""
    craft = satellite()
    assert craft.degrees == 6 + 2 * (1 + 2 * 7)
    lowest_axial = [f for f in craft.modes().hertz if abs(f / 632.5438 - 1) < 0.25]
    assert len(lowest_axial) >= 2  # in phase and out of phase, which a shared strain makes one
