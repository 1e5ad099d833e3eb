"""A closed loop of polhode systems by `control.interconnect` equals the loop of `simulate`."""

from dataclasses import replace

import control as ct
import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.contracts.signal_labels import labels

from ...crafts import CRAFTS as COMPANIES
from ...crafts import somewhere

T = 0.1
E0 = np.array((0.9, 0.3, -0.2, 0.1)) / np.sqrt(0.95)
RATE = (0.02, -0.03, 0.05)
BODY = plant.RigidBody([[12.0, -0.5, 0.3], [-0.5, 10.0, 0.2], [0.3, 0.2, 8.0]], mass=20.0)
LIMITED = plant.TorqueBasis("body", limit=0.4)


def wheels():
    return plant.Spacecraft(
        BODY, elements=plant.wheel_array(np.eye(3), inertia=0.05), torques=plant.TorqueBasis("body", internal=True)
    )


CRAFTS = {
    "free": lambda: plant.Spacecraft(BODY, torques=LIMITED),
    "wheels": wheels,
    "ring, translation": lambda: plant.Spacecraft(
        BODY, elements=[plant.RingDamper(axis=(0, 0, 1), mass=0.8, radius=0.7, friction=0.2)], translation=True
    ),
    "pivoted": lambda: plant.Spacecraft(
        plant.RigidBody((12, 10, 8), mass=5.0, pivot=(0.0, 0.0, -0.2)),
        potentials=[plant.UniformGravity((0, 0, -1.0))],
        torques=plant.TorqueBasis("dual-euler", "1-2-3"),
    ),
}


REFERENCE = labels("reference", 10)


def connected(craft, law, blocks=(), *, step, seed=None):
    """The loop by python-control with all blocks in their order, and its initial memory."""
    whole = round(law.delay / T, 9) == round(law.delay / T)
    law_at = next((n for n, each in enumerate(blocks) if "command" in (*each.reads, *each.writes)), len(blocks))
    now, sizes, systems, memory = {}, {}, [], []

    def law_too():
        seen = {name: new for name, new in now.items() if name in ("attitude", "rate", "reference", "mode")}
        systems.append(law.to_nlsys(craft, remap=seen, blocks=blocks, with_delay=whole))
        memory.append(law.memory)

    for n, block in enumerate(blocks):
        if n == law_at:
            law_too()
        new = {name: f"{name}_of_{n}" for name in block.writes}
        system = block.as_monitor(new).to_nlsys(
            remap={name: now[name] for name in block.reads if name in now}, sizes=sizes, seed=seed, name=f"block_{n}"
        )
        systems.append(system)
        memory.append(block.memory)
        sizes |= {name: size for name, size in block.widths.items() if size}
        now |= new
    if law_at == len(blocks):
        law_too()
    plant_system = sim.sampled_craft(
        craft, sample=T, delay=0.0 if whole else law.delay, integrator="rk4", step=step, compiled=False,
        command=now.get("command", "command"),
    )  # fmt: skip
    loop = ct.interconnect(
        [plant_system, *systems], inputs=list(REFERENCE), outputs=list(plant_system.output_labels), check_unused=False
    )
    start, at = np.zeros(loop.nstates), plant_system.nstates
    for system, held in zip(systems, memory, strict=True):
        start[at : at + len(held)] = held
        at += system.nstates
    return loop, start


