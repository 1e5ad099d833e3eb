"""Descriptions, states, and the conservation laws that the equations owe to symmetry."""

import numpy as np
import pytest

from polhode.plant import InputError, RigidBody
from polhode.plant.flexible import Arm, BeamSection, FlexibleSatellite


def test_masses_and_momenta_of_a_rigid_motion(satellite):
    craft = satellite()
    assert craft.mass == pytest.approx(50.4, abs=1e-12)
    # 003 case 1, Euler rates (0.1, 0.5, 0.1) at zero angles; energy and momentum of two independent codes
    x = craft.state(rate=(0.1, 0.5, 0.1))
    assert craft.energy(x) == pytest.approx(5.638663693331157, rel=1e-12)
    linear, angular = craft.momentum(x)
    assert angular == pytest.approx((0.016064800, 21.6840787, 4.33681573), rel=2e-9)
    assert np.abs(linear).max() < 1e-15


def test_the_mass_centre_rests_unless_it_is_told_to_move(crooked):
    craft = crooked()
    x = craft.state(rate=(0.3, 0.2, -0.1), attitude=(0.5, 0.5, -0.5, 0.5), position=(1, 2, 3))
    linear, _ = craft.momentum(x)
    assert np.abs(linear).max() < 1e-14
    moving = craft.state(rate=(0.3, 0.2, -0.1), velocity=(1, 0, -2))
    assert craft.momentum(moving)[0] == pytest.approx(craft.mass * np.array((1, 0, -2)), rel=1e-13)


def test_internal_forces_sum_to_nothing(crooked):
    craft = crooked(damping_time=1e-3)
    rng = np.random.default_rng(3)
    q = craft.straight((0.5, 0.5, -0.5, 0.5)) + 0.05 * rng.normal(size=craft.positions)
    nu = rng.normal(size=craft.degrees)
    p, f, _ = craft.sweep(q, nu)
    force, torque = f[:3].copy(), f[3:6] + np.cross(nu[:3], p[:3]) + np.cross(q[:3], f[:3])
    at, vt = 8, 7
    for arm in craft.arms:
        for _ in range(arm.elements):
            force += f[vt : vt + 3]
            torque += f[vt + 3 : vt + 6] + np.cross(nu[vt : vt + 3], p[vt : vt + 3])
            torque += np.cross(q[at : at + 3], f[vt : vt + 3])
            at, vt = at + 8, vt + 7
        at, vt = at + 1, vt + 1
    assert np.abs(force).max() < 1e-14 * np.abs(f).max()
    assert np.abs(torque).max() < 1e-14 * np.abs(f).max()


def test_power_is_that_of_the_damping_alone(crooked):
    rng = np.random.default_rng(4)
    q = crooked().straight() + 0.02 * rng.normal(size=crooked().positions)
    nu = rng.normal(size=crooked().degrees)
    free, damped = (crooked(eta).sweep(q, nu)[1] @ nu for eta in (0.0, 1e-3))
    assert damped < free  # what the strain rates take


def test_a_torque_acts_in_hub_axes(satellite):
    craft = satellite()
    q = craft.straight((np.sqrt(0.5), 0, 0, np.sqrt(0.5)))  # y of the hub is -x of space
    still = np.zeros(craft.degrees)
    rates = craft.sweep(q, still, torque=(0, 2.0, 0))[1] - craft.sweep(q, still)[1]
    assert rates[3:6] == pytest.approx((-2.0, 0, 0), abs=1e-12)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"length": 0.0}, r"length must be greater than 0 \(m\); got 0; an element of zero length"),
        ({"elements": 0}, "elements must be 1 to"),
        ({"elements": 2.5}, "elements must be a whole number"),
        ({"direction": (0, 0, 0)}, "direction must not be zero"),
        ({"section_axis": (2, 0, 0)}, "must not lie along the arm"),
        ({"tip_mass": -1.0}, "tip mass must not be negative"),
        ({"root": (0.1, 0)}, "root must be 3 numbers"),
    ],
)
def test_bad_arms(section, change, words):
    given = {"section": section, "length": 2.0, "elements": 2, "direction": (1, 0, 0)} | change
    with pytest.raises(InputError, match=words):
        Arm(**given)


def test_bad_sections():
    given = {"area": 1e-3, "second_moment_m": 1e-7, "second_moment_n": 1e-7, "elastic_modulus": -7e10}
    with pytest.raises(InputError, match=r"elastic modulus must be greater than 0 \(Pa\); got -7e\+10"):
        BeamSection(**given, shear_modulus=2.7e10, density=2800)


def test_bad_satellites(section):
    arm = Arm(section=section, length=2.0, elements=2, direction=(1, 0, 0), root=(0.3, 0, 0))
    hub = RigidBody((1, 1, 1), mass=5.0)
    with pytest.raises(InputError, match=r"arm 1 begins 0.3 m .* along x, but the hub reaches only 0.1 m"):
        FlexibleSatellite(hub, arms=[arm], hub_size=(0.2, 0.2, 0.2))
    with pytest.raises(InputError, match="at least one arm"):
        FlexibleSatellite(hub, arms=[])
    with pytest.raises(InputError, match="needs a mass"):
        FlexibleSatellite(RigidBody((1, 1, 1)), arms=[arm])
    with pytest.raises(InputError, match="points must be 3 to 5"):
        FlexibleSatellite(hub, arms=[arm], points=2)
