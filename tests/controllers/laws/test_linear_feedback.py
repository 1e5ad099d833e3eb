"""The linear law: kernel compared with the matrix formula, both quaternion signs, its memory, and the nonlinear
sampled loop."""

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers.laws.linear_feedback_kernel import linear_feedback_kernel
from polhode.controllers.loop.small_signal import small_signal
from polhode.plant.attitude import attitude_error, from_rotation_vector, quaternion_product, rotation_matrix

INERTIA = np.array([[12.0, -1, 0.5], [-1, 10, 0.2], [0.5, 0.2, 8]])
WEIGHTS = {"attitude": 25.0, "rate": 9.0, "effort": 0.5}


def craft(*basis, limit=None):
    return plant.Spacecraft(plant.RigidBody(INERTIA), torques=plant.TorqueBasis(*(basis or ("body",)), limit=limit))


def unit(rng):
    e = rng.normal(size=4)
    return e / np.linalg.norm(e)


def command(law, x, r, z=None):
    memory = law.memory.copy() if z is None else z
    u = np.full(3, np.nan)
    law.kernel(0.0, np.concatenate((x, np.linalg.solve(INERTIA, x[:3]))), np.asarray(r), law.parameters, memory, u)
    return u


def design(delay=0.0, *, limit=None):
    body = craft(limit=limit)
    return controllers.lqr(body.linearize(body.at_rest()), **WEIGHTS, sample=0.5, delay=delay)


def feed_forward(r):
    return INERTIA @ r[7:] + np.cross(r[4:7], INERTIA @ r[4:7])


@pytest.mark.parametrize("delay", [0.0, 0.2, 1.2])
def test_linear_feedback_kernel_matches_matrix_formula(delay):
    law = design(delay)
    rng = np.random.default_rng(7)
    for _ in range(50):
        x = np.concatenate((rng.normal(size=3), unit(rng)))
        r = np.concatenate((unit(rng), rng.normal(size=6)))
        z = law.memory.copy()
        past = rng.normal(size=law.compensator.order)  # past commands without their feed-forward
        z[: past.size] = past
        u_ff = feed_forward(r)
        delta = 2.0 * attitude_error(x[3:7], r[:4])[1:]  # attitude_error has scalar >= 0
        expected = u_ff - law.gain @ np.concatenate((delta, x[:3] - INERTIA @ r[4:7], past))
        u = command(law, x, r, z)
        # sums of about twenty products of numbers below 100
        np.testing.assert_allclose(u, expected, rtol=0, atol=1e-12)
        newest_first = np.concatenate((u - u_ff, past))[: past.size]
        np.testing.assert_allclose(z[: past.size], newest_first, rtol=0, atol=1e-12)


def test_linear_feedback_does_not_depend_on_quaternion_sign():
    law = design()
    rng = np.random.default_rng(11)
    for _ in range(50):
        pi, e, ref = rng.normal(size=3), unit(rng), unit(rng)
        rest = np.zeros(6)
        u = command(law, [*pi, *e], [*ref, *rest])
        for s, t in ((1, -1), (-1, 1), (-1, -1)):
            # changing a sign is exact in floating point
            np.testing.assert_array_equal(command(law, [*pi, *(s * e)], [*(t * ref), *rest]), u)


def test_linear_feedback_takes_the_shorter_rotation():
    law = design()
    for angle in (0.1, 3.0, 3.3, 6.2):
        e = np.array([np.cos(angle / 2), np.sin(angle / 2), 0, 0])
        u = command(law, [0, 0, 0, *e], [1, *np.zeros(9)])
        assert np.sign(u[0]) == -np.sign(np.sin(angle))


def test_linear_feedback_half_turn_counts_as_positive():
    law = design()
    u = command(law, [0, 0, 0, 0, 1, 0, 0], [1, *np.zeros(9)])
    np.testing.assert_allclose(u, -2.0 * law.gain[:, 0], rtol=1e-15)
    assert np.abs(u).max() > 1.0  # not zero: with sgn(0) = 0 the craft would stay upside down


