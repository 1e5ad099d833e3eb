"""LinearModel as an object, and its conversion to python-control."""

import control
import numpy as np
import pytest

from polhode import plant
from polhode.plant.attitude import attitude_error, from_rotation_vector, quaternion_product

TENSOR = np.array([[4.0, -0.5, 0.3], [-0.5, 3.1, 0.2], [0.3, 0.2, 2.0]])
CRAFT = plant.Spacecraft(plant.RigidBody(TENSOR))
MAJOR = 1.3 * np.linalg.eigh(TENSOR)[1][:, 2]


def test_linear_model_signal_names_and_units():
    model = CRAFT.linearize(CRAFT.at_rest())
    assert model.states == (
        "attitude_error_x", "attitude_error_y", "attitude_error_z", "momentum_x", "momentum_y", "momentum_z"
    )  # fmt: skip
    assert model.state_units == ("rad",) * 3 + ("N m s",) * 3
    assert model.inputs == ("torque_1", "torque_2", "torque_3")
    assert model.input_units == ("N m",) * 3
    assert model.outputs == (
        "attitude_error_x", "attitude_error_y", "attitude_error_z", "rate_x", "rate_y", "rate_z"
    )  # fmt: skip
    assert model.output_units == ("rad",) * 3 + ("rad/s",) * 3


def test_linear_model_eigenvalues_of_a_spin():
    craft = plant.Spacecraft(plant.RigidBody((5.0, 5.0, 8.0)))
    computed = craft.linearize(craft.spinning((0, 0, 2.0))).eigenvalues()
    nutation = (8.0 / 5.0 - 1.0) * 2.0  # body frame; the attitude error rotates at the spin rate
    expected = sorted([nutation, -nutation, 2.0, -2.0, 0.0, 0.0])
    # the double zero is defective: it splits to the square root of eps
    np.testing.assert_allclose(sorted(computed.imag), expected, rtol=0, atol=1e-7)
    np.testing.assert_allclose(computed.real, 0.0, atol=1e-7)
    assert (np.diff(computed.real) >= 0).all()


def test_linear_model_select_reorders_states():
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)))
    model = craft.linearize(craft.at_rest())
    roll = model.select(states=("momentum_x", "attitude_error_x"))
    np.testing.assert_array_equal(roll.A, [[0, 0], [0.25, 0]])
    np.testing.assert_array_equal(roll.B, [[1, 0, 0], [0, 0, 0]])
    np.testing.assert_array_equal(roll.C[:, 1], model.C[:, 0])
    assert roll.states == ("momentum_x", "attitude_error_x")
    assert roll.state_units == ("N m s", "rad")
    assert roll.outputs == model.outputs


def test_linear_model_select_rejects_coupled_states():
    model = CRAFT.linearize(CRAFT.at_rest())
    with pytest.raises(plant.InputError, match=r"'attitude_error_x' is driven by 'momentum_x'.*keep both"):
        model.select(states=("attitude_error_x",))
    with pytest.raises(plant.InputError, match="state 'momentum' is unknown; did you mean 'momentum_"):
        model.select(states=("momentum",))
    with pytest.raises(plant.InputError, match="state 'momentum_x' is given twice"):
        model.select(states=("momentum_x", "momentum_x"))
    with pytest.raises(plant.InputError, match=r"states must be a sequence of names, such as \('momentum_x',\)"):
        model.select(states="momentum_x")


def test_linear_model_to_control_keeps_names():
    model = CRAFT.linearize(CRAFT.spinning(MAJOR))
    system = model.to_control()
    assert isinstance(system, control.StateSpace)
    assert tuple(system.state_labels) == model.states
    assert tuple(system.input_labels) == model.inputs
    assert tuple(system.output_labels) == model.outputs
    for computed, expected in zip(
        (system.A, system.B, system.C, system.D), (model.A, model.B, model.C, model.D), strict=True
    ):
        np.testing.assert_array_equal(computed, expected)
    assert system.isctime(strict=True)


def test_linear_model_of_spin_allows_lqr_design():
    # it would fail on the full seven states: the norm of the Euler parameters is uncontrollable and not stable
    craft = plant.Spacecraft(plant.RigidBody(TENSOR))
    spin = 1.3 * np.linalg.eigh(TENSOR)[1][:, 1]  # the intermediate axis: unstable without control
    x = craft.spinning(spin)
    model = craft.linearize(x)
    assert model.eigenvalues().real.max() > 0.1
    K, _, poles = control.lqr(model.to_control(), np.diag((9, 9, 9, 1, 1, 1)), np.eye(3))
    assert poles.real.max() < -0.1

    def closed(t, state):
        late = quaternion_product(x[3:7], from_rotation_vector(spin * t))
        error = 2 * attitude_error(state[3:7] / np.linalg.norm(state[3:7]), late)[1:]
        return craft.derivative(t, state, u=-K @ np.concatenate([error, state[:3] - x[:3]]))

    from scipy.integrate import solve_ivp

    start = craft.state(attitude=from_rotation_vector((0.3, -0.2, 0.4)), rate=spin + np.array((0.1, 0.2, -0.1)))
    end = solve_ivp(closed, (0, 60.0), start, rtol=1e-9, atol=1e-11).y[:, -1]
    late = quaternion_product(x[3:7], from_rotation_vector(spin * 60.0))
    # the slowest pole decays by exp(-6) or more; the nonlinear plant has converged to the reference spin
    left = np.exp(60.0 * poles.real.max()) + 1e-6
    assert np.linalg.norm(attitude_error(end[3:7] / np.linalg.norm(end[3:7]), late)[1:]) < left
