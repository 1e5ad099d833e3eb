"""Quaternion feedback: the formula, both quaternion signs, exact tracking in every basis, and its sampled margins."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.loop.small_signal import small_signal
from polhode.plant.attitude import (
    attitude_error,
    from_rotation_vector,
    quaternion_product,
    rotation_matrix,
    to_rotation_vector,
)

INERTIA = np.array([[12.0, -1, 0.5], [-1, 10, 0.2], [0.5, 0.2, 8]])
KP = np.array([[3.0, 0.2, 0], [0.2, 4, 0.1], [0, 0.1, 5]])
KD = np.array([[6.0, 0, 0.3], [0, 7, 0], [0.3, 0, 8]])
BASES = [("body",), ("inertial",), ("euler", "3-2-1"), ("dual-euler", "3-1-3"), ("euler", "1-2-1")]


def law(*basis, **change):
    arguments = {
        "inertia": INERTIA,
        "stiffness": KP,
        "damping": KD,
        "sample": 0.1,
        "torques": plant.TorqueBasis(*(basis or ("body",))),
        **change,
    }
    return controllers.QuaternionFeedback(**arguments)


def unit(rng):
    e = rng.normal(size=4)
    return e / np.linalg.norm(e)


def seen(x):
    return np.concatenate((x, np.linalg.solve(INERTIA, x[:3])))


def body_torque(controller, x, r):
    u = np.full(3, np.nan)
    controller.kernel(0.0, seen(x), np.asarray(r), controller.parameters, np.zeros(0), u)
    return controller.torques.to_body(u, x[3:7])


@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize("gyroscopic", [True, False])
def test_quaternion_feedback_kernel_matches_formula_in_every_basis(basis, gyroscopic):
    controller = law(*basis, gyroscopic=gyroscopic)
    rng = np.random.default_rng(5)
    for _ in range(40):
        x = np.concatenate((rng.normal(size=3), unit(rng)))
        r = np.concatenate((unit(rng), rng.normal(size=6)))
        w = np.linalg.solve(INERTIA, x[:3])
        error = attitude_error(x[3:7], r[:4])  # scalar >= 0
        R = rotation_matrix(error)
        w_d = R.T @ r[4:7]
        tau = -KP @ error[1:] - KD @ (w - w_d) + INERTIA @ (R.T @ r[7:] - np.cross(w, w_d))
        if gyroscopic:
            tau += np.cross(w, INERTIA @ w)
        got = body_torque(controller, x, r)
        # to a basis and back, whose vectors may be long: every attitude in this sample is at least 0.05 rad from
        # a singular one
        np.testing.assert_allclose(got, tau, rtol=0, atol=1e-11)


def test_quaternion_feedback_does_not_depend_on_quaternion_sign():
    controller, rng = law(), np.random.default_rng(9)
    for _ in range(40):
        pi, e, ref, rest = rng.normal(size=3), unit(rng), unit(rng), rng.normal(size=6)
        u = body_torque(controller, [*pi, *e], [*ref, *rest])
        for s, t in ((1, -1), (-1, 1), (-1, -1)):
            # changing a sign is exact in floating point
            np.testing.assert_array_equal(body_torque(controller, [*pi, *(s * e)], [*(t * ref), *rest]), u)


def test_quaternion_feedback_half_turn_counts_as_positive():
    torque = body_torque(law(), [0, 0, 0, 0, 1, 0, 0], [1, *np.zeros(9)])
    np.testing.assert_array_equal(torque, -KP[:, 0])


def motion(t):
    """A reference that combines coning, nodding and spinning: attitude at t by three rotations."""
    a = from_rotation_vector(np.array([0, 0, 0.7 * t]))
    b = from_rotation_vector(np.array([0.5 * np.sin(0.9 * t), 0, 0]))
    c = from_rotation_vector(np.array([0, 1.1 * t + 0.3 * np.cos(t), 0]))
    return quaternion_product(quaternion_product(a, b), c)


def body_rate_between(before, after, duration):
    return to_rotation_vector(attitude_error(after, before)) / duration


@pytest.mark.parametrize("basis", BASES)
def test_quaternion_feedback_error_equation_for_any_reference(basis):
    """J (omega - omega_d)' = - Kp vec - Kd (omega - omega_d), with omega_d' measured along the actual
    motion."""
    controller, rng, h = law(*basis), np.random.default_rng(21), 1e-3
    for t in (0.3, 1.9, 4.4):
        ref = motion(t)
        # rate and acceleration of the reference from its attitudes: central, error h^2 times order one
        w_ref = body_rate_between(motion(t - h), motion(t + h), 2 * h)
        ahead, behind = (body_rate_between(motion(t + s - h), motion(t + s + h), 2 * h) for s in (h, -h))
        r = np.concatenate((ref, w_ref, (ahead - behind) / (2 * h)))
        x = np.concatenate((rng.normal(size=3), unit(rng)))
        w = np.linalg.solve(INERTIA, x[:3])
        tau = body_torque(controller, x, r)
        w_rate = np.linalg.solve(INERTIA, np.cross(x[:3], w) + tau)  # the rigid body's own equation

        def desired(s, x=x, w=w, w_rate=w_rate, t=t):
            """Return omega_d in the body at t + s, when the body has turned by w s + w' s^2 / 2."""
            e = quaternion_product(x[3:7], from_rotation_vector(w * s + 0.5 * w_rate * s * s))
            rate = body_rate_between(motion(t + s - h), motion(t + s + h), 2 * h)
            return rotation_matrix(e).T @ rotation_matrix(motion(t + s)) @ rate

        w_d_rate = (desired(h) - desired(-h)) / (2 * h)
        error = attitude_error(x[3:7], ref)
        left = INERTIA @ (w_rate - w_d_rate)
        right = -KP @ error[1:] - KD @ (w - desired(0.0))
        # finite differences: h^2 = 1e-6 times third derivatives of order 1 and inertia 12
        np.testing.assert_allclose(left, right, rtol=0, atol=1e-4)
        assert np.abs(right).max() > 0.1


