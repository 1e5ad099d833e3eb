"""FMUs that behave as the Reference FMUs of the Modelica Association run as blocks."""

from __future__ import annotations

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Clock, Signal
from polhode.sim import FMU, ExternalBlock
from polhode.sim.codegen.toolchain import c_compiler

pytest.importorskip("fmpy", reason="FMPy is in the extra fmi")
if c_compiler() is None:
    pytest.skip("no C compiler on this machine", allow_module_level=True)

from .units import libraries, write_unit  # only where FMPy is installed

CRAFT = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0)))
LAW = controllers.RateDamping(gain=0.1, sample=0.1)
FLIGHT = {"rate": (0.1, 0.2, -0.3), "duration": 1.0, "output_step": 0.1, "integrator": "rk4", "step": 0.1}
RATE = {"rate": Signal(3, "rad/s")}
PARAMETER = 'causality="parameter" variability'

FEEDTHROUGH3 = f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="Feedthrough"
    instantiationToken="{{37B954F1-CC86-4D8F-B97F-C7C36F6670D2}}"
    description="outputs are inputs" generationTool="by hand">
  <ModelExchange modelIdentifier="Feedthrough" canGetAndSetFMUState="true" canSerializeFMUState="true"/>
  <CoSimulation modelIdentifier="Feedthrough" canGetAndSetFMUState="true" canSerializeFMUState="true"
    canHandleVariableCommunicationStepSize="true" providesIntermediateUpdate="true"
    canReturnEarlyAfterIntermediateUpdate="true"
    fixedInternalStepSize="0.1"/>
  <TypeDefinitions><EnumerationType name="Option"><Item name="Option 1" value="1"/><Item name="Option 2" value="2"/>
  </EnumerationType></TypeDefinitions>
  <LogCategories><Category name="logEvents"/><Category name="logStatusError"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="2" stepSize="0.1"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <Float32 name="Float32_continuous_input" valueReference="1" causality="input" start="0"/>
    <Float32 name="Float32_continuous_output" valueReference="2" causality="output"/>
    <Float64 name="Float64_fixed_parameter" valueReference="5" {PARAMETER}="fixed" start="0"/>
    <Float64 name="Float64_tunable_parameter" valueReference="6" {PARAMETER}="tunable" start="0"/>
    <Float64 name="Float64_continuous_input" valueReference="7" causality="input" start="0" initial="exact"/>
    <Float64 name="Float64_continuous_output" valueReference="9" causality="output" initial="calculated"/>
    <Float64 name="Float64_discrete_input" valueReference="8" causality="input" variability="discrete" start="0"/>
    <Float64 name="Float64_discrete_output" valueReference="10" causality="output" variability="discrete"/>
    <Int8 name="Int8_input" valueReference="11" causality="input" start="0"/>
    <Int8 name="Int8_output" valueReference="12" causality="output"/>
    <UInt64 name="UInt64_input" valueReference="25" causality="input" start="0"/>
    <UInt64 name="UInt64_output" valueReference="26" causality="output"/>
    <Boolean name="Boolean_input" valueReference="27" causality="input" start="false"/>
    <Boolean name="Boolean_output" valueReference="28" causality="output" initial="calculated"/>
    <String name="String_parameter" valueReference="29" {PARAMETER}="fixed"><Start value="Set me!"/></String>
    <Binary name="Binary_input" valueReference="30" causality="input"><Start value="666f6f"/></Binary>
    <Binary name="Binary_output" valueReference="40" causality="output"/>
    <Enumeration name="Enumeration_input" declaredType="Option" valueReference="41" causality="input" start="1"/>
    <Enumeration name="Enumeration_output" declaredType="Option" valueReference="42" causality="output"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="2" dependencies="1" dependenciesKind="constant"/>
    <Output valueReference="9" dependencies="7" dependenciesKind="constant"/>
    <Output valueReference="10" dependencies="8"/><Output valueReference="12"/><Output valueReference="26"/>
    <Output valueReference="28"/><Output valueReference="40"/><Output valueReference="42"/>
    <InitialUnknown valueReference="9"/>
  </ModelStructure>
</fmiModelDescription>"""


def scalar(name: str, reference: int, kind: str, more: str, start: str = "") -> str:
    return f'<ScalarVariable name="{name}" valueReference="{reference}" {more}><{kind}{start}/></ScalarVariable>'


FEEDTHROUGH2 = f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Feedthrough" guid="{{37B954F1-CC86-4D8F-B97F-C7C36F6670D2}}">
  <ModelExchange modelIdentifier="Feedthrough"/>
  <CoSimulation modelIdentifier="Feedthrough" canHandleVariableCommunicationStepSize="true"/>
  <LogCategories><Category name="logEvents"/></LogCategories>
  <DefaultExperiment stopTime="2"/>
  <ModelVariables>
    {scalar("Float64_continuous_input", 7, "Real", 'causality="input"', ' start="0"')}
    {scalar("Float64_continuous_output", 9, "Real", 'causality="output" initial="calculated"')}
    {scalar("Float64_discrete_input", 8, "Real", 'causality="input" variability="discrete"', ' start="0"')}
    {scalar("Float64_discrete_output", 10, "Real", 'causality="output" variability="discrete" initial="calculated"')}
    {scalar("Int32_input", 19, "Integer", 'causality="input" variability="discrete"', ' start="0"')}
    {scalar("Int32_output", 20, "Integer", 'causality="output" variability="discrete" initial="calculated"')}
    {scalar("Boolean_input", 27, "Boolean", 'causality="input" variability="discrete"', ' start="false"')}
    {scalar("Boolean_output", 28, "Boolean", 'causality="output" variability="discrete" initial="calculated"')}
    {scalar("String_parameter", 29, "String", f'{PARAMETER}="fixed"', ' start="Set me!"')}
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="2" dependencies="1" dependenciesKind="constant"/><Unknown index="4" dependencies="3"/>
    <Unknown index="6"/><Unknown index="8"/></Outputs>
    <InitialUnknowns><Unknown index="2" dependencies="1"/><Unknown index="4" dependencies="3"/><Unknown index="6"/>
    <Unknown index="8"/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>"""

