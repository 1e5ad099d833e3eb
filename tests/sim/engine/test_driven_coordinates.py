"""Torques and forces on coordinates of elements: closed forms, a law through wheels, native springs and dampers."""

from itertools import pairwise

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Block, Clock, Signal
from polhode.plant.flexible import Arm, BeamSection
from polhode.plant.formulations import PublishedRing
from polhode.sim import INTEGRATORS

HUB = (10.0, 8.0, 6.0)
JW, J, T = 0.1, 6.0, 0.02  # the hub's inertia is without the wheel
START = {"rate": (0.0, 0.0, 0.1), "integrator": "rk4", "step": 0.1}


def spun(**wheel):
    return plant.Spacecraft(plant.RigidBody(HUB), elements=[plant.Wheel(axis=(0, 0, 1), inertia=JW, **wheel)])


def motor(function, *, reads="rate", coordinates="wheel_angle", **keys):
    given = {"writes": "motor", "sample": 0.5, "delay": 0.0, "compiled": False, "name": "motor", **keys}
    signal = Signal(given.pop("width", 0), given.pop("unit", ""), role="torque", coordinates=coordinates)
    torque = {given.pop("writes"): signal}
    clock = Clock(given.pop("sample"), delay=given.pop("delay"))
    return Block(function, reads=reads, writes=torque, clock=clock, **given)


def pulse(size, coordinate="wheel_angle", **keys):
    return plant.TorquePulse(size, coordinate=coordinate, **{"start": 0.0, "stop": 1e9, **keys})


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("by", ["pulse", "block"])
def test_constant_motor_torque_in_closed_form(by, compiled):
    acts = {"torques": [pulse(T)]} if by == "pulse" else {"blocks": [motor(lambda t, y: T)]}
    run = sim.simulate(spun(), duration=4.0, output_step=1.0, compiled=compiled, **acts, **START)
    t = run.t[:, None]
    np.testing.assert_allclose(run.values("internal_rate"), T * (1 / JW + 1 / J) * t, rtol=0, atol=1e-14)
    np.testing.assert_allclose(run.values("rate")[:, 2:], 0.1 - T / J * t, rtol=0, atol=1e-14)
    np.testing.assert_allclose(run.values("internal"), 0.5 * T * (1 / JW + 1 / J) * t**2, rtol=0, atol=1e-14)
    assert np.abs(run.values("momentum") - run.values("momentum")[0]).max() <= 1e-15
    work = 0.5 * T**2 * (1 / JW + 1 / J) * t[-1] ** 2  # the torque times the relative angle
    np.testing.assert_allclose(run.states[-1, -4], work, rtol=0, atol=1e-15)
    assert np.abs(run.values("energy_balance")).max() < 1e-15
    assert not run.values("torque").any()  # from outside the spacecraft


@pytest.mark.parametrize("name", [name for name in INTEGRATORS if not INTEGRATORS[name].exact])
def test_every_stepper(name):
    """A pulse in the shape of a raised cosine: T/2 (t - sin(w t) / w), w = 2 pi / 4 s; it acts about the wheel's
    axis.
    """
    w = np.pi / 2
    step = {1: 0.001, 2: 0.005}.get(INTEGRATORS[name].order, 0.02)
    shaped = pulse(T, stop=4.0, shape="raised-cosine")
    run = sim.simulate(
        spun(), torques=[shaped], duration=4.0, output_step=0.5, rate=(0, 0, 0.1), integrator=name, step=step
    )
    share = 0.5 * (run.t - np.sin(w * run.t) / w)
    # of order 2 h^2/24 of the slope of the acceleration, 0.16 rad/s^3
    close = {1: 1e-5, 2: 2e-7}.get(INTEGRATORS[name].order, 1e-10)
    np.testing.assert_allclose(run.values("internal_rate")[:, 0], T * (1 / JW + 1 / J) * share, rtol=0, atol=close)
    assert np.abs(run.values("momentum_balance")).max() < 1e-14
    assert np.abs(run.values("energy_balance")).max() < close
    tumbling = sim.simulate(
        spun(), torques=[shaped], duration=2.0, rate=(0.3, -0.2, 0.1), integrator=name, step=step, ledger=True
    )
    assert np.abs(tumbling.values("energy_balance")).max() < 100 * close
    assert np.abs(tumbling.values("momentum_balance")).max() < 100 * close


