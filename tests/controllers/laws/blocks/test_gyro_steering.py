"""Steering block in the loop: the published pyramid slew, momentum, margins and refusals."""

import math

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import blocks
from polhode.controllers.laws.blocks.gyro_steering import _delivered
from polhode.plant import DesignError, InputError, RigidBody, Spacecraft, TorqueBasis, gyro_array, pyramid_axes

PYRAMID = pyramid_axes(math.radians(53.13))
INERTIA = (21400.0, 20100.0, 5000.0)


def craft_with(*, time_constant=0.02, inertia=INERTIA, torques=None, light=1.0, **more):
    gyros = gyro_array(
        *PYRAMID, momentum=1000.0, rotor_inertia=light, gimbal_inertia=light, time_constant=time_constant, **more
    )
    return Spacecraft(RigidBody(inertia), elements=gyros, torques=torques or TorqueBasis("body"))


def wie_law(t, y, r, q, z, u):
    """Limited quaternion feedback with integral, Wie, Bailey & Heiberg (2001); the integral is reset once."""
    inertia0, inertia1, inertia2 = 21400.0, 20100.0, 5000.0
    f0, f3 = 0.4, math.sqrt(0.84)
    e0 = f3 * y[4] - f0 * y[3]
    e1 = f3 * y[5] + f0 * y[6]
    e2 = f3 * y[6] - f0 * y[5]
    if z[3] == 0.0 and max(abs(e0), abs(e1), abs(e2)) < 0.01:
        z[0], z[1], z[2], z[3] = 0.0, 0.0, 0.0, 1.0
    k, c = 9.0 + 0.54, 5.4 + 0.1
    most = c / (2.0 * k)
    l0 = most * min(math.sqrt(1600.0 / inertia0 * abs(e0)), 0.17453292519943295)
    l1 = most * min(math.sqrt(1600.0 / inertia1 * abs(e1)), 0.17453292519943295)
    l2 = most * min(math.sqrt(1600.0 / inertia2 * abs(e2)), 0.17453292519943295)
    u[0] = -inertia0 * (2.0 * k * min(max(e0 + z[0] / 10.0, -l0), l0) + c * y[7])
    u[1] = -inertia1 * (2.0 * k * min(max(e1 + z[1] / 10.0, -l1), l1) + c * y[8])
    u[2] = -inertia2 * (2.0 * k * min(max(e2 + z[2] / 10.0, -l2), l2) + c * y[9])
    z[0] += q[0] * e0
    z[1] += q[0] * e1
    z[2] += q[0] * e2


def wie_slew(step):
    """Return attitude (scalar last), rate (deg/s), gimbal angles (deg) and the run; sample and lag equal the step."""
    craft = craft_with(time_constant=step, light=1e-3, rate_limit=2.0)
    law = controllers.CustomLaw(wie_law, sample=step, parameters=[step], memory=np.zeros(4))
    run = sim.simulate(
        craft, law, blocks=[blocks.gyro_steering(craft, sample=step)], state=craft.at_rest(), duration=12.0,
        output_times=(0, 1, 2, 4, 6, 8, 12), integrator="rk4", step=step,
    )  # fmt: skip
    e = run.values("attitude")[1:]
    angles = np.degrees(run.values("internal")[1:, ::2])
    return np.column_stack([e[:, 1:], e[:, :1]]), np.degrees(run.values("rate")[1:]), angles, run


def test_pyramid_slew_follows_wie_through_singularity():
    """An independent integration of the continuous law gives these numbers (RK4 at 0.5 ms).

    Sampling period and lag of the gimbals are errors of first order here: two runs are extrapolated to zero.
    """
    attitude = [
        (0.020044, 0.000022, -0.000475, 0.999799),
        (0.058551, 0.000478, -0.007463, 0.998256),
        (0.197890, 0.000021, 0.001015, 0.980224),
        (0.304304, -0.000149, 0.000717, 0.952575),
        (0.371492, -0.000125, 0.000576, 0.928436),
        (0.400353, 0.000006, -0.000026, 0.916361),
    ]
    rate = [
        (3.23876, -0.01832, -0.76890),
        (6.68924, 0.27955, 0.17622),
        (7.38645, -0.07289, 0.00727),
        (5.20770, -0.00467, -0.00922),
        (2.96207, -0.00334, -0.00678),
        (-0.00597, 0.00008, 0.00040),
    ]
    gimbals = [
        (98.284, -8.454, -85.381, 13.773),
        (139.832, -26.817, -85.696, 128.364),
        (117.476, -31.645, -78.582, 141.913),
        (130.228, -52.194, -66.765, 108.824),
        (127.036, -72.061, -56.103, 79.709),
        (112.523, -112.657, -50.649, 50.564),
    ]
    coarse, fine = wie_slew(1e-3), wie_slew(5e-4)
    found = [2.0 * b - a for a, b in zip(coarse[:3], fine[:3], strict=True)]
    np.testing.assert_allclose(found[0], attitude, rtol=0, atol=5e-6)  # extrapolation leaves errors of second order
    np.testing.assert_allclose(found[1], rate, rtol=0, atol=2e-3)
    np.testing.assert_allclose(found[2], gimbals, rtol=0, atol=0.02)
    least = fine[3].values("least_singularity_measure")[-1]
    assert 5e-5 < least < 2e-4  # 1.13e-4 at 0.791 s
    assert any("came near a singularity: their singularity measure fell to 0.000102" in x for x in fine[3].warnings)
    total = fine[3].values("inertial_momentum")
    assert np.abs(total - total[0]).max() < 1e-12 * 4000.0  # of the momenta of the four rotors


