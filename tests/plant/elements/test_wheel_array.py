"""Wheel arrays: the hub responds as to an external torque, and the total momentum is constant."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.hub.dynamics import body_rate

A = 3**-0.5
PYRAMID = [(A, A, A), (-A, A, A), (-A, -A, A), (A, -A, A)]
BODY = plant.RigidBody([[120.0, 5.0, -3.0], [5.0, 100.0, 2.0], [-3.0, 2.0, 80.0]])
RATES = (100.0, -80.0, 60.0, -40.0)


def crafts(*basis, **more):
    wheels = plant.wheel_array(PYRAMID, inertia=0.05, relative_rates=RATES, **more)
    return [
        plant.Spacecraft(BODY, elements=wheels, torques=plant.TorqueBasis(*(basis or ("body",)), internal=internal))
        for internal in (False, True)
    ]


def rate_slope(craft, x, u):
    """d omega/dt by a complex step along the motion."""
    dx = craft.derivative(0.0, x, u=u)
    z = x + 1e-30j * dx
    w = craft.work_space(dtype=complex)
    return np.imag(body_rate(0.0, z, np.zeros(3), craft.pack(), w)) / 1e-30


@pytest.mark.parametrize("basis", [("body",), ("inertial",), ("euler", "3-2-1"), ("dual-euler", "3-1-3")])
def test_wheel_array_torque_on_hub_equals_external_torque(basis):
    outside, inside = crafts(*basis)
    e = np.array((0.7, 0.1, -0.5, 0.5))
    u = (0.3, -0.2, 0.1)
    x = outside.state(attitude=e, rate=(0.02, -0.03, 0.01))
    np.testing.assert_allclose(rate_slope(inside, x, u), rate_slope(outside, x, u), rtol=0, atol=1e-16)
    outward = outside.derivative(0.0, x, u=u)[:3] - outside.derivative(0.0, x)[:3]
    np.testing.assert_allclose(outward, plant.TorqueBasis(*basis).to_body(u, e), rtol=0, atol=1e-15)
    np.testing.assert_array_equal(inside.derivative(0.0, x, u=u)[:3], inside.derivative(0.0, x)[:3])


def test_wheel_array_allocation_is_least_squares():
    _, inside = crafts()
    x = inside.at_rest()
    n = inside.layout.internal_momentum
    u = np.array((0.3, -0.2, 0.1))
    motors = inside.derivative(0.0, x, u=u)[n]
    axes = np.array(PYRAMID).T
    np.testing.assert_allclose(axes @ motors, -u, rtol=0, atol=1e-15)
    idle = np.array((1.0, -1.0, 1.0, -1.0))  # the null space: torques that cancel
    assert np.abs(axes @ idle).max() < 1e-15
    assert abs(idle @ motors) < 1e-16


def test_wheel_array_slew_conserves_momentum_and_balances_energy():
    bare = plant.Spacecraft(BODY, torques=plant.TorqueBasis("body", limit=0.5))
    law = controllers.lqr(bare.linearize(bare.at_rest()), attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    wheels = plant.wheel_array(PYRAMID, inertia=0.05, relative_rates=RATES, torque_limit=0.4, friction=1e-5)
    craft = plant.Spacecraft(BODY, elements=wheels, torques=plant.TorqueBasis("body", limit=0.5, internal=True))
    start = plant.attitude.from_euler_angles(np.radians((20.0, -10.0, 15.0)), "3-2-1")
    run = sim.simulate(craft, law, attitude=start, duration=300.0)
    assert run.status == "completed"
    size = craft.layout.size
    momentum = np.array([craft.inertial_momentum(x) for x in run.states[:, :size]])
    assert np.ptp(momentum, axis=0).max() < 1e-12 * 0.05 * 100.0
    energy = np.array([craft.energy(x) for x in run.states[:, :size]])
    # RK-type integration at rtol 1e-10 of 570 J in the wheels
    assert np.abs(energy - energy[0] - run.states[:, size]).max() < 1e-8 * energy[0]
    # final error from wheel friction only: K delta is its torque on the hub
    friction = 1e-5 * np.array(PYRAMID).T @ (run.states[-1, craft.layout.internal_momentum] / 0.05)
    offset = 2.0 * run.states[-1, 4:7] * np.sign(run.states[-1, 3])
    np.testing.assert_allclose(law.gain[:, :3] @ offset, friction, rtol=1e-3)  # friction decays by 2e-4 per second


def test_wheel_array_motors_saturate_in_torque_and_speed():
    _, inside = crafts(torque_limit=0.05, speed_limit=100.5)
    n = inside.layout.internal_momentum
    forces = inside.derivative(0.0, inside.at_rest(), u=(1.0, 1.0, 1.0))[n]
    assert np.abs(forces).max() == 0.05
    # wheel 1 is half-way into the last hundredth below its limit: half of an accelerating torque, all of a braking one
    assert inside.derivative(0.0, inside.at_rest(), u=(-1.0, -1.0, -1.0))[n][0] == pytest.approx(0.05 * 0.5 / 1.005)
    assert forces[0] == -0.05


def test_wheel_array_that_does_not_span_space_is_rejected():
    two = plant.wheel_array(PYRAMID, inertia=0.05)[:2]
    with pytest.raises(plant.InputError, match="must exert the commanded torque on the hub"):
        plant.Spacecraft(BODY, elements=two, torques=plant.TorqueBasis("body", internal=True))
    with pytest.raises(plant.InputError, match="must exert the commanded torque on the hub"):
        plant.Spacecraft(BODY, torques=plant.TorqueBasis("body", internal=True))
    with pytest.raises(
        plant.InputError, match=r"must span space; these 3 wheels give no torque along \[0.0, 0.0, 1.0\]"
    ):
        plant.wheel_array([(1, 0, 0), (0, 1, 0), (1, 1, 0)], inertia=0.05)
    with pytest.raises(plant.InputError, match="4 wheels need 4 relative rates; got 3"):
        plant.wheel_array(PYRAMID, inertia=0.05, relative_rates=(1.0, 2.0, 3.0))