def test_quaternion_feedback_tracks_exactly_without_initial_error():
    controller = law()
    r = np.concatenate((motion(1.0), (0.3, -0.2, 0.5), (0.1, 0.2, -0.3)))
    x = np.concatenate((INERTIA @ r[4:7], r[:4]))
    expected = INERTIA @ r[7:] + np.cross(r[4:7], INERTIA @ r[4:7])
    np.testing.assert_allclose(body_torque(controller, x, r), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("rate", [None, 0.4])
@pytest.mark.parametrize("basis", BASES)
def test_quaternion_feedback_small_signal_gain_matches_differences(basis, rate):
    controller = law(*basis, gyroscopic=False)
    craft = plant.Spacecraft(plant.RigidBody(INERTIA), torques=controller.torques)
    e0 = plant.attitude.from_euler_angles((0.4, 0.7, -0.3), "3-1-3")
    x0 = craft.at_rest(e0) if rate is None else craft.spinning(rate * np.linalg.eigh(INERTIA)[1][:, 2], attitude=e0)
    model = craft.linearize(x0, allow_nonequilibrium=True)
    D = small_signal(controller, model).compensator.D
    gain = -np.hstack((D[:, :3], D[:, 3:] @ np.linalg.inv(INERTIA)))
    r = np.concatenate((e0, np.linalg.solve(INERTIA, x0[:3]), np.zeros(3)))

    def command(z):
        e = quaternion_product(e0, np.array([np.sqrt(1 - z[:3] @ z[:3] / 4), *(z[:3] / 2)]))
        u = np.zeros(3)
        controller.kernel(0.0, seen(np.concatenate((x0[:3] + z[3:], e))), r, controller.parameters, np.zeros(0), u)
        return u

    step = 1e-5
    differences = np.array([(command(d) - command(-d)) / (2 * step) for d in step * np.eye(6)]).T
    # h^2 = 1e-10 times third derivatives, round-off 1e-15 / 1e-5
    np.testing.assert_allclose(-gain, differences, rtol=0, atol=2e-8)


@pytest.mark.parametrize("basis", BASES)
def test_quaternion_feedback_margins_match_linear_law(basis):
    controller = law(*basis, delay=0.25)
    craft = plant.Spacecraft(plant.RigidBody(INERTIA), torques=controller.torques)
    e0 = plant.attitude.from_euler_angles((0.4, 0.7, -0.3), "3-1-3")
    model = craft.linearize(craft.at_rest(e0))
    to_body = np.array([controller.torques.to_body(column, e0) for column in np.eye(3)]).T
    gain = np.linalg.solve(to_body, np.hstack((KP / 2, KD @ np.linalg.inv(INERTIA))))
    linear = controllers.LinearFeedback.from_gain(gain, model, sample=0.1, delay=0.25).margins().to_dict()
    mine = controller.margins(model).to_dict()
    for key in ("gain_up", "phase_deg", "delay_s", "disk"):
        for a, b in zip(mine["axes"], linear["axes"], strict=True):
            assert a[key] == pytest.approx(b[key], rel=1e-9)  # the same gain, rounded differently
    for key in ("gain_up", "phase_deg", "delay_s"):
        assert mine["all_inputs"][key] == pytest.approx(linear["all_inputs"][key], rel=1e-9)


def test_quaternion_tuning_gives_second_order_response_per_axis():
    craft = plant.Spacecraft(plant.RigidBody(INERTIA), torques=plant.TorqueBasis("inertial", limit=2.0))
    tuned = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.7, sample=0.5)
    np.testing.assert_allclose(tuned.stiffness, 2 * 0.09 * INERTIA, rtol=1e-15)
    np.testing.assert_allclose(tuned.damping, 2 * 0.7 * 0.3 * INERTIA, rtol=1e-15)
    assert tuned.torques is craft.torques
    poles = tuned.closed_loop_poles(craft.linearize(craft.at_rest()))
    F, G = np.array([[1, 0.5], [0, 1]]), np.array([[0.125], [0.5]])
    expected = np.linalg.eigvals(F - G @ [[0.09, 0.42]])
    # three equal pairs, not defective: round-off
    np.testing.assert_allclose(np.sort(poles.real), np.sort(np.tile(expected.real, 3)), rtol=0, atol=1e-12)
    np.testing.assert_allclose(np.sort(poles.imag), np.sort(np.tile(expected.imag, 3)), rtol=0, atol=1e-12)


