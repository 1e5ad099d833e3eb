"""Polhodes, cones and the momentum ellipsoid of the second view."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant.attitude import rotation_matrix
from polhode.scenarios.pictures.playback.polhode_view import polhode_curves, polhode_view
from polhode.scenarios.pictures.playback.rolling_cones import is_free, rolling_cones

INERTIA = np.array(((400.0, 12.0, -8.0), (12.0, 307.8, 15.0), (-8.0, 15.0, 200.0)))


def shown(table):
    """The table, which must be there."""
    assert table is not None
    return table


def test_polhode_points_are_on_both_ellipsoids():
    """|J w| = H on the momentum ellipsoid; w . J w = 2 T, the same along each curve, on the energy ellipsoid."""
    momentum = np.array((30.0, -20.0, 25.0))
    size = float(np.linalg.norm(momentum))
    curves = polhode_curves(INERTIA, momentum=momentum, size=size)
    assert {kind for kind, _ in curves} == {"major", "minor", "separatrix", "own"}
    for kind, points in curves:
        np.testing.assert_allclose(np.linalg.norm(points @ INERTIA, axis=1), size, rtol=1e-12)
        energy = np.einsum("ni,ij,nj->n", points, INERTIA, points)
        np.testing.assert_allclose(energy, energy[0], rtol=1e-12)
        if kind == "own":
            assert energy[0] == pytest.approx(momentum @ np.linalg.solve(INERTIA, momentum), rel=1e-12)
            rate = np.linalg.solve(INERTIA, momentum)
            step = np.linalg.norm(np.diff(points, axis=0), axis=1).max()
            assert np.linalg.norm(points - rate, axis=1).min() < step
        if kind == "separatrix":
            middle = np.linalg.eigvalsh(INERTIA)[1]
            assert energy[0] == pytest.approx(size**2 / middle, rel=1e-12)


def test_simulated_rates_are_on_drawn_ellipsoid(flown):
    """The matrix of the view maps the recorded momentum to the recorded rate, which is on the ellipsoid of its
    energy.
    """
    run = flown("torque-free", "run.duration_s=60").run
    view = shown(polhode_view(run))
    assert view["kind"] == "ellipsoid"
    matrix = np.array(view["matrix"]).reshape(3, 3)
    rate = (run.values("momentum") - np.array(view["wheels"])) @ matrix.T
    np.testing.assert_allclose(rate, run.values("rate"), atol=1e-14)


def test_view_has_wheels_apart_and_no_polhodes():
    body = plant.RigidBody((40.0, 46.0, 60.0))
    wheel = plant.Wheel(axis=(1, 0, 0), inertia=0.3, relative_rate=40.0, motor_torque=1e-12)
    craft = plant.Spacecraft(body, elements=[wheel])
    run = sim.simulate(craft, state=craft.spinning((0.02, 0.1, 0.3)), duration=20.0)
    view = shown(polhode_view(run))
    assert view["kind"] == "ellipsoid"
    assert view["curves"] == []
    matrix = np.array(view["matrix"]).reshape(3, 3)
    rate = (run.values("momentum") - np.array(view["wheels"])) @ matrix.T
    np.testing.assert_allclose(rate, run.values("rate"), atol=1e-5)  # the motor rotates with the wheel's inertia


def test_changing_wheels_give_momentum_sphere(flown):
    run = flown("dual-spin", "run.duration_s=200").run
    view = shown(polhode_view(run))
    assert view["kind"] == "sphere"
    matrix = np.array(view["matrix"]).reshape(3, 3)
    np.testing.assert_allclose(np.linalg.norm(run.values("momentum") @ matrix.T, axis=1), 1.0, rtol=1e-9)


@pytest.mark.parametrize("name", ["slew-lqr", "spinning-top"])
def test_controlled_or_hanging_body_has_no_second_view(flown, name):
    run = flown(name, "run.duration_s=5").run
    assert polhode_view(run) is None
    assert rolling_cones(run) is None


def test_sphere_and_steady_spin_have_no_curves_of_their_own():
    assert polhode_curves(np.eye(3), momentum=np.array((1.0, 2.0, 3.0)), size=1.0) == []
    curves = polhode_curves(np.diag((1.0, 2.0, 2.5)), momentum=np.array((0.0, 0.0, 3.0)), size=3.0)
    assert "own" not in {kind for kind, _ in curves}


@pytest.mark.parametrize(("axial", "kind"), [(200.0, "direct"), (600.0, "retrograde")])
@pytest.mark.parametrize("spin", [0.9, -0.9])
def test_rate_is_on_body_cone_and_space_cone(axial, kind, spin):
    frame = rotation_matrix(np.array((0.8, 0.2, -0.4, 0.4)) / 1.0)
    inertia = frame @ np.diag((400.0, 400.0, axial)) @ frame.T
    craft = plant.Spacecraft(plant.RigidBody(0.5 * (inertia + inertia.T)))
    state = craft.spinning(frame @ np.array((0.5, 0.1, spin)))
    run = sim.simulate(craft, state=state, duration=30.0, rtol=1e-12)
    cones = shown(rolling_cones(run))
    assert cones["kind"] == kind
    rate = run.values("rate")
    rate = rate / np.linalg.norm(rate, axis=1, keepdims=True)
    np.testing.assert_allclose(rate @ np.array(cones["axis"]), np.cos(cones["body"]), atol=1e-10)
    inertial = np.einsum("nij,nj->ni", rotation_matrix(run.values("attitude")), rate)
    np.testing.assert_allclose(inertial @ np.array(cones["momentum"]), np.cos(cones["space"]), atol=1e-10)


def test_run_at_rest_is_not_free():
    craft = plant.Spacecraft(plant.RigidBody((1.0, 2.0, 2.5)))
    run = sim.simulate(craft, state=craft.at_rest(), duration=1.0)
    assert not is_free(run)
    assert polhode_view(run) is None