def test_linear_feedback_small_signal_gain_is_its_gain():
    law = design()
    # a complex step is exact; products of numbers below 100
    np.testing.assert_allclose(
        small_signal(law, law.model).compensator.D,
        law.compensator.D,
        rtol=0,
        atol=1e-13 * np.abs(law.compensator.D).max(),
    )


def test_linear_feedback_memory_stores_saturated_command():
    law = design(0.5, limit=(1.0, 2.0, 30.0))
    z = law.memory.copy()
    u = command(law, [500.0, -500, 1e-3, 1, 0, 0, 0], [1, *np.zeros(9)], z)
    assert u[0] < -1.0  # the law itself does not saturate
    assert u[1] > 2.0
    np.testing.assert_allclose(z[:3], [-1.0, 2.0, u[2]], rtol=1e-12)  # the saturated command


@pytest.mark.parametrize("basis", [("inertial",), ("euler", "3-2-1"), ("dual-euler", "3-1-3")])
def test_linear_feedback_commands_components_of_plant_basis(basis):
    """Small errors: torque in the basis, converted to the body, equals the torque of a body design."""
    e0 = plant.attitude.from_euler_angles((0.4, 0.7, -0.3), "3-1-3")
    bases = [craft(*basis), craft()]
    effort = np.eye(3)
    turn = np.array([bases[0].torques.to_body(column, e0) for column in np.eye(3)]).T
    other = controllers.lqr(
        bases[0].linearize(bases[0].at_rest(e0)),
        attitude=25,
        rate=9,
        effort=turn.T @ effort @ turn,
        sample=0.5,
    )
    body = controllers.lqr(bases[1].linearize(bases[1].at_rest(e0)), attitude=25, rate=9, effort=effort, sample=0.5)
    x = [0.1, -0.2, 0.05, *quaternion_product(e0, from_rotation_vector(np.array([0.02, 0.01, -0.03])))]
    r = [*e0, *np.zeros(6)]
    # the same Riccati problem in other input coordinates
    np.testing.assert_allclose(turn @ command(other, x, r), command(body, x, r), rtol=0, atol=1e-9)


def test_linear_feedback_converts_feed_forward_to_basis():
    """The kernel at a spinning reference in the inertial basis gives R u of the body basis."""
    body, rng = design(), np.random.default_rng(3)
    x = np.concatenate((rng.normal(size=3), unit(rng)))
    r = np.concatenate((x[3:7], np.linalg.solve(INERTIA, x[:3]), rng.normal(size=3)))  # no error: feed-forward only
    q = body.parameters.copy()
    q[0] = 1.0  # inertial
    u = np.zeros(3)
    linear_feedback_kernel(0.0, np.concatenate((x, np.linalg.solve(INERTIA, x[:3]))), r, q, body.memory.copy(), u)
    np.testing.assert_allclose(u, rotation_matrix(x[3:7]) @ feed_forward(r), rtol=0, atol=1e-12)


