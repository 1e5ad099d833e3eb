"""Wheel allocation and its envelope, compared with linear programming and with runs."""

import numpy as np
import pytest
from scipy.optimize import linprog

from polhode import controllers, plant, sim

A = 3**-0.5
PYRAMID = [(A, A, A), (-A, A, A), (-A, -A, A), (A, -A, A)]
HEXAGON = [(0.8 * np.cos(a), 0.8 * np.sin(a), 0.6) for a in np.arange(6) * np.pi / 3]
SETS = {
    "three": np.eye(3),
    "pyramid": PYRAMID,
    "skew fourth": [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)],
    "four in a plane": [(1, 0, 0), (0, 1, 0), (3, 4, 0), (-4, 3, 0), (0, 0, 1)],
    "parallel": [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, 1, 0), (1, 1, 0), (0, 0, 2)],
    "hexagon": HEXAGON,
    "seven at random": np.random.default_rng(4).normal(size=(7, 3)),
}
UNEQUAL = np.array((0.5, 1.0, 2.0, 0.8, 1.5, 0.7, 1.1))


def smallest_largest(axes, limit, tau):
    """Return min t with |u_k| <= t limit_k and A u = tau."""
    m = len(axes)
    cost = np.append(np.zeros(m), 1.0)
    rows = np.hstack((np.vstack((np.eye(m), -np.eye(m))), -np.tile(limit, 2)[:, None]))
    equal = np.hstack((axes.T, np.zeros((3, 1))))
    return linprog(cost, A_ub=rows, b_ub=np.zeros(2 * m), A_eq=equal, b_eq=tau, bounds=(None, None)).fun


def torques_to_try():
    rng = np.random.default_rng(2)
    yield from rng.normal(size=(10, 3))
    yield from rng.integers(-2, 3, size=(10, 3)) + np.array((0.0, 0.0, 0.5))  # edges and planes of symmetry
    yield from np.eye(3)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("equal", [True, False])
@pytest.mark.parametrize("name", SETS)
def test_min_max_allocation_matches_linear_programming(name, equal):
    m = len(SETS[name])
    limit = np.ones(m) if equal else UNEQUAL[:m]
    wheels = controllers.WheelAllocation(SETS[name], limit=limit, method="min-max")
    for tau in torques_to_try():
        u = wheels.torques(tau)
        np.testing.assert_allclose(wheels.axes.T @ u, tau, rtol=0, atol=1e-13)
        most = smallest_largest(wheels.axes, limit, tau)
        assert np.abs(u / limit).max() == pytest.approx(most, rel=1e-9)
        assert wheels.largest(tau) == pytest.approx(np.linalg.norm(tau) / most, rel=1e-9)


@pytest.mark.parametrize("name", SETS)
def test_pseudo_inverse_is_least_squares_with_smaller_envelope(name):
    least = controllers.WheelAllocation(SETS[name], limit=0.2)
    most = controllers.WheelAllocation(SETS[name], limit=0.2, method="min-max")
    gains = []
    for tau in torques_to_try():
        u = least.torques(tau)
        np.testing.assert_allclose(u, np.linalg.lstsq(least.axes.T, tau, rcond=None)[0], rtol=0, atol=1e-13)
        reached = least.largest(tau)
        assert np.abs(least.torques(reached * tau / np.linalg.norm(tau))).max() == pytest.approx(0.2, rel=1e-12)
        gains.append(most.largest(tau) / reached)
    assert min(gains) > 1.0 - 1e-12
    assert max(gains) == pytest.approx(1.0) if name == "three" else max(gains) > 1.1


@pytest.mark.slow
def test_wheel_allocation_is_continuous():
    """On a path through all facets the largest change of a share is that of its steepest facet times the step."""
    for axes in SETS.values():
        wheels = controllers.WheelAllocation(axes, limit=1.0, method="min-max")
        s = np.linspace(0.0, 2.0 * np.pi, 4001)
        path = np.column_stack((np.sin(3 * s), np.cos(2 * s), np.sin(5 * s + 1.0)))
        steps = np.abs(np.diff(wheels.torques(path), axis=0)).max(axis=1)
        assert steps.max() < 10.0 * np.linalg.norm(np.diff(path, axis=0), axis=1).max()


def test_limited_torque_keeps_its_direction():
    wheels = controllers.WheelAllocation(PYRAMID, limit=0.1, method="min-max")
    tau = np.array(((1.0, 0.5, -0.2), (0.01, 0.0, 0.0)))
    limited = wheels.limited(tau)
    np.testing.assert_allclose(np.cross(limited[0], tau[0]), 0.0, atol=1e-16)
    assert np.abs(wheels.torques(limited[0])).max() == pytest.approx(0.1, rel=1e-12)
    np.testing.assert_array_equal(limited[1], tau[1])


def wheeled(method, **more):
    elements = plant.wheel_array(PYRAMID, inertia=0.05, allocation=method, torque_limit=0.1)
    torques = plant.TorqueBasis("body", internal=True, **more)
    return plant.Spacecraft(plant.RigidBody((50.0, 50.0, 50.0)), elements=elements, torques=torques)


