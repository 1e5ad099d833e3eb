"""Laws from python-control systems: poles compared with python-control's feedback, and rejected systems."""

import control
import numpy as np
import pytest

from polhode import controllers, plant

LEAD = control.tf([20.0, 8.0], [1.0, 3.0])


def model_of(craft):
    return craft.linearize(craft.at_rest())


@pytest.mark.parametrize("discretisation", ["tustin", "zoh"])
def test_fly_system_poles_match_python_control(discretisation):
    """One axis of a sphere: feedback(sampled plant, sampled lead) by python-control."""
    craft = plant.Spacecraft(plant.RigidBody((8.0, 8.0, 8.0)))
    law = controllers.law_from_system(LEAD, model_of(craft), sample=0.2, method=discretisation)
    sampled = control.sample_system(LEAD, 0.2, method={"tustin": "bilinear", "zoh": "zoh"}[discretisation])
    axis = control.ss([[0, 1 / 8.0], [0, 0]], [[0], [1]], [[1, 0]], [[0]]).sample(0.2)
    expected = control.feedback(axis, control.ss(sampled)).poles()
    found = law.closed_loop_poles()
    assert len(found) == 9
    for pole in expected:
        assert (np.abs(found - pole) < 1e-6).sum() == 3  # three equal axes: triple eigenvalues, round-off^(1/2) apart


@pytest.mark.thinned(2)
@pytest.mark.parametrize("delay", [0.0, 0.07])
def test_fly_system_with_state_space_lqr_of_python_control(rigid, delay):
    """`control.lqr` on `model.to_control()` returns a static gain on [delta; pi]: the same law as a system."""
    model = model_of(rigid)
    K, _, _ = control.lqr(model.to_control(), np.diag([25.0] * 3 + [0.1] * 3), 0.5 * np.eye(3), method="scipy")
    on_rate = np.hstack((K[:, :3], K[:, 3:] @ rigid.body.inertia))
    law = controllers.law_from_system(control.ss([], [], [], on_rate), model, sample=0.1, delay=delay)
    same = controllers.LinearFeedback.from_gain(K, model, sample=0.1, delay=delay)
    np.testing.assert_allclose(
        np.sort_complex(law.closed_loop_poles()), np.sort_complex(same.closed_loop_poles()), rtol=0, atol=1e-9
    )
    opposite = controllers.law_from_system(control.ss([], [], [], -on_rate), model, sample=0.1, feedback="positive")
    np.testing.assert_array_equal(opposite.compensator.D, law.compensator.D)


def test_transfer_matrix_is_realised_entry_by_entry(rigid):
    """Works without slycot, which python-control needs here."""
    numerators = [[[20.0, 8.0] if i == j else [0.5] for j in range(3)] for i in range(3)]
    denominators = [[[1.0, 3.0 + i] if i == j else [1.0, 5.0] for j in range(3)] for i in range(3)]
    matrix = control.tf(numerators, denominators)
    law = controllers.law_from_system(matrix, model_of(rigid), sample=0.05)
    c = law.compensator
    z = np.exp(0.3j)
    found = c.C @ np.linalg.solve(z * np.eye(c.order) - c.A, c.B[:, :3]) + c.D[:, :3]
    s = 2 / 0.05 * (z - 1) / (z + 1)
    expected = [
        [np.polyval(numerators[i][j], s) / np.polyval(denominators[i][j], s) for j in range(3)] for i in range(3)
    ]
    np.testing.assert_allclose(-found, expected, rtol=1e-10)


def test_fly_system_accepts_a_gain_as_transfer_function(rigid):
    law = controllers.law_from_system(control.tf([[[2.0], [5.0]]], [[[1.0], [1.0]]]), model_of(rigid), sample=0.1)
    np.testing.assert_array_equal(law.compensator.D, -np.hstack((2.0 * np.eye(3), 5.0 * np.eye(3))))
    assert law.compensator.order == 0


def test_fly_system_with_attitude_and_rate_on_each_axis(rigid):
    system = control.ss([], [], [], [[2.0, 5.0]])
    D = controllers.law_from_system(system, model_of(rigid), sample=0.1).compensator.D
    np.testing.assert_array_equal(D, -np.hstack((2.0 * np.eye(3), 5.0 * np.eye(3))))


