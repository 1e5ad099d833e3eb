"""Attitude from a direction: the shortest rotation, and a law that follows it."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.laws.blocks import direction_attitude
from polhode.controllers.laws.blocks.direction_attitude import shortest
from polhode.controllers.sensing.sensors import CoarseSunSensor
from polhode.plant import DesignError, InputError
from polhode.plant.attitude import quaternion_product, rotation_angle, rotation_matrix, to_mrp

E = np.array((0.5, -0.5, 0.1, 0.7)) / np.linalg.norm((0.5, -0.5, 0.1, 0.7))


def unit(x):
    return np.asarray(x) / np.linalg.norm(x)


def pairs():
    draws = np.random.default_rng(5)
    for n in range(8):
        a = unit(draws.normal(size=3))
        yield unit(draws.normal(size=3)), a
        yield -a, a
        yield -unit(a + 1e-3 * draws.normal(size=3)), a
        axis = np.eye(3)[n % 3]
        yield axis, axis
        yield -axis, axis


def test_shortest_rotation_aligns_two_directions():
    for s, a in pairs():
        d = np.array(shortest(*s, *a))
        assert np.linalg.norm(d) == pytest.approx(1.0, abs=1e-9)
        assert rotation_matrix(d / np.linalg.norm(d)) @ s == pytest.approx(a, abs=1e-9)
        # the arc between them, by the half-angle, which is accurate near half a turn
        arc = 2.0 * np.arctan2(np.linalg.norm(s - a), np.linalg.norm(s + a))
        assert rotation_angle(d) == pytest.approx(arc, abs=1e-9)


def test_shortest_rotation_is_the_error_of_basilisk_safe_pointing():
    """sunSafePoint: command z and Sun (1, 1, 0) give these MRPs; the opposite Sun any axis across at |sigma| = 1."""
    mrp = to_mrp(np.array(shortest(*unit((1, 1, 0)), 0.0, 0.0, 1.0)))
    np.testing.assert_allclose(mrp, (0.292893218813, -0.292893218813, 0.0), rtol=0, atol=5e-13)
    for axis in (*np.eye(3), unit((1, 2, -1))):
        opposite = to_mrp(np.array(shortest(*-axis, *axis)))
        assert np.linalg.norm(opposite) == pytest.approx(1.0, abs=1e-12)
        assert opposite @ axis == pytest.approx(0.0, abs=1e-12)


def test_direction_attitude_is_shortest_rotation_and_holds_last_value():
    block = direction_attitude(reads="sun", axis=(0, 0, 2), attitude=E, sample=0.1)
    s = unit((0.3, -0.2, 0.5))
    rows = [[0, 0, 0, 0, 0], [*(2 * s), 1, 0.1], [1, 0, 0, 0, 0.2]]
    found = block.replay([0.0, 0.1, 0.2], rows, compiled=False)
    assert found[0] == pytest.approx(E)
    error = quaternion_product(E * (1, -1, -1, -1), found[1])
    assert rotation_matrix(error) @ s == pytest.approx((0, 0, 1))
    assert found[2].tolist() == found[1].tolist()
    assert np.abs(found - block.replay([0.0, 0.1, 0.2], rows)).max() < 1e-15


def test_direction_attitude_linear_form_is_its_slope():
    block = direction_attitude(reads="sun", axis=(1, 2, -1), attitude=E, sample=0.1)
    y = np.array([*unit((1, 2, -1)), 1.0, 7.0])
    form = block.small_signal(y, width=4)
    assert form.at(y) == pytest.approx(E)
    for n in range(3):
        step = np.zeros(5)
        step[n] = 1e-6
        up, down = (block.replay([0.0], [y + side * step], compiled=False)[0] for side in (1, -1))
        assert np.asarray(form.D)[:, n] == pytest.approx((up - down) / 2e-6, abs=1e-9)
    with pytest.raises(DesignError, match="measures a direction 90 deg off the axis at the operating point"):
        block.small_signal(np.array([*unit((2, -1, 0)), 1.0, 0.0]), width=4)


def test_attitude_law_points_an_axis_by_direction_attitude():
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    s = unit((0.2, -0.9, 0.4))
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    sensor = CoarseSunSensor(sun=s, normals=[*corners, *np.eye(3), *-np.eye(3)], noise=1e-6, half_angle=1.5)
    pointing = direction_attitude(reads=sensor.name, axis=(0, 1, 1), sample=0.1, writes="attitude")
    blocks = [sensor.block(sample=0.1), pointing]
    run = sim.simulate(craft, law, blocks=blocks, attitude=E, duration=40.0, seed=1, compiled=False)
    seen = rotation_matrix(run.values("attitude")[-1]).T @ s
    assert seen == pytest.approx(unit((0, 1, 1)), abs=1e-4)


def test_direction_attitude_rejects_bad_axis_and_attitude():
    with pytest.raises(InputError, match="axis must be a direction"):
        direction_attitude(reads="sun", axis=(0, 0, 0), sample=0.1)
    with pytest.raises(InputError, match="attitude"):
        direction_attitude(reads="sun", axis=(0, 0, 1), attitude=(1, 1, 0, 0), sample=0.1)