@pytest.mark.parametrize("method", ["pseudo-inverse", "min-max"])
def test_wheel_array_uses_the_same_allocation(method):
    allocation = controllers.WheelAllocation(PYRAMID, limit=0.1, method=method)
    craft = wheeled(method)
    n = craft.layout.internal_momentum
    for tau in np.random.default_rng(3).normal(size=(10, 3)):
        u = 0.09 * tau / np.abs(allocation.torques(tau)).max()
        np.testing.assert_allclose(
            craft.derivative(0.0, craft.at_rest(), u=u)[n], -allocation.torques(u), rtol=0, atol=1e-15
        )


def test_min_max_array_linearises_as_pseudo_inverse():
    """At zero torque min-max has no derivative; the linear model uses that of least squares."""
    models = [wheeled(method).linearize(wheeled(method).at_rest()) for method in ("pseudo-inverse", "min-max")]
    np.testing.assert_array_equal(models[0].B, models[1].B)
    assert np.abs(models[0].B).max() > 0.0


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("method", ["pseudo-inverse", "min-max"])
def test_torque_beyond_envelope_keeps_its_direction_in_a_run(method, compiled):
    """From rest a sphere turns about the torque, at the rate of the largest attainable one."""
    direction = np.array((1.0, 1.0, 1.0)) * A
    wish = controllers.CustomLaw(lambda t, y, r: 5.0 * direction, sample=0.5, compiled=False)
    allocation = controllers.WheelAllocation(PYRAMID, limit=0.1, method=method)
    run = sim.simulate(wheeled(method, envelope=allocation.envelope), wish, duration=2.0, compiled=compiled)
    reached = {"pseudo-inverse": 4 / 30, "min-max": 0.2}[method]  # the wheel along it only; all four
    np.testing.assert_allclose(np.linalg.norm(run.values("command"), axis=1), reached, rtol=1e-12)
    # hub and wheels' axial inertia 0.05 (4/3) about every axis: A A' = 4/3
    np.testing.assert_allclose(run.values("rate")[-1], reached * 2.0 / 50.0 * direction, rtol=1e-9)


@pytest.mark.parametrize("design", ["lqi", "lqr"])
def test_laws_with_memory_use_the_envelope(design):
    """The envelope of three wheels on the axes is a box: the run equals that with the same limit and direction kept."""
    box = controllers.WheelAllocation(np.eye(3), limit=0.1).envelope
    ends = []
    for more in ({"envelope": box}, {"limit": 0.1, "keep_direction": True}, {"limit": 0.1}):
        craft = plant.Spacecraft(plant.RigidBody((50.0, 40.0, 30.0)), torques=plant.TorqueBasis("body", **more))
        numbers = {"attitude": 25.0, "rate": 1.0, "effort": 1.0, "sample": 0.1, "delay": 0.25}
        if design == "lqi":
            numbers["integral"] = 0.05
        law = getattr(controllers, design)(craft.linearize(craft.at_rest()), **numbers)
        start = plant.attitude.from_rotation_vector((0.5, 0.2, -0.15))
        run = sim.simulate(craft, law, attitude=start, duration=60.0, integrator="rk4", step=0.05)
        ends.append(run.states[:, :7])
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-10)
    assert np.abs(ends[0] - ends[2]).max() > 1e-2


@pytest.mark.parametrize(
    ("axes", "more", "says"),
    [
        ([(1, 0, 0), (0, 1, 0), (1, 1, 0)], {}, r"these 3 wheels give no torque along \[0.0, 0.0, 1.0\]"),
        (PYRAMID[:2], {}, "these 2 wheels give no torque along"),
        ([*PYRAMID, (0, 0, 0)], {}, "axis of wheel 5 must have a direction"),
        (PYRAMID, {"limit": -0.1}, "wheel limit must be greater than 0"),
        (PYRAMID, {"limit": (0.1, 0.1)}, "wheel limit must be 4 numbers"),
        (PYRAMID, {"method": "minmax"}, "min-max"),
    ],
)
def test_wheel_allocation_rejects_bad_input(axes, more, says):
    with pytest.raises(plant.InputError, match=says):
        controllers.WheelAllocation(axes, **{"limit": 0.1, **more})


def test_wheel_allocation_checks_torques_and_directions():
    wheels = controllers.WheelAllocation(PYRAMID, limit=0.1)
    with pytest.raises(plant.InputError, match=r"direction must not be \(0, 0, 0\)"):
        wheels.largest((0, 0, 0))
    with pytest.raises(plant.InputError, match="torque must be 3"):
        wheels.torques((1.0, 2.0))
    with pytest.raises(plant.InputError, match="n rows of them"):
        wheels.limited(np.zeros((2, 4)))
    with pytest.raises(plant.InputError, match="envelope is fixed in the body"):
        plant.TorqueBasis("inertial", envelope=wheels.envelope)
    with pytest.raises(plant.InputError, match="k x 3"):
        plant.TorqueBasis("body", envelope=(1.0, 2.0, 3.0))
    with pytest.raises(plant.InputError, match="allocation"):
        plant.wheel_array(PYRAMID, inertia=0.05, allocation="minmax")
