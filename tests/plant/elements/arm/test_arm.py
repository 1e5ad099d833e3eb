"""Arms: input checks, and the satellite of Choi (2014) in rigid motion."""

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.plant.flexible import Arm, BeamSection


def test_arm_satellite_energy_and_momentum_in_rigid_motion(satellite):
    craft = satellite()
    assert craft.mass == pytest.approx(50.4, abs=1e-12)
    # case 1, Euler rates (0.1, 0.5, 0.1) at zero angles; energy and momentum of two independent codes
    x = craft.state(rate=(0.1, 0.5, 0.1))
    assert craft.energy(x) == pytest.approx(5.638663693331157, rel=1e-12)
    assert craft.inertial_momentum(x) == pytest.approx((0.016064800, 21.6840787, 4.33681573), rel=2e-9)


def test_arm_satellite_torque_acts_in_hub_axes(satellite):
    craft = satellite()
    x = craft.at_rest((np.sqrt(0.5), 0, 0, np.sqrt(0.5)))
    change = craft.derivative(0.0, x, u=(0, 2.0, 0)) - craft.derivative(0.0, x)
    assert change[:3] == pytest.approx((0, 2.0, 0), abs=1e-15)
    assert np.abs(change[3:]).max() == 0.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"length": 0.0}, r"length of arm must be greater than 0 \(m\); got 0"),
        ({"elements": 0}, "elements of arm must be a whole number, 1 or more; got 0"),
        ({"elements": 2.5}, "elements of arm must be a whole number"),
        ({"direction": (0, 0, 0)}, "direction of arm must have a direction"),
        ({"section_axis": (2, 0, 0)}, "must not be parallel to the arm"),
        ({"tip_mass": -1.0}, "tip mass of arm must not be negative"),
        ({"root": (0.1, 0)}, "root of arm must be 3 numbers"),
    ],
)
def test_arm_rejects_bad_input(section, change, words):
    given = {"section": section, "length": 2.0, "elements": 2, "direction": (1, 0, 0)} | change
    with pytest.raises(InputError, match=words):
        Arm(**given)


def test_beam_section_rejects_bad_input():
    given = {"area": 1e-3, "second_moment_m": 1e-7, "second_moment_n": 1e-7, "youngs_modulus": -7e10}
    with pytest.raises(InputError, match=r"youngs modulus of beam section must be greater than 0 \(Pa\); got -7e\+10"):
        BeamSection(**given, shear_modulus=2.7e10, density=2800)
