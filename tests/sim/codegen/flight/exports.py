"""Everything that can be exported as flight code, one of each kind: laws, blocks, estimators, modes, allocation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from polhode import controllers, plant
from polhode.controllers import blocks

from ....battery.laws.test_laws import LAWS, SAMPLE, at
from ....battery.sensing.test_sensing import CRAFTS, ESTIMATORS, START, before

Export = tuple[plant.Spacecraft, Any, dict[str, Any], str]

CRAFT = plant.Spacecraft(plant.RigidBody((400, 300, 200)), torques=plant.TorqueBasis("body", limit=0.5))
FLIGHT = {"duration": 3.0, "attitude": (0.9, 0.3, -0.3, 0.1), "integrator": "rk4", "step": 0.1}
RATE = {"reads": "rate", "writes": "rate", "sample": 0.1}
BLOCKS = {
    "low pass": lambda: blocks.low_pass(frequency=2.0, order=2, **RATE),
    "state space": lambda: blocks.state_space([[0.5, 0.0], [0.1, 0.2]], [0.5, 0.0], C=[1.0, 0.0], D=0.1, **RATE),
    "transfer function": lambda: blocks.transfer_function([1.0], [0.2, 1.0], **RATE),
    "late": lambda: blocks.delay(delay=0.03, **RATE),
    "rounded": lambda: blocks.quantizer(step=1e-3, **RATE),
    "limited": lambda: blocks.rate_limiter(rate=0.5, **RATE),
}


def law(kind: str) -> Export:
    craft, state, reference = at("bare")
    made = LAWS[kind](craft, craft.linearize(state), sample=SAMPLE, delay=0.04)
    start = craft.state(attitude=(0.9, 0.3, -0.3, 0.1), rate=(0.01, 0.02, -0.01))
    return craft, made, {"duration": 4.0, "state": start, "reference": reference, "integrator": "rk4", "step": 0.02}, ""


def block(kind: str) -> Export:
    made = BLOCKS[kind]()
    feedback = controllers.quaternion_feedback(CRAFT, frequency=0.5, damping_ratio=0.8, sample=0.1)
    return CRAFT, feedback, {**FLIGHT, "blocks": (made,)}, made.name


def estimator(kind: str) -> Export:
    craft = CRAFTS["wheels"]()
    every = before(craft, kind)
    name = next(each.name for each in every if each.attitude_estimate)
    feedback = controllers.quaternion_feedback(craft, frequency=0.2, damping_ratio=0.8, sample=0.1)
    flight = {"duration": 4.0, **START, "blocks": tuple(every), "integrator": "rk4", "step": 0.05, "seed": 3}
    return craft, feedback, flight, name


def modes(of: str) -> Export:
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
    model = craft.linearize(craft.at_rest())
    first = controllers.RateDamping(gain=1.0, sample=0.1)
    second = controllers.lqi(model, attitude=1.0, rate=1.0, integral=0.1, effort=1.0, sample=0.1)
    later = controllers.Transition("b", controllers.Condition("elapsed", above=1.0))
    both = controllers.Modes(
        [controllers.Mode("a", first, transitions=later), controllers.Mode("b", second, final=True)]
    )
    made = both.block(())
    flight = {"duration": 3.0, "rate": (0.02, -0.01, 0.03), "blocks": (made,), "step": 0.1}
    return craft, both, flight, made.name if of == "block" else ""


def allocation(kind: str) -> Export:
    a = 3**-0.5
    axes = [(a, a, a), (-a, a, a), (-a, -a, a), (a, -a, a)]
    wheels = plant.wheel_array(axes, inertia=0.05, torque_limit=0.2, allocation=kind)
    body, torques = plant.RigidBody((400, 300, 200)), plant.TorqueBasis("inertial", internal=True)
    craft = plant.Spacecraft(body, elements=wheels, torques=torques)
    feedback = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    flight = {**FLIGHT, "blocks": (controllers.wheel_shares(craft, sample=0.1),)}
    return craft, feedback, flight, "allocation"


def both_ports(_: str) -> Export:
    craft = plant.Spacecraft(
        plant.RigidBody((400, 300, 200)),
        elements=plant.wheel_array(np.eye(3), inertia=0.05, torque_limit=0.2),
        torques=plant.TorqueBasis("body", internal=True),
        external=plant.TorqueBasis("body", limit=0.125),
    )
    feedback = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    made = controllers.Modes([controllers.Mode("point", feedback, actuators="wheels", unload=5.0, final=True)])
    return craft, made, {**FLIGHT, "blocks": (made.block(()),)}, ""


MAKERS: dict[str, tuple[Callable[[str], Export], tuple[str, ...]]] = {
    "law": (law, tuple(kind for kind in LAWS if kind != "own plain")),
    "block": (block, tuple(BLOCKS)),
    "estimator": (estimator, tuple(ESTIMATORS)),
    "modes": (modes, ("law", "block")),
    "allocation": (allocation, ("pseudo-inverse", "min-max")),
    "ports": (both_ports, ("two",)),
}
EXPORTS = {f"{of} {kind}": (maker, kind) for of, (maker, kinds) in MAKERS.items() for kind in kinds}
