"""Thruster forces and their envelope, compared with linear programming."""

import numpy as np
import pytest
from scipy.optimize import linprog

from polhode import controllers, plant, sim


def corners(rng=None):
    """Eight thrusters at the corners of a box, canted."""
    places = np.array([(x, y, z) for x in (1.0, -1.0) for y in (0.8, -0.8) for z in (0.5, -0.5)])
    cant = np.array([(0.3, 1.0, 0.0), (0.0, 0.3, 1.0), (1.0, 0.0, 0.3), (0.5, 0.5, 0.5)])
    pushes = np.array([-np.sign(p) * np.roll(cant[n % 4], n % 3) * (1, -1, 1) for n, p in enumerate(places)])
    return places, pushes


def pairs():
    places, pushes = [], []
    for k in range(3):
        arm, push = np.eye(3)[k], np.eye(3)[(k + 1) % 3]
        places += [arm, arm, -arm, -arm]
        pushes += [push, -push, push, -push]
    return np.array(places), np.array(pushes)


def tetrahedron():
    """The smallest number of thrusters: four torques that surround zero."""
    torques = np.array([(1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)])
    pushes = np.array([np.cross(t, (0.2, 0.5, 0.9)) for t in torques])
    pushes /= np.linalg.norm(pushes, axis=1)[:, None]
    return np.cross(pushes, torques), pushes  # r x d = t - (t.d) d = t


SETS = {
    "corners": (*corners(), False),
    "pairs": (*pairs(), False),
    "force free": (*pairs(), True),
    "four": (*tetrahedron(), False),
}
LIMITS = np.array((1.0, 0.7, 1.3, 0.9, 1.1, 1.0, 0.8, 1.2, 1.0, 1.0, 0.6, 1.4))


@pytest.fixture(params=SETS)
def thrusters(request):
    places, pushes, free = SETS[request.param]
    return controllers.ThrusterAllocation(places, pushes, limit=LIMITS[: len(places)], force_free=free)


def rows_of(thrusters):
    return np.vstack((thrusters.torques.T, thrusters.directions.T)) if thrusters.force_free else thrusters.torques.T


def reached(thrusters, direction):
    """Return the largest s with B f = s direction, 0 <= f <= limit."""
    rows = rows_of(thrusters)
    wanted = np.concatenate((direction, np.zeros(len(rows) - 3)))
    m = len(thrusters.limit)
    bounds = [*((0.0, most) for most in thrusters.limit), (0.0, None)]
    return linprog(
        np.append(np.zeros(m), -1.0), A_eq=np.hstack((rows, -wanted[:, None])), b_eq=np.zeros(len(rows)), bounds=bounds
    ).x[-1]


def directions():
    yield from np.random.default_rng(5).normal(size=(25, 3))
    yield from np.vstack((np.eye(3), -np.eye(3)))
    yield from np.array(((1.0, 1.0, 0.0), (0.0, -1.0, 1.0), (-1.0, 1.0, 1.0)))


@pytest.mark.thinned(4)
@pytest.mark.parametrize("share", [0.2, 0.7, 0.999])
def test_thruster_forces_match_linear_programming(thrusters, share):
    rows = rows_of(thrusters)
    for direction in directions():
        tau = share * reached(thrusters, direction) * direction
        f = thrusters.forces(tau)
        assert (f >= 0.0).all()
        assert (f <= thrusters.limit).all()
        np.testing.assert_allclose(rows[:3] @ f, tau, rtol=0, atol=1e-9)
        np.testing.assert_allclose(rows[3:] @ f, 0.0, rtol=0, atol=1e-9)
        bounds = [(0.0, most) for most in thrusters.limit]
        right = np.concatenate((tau, np.zeros(len(rows) - 3)))
        least = linprog(np.ones(f.size), A_eq=rows, b_eq=right, bounds=bounds).fun
        assert f.sum() == pytest.approx(least, rel=1e-9)


def test_thruster_envelope_matches_linear_programming(thrusters):
    for direction in directions():
        assert thrusters.largest(direction) == pytest.approx(
            reached(thrusters, direction) * np.linalg.norm(direction), rel=1e-8
        )


def test_thruster_forces_are_linear_for_small_torques(thrusters):
    tau = 1e-3 * np.random.default_rng(6).normal(size=(20, 3))
    f = thrusters.forces(tau)
    np.testing.assert_allclose(thrusters.forces(2.0 * tau), 2.0 * f, rtol=1e-12)
    np.testing.assert_array_equal(thrusters.forces(np.zeros(3)), 0.0)


@pytest.mark.parametrize("free", [False, True])
def test_simulated_command_equals_torque_of_thruster_forces(free):
    places, pushes = pairs()
    thrusters = controllers.ThrusterAllocation(places, pushes, limit=0.2, force_free=free)
    torques = plant.TorqueBasis("body", envelope=thrusters.envelope)
    craft = plant.Spacecraft(plant.RigidBody((120.0, 100.0, 80.0)), torques=torques)
    law = controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=0.9, sample=0.1)
    start = plant.attitude.from_rotation_vector((1.5, -0.8, 0.6))
    run = sim.simulate(craft, law, attitude=start, duration=300.0, output_step=0.5)
    commands = run.values("command")
    forces = thrusters.forces(commands)
    np.testing.assert_allclose(forces @ thrusters.torques, commands, rtol=0, atol=1e-9)
    if free:
        np.testing.assert_allclose(forces @ thrusters.directions, 0.0, rtol=0, atol=1e-9)
    assert forces.max() == pytest.approx(0.2, rel=1e-9)  # saturated at first
    assert run.values("attitude_error")[-1] < 1e-6


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda p, d: (p[:-1], d), "needs a position and a direction; got 11 and 12"),
        (lambda p, d: (p, 0 * d), "direction of thruster 1 must have a direction"),
        (lambda p, d: (p[:8], d[:8]), r"no torque either way about \[0.0, -?1.0, 0.0\]"),
        (lambda p, d: (np.delete(p, (0, 3), 0), np.delete(d, (0, 3), 0)), r"no torque about \[0.0, 0.0, 1.0\]"),
        (lambda p, d: (p[:2], d[:2]), "no torque either way"),
        (lambda p, d: ([], []), "got 0 and 0"),
    ],
)
def test_thrusters_without_torque_in_some_direction_are_rejected(change, says):
    with pytest.raises(plant.InputError, match=says):
        controllers.ThrusterAllocation(*change(*pairs()), limit=1.0)


def test_thruster_allocation_rejects_bad_input():
    with pytest.raises(plant.InputError, match="thrust limit must be greater than 0"):
        controllers.ThrusterAllocation(*pairs(), limit=0.0)
    with pytest.raises(plant.InputError, match="add up to zero"):
        controllers.ThrusterAllocation(np.eye(3), [(0, 1, 0), (0, 1, 1), (0, 1, 2)], limit=1.0, force_free=True)
    thrusters = controllers.ThrusterAllocation(*pairs(), limit=1.0)
    with pytest.raises(plant.InputError, match="times the attainable torque"):
        thrusters.forces((0.0, 0.0, 100.0))
    thrusters.forces(thrusters.limited((0.0, 3.0, 100.0)))