def test_integrators_track_the_saturated_command(rigid):
    """PI + lead: with tracking the states stay bounded under saturation; stable systems are used unchanged."""
    pi = control.tf([20.0, 20.0, 2.0], [0.2, 1.0, 0.0])
    law = controllers.law_from_system(pi, model_of(rigid), sample=0.1)
    c = law.compensator
    assert np.abs(np.linalg.eigvals(c.A)).max() == pytest.approx(1.0, abs=1e-9)
    assert np.abs(np.linalg.eigvals(c.A - c.tracking @ c.C)).max() < 1.0
    plain = controllers.law_from_system(pi, model_of(rigid), sample=0.1, anti_windup=False)
    assert not plain.compensator.tracking.any()
    assert not controllers.law_from_system(LEAD, model_of(rigid), sample=0.1).compensator.tracking.any()
    sizes = {}
    for name, flown in {"with": law, "without": plain}.items():
        z, u, y = flown.memory.copy(), np.zeros(3), np.zeros(10)
        y[3:7] = np.cos(0.4), np.sin(0.4), 0.0, 0.0
        for _ in range(2000):
            flown.kernel(0.0, y, controllers.FixedReference().at(0.0), flown.parameters, z, u)
        sizes[name] = np.abs(c.C @ z[: c.order]).max()
    assert sizes["without"] > 10.0 * sizes["with"]


def test_anti_windup_of_square_compensator_is_conditioning(rigid):
    """A PI law has an invertible direct part with stable inverse: the Kalman gain is Hanus' B D^-1."""
    pi = control.tf([3.0, 1.0], [1.0, 0.0])
    c = controllers.law_from_system(pi, model_of(rigid), sample=0.1).compensator
    # 1e-9 from the regularisation
    np.testing.assert_allclose(c.tracking, c.B[:, :3] @ np.linalg.inv(c.D[:, :3]), rtol=0, atol=1e-7)


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (lambda: control.tf([1.0, 2.0, 3.0], [1.0, 1.0]), "is improper"),
        (lambda: control.tf([1.0], [1.0, 1.0], 0.5), "sampling period of 0.5 s, but the law samples every 0.1 s"),
        (
            lambda: control.ss([], [], [], np.ones((3, 4))),
            "a system with 4 inputs and 3 outputs is not an attitude law",
        ),
        (lambda: "K", "a system must be a control.StateSpace or control.TransferFunction; got 'K'"),
        (
            lambda: control.ss([[1.0, 0], [0, 0.5]], [[1.0], [1]], [[0.0, 1]], [[1.0]], 0.1),
            "a state that does not decay is unobservable in its output",
        ),
    ],
)
def test_fly_system_rejects_bad_systems(rigid, system, message):
    with pytest.raises(plant.InputError, match=message):
        controllers.law_from_system(system(), model_of(rigid), sample=0.1)


def test_rate_feedthrough_is_rejected_as_algebraic_loop(rigid):
    from dataclasses import replace

    model = model_of(rigid)
    D = np.zeros_like(model.D)
    D[3, 0] = 0.1
    with pytest.raises(plant.DesignError, match="algebraic loop: in this model the torque feeds straight through"):
        controllers.law_from_system(LEAD, replace(model, D=D), sample=0.1)


WHEELED = plant.Spacecraft(
    plant.RigidBody((4, 3, 2)), elements=[plant.RingDamper(axis=(0, 0, 1), mass=0.8, radius=0.7, friction=0.2)]
)


@pytest.mark.parametrize("craft", [plant.Spacecraft(plant.RigidBody((4, 3, 2))), WHEELED], ids=["rigid", "ring"])
def test_gain_matrix_is_on_model_states(craft):
    """Its continuous closed loop is A - B K; with fine sampling the law has these poles."""
    model = craft.linearize(craft.at_rest())
    inner = [name for name in model.states if name != "ring_angle"]  # this state acts on nothing
    part = model.select(states=inner)
    K = np.zeros((3, len(model.states)))
    K[:, [model.states.index(name) for name in inner]], _, wanted = control.lqr(
        part.to_control(), 3.0 * np.eye(len(inner)), np.eye(3), method="scipy"
    )
    law = controllers.law_from_system(K, model, sample=1e-4)
    found = np.log(law.closed_loop_poles().astype(complex)) / 1e-4
    for pole in wanted:
        assert np.abs(found - pole).min() < 1e-3 * abs(pole)


def test_named_signals_work_in_any_order(rigid):
    model = model_of(rigid)
    straight = controllers.lqr(model, attitude=1.0, rate=1.0, effort=1.0, sample=0.1).to_control()
    order, rows = [4, 0, 5, 2, 1, 3], [2, 0, 1]
    mixed = control.ss(
        [], [], [], straight.D[np.ix_(rows, order)], inputs=[straight.input_labels[n] for n in order],
        outputs=[straight.output_labels[n] for n in rows],
    )  # fmt: skip
    law = controllers.law_from_system(mixed, model, sample=0.1, feedback="positive")
    np.testing.assert_array_equal(law.compensator.D, straight.D)
    one = control.tf([2.0], [1.0], inputs=["rate_error_y"], outputs=["torque_2"])
    D = controllers.law_from_system(one, model, sample=0.1).compensator.D
    assert D[1, 4] == -2.0
    assert np.count_nonzero(D) == 1


