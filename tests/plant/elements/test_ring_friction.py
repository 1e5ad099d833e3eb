"""Laminar friction of a ring: the formula against the velocity profile, its limits against oscillating flow."""

import numpy as np
import pytest
from scipy.special import jv

from polhode import plant
from polhode.plant.elements.ring_friction import WOMERSLEY_LIMIT

OIL = {"viscosity": 0.1, "density": 960.0, "tube_radius": 0.003, "radius": 0.2, "relative_rate": 0.5, "frequency": 2.0}


def test_ring_friction_matches_velocity_profile():
    """Wall shear mu du/dr of u = 2 U (1 - r^2/a^2) over the wetted wall, times the arm R, over R^2 betadot."""
    a, mu, r, fill, betadot = 0.003, 0.1, 0.2, 2.0, 0.37
    shear = mu * 4.0 * (r * betadot) / a
    torque = shear * (2 * np.pi * a) * (fill * r) * r
    assert plant.ring_friction(**OIL, fill=2.0) == pytest.approx(torque / (r**2 * betadot), rel=1e-14)
    assert plant.ring_friction(**OIL) == pytest.approx(np.pi * plant.ring_friction(**OIL, fill=2.0), rel=1e-14)


def test_ring_friction_womersley_limit_bounds_the_error():
    """The resistance of oscillating flow (Womersley 1955) deviates by less than 2 % at the limit, and by more
    beyond."""

    def resistance(alpha):
        z = alpha * 1j**1.5
        return np.real(1j * alpha**2 / (1 - 2 * jv(1, z) / (z * jv(0, z)))) / 8.0

    assert 1.01 < resistance(WOMERSLEY_LIMIT) < 1.02
    assert resistance(1.5 * WOMERSLEY_LIMIT) > 1.05


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"viscosity": -0.1}, r"viscosity must be greater than 0 \(Pa s\); got -0.1"),
        ({"density": 0.0}, "density must be greater than 0"),
        ({"fill": 0.0}, r"filled angle of the ring must be in \(0, 2 pi\]"),
        ({"fill": 7.0}, r"filled angle of the ring must be in \(0, 2 pi\] rad; got 7 rad"),
        ({"tube_radius": 0.3}, r"does not fit into the ring: tube radius 0.3 >= ring radius 0.2 m"),
        ({"relative_rate": 2000.0}, r"Reynolds number 2.304e\+04 > 2000, the flow is not laminar"),
        ({"relative_rate": 30.0}, "Dean number 42.33 > 11.6, the curvature of the tube adds friction"),
        ({"frequency": 100.0}, "Womersley number 2.939 > 2, the oscillation is too fast"),
        ({"relative_rate": -1.0}, "relative rate must not be negative"),
    ],
)
def test_ring_friction_rejects_flow_out_of_range(change, message):
    with pytest.raises(plant.InputError, match=message):
        plant.ring_friction(**{**OIL, **change})
