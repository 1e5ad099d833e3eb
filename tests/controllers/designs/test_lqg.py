"""LQG: python-control's Kalman gain, the separation of poles, state estimates under noise."""

import control
import numpy as np
import pytest
from scipy.linalg import solve_discrete_are

from polhode import controllers, plant
from polhode.controllers.designs.design_plant import design_plant
from polhode.controllers.designs.estimated import kalman_gain
from polhode.controllers.loop.sampled_plant import sampled_plant
from polhode.plant.attitude import from_rotation_vector

WEIGHTS = {"attitude": 25.0, "rate": 9.0, "effort": 0.5}


def sphere(J=8.0):
    craft = plant.Spacecraft(plant.RigidBody((J, J, J)))
    return craft.linearize(craft.at_rest())


@pytest.mark.parametrize("rate", [None, 2e-3])
def test_lqg_kalman_gain_matches_python_control(rate):
    """One axis by hand: white torque through a double integrator gives q [h^3/3, h^2/2; h^2/2, h]."""
    J, h, q, attitude = 8.0, 0.25, 0.03, 1e-3
    sensors = np.array([attitude] * 3 + ([] if rate is None else [rate] * 3))
    sub = design_plant(sphere(J), internal="estimated")
    M = kalman_gain(sub.A, sub.B * (q / J), C=sub.C[: len(sensors)], sensors=sensors, sample=h)
    F = np.array([[1.0, h], [0.0, 1.0]])
    Q = (q / J) ** 2 * np.array([[h**3 / 3, h**2 / 2], [h**2 / 2, h]])
    C = np.eye(2)[: 1 if rate is None else 2]
    R = np.diag([attitude**2] if rate is None else [attitude**2, rate**2])
    L, _, _ = control.dlqe(F, np.eye(2), C, Q, R, method="scipy")
    # predictor gain L = F M; states of the sphere in these units are angle and rate
    found = F @ M[np.ix_([0, 3], [0] if rate is None else [0, 3])]
    np.testing.assert_allclose(found, L, rtol=1e-9)


@pytest.mark.parametrize("name", ["rigid", "geared"])
@pytest.mark.parametrize("delay", [0.0, 0.1])
def test_lqg_poles_separate_regulator_and_estimator(name, delay, request):
    """The separation principle, with matrices assembled here."""
    craft = request.getfixturevalue(name)
    model = craft.linearize(craft.at_rest())
    noise = {"torque_noise": 1e-2, "attitude_noise": 1e-4, "rate_noise": 1e-4}
    law = controllers.lqg(model, **WEIGHTS, **noise, sample=0.1, delay=delay)
    found = law.closed_loop_poles()
    regulator = controllers.lqr(model, **WEIGHTS, sample=0.1, delay=delay, internal="measured").closed_loop_poles()
    sub = design_plant(model, internal="estimated")
    F, _ = sampled_plant(sub.A, sub.B, sample=0.1, delays=[0.0] * 3)
    M = kalman_gain(sub.A, sub.B * (1e-2 / sub.scale), C=sub.C, sensors=np.full(6, 1e-4), sample=0.1)
    estimates = np.linalg.eigvals(F @ (np.eye(len(F)) - M @ sub.C))
    for pole in [*regulator[np.abs(regulator) > 1e-2], *estimates[np.abs(estimates) > 1e-2]]:
        assert np.abs(found - pole).min() < 1e-6  # close pairs of eigenvalues of matrices of 20 rows
    assert (np.abs(found) > 1e-2).sum() == (np.abs(regulator) > 1e-2).sum() + (np.abs(estimates) > 1e-2).sum()