def nonlinear_sampled(law, x, steps, *, substeps=8):
    """Rigid body under the law with its delay; RK4 between arrivals. Reference at rest in the identity."""
    h, inverse = law.sample, np.linalg.inv(INERTIA)

    def rates(state, u):
        w = inverse @ state[:3]
        e0, e1, e2, e3 = state[3:]
        G = np.array([[-e1, e0, e3, -e2], [-e2, -e3, e0, e1], [-e3, e2, -e1, e0]])
        return np.concatenate((np.cross(state[:3], w) + u, 0.5 * G.T @ w))

    def flow(state, u, duration):
        dt = duration / substeps
        for _ in range(substeps):
            a = rates(state, u)
            b = rates(state + 0.5 * dt * a, u)
            c = rates(state + 0.5 * dt * b, u)
            d = rates(state + dt * c, u)
            state = state + dt / 6 * (a + 2 * b + 2 * c + d)
        return state

    z, commands, states = law.memory.copy(), [], [x]
    whole = int(law.delay // h)
    part = law.delay - whole * h
    for k in range(steps):
        commands.append(command(law, x, [1, *np.zeros(9)], z))
        older = commands[k - whole - 1] if k - whole - 1 >= 0 else np.zeros(3)
        newer = commands[k - whole] if k - whole >= 0 else np.zeros(3)
        if part > 0:
            x = flow(x, older, part)
        x = flow(x, newer, h - part)
        states.append(x)
    return np.array(states)


@pytest.mark.parametrize("delay", [0.0, 0.2, 0.7])
def test_nonlinear_sampled_loop_decays_with_its_poles(delay):
    """Law kernel, memory and delay on the nonlinear body equal the linear sampled loop to second order."""
    from polhode.controllers.loop.sampled_plant import sampled_plant

    law = design(delay)
    F, G = sampled_plant(law.model.A, law.model.B, sample=law.sample, delays=[delay] * 3)
    errors = []
    for size in (1e-2, 1e-3):
        angle, pi = size * np.array([1.0, -2, 1.5]), size * np.array([3.0, 1, -2])
        x = np.concatenate((pi, [np.sqrt(1 - angle @ angle / 4)], angle / 2))
        states = nonlinear_sampled(law, x, 30)
        s = np.concatenate((angle, pi, np.zeros(law.compensator.order)))
        worst = 0.0
        for state in states:
            worst = max(worst, np.abs(np.concatenate((2 * state[4:7], state[:3])) - s[:6]).max())
            s = (F - G @ law.gain) @ s
        errors.append(worst)
    assert errors[0] < 20 * 1e-2**2  # second-order remainder: coefficients of order one (momentum x rate)
    assert errors[0] / errors[1] == pytest.approx(100.0, rel=0.1)  # ten times smaller: a hundredth, and it is not 10


def test_linear_feedback_from_any_gain_has_poles():
    body = craft()
    gain = np.hstack((4.0 * np.eye(3), 2.0 * np.eye(3)))
    law = controllers.LinearFeedback.from_gain(gain, body.linearize(body.at_rest()), sample=0.1)
    assert law.design == {}
    assert np.abs(law.closed_loop_poles()).max() < 1.0
    late = controllers.LinearFeedback.from_gain(gain, body.linearize(body.at_rest()), sample=0.1, delay=0.25)
    assert late.compensator.order == 0  # without memory
    assert len(late.closed_loop_poles()) == 6 + 9


SPIN = controllers.SpinReference(rate=(0, 0, 0.1))


def test_linear_feedback_of_moving_reference_needs_body_basis():
    design().check_reference(SPIN)
    moving = craft("inertial")
    law = controllers.lqr(moving.linearize(moving.at_rest()), **WEIGHTS, sample=0.5)
    law.check_reference(controllers.FixedReference())
    law.check_reference(controllers.FixedReference((-1, 0, 0, 0)))
    law.check_reference(controllers.SpinReference(rate=(0, 0, 0)))
    with pytest.raises(
        plant.DesignError, match=r"'inertial' torque basis cannot follow a moving.*TorqueBasis\('body'\)"
    ):
        law.check_reference(SPIN)
    with pytest.raises(plant.DesignError, match=r"designed 90 deg away from the reference attitude"):
        law.check_reference(controllers.FixedReference((np.sqrt(0.5), np.sqrt(0.5), 0, 0)))


def test_linear_feedback_rejects_spin_in_basis_not_fixed_to_body():
    spinning = craft("inertial")
    rate = 0.2 * np.linalg.eigh(INERTIA)[1][:, 2]
    model = spinning.linearize(spinning.spinning(rate), allow_nonequilibrium=True)
    with pytest.raises(plant.DesignError, match="a constant gain cannot hold a spin"):
        controllers.lqr(model, **WEIGHTS, sample=0.5)


@pytest.mark.parametrize(
    ("gain", "delay", "message"),
    [
        (np.ones((3, 5)), 0.0, r"gain must be finite numbers, 3 x 6; got shape \(3, 5\)"),
        (np.ones((3, 9)), 0.0, "3 x 6; got shape"),
        (np.ones((3, 12)), 0.1, r"3 x 6 or 3 x 9 \(with the 1 commands under way\)"),
        (np.full((3, 6), np.nan), 0.0, "gain must be finite"),
    ],
)
def test_linear_feedback_rejects_bad_gains(gain, delay, message):
    body = craft()
    with pytest.raises(plant.InputError, match=message):
        controllers.LinearFeedback.from_gain(gain, body.linearize(body.at_rest()), sample=0.1, delay=delay)
