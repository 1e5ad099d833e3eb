"""The regulator compared with closed forms, the Riccati equation, and the predictor form for a delay."""

from dataclasses import replace

import control
import numpy as np
import pytest
from scipy.linalg import solve_discrete_are

from polhode import controllers, plant
from polhode.controllers.loop.sampled_plant import sampled_plant

J = (400.0, 307.8, 200.0)
CRAFT = plant.Spacecraft(plant.RigidBody(J))
MODEL = CRAFT.linearize(CRAFT.at_rest())
WEIGHTS = {"attitude": 25.0, "rate": 9.0, "effort": 0.5}


def test_lqr_gain_solves_discrete_riccati_equation():
    inertia = np.array([[12.0, -1, 0.5], [-1, 10, 0.2], [0.5, 0.2, 8]])
    craft = plant.Spacecraft(plant.RigidBody(inertia))
    model = craft.linearize(craft.spinning(0.3 * np.linalg.eigh(inertia)[1][:, 2]))
    attitude = np.array([[5.0, 1, 0], [1, 4, 0], [0, 0, 3]])
    law = controllers.lqr(model, attitude=attitude, rate=(1, 2, 3), effort=(0.1, 0.2, 0.3), sample=0.4)
    F, G = sampled_plant(model.A, model.B, sample=0.4, delays=[0.0] * 3)
    to_rate = np.linalg.inv(inertia)
    Q = np.zeros((6, 6))
    Q[:3, :3] = attitude
    Q[3:, 3:] = to_rate.T @ np.diag((1.0, 2, 3)) @ to_rate
    R = np.diag((0.1, 0.2, 0.3))
    P = solve_discrete_are(F, G, Q, R)
    K = np.linalg.solve(R + G.T @ P @ G, G.T @ P @ F)
    # the solver's residual is about 1e-13 of P; the design uses scaled units, so it rounds differently
    np.testing.assert_allclose(law.gain, K, rtol=0, atol=1e-10 * np.abs(K).max())
    assert np.abs(np.linalg.eigvals(F - G @ law.gain)).max() < 1.0


def test_lqr_approaches_continuous_double_integrator_at_fast_sampling():
    q, w, r = WEIGHTS["attitude"], WEIGHTS["rate"], WEIGHTS["effort"]
    inertia = np.array(J)
    on_angle = np.full(3, np.sqrt(q / r))  # the continuous regulator of J theta'' = u, solved by hand
    on_rate = np.sqrt((w + 2 * inertia * np.sqrt(q * r)) / r)
    expected = np.hstack((np.diag(on_angle), np.diag(on_rate / inertia)))
    errors = []
    for sample in (0.08, 0.04, 0.02, 0.01):
        law = controllers.lqr(MODEL, **WEIGHTS, sample=sample)
        errors.append(np.abs(law.gain - expected).max(axis=1) / np.abs(expected).max(axis=1))
    assert np.max(errors[-1]) < 5e-3
    # first order in the sampling period: halving it halves the error; the second-order term leaves 2 +- 0.02
    np.testing.assert_allclose(np.array(errors[:-1]) / np.array(errors[1:]), 2.0, rtol=0.01)


@pytest.mark.parametrize("whole", [1, 2, 3])
def test_lqr_with_whole_delay_is_a_predictor(whole):
    """No control acts before the command arrives, so the gain is that without delay on the predicted
    state."""
    h = 0.5
    plain = controllers.lqr(MODEL, **WEIGHTS, sample=h)
    late = controllers.lqr(MODEL, **WEIGHTS, sample=h, delay=whole * h)
    F, G = sampled_plant(MODEL.A, MODEL.B, sample=h, delays=[0.0] * 3)
    blocks = [plain.gain @ np.linalg.matrix_power(F, whole)]
    blocks += [plain.gain @ np.linalg.matrix_power(F, n) @ G for n in range(whole)]
    # two Riccati solutions of different size
    np.testing.assert_allclose(late.gain, np.hstack(blocks), rtol=0, atol=1e-9 * np.abs(late.gain).max())
    poles = late.closed_loop_poles()
    np.testing.assert_allclose(np.abs(poles[:6]), np.abs(plain.closed_loop_poles()), rtol=1e-9)
    # the rest are dead-beat; chains of length `whole` scatter by round-off^(1/whole)
    assert np.abs(poles[6:]).max() < 1e-3
    assert len(poles) == 6 + 3 * whole


