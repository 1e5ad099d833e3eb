"""A loop as two FMUs, plant and law, against the same loop in one run."""

from __future__ import annotations

import zipfile
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.laws.blocks import low_pass
from polhode.plant import InputError
from polhode.sim.codegen.toolchain import c_compiler
from polhode.sim.hosts.fmi import libraries
from polhode.sim.hosts.fmi.communication_step import communication_step

pytest.importorskip("fmpy", reason="FMPy is in the extra fmi")

from fmpy.validation import validate_fmu  # only if it is installed

CRAFT = plant.Spacecraft(
    plant.RigidBody(np.array([[4.0, 0.1, 0.0], [0.1, 3.0, -0.2], [0.0, -0.2, 2.5]])),
    elements=[plant.RingDamper(axis=(0, 0, 1), mass=0.2, radius=0.3, friction=0.2)],
    torques=plant.TorqueBasis("body", limit=0.3),
)
LAW = controllers.quaternion_feedback(CRAFT, frequency=0.5, damping_ratio=0.8, sample=0.1, delay=0.05)
PULSE = plant.TorquePulse((0.05, 0.0, 0.1), start=1.03, stop=2.2)
FLIGHT: dict[str, Any] = {
    "duration": 5.0,
    "attitude": (0.9, 0.3, -0.3, 0.1),
    "rate": (0.01, 0.02, 0.1),
    "integrator": "rk4",
    "step": 0.05,
    "torques": (PULSE,),
}
NAMES = [f"plant.{name}" for name in CRAFT.layout.names]


def states(run: Any) -> Any:
    return np.column_stack([run.values(name) for name in NAMES])


@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
@pytest.mark.slow  # two FMUs are compiled
@pytest.mark.parametrize("fmi", [2, 3])
def test_split_loop_in_sequence_equals_whole_loop(tmp_path: Any, fmi: int) -> None:
    """Sequential, iterated, and read back from the structure; in parallel a command is delayed by one step."""
    lag = low_pass(reads="command", writes="command", width=3, frequency=5.0, sample=0.05, name="lag")
    flight = {**FLIGHT, "blocks": [lag]}
    system = sim.export_ssp(CRAFT, LAW, path=tmp_path / "craft.ssp", flight=flight, fmi=fmi)
    with zipfile.ZipFile(tmp_path / "craft.ssp") as archive:
        for unit in ("plant", "law"):
            assert validate_fmu(archive.extract(f"resources/{unit}.fmu", tmp_path)) == []
    assert (system.step, system.duration) == (0.05, 5.0)
    run = sim.cosimulate(system)
    held = ("torque", "command_of_law", "command_after_lag")
    assert run.held == tuple(f"law.{name}_{n}" for name in held for n in (1, 2, 3))
    native = sim.simulate(CRAFT, LAW, **flight, output_times=run.t, output_step=5.0, ledger=False)
    want = native.states
    np.testing.assert_allclose(states(run), want, rtol=0, atol=1e-12)  # of 1: times are rounded in two ways
    command = native.values("command")[:-1, 0]  # at the end of a run nothing is sampled
    np.testing.assert_allclose(run.values("law.torque_1")[:-1], command, rtol=0, atol=1e-12)
    assert max(run.errors[name] for name in NAMES) < 1e-6  # rk4 at half of its step
    iterated = sim.cosimulate(system, iterate=True, estimate=False)
    assert np.array_equal(iterated.table, run.table)
    late, less = (sim.cosimulate(system, order="jacobi", estimate=False, step=step) for step in (0.05, 0.025))
    errors = [np.abs(states(late) - want).max(), np.abs(states(less)[::2] - want).max()]
    assert 1e-3 < errors[1] < errors[0] < 1.0
    assert np.log2(errors[0] / errors[1]) == pytest.approx(1.0, abs=0.15)  # a delay of one step
    again = sim.read_ssp(tmp_path / "craft.ssp")
    assert np.array_equal(sim.cosimulate(again, estimate=False).table, run.table)


@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
@pytest.mark.slow  # two FMUs are compiled
def test_steps_to_a_tolerance_go_back_exactly(tmp_path: Any) -> None:
    """Our FMUs save and restore their states: a rejected step has no effect, including the memory of the law."""
    flight = {**FLIGHT, "torques": (), "rate": (0.0, 0.0, 0.3)}
    law = controllers.RateDamping(gain=0.5, sample=0.1)
    system = sim.export_ssp(CRAFT, law, path=tmp_path / "craft.ssp", flight=flight)
    run = sim.cosimulate(system, step=0.4, tolerance=1e-7, estimate=False)
    assert run.settings["steps_taken_back"] > 0
    native = sim.simulate(CRAFT, law, **flight, output_times=run.t, output_step=5.0, ledger=False)
    assert np.abs(states(run) - native.states).max() < 0.1


@pytest.mark.parametrize("fmi", [2, 3])
def test_law_alone_tells_what_it_takes(tmp_path: Any, fmi: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries, "c_compiler", lambda: None)
    law = controllers.RateDamping(gain=0.1, sample=0.1)
    craft = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0)))
    sim.export_fmu(craft, law, path=tmp_path / "law.fmu", flight={"duration": 5.0}, fmi=fmi, law_alone=True)
    with zipfile.ZipFile(tmp_path / "law.fmu") as archive:
        root = ET.fromstring(archive.read("modelDescription.xml"))
        assert "documentation/flight.png" not in archive.namelist()
    assert root.find("ModelExchange") is None
    every = root.iter("Float64" if fmi == 3 else "ScalarVariable")
    ways = {each.get("name"): each.get("causality") for each in every}
    assert [name for name, way in ways.items() if way == "input" and not str(name).startswith("target")] == [
        *craft.layout.names,
        *(f"rate_{axis}" for axis in "xyz"),
    ]
    assert [name for name, way in ways.items() if way == "output"] == ["torque_1", "torque_2", "torque_3"]
    outputs = root.iter("Output") if fmi == 3 else next(root.iter("Outputs")).iter("Unknown")
    assert {each.get("dependencies") for each in outputs} == {""}
    assert not [name for name in ways if str(name).startswith(("inertia", "start_rate"))]


def test_step_is_measure_of_all_times() -> None:
    assert communication_step(LAW, ()) == 0.05
    assert communication_step(controllers.RateDamping(gain=0.1, sample=0.1), ()) == 0.1
    odd = controllers.RateDamping(gain=0.1, sample=0.1, delay=0.033001)
    with pytest.raises(InputError, match="no common divisor"):
        communication_step(odd, ())


def test_split_refuses_loops_it_cannot_split(tmp_path: Any) -> None:
    with pytest.raises(InputError, match=r"end in \.ssp"):
        sim.export_ssp(CRAFT, LAW, path=tmp_path / "craft.fmu", flight=FLIGHT)
    with pytest.raises(InputError, match="no law was passed"):
        sim.export_fmu(CRAFT, path=tmp_path / "law.fmu", flight=FLIGHT, law_alone=True)