DAHLQUIST3 = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="Dahlquist" instantiationToken="{221063D2-EF4A-45FE-B954-B5BFEEA9A59B}">
  <ModelExchange modelIdentifier="Dahlquist"/>
  <CoSimulation modelIdentifier="Dahlquist" fixedInternalStepSize="0.1" hasEventMode="true"/>
  <DefaultExperiment startTime="0" stopTime="10" stepSize="0.1"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <Float64 name="x" valueReference="31" causality="output" variability="continuous" initial="exact" start="1"/>
    <Float64 name="der(x)" valueReference="32" causality="local" initial="calculated" derivative="31"/>
    <Float64 name="k" valueReference="33" causality="parameter" variability="fixed" initial="exact" start="1"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="31"/><ContinuousStateDerivative valueReference="32" dependencies="31"/>
    <InitialUnknown valueReference="32" dependencies="31"/>
  </ModelStructure>
</fmiModelDescription>"""

DAHLQUIST2 = f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Dahlquist" guid="{{221063D2-EF4A-45FE-B954-B5BFEEA9A59B}}">
  <ModelExchange modelIdentifier="Dahlquist"/><CoSimulation modelIdentifier="Dahlquist"/>
  <ModelVariables>
    {scalar("x", 31, "Real", 'causality="output" variability="continuous" initial="exact"', ' start="1"')}
    {scalar("der(x)", 32, "Real", 'causality="local" variability="continuous" initial="calculated"', ' derivative="1"')}
    {scalar("k", 33, "Real", f'{PARAMETER}="fixed" initial="exact"', ' start="1"')}
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="1"/></Outputs>
    <Derivatives><Unknown index="2" dependencies="1"/></Derivatives>
    <InitialUnknowns><Unknown index="2"/></InitialUnknowns></ModelStructure>
</fmiModelDescription>"""


@pytest.fixture(scope="module")
def units(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reference")
    libs = libraries(folder, "reference.c")
    texts = {2: (FEEDTHROUGH2, DAHLQUIST2), 3: (FEEDTHROUGH3, DAHLQUIST3)}
    return {
        (name, fmi): write_unit(folder / f"{name}{fmi}.fmu", libs[fmi], text, fmi=fmi, name=name)
        for fmi, both in texts.items()
        for name, text in zip(("Feedthrough", "Dahlquist"), both, strict=True)
    }


def flown(unit, reads, writes):
    block = ExternalBlock(unit, reads=reads, writes=writes, clock=Clock(0.1), name="unit")
    run = sim.simulate(CRAFT, LAW, blocks=[block.as_monitor()], **FLIGHT)
    assert run.status == "completed", run.reason
    return run


@pytest.mark.parametrize("fmi", [2, 3])
def test_feedthrough_fmu_returns_its_inputs(units, fmi):
    """Continuous and discrete inputs, with unconnected variables of every other type."""
    ways = [["Float64_continuous_" + way, "Float64_discrete_" + way] for way in ("input", "output")]
    others = {"Boolean_input": True, "Int32_input": -7}
    if fmi == 3:
        more = {"Int8_input": 3, "UInt64_input": 7, "Enumeration_input": 2, "Float32_continuous_input": 0.5}
        others = {"Boolean_input": True, **more}
    unit = FMU(
        file=units["Feedthrough", fmi], unitless=True, inputs={"rate": [*ways[0], ""]}, outputs={"passed": ways[1]},
        values={**others, "String_parameter": "set"},
    )  # fmt: skip
    run = flown(unit, RATE, {"passed": Signal(2, "rad/s")})
    passed, rate = run.values("passed"), run.values("rate")[:, :2]
    assert np.array_equal(passed[1:-1], rate[:-2])  # its input at the previous sample; nothing is sampled at the end
    assert np.array_equal(passed[0], rate[0])


@pytest.mark.thinned(2)
@pytest.mark.parametrize("fmi", [2, 3])
def test_unit_without_inputs_steps_by_itself(units, fmi):
    """Euler steps of 0.1 s: 0.9^n; with a different k accordingly."""
    for k in (1.0, 0.5):
        unit = FMU(file=units["Dahlquist", fmi], outputs={"level": ["x"]}, values={"k": k})
        run = flown(unit, RATE, {"level": Signal(1, "1")})
        np.testing.assert_allclose(run.values("level")[:-1], (1.0 - 0.1 * k) ** np.arange(10), rtol=1e-14)


def test_enumeration_has_its_items(units):
    unit = FMU(file=units["Feedthrough", 3], outputs={"passed": ["Float64_continuous_output"]},
               values={"Enumeration_input": 3})  # fmt: skip
    with pytest.raises(plant.InputError, match=r"one of 1 \(Option 1\), 2 \(Option 2\); got 3"):
        flown(unit, RATE, {"passed": Signal(1, "1")})
