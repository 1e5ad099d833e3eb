"""System structures: written, validated by their schemas, read back, run by another importer, refused."""

from __future__ import annotations

import zipfile
from dataclasses import replace

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.sim import Connection, StartValue, System, cosimulate, read_ssp, write_ssp
from polhode.sim.hosts.cosimulation.terminals import Measure, _stated, converted, measured

pytest.importorskip("fmpy", reason="FMPy is in the extra fmi")

from .oscillators import START, W2, K  # only where FMPy is installed

GIVEN = (("w2", W2), ("k", K), ("x", START))
TIMES = {"duration": 1.0, "step": 0.1}


def pair(oscillators, *, unit="m", fmi=(2, 2)):
    first, second = oscillators.write("ssp-a", fmi=fmi[0]), oscillators.write(f"ssp-{unit}", fmi=fmi[1], unit=unit)
    start = {f"a.{key}": both[0] for key, both in GIVEN} | {f"b.{key}": both[1] for key, both in GIVEN}
    back = Connection("b.x", "a.u", factor=1e-3, convert=False) if unit == "mm" else ("b.x", "a.u")
    return System(
        units={"a": first, "b": second}, connections=[("a.x", "b.u"), back], values=start, name="two", **TIMES
    )


def changed(path, target, change, *, more=()):
    """An archive with a changed description or added files."""
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            content = source.read(name)
            archive.writestr(name, change(content.decode()) if name.endswith(".ssd") else content)
        for name, content in more:
            archive.writestr(name, content)
    return target


@pytest.mark.parametrize("unit", ["m", pytest.param("mm", marks=pytest.mark.slow)])
def test_written_and_read_back_it_is_the_same_flight(oscillators, tmp_path, unit):
    system = pair(oscillators, unit=unit)
    file = write_ssp(system, tmp_path / "two.ssp")
    read = read_ssp(file)
    assert (read.name, read.start, read.duration, read.step) == ("two", 0.0, 1.0, 0.1)
    assert (dict(read.values), read.joins) == (dict(system.values), system.joins)
    runs = [cosimulate(each, estimate=False) for each in (system, read)]
    assert np.array_equal(runs[0].table, runs[1].table)
    assert runs[0].names == runs[1].names


def test_others_read_it(oscillators, tmp_path):
    """FMPy validates it against the SSP schemas."""
    from fmpy.ssp.ssd import get_connections, read_ssd

    ssd = read_ssd(str(write_ssp(pair(oscillators, unit="mm"), tmp_path / "two.ssp")))
    assert ssd.system is not None
    assert [component.name for component in ssd.system.elements] == ["a", "b"]
    assert [(a.name, b.name) for a, b in get_connections(ssd.system)] == [("x", "u"), ("x", "u")]
    assert {unit.name: unit.factor for unit in ssd.units} == {"m": 1.0, "mm": 0.001}
    values = ssd.system.elements[0].parameterBindings[0].parameterValues[0].parameters
    assert {each.name: float(each.value) for each in values} == {"w2": 1.0, "k": 0.4, "x": 0.8}


def test_another_importer_flies_the_same(oscillators, tmp_path):
    """FMPy steps them in parallel; it starts with inputs of zero, and one step of ours from there agrees."""
    from fmpy.ssp.simulation import simulate_ssp
    from fmpy.ssp.ssd import Parameter, ParameterSet

    system = pair(oscillators)
    calm = {**system.values, "a.x": 0.0, "b.x": 0.0, "a.v": 0.5, "b.v": -0.2}  # outputs are zero at the start
    file = write_ssp(System(units=system.units, connections=system.joins, values=calm, **TIMES), tmp_path / "two.ssp")
    given = ParameterSet(name="all", parameters=[Parameter(name=key, value=value) for key, value in calm.items()])
    theirs = simulate_ssp(str(file), stop_time=0.95, step_size=0.1, parameter_set=given)
    ours = cosimulate(read_ssp(file), order="jacobi", estimate=False)
    for name in ("a.x", "b.x"):  # it writes the values at the end of a step with the time of its start
        np.testing.assert_allclose(theirs[name], ours.values(name)[1:], rtol=0, atol=1e-14)