def test_sampled_friction_in_closed_form():
    """Held over a sample, the relative rate falls by the fraction c h (1/Jw + 1/J) in each."""
    c, h = 0.05, 0.25
    block = motor(lambda t, y: -c * y, reads="wheel_angle_rate", sample=h)
    run = sim.simulate(spun(relative_rate=20.0), blocks=[block], duration=5.0, output_step=h, **START)
    k = np.arange(run.t.size)
    expected = 20.0 * (1 - c * h * (1 / JW + 1 / J)) ** k
    np.testing.assert_allclose(run.values("internal_rate")[:, 0], expected, rtol=0, atol=1e-13)
    assert run.states[-1, -4] < -10.0  # J, taken by friction
    assert np.abs(run.values("energy_balance")).max() < 1e-13


WHEELS = plant.wheel_array([(1, 1, 1), (-1, 1, 1), (-1, -1, 1), (1, -1, 1)], inertia=0.05, relative_rates=[9, -7, 5, 3])
ANGLES = tuple(f"wheel_{n}_angle" for n in (1, 2, 3, 4))


@pytest.mark.parametrize("compiled", [True, False])
def test_motors_of_a_block_are_those_of_a_law(compiled):
    body = plant.RigidBody([[12.0, -0.5, 0.3], [-0.5, 10.0, 0.2], [0.3, 0.2, 8.0]])
    asked = plant.Spacecraft(body, elements=WHEELS, torques=plant.TorqueBasis("body", internal=True))
    free = plant.Spacecraft(body, elements=WHEELS)
    C = np.array([wheel.command for wheel in WHEELS])
    damping = controllers.RateDamping(gain=3.0, torques=asked.torques, sample=0.1, delay=0.03)
    start = {"rate": (0.2, -0.1, 0.15), "integrator": "rk4", "step": 0.05, "compiled": compiled}
    native = sim.simulate(asked, damping, duration=5.0, output_step=0.5, **start)
    together = motor(lambda t, y: 3.0 * C @ y, coordinates=ANGLES, sample=0.1, delay=0.03)
    each = [
        motor(lambda t, y, k=k: 3.0 * C[k] @ y, coordinates=name, sample=0.1, delay=0.03, writes=f"m{k}")
        for k, name in enumerate(ANGLES)
    ]
    for blocks in ([together], each):
        run = sim.simulate(free, blocks=blocks, duration=5.0, output_step=0.5, **start)
        np.testing.assert_allclose(run.states, native.states, rtol=0, atol=1e-12)
    told = sim.simulate(free, blocks=[together], duration=5.0, output_step=0.5, **start)
    np.testing.assert_allclose(told.values("motor"), native.values("motor_torque"), rtol=0, atol=1e-14)
    assert told["motor"].attrs["units"] == "N m"


def test_coordinate_torque_adds_to_motor_command():
    asked = plant.Spacecraft(
        plant.RigidBody(HUB), elements=plant.wheel_array(np.eye(3), inertia=0.05, torque_limit=0.05),
        torques=plant.TorqueBasis("body", internal=True),
    )  # fmt: skip
    flown = controllers.RateDamping(gain=0.2, torques=asked.torques, sample=0.1)
    given = {"duration": 1.0, "output_step": 0.1, **START}
    run = sim.simulate(asked, flown, torques=[pulse(0.01, coordinate="wheel_3_angle")], **given)
    command = run.values("command")
    np.testing.assert_allclose(run.values("motor_torque")[:, 2], 0.01 - command[:, 2], rtol=0, atol=1e-15)
    over = sim.simulate(asked, flown, torques=[pulse(0.2, coordinate="wheel_3_angle")], **given)
    np.testing.assert_array_equal(over.values("motor_torque")[:, 2], 0.05)  # their sum is limited once


@pytest.mark.parametrize("by", ["pulse", "block"])
def test_wheel_at_its_limits_gives_what_its_motor_gives(by):
    def fly(size, **wheel):
        acts = {"torques": [pulse(size)]} if by == "pulse" else {"blocks": [motor(lambda t, y: size)]}
        return sim.simulate(spun(**wheel), duration=10.0, output_step=1.0, **acts, **{**START, "step": 0.02})

    one, other = fly(0.5, torque_limit=T), fly(T)
    np.testing.assert_allclose(one.states, other.states, rtol=0, atol=1e-14)  # the ledger includes the applied torque
    np.testing.assert_array_equal(one.values("motor_torque"), T)
    np.testing.assert_array_equal(one.values("motor_demand"), 0.5)
    assert any("wheel was at its torque limit of 0.02 N m" in each for each in one.warnings)
    fast = fly(T, speed_limit=1.0)
    assert 0.99 < fast.values("internal_rate")[-1, 0] <= 1.0
    assert np.abs(fast.values("energy_balance")).max() < 1e-8  # rk4 across the corner at the last hundredth
    assert any("wheel was at its speed limit of 1 rad/s" in each for each in fast.warnings)


