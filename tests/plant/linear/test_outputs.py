"""Outputs of a linear model against finite differences of the nonlinear outputs."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.attitude import (
    from_euler_angles,
    quaternion_product,
    rotation_matrix,
    singular_middle_angles,
    to_euler_angles,
)
from polhode.plant.linear import OUTPUTS

TENSOR = np.array([[4.0, -0.5, 0.3], [-0.5, 3.1, 0.2], [0.3, 0.2, 2.0]])
ANGLES = np.array((0.4, 0.7, -1.1))
E = from_euler_angles(ANGLES, "3-2-1")
CRAFT = plant.Spacecraft(
    plant.RigidBody(TENSOR, mass=1.7),
    torques=plant.TorqueBasis("inertial"),
    potentials=[plant.UniformGravity((0.1, 0.2, -9.81)), plant.Potential(lambda c, e: e[0] * e[3] + c @ c)],
    translation=True,
)
X = CRAFT.state(attitude=E, rate=(0.8, -0.5, 1.1), position=(1.2, -0.8, 0.9), velocity=(0.4, 0.7, -0.2))
NONLINEAR = {
    "rate": CRAFT.rate,
    "momentum": lambda x: x[:3],
    "inertial_rate": lambda x: rotation_matrix(x[3:7]) @ CRAFT.rate(x),
    "inertial_momentum": CRAFT.inertial_momentum,
    "energy": lambda x: np.array([CRAFT.energy(x)]),
    "position": lambda x: x[7:10],
    "velocity": lambda x: x[10:] / 1.7,
    "linear_momentum": lambda x: x[10:],
    "euler_angles_3-2-1": lambda x: to_euler_angles(x[3:7], "3-2-1"),
    "euler_angles_3-1-3": lambda x: to_euler_angles(x[3:7], "3-1-3"),
}


def moved(z):
    e = quaternion_product(E, np.concatenate([[np.sqrt(1 - 0.25 * z[:3] @ z[:3])], 0.5 * z[:3]]))
    return np.concatenate([X[:3] + z[3:6], e, X[7:] + z[6:]])


@pytest.mark.parametrize("word", NONLINEAR)
def test_linear_outputs_match_finite_differences(word):
    model = CRAFT.linearize(X, outputs=(word,), allow_nonequilibrium=True)
    f, h = NONLINEAR[word], 1e-3
    columns = [(8 * (f(moved(h * d)) - f(moved(-h * d))) - f(moved(2 * h * d)) + f(moved(-2 * h * d))) / (12 * h)
               for d in np.eye(12)]  # fmt: skip
    # fourth order: truncation 1e-12 times a fifth derivative of order ten, round-off 1e-13 of up to 30 J
    np.testing.assert_allclose(model.C, np.transpose(columns), rtol=0, atol=3e-11 * max(1, np.abs(model.C).max()))
    np.testing.assert_array_equal(model.D, 0.0)


def test_linear_attitude_output_is_the_attitude_error():
    model = CRAFT.linearize(X, outputs=("attitude",), allow_nonequilibrium=True)
    np.testing.assert_array_equal(model.C, np.eye(3, 12))


def test_linear_torque_output_is_a_feedthrough():
    model = CRAFT.linearize(X, outputs=("torque",), allow_nonequilibrium=True)
    np.testing.assert_allclose(model.D, rotation_matrix(E).T, rtol=0, atol=4e-16)
    np.testing.assert_array_equal(model.C, 0.0)  # the control torque is zero at the operating point


def test_linear_outputs_keep_the_requested_order():
    model = CRAFT.linearize(X, outputs=("energy", "velocity", "euler_angles_3-1-3"), allow_nonequilibrium=True)
    assert model.outputs == (
        "energy", "velocity_x", "velocity_y", "velocity_z",
        "euler_angle_1_3-1-3", "euler_angle_2_3-1-3", "euler_angle_3_3-1-3",
    )  # fmt: skip
    assert model.output_units == ("J", *("m/s",) * 3, *("rad",) * 3)
    assert model.C.shape == (7, 12)
    assert OUTPUTS["internal"] == ((), "")  # its signals are the elements' own
    for names, unit in (OUTPUTS[word] for word in OUTPUTS if word != "internal"):
        assert len(names) in {1, 3}
        assert unit


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        ("rate", r"outputs must be a sequence of words, such as \('rate',\)"),
        ((), "at least one output"),
        (("rate", "rate"), "an output is given twice: rate, rate"),
        (("rates",), "output 'rates' is unknown; did you mean 'rate'"),
        (("euler_angles_3-1-1",), "sequence '3-1-1' is unknown"),
        (("position",), r"output 'position' needs Spacecraft\(..., translation=True\)"),
    ],
)
def test_linear_outputs_reject_unknown_names(outputs, message):
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)))
    with pytest.raises(plant.InputError, match=message):
        craft.linearize(craft.at_rest(), outputs=outputs)


def test_linear_outputs_of_two_sequences_have_different_names():
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)))
    model = craft.linearize(craft.at_rest(E), outputs=("euler_angles_3-2-1", "euler_angles_3-1-3"))
    assert len(set(model.outputs)) == len(model.outputs)
    model.to_control()


def test_linear_euler_angle_output_rejects_singular_pose():
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)))
    e = from_euler_angles((0.3, singular_middle_angles("3-1-3")[1], 0.4), "3-1-3")
    with pytest.raises(plant.SingularBasisError, match="the 3-1-3 Euler angles are at their singular pose here"):
        craft.linearize(craft.at_rest(e), outputs=("euler_angles_3-1-3",))