PARAMETERS = (
    """<ssd:ParameterBindings><ssd:ParameterBinding source="numbers.ssv" prefix="b."/></ssd:ParameterBindings>"""
)
NUMBERS = """<?xml version="1.0"?><ssv:ParameterSet version="1.0" name="numbers"
xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"><ssv:Parameters><ssv:Parameter name="v">
<ssv:Real value="0.25"/></ssv:Parameter></ssv:Parameters></ssv:ParameterSet>"""


def test_parameters_in_a_file_beside_it(oscillators, tmp_path):
    file = write_ssp(pair(oscillators), tmp_path / "two.ssp")
    other = changed(
        file,
        tmp_path / "other.ssp",
        lambda text: text.replace("<ssd:Elements>", PARAMETERS + "<ssd:Elements>"),
        more=[("numbers.ssv", NUMBERS)],
    )
    assert read_ssp(other).values["b.v"] == 0.25


def test_connections_may_be_written_from_input_to_output(oscillators, tmp_path):
    file = write_ssp(pair(oscillators), tmp_path / "two.ssp")
    turned = changed(
        file,
        tmp_path / "turned.ssp",
        lambda text: text.replace(
            'startElement="a" startConnector="x" endElement="b" endConnector="u"',
            'startElement="b" startConnector="u" endElement="a" endConnector="x"',
        ),
    )
    assert read_ssp(turned).joins == read_ssp(file).joins


def test_units_that_connectors_tell(oscillators, tmp_path):
    """They equal those of the variables, and replace missing ones."""
    file = write_ssp(pair(oscillators), tmp_path / "two.ssp")
    other = changed(
        file, tmp_path / "other.ssp", lambda text: text.replace('<ssc:Real unit="m" />', '<ssc:Real unit="mm" />', 1)
    )
    with pytest.raises(InputError, match=r"a\.\w+: the stated unit is 'mm', but the declared unit is 'm'"):
        cosimulate(read_ssp(other), estimate=False)
    said = {"a.x": "m", "b.x": "mm"}
    with pytest.raises(InputError, match=r"b\.x: the stated unit is 'mm', but the declared unit is 'm'"):
        write_ssp(replace(pair(oscillators), stated_units=said), tmp_path / "wrong.ssp")
    bare = Measure("")
    assert _stated("a.x", bare, {}, {"a.x": "rad/s"}).name == "rad/s"
    assert converted(measured("Hz", {}), measured("rad/s", {})) is None
    assert converted(measured("Hz", {}), measured("1/s", {})) == (1.0, 0.0)


TO_B = '<ssd:Connection startElement="a" startConnector="x" endElement="b" endConnector="u" />'
TWICE = '<ssc:LinearTransformation factor="2"/>'


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("<ssd:Elements>", '<ssd:Elements><ssd:SignalDictionaryReference name="d"/>', "'d' is a SignalDict"),
        ('implementation="CoSimulation"', 'implementation="ModelExchange"', "'a' is an FMU for model exchange"),
        ("resources/a.fmu", "../a.fmu", "only files in the archive are read"),
        ("resources/a.fmu", "https://example.org/a.fmu", "only files in the archive are read"),
        ("resources/a.fmu", "resources/c.fmu", "is not in the archive"),
        ('name="b" type', 'name="a" type', "two components are called 'a'"),
        ('endElement="b"', 'endElement="c"', "the component 'c' shows no connector 'u'"),
        ('endElement="b" ', "", "the system has no connector 'u'"),
        ('<ssv:Real value="1.0"', '<ssv:Real value="one"', "the parameter 'a.w2' is not a Real: 'one'"),
        ('<ssv:Real value="1.0"', '<ssv:Real value="inf"', "must be finite"),
        ('<ssv:Real value="1.0"', '<ssv:Binary value="00"', "of type Binary"),
        ('<ssv:Real value="1.0" />', "", "the parameter 'a.w2' has no value"),
        (TO_B, f"{TO_B[:-2]}><ssc:LinearTransformed factor='2'/></ssd:Connection>", "LinearTransformed is not support"),
        (TO_B, f"{TO_B[:-2]}>{2 * TWICE}</ssd:Connection>", "is transformed 2 times"),
        (TO_B, f"{TO_B[:-2]} suppressUnitConversion='True'/>", "must be true or false; got 'True'"),
        ('stopTime="1.0"', 'stopTime="-1.0"', "which is not after its start"),
        ("SSP1/SystemStructureDescription", "SSP2/SystemStructureDescription", "instead of a SystemStructureDesc"),
        ("<ssd:System ", '<!DOCTYPE a [<!ENTITY b "c">]><ssd:System ', "declares entities"),
        ("</ssd:System>", "", "is not XML"),
    ],
)  # fmt: skip
def test_ssp_refuses_unsupported_elements(oscillators, tmp_path, old, new, words):
    file = write_ssp(pair(oscillators), tmp_path / "two.ssp")

    def change(text):
        assert old in text
        return text.replace(old, new)

    with pytest.raises(InputError, match=words):
        read_ssp(changed(file, tmp_path / "changed.ssp", change))