def test_lqr_with_fractional_delay_uses_commands_under_way():
    half = controllers.lqr(MODEL, **WEIGHTS, sample=0.5, delay=0.25)
    assert half.gain.shape == (3, 9)
    assert half.compensator.order == 3
    F, G = sampled_plant(MODEL.A, MODEL.B, sample=0.5, delays=[0.25] * 3)
    poles = np.linalg.eigvals(F - G @ half.gain)
    # eigenvalues of the same matrix in other units; simple ones, so good to round-off times their condition
    np.testing.assert_allclose(np.sort(np.abs(poles)), np.sort(np.abs(half.closed_loop_poles())), rtol=0, atol=1e-9)
    assert np.abs(poles).max() < 1.0
    nearly = controllers.lqr(MODEL, **WEIGHTS, sample=0.5, delay=0.25 + 1e-7)
    # continuous in the delay, at a slope of order gain / sample
    np.testing.assert_allclose(nearly.gain, half.gain, rtol=0, atol=1e-6 * np.abs(half.gain).max())


def test_lqr_scales_with_craft_size():
    """Inertia times s with effort weight over s^2 is the same problem with torque in other units."""
    s = 1e6
    big = plant.Spacecraft(plant.RigidBody(s * np.array(J)))
    small = controllers.lqr(MODEL, attitude=25, rate=1, effort=1, sample=0.1, delay=0.03)
    large = controllers.lqr(big.linearize(big.at_rest()), attitude=25, rate=1, effort=1 / s**2, sample=0.1, delay=0.03)
    # same scaled matrices up to rounding of the scale
    np.testing.assert_allclose(large.gain[:, :3], s * small.gain[:, :3], rtol=0, atol=1e-9 * s * 25)
    np.testing.assert_allclose(large.gain[:, 3:], small.gain[:, 3:], rtol=0, atol=1e-9 * np.abs(small.gain).max())