def compared(craft, law, reference, blocks=(), *, duration=3.0, step=0.05, seed=None):
    run = sim.simulate(
        craft, law, attitude=E0, rate=RATE, reference=reference, blocks=blocks, duration=duration, integrator="rk4",
        step=step, output_step=T, compiled=False, seed=seed,
    )  # fmt: skip
    assert run.status == "completed", run.ended
    loop, x = connected(craft, law, blocks, step=step, seed=seed)
    size = craft.layout.size
    x[:size] = run.states[0][:size]
    found = ct.input_output_response(loop, run.t, np.array([reference.at(t) for t in run.t]).T, x)
    np.testing.assert_allclose(found.states[:size].T, run.states[:, :size], rtol=0, atol=1e-12)
    return run


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", CRAFTS)
@pytest.mark.parametrize("late", [0.0, 0.1, 0.13])
def test_loop_of_python_control_is_that_of_simulate(name, late):
    craft = CRAFTS[name]()
    if name == "pivoted":
        law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=T, delay=late)
    else:
        model = craft.linearize(craft.at_rest())
        law = controllers.lqi(model, attitude=4.0, rate=4.0, effort=1.0, integral=0.01, sample=T, delay=late)
    # until the first command acts, simulate does not stop at its fraction of a sample: equal steps end there too
    compared(craft, law, controllers.FixedReference(), step=0.01 if late == 0.13 else 0.05)


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "pushed")) for name in COMPANIES]
)
def test_every_craft_is_moved_as_simulate_moves_it(name):
    """Under every kind of load, with arms too: one sample under a saturated command."""
    craft = replace(COMPANIES[name](), torques=plant.TorqueBasis("body", limit=0.4))
    x = somewhere(craft, size=1e-5)
    law = controllers.CustomLaw(lambda t, y, r: (0.3, -1.0, 0.1), sample=0.01, compiled=False)
    how = {"integrator": "gauss4", "step": 0.005}
    run = sim.simulate(craft, law, state=x, duration=0.01, output_step=0.01, **how)
    assert run.status == "completed"
    system = sim.sampled_craft(craft, sample=0.01, **how)
    assert tuple(system.state_labels) == craft.layout.names
    found = system.dynamics(0.0, x, (0.3, -1.0, 0.1))
    np.testing.assert_allclose(found, run.states[-1][: x.size], rtol=0, atol=1e-12 * np.abs(found).max())
    np.testing.assert_array_equal(system.output(0.0, x, np.zeros(3))[7:10], craft.rate(x))
    # the continuous one has the same names, and the spacecraft's own rates of change
    continuous = craft.to_nlsys(outputs=("momentum", "attitude", "rate"))
    assert list(continuous.output_labels) == list(system.output_labels)[:10]
    np.testing.assert_array_equal(
        continuous.dynamics(0.0, x, (0.3, -0.4, 0.1)), craft.derivative(0.0, x, u=(0.3, -0.4, 0.1))
    )


def test_law_that_measures_what_is_inside():
    craft = CRAFTS["ring, translation"]()
    law = controllers.lqr(
        craft.linearize(craft.at_rest()), attitude=4.0, rate=4.0, effort=1.0, internal="measured", sample=T
    )
    assert law.measured
    with pytest.raises(plant.InputError, match=r"measures 'ring_angle_momentum'.*give to_nlsys"):
        law.to_nlsys()
    compared(craft, law, controllers.FixedReference())


def test_sensors_estimator_modes_and_actuator():
    """All sampled blocks, with their random numbers, each as a separate system."""
    craft = plant.Spacecraft(BODY, torques=LIMITED)
    gyro = controllers.sensors.RateGyro(angle_random_walk=1e-5, rate_random_walk=1e-8)
    tracker = controllers.sensors.StarTracker(noise=2e-5, roll_noise=2e-4)
    senses = [gyro.block(sample=T), tracker.block(sample=T)]
    start = {"attitude": E0, "attitude_sigma": 0.01, "bias_sigma": 1e-4}
    estimator = controllers.estimators.MEKF(1e-5, 1e-8).block(senses[0], [(tracker, senses[1])], **start)
    slow = controllers.Transition("pointing", controllers.Condition("elapsed", above=1.05))
    modes = controllers.Modes([
        controllers.Mode("damping", controllers.RateDamping(gain=6.0, torques=craft.torques, sample=T),
        transitions=slow),
        controllers.Mode(
            "pointing", controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=T), final=True
        ),
    ])  # fmt: skip
    before = [*senses, estimator]
    lag = controllers.blocks.low_pass(frequency=20.0, reads="command", sample=T)
    compared(craft, modes, controllers.FixedReference(), [*before, modes.block(before), lag], seed=3)


def test_sampled_craft_refusal_names_the_reason():
    craft = plant.Spacecraft(BODY)
    with pytest.raises(plant.InputError, match="applies to a free body only"):
        sim.sampled_craft(craft, sample=T, integrator="elliptic")
    dual = plant.Spacecraft(BODY, torques=plant.TorqueBasis("dual-euler", "1-2-3"))
    system = sim.sampled_craft(dual, sample=T, integrator="rk4", step=0.05, compiled=False)
    angle = 0.25 * np.pi
    with pytest.raises(plant.InputError, match=r"cannot be integrated from t = 0.3 s: .*singular"):
        system.dynamics(0.3, dual.at_rest((np.cos(angle), 0.0, np.sin(angle), 0.0)), (1.0, 0.0, 0.0))
