"""Static shapes at large deformation: a beam rolled up by a moment, and the elastica."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from polhode.plant import EquilibriumError, InputError, RigidBody, Spacecraft
from polhode.plant.flexible import hub_position, node_positions, static_shape, strain_energy, tip_deflection


def tip_of(craft, x):
    """Tip position of a 2 m beam rooted at the mass centre of the hub, relative to the beam length."""
    return (node_positions(craft, [x])[0][0, -1] - hub_position(craft, [x])[0]) / 2.0


def roll_up(cantilever, section, *, turns, elements, increments):
    moment = 2 * np.pi * turns * section.bending_stiffness[0] / 2.0
    craft = cantilever(elements)
    x = static_shape(craft, moment=(0, -moment, 0), increments=increments)
    angle = 2 * np.pi * turns
    return np.abs(tip_of(craft, x)[[0, 2]] - (np.sin(angle) / angle, (1 - np.cos(angle)) / angle)).max()


@pytest.mark.slow
def test_beam_roll_up_to_a_half_circle_converges_with_order_four(cantilever, section):
    errors = [roll_up(cantilever, section, turns=0.5, elements=n, increments=8) for n in (4, 8)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4, abs=0.15)
    assert errors[1] < 1.3e-4


@pytest.mark.slow
def test_beam_roll_up_to_a_full_circle_converges(cantilever, section):
    errors = [roll_up(cantilever, section, turns=1.0, elements=n, increments=n + 8) for n in (8, 16)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4, abs=0.2)
    assert errors[1] < 1e-4


def elastica(load, *, axial=np.inf):
    """(w/L, u/L) of a cantilever with unit EI and L under a dead tip force, by shooting; extensible if EA is finite.

    The moment balance per undeformed length is theta'' = -(1 + strain) load cos(theta).
    """

    def derivatives(_, y):
        stretched = 1 + load * np.sin(y[2]) / axial
        c, s = np.cos(y[2]), np.sin(y[2])
        return stretched * c, stretched * s, y[3], -stretched * c * load

    def shoot(curvature):
        return solve_ivp(derivatives, (0, 1), (0, 0, 0, curvature), rtol=1e-11, atol=1e-13).y[:, -1]

    end = shoot(brentq(lambda k: shoot(k)[3], 0.01 * load, load, xtol=1e-13))
    return np.array((end[1], 1 - end[0]))


@pytest.mark.parametrize(
    ("load", "w", "u"),
    [
        pytest.param(1, 0.3017207738, 0.0564332363, marks=pytest.mark.slow),
        pytest.param(2, 0.4934574804, 0.1606417208, marks=pytest.mark.slow),
        pytest.param(5, 0.7137915236, 0.3876283607, marks=pytest.mark.slow),
        (10, 0.8106090249, 0.5549955978),
    ],
)
def test_static_shape_matches_the_elastica(cantilever, section, load, w, u):
    """The inextensible table checks the shooting; the beam with finite EA stretches by up to 1e-3."""
    assert elastica(load) == pytest.approx((w, u), abs=1e-9)
    EI = section.bending_stiffness[0]
    exact = elastica(load, axial=section.axial_stiffness * 4.0 / EI)
    errors = []
    for elements in (4, 8):
        craft = cantilever(elements)
        tip = tip_of(craft, static_shape(craft, force=(0, 0, load * EI / 4.0), increments=4))
        errors.append(np.abs((tip[2], 1 - tip[0]) - exact).max())
    assert errors[1] < 3e-5 * load
    assert errors[1] < errors[0] / 14


def test_static_shape_of_one_arm_on_a_pivoted_spacecraft(crooked):
    """The work of a small tip load is twice the strain energy; the other arms stay undeformed."""
    free = crooked()
    body = RigidBody((5.0, 5.2, 5.4), mass=5.0, pivot=(0, 0, 0.1))
    for craft in (free, Spacecraft(body, elements=free.elements)):
        force = np.array((0.3, -0.2, 0.5))
        x = static_shape(craft, arm=1, force=force)
        moved = tip_deflection(craft, [x])[0]
        assert force @ free.elements[1].frame @ moved[1] == pytest.approx(2.0 * strain_energy(craft, [x])[0], rel=1e-4)
        np.testing.assert_allclose(moved[[0, 2]], 0.0, atol=1e-15)


def test_static_shape_rejects_bad_input(cantilever, section):
    with pytest.raises(InputError, match="arm must be 0 to 0; got 1"):
        static_shape(cantilever(1), arm=1)
    with pytest.raises(EquilibriumError, match="use more increments"):
        static_shape(cantilever(2), moment=(0, -1e9, 0))
