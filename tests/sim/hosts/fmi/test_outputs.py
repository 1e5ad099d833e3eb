"""Outputs of a loop with sensors, an estimator and wheels: bitwise equal to the native run at every sample."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import sensors
from polhode.controllers.sensing.estimators import MEKF
from polhode.sim.codegen.toolchain import c_compiler
from polhode.sim.hosts.fmi.export import flown_unit
from polhode.sim.hosts.fmi.variables import Variable, variables_of

from ....battery.laws.test_laws import LAWS, SAMPLE, at
from .library import Instance, load

WHEELS = plant.wheel_array([(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)], inertia=0.05, torque_limit=0.02)
CRAFT = plant.Spacecraft(
    plant.RigidBody((4.0, 3.0, 2.5)), elements=WHEELS, torques=plant.TorqueBasis("body", internal=True)
)
LAW = controllers.quaternion_feedback(CRAFT, frequency=0.3, damping_ratio=0.8, sample=0.1)
START = {"attitude": (0.9, 0.3, 0.3, 0.1), "rate": (0.02, -0.01, 0.015)}
GYRO, TRACKER = (
    sensors.RateGyro(angle_random_walk=1e-5, rate_random_walk=1e-8, bias=1e-4),
    sensors.StarTracker(noise=2e-5, roll_noise=2e-4, delay=0.2),
)


def flight() -> dict[str, Any]:
    gyro, tracker = GYRO.block(sample=0.1), TRACKER.block(sample=0.2)
    known = {"attitude": START["attitude"], "attitude_sigma": 0.01, "bias_sigma": 1e-4}
    made = MEKF(1e-5, 1e-8).block(gyro, [(TRACKER, tracker)], **known)
    return {"duration": 3.0, **START, "integrator": "rk4", "step": 0.1, "seed": 7, "blocks": (gyro, tracker, made)}


def variables(**keys: Any) -> dict[str, Variable]:
    return {each.name: each for each in variables_of(flown_unit(CRAFT, LAW, flight(), **keys))}


def test_loops_offer_estimate_measurements_errors_and_wheels() -> None:
    found = variables()
    units = {
        "gyro_x": "rad/s", "gyro_valid": "1", "gyro_time": "s", "star_tracker_0": "1", "attitude_for_law_3": "1",
        "rate_for_law_z": "rad/s", "bias_y": "rad/s", "attitude_sigma_x": "rad", "attitude_error": "rad",
        "error_vector_y": "rad", "wheel_4_angle_rate": "rad/s", "wheel_4_motor_demand": "N m",
        "law_stiffness_1_2": "N m", "law_damping_1_1": "N m s/rad",
    }  # fmt: skip
    assert {name: found[name].unit for name in units} == units
    assert all(found[name].causality == "output" for name in units if not name.startswith("law_"))
    assert len({each.reference for each in found.values()}) == len(found)
    only_law = variables(law_alone=True)
    assert {"gyro_x", "attitude_for_law_0"} <= {*only_law}
    assert not {"attitude_error", "wheel_4_angle_rate", "energy"} & {*only_law}


@pytest.mark.parametrize("kind", LAWS)
def test_law_parameters_have_units(kind: str) -> None:
    """The same for every law; the states of a compensator of more than past commands have separate coordinates."""
    craft, state, _ = at("bare")
    law: Any = LAWS[kind](craft, craft.linearize(state), sample=SAMPLE)
    units = law.scalar_units()
    with_states = {"lqi", "lqg", "lqgi", "disturbance observer", "gain schedule"}
    free = ("A_", "B_", "C_") if kind in with_states else ("-",)
    names = [name for name in law.scalars() if not units.get(name)]
    assert [name for name in names if not re.sub(r"^point_\d+_", "", name).startswith(free)] == []


@pytest.mark.slow  # compiling a library takes some seconds
@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
def test_outputs_are_those_of_the_native_run(tmp_path: Path) -> None:
    library, model, unit = load(tmp_path, CRAFT, LAW, flight())
    known = {each.name: each.reference for each in variables_of(unit)}
    one = Instance(library, model.token, fmi=3, exchange=False).reach("step")
    run = sim.simulate(CRAFT, LAW, **flight(), output_step=0.1)
    rows: list[list[float]] = [one.get(*known.values())]
    for k in range(30):
        assert one.step(0.1 * k, 0.1) == 0
        rows.append(one.get(*known.values()))
    found = dict(zip(known, np.transpose(rows), strict=True))
    at_samples = [int(np.flatnonzero(np.abs(run.t - 0.1 * k) < 1e-9)[-1]) for k in range(30)]

    def same(quantity: str, *names: str) -> None:
        native = np.reshape(run.values(quantity)[at_samples], (30, -1))
        assert np.array_equal(np.column_stack([found[name][:30] for name in names]), native), quantity
        assert np.ptp(native) > 0.0, quantity

    for name in CRAFT.layout.names:
        column = CRAFT.layout.names.index(name)
        assert np.array_equal(found[name][:30], run.states[at_samples, column])
    same("gyro", *(f"gyro_{each}" for each in ("x", "y", "z", "valid", "time")))
    same("star_tracker", *(f"star_tracker_{each}" for each in ("0", "1", "2", "3", "valid", "time")))
    same("attitude_for_law", *(f"attitude_for_law_{n}" for n in range(4)))
    same("bias", *(f"bias_{axis}" for axis in "xyz"))
    same("attitude_error", "attitude_error")
    same("error_vector", *(f"error_vector_{axis}" for axis in "xyz"))
    same("motor_torque", *(f"wheel_{n}_motor_torque_out" for n in range(1, 5)))
    same("internal_rate", *(f"wheel_{n}_angle_rate" for n in range(1, 5)))
