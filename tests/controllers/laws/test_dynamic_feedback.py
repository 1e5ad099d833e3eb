"""The dynamic law: kernel compared with the matrix formula, anti-windup, complex numbers, rejected input."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.attitude import attitude_error

INERTIA = np.array([[12.0, -1, 0.5], [-1, 10, 0.2], [0.5, 0.2, 8]])
LIMITS = np.array([0.5, 0.7, 0.9])


def craft(*, elements=()):
    return plant.Spacecraft(
        plant.RigidBody(INERTIA), elements=elements, torques=plant.TorqueBasis("body", limit=LIMITS)
    )


def some(rng, n, e=0):
    m = 6 + e
    return controllers.Compensator(
        A=0.1 * rng.normal(size=(n, n)),
        B=rng.normal(size=(n, m)),
        C=rng.normal(size=(3, n)),
        D=rng.normal(size=(3, m)),
        tracking=0.1 * rng.normal(size=(n, 3)),
    )


def unit(rng):
    e = rng.normal(size=4)
    return e / np.linalg.norm(e)


@pytest.mark.parametrize("order", [0, 1, 5])
@pytest.mark.parametrize("saturation", ["component", "direction"])
def test_dynamic_feedback_kernel_matches_matrix_formula(order, saturation):
    rng = np.random.default_rng(order)
    wheel = plant.elements.Wheel(axis=(0, 0, 1), inertia=1.0, friction=0.2, relative_rate=0.0)
    body = craft(elements=(wheel,))
    c = some(rng, order, e=1)
    names = ("wheel_angle_momentum",)
    law = controllers.LinearFeedback(
        c, body.linearize(body.at_rest()), sample=0.5, measured=names, saturation=saturation
    )
    J = body.locked_inertia(body.at_rest())
    z, x = law.memory.copy(), np.zeros(order)
    for _ in range(20):
        pi, e, w, s, p = rng.normal(size=3), unit(rng), rng.normal(size=3), rng.normal(), rng.normal()
        r = np.concatenate((unit(rng), rng.normal(size=6)))
        y = np.concatenate((2.0 * attitude_error(e, r[:4])[1:], w - r[4:7], [p]))
        u_ff = J @ r[7:] + np.cross(r[4:7], J @ r[4:7])
        wanted = u_ff + c.C @ x + c.D @ y
        if saturation == "component":
            sent = np.clip(wanted, -LIMITS, LIMITS)
        else:
            sent = wanted / max(1.0, np.max(np.abs(wanted) / LIMITS))
        u = np.full(3, np.nan)
        law.kernel(0.0, np.concatenate((pi, e, w, [s, p])), r, law.parameters, z, u)
        # sums of about twenty products of numbers below 100
        np.testing.assert_allclose(u, wanted if saturation == "component" else sent, rtol=0, atol=1e-11)
        x = c.A @ x + c.B @ y + c.tracking @ (sent - wanted)
        np.testing.assert_allclose(z[:order], x, rtol=0, atol=1e-10)


def test_dynamic_feedback_kernel_accepts_complex_numbers():
    """The derivative of the command by complex step is the direct gain."""
    rng = np.random.default_rng(2)
    c = some(rng, 2)
    body = craft()
    law = controllers.LinearFeedback(c, body.linearize(body.at_rest()), sample=0.5)
    for column in range(3):
        y = np.array([0, 0, 0, 1, 0, 0, 0, 0, 0, 0], dtype=complex)
        y[7 + column] += 1e-30j
        u = np.zeros(3, dtype=complex)
        law.kernel(0.0, y, controllers.FixedReference().at(0.0), law.parameters, law.memory.astype(complex), u)
        np.testing.assert_allclose(u.imag / 1e-30, c.D[:, 3 + column], rtol=1e-14)


@pytest.mark.parametrize("delay", [0.0, 0.7])
def test_state_feedback_as_compensator_is_the_same_law(delay):
    body = craft()
    law = controllers.lqr(body.linearize(body.at_rest()), attitude=25, rate=9, effort=0.5, sample=0.5, delay=delay)
    same = controllers.LinearFeedback(law.compensator, law.model, sample=0.5, delay=delay)
    rng = np.random.default_rng(4)
    z, zz = law.memory.copy(), same.memory.copy()
    r = controllers.FixedReference(unit(rng)).at(0.0)
    for _ in range(10):
        w = 0.1 * rng.normal(size=3)
        y = np.concatenate((INERTIA @ w, unit(rng), w))
        u, uu = np.zeros(3), np.zeros(3)
        law.kernel(0.0, y, r, law.parameters, z, u)
        same.kernel(0.0, y, r, same.parameters, zz, uu)
        np.testing.assert_allclose(uu, u, rtol=0, atol=1e-12)
    alive = np.abs(same.closed_loop_poles()) > 1e-2
    expected = law.closed_loop_poles()
    np.testing.assert_allclose(
        np.sort(np.abs(same.closed_loop_poles()[alive])), np.sort(np.abs(expected[np.abs(expected) > 1e-2])), atol=1e-9
    )


def test_feed_forward_includes_momentum_of_elements():
    """The momentum of a wheel turns with the reference: omega x (J omega + h)."""
    J, wheel_inertia, rate = np.array([12.0, 10.0, 8.0]), 0.5, 20.0
    wheel = plant.elements.Wheel(axis=(1, 0, 0), inertia=wheel_inertia, relative_rate=rate)
    body = plant.Spacecraft(plant.RigidBody(J), elements=(wheel,))
    model = body.linearize(body.spinning((0.3, 0, 0)))
    law = controllers.lqr(model, attitude=25, rate=9, effort=0.5, sample=0.1)
    # the reference turns about another axis: omega x (J omega + h), h = Iw rate along x
    w = np.array([0.1, 0.2, -0.3])
    y = np.concatenate((np.zeros(3), [1, 0, 0, 0], w, np.zeros(2)))
    u = np.zeros(3)
    law.kernel(0.0, y, np.concatenate(([1, 0, 0, 0], w, np.zeros(3))), law.parameters, law.memory.copy(), u)
    locked = np.diag([J[0] + wheel_inertia, J[1], J[2]])
    np.testing.assert_allclose(u, np.cross(w, locked @ w + [wheel_inertia * rate, 0, 0]), rtol=0, atol=1e-13)


def test_feed_forward_omits_torque_of_potentials_at_operating_point():
    """A conical pendulum, cos theta = m g d / (rate^2 (A - C)): gravity supplies the whole omega x J omega."""
    A, C, mass, d, rate = 10.0, 2.0, 1.0, 1.0, 1.5
    theta = np.arccos(mass * 9.81 * d / (rate**2 * (A - C)))
    body = plant.Spacecraft(
        plant.RigidBody((A - mass * d**2, A - mass * d**2, C), mass=mass, pivot=(0, 0, d)),
        potentials=(plant.UniformGravity((0, 0, -9.81)),),
    )
    e = np.array([np.cos(theta / 2), 0, -np.sin(theta / 2), 0])
    w = rate * np.array([np.sin(theta), 0, np.cos(theta)])
    model = body.linearize(body.spinning(w, attitude=e))
    law = controllers.lqr(model, attitude=25, rate=9, effort=0.5, sample=0.05)
    u = np.ones(3)
    reference = np.concatenate((e, w, np.zeros(3)))
    seen = np.concatenate((model.operating_point, w))
    law.kernel(0.0, seen, reference, law.parameters, law.memory.copy(), u)
    assert np.abs(np.cross(w, (A, A, C) * w)).max() > 5.0
    np.testing.assert_allclose(u, 0.0, atol=1e-12)
    run = sim.simulate(body, law, attitude=e, rate=w + np.array([0.0, 0.01, 0.0]), duration=60.0)
    np.testing.assert_allclose(run["rate"].values[-1], w, rtol=0, atol=1e-6)


def test_linear_law_describes_its_design():
    body = craft()
    law = controllers.pid(body.linearize(body.at_rest()), frequency=0.3, damping_ratio=0.7, sample=0.1)
    assert law.design == {"kind": "pd", "frequency_rad_s": [0.3] * 3, "damping_ratio": [0.7] * 3}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"compensator": controllers.Compensator.static(np.zeros((3, 7)))}, "takes 7 measurements, but the law has 6"),
        ({"measured": ("wheel_angle",)}, "the law measures 'wheel_angle', which is not a state of the model"),
        ({"saturation": "none"}, "saturation 'none' is unknown"),
        ({"sample": -1.0}, "sample must be greater than 0"),
    ],
)
def test_dynamic_feedback_rejects_bad_input(change, message):
    body = craft()
    arguments = {"compensator": controllers.Compensator.static(np.zeros((3, 6))), "sample": 0.1, **change}
    compensator = arguments.pop("compensator")
    with pytest.raises(plant.InputError, match=message):
        controllers.LinearFeedback(compensator, body.linearize(body.at_rest()), **arguments)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"B": np.zeros((2, 5))}, r"compensator matrix B must be 2 x 6 \(three commands, six or more measurements\)"),
        ({"D": np.full((3, 6), np.inf)}, "compensator matrix D must be finite"),
        ({"tracking": np.zeros((3, 2))}, "compensator matrix tracking must be 2 x 3"),
    ],
)
def test_dynamic_feedback_rejects_bad_matrices(change, message):
    matrices = {"A": np.eye(2), "B": np.zeros((2, 6)), "C": np.zeros((3, 2)), "D": np.zeros((3, 6))}
    with pytest.raises(plant.InputError, match=message):
        controllers.Compensator(**{**matrices, "tracking": np.zeros((2, 3)), **change})


def test_law_with_measured_state_reads_back(tmp_path):
    wheel = plant.elements.Wheel(axis=(0, 0, 1), inertia=1.0, friction=0.2)
    body = craft(elements=(wheel,))
    model = body.linearize(body.at_rest())
    names = ("wheel_angle_momentum",)
    law = controllers.LinearFeedback(some(np.random.default_rng(1), 2, e=1), model, sample=0.5, measured=names)
    controllers.save_law(law, tmp_path / "law.toml", model=model)
    again = controllers.load_law(tmp_path / "law.toml", model)
    np.testing.assert_array_equal(again.parameters, law.parameters)
