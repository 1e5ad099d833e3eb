"""Mistakes in a call are reported in polhode's words: the message names the argument, not an internal error."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import control as ct
import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.errors import InputError, PolhodeError

CRAFT = plant.Spacecraft(plant.RigidBody((12.0, 10.0, 8.0)), torques=plant.TorqueBasis("body", limit=1.0))
MODEL = CRAFT.linearize(CRAFT.at_rest())
WEIGHTS = {"attitude": 1.0, "rate": 1.0, "effort": 1.0}
LAW = controllers.lqr(MODEL, **WEIGHTS, sample=0.1)
REST = controllers.FixedReference((1, 0, 0, 0))
LOOP = controllers.open_loop(LAW.loop())
AXES = np.array([[1.0, 1, 1], [-1, 1, 1], [-1, -1, 1], [1, -1, 1]])
POLES = (-0.1, -0.11, -0.12, -0.13, -0.14, -0.15)
EULER = plant.TorqueBasis("euler", sequence="3-1-3")
GAINS = {"stiffness": np.eye(3), "damping": np.eye(3)}


def filtered_once(law: Any, each: Any) -> Any:
    """One filter, by name."""
    return controllers.filtered(law, each)


CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "lqr": (controllers.lqr, {"model": MODEL, **WEIGHTS, "sample": 0.1, "delay": 0.05}),
    "lqi": (controllers.lqi, {"model": MODEL, **WEIGHTS, "integral": 0.1, "sample": 0.1, "delay": 0.0}),
    "lqg": (
        controllers.lqg,
        {"model": MODEL, **WEIGHTS, "torque_noise": 1e-3, "attitude_noise": 1e-4, "rate_noise": 1e-4, "sample": 0.1},
    ),
    "lqgi": (
        controllers.lqgi,
        {
            "model": MODEL,
            **WEIGHTS,
            "integral": 0.1,
            "torque_noise": 1e-3,
            "attitude_noise": 1e-4,
            "rate_noise": 1e-4,
            "sample": 0.1,
        },
    ),
    "disturbance_observer": (
        controllers.disturbance_observer,
        {
            "model": MODEL,
            **WEIGHTS,
            "torque_noise": 1e-3,
            "torque_walk": 1e-3,
            "attitude_noise": 1e-4,
            "rate_noise": 1e-4,
            "sample": 0.1,
        },
    ),
    "pid": (
        controllers.pid,
        {"model": MODEL, "frequency": 0.1, "damping_ratio": 0.7, "sample": 0.1, "integral_time": 60.0},
    ),
    "pole_placement": (controllers.pole_placement, {"model": MODEL, "poles": POLES, "sample": 0.1}),
    "quaternion_feedback": (
        controllers.quaternion_feedback,
        {"craft": CRAFT, "frequency": 0.1, "damping_ratio": 0.7, "sample": 0.1, "delay": 0.0},
    ),
    "from_gain": (
        controllers.LinearFeedback.from_gain,
        {"gain": LAW.gain, "model": MODEL, "sample": 0.1, "delay": 0.0},
    ),
    "LinearFeedback": (
        controllers.LinearFeedback,
        {"compensator": LAW.compensator, "model": MODEL, "sample": 0.1, "delay": 0.0},
    ),
    "QuaternionFeedback": (
        controllers.QuaternionFeedback,
        {"inertia": np.diag((12.0, 10.0, 8.0)), **GAINS, "sample": 0.1, "torques": CRAFT.torques},
    ),
    "EnergyShaping": (controllers.EnergyShaping, {"inertia": np.diag((12.0, 10.0, 8.0)), **GAINS, "sample": 0.1}),
    "RateDamping": (controllers.RateDamping, {"gain": 1.0, "sample": 0.1}),
    "SlidingMode": (
        controllers.SlidingMode,
        {"inertia": np.diag((12.0, 10.0, 8.0)), "slope": 0.2, "reach": 0.8, "boundary_layer": 0.02, "sample": 0.1},
    ),
    "OnOffThrusters": (
        controllers.OnOffThrusters,
        {"torque": 1.0, "deadband": 0.01, "hysteresis": 0.002, "lead": 1.0, "sample": 0.02},
    ),
    "SpinPrecession": (
        controllers.SpinPrecession,
        {"torque": (1, 0, 0), "axis": (0, 0, 1), "arc": 0.7, "deadband": 0.01, "lead": 0.01, "sample": 0.02},
    ),
    "CustomLaw": (controllers.CustomLaw, {"function": lambda t, x: np.zeros(3), "sample": 0.1, "compiled": False}),
    "FixedReference": (controllers.FixedReference, {"attitude": (1, 0, 0, 0)}),
    "SpinReference": (controllers.SpinReference, {"attitude": (1, 0, 0, 0), "rate": (0, 0, 0.1)}),
    "EigenaxisSlew": (
        controllers.EigenaxisSlew,
        {"start": (1, 0, 0, 0), "end": (0.6, 0.8, 0, 0), "rate_limit": 0.1, "acceleration_limit": 0.01},
    ),
    "SpinUp": (controllers.SpinUp, {"attitude": (1, 0, 0, 0), "rate": (0, 0, 0.1), "acceleration": 0.01}),
    "NadirPointing": (
        controllers.NadirPointing,
        {
            "position": (7e6, 0, 0),
            "velocity": (0, 7.5e3, 0),
            "mu": 3.986e14,
            "boresight": (0, 0, 1),
            "clock": (1, 0, 0),
        },
    ),
    "pointing_attitude": (
        controllers.pointing_attitude,
        {"boresight": (0, 0, 1), "target": (1, 0, 0), "clock": (1, 0, 0), "clock_target": (0, 1, 0)},
    ),
    "WheelAllocation": (controllers.WheelAllocation, {"axes": AXES, "limit": 0.1, "method": "min-max"}),
    "Compensator": (controllers.Compensator.static, {"gain": np.zeros((3, 6))}),
    "notch": (controllers.notch, {"frequency": 6.0, "width": 1.0, "depth": 0.0}),
    "roll_off": (controllers.roll_off, {"frequency": 6.0}),
    "filtered": (filtered_once, {"law": LAW, "each": controllers.roll_off(3.0)}),
    "law_from_system": (
        controllers.law_from_system,
        {"system": ct.ss([], [], [], np.hstack((-np.eye(3), -5.0 * np.eye(3))), 0.1), "model": MODEL, "sample": 0.1},
    ),
    "sampled_craft": (
        sim.sampled_craft,
        {"craft": CRAFT, "sample": 0.1, "delay": 0.0, "torques": (), "integrator": "rk4", "step": 0.05},
    ),
    "open_loop": (controllers.open_loop, {"loop": LAW.loop(), "at": "input"}),
    "disk_margins": (controllers.disk_margins, {"opened": LOOP}),
    "sensitivity_peaks": (controllers.sensitivity_peaks, {"opened": LOOP}),
    "loop_modes": (controllers.loop_modes, {"poles": (0.9, 0.5), "sample": 0.1}),
    "step_response": (controllers.step_response, {"loop": LAW.loop(), "duration": 10.0}),
    "analyse": (controllers.analyse, {"law": LAW, "model": MODEL}),
    "plant_fingerprint": (controllers.plant_fingerprint, {"model": MODEL}),
    "save_law": (controllers.save_law, {"law": LAW, "path": "/nowhere/law.toml", "model": MODEL}),
    "load_law": (controllers.load_law, {"path": "/nowhere/law.toml", "model": MODEL}),
    "RigidBody": (plant.RigidBody, {"inertia": (3, 2, 1), "mass": 1.0}),
    "Spacecraft": (
        plant.Spacecraft,
        {"body": plant.RigidBody((3, 2, 1)), "torques": plant.TorqueBasis(), "elements": (), "potentials": ()},
    ),
    "craft.state": (
        CRAFT.state,
        {"attitude": (1, 0, 0, 0), "rate": (0, 0, 0.1), "internal": None, "internal_rate": None},
    ),
    "craft.linearize": (CRAFT.linearize, {"x": CRAFT.at_rest(), "outputs": ("attitude", "rate")}),
    "TorqueBasis": (plant.TorqueBasis, {"name": "body", "limit": 1.0}),
    "TorquePulse": (plant.TorquePulse, {"components": (1, 0, 0), "start": 0.0, "stop": 1.0, "basis": CRAFT.torques}),
    "Wheel": (plant.Wheel, {"axis": (0, 0, 1), "inertia": 0.1, "friction": 0.0, "relative_rate": 1.0}),
    "RingDamper": (
        plant.RingDamper,
        {"axis": (0, 0, 1), "mass": 1.0, "radius": 0.3, "friction": 0.1},
    ),
    "wheel_array": (plant.wheel_array, {"axes": AXES, "inertia": 0.02}),
    "Spring": (
        plant.Spring,
        {"body_point": (0, 0, 1), "inertial_point": (0, 0, 2), "stiffness": 1.0, "natural_length": 0.5},
    ),
    "UniformGravity": (plant.UniformGravity, {"g": (0, 0, -9.81)}),
    "GravityGradient": (
        plant.GravityGradient,
        {"mu": 3.986e14, "position": (7e6, 0, 0), "velocity": (0, 7.5e3, 0)},
    ),
    "spin_equilibria": (plant.spin_equilibria, {"craft": CRAFT, "rate": 1.0}),
    "singularity": (plant.singularity, {"basis": EULER, "attitude": (0.6, 0.8, 0, 0), "components": (1, 0, 0)}),
    "simulate": (
        sim.simulate,
        {
            "craft": CRAFT,
            "law": LAW,
            "state": CRAFT.at_rest(),
            "reference": REST,
            "torques": (),
            "duration": 0.2,
            "output_step": 0.1,
            "integrator": "rk4",
            "step": 0.1,
            "output_times": None,
        },
    ),
    "confirm_margins": (sim.confirm_margins, {"craft": CRAFT, "law": LAW, "state": CRAFT.at_rest(), "model": MODEL}),
    "loop": (LAW.loop, {"model": MODEL, "delay": 0.0}),
    "delay_sweep": (sim.delay_sweep, {"model": MODEL, "law": LAW, "delays": (0.0, 0.1)}),
}

SYSTEM = MODEL.to_control()
WRONG: dict[str, Any] = {
    "None": None,
    "text": "x",
    "true": True,
    "nan": float("nan"),
    "inf": float("inf"),
    "negative": -1.0,
    "zero": 0.0,
    "huge": 1e308,
    "complex": 1j,
    "empty": (),
    "two": (1.0, 2.0),
    "nan vector": (0.0, float("nan"), 0.0),
    "matrix 2x2": np.eye(2),
    "booleans": np.array([True, False, True]),
    "texts": np.array(["a", "b", "c"]),
    "objects": np.array([None, 1, 2]),
    "ragged": [[1.0, 2.0], [3.0]],
    "table": {"a": 1},
    "object": object(),
    "class": plant.Spacecraft,
    "craft": CRAFT,
    "model": MODEL,
    "law": LAW,
    "StateSpace": SYSTEM,
    "singular 3x3": np.zeros((3, 3)),
    "tiny": 5e-324,
}


NAMES = [pytest.param(name, marks=[pytest.mark.slow] * (name == "analyse")) for name in CALLS]


@pytest.mark.parametrize("name", NAMES)
def test_correct_calls_are_accepted(name: str) -> None:
    function, given = CALLS[name]
    if name in {"save_law", "load_law"}:
        with pytest.raises(PolhodeError, match="nowhere"):
            function(**given)
        return
    assert set(given) <= set(inspect.signature(function).parameters)
    function(**given)


@pytest.mark.parametrize("name", NAMES)
def test_misuse(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any value in place of an argument is accepted, or refused in words that name the argument or its meaning."""
    monkeypatch.chdir(tmp_path)  # a law may be saved under any name
    function, given = CALLS[name]
    found: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # overflow of absurd values
        for argument in given:
            for words, wrong in WRONG.items():
                try:
                    function(**{**given, argument: wrong})
                except PolhodeError as error:  # other exceptions must not be raised, and some of these calls are valid
                    found += [] if str(error) else [f"{argument}={words} raised an error without words"]
                except Exception as error:  # noqa: BLE001 # this is what must not be
                    found.append(f"{argument}={words} raised {type(error).__name__}: {error}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", ["lqr", "lqi", "lqg", "pid", "pole_placement", "law_from_system", "LinearFeedback"])
@pytest.mark.parametrize(("wrong", "got"), [(CRAFT, "got a Spacecraft"), (SYSTEM, "got a StateSpace"), (None, "None")])
def test_wrong_model_error_names_linearize(name: str, wrong: Any, got: str) -> None:
    function, given = CALLS[name]
    with pytest.raises(InputError, match=r"model must be a LinearModel, such as craft\.linearize") as refusal:
        function(**{**given, "model": wrong})
    assert got in str(refusal.value)


def test_simulate_rejects_law_and_reference_exchanged() -> None:
    with pytest.raises(InputError, match="reference must be a reference, such as FixedReference"):
        sim.simulate(CRAFT, LAW, reference=LAW, duration=1.0)  # pyright: ignore[reportArgumentType] # the misuse
    with pytest.raises(InputError, match="law must be a control law"):
        sim.simulate(CRAFT, REST, duration=1.0)  # pyright: ignore[reportArgumentType] # the misuse
