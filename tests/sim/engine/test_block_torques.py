"""Torques of blocks: held, added to other loads, included in the ledger, and reported if margins lack them."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Block, Clock, Signal
from polhode.plant.kernels.kernel import kernel

TORQUE = Signal(role="torque")

BODY = plant.RigidBody([[12.0, -0.5, 0.3], [-0.5, 10.0, 0.2], [0.3, 0.2, 8.0]])
CRAFT = plant.Spacecraft(BODY, torques=plant.TorqueBasis("inertial", limit=0.2))
PUSH = (0.05, -0.02, 0.03)
START = {"attitude": (0.9, 0.3, 0.3, 0.1), "rate": (0.02, -0.01, 0.015), "integrator": "rk4", "step": 0.05}


@kernel
def drag(t, y, q, z, v):
    for n in range(3):
        v[n] = -q[0] * y[n]


def law(craft=CRAFT, **timing):
    return controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1, **timing)


def constant(**keys):
    told = {"reads": "rate", "writes": {"push": TORQUE}, "clock": Clock(1.0), "compiled": False, "name": "wind"}
    return Block(lambda t, y: PUSH, **{**told, **keys})


def damper(**keys):
    return Block(drag, reads="rate", writes={"drag": TORQUE}, clock=Clock(0.1), parameters=[2.0], **keys)


@pytest.mark.parametrize("with_law", [True, False], ids=["law", "no law"])
@pytest.mark.parametrize("compiled", [True, False])
def test_constant_torque_is_pulse(with_law, compiled):
    flown = law() if with_law else None
    pulse = plant.TorquePulse(PUSH, start=0.0, stop=1e9, basis=plant.TorqueBasis("body"))
    native = sim.simulate(CRAFT, flown, torques=[pulse], duration=3.0, output_step=0.5, compiled=compiled, **START)
    run = sim.simulate(CRAFT, flown, blocks=[constant()], duration=3.0, output_step=0.5, compiled=compiled, **START)
    np.testing.assert_allclose(run.states, native.states, rtol=0, atol=1e-14)  # the ledger's work and impulse too
    for name in ("torque", "energy_balance", "momentum_balance"):
        np.testing.assert_allclose(run.values(name), native.values(name), rtol=0, atol=1e-14)
    np.testing.assert_array_equal(run.values("push")[1:], np.tile(PUSH, (6, 1)))
    assert run["push"].attrs["units"] == "N m"


def test_block_torque_is_held_and_delayed():
    """Applied from 0.25 s on, each 0.5 s later: equal to pulses of that length."""
    told = iter(range(100))
    block = Block(
        lambda t, y: (0.01 * (1 + next(told)), 0.0, 0.0),
        reads="rate",
        writes={"push": TORQUE},
        clock=Clock(0.5, delay=0.25),
        compiled=False,
    )
    run = sim.simulate(CRAFT, blocks=[block], duration=2.0, output_step=0.25, **START)
    pulses = [
        plant.TorquePulse((0.01 * (1 + n), 0, 0), start=0.25 + 0.5 * n, stop=0.75 + 0.5 * n, basis=plant.TorqueBasis())
        for n in range(4)
    ]
    native = sim.simulate(CRAFT, torques=pulses, duration=2.0, output_step=0.25, **START)
    np.testing.assert_allclose(run.states, native.states, rtol=0, atol=1e-14)


def test_several_add_beside_pulses_law_and_two_control_torques():
    wheels = plant.Spacecraft(
        BODY, elements=plant.wheel_array(np.eye(3), inertia=0.05), torques=plant.TorqueBasis("body", internal=True),
        external=plant.TorqueBasis("body"),
    )  # fmt: skip
    pulse = plant.TorquePulse((0.1, 0, 0), start=0.5, stop=1.5, basis=plant.TorqueBasis())
    always = plant.TorquePulse(PUSH, start=0.0, stop=1e9, basis=plant.TorqueBasis())
    flown = controllers.RateDamping(gain=3.0, torques=wheels.torques, sample=0.1)
    two = [constant(), constant(writes={"more": TORQUE}, name="other wind")]
    one = sim.simulate(wheels, flown, torques=[pulse], blocks=two, duration=2.0, output_step=0.5, **START)
    other = sim.simulate(wheels, flown, torques=[pulse, always, always], duration=2.0, output_step=0.5, **START)
    np.testing.assert_allclose(one.states, other.states, rtol=0, atol=1e-14)


def test_torque_of_state_is_that_of_law():
    """A damper as a block equals rate damping with the same samples; the ledger balances."""
    free = plant.Spacecraft(BODY)
    run = sim.simulate(free, blocks=[damper()], duration=5.0, **START)
    native = sim.simulate(
        free, controllers.RateDamping(gain=2.0, torques=free.torques, sample=0.1), duration=5.0, **START
    )
    np.testing.assert_allclose(run.states, native.states, rtol=0, atol=1e-14)
    assert run.states[-1][7] < -0.002  # work done by it, J
    for name in ("energy_balance", "momentum_balance"):
        assert np.abs(run.values(name)).max() < 1e-12


def test_craft_on_which_it_acts_is_no_free_body():
    """The closed-form motion would ignore it, and still balance."""
    told = {"duration": 2.0, "rate": (0.02, -0.01, 0.015), "blocks": [constant()]}
    with pytest.raises(plant.InputError, match="the torque of the block 'wind' acts on it"):
        sim.simulate(CRAFT, integrator="elliptic", **told)
    run = sim.simulate_to_accuracy(CRAFT, accuracy=1e-6, **told)
    assert run.scheme.integrator == "dop853"
    assert run.counters["attitude_accuracy_rad"] <= 1e-6
    np.testing.assert_allclose(run.values("rate")[-1], sim.simulate(CRAFT, **told).values("rate")[-1], atol=1e-7)


def test_margins_say_that_it_is_not_in_them():
    free = plant.Spacecraft(BODY)
    model = free.linearize(free.at_rest())
    flown = law(free)
    margins = flown.margins(model, blocks=[damper()])
    assert margins.words == ("drag: the torque that it exerts is not counted",)
    assert margins.gain_up == pytest.approx(flown.margins(model).gain_up, rel=1e-12)
    smooth = controllers.blocks.low_pass(frequency=3.0, reads="rate", sample=0.1)
    both = flown.margins(model, blocks=[smooth, damper()])
    assert both.gain_up == pytest.approx(flown.margins(model, blocks=[smooth]).gain_up, rel=1e-12)


@pytest.mark.parametrize(
    ("blocks", "with_law", "words"),
    [
        (lambda: [constant(writes={"rate": TORQUE})], True, "exerts 'rate', which already is a signal"),
        (
            lambda: [constant(reads="command")],
            False,
            "processes 'command', the output of a law, but this run has no law",
        ),
        (lambda: [constant(writes={"push": 3})], False, "or a block that exerts a torque"),
    ],
)
def test_block_torque_refuses_bad_input(blocks, with_law, words):
    with pytest.raises(plant.InputError, match=words):
        sim.simulate(CRAFT, law() if with_law else None, blocks=blocks(), duration=1.0)