def native_and_driven(softly):
    """A spacecraft with springs and dampers, and one without, where a block exerts their torques."""
    off = 0.0 if softly else 1.0
    hub = plant.RigidBody(HUB, mass=50.0)
    modes = {"rotation": [[1.0], [0.4], [0.0]], "displacements": 0.1}
    return plant.Spacecraft(hub, elements=[
        plant.MassSpringDamper(point=(0.3, 0, 0.1), axis=(0, 0, 1), mass=2.0, stiffness=4 * off, damping=0.7 * off,
                               displacement=0.1),
        plant.Pendulum(hinge=(0, 0, 0.2), length=0.3, mass=3.0, direction=(0, 0, -1), stiffness=2 * off,
                       damping=0.2 * off, angle=(0.3, 0.2)),
        plant.FlexibleModes(frequencies=(2.0 if off else 1.0,), damping_ratios=0.05 * off, **modes),
    ])  # fmt: skip


def driving(sample):
    def block(name, function, angles):
        reads = [*angles, *(f"{each}_rate" for each in angles)]
        return motor(function, reads=reads, coordinates=angles, sample=sample, writes=name, name=name)

    def slosh(t, y):
        (a, b), (p, q) = np.sin(y[:2]), np.cos(y[:2])
        return [-2 * a * q - 0.2 * q * q * y[2], -2 * p * b - 0.2 * y[3]]

    return [
        block("spring", lambda t, y: -4 * y[0] - 0.7 * y[1], ["slider_displacement"]),
        block("slosh", slosh, ["pendulum_angle_1", "pendulum_angle_2"]),
        block("panel", lambda t, y: -3 * y[0] - 0.2 * y[1], ["mode_1"]),  # of the 4 of the whole, 1
    ]


def test_spring_damper_of_block_comes_to_native_one_with_its_sample():
    """Held over a sample it lags by half a sample: the difference is of first order and extrapolates to zero."""
    given = {"rate": (0.1, 0.2, 0.05), "duration": 3.0, "output_step": 1.0, "integrator": "rk4"}
    native = sim.simulate(native_and_driven(False), step=0.005, **given)
    bare = native_and_driven(True)
    last = []
    for sample in (0.02, 0.01, 0.005):
        run = sim.simulate(bare, blocks=driving(sample), step=0.005, **given)
        last.append(run.states[-1, :-4])
        assert np.abs(run.values("energy_balance")).max() < 1e-10
        assert np.abs(run.values("momentum_balance")).max() < 1e-10
    assert run["spring"].attrs["units"] == "N"
    assert run["slosh"].attrs["units"] == "N m"
    assert run["panel"].attrs["units"] == "N/kg^0.5"
    off = [np.abs(each - native.states[-1, :-4]).max() for each in last]
    assert off[0] / off[1] == pytest.approx(2.0, abs=0.1)
    assert off[1] / off[2] == pytest.approx(2.0, abs=0.05)
    twice = [2 * fine - coarse for coarse, fine in pairwise(last)]
    line = (4 * twice[1] - twice[0]) / 3  # without the first- and second-order terms
    assert np.abs(line - native.states[-1, :-4]).max() < 1e-2 * off[2]


def test_blocks_are_shown_the_relative_rates():
    rates = {name: f"{name}_rate" for name in native_and_driven(False).layout.coordinates}
    copies = [
        motor(lambda t, y: 0.0 * y, reads=rate, coordinates=name, writes=f"f{n}", sample=0.5)
        for n, (name, rate) in enumerate(rates.items())
    ]
    told = Block(
        lambda t, y: y, reads=tuple(rates.values()), writes={"told": len(rates)}, clock=Clock(0.5), compiled=False
    )
    given = {"rate": (0.1, 0.2, 0.05), "duration": 2.0, "output_step": 0.5, "integrator": "rk4", "step": 0.05}
    run = sim.simulate(native_and_driven(False), blocks=[*copies, told.as_monitor()], **given)
    np.testing.assert_array_equal(run.values("told")[:-1], run.values("internal_rate")[:-1])  # at the end none samples