def test_quaternion_feedback_on_pivot_uses_inertia_about_pivot():
    craft = plant.Spacecraft(plant.RigidBody((3, 4, 2), mass=2.0, pivot=(0, 0, -1)))
    tuned = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.7, sample=0.1)
    np.testing.assert_allclose(tuned.inertia.diagonal(), (5, 6, 2), rtol=1e-15)


def test_quaternion_feedback_rejects_another_torque_basis():
    craft = plant.Spacecraft(plant.RigidBody(INERTIA), torques=plant.TorqueBasis("inertial"))
    with pytest.raises(
        plant.DesignError, match=r"commands torque in the 'body' basis, but the plant expects the 'inertial' basis"
    ):
        law().margins(craft.linearize(craft.at_rest()))
    other = plant.Spacecraft(plant.RigidBody(INERTIA), torques=plant.TorqueBasis("euler", "3-1-3"))
    e0 = plant.attitude.from_euler_angles((0.4, 0.7, -0.3), "3-1-3")
    with pytest.raises(plant.DesignError, match="basis"):
        law("euler", "3-2-1").margins(other.linearize(other.at_rest(e0)))


CRAFT = plant.Spacecraft(plant.RigidBody(INERTIA))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: law(inertia=(20, 10, 5)), "triangle inequality"),
        (lambda: law(stiffness=0.0), "stiffness must be positive definite; its smallest eigenvalue is 0"),
        (lambda: law(damping=(1, 1, -1)), "damping must not be negative"),
        (lambda: law(damping=[[1, 2, 0], [0, 1, 0], [0, 0, 1]]), "damping must be symmetric"),
        (lambda: law(stiffness=(1, 2)), "stiffness must be a number, 3 numbers or 3 x 3"),
        (lambda: law(sample=0), "sample must be greater than 0"),
        (lambda: law(delay=-1), "delay must not be negative"),
        (
            lambda: controllers.quaternion_feedback(CRAFT, frequency=-1, damping_ratio=0.7, sample=0.1),
            r"frequency must be greater than 0 \(rad/s\)",
        ),
        (
            lambda: controllers.quaternion_feedback(CRAFT, frequency=1, damping_ratio=0, sample=0.1),
            "damping_ratio must be greater than 0",
        ),
        (
            lambda: controllers.quaternion_feedback(CRAFT, frequency=2.0, damping_ratio=0.7, sample=1.0),
            "sample 1 s with delay 0 s is too slow for frequency 2 rad/s at damping ratio 0.7",
        ),
        (
            lambda: controllers.quaternion_feedback(CRAFT, frequency=1.0, damping_ratio=0.7, sample=0.1, delay=2.0),
            "with delay 2 s is too slow",
        ),
    ],
)
def test_quaternion_feedback_rejects_bad_input(make, message):
    with pytest.raises(plant.InputError, match=message):
        make()


