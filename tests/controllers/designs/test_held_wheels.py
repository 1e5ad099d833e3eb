"""Every design with wheels that motors hold at a bias speed: the nonlinear run follows the linear loop."""

from itertools import product

import control
import numpy as np
import pytest

from polhode import controllers, plant
from polhode.sim.analysis.overlay import overlay

J = np.array([[40.0, 1.0, -0.5], [1.0, 30.8, 0.7], [-0.5, 0.7, 20.0]])
AXES = np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [1.0, -1.0, 1.0]]) / np.sqrt(3.0)
TURN = np.array([1.0, -0.5, 1.0])
WEIGHTS = {"attitude": 25.0, "rate": 1.0, "effort": 1.0, "sample": 0.1}
NOISE = {"torque_noise": 1e-3, "attitude_noise": 1e-4}
WALK = {**NOISE, "torque_walk": 1e-3}
POLES = -0.3 - 0.01 * np.arange(6)
GAIN = control.ss([], [], [], np.hstack((np.eye(3), 12.0 * np.eye(3))))


def pid(model):
    return controllers.pid(model, frequency=0.1, damping_ratio=0.7, sample=0.1)


def robust(model, **more):
    pytest.importorskip("slycot")
    return controllers.mixed_sensitivity(model, bandwidth=0.2, sample=0.1, **more)


DESIGNS = {
    "lqr": lambda craft, model: controllers.lqr(model, **WEIGHTS),
    "lqr, delay": lambda craft, model: controllers.lqr(model, **WEIGHTS, delay=0.13),
    "lqr, continuous": lambda craft, model: controllers.lqr(model, **WEIGHTS, method="continuous"),
    "lqr, measured": lambda craft, model: controllers.lqr(model, **WEIGHTS, internal="measured"),
    "lqi": lambda craft, model: controllers.lqi(model, **WEIGHTS, integral=0.1),
    "lqi, measured": lambda craft, model: controllers.lqi(model, **WEIGHTS, integral=0.1, internal="measured"),
    "lqg": lambda craft, model: controllers.lqg(model, **WEIGHTS, **NOISE),
    "lqg, locked": lambda craft, model: controllers.lqg(model, **WEIGHTS, **NOISE, internal="locked"),
    "lqgi": lambda craft, model: controllers.lqgi(model, **WEIGHTS, **NOISE, integral=0.1),
    "pole placement": lambda craft, model: controllers.pole_placement(model, poles=POLES, sample=0.1),
    "pid": lambda craft, model: pid(model),
    "roll-off": lambda craft, model: controllers.filtered(pid(model), controllers.roll_off(6.0)),
    "disturbance observer": lambda craft, model: controllers.disturbance_observer(model, **WEIGHTS, **WALK),
    "disturbance observer, locked": lambda craft, model: controllers.disturbance_observer(
        model, **WEIGHTS, **WALK, internal="locked"
    ),
    "H-infinity": lambda craft, model: robust(model),
    "H-infinity, locked": lambda craft, model: robust(model, internal="locked"),
    "H2": lambda craft, model: robust(model, norm="h2"),
    "system": lambda craft, model: controllers.law_from_system(GAIN, model, sample=0.1),
    "quaternion feedback": lambda craft, model: controllers.quaternion_feedback(
        craft, frequency=0.2, damping_ratio=0.7, sample=0.1
    ),
    "sliding mode": lambda craft, model: controllers.SlidingMode(
        inertia=model.inertia, slope=0.1, reach=0.5, boundary_layer=0.05, sample=0.1
    ),
    "energy shaping": lambda craft, model: controllers.EnergyShaping(
        inertia=model.inertia, stiffness=1.0, damping=12.0, sample=0.1
    ),
}
FRICTION = {
    "none": {},
    "viscous": {"friction": 1e-3},
    "Coulomb": {"coulomb": 1e-3},
    "both": {"friction": 1e-4, "coulomb": 1e-3},
}
SPEEDS = {
    "0": (0.0,) * 4,
    "100": (100.0,) * 4,
    "-100": (-100.0,) * 4,
    "mixed": (100.0, -100.0, 50.0, 0.0),
    "near zero": (0.05, -0.02, 0.1, 0.01),
}
ARRAYS = {"three": np.eye(3), "four": AXES}
FAST = {("lqr", "both", "mixed", "four"), ("disturbance observer", "viscous", "100", "three")}


def held(speeds, axes, **friction):
    wheels = plant.wheel_array(axes, inertia=0.05, torque_limit=50.0, relative_rates=speeds[: len(axes)], **friction)
    return plant.Spacecraft(plant.RigidBody(J), elements=wheels)


def one_wheel(speed, **friction):
    """A momentum wheel held by its motor, with external torque."""
    wheel = plant.Wheel(axis=(0.0, 0.6, 0.8), inertia=0.05, torque_limit=50.0, relative_rate=speed, **friction)
    return plant.Spacecraft(plant.RigidBody(J), elements=[wheel])


def check(craft, design):
    """The law is stable with margins, and the run differs from its loop only by second order in the motion."""
    law = DESIGNS[design](craft, model := craft.linearize(craft.at_rest()))
    margins = law.loop(model).margins()
    assert margins.gain_up > 1.0
    assert all("where dry friction changes its sign" in words for words in margins.words)  # the motion is small
    assert abs(margins.closed_loop_poles[0]) < 1.0
    off = []
    for size in (1e-6, 1e-7):
        compared = overlay(craft, law, duration=20.0, error=size * TURN, rate=0.1 * size * TURN)
        off.append(max(compared.difference(name) for name in ("error_vector", "rate")))
    assert off[0] < 2e-3  # Coulomb friction is nonlinear within 0.1 rad/s of a wheel, which is 1e-6 rad of the hub
    assert off[1] < max(0.15 * off[0], 1e-6)


@pytest.mark.parametrize(
    ("design", "friction", "speeds", "array"),
    [
        pytest.param(*each, marks=[] if each in FAST else [pytest.mark.slow])
        for each in product(DESIGNS, FRICTION, SPEEDS, ARRAYS)
    ],
)
def test_design_on_held_wheels(design, friction, speeds, array):
    check(held(SPEEDS[speeds], ARRAYS[array], **FRICTION[friction]), design)


@pytest.mark.slow
@pytest.mark.parametrize("speed", [0.0, 100.0, -100.0, 0.05])
@pytest.mark.parametrize("friction", FRICTION)
@pytest.mark.parametrize("design", DESIGNS)
def test_design_on_one_held_wheel(design, friction, speed):
    check(one_wheel(speed, **FRICTION[friction]), design)
