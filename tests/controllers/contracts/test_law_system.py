"""Laws as python-control systems: names, delays, and rejected input. The battery converts every law both ways."""

import control
import numpy as np
import pytest

from polhode import controllers, plant, sim

CRAFT = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0)))
MODEL = CRAFT.linearize(CRAFT.at_rest())
SHOWN = ["momentum_x", "momentum_y", "momentum_z", *(f"attitude_{n}" for n in range(4)), "rate_x", "rate_y", "rate_z"]


def damper(**timing):
    return controllers.RateDamping(gain=2.0, torques=CRAFT.torques, **timing)


def lqr(**timing):
    return controllers.lqr(MODEL, attitude=1.0, rate=1.0, effort=1.0, **timing)


def test_law_system_signal_names():
    system = damper(sample=0.1).to_nlsys(CRAFT, name="brake")
    assert system.name == "brake"
    assert system.dt == 0.1
    assert system.input_labels[:10] == SHOWN
    assert system.input_labels[10:13] == ["reference_attitude_0", "reference_attitude_1", "reference_attitude_2"]
    assert system.input_labels[-1] == "reference_acceleration_z"
    assert system.output_labels == ["torque_1", "torque_2", "torque_3"]
    bound = damper(sample=0.1).to_nlsys(CRAFT, reference=controllers.FixedReference(), remap={"rate": "gyro"})
    assert bound.input_labels == [*SHOWN[:7], "gyro_1", "gyro_2", "gyro_3"]


def test_law_system_whole_delay_becomes_states():
    law = damper(sample=0.1, delay=0.2)
    system = law.to_nlsys(CRAFT, reference=controllers.FixedReference())
    y = np.concatenate((np.zeros(3), [1.0, 0, 0, 0], [0.1, 0.2, 0.3]))
    x, told = np.zeros(6), []
    for _ in range(4):
        told.append(system.output(0.0, x, y))
        x = system.dynamics(0.0, x, y)
    np.testing.assert_array_equal(told, [np.zeros(3), np.zeros(3), -2.0 * y[7:], -2.0 * y[7:]])
    linear = lqr(sample=0.1, delay=0.2)
    late, prompt = linear.to_control(), linear.to_control(with_delay=False)
    z = np.exp(0.3j)
    np.testing.assert_allclose(late(z), prompt(z) / z**2, rtol=0, atol=1e-12)


def test_law_system_rejects_fractional_delay():
    for ask in (lambda law: law.to_nlsys(CRAFT), lambda law: law.to_control(MODEL)):
        with pytest.raises(plant.InputError, match=r"is not a whole number of its samples of 0.1 s.*sampled_craft"):
            ask(lqr(sample=0.1, delay=0.04))
    assert lqr(sample=0.1, delay=0.04).to_nlsys(with_delay=False).noutputs == 3


def test_law_converts_to_linear_or_nonlinear_system():
    law = controllers.quaternion_feedback(CRAFT, frequency=0.5, damping_ratio=0.8, sample=0.1)
    assert not isinstance(law.to_control(), control.StateSpace)
    form = law.to_control(MODEL)
    assert isinstance(form, control.StateSpace)
    assert form.input_labels == list(MODEL.outputs)
    assert form.output_labels == list(MODEL.inputs)
    np.testing.assert_array_equal(form.D, law.small_signal(MODEL).compensator.D)
    relay = controllers.OnOffThrusters(torque=1.0, deadband=0.01, lead=5.0, sample=0.1)
    with pytest.raises(plant.DesignError, match=r"no margins.*law.to_nlsys\(craft\)"):
        relay.to_control(MODEL)
    assert relay.to_control().ninputs == 20


def test_interconnected_law_system_has_the_loop_poles():
    for late in (0.0, 0.1):
        law = lqr(sample=0.1, delay=late)
        loop = control.interconnect(
            [MODEL.to_control().sample(0.1), law.to_control()], inputs=["torque_1"], outputs=["rate_x"]
        )
        for pole in law.closed_loop_poles():
            assert np.abs(loop.poles() - pole).min() < 1e-9