def test_named_outputs_work_with_unnamed_inputs(rigid):
    model = model_of(rigid)
    gain = np.hstack((np.diag([1.0, 2.0, 3.0]), np.diag([10.0, 20.0, 30.0])))
    order = [2, 0, 1]
    swapped = control.ss([], [], [], gain[order], outputs=[model.inputs[n] for n in order])
    plain = controllers.law_from_system(control.ss([], [], [], gain), model, sample=0.1)
    law = controllers.law_from_system(swapped, model, sample=0.1)
    np.testing.assert_array_equal(law.compensator.D, plain.compensator.D)
    with pytest.raises(plant.InputError, match="outputs of the system are named after torques"):
        controllers.law_from_system(control.ss([], [], [], gain[:1, :2], outputs=["torque_1"]), model, sample=0.1)


def test_nonlinear_system_with_wrong_sizes_is_rejected(rigid):
    """numpy would broadcast a single number over all states."""
    system = control.nlsys(
        lambda t, x, u, p: [1.0], lambda t, x, u, p: -u[:3], states=3, inputs=6, outputs=3, dt=0.1, name="odd"
    )
    law = controllers.law_from_system(system, model_of(rigid), sample=0.1)
    with pytest.raises(plant.InputError, match="'odd' has 3 states and 3 outputs, but returns 1 and 3 numbers"):
        law.kernel(0.0, np.eye(10)[3], np.eye(10)[0], np.zeros(0), np.zeros(3), np.zeros(3))


def test_fly_system_checks_timebases(rigid):
    model = model_of(rigid)
    pole = ([[0.5]], [[1.0]], [[1.0]], [[2.0]])
    for dt in (True, 0.1):
        assert controllers.law_from_system(control.ss(*pole, dt), model, sample=0.1).compensator.A[0, 0] == 0.5
    continuous = controllers.law_from_system(control.ss(*pole, 0), model, sample=0.1, method="zoh").compensator
    assert continuous.A[0, 0] == pytest.approx(np.exp(0.05), rel=1e-14)  # unstable, and used unchanged
    with pytest.raises(plant.InputError, match=r"no timebase \(dt=None\).*give dt=0 or dt=0.1"):
        controllers.law_from_system(control.ss(*pole, None), model, sample=0.1)


def nonlinear(*, dt=0.1, **names):
    """A cubic damper with the sum of rates as its state."""
    return control.nlsys(
        lambda t, x, u, params: x + u[3:6],
        lambda t, x, u, params: 4.0 * u[:3] + 10.0 * u[3:6] + u[3:6] ** 3 + 0.1 * x,
        states=3, inputs=names.get("inputs", 6), outputs=names.get("outputs", 3), dt=dt, name="cubic",
    )  # fmt: skip


def test_fly_system_with_nonlinear_system(rigid):
    model = model_of(rigid)
    law = controllers.law_from_system(nonlinear(), model, sample=0.1, start=(0.1, 0.0, 0.0))
    y = np.concatenate((np.zeros(3), [np.sqrt(0.99), 0.1, 0.0, 0.0], [0.2, 0.0, 0.0]))
    u, z = np.zeros(3), law.memory.copy()
    law.kernel(0.0, y, controllers.FixedReference().at(0.0), law.parameters, z, u)
    np.testing.assert_allclose(u, [-(4.0 * 0.2 + 10.0 * 0.2 + 0.2**3 + 0.01), 0, 0], rtol=1e-14)
    np.testing.assert_allclose(z, [0.3, 0.0, 0.0], rtol=1e-14)
    static = control.nlsys(None, lambda t, x, u, params: 4.0 * u[:3] + 10.0 * u[3:6] + u[3:6] ** 3, inputs=6, outputs=3)
    linear = controllers.law_from_system(
        np.hstack((4.0 * np.eye(3), 10.0 * np.linalg.inv(model.inertia))), model, sample=0.1
    )
    law = controllers.law_from_system(static, model, sample=0.1)
    np.testing.assert_allclose(law.closed_loop_poles(model), linear.closed_loop_poles(), rtol=0, atol=1e-9)
    assert law.summary == f"the python-control system {static.name!r}"


