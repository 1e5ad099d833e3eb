"""Frozen models cannot be changed through their arrays."""

import copy
import dataclasses
import importlib
import pickle
import pkgutil
from typing import Any

import numpy as np
import pytest

import polhode.controllers
import polhode.plant
import polhode.scenarios
import polhode.sim
from polhode import controllers, plant, sim
from polhode.plant.attitude.free_motion import FreeMotion
from polhode.plant.flexible import Arm, BeamSection, modes_of, reduce_craft
from polhode.plant.formulations import RotationModel

ROOMS = (polhode.plant, polhode.controllers, polhode.sim, polhode.scenarios)


def frozen_dataclasses() -> list[type]:
    found: set[type] = set()
    for room in ROOMS:
        for module in pkgutil.walk_packages(room.__path__, room.__name__ + "."):
            for thing in vars(importlib.import_module(module.name)).values():
                if isinstance(thing, type) and dataclasses.is_dataclass(thing):
                    found.add(thing)
    return sorted((c for c in found if c.__dataclass_params__.frozen), key=lambda c: (c.__module__, c.__qualname__))  # type: ignore[attr-defined]


HOLDING = [
    cls
    for cls in frozen_dataclasses()
    if any(
        word in str(field.type).replace("c99.kinds.Array", "").replace("LoopArrays", "")  # arguments in C
        for field in dataclasses.fields(cls)
        if "Callable" not in str(field.type)  # contains arrays, but is none itself
        for word in ("Array", "ndarray")
    )
]


@pytest.mark.parametrize("cls", HOLDING, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_every_frozen_dataclass_with_arrays_locks_them(cls: type) -> None:
    assert "__setstate__" in vars(cls), f"{cls.__name__} holds arrays: put @frozen_arrays above its @dataclass"


def writable(thing: Any, where: str, seen: set[int]) -> list[str]:
    """Paths to writable arrays through the fields of dataclasses, tuples, lists and dicts."""
    if id(thing) in seen:
        return []
    seen.add(id(thing))
    if isinstance(thing, np.ndarray):
        return [where] if thing.flags.writeable else []
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        parts = [(f".{field.name}", getattr(thing, field.name)) for field in dataclasses.fields(thing)]
    elif isinstance(thing, dict):
        parts = [(f"[{key!r}]", item) for key, item in thing.items()]
    elif isinstance(thing, tuple | list):
        parts = [(f"[{n}]", item) for n, item in enumerate(thing)]
    else:
        return []
    return [place for name, item in parts for place in writable(item, where + name, seen)]


def models() -> dict[str, Any]:
    hub = plant.RigidBody((4, 3, 2), mass=5.0)
    wheels = plant.wheel_array(axes=np.eye(3), inertia=0.01, torque_limit=0.1, speed_limit=600.0)
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)), torques=plant.TorqueBasis("body", limit=1.0))
    model = craft.linearize(craft.at_rest())
    lqr = controllers.lqr(model, attitude=2.0, rate=1.0, effort=1.0, sample=0.1)
    beam = BeamSection(
        area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, youngs_modulus=7.17e10, shear_modulus=2.68e10,
        density=2.8e3,
    )  # fmt: skip
    arm = Arm(section=beam, length=2.0, elements=2, direction=(1, 0, 0), root=(0.1, 0, 0))
    flexible = plant.Spacecraft(hub, elements=[arm])
    found: dict[str, Any] = {
        "springs and weight": plant.Spacecraft(
            hub,
            potentials=[
                plant.Spring(body_point=(0, 0, 1), inertial_point=(0, 1, 2), stiffness=5.0),
                plant.GuidedSpring(body_point=(0, 0, 1), direction=(0, 1, 2), stiffness=5.0),
                plant.UniformGravity((0, 0, -9.81)),
            ],
            user_forces=[plant.UserForce(lambda t, e, omega, c, v: (0.0,) * 6, breakpoints=(1.0,))],
            translation=True,
        ),
        "orbit": plant.Spacecraft(
            hub, potentials=[plant.GravityGradient(mu=1.0, position=(1, 0, 0), velocity=(0, 1, 0))], elements=wheels
        ),
        "elements": plant.Spacecraft(
            hub,
            elements=[
                plant.Pendulum(hinge=(0, 0, 1), length=0.3, mass=0.2, direction=(0, 0, 1)),
                plant.MassSpringDamper(point=(0.4, 0, 0), axis=(0, 0, 1), mass=0.2, stiffness=3.0),
                plant.RingDamper(axis=(0, 0, 1), mass=0.05, radius=0.5, center=(0, 0, 0.3), fill=2.0, friction=0.2),
            ],
        ),
        "model": model,
        "rotation": RotationModel("newton-euler", (4, 3, 2)),
        "equilibria": plant.spin_equilibria(craft, momentum=1.0),
        "motion": FreeMotion((4, 3, 2), rate=(0.4, 0.1, -0.2)),
        "arms": (flexible, modes_of(flexible), reduce_craft(flexible, modes=2)),
        "lqg": controllers.lqg(
            model, attitude=2.0, rate=1.0, effort=1.0, torque_noise=1e-3, attitude_noise=1e-3, sample=0.1
        ),
        "pulse": plant.TorquePulse((1, 0, 0), start=0.0, stop=1.0),
        "lqr": lqr,
        "margins": lqr.margins(),
        "quaternion": controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.7, sample=0.1),
        "references": (
            controllers.FixedReference(),
            controllers.SpinReference(rate=(0, 0, 0.1)),
            controllers.CustomReference(lambda t, q, r: r.__setitem__(slice(None), np.eye(10)[0]), parameters=(1.0,)),
        ),
        "run": sim.simulate(craft, lqr, rate=(0.1, 0, 0), duration=0.5, compiled=False),
        "formulation": sim.simulate(
            plant.Spacecraft(plant.RigidBody((4, 3, 2))),
            rate=(0.1, 0, 1),
            duration=0.5,
            compiled=False,
            formulation="newton-euler",
        ),
    }
    return found


def test_frozen_model_cannot_be_written_into() -> None:
    found = [place for name, thing in models().items() for place in writable(thing, name, set())]
    assert found == []


@pytest.mark.parametrize("pivot", [None, (0.0, 0.0, -1.0)])
def test_body_inertia_is_read_only(pivot: tuple[float, ...] | None) -> None:
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=1.0, pivot=pivot))
    with pytest.raises(ValueError, match="read-only"):
        craft.body.inertia[0, 0] = -5.0


def test_arrays_of_caller_stay_writable_and_are_copied() -> None:
    inertia = np.diag((4.0, 3.0, 2.0))
    body = plant.RigidBody(inertia)
    inertia[0, 0] = 1.0  # writable, but a copy
    assert body.inertia[0, 0] == 4.0
    model = plant.Spacecraft(body).linearize(np.array((0, 0, 0, 1.0, 0, 0, 0)))
    A = model.A.copy()
    other = dataclasses.replace(model, A=A)
    A[0, 0] = 7.0
    assert other.A[0, 0] == 0.0


@pytest.mark.parametrize("again", [copy.deepcopy, copy.copy, lambda thing: pickle.loads(pickle.dumps(thing))])
def test_copies_are_frozen_too(again: Any) -> None:
    body = again(plant.RigidBody((4, 3, 2), mass=1.0, pivot=(0, 0, 1)))
    assert writable(body, "body", set()) == []
    np.testing.assert_array_equal(body.inertia, np.diag((5.0, 4.0, 2.0)))