def test_quaternion_feedback_loop_with_elements_matches_nonlinear_plant():
    """A viscous wheel and one with 10 N m s: the linear sampled loop matches the run to second order."""
    from polhode import sim

    wheels = (
        plant.elements.Wheel(axis=(0, 0, 1), inertia=1.0, friction=0.1),
        plant.elements.Wheel(axis=(0, 1, 0), inertia=0.1, relative_rate=100.0),
    )
    craft = plant.Spacecraft(plant.RigidBody(INERTIA), elements=wheels)
    tuned = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.7, sample=0.2, delay=0.1)
    loop = tuned.loop(craft.linearize(craft.at_rest()))
    F, G, K = loop.matrices()
    errors = []
    for size in (1e-3, 1e-4):
        angle = size * np.array([0.3, -0.2, 0.1])
        state = craft.at_rest()
        state[3:7] = np.sqrt(1 - angle @ angle / 4), *(angle / 2)
        state[:3] += size * np.array([1.0, 0.5, -1.0])
        run = sim.simulate(craft, tuned, state=state, duration=10.0, output_step=0.2, rtol=1e-12)
        s = np.zeros(len(F))
        s[:3], s[3:6] = angle, size * np.array([1.0, 0.5, -1.0]) / (np.trace(craft.locked_inertia(state)) / 3)
        worst = 0.0
        for e in run["attitude"].values:
            worst = max(worst, np.abs(2 * e[1:] - s[:3]).max())
            s = (F - G @ K) @ s
        errors.append(worst)
    assert errors[0] < 20 * 1e-3**2
    assert errors[0] / errors[1] == pytest.approx(100.0, rel=0.1)  # second order
    assert tuned.margins(craft.linearize(craft.at_rest())).axes[0].phase_deg > 30.0


def test_tuning_includes_the_propellant_of_the_hub():
    """Parallel axes: 20 kg and 5 kg, 0.1 m apart, add 4 kg (0.1 m)^2 across; a law of the dry hub is reported."""
    hub = plant.RigidBody((3.0, 2.0, 1.5), mass=20.0)
    arms, directions = np.eye(3), np.roll(np.eye(3), 1, axis=0)
    tank = {"propellant": 5.0, "tank": (0.1, 0.0, 0.0), "inertia": (0.5, 0.4, 0.3), "specific_impulse": 220.0}
    craft = plant.Spacecraft(hub, elements=(plant.Propulsion(arms, directions, applies_torque=False, **tank),))
    full, dry = (
        controllers.quaternion_feedback(each, frequency=0.3, damping_ratio=0.7, sample=0.1)
        for each in (craft, plant.Spacecraft(hub))
    )
    np.testing.assert_allclose(full.inertia, np.diag((3.5, 2.44, 1.84)), atol=1e-12)
    np.testing.assert_allclose(full.stiffness, 0.18 * full.inertia, atol=1e-12)
    warned = [sim.simulate(craft, each, rate=(0.01, 0.0, 0.0), duration=1.0).warnings for each in (full, dry)]
    assert not any("designed for inertia" in words for words in warned[0])
    assert any("designed for inertia[0, 0] = 3 kg m^2, but this spacecraft has 3.5" in words for words in warned[1])