@pytest.mark.parametrize(
    ("system", "keys", "words"),
    [
        (nonlinear(dt=0), {}, "has states and a continuous timebase.*dt=0.1"),
        (nonlinear(dt=0.2), {}, "sampling period of 0.2 s, but the law samples every 0.1 s"),
        (nonlinear(inputs=5), {}, "has 5 inputs without names"),
        (nonlinear(outputs=["torque_1", "torque_2", "torque_4"]), {}, "'torque_4' is unknown; did you mean 'torque_"),
        (nonlinear(inputs=[*"abcde", "rate_x"]), {}, "signal of the input of 'cubic': 'a' is unknown"),
        (nonlinear(inputs=[f"{e}_{a}" for e in ("attitude_error", "rate") for a in "xyz"]), {}, "state whether"),
        (nonlinear(), {"start": (1.0, 2.0)}, "start must have 3 numbers"),
        (np.eye(3), {}, r"a gain must be 3 x 6, on the states of the model.*got shape \(3, 3\)"),
        (LEAD, {"start": (1.0,)}, "start is for nonlinear systems"),
        (
            control.ss([], [], [], np.ones((3, 2)), inputs=["attitude_error_x", "rates_y"]),
            {}, "'rates_y' is unknown; did you mean 'rate_y'",
        ),
        (control.ss([], [], [], [[1.0]], inputs=["rate_x"]), {}, "its 1 outputs are not: name them after torques"),
        (
            control.ss([], [], [], np.ones((3, 2)), inputs=["rate_x", "rate_error_x"]),
            {}, "two inputs of the system are the same signal",
        ),
    ],
)  # fmt: skip
def test_fly_system_rejects_systems_that_do_not_fit(rigid, system, keys, words):
    with pytest.raises(plant.InputError, match=words):
        controllers.law_from_system(system, model_of(rigid), sample=0.1, **keys)


def test_gain_with_state_names_equals_gain_matrix():
    """Also for a craft with an internal state, where the rates contain part of its momentum."""
    body = plant.RigidBody((12.0, 10.0, 8.0))
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1, friction=0.02)
    for craft in (plant.Spacecraft(body), plant.Spacecraft(body, elements=[wheel])):
        model = model_of(craft)
        plain = model.to_control()
        rng = np.random.default_rng(2)
        K = rng.normal(size=(3, len(model.states)))
        K[:, [n for n, name in enumerate(model.states) if name not in internal_and_rigid(model)]] = 0.0
        want = controllers.law_from_system(K, model, sample=0.1)
        order = rng.permutation(len(model.states))
        names = [plain.state_labels[n] for n in order]
        found = controllers.law_from_system(control.ss([], [], [], K[:, order], inputs=names), model, sample=0.1)
        ours, theirs = (law.loop().matrices() for law in (found, want))
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-12 * np.abs(b).max())


def internal_and_rigid(model):
    from polhode.controllers.loop.acting_model import acting_model

    return acting_model(model).states


@pytest.mark.parametrize("moments", [(400.0, 307.0, 200.0), (12.0, 10.0, 8.0)])
def test_unnamed_gain_on_momenta_is_rejected(moments):
    craft = plant.Spacecraft(plant.RigidBody(moments))
    model = model_of(craft)
    plain = model.to_control()
    K, _, _ = control.lqr(plain, np.diag([25.0] * 3 + [0.1] * 3), 0.5 * np.eye(3), method="scipy")
    with pytest.raises(
        plant.InputError, match=r"have no names and are taken as attitude and rate errors.*state_labels"
    ):
        controllers.law_from_system(control.ss([], [], [], K), model, sample=0.1)
    on_rate = np.hstack((K[:, :3], K[:, 3:] @ np.diag(moments)))
    controllers.law_from_system(control.ss([], [], [], on_rate), model, sample=0.1)
    named = controllers.law_from_system(control.ss([], [], [], K, inputs=plain.output_labels), model, sample=0.1)
    np.testing.assert_array_equal(named.compensator.D, -K)  # names decide


def test_linear_law_without_attitude_input_holds_none(rigid):
    """Rate damping as a linear law has margins; with two axes only, the message names the remedy."""
    model = model_of(rigid)
    damping = np.hstack((np.zeros((3, 3)), 5.0 * np.eye(3)))
    names = model.to_control().output_labels
    law = controllers.law_from_system(control.ss([], [], [], damping, inputs=names), model, sample=0.1)
    assert law.design_condition.deadband is None
    assert law.margins().gain_up > 2.0
    damping[:2, :2] = np.eye(2)
    law = controllers.law_from_system(control.ss([], [], [], damping, inputs=names), model, sample=0.1)
    with pytest.raises(
        plant.DesignError, match=r"about all three axes, or, .* DesignCondition\(torques=..., deadband=None\)"
    ):
        law.margins()
