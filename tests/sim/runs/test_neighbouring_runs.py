# pyright: reportAttributeAccessIssue=false
# (a run that is an error fails the test by itself)
"""Derivatives of runs by exact tangents, against closed forms and independently integrated variational equations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import controllers, plant
from polhode.sim.codegen.tangent_library import tangents
from polhode.sim.engine.tangent_loop import TangentLoop
from polhode.sim.runs import neighbouring_runs as module
from polhode.sim.runs.neighbouring_runs import check_weights, neighbouring_runs
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
    near = neighbouring_runs(spec(x), pairs, lambda weights: (spec(x + weights * h), spec(x - weights * h)))
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
@pytest.mark.parametrize("settings", [{"integrator": "rk4", "step": 0.05}, {"integrator": "dop853"},
                                      {"integrator": "gauss4", "step": 0.05}])  # fmt: skip
def test_times_of_a_torque_match_closed_form(settings):
    """A torque M from a to b turns a body at rest: w = M (t - a)/J, and after it w = M (b - a)/J."""
    J, M = 10.0, 0.1

    def spec(x):
        pulse = plant.TorquePulse((M, 0.0, 0.0), start=x[0], stop=x[1])
        craft = plant.Spacecraft(plant.RigidBody((J, 8.0, 5.0)))
        return run_spec(craft, torques=[pulse], duration=6.0, output_step=0.5, **settings)

    run, _, rates = derivatives(spec, [1.237, 3.618])
    np.testing.assert_allclose(rates[0, :, 0], -M / J * (run.t > 1.237), rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(rates[1, :, 0], M / J * (run.t > 3.618), rtol=0.0, atol=1e-9)
    derivatives(spec, [1.0, 3.618], simulated="from t = 1 s on")  # at a row, the derivatives on both sides differ


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


def latching(x):
    """A panel with spring constant x[0] latches after 12.7 s."""
    panel = plant.HingedPanel(hinge=(0.5, 1.0, 0.0), axis=(0.0, 0.0, 1.0), mass=100.0, centre=(1.5, 0.0, 0.0),
                              inertia=(100.0, 50.0, 50.0), stiffness=x[0], angle=np.pi / 2, latch_angle=0.0,
                              latch_from="above", latch_time=0.05)  # fmt: skip
    craft = plant.Spacecraft(plant.RigidBody((900.0, 800.0, 600.0), mass=750.0), elements=[panel])
    return run_spec(craft, duration=20.0, integrator="dop853", rtol=1e-11, output_step=0.05)


@needs_tangents
def test_latching_panel_is_simulated():
    """The latch acts at an instant that depends on the spring."""

    run, states, _ = derivatives(latching, [2.0], simulated="from t = 12.7 s on")
    h = 2.0 * STEP
    after, before = fly_alone(latching([2.0 + h])), fly_alone(latching([2.0 - h]))
    assert same(run, fly_alone(latching([2.0])))
    np.testing.assert_array_equal(states[0], (after.states - before.states) / (2.0 * h))


@needs_tangents
def test_wrong_tangent_of_a_weak_parameter_is_not_hidden_by_a_strong_one(monkeypatch):
    """The tangents of a torque are wrong by half; a relative change of the rate moves the body 1e3 times as much."""

    def spec(x):
        pulse = plant.TorquePulse((0.0, 1e-3 * x[1], 0.0), start=0.0, stop=1.0)
        craft = plant.Spacecraft(plant.RigidBody((10.0, 8.0, 5.0)))
        return run_spec(
            craft, rate=(0.1 * x[0], 0.0, 0.05), torques=[pulse], duration=10.0, integrator="rk4", step=0.05
        )

    h = 1e-3

    def combined(weights):
        return spec(1.0 + h * weights), spec(1.0 - h * weights)

    def spoiled(self, steps):
        status = advance(self, steps)
        self.arrays["out_x"][..., 2] *= 1.5
        return status

    pairs = [(spec(1.0 + step), spec(1.0 - step)) for step in h * np.eye(2)]
    assert not neighbouring_runs(spec(np.ones(2)), pairs, combined).simulated
    advance = TangentLoop.advance
    monkeypatch.setattr(TangentLoop, "advance", spoiled)
    assert neighbouring_runs(spec(np.ones(2)), pairs, combined).simulated.startswith("from t = ")


@needs_tangents
def test_wheels_that_turn_a_spacecraft_without_momentum_have_tangents():
    """The total momentum is zero, and its change in simulated runs is the round-off of the momenta of the wheels."""

    def spec(x):
        wheels = [plant.Wheel(axis=axis, inertia=x, relative_rate=rate, motor_torque=0.01)
                  for axis, rate in (((0.6, 0.0, 0.8), 150.0), ((-0.6, 0.0, -0.8), 150.0))]  # fmt: skip
        craft = plant.Spacecraft(plant.RigidBody((60.0, 50.0, 40.0)), elements=wheels)
        return run_spec(craft, rate=(0.0, 0.0, 0.0), duration=5.0, integrator="rk4", step=0.05)

    for x in np.linspace(0.017, 0.023, 7):  # round-off at some of them
        derivatives(lambda value: spec(value[0]), [x])


@needs_tangents
def test_time_at_a_limit_is_simulated():
    """A wheel reaches the speed W at t = I' W / M: the flag of the limit has no tangent, although the states have."""
    wheel_inertia, J, W, M, T = 0.3, 60.0, 20.0, 0.5, 20.0

    def spec(x):
        wheel = plant.Wheel(axis=(0.0, 0.0, 1.0), inertia=wheel_inertia, motor_torque=x, speed_limit=W)
        craft = plant.Spacecraft(plant.RigidBody((40.0, 46.0, J)), elements=[wheel])
        return run_spec(craft, duration=T, integrator="dop853", rtol=1e-9, output_step=1.0)

    def time_at_limit(run):
        return np.array([next(value for name, value in run.ended.counters.items() if name.endswith("speed_limit_s"))])

    h = 1e-4 * M
    runs = spec(M), [(spec(M + h), spec(M - h))], lambda weights: (spec(M + weights[0] * h), spec(M - weights[0] * h))
    one = fly_alone(runs[0])  # the flag is known at the steps only
    expected = pytest.approx(
        T - wheel_inertia * (1.0 - wheel_inertia / J) * W / M, abs=one.ended.counters["longest_adaptive_step"]
    )
    assert time_at_limit(one)[0] == expected
    near = neighbouring_runs(*runs, time_at_limit)
    assert near.simulated.startswith("a metric of extrapolated runs differs")
    after, before = near.pairs[0]
    assert time_at_limit(after)[0] > time_at_limit(before)[0]


