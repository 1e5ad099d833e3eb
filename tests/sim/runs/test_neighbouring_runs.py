# pyright: reportAttributeAccessIssue=false
# (a run that is an error fails the test by itself)
"""Derivatives of runs by exact tangents, against closed forms and independently integrated variational equations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import controllers, plant
from polhode.sim.codegen.tangent_library import tangents
from polhode.sim.runs import neighbouring_runs as module
from polhode.sim.runs.neighbouring_runs import Check, check_weights, neighbouring_runs
from polhode.sim.runs.parallel_runs import fly_alone
from polhode.sim.runs.run_spec import run_spec

needs_tangents = pytest.mark.skipif(tangents() == 0, reason="no library with tangents on this machine")

STEP = 1e-6


def derivatives(spec, x, *, simulated=""):
    """Run at x and the derivatives (directions, rows, states) of its states and of its body rate.

    spec(x): specification of the run with parameters x.
    """
    x = np.asarray(x, dtype=np.float64)
    h = STEP * np.maximum(np.abs(x), 0.1)
    pairs = [(spec(x + d), spec(x - d)) for d in np.diag(h)]
    weights = np.array(check_weights(x.size))
    near = neighbouring_runs(spec(x), pairs, Check(spec(x + weights * h), spec(x - weights * h), list(weights)))
    assert near.simulated.startswith(simulated)
    assert bool(near.simulated) == bool(simulated)
    states = np.array([(a.states - b.states) / (2.0 * d) for (a, b), d in zip(near.pairs, h, strict=True)])
    rates = np.array(
        [(a.values("rate") - b.values("rate")) / (2.0 * d) for (a, b), d in zip(near.pairs, h, strict=True)]
    )
    return near.run, states, rates


def same(one, other):
    return all(
        np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True)
        for name in ("t", "states", "inputs", "observables")
    )


@needs_tangents
def test_coning_rate_by_inertia_matches_closed_form():
    """w_x = a cos(n t), w_y = a sin(n t), n = (J_z - J_x) W / J_x: a symmetric body without torque."""
    a, W = 0.05, 0.4

    def spec(x):
        return run_spec(plant.Spacecraft(plant.RigidBody((x[0], x[0], x[1]))), rate=(a, 0.0, W), duration=60.0,
                        integrator="rk8", step=0.05, output_step=0.5)  # fmt: skip

    Jx, Jz = 100.0, 140.0
    run, _, rates = derivatives(spec, (Jx, Jz))
    n, t = (Jz - Jx) * W / Jx, run.t
    assert np.allclose(run.values("rate")[:, 0], a * np.cos(n * t), rtol=0.0, atol=1e-12)
    for slope, by in ((-Jz * W / Jx**2, 0), (W / Jx, 1)):
        np.testing.assert_allclose(rates[by, :, 0], -a * np.sin(n * t) * slope * t, rtol=0.0, atol=3e-10)
        np.testing.assert_allclose(rates[by, :, 1], a * np.cos(n * t) * slope * t, rtol=0.0, atol=3e-10)
        assert np.abs(rates[by, :, 0]).max() > 1e-3


@needs_tangents
@pytest.mark.parametrize("settings", [{"integrator": "rk4", "step": 0.005}, {"integrator": "dop853", "rtol": 1e-11},
                                      {"integrator": "gauss6", "step": 0.05}])  # fmt: skip
def test_full_inertia_tensor_matches_variational_equations(settings):
    """Rate and attitude by all six entries of the tensor: scipy integrates the motion and its variation together."""
    entries = np.array([10.0, 8.0, 5.0, 0.4, -0.6, 0.3])
    w0, e0 = np.array([0.2, -0.3, 0.25]), np.array([1.0, 0.0, 0.0, 0.0])

    def tensor(x):
        return np.array([[x[0], x[3], x[4]], [x[3], x[1], x[5]], [x[4], x[5], x[2]]])

    def spec(x):
        return run_spec(plant.Spacecraft(plant.RigidBody(tensor(x))), rate=w0, attitude=e0, duration=20.0,
                        output_step=1.0, **settings)  # fmt: skip

    def skew(v):
        return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])

    J, J_by = tensor(entries), [tensor(row) for row in np.eye(6)]

    def slope(_, y):
        y = y.reshape(7, 7)  # the rate and attitude, then their derivatives by each entry
        w, e = y[0, :3], y[0, 3:]
        accelerate = np.linalg.solve(J, -np.cross(w, J @ w))
        Q = 0.5 * np.block([[0.0, -w], [w[:, None], -skew(w)]])
        found = np.empty_like(y)
        found[0] = np.concatenate((accelerate, Q @ e))
        for n in range(6):
            dw, de = y[1 + n, :3], y[1 + n, 3:]
            right = -np.cross(dw, J @ w) - np.cross(w, J @ dw + J_by[n] @ w) - J_by[n] @ accelerate
            dQ = 0.5 * np.block([[0.0, -dw], [dw[:, None], -skew(dw)]])
            found[1 + n] = np.concatenate((np.linalg.solve(J, right), Q @ de + dQ @ e))
        return found.ravel()

    start = np.zeros((7, 7))
    start[0] = np.concatenate((w0, e0))
    run, states, rates = derivatives(spec, entries)
    exact = solve_ivp(slope, (0.0, 20.0), start.ravel(), t_eval=run.t, method="DOP853", rtol=1e-12, atol=1e-13)
    exact = exact.y.T.reshape(-1, 7, 7)
    np.testing.assert_allclose(run.values("rate"), exact[:, 0, :3], rtol=0.0, atol=3e-9)
    assert np.abs(exact[:, 1:, :3]).max() > 0.05
    np.testing.assert_allclose(rates.transpose(1, 0, 2), exact[:, 1:, :3], rtol=0.0, atol=3e-8)
    np.testing.assert_allclose(states[:, :, 3:7].transpose(1, 0, 2), exact[:, 1:, 3:], rtol=0.0, atol=3e-8)


@needs_tangents
def test_gains_of_a_sampled_law_match_the_derivative_of_matrix_powers():
    """One axis with a delay of no sample: x_k = (A - B K)^k x_0 for small angles, and the product rule for its K."""
    J, T = 5.0, 0.2
    A, B = np.array([[1.0, T], [0.0, 1.0]]), np.array([[0.5 * T * T / J], [T / J]])
    angle = 1e-6  # the error of small angles is 1e-12 of it

    def spec(x):
        law = controllers.QuaternionFeedback(inertia=(J, J, J), stiffness=2.0 * x[0], damping=x[1], sample=T)
        attitude = (np.cos(angle / 2), np.sin(angle / 2), 0.0, 0.0)
        return run_spec(plant.Spacecraft(plant.RigidBody((J, J, J))), law, attitude=attitude, duration=20.0,
                        integrator="rk4", step=T / 2, output_step=T)  # fmt: skip

    x = np.array([0.8, 2.5])
    _, states, rates = derivatives(spec, x)
    F, power, by = A - B @ x[None], np.eye(2), [np.zeros((2, 2)), np.zeros((2, 2))]
    for k in range(1, 101):
        by = [F @ d - B @ row[None] @ power for d, row in zip(by, np.eye(2), strict=True)]
        power = F @ power
        for n in range(2):
            expected = by[n] @ np.array([angle, 0.0])
            np.testing.assert_allclose(2.0 * states[n, k, 4], expected[0], rtol=0.0, atol=1e-9 * angle)
            np.testing.assert_allclose(rates[n, k, 0], expected[1], rtol=0.0, atol=1e-9 * angle)


@needs_tangents
def test_many_directions_equal_single_ones():
    """More parameters than tangents of a number: the run is repeated, with the same result."""
    x = np.concatenate(([10.0, 8.0, 5.0], [0.2, -0.3, 0.25], np.full(10, 0.1)))

    def spec(x):
        pulses = [plant.TorquePulse((t, 0.0, 0.0), start=n, stop=n + 0.5) for n, t in enumerate(x[6:])]
        return run_spec(plant.Spacecraft(plant.RigidBody(x[:3])), rate=x[3:6], torques=pulses, duration=12.0,
                        integrator="rk4", step=0.05)  # fmt: skip

    run, states, _ = derivatives(spec, x)
    assert same(run, fly_alone(spec(x)))
    assert len(x) > tangents()
    for n in (0, 4, 15):

        def one(value, n=n):
            return spec(np.concatenate((x[:n], value, x[n + 1 :])))

        np.testing.assert_array_equal(derivatives(one, x[n : n + 1])[1][0], states[n])


@needs_tangents
def test_latching_panel_is_simulated():
    """The latch acts at an instant that depends on the spring."""

    def spec(x):
        panel = plant.HingedPanel(hinge=(0.5, 1.0, 0.0), axis=(0.0, 0.0, 1.0), mass=100.0, centre=(1.5, 0.0, 0.0),
                                  inertia=(100.0, 50.0, 50.0), stiffness=x[0], angle=np.pi / 2, latch_angle=0.0,
                                  latch_from="above", latch_time=0.05)  # fmt: skip
        craft = plant.Spacecraft(plant.RigidBody((900.0, 800.0, 600.0), mass=750.0), elements=[panel])
        return run_spec(craft, duration=20.0, integrator="dop853", rtol=1e-11, output_step=0.05)

    run, states, _ = derivatives(spec, [2.0], simulated="from t = 12.7 s on")
    h = 2.0 * STEP
    after, before = fly_alone(spec([2.0 + h])), fly_alone(spec([2.0 - h]))
    assert same(run, fly_alone(spec([2.0])))
    np.testing.assert_array_equal(states[0], (after.states - before.states) / (2.0 * h))


def own_law(t, y, r, q, z, u):
    u[0], u[1], u[2] = -q[0] * y[4], -q[0] * y[5], -q[0] * y[6]


def spinning(x, law=None, **settings):
    craft = plant.Spacecraft(plant.RigidBody((x[0], 8.0, 5.0)))
    return run_spec(craft, law, rate=(0.1, 0.2, 0.0), duration=2.0, integrator="rk4", step=0.05, **settings)


def test_runs_without_tangents_are_simulated(monkeypatch):
    monkeypatch.setattr(module, "tangents", lambda: 0)
    run, states, _ = derivatives(spinning, [10.0], simulated="the compiled engine with tangents is not installed")
    assert same(run, fly_alone(spinning([10.0])))
    h = 10.0 * STEP
    after, before = fly_alone(spinning([10.0 + h])), fly_alone(spinning([10.0 - h]))
    np.testing.assert_array_equal(states[0], (after.states - before.states) / (2.0 * h))


@needs_tangents
def test_functions_of_the_user_are_simulated():
    law = controllers.CustomLaw(own_law, sample=0.1, parameters=(0.5,))
    derivatives(lambda x: spinning(x, law), [10.0], simulated="a user-defined function has no tangents")


@needs_tangents
def test_no_check_simulates_all_runs():
    near = neighbouring_runs(spinning([10.0]), [(spinning([10.1]), spinning([9.9]))], None)
    assert near.simulated == "the tangents cannot be checked by simulated runs"
    assert same(near.pairs[0][0], fly_alone(spinning([10.1])))


@needs_tangents
def test_change_of_structure_is_simulated():
    pairs = [(spinning([10.1], output_step=0.1), spinning([9.9]))]
    near = neighbouring_runs(spinning([10.0]), pairs, Check(spinning([10.1]), spinning([9.9]), [1.0]))
    assert near.simulated == "a parameter changes the structure of the run"


@needs_tangents
@pytest.mark.parametrize("x", [[0.0], [1e-300]])
def test_start_at_rest_has_finite_tangents(x):
    def spec(x):
        return run_spec(plant.Spacecraft(plant.RigidBody((10.0, 8.0, 5.0))), rate=(x[0], 0.0, 0.0), duration=5.0)

    _, states, rates = derivatives(spec, x)
    assert np.isfinite(states).all()
    np.testing.assert_allclose(rates[0, :, 0], 1.0, rtol=0.0, atol=1e-9)


def test_weights_of_the_check_are_between_one_and_two():
    weights = np.abs(check_weights(40))
    assert weights.min() >= 1.0
    assert weights.max() <= 2.0
    assert len(set(np.round(weights, 6))) == 40
