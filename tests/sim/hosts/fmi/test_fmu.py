"""Foreign FMUs as laws and blocks: FMI 2 and 3, names and units compared, faults reported once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Clock, Signal
from polhode.controllers.laws.blocks import low_pass
from polhode.plant import InputError
from polhode.sim import FMU, ExternalBlock, ExternalLaw
from polhode.sim.codegen.toolchain import c_compiler

pytest.importorskip("fmpy", reason="FMPy is in the extra fmi")
if c_compiler() is None:
    pytest.skip("no C compiler on this machine", allow_module_level=True)

from .units import description2, description3, libraries, write_unit  # only where FMPy is installed

CRAFT = plant.Spacecraft(plant.RigidBody((400.0, 307.8, 200.0)), torques=plant.TorqueBasis("body", limit=1.0))
LAW = controllers.quaternion_feedback(CRAFT, frequency=0.3, damping_ratio=0.9, sample=0.1)
FLIGHT = {"attitude": (0.8, 0.4, -0.4, 0.2), "duration": 3.0, "integrator": "rk4", "step": 0.1, "output_step": 0.1}
COMMAND = {"command": Signal(3, "N m")}
U, V = ["u1", "u2", "u3"], ["v1", "v2", "v3"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("units")
    libs = libraries(folder)

    def write(fmi, *, unit="N.m", change=lambda text: text):
        text = change((description2 if fmi == 2 else description3)(unit))
        return write_unit(folder / f"lags-{abs(hash(text)):x}.fmu", libs[fmi], text, fmi=fmi)

    return write


def fmu(file, fmi, **keys):
    names = (U, V) if fmi == 2 else ("u", "v")
    return FMU(file=file, **{"inputs": {"command": names[0]}, "outputs": {"command": names[1]}, **keys})


def motor(unit, **keys):
    return ExternalBlock(unit, reads=COMMAND, writes=COMMAND, **{"clock": Clock(0.1), "name": "motor", **keys})


def flown(block, **keys):
    return sim.simulate(CRAFT, LAW, blocks=[block], **{**FLIGHT, **keys})


@pytest.mark.parametrize("fmi", [2, 3])
def test_actuator_is_same_lag_inside(made, fmi):
    """An FMU at its sample is in the state to which the previous inputs brought it, like an exact lag for held
    inputs.
    """
    inside = flown(low_pass(reads="command", writes="command", width=3, frequency=1 / 0.3, sample=0.1, name="lag"))
    outside = flown(motor(fmu(made(fmi), fmi)))
    assert outside.status == "completed", outside.reason
    want, got = inside.values("command_after_lag"), outside.values("command_after_motor")
    np.testing.assert_allclose(got, want, rtol=1e-14, atol=1e-14)  # two exponentials of the same
    np.testing.assert_allclose(outside.states, inside.states, rtol=0, atol=1e-12)
    assert np.abs(got).max() > 0.1


def test_fmu_versions_agree_and_use_parameters_and_units(made):
    plain = [flown(motor(fmu(made(fmi), fmi, values={"lasts": 1.0}))) for fmi in (2, 3)]
    assert np.array_equal(plain[0].states, plain[1].states)
    usual = flown(motor(fmu(made(2), 2)))
    assert not np.array_equal(plain[0].states, usual.states)
    milli = flown(motor(fmu(made(3, unit="mN.m"), 3)))
    np.testing.assert_allclose(milli.states, usual.states, rtol=0, atol=1e-13)


def test_law_is_sample_late_and_with_ahead_it_is_not(made):
    """Rate damping through a gain that follows at once (T = 1e-9 s): u = -k w."""
    keys = {"values": {"gain": -40.0, "lasts": 1e-9}, "unitless": True, "inputs": {"rate": U}}
    file = made(2, change=lambda text: text.replace(' unit="N.m"', ""))
    flight = {**FLIGHT, "rate": (0.01, -0.02, 0.015)}
    for ahead, late in ((True, 0.0), (False, 0.1)):
        law = ExternalLaw(fmu(file, 2, ahead=ahead, **keys), craft=CRAFT, sample=0.1, reads=["rate"])
        inside = controllers.CustomLaw(lambda t, y, r: -40.0 * y[7:10], sample=0.1, delay=late, compiled=False)
        one, other = (sim.simulate(CRAFT, each, **flight) for each in (law, inside))
        np.testing.assert_allclose(one.states, other.states, rtol=0, atol=1e-13)


def test_discrete_fmu_output_belongs_to_its_sample(made):
    keys = {"values": {"gain": -40.0, "lasts": 1e-9}, "unitless": True, "inputs": {"rate": U}}

    def discrete(text):
        return text.replace(' unit="N.m"', "").replace('variability="continuous"', 'variability="discrete"')

    def asked(**more):
        found = fmu(made(2, change=discrete), 2, **keys, **more)
        return ExternalLaw(found, craft=CRAFT, sample=0.1, reads=["rate"])

    flight = {**FLIGHT, "rate": (0.01, -0.02, 0.015)}
    # before its first step it returns its start values
    inside = controllers.CustomLaw(lambda t, y, r: -40.0 * (t > 0.0) * y[7:10], sample=0.1, compiled=False)
    one, other = (sim.simulate(CRAFT, each, **flight) for each in (asked(), inside))
    np.testing.assert_allclose(one.states, other.states, rtol=0, atol=1e-13)
    with pytest.raises(InputError, match="are discrete, so its outputs belong to the sample of its inputs; omit"):
        sim.simulate(CRAFT, asked(ahead=True), **flight)

    def finer(text):
        return discrete(text).replace("<ModelVariables>", '<DefaultExperiment stepSize="0.05"/><ModelVariables>')

    slow = ExternalLaw(fmu(made(2, change=finer), 2, **keys), craft=CRAFT, sample=0.1, reads=["rate"])
    with pytest.raises(InputError, match=r"declares a step of 0\.05 s, but is called every 0\.1 s: between two calls"):
        sim.simulate(CRAFT, slow, **flight)


FAULTS = {
    1: "its output {v2} is nan",
    2: "was ended by SIGSEGV",
    3: "sent nothing for 0.5 s",
    4: "DoStep failed with status 3 (error)",
    5: "ended with exit status 0",
    7: "DoStep failed with status 4",
    8: "requested the end of the simulation",
    9: "ended with exit status",
}


@pytest.mark.thinned(3)
@pytest.mark.parametrize(("fmi", "fault"), [(2, 1), (3, 1), (2, 2), (3, 3), (2, 4), (3, 4), (2, 5), (3, 8), (2, 9)])
def test_fmu_fault_ends_run_with_one_sentence(made, fmi, fault):
    file = made(fmi)
    run = flown(motor(fmu(file, fmi, values={"fault": fault}, answer_within=0.5 if fault == 3 else 20.0)))
    assert run.status == "failed"
    words = FAULTS[fault].format(v2="v2" if fmi == 2 else "v[2]")
    assert run.reason.count(words) == 1, run.reason
    assert f"the unit {str(file)!r} of the block 'motor'" in run.reason
    assert "at t = 0.3 s" in run.reason
    np.testing.assert_allclose(run.t, [0.0, 0.1, 0.2, 0.3], atol=1e-12)


@pytest.mark.slow  # it fills memory up to its limit
def test_memory_has_an_end(made):
    run = flown(motor(fmu(made(2), 2, values={"fault": 7}, answer_within=60.0)))
    assert FAULTS[7] in run.reason


def test_fmu_printout_is_no_answer(made):
    run = flown(motor(fmu(made(2), 2, values={"fault": 6}, answer_within=60.0)))
    assert run.status == "completed"
    assert np.array_equal(run.states, flown(motor(fmu(made(2), 2))).states)


def swap(old, new):
    def change(text):
        assert old in text
        return text.replace(old, new)

    return change


@pytest.mark.parametrize(
    ("keys", "change", "words"),
    [
        ({"inputs": {"command": ["u1", "u2", "u4"]}}, None, "in inputs 'u4' is unknown; did you mean"),
        ({"inputs": {"command": ["u1", "u2"]}}, None, "do not match this length; name a variable for each"),
        ({"inputs": {"command": ["u1", "u2", "u2"]}}, None, "inputs connects 'u2' twice"),
        ({"inputs": {"command": ["u1", "u2", ""]}}, None, "its input 'u3' is not connected"),
        ({"inputs": {"command": ["u1", "u2", "v3"]}}, None, "'v3' has causality output and type Real; an input"),
        ({"inputs": {"rate": U}}, None, "signal in inputs 'rate' is unknown"),
        ({"outputs": {"command": ["v1", "v2", ""]}}, None, "outputs must name a variable"),
        ({"values": {"gian": 1.0}}, None, "variable in values 'gian' is unknown; did you mean 'gain'"),
        ({"values": {"u1": 1.0}}, None, "'u1' is already connected"),
        ({"values": {"v1": 1.0}}, None, "'v1' has causality output"),
        ({"values": {"fault": 0.5}}, None, "'fault' is of type Integer; got 0.5"),
        ({"values": {"gain": True}}, None, "'gain' is of type Real; got True"),
        ({}, swap('unit="N.m"', 'unit="s"'), "'u1' is in 's', but command is in 'N m': they cannot be connected"),
        ({}, swap(' unit="N.m"', ""), "'u1' has no unit, but command is in 'N m'; unitless = true"),
        ({}, swap('guid="somebody-else"', 'guid="another"'), "Failed to instantiate"),
        ({}, swap('modelIdentifier="lags"', 'modelIdentifier="../lags"'), "invalid|not a valid name"),
        ({}, swap('modelIdentifier="lags"', 'modelIdentifier="legs"'), "contains no library for this machine"),
        ({}, swap("CoSimulation", "ModelExchange"), "without co-simulation"),
        ({}, swap('fmiVersion="2.0"', 'fmiVersion="1.0"'), "is invalid|is of FMI 1"),
        ({}, swap("</ModelVariables>", ""), "has a modelDescription.xml that is invalid"),
    ],
)  # fmt: skip
def test_fmu_that_does_not_fit_is_refused(made, keys, change, words):
    file = made(2, **({} if change is None else {"change": change}))
    with pytest.raises(InputError, match=words) as refused:
        flown(motor(fmu(file, 2, **keys)))
    assert str(file) in str(refused.value)


def test_input_of_another_kind(tmp_path):
    with pytest.raises(InputError, match="outputs"):
        FMU(file="motor.fmu", outputs=["v1"])
    with pytest.raises(InputError, match=r"missing\.fmu: no such file"):
        flown(motor(fmu(Path("missing.fmu"), 2)))
    (tmp_path / "text.fmu").write_text("no archive")
    with pytest.raises(InputError, match="cannot be unpacked as the archive of an FMU"):
        flown(motor(fmu(tmp_path / "text.fmu", 2)))


@pytest.mark.slow  # compiling one of our FMUs takes some seconds
@pytest.mark.parametrize("fmi", [2, 3])
def test_law_of_ours_comes_back_as_it_flew(tmp_path, fmi):
    """With a memory, a moving reference and more than one of its samples between outputs of the run."""
    model = CRAFT.linearize(CRAFT.at_rest())
    law = controllers.lqi(model, attitude=25.0, rate=1.0, effort=1.0, integral=0.01, sample=0.1)
    target = controllers.EigenaxisSlew((0.8, 0.4, -0.4, 0.2), (1, 0, 0, 0), rate_limit=0.05, acceleration_limit=0.01)
    flight = {**FLIGHT, "reference": target}
    native = sim.simulate(CRAFT, law, **flight)
    path = tmp_path / "law.fmu"
    given = {name: flight[name] for name in ("attitude", "integrator", "step", "duration", "reference")}
    sim.export_fmu(CRAFT, law, path=path, flight=given, fmi=fmi, law_alone=True)
    states = {"momentum": [f"momentum_{axis}" for axis in "xyz"], "attitude": [f"attitude_{n}" for n in range(4)]}
    takes = {**states, "rate": [f"rate_{axis}" for axis in "xyz"]}
    unit = FMU(file=path, inputs=takes, outputs={"command": ["torque_1", "torque_2", "torque_3"]})
    back = ExternalLaw(unit, craft=CRAFT, sample=0.1, reads=list(takes))
    run = sim.simulate(CRAFT, back, **flight)
    assert run.status == "completed", run.reason
    assert np.array_equal(run.states, native.states)


@pytest.mark.slow  # compiling one of our FMUs takes some seconds
@pytest.mark.parametrize("fmi", [2, 3])
def test_loop_of_ours_comes_back_as_it_flew(tmp_path, fmi):
    """Exported as a closed loop and run in parallel with another run: at each sample it equals the native run."""
    path = tmp_path / "twin.fmu"
    flight = {name: FLIGHT[name] for name in ("attitude", "integrator", "step", "duration")}
    sim.export_fmu(CRAFT, LAW, path=path, flight=flight, fmi=fmi)
    names = [f"attitude_{k}" for k in range(4)]
    target = {f"target_{k}": each for k, each in enumerate((1.0, 0.0, 0.0, 0.0))}
    unit = FMU(file=path, outputs={"twin": names}, values=target)
    rate, twin = {"rate": Signal(3, "rad/s")}, {"twin": Signal(4, "1")}
    beside = ExternalBlock(unit, reads=rate, writes=twin, clock=Clock(0.1), name="twin").as_monitor()
    native = sim.simulate(CRAFT, LAW, **FLIGHT)
    assert np.array_equal(sim.simulate(CRAFT, LAW, **FLIGHT).states, native.states)
    run = flown(beside)
    assert run.status == "completed", run.reason
    assert np.array_equal(run.states, native.states)
    assert np.array_equal(run.values("twin")[:-1], native.values("attitude")[:-1])