def own_law(t, y, r, q, z, u):
    u[0], u[1], u[2] = -q[0] * y[4], -q[0] * y[5], -q[0] * y[6]


def spinning(x, law=None, **settings):
    craft = plant.Spacecraft(plant.RigidBody((x[0], 8.0, 5.0)))
    return run_spec(craft, law, rate=(0.1, 0.2, 0.0), duration=2.0, integrator="rk4", step=0.05, **settings)


def test_runs_without_tangents_are_simulated(monkeypatch):
    monkeypatch.setattr(module, "tangents", lambda: 0)
    run, states, _ = derivatives(spinning, [10.0], simulated="this installation has no intact engine library")
    assert same(run, fly_alone(spinning([10.0])))
    h = 10.0 * STEP
    after, before = fly_alone(spinning([10.0 + h])), fly_alone(spinning([10.0 - h]))
    np.testing.assert_array_equal(states[0], (after.states - before.states) / (2.0 * h))


@needs_tangents
def test_run_in_plain_python_is_simulated():
    derivatives(lambda x: spinning(x)._replace(compiled=False), [10.0], simulated="the run is simulated in plain Py")


@needs_tangents
def test_undefined_tangent_is_simulated(monkeypatch):
    """A tangent that is not a number is not replaced by zero."""

    def spoiled(self, steps):
        status = advance(self, steps)
        self.arrays["out_x"][-1, 0, 1] = np.nan
        return status

    advance = TangentLoop.advance
    monkeypatch.setattr(TangentLoop, "advance", spoiled)
    derivatives(spinning, [10.0], simulated="a derivative is infinite or undefined")