def test_files_that_are_none(tmp_path, oscillators):
    (tmp_path / "text.ssp").write_text("no archive")
    with pytest.raises(InputError, match="cannot be read as a system structure"):
        read_ssp(tmp_path / "text.ssp")
    with zipfile.ZipFile(tmp_path / "empty.ssp", "w") as archive:
        archive.writestr("notes.txt", "nothing")
    with pytest.raises(InputError, match=r"contains no SystemStructure\.ssd"):
        read_ssp(tmp_path / "empty.ssp")
    with pytest.raises(InputError, match=r"end in \.ssp"):
        write_ssp(pair(oscillators), tmp_path / "two.zip")
    with pytest.raises(InputError, match="variable in values 'kk' is unknown"):
        write_ssp(System(units=pair(oscillators).units, connections=[], values={"b.kk": 1.0}), tmp_path / "two.ssp")


def test_archives_that_are_hostile(oscillators, tmp_path):
    file = write_ssp(pair(oscillators), tmp_path / "two.ssp")
    out = changed(file, tmp_path / "out.ssp", str, more=[("../evil.txt", "outside")])
    with pytest.raises(InputError, match="is outside the target folder"):
        cosimulate(read_ssp(out))
    bomb = changed(file, tmp_path / "bomb.ssp", str, more=[("zeros.bin", "")])
    with zipfile.ZipFile(bomb, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("more.bin", bytes(100 << 20))
    with pytest.raises(InputError, match="would unpack to"):
        cosimulate(read_ssp(bomb))


def test_clock_that_nobody_ticks(oscillators):
    file = oscillators.write("clocked", fmi=3)
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    clock = '<Clock name="tick" valueReference="99" causality="input" intervalVariability="triggered"/>'
    text = parts["modelDescription.xml"].decode().replace("</ModelVariables>", f"{clock}</ModelVariables>")
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, text if name.endswith(".xml") else content)
    with pytest.raises(InputError, match="'tick' is a clock, which co-simulation here does not tick"):
        cosimulate(System(units={"a": file}, connections=[], **TIMES))


def test_parameters_are_converted_into_the_unit_of_their_variable(oscillators, tmp_path):
    system = pair(oscillators)
    told = System(
        units=system.units,
        connections=system.joins,
        values={**system.values, "a.x": StartValue(800.0, unit="mm")},
        **TIMES,
    )
    read = read_ssp(write_ssp(told, tmp_path / "two.ssp"))
    assert cosimulate(read, estimate=False).values("a.x")[0] == pytest.approx(0.8, rel=1e-15)
    wrong = System(units=system.units, connections=[], values={"a.x": StartValue(1.0, unit="K")}, **TIMES)
    with pytest.raises(InputError, match="'x' has the unit 'm', but its value is in 'K'"):
        cosimulate(wrong)