def test_lqg_estimates_states_under_noise(rigid):
    """With seeded noise on torque and sensors the estimation error matches the Riccati equation. The rate, never
    measured, is much more accurate than differences of the attitude."""
    model = rigid.linearize(rigid.at_rest())
    h, sigma, q = 0.5, 1e-3, 1e-3
    law = controllers.lqg(model, **WEIGHTS, torque_noise=q, attitude_noise=sigma, sample=h)
    free = controllers.LinearFeedback(
        law.compensator, plant.Spacecraft(rigid.body).linearize(rigid.at_rest()), sample=h
    )
    sub = design_plant(model, internal="estimated")
    F, G = sampled_plant(sub.A, sub.B, sample=h, delays=[0.0] * 3)
    B = (q / sub.scale) * sub.B
    nodes, weights = np.polynomial.legendre.leggauss(8)  # exact for the polynomial covariance of integrators
    Q = sum(
        w * h / 2 * (E := np.eye(6) + sub.A * h * (1 + t) / 2) @ B @ B.T @ E.T
        for t, w in zip(nodes, weights, strict=True)
    )
    C = sub.C[:3]
    P = solve_discrete_are(F.T, C.T, Q, sigma**2 * np.eye(3))
    rng = np.random.default_rng(5)
    root = np.linalg.cholesky(Q)
    x, z, u, errors, differences, last = np.zeros(6), free.memory.copy(), np.zeros(3), [], [], np.zeros(3)
    reference = controllers.FixedReference().at(0.0)
    J = rigid.body.inertia
    for k in range(4000):
        seen = C @ x + sigma * rng.normal(size=3)
        rate = np.linalg.solve(J, sub.scale * x[3:])
        e = from_rotation_vector(seen)
        e[1:] = 0.5 * seen  # the law's error coordinate is 2 vec(e)
        if k > 200:
            errors.append(z[:6] - x)
            differences.append((seen - last) / h - rate)
        last = seen
        free.kernel(k * h, np.concatenate((np.zeros(3), e, np.full(3, 7.0))), reference, free.parameters, z, u)
        x = F @ x + G @ u / sub.scale + root @ rng.normal(size=6)
    spread = np.std(errors, axis=0)
    # 3800 samples correlated over some ten: a relative error of 4 % at one sigma
    np.testing.assert_allclose(spread, np.sqrt(np.diag(P)), rtol=0.12)
    to_rate = np.linalg.inv(J) * sub.scale
    believed = np.std(np.array(errors)[:, 3:] @ to_rate.T, axis=0)
    assert (believed < 0.25 * np.std(differences, axis=0)).all()


def test_lqg_estimator_is_unbiased_under_saturation(rigid):
    """The estimator uses the saturated command: without noise its prediction stays exact under saturation."""
    model = rigid.linearize(rigid.at_rest())
    law = controllers.lqg(model, **WEIGHTS, torque_noise=1e-2, attitude_noise=1e-4, sample=0.1, delay=0.1)
    sub = design_plant(model, internal="estimated")
    F, G = sampled_plant(sub.A, sub.B, sample=0.1, delays=[0.1] * 3)
    limits = rigid.torques.limits()
    s = np.concatenate(([0.1, -0.1, 0.05], np.zeros(3), np.zeros(3)))
    z, u = law.memory.copy(), np.zeros(3)
    z[:6] = s[:6]
    cut = 0
    for k in range(40):
        y = np.zeros(10)
        y[4:7] = 0.5 * s[:3]
        y[3] = np.sqrt(1 - y[4:7] @ y[4:7])
        law.kernel(0.1 * k, y, controllers.FixedReference().at(0.0), law.parameters, z, u)
        sent = np.clip(u, -limits, limits)
        cut += np.any(sent != u)
        s = F @ s + G @ sent / sub.scale
        np.testing.assert_allclose(z[:6], s[:6], rtol=0, atol=1e-12)
        np.testing.assert_allclose(z[6:9], sent, rtol=0, atol=1e-12)
    assert cut > 10


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"torque_noise": 0.0}, r"torque_noise must be greater than 0 \(N m/sqrt\(Hz\)\)"),
        ({"attitude_noise": (1e-3, 0.0, 1e-3)}, r"attitude_noise must be greater than 0 \(rad\) on every axis"),
        ({"rate_noise": -1.0}, "rate_noise must be greater than 0"),
        ({"effort": 0.0}, "effort weight must be positive definite"),
        ({"internal": "measured"}, "internal 'measured' is unknown"),
        ({"delay": -0.1}, "delay must not be negative"),
    ],
)
def test_lqg_rejects_bad_input(rigid, change, message):
    arguments = {**WEIGHTS, "torque_noise": 1e-3, "attitude_noise": 1e-3, "sample": 0.1, **change}
    with pytest.raises(plant.InputError, match=message):
        controllers.lqg(rigid.linearize(rigid.at_rest()), **arguments)