@needs_tangents
def test_stalled_run_is_stopped(monkeypatch):
    monkeypatch.setattr(module, "steps_per_call", lambda _: 50)
    monkeypatch.setattr(module.StallGuard, "verdict", lambda _: "the run advances by 1e-12 s per step")
    derivatives(spinning, [10.0], simulated="the run ends early")


@needs_tangents
def test_memory_covers_all_directions(monkeypatch):
    """15 directions take at least three passes, and 30 neighbouring runs."""
    sizes = []
    monkeypatch.setattr(module, "require_memory", lambda size, _: sizes.append(size))
    pair = spinning([10.1]), spinning([9.9])
    for count in (1, 15):
        neighbouring_runs(spinning([10.0]), [pair] * count, lambda _: pair)
    passes = -(-15 // tangents())
    assert sizes[1] / sizes[0] == pytest.approx((30 + passes * (1 + tangents())) / (2 + 1 + tangents()))


@needs_tangents
def test_run_without_directions_is_the_run():
    near = neighbouring_runs(spinning([10.0]), [], lambda _: (spinning([10.0]), spinning([10.0])))
    assert not near.simulated
    assert same(near.run, fly_alone(spinning([10.0])))


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
    near = neighbouring_runs(spinning([10.0]), pairs, lambda _: (spinning([10.1]), spinning([9.9])))
    assert near.simulated == "a parameter changes the structure of the run"


@needs_tangents
@pytest.mark.parametrize("x", [[0.0], [1e-300]])
def test_start_at_rest_has_finite_tangents(x):
    def spec(x):
        return run_spec(plant.Spacecraft(plant.RigidBody((10.0, 8.0, 5.0))), rate=(x[0], 0.0, 0.0), duration=5.0)

    _, states, rates = derivatives(spec, x)
    assert np.isfinite(states).all()
    np.testing.assert_allclose(rates[0, :, 0], 1.0, rtol=0.0, atol=1e-9)


def test_weights_of_equal_effects_are_between_one_and_two():
    weights = np.abs(check_weights(np.ones((40, 1)), np.ones(1)))
    assert weights.min() >= 1.0
    assert weights.max() <= 2.0
    assert len(set(np.round(weights, 6))) == 40


def factors(effects, sizes):
    """Weights of the check without their signs and the factors between 1 and 2."""
    effects = np.array(effects)
    return check_weights(effects, np.array(sizes)) / check_weights(np.ones((len(effects), 1)), np.ones(1))


def test_weights_equalise_effects_that_simulated_runs_resolve():
    """The second direction is weak in both groups; the last one is strong in the second group."""
    effects = [[1e-2, 1e-6], [1e-4, 1e-9], [1e-2, 0.0], [0.0, 1e-6]]
    np.testing.assert_allclose(factors(effects, [1.0, 1e-4]), [0.01, 1.0, 0.01, 0.01], rtol=1e-12)
    np.testing.assert_allclose(factors(effects, [1.0, 1e-2]), [0.03, 1.0, 0.03, 0.03], rtol=1e-12)
    np.testing.assert_allclose(factors(effects, [1.0, 1.0]), np.ones(4), rtol=1e-12)


def test_weights_of_directions_without_effect_are_bounded():
    np.testing.assert_allclose(factors([[1e-2], [0.0]], [1.0]), [3e-4, 1.0], rtol=1e-12)
    np.testing.assert_allclose(factors([[0.0], [0.0]], [0.0]), np.ones(2), rtol=1e-12)
    assert check_weights(np.zeros((0, 3)), np.ones(3)).shape == (0,)