def test_law_system_rejects_bad_input():
    with pytest.raises(plant.InputError, match="signal that the law sees: 'rates' is unknown; did you mean 'rate'"):
        damper(sample=0.1).to_nlsys(CRAFT, remap={"rates": "gyro"})
    total = np.zeros(3)

    def counting(t, y, r):
        total[:] += 1.0
        return total

    law = controllers.CustomLaw(counting, sample=0.1, compiled=False)
    system = law.to_nlsys(CRAFT, reference=controllers.FixedReference())
    y = np.concatenate((np.zeros(3), [1.0, 0, 0, 0], np.zeros(3)))
    with pytest.raises(plant.InputError, match="returns a different value when the same sample is evaluated again"):
        system.output(0.0, [], y)
    further = controllers.CustomLaw(lambda t, y, r: y[10:13], sample=0.1, compiled=False)
    with pytest.raises(plant.InputError, match="3 numbers"):
        further.to_nlsys(reference=controllers.FixedReference()).output(0.0, [], y)


def test_block_converts_to_a_system():
    lag = controllers.blocks.low_pass(frequency=2.0, reads="rate", writes="smooth", sample=0.1, delay=0.1)
    system = lag.to_nlsys(remap={"rate": "gyro"}, name="lag")
    assert (system.name, system.input_labels[0], system.output_labels[2]) == ("lag", "gyro_1", "smooth_3")
    y = np.full((50, 3), 0.5)
    found = control.input_output_response(system, 0.1 * np.arange(50), y.T).outputs.T
    np.testing.assert_allclose(found[1:], lag.replay(0.1 * np.arange(49), y[1:], compiled=False), rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"reads": "rate", "sample": 0.1}, "writes 'rate', which exists already.*as_monitor"),
        (
            {"reads": "gyro", "writes": "smooth", "width": 3, "sample": 0.1},
            "the width of 'gyro', a signal of .*, is unknown",
        ),
        ({"reads": "rate", "writes": "smooth", "sample": 0.1, "offset": 0.05}, "first sample at 0.05 s"),
        ({"reads": "rate", "writes": "smooth", "sample": 0.1, "delay": 0.05}, "not a whole number of its samples"),
    ],
)
def test_block_system_rejects_blocks_that_do_not_fit(keys, words):
    with pytest.raises(plant.InputError, match=words):
        controllers.blocks.low_pass(frequency=2.0, **keys).to_nlsys()


def test_random_block_system_needs_a_seed():
    noisy = controllers.blocks.noise(sigma=0.1, reads="rate", writes="noisy", sample=0.1)
    with pytest.raises(plant.InputError, match="no seed"):
        noisy.to_nlsys()
    one, other, third = (noisy.to_nlsys(seed=seed).output(0.0, noisy.memory, np.zeros(3)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, other)
    assert not np.array_equal(one, third)


def fails_late(t, y, r, q, z, u):
    for k in range(3):
        u[k] = -2.0 * y[7 + k] / (1.0 if t < 0.95 else 0.0 * t)


def remembers(t, y, r, q, z, u):
    for k in range(3):
        z[k] = y[7 + k]
        u[k] = -2.0 * z[k] / (1.0 if t < 0.95 else 0.0 * t)


@pytest.mark.parametrize("rate", [(0.1, 0.0, 0.0), (0.0, 0.0, 0.0)])
@pytest.mark.parametrize(
    "law",
    [
        controllers.CustomLaw(fails_late, sample=0.1),
        controllers.CustomLaw(remembers, memory=np.zeros(3), sample=0.1),
    ],
    ids=["without memory", "with memory"],
)
def test_non_finite_output_at_last_sample_is_reported(law, rate):
    craft = sim.sampled_craft(CRAFT, sample=0.1, integrator="rk4", step=0.1, compiled=False)
    told = law.to_nlsys(CRAFT, reference=controllers.FixedReference())
    loop = control.interconnect([craft, told], inputs=[], outputs=["rate_x"])
    start = np.zeros(loop.nstates)
    start[: CRAFT.layout.size] = CRAFT.state(rate=rate)
    t = 0.1 * np.arange(11)
    control.input_output_response(loop, t[:-1], np.zeros((0, 10)), start)
    with pytest.raises(plant.InputError, match="returns no finite value at t = 1 s"):
        control.input_output_response(loop, t, np.zeros((0, 11)), start)