def test_steering_compensates_momentum_of_rotors():
    """With no command and light gyros, the body rotates as if there were no rotors."""
    craft = craft_with(inertia=(300.0, 200.0, 150.0), time_constant=1e-3, light=1e-4, angles=(0.4, 0.2, -0.3, 1.0))
    law = controllers.CustomLaw(lambda t, x, r: (0.0, 0.0, 0.0), sample=1e-3, compiled=False)
    start = {"state": craft.state(rate=(0.05, 0.02, -0.03)), "duration": 2.0, "output_times": (0.0, 1.0, 2.0)}
    free = Spacecraft(RigidBody((300.0, 200.0, 150.0)))
    expected = sim.simulate(
        free, state=free.state(rate=(0.05, 0.02, -0.03)), duration=2.0, output_times=(0.0, 1.0, 2.0)
    )
    runs = [
        sim.simulate(craft, law, blocks=[blocks.gyro_steering(craft, sample=1e-3, compensate=each)], **start)
        for each in (True, False)
    ]
    # the start misses omega x h, some 80 N m, during a lag and half a sample: 80 x 1.5e-3 / 150 = 8e-4 rad/s
    np.testing.assert_allclose(runs[0].values("rate"), expected.values("rate"), rtol=0, atol=8e-4)
    assert np.abs(runs[1].values("rate") - expected.values("rate")).max() > 5e-3


def test_steered_torque_acts_on_the_body():
    """The rate loops miss the time constant times the acceleration of the hub, here some 4e-4 of the torque."""
    craft = craft_with(time_constant=0.001, light=1e-3)
    law = controllers.CustomLaw(lambda t, x, r: (5.0, -3.0, 2.0), sample=0.005, compiled=False)
    run = sim.simulate(
        craft,
        law,
        blocks=[blocks.gyro_steering(craft, sample=0.005)],
        state=craft.at_rest(),
        duration=5.0,
        output_step=0.5,
    )
    free = Spacecraft(RigidBody(INERTIA))
    pulse = plant.TorquePulse((5.0, -3.0, 2.0), start=0.0, stop=9.0)
    expected = sim.simulate(
        free, state=free.at_rest(), torques=[pulse], duration=4.999, output_times=(4.999,)
    )  # the lag
    np.testing.assert_allclose(run.values("rate")[-1], expected.values("rate")[-1], rtol=1e-3)
    assert not run.values("command").any()
    assert np.abs(run.values("torque_error")).max() < 0.01
    output = run.values("output_torque")[-1].sum(axis=0)
    np.testing.assert_allclose(output, run.values("steered_torque")[-1], rtol=2e-3)
    np.testing.assert_allclose(output, run.values("hub_torque")[-1], rtol=1e-13)


@pytest.mark.parametrize("angles", [(0.0, 0.0, 0.0, 0.0), (0.3, 0.1, 0.5, -0.2)])
def test_margins_with_gyros_are_those_of_the_nonlinear_loop(angles):
    """A loop gain below the margin decays and one above grows, in the plant with real gyros.

    The lag is as long as two samples, so that a loop without it would have 1.4 times the gain margin.
    """
    craft = craft_with(time_constant=0.4, inertia=(4000.0, 3600.0, 3000.0), light=0.1, angles=angles)
    model = craft.linearize(craft.at_rest())
    block = blocks.gyro_steering(craft, sample=0.2)

    def law(factor):
        return controllers.quaternion_feedback(
            Spacecraft(RigidBody(factor * np.diag((4000.0, 3600.0, 3000.0)))),
            frequency=0.6,
            damping_ratio=0.9,
            sample=0.2,
        )

    margins = law(1.0).margins(model, blocks=[block])
    up = min(each.gain_up for each in margins.axes)
    bare = law(1.0).margins(model)
    assert min(each.gain_up for each in bare.axes) > 1.4 * up
    words = "control moment gyros count with the gain of their steering law and the lag of their rate loops"
    assert margins.words == (f"gyro_steering: {words}",)
    sizes = []
    for factor in (0.9 * up, 1.1 * up):
        run = sim.simulate(
            craft, law(factor), blocks=[block], attitude=(1.0, 5e-6, 4e-6, -3e-6), duration=60.0, output_step=0.2
        )
        error = np.abs(run.values("error_vector")).max(axis=1)
        sizes.append(error[-50:].max() / error[:50].max())
    assert sizes[0] < 0.3
    assert sizes[1] > 2.0