def test_lqr_works_for_full_inertia():
    """python-control rejects a weight that is symmetric except for rounding, as products of matrices are."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        inertia = turn @ np.diag((10.0, 9, 8)) @ turn.T
        craft = plant.Spacecraft(plant.RigidBody(0.5 * (inertia + inertia.T)))
        model = craft.linearize(craft.at_rest())
        law = controllers.lqr(model, attitude=1e-3, rate=1e3, effort=1e-5, sample=0.3)
        assert np.abs(law.closed_loop_poles()).max() < 1.0


def test_lqr_omits_position_and_momentum_that_do_not_act():
    craft = plant.Spacecraft(plant.RigidBody(J, mass=100.0), translation=True)
    law = controllers.lqr(craft.linearize(craft.at_rest()), **WEIGHTS, sample=0.1)
    plain = controllers.lqr(MODEL, **WEIGHTS, sample=0.1)
    np.testing.assert_array_equal(law.gain, plain.gain)
    assert len(law.closed_loop_poles()) == 6


@pytest.mark.parametrize("internal", ["locked", "measured"])
def test_lqr_with_spring_between_attitude_and_position(internal):
    """The design holds the position or feeds it back; the loop contains position and momentum in both cases."""
    craft = plant.Spacecraft(
        plant.RigidBody(J, mass=100.0),
        potentials=(
            plant.Spring(body_point=(1, 0, 1), inertial_point=(1, 0, 3), stiffness=10, natural_length=2, damping=5),
        ),
        translation=True,
    )
    model = craft.linearize(craft.at_rest())
    law = controllers.lqr(model, **WEIGHTS, sample=0.1, internal=internal)
    F, G = sampled_plant(model.A, model.B, sample=0.1, delays=[0.0] * 3)
    K = np.zeros((3, 12))
    if internal == "locked":
        K[:, :6] = law.gain
    else:
        K[:, :3] = -law.compensator.D[:, :3]
        K[:, 3:6] = -law.compensator.D[:, 3:6] / np.array(J)
        for n, name in enumerate(law.measured):
            K[:, model.states.index(name)] = -law.compensator.D[:, 6 + n]
    everything = np.linalg.eigvals(F - G @ K)
    found = law.closed_loop_poles()
    assert len(found) == 8  # with position and momentum along z, the spring's direction
    for pole in found:
        assert np.abs(everything - pole).min() < 1e-9
    assert np.abs(found).max() < 1.0


@pytest.mark.parametrize("basis", [("body",), ("inertial",), ("euler", "3-2-1"), ("dual-euler", "3-1-3")])
def test_lqr_stabilises_every_basis_at_general_attitude(basis):
    craft = plant.Spacecraft(plant.RigidBody(J), torques=plant.TorqueBasis(*basis))
    e = plant.attitude.from_euler_angles((0.4, 0.5, -0.3), "3-1-3")
    model = craft.linearize(craft.at_rest(e))
    law = controllers.lqr(model, **WEIGHTS, sample=0.1)
    F, G = sampled_plant(model.A, model.B, sample=0.1, delays=[0.0] * 3)
    assert np.abs(np.linalg.eigvals(F - G @ law.gain)).max() < 0.999


def deficient(row):
    B = np.array(MODEL.B)
    B[row] = 0.0
    return replace(MODEL, B=B)


@pytest.mark.parametrize(
    ("model", "change", "message"),
    [
        (MODEL, {"attitude": 0.0}, "attitude weight must be positive definite; its smallest eigenvalue is 0"),
        (MODEL, {"attitude": (1, 0, 1)}, "attitude weight must be positive definite"),
        (MODEL, {"effort": 0.0}, "effort weight must be positive definite"),
        (MODEL, {"effort": -1.0}, "effort weight must not be negative"),
        (MODEL, {"rate": -1.0}, "rate weight must not be negative"),
        (MODEL, {"rate": (1, 2)}, "rate weight must be a number, 3 numbers or 3 x 3"),
        (MODEL, {"attitude": np.nan}, "attitude weight must be finite"),
        (MODEL, {"sample": 0.0}, "sample must be greater than 0"),
        (MODEL, {"delay": -1.0}, "delay must not be negative"),
        (deficient(5), {}, r"no torque reaches the mode with eigenvalue .* \(in momentum_z\)"),
        (deficient(3), {}, r"no torque reaches the mode .* \(in momentum_x\)"),
        (
            CRAFT.linearize(CRAFT.at_rest(), outputs=("attitude",)),
            {},
            "the model lacks rate_x, rate_y, rate_z",
        ),
    ],
)
def test_lqr_rejects_bad_input(model, change, message):
    arguments = {**WEIGHTS, "sample": 0.1, **change}
    with pytest.raises(plant.InputError, match=message):
        controllers.lqr(model, **arguments)


def test_lqr_rejects_dependent_torques_despite_coupling():
    craft = plant.Spacecraft(plant.RigidBody((10.0, 8, 5)))
    model = craft.linearize(craft.spinning((0, 0, 1.0)))
    B = np.array(model.B)
    B[4] = 0.0  # the spin couples x and y, so torques 1 and 3 reach every mode
    with pytest.raises(plant.DesignError, match="three components do not give three independent torques"):
        controllers.lqr(replace(model, B=B), **WEIGHTS, sample=0.1)


def test_lqr_rejects_sampling_slower_than_the_spin():
    craft = plant.Spacecraft(plant.RigidBody(J))
    model = craft.linearize(craft.spinning((2.0, 0, 0)))
    with pytest.raises(plant.DesignError, match=r"sample 2 s is too slow: the model oscillates at 2"):
        controllers.lqr(model, **WEIGHTS, sample=2.0)
    assert controllers.lqr(model, **WEIGHTS, sample=1.0).margins().axes[0].phase_deg > 0


def test_lqr_rejects_misspelt_argument():
    with pytest.raises(TypeError, match="atitude"):
        controllers.lqr(MODEL, atitude=1, rate=1, effort=1, sample=0.1)


def test_lqr_continuous_gain_matches_closed_form_and_python_control():
    q, w, r = WEIGHTS["attitude"], WEIGHTS["rate"], WEIGHTS["effort"]
    law = controllers.lqr(MODEL, **WEIGHTS, sample=0.1, method="continuous")
    on_rate = np.sqrt((w + 2 * np.array(J) * np.sqrt(q * r)) / r)
    expected = np.hstack((np.sqrt(q / r) * np.eye(3), np.diag(on_rate / np.array(J))))
    np.testing.assert_allclose(law.gain, expected, rtol=1e-9, atol=1e-9)
    craft = plant.Spacecraft(plant.RigidBody(J))
    model = craft.linearize(craft.spinning((0, 0, 0.4)))
    K, _, _ = control.lqr(
        model.to_control(), model.C.T @ np.diag([q] * 3 + [w] * 3) @ model.C, r * np.eye(3), method="scipy"
    )
    found = controllers.lqr(model, **WEIGHTS, sample=0.1, method="continuous").gain
    np.testing.assert_allclose(found, K, rtol=0, atol=1e-9 * np.abs(K).max())


def test_lqr_discrete_gain_matches_python_control_dlqr():
    sampled = MODEL.to_control().sample(0.4)
    Q = MODEL.C.T @ np.diag([25.0] * 3 + [9.0] * 3) @ MODEL.C
    K, _, _ = control.dlqr(sampled, Q, 0.5 * np.eye(3), method="scipy")
    law = controllers.lqr(MODEL, **WEIGHTS, sample=0.4)
    np.testing.assert_allclose(law.gain, K, rtol=0, atol=1e-9 * np.abs(K).max())


def test_lqr_names_the_longest_period_of_continuous_gain():
    """For u = -k1 theta - k2 h on 1/(J s^2) the pair leaves the circle where h = 2 k2 J / k1 or reaches -1."""
    with pytest.raises(plant.DesignError, match="too slow for the continuous gain") as refusal:
        controllers.lqr(MODEL, **WEIGHTS, sample=60.0, method="continuous")
    bound = float(str(refusal.value).split("samples below ")[1].split(" s")[0])
    k1, on_rate = np.sqrt(50.0), np.sqrt((9.0 + 2 * np.array(J) * np.sqrt(12.5)) / 0.5)
    expected = np.minimum(2.0 * on_rate / k1, 2.0 * np.array(J) / on_rate).min()
    assert bound == pytest.approx(expected, rel=3e-3)  # printed to three digits


# --- crafts with elements

WHEEL = plant.elements.Wheel(axis=(0, 0, 1), inertia=30.0, friction=2.0)
LOOSE = plant.elements.Wheel(axis=(1, 0, 0), inertia=40.0)  # no friction: its momentum is a constant of the motion


def with_elements(*elements):
    craft = plant.Spacecraft(plant.RigidBody(J), elements=elements)
    return craft.linearize(craft.at_rest())


def test_lqr_locked_uses_locked_inertia():
    law = controllers.lqr(with_elements(WHEEL), **WEIGHTS, sample=0.5)
    locked = plant.Spacecraft(plant.RigidBody((400, 307.8, 230)))
    expected = controllers.lqr(locked.linearize(locked.at_rest()), **WEIGHTS, sample=0.5)
    np.testing.assert_allclose(law.gain, expected.gain, rtol=0, atol=1e-9 * np.abs(expected.gain).max())
    # but the poles are those of the craft with its wheel free to turn
    assert len(law.closed_loop_poles()) == 7
    assert law.margins().axes[2].phase_deg != pytest.approx(expected.margins().axes[2].phase_deg, abs=1e-3)


def test_lqr_ignores_frictionless_wheel():
    """The torque turns the hub only, and the rate is fed back."""
    law = controllers.lqr(with_elements(LOOSE), **WEIGHTS, sample=0.5, delay=0.2)
    plain = controllers.lqr(MODEL, **WEIGHTS, sample=0.5, delay=0.2)
    found, expected = law.compensator, plain.compensator
    for name in ("A", "B", "C", "D"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=0, atol=1e-9 * 400)
    alive = np.abs(law.closed_loop_poles()) > 1e-2
    np.testing.assert_allclose(
        np.sort(np.abs(law.closed_loop_poles()[alive])), np.sort(np.abs(plain.closed_loop_poles()))[-6:], atol=1e-9
    )


def test_lqr_measured_matches_python_control_dlqr_on_all_states():
    model = with_elements(WHEEL)
    law = controllers.lqr(model, **WEIGHTS, sample=0.5, internal="measured")
    sampled = model.to_control().sample(0.5)
    Q = model.C.T @ np.diag([25.0] * 3 + [9.0] * 3) @ model.C
    K, _, poles = control.dlqr(sampled, 0.5 * (Q + Q.T), 0.5 * np.eye(3), method="scipy")
    to_measurement = np.vstack((model.C, np.eye(7)[6:]))
    np.testing.assert_allclose(-law.compensator.D @ to_measurement, K, rtol=0, atol=1e-8 * np.abs(K).max())
    np.testing.assert_allclose(np.sort(np.abs(law.closed_loop_poles())), np.sort(np.abs(poles)), rtol=0, atol=1e-9)
    assert law.measured == ("wheel_angle_momentum",)


def test_lqr_rejects_unknown_options():
    for change, message in (
        ({"method": "digital"}, "method 'digital' is unknown"),
        ({"internal": "estimated"}, "internal 'estimated' is unknown"),
    ):
        with pytest.raises(plant.InputError, match=message):
            controllers.lqr(MODEL, **WEIGHTS, sample=0.1, **change)
    craft = plant.Spacecraft(plant.RigidBody(J), elements=(WHEEL,))
    with pytest.raises(plant.DesignError, match="the model lacks rate_x, rate_y, rate_z"):
        controllers.lqr(craft.linearize(craft.at_rest(), outputs=("attitude",)), **WEIGHTS, sample=0.1)