def test_driven_coordinates_never_meet_a_singular_pose():
    """A port that acts on a coordinate has no pose; the Euler basis of the command has one, and does not act."""
    euler = plant.TorqueBasis("dual-euler", "3-1-3")
    craft = plant.Spacecraft(
        plant.RigidBody(HUB), elements=[plant.Wheel(axis=(0, 0, 1), inertia=JW)], torques=euler
    )  # fmt: skip
    run = sim.simulate(craft, torques=[pulse(T)], duration=4.0, attitude=(1, 0, 0, 0), **START)
    assert run.status == "completed", run.reason
    same = sim.simulate(spun(), torques=[pulse(T)], duration=4.0, attitude=(1, 0, 0, 0), **START)
    np.testing.assert_array_equal(run.states, same.states)


def test_many_runs_are_each_alone():
    craft, acts = spun(friction=0.01), [pulse(T, start=0.3, stop=2.0), plant.TorquePulse((0.1, 0, 0), start=1, stop=2)]
    rates = np.array([(0.1, 0.2, 0.3), (0.0, -0.1, 0.2), (0.3, 0.0, 0.0)])
    many = sim.simulate_batch(
        craft, rate=rates, torques=acts, duration=3.0, output_step=1.0, integrator="rk4", step=0.1
    )
    for n, rate in enumerate(rates):
        one = sim.simulate(craft, rate=rate, torques=acts, duration=3.0, output_step=1.0, integrator="rk4", step=0.1)
        np.testing.assert_array_equal(many[n].states, one.states)


def test_two_control_torques_pulses_and_blocks_each_have_their_place():
    wheels = plant.Spacecraft(
        plant.RigidBody(HUB), elements=plant.wheel_array(np.eye(3), inertia=0.05),
        torques=plant.TorqueBasis("body", internal=True), external=plant.TorqueBasis("body"),
    )  # fmt: skip
    flown = controllers.RateDamping(gain=3.0, torques=wheels.torques, sample=0.1)
    push = plant.TorquePulse((0.1, 0.05, 0), start=0.2, stop=1.5)
    wind = Block(
        lambda t, y: (0, 0.02, 0),
        reads="rate",
        writes={"wind": Signal(role="torque")},
        clock=Clock(0.5),
        compiled=False,
    )
    both = motor(lambda t, y: (0.01, -0.02), coordinates=("wheel_3_angle", "wheel_1_angle"))
    given = {"duration": 2.0, "output_step": 0.5, **START}
    one = sim.simulate(
        wheels, flown, torques=[pulse(0.03, coordinate="wheel_2_angle"), push], blocks=[both, wind], **given
    )
    apart = [
        pulse(0.03, coordinate="wheel_2_angle"),
        pulse(0.01, coordinate="wheel_3_angle"),
        pulse(-0.02, coordinate="wheel_1_angle"),
    ]
    always = plant.TorquePulse((0, 0.02, 0), start=0.0, stop=1e9)
    other = sim.simulate(wheels, flown, torques=[push, *apart, always], **given)
    np.testing.assert_allclose(one.states, other.states, rtol=0, atol=1e-14)


def test_margins_say_that_it_is_not_in_them():
    craft = spun()
    model = craft.linearize(craft.at_rest())
    flown = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    friction = motor(lambda t, y: -y, reads="wheel_angle_rate", sample=0.1)
    margins = flown.margins(model, blocks=[friction])
    assert margins.words == ("motor: the torque that it exerts is not counted",)
    seen = Block(
        lambda t, y: y[:3], reads=("rate", "wheel_angle_rate"), writes="rate", clock=Clock(0.1), compiled=False
    )
    with pytest.raises(plant.InputError, match="reads 'wheel_angle_rate', but a linear model omits the coordinate"):
        flown.margins(model, blocks=[seen])


def test_laws_are_designed_without_it():
    craft = spun()
    model = craft.linearize(craft.at_rest(), coordinates=["wheel_angle"])
    assert model.inputs == ("torque_1", "torque_2", "torque_3", "torque_on_wheel_angle")
    assert model.input_units == ("N m",) * 4
    spinning = craft.linearize(craft.spinning((0, 0, 0.3)), coordinates=["wheel_angle"], outputs=("rate", "internal"))
    np.testing.assert_array_equal(spinning.B[:, 3], [name == "wheel_angle_momentum" for name in spinning.states])
    with pytest.raises(plant.InputError, match=r"inputs beyond the control torque \(torque_on_wheel_angle\)"):
        controllers.lqr(model, attitude=1.0, rate=1.0, effort=1.0, sample=0.1)
    fewer = model.select(inputs=model.inputs[:3])
    law = controllers.lqr(fewer, attitude=1.0, rate=1.0, effort=1.0, sample=0.1)
    native = controllers.lqr(craft.linearize(craft.at_rest()), attitude=1.0, rate=1.0, effort=1.0, sample=0.1)
    np.testing.assert_array_equal(law.parameters, native.parameters)
    for on, words in (
        ("wheel_angle", "coordinates must be a sequence"),
        (["wheel_angle"] * 2, "twice"),
        (["wheel"], "mean"),
    ):
        with pytest.raises(plant.InputError, match=words):
            craft.linearize(craft.at_rest(), coordinates=on)