def test_linear_form_is_refused_near_a_singularity():
    craft = craft_with(angles=np.radians((90.0, 0.0, -90.0, 0.0)))
    model = craft.linearize(craft.at_rest())
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.9, sample=0.1)
    with pytest.raises(DesignError, match=r"near a singularity at the operating point: .* below 0.1, at gimbal angles"):
        law.margins(model, blocks=[blocks.gyro_steering(craft, sample=0.1)])


def test_linear_form_has_the_gain_of_the_robust_law():
    """sigma^2 / (sigma^2 + lambda) along the weakest direction, 0.22 at a measure of 0.1, not one."""
    gyros = gyro_array(
        *pyramid_axes(0.9553), momentum=10.0, rotor_inertia=0.02, gimbal_inertia=0.03, time_constant=0.02
    )
    allocation = controllers.GyroAllocation(gyros)
    angles = np.array((-1.51880674, -2.16056449, 1.32965131, 2.16211298))
    matrix = _delivered(allocation, angles)
    assert np.linalg.svd(matrix, compute_uv=False)[-1] == pytest.approx(0.225, abs=0.01)
    np.testing.assert_allclose(_delivered(allocation, np.zeros(4)), np.eye(3), atol=1e-6)


def test_block_gives_the_same_run_as_plain_python():
    craft = craft_with(rate_limit=0.5)
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.9, sample=0.1)
    given = {
        "blocks": [blocks.gyro_steering(craft, sample=0.1, null_gain=0.3)], "attitude": (0.9, 0.1, -0.3, 0.3),
        "duration": 1.0, "integrator": "rk4", "step": 0.01, "output_step": 0.1,
    }  # fmt: skip
    one, other = (sim.simulate(craft, law, **given, compiled=each) for each in (True, False))
    np.testing.assert_allclose(one.x, other.x, rtol=1e-12, atol=1e-9)  # sin and cos may differ in the last bit


@pytest.mark.parametrize(
    ("craft", "message"),
    [
        (
            Spacecraft(RigidBody((3.0, 2.0, 1.0)), torques=TorqueBasis("body")),
            "three or more control moment gyros; got 0",
        ),
        (craft_with(torques=TorqueBasis("inertial")), "must be an external torque in body axes"),
    ],
)
def test_spacecraft_that_cannot_be_steered_is_refused(craft, message):
    with pytest.raises(InputError, match=message):
        blocks.gyro_steering(craft, sample=0.1)


def test_gyros_of_a_batch_are_those_of_single_runs():
    craft = craft_with()
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.9, sample=0.1)
    steering = blocks.gyro_steering(craft, sample=0.1)
    starts = [craft.at_rest((0.96, 0.28, 0.0, 0.0)), craft.at_rest((0.8, 0.0, -0.6, 0.0))]
    runs = sim.simulate_batch(craft, law, blocks=[steering], state=starts, duration=2.0, output_step=0.5)
    for n, start in enumerate(starts):
        single = sim.simulate(craft, law, blocks=[steering], state=start, duration=2.0, output_step=0.5)
        np.testing.assert_array_equal(runs[n].x, single.x)


def test_doc_example_of_free_gyros_is_not_steered():
    """A gyro without a rate loop accepts a torque instead of a rate, so that the steering does not count it."""
    free = plant.ControlMomentGyro(axis=(0, 0, 1), spin_axis=(1, 0, 0), momentum=1.0, rotor_inertia=1, gimbal_inertia=1)
    craft = Spacecraft(
        RigidBody((300.0, 200.0, 150.0)), elements=[free, *craft_with().elements], torques=TorqueBasis("body")
    )
    block = blocks.gyro_steering(craft, sample=0.1)
    assert block.reads[2] == "cmg_2_gimbal_angle"
    assert block.widths["gimbal_rate_commands"] == 4
