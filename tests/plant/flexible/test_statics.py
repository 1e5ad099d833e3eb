"""Static shapes of any size: a beam rolled up by a moment, and the elastica."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from polhode.plant import EquilibriumError, InputError
from polhode.plant.flexible import static_shape


def tip_of(q):
    return (q[-8:-5] - q[:3]) / 2.0


def roll_up(cantilever, section, *, turns, elements, increments):
    moment = 2 * np.pi * turns * section.bending_stiffness[0] / 2.0
    q = static_shape(cantilever(elements), moment=(0, -moment, 0), increments=increments)
    angle = 2 * np.pi * turns
    return np.abs(tip_of(q)[[0, 2]] - (np.sin(angle) / angle, (1 - np.cos(angle)) / angle)).max()


def test_roll_up_to_a_half_circle_converges_with_order_four(cantilever, section):
    errors = [roll_up(cantilever, section, turns=0.5, elements=n, increments=8) for n in (4, 8)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4, abs=0.15)
    assert errors[1] < 1.3e-4


@pytest.mark.slow
def test_roll_up_to_a_full_circle(cantilever, section):
    errors = [roll_up(cantilever, section, turns=1.0, elements=n, increments=n + 8) for n in (8, 16)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4, abs=0.2)
    assert errors[1] < 1e-4


def elastica(load, *, axial=np.inf):
    """(w/L, u/L) of a cantilever of unit EI and L under a dead tip force, by shooting; stretch by F.t/EA if finite.

    The moment's balance per undeformed length is theta'' = -(1 + strain) load cos(theta).
    """

    def slopes(_, y):
        stretched = 1 + load * np.sin(y[2]) / axial
        c, s = np.cos(y[2]), np.sin(y[2])
        return stretched * c, stretched * s, y[3], -stretched * c * load

    def shoot(curvature):
        return solve_ivp(slopes, (0, 1), (0, 0, 0, curvature), rtol=1e-11, atol=1e-13).y[:, -1]

    end = shoot(brentq(lambda k: shoot(k)[3], 0.01 * load, load, xtol=1e-13))
    return np.array((end[1], 1 - end[0]))


@pytest.mark.parametrize(
    ("load", "w", "u"),
    [
        (1, 0.3017207738, 0.0564332363),
        (2, 0.4934574804, 0.1606417208),
        (5, 0.7137915236, 0.3876283607),
        (10, 0.8106090249, 0.5549955978),
    ],
)
def test_elastica(cantilever, section, load, w, u):
    """The inextensible table checks the shooting; the beam stretches by up to 1e-3, as its own section says."""
    assert elastica(load) == pytest.approx((w, u), abs=1e-9)
    EI = section.bending_stiffness[0]
    exact = elastica(load, axial=section.axial_stiffness * 4.0 / EI)
    errors = []
    for elements in (4, 8):
        q = static_shape(cantilever(elements), force=(0, 0, load * EI / 4.0), increments=4)
        tip = tip_of(q)
        errors.append(np.abs((tip[2], 1 - tip[0]) - exact).max())
    assert errors[1] < 3e-5 * load
    assert errors[1] < errors[0] / 14


def test_refusals(cantilever, section):
    with pytest.raises(InputError, match="arm must be 0 to 0; got 1"):
        static_shape(cantilever(1), arm=1)
    with pytest.raises(EquilibriumError, match="take more increments"):
        static_shape(cantilever(2), moment=(0, -1e9, 0))