ARM = {"elements": 2, "direction": (1, 0, 0), "length": 2.0}
SECTION = BeamSection(
    area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, youngs_modulus=7.17e8, shear_modulus=2.68e8,
    density=2.8e3,
)  # fmt: skip


@pytest.mark.parametrize(
    ("elements", "acts", "words"),
    [
        (
            (),
            {"coordinates": "wheel_angle"},
            "no torque or force can act on 'wheel_angle': this spacecraft has no element with a driven",
        ),
        (2, {"coordinates": "wheel_angle"}, "'wheel_angle' is unknown; did you mean 'wheel_[12]_angle'"),
        (1, {"coordinates": "attitude_0"}, "'attitude_0' is unknown"),
        (("arm",), {"coordinates": "arm"}, "can act on 'arm': an arm is clamped to the hub and has no joint"),
        (("arm",), {"coordinates": "arm_node_1_x"}, "can act on 'arm_node_1_x': an arm is clamped"),
        (1, {"coordinates": ("wheel_angle", "wheel_angle")}, "must act on different coordinates, given by name"),
        (1, {"coordinates": 3.0}, "coordinates must be the name of a coordinate"),
        (1, {"coordinates": "wheel_angle", "width": 3}, "a torque on wheel_angle has 1 components; got a width of 3"),
        (1, {"coordinates": "wheel_angle", "unit": "N"}, "a torque or force on wheel_angle must be in N m"),
        (
            ("wheel", "slider"),
            {"coordinates": ("wheel_angle", "slider_displacement")},
            "wheel_angle takes N m, slider_disp",
        ),
    ],
)
def test_coordinate_torque_refuses_bad_input(elements, acts, words):
    made = {
        "wheel": plant.Wheel(axis=(0, 0, 1), inertia=JW),
        "slider": plant.MassSpringDamper(point=(0, 0, 0), axis=(0, 0, 1), mass=1.0),
        "arm": Arm(section=SECTION, **ARM),
    }
    names = ("wheel",) * elements if isinstance(elements, int) else elements
    craft = plant.Spacecraft(plant.RigidBody(HUB, mass=50.0), elements=[made[name] for name in names])
    with pytest.raises(plant.InputError, match=words):
        sim.simulate(craft, blocks=[motor(lambda t, y: 0.0, **acts)], duration=1.0)


def test_element_that_does_not_say_so_takes_none():
    class Sealed(plant.Wheel):
        driven = ()

    craft = plant.Spacecraft(plant.RigidBody(HUB), elements=[Sealed(axis=(0, 0, 1), inertia=JW)])
    with pytest.raises(plant.InputError, match="act on 'wheel_angle': Sealed does not have it in `driven`"):
        sim.simulate(craft, torques=[pulse(T)], duration=1.0)


def test_formulation_has_no_place_for_it():
    ring = plant.RingDamper(axis=(0, 0, 1), mass=0.1, radius=0.5, friction=0.1)
    craft = plant.Spacecraft(plant.RigidBody(HUB, mass=10.0, pivot=(0, 0, 0)), elements=[ring])
    with pytest.raises(plant.InputError, match="'published-ring' cannot include the torque or force on 'ring_angle'"):
        sim.simulate(craft, torques=[pulse(T, coordinate="ring_angle")], formulation=PublishedRing(), duration=1)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"components": (1, 2, 3)}, "torque or force on wheel_angle must be"),
        ({"components": np.nan}, "torque or force on wheel_angle must be"),
        ({"basis": plant.TorqueBasis()}, "it has no basis"),
        ({"euler_rate_damping": (1, 0, 0)}, "no damping of the Euler rates"),
        ({"coordinate": 3}, "coordinate must be the name of a coordinate"),
        ({"coordinate": ""}, "torque components must be 3 numbers"),
    ],
)
def test_pulse_on_coordinate_is_one_number(keys, words):
    with pytest.raises(plant.InputError, match=words):
        plant.TorquePulse(**{"components": 0.1, "coordinate": "wheel_angle", "start": 0, "stop": 1, **keys})
