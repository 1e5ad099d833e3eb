"""The plant as a python-control system: simulated, connected, linearised."""

import control
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import plant
from polhode.plant.attitude import matrix_G

TENSOR = np.array([[4.0, -0.5, 0.3], [-0.5, 3.1, 0.2], [0.3, 0.2, 2.0]])
CRAFT = plant.Spacecraft(
    plant.RigidBody(TENSOR, mass=1.7),
    torques=plant.TorqueBasis("dual-euler", "1-2-3"),
    potentials=[
        plant.Spring(body_point=(0.4, -0.2, 0.7), inertial_point=(1.3, 0.4, -0.6), stiffness=2.3, damping=0.4),
        plant.Potential(lambda c, e: e[1] * e[2] + c[0] ** 2),
    ],
    translation=True,
)
X = CRAFT.state(
    attitude=np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99),
    rate=(0.8, -0.5, 1.1),
    position=(1.2, -0.8, 0.9),
    velocity=(0.4, 0.7, -0.2),
)
U = np.array((0.6, -0.9, 0.4))
ALL = ("attitude", "rate", "momentum", "inertial_momentum", "energy", "position", "velocity")


def test_nlsys_signal_names():
    system = CRAFT.to_nlsys(outputs=("energy", "rate"), name="hub")
    assert system.name == "hub"
    assert tuple(system.state_labels) == CRAFT.layout.names
    assert tuple(system.input_labels) == ("torque_1", "torque_2", "torque_3")
    assert tuple(system.output_labels) == ("energy", "rate_x", "rate_y", "rate_z")


def test_nlsys_rates_and_outputs_match_spacecraft():
    system = CRAFT.to_nlsys(outputs=ALL)
    np.testing.assert_array_equal(system.dynamics(0.3, X, U), CRAFT.derivative(0.3, X, u=U))
    expected = [X[3:7], CRAFT.rate(X), X[:3], CRAFT.inertial_momentum(X), [CRAFT.energy(X)], X[7:10], X[10:] / 1.7]
    np.testing.assert_allclose(system.output(0.3, X, U), np.concatenate(expected), rtol=0, atol=4e-15)
    assert len(system.output_labels) == 20


def test_nlsys_response_matches_direct_integration():
    system = CRAFT.to_nlsys(outputs=("rate", "energy"))
    times = np.linspace(0, 1, 11)
    response = control.input_output_response(
        system, times, np.tile(U[:, None], 11), X, solve_ivp_kwargs={"rtol": 1e-10, "atol": 1e-12}
    )
    end = solve_ivp(lambda t, x: CRAFT.derivative(t, x, u=U), (0, 1), X, rtol=1e-12, atol=1e-13).y[:, -1]
    # a global error of some hundred times the rtol of 1e-10
    np.testing.assert_allclose(response.states[:, -1], end, rtol=0, atol=3e-8)
    np.testing.assert_allclose(response.outputs[:3, -1], CRAFT.rate(end), rtol=0, atol=3e-8)


def test_nlsys_linearization_matches_tangent_model():
    system = CRAFT.to_nlsys(outputs=("rate",))
    raw = control.linearize(system, X, np.zeros(3))
    model = CRAFT.linearize(X, outputs=("rate",), allow_nonequilibrium=True)
    # full to minimal states: dpi, delta = 2 G de, dc, dP; inverse: de = 1/2 G' delta
    G = matrix_G(X[3:7])
    out = np.zeros((13, 12))
    out[:3, 3:6], out[3:7, :3], out[7:, 6:] = np.eye(3), 0.5 * G.T, np.eye(6)
    into = np.zeros((12, 13))
    into[:3, 3:7], into[3:6, :3], into[6:, 7:] = 2 * G, np.eye(3), np.eye(6)
    computed = into @ raw.A @ out
    omega = CRAFT.rate(X)
    turning = np.array([[0, -omega[2], omega[1]], [omega[2], 0, -omega[0]], [-omega[1], omega[0], 0]])
    # the python-control model is about a fixed e, and its error does not rotate with the body: delta' differs by the
    # rotation of G, half of it from each side
    computed[:3, :3] -= 0.5 * turning
    # control takes one-sided differences of 1e-6: truncation 1e-6 times second derivatives of order ten
    np.testing.assert_allclose(computed, model.A, rtol=0, atol=2e-5)
    np.testing.assert_allclose(into @ raw.B, model.B, rtol=0, atol=1e-8)
    np.testing.assert_allclose(raw.C @ out, model.C, rtol=0, atol=1e-8)


def test_nlsys_interconnects_by_signal_names():
    # a rate damper connected by signal names: the torque is -0.5 times the rate
    craft = plant.Spacecraft(plant.RigidBody(TENSOR))
    system = craft.to_nlsys(outputs=("rate",), name="craft")
    damper = control.ss(
        [], [], [], -0.5 * np.eye(3), inputs=["rate_x", "rate_y", "rate_z"],
        outputs=["torque_1", "torque_2", "torque_3"], name="damper",
    )  # fmt: skip
    loop = control.interconnect([system, damper], inputs=[], outputs=["rate_x", "rate_y", "rate_z"])
    x = craft.spinning((0.8, -0.5, 1.1))
    np.testing.assert_allclose(
        loop.dynamics(0, x, []), craft.derivative(0, x, u=-0.5 * craft.rate(x)), rtol=0, atol=4e-15
    )
    end = control.input_output_response(loop, [0, 40.0], 0, x, solve_ivp_kwargs={"rtol": 1e-8}).states[:, -1]
    # dT/dt = -0.5 |w|^2, and |w|^2 is between 2 T over the largest and over the smallest principal moment
    low, _, high = np.linalg.eigvalsh(TENSOR)
    fall = -np.log(craft.energy(end) / craft.energy(x)) / 40.0
    assert 1.0 / high - 1e-6 < fall < 1.0 / low


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        (("rates",), "output 'rates' is unknown; did you mean 'rate'"),
        ("rate", r"outputs must be a sequence of words, such as \('rate',\)"),
        ((), "outputs must be one or more different words"),
        (("rate", "rate"), r"different words; got \(rate, rate\)"),
        (("position",), "output 'position' is unknown"),
    ],
)
def test_nlsys_rejects_bad_outputs(outputs, message):
    with pytest.raises(plant.InputError, match=message):
        plant.Spacecraft(plant.RigidBody((4, 3, 2))).to_nlsys(outputs=outputs)
