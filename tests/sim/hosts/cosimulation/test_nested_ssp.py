"""Nested systems and mapped parameters equal their flat form; systems that do not fit are refused."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.sim import Connection, StartValue, System, cosimulate, read_ssp, write_ssp

pytest.importorskip("fmpy", reason="FMPy is in the extra fmi")

from .oscillators import START, W2, K  # only where FMPy is installed

SPACES = " ".join(
    f'xmlns:{name}="http://ssp-standard.org/SSP1/SystemStructure{part}"'
    for name, part in (
        ("ssd", "Description"),
        ("ssc", "Common"),
        ("ssv", "ParameterValues"),
        ("ssm", "ParameterMapping"),
    )
)
GIVEN = (("w2", W2), ("k", K), ("x", START))
TIMES = {"duration": 1.0, "step": 0.1}


def connectors(*pairs: str, unit: str = "") -> str:
    told = f' unit="{unit}"' if unit else ""
    rows = (pair.split(":") for pair in pairs)
    inner = "".join(
        f'<ssd:Connector name="{name}" kind="{kind}"><ssc:Real{told}/></ssd:Connector>' for name, kind in rows
    )
    return f"<ssd:Connectors>{inner}</ssd:Connectors>"


def numbers(values: dict[str, Any], mapping: str = "", **of: str) -> str:
    rows = "".join(f'<ssv:Parameter name="{name}">{_number(value)}</ssv:Parameter>' for name, value in values.items())
    words = "".join(f' {name}="{value}"' for name, value in of.items())
    held = f'<ssv:ParameterSet version="1.0" name="n"><ssv:Parameters>{rows}</ssv:Parameters></ssv:ParameterSet>'
    if mapping:
        mapping = f'<ssm:ParameterMapping version="1.0">{mapping}</ssm:ParameterMapping>'
        mapping = f"<ssd:ParameterMapping>{mapping}</ssd:ParameterMapping>"
    inner = f"<ssd:ParameterValues>{held}</ssd:ParameterValues>{mapping}"
    return f"<ssd:ParameterBindings><ssd:ParameterBinding{words}>{inner}</ssd:ParameterBinding></ssd:ParameterBindings>"


def _number(value: Any) -> str:
    return value if isinstance(value, str) else f'<ssv:Real value="{value!r}"/>'


def component(name: str, source: str, more: str = "", *, kind: str = "fmu-sharedlibrary", unit: str = "m") -> str:
    held = connectors("x:output", "u:input", unit=unit)
    return f'<ssd:Component name="{name}" type="application/x-{kind}" source="{source}">{held}{more}</ssd:Component>'


def wire(start: str, end: str, line: str = "", **more: str) -> str:
    words = "".join(f' {name}="{value}"' for name, value in more.items())
    for of, place in (("start", start), ("end", end)):
        element, _, name = place.rpartition(".")
        words += (f' {of}Element="{element}"' if element else "") + f' {of}Connector="{name}"'
    return f"<ssd:Connection{words}>{line}</ssd:Connection>"


def system(name: str, elements: str, wires: str = "", more: str = "", held: str = "") -> str:
    joined = f"<ssd:Connections>{wires}</ssd:Connections>" if wires else ""
    return f'<ssd:System name="{name}">{held}{more}<ssd:Elements>{elements}</ssd:Elements>{joined}</ssd:System>'


def description(inner: str) -> str:
    times = '<ssd:DefaultExperiment startTime="0.0" stopTime="1.0"/>'
    head = f'<ssd:SystemStructureDescription {SPACES} version="1.0" name="two">'
    return f"{head}{inner}{times}</ssd:SystemStructureDescription>"


def given(k: int) -> dict[str, float]:
    return {name: both[k] for name, both in GIVEN}


INNER_FACE = connectors("y:output", "force:input", unit="mm")
INNER_WIRES = wire("b.x", "y") + wire("force", "b.u")
OUTER_WIRES = wire("a.x", "body.force") + wire("body.y", "a.u")
BODY = system("body", component("b", "resources/b.fmu", numbers(given(1))), INNER_WIRES, held=INNER_FACE)


@pytest.fixture(scope="module")
def units(oscillators):
    return {name: oscillators.write(f"nested-{name}") for name in "ab"}


@pytest.fixture(scope="module")
def flat(units):
    values = {f"{name}.{key}": value for k, name in enumerate("ab") for key, value in given(k).items()}
    return cosimulate(
        System(units=units, connections=[("a.x", "b.u"), ("b.x", "a.u")], values=values, **TIMES), estimate=False
    )


def packed(path, inner, units=(), **more):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("SystemStructure.ssd", description(inner))
        for name, file in dict(units).items():
            archive.write(file, f"resources/{name}.fmu")
        for name, content in more.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return path


def top(body: str, wires: str = OUTER_WIRES, more: str = "") -> str:
    return system("top", component("a", "resources/a.fmu", numbers(given(0))) + body, wires, more)


def same(path, flat):
    run = cosimulate(read_ssp(path), step=0.1, estimate=False)
    assert set(run.names) >= {"a.x", "body.b.x"}
    for name in ("x", "v"):
        assert np.array_equal(run.values(f"a.{name}"), flat.values(f"a.{name}"))
        assert np.array_equal(run.values(f"body.b.{name}"), flat.values(f"b.{name}"))
    return run


def test_system_in_system(tmp_path, units, flat):
    """Through connectors in mm from m to m: both conversions cancel."""
    path = packed(tmp_path / "two.ssp", top(BODY), units)
    read = read_ssp(path)
    assert read.units == {"a": "resources/a.fmu", "body.b": "resources/b.fmu"}
    between = {"source_unit": "mm", "target_unit": "mm"}  # between ends without units
    assert read.joins == (Connection("a.x", "body.b.u", **between), Connection("body.b.x", "a.u", **between))
    same(path, flat)


def test_deeper_still(tmp_path, units, flat):
    shell = system(
        "body",
        BODY.replace('name="body"', 'name="core"'),
        wire("core.y", "y") + wire("force", "core.force"),
        held=INNER_FACE,
    )
    read = read_ssp(packed(tmp_path / "two.ssp", top(shell), units))
    assert [(each.source, each.target) for each in read.joins] == [("a.x", "body.core.b.u"), ("body.core.b.x", "a.u")]
    assert read.values["body.core.b.k"] == K[1]


@pytest.mark.slow
def test_connectors_say_what_is_in_them_where_units_do_not(tmp_path, oscillators, units, flat):
    """From m through a connector in mm to a variable without unit the values are in millimetres, and vice versa."""
    bare = {"a": units["a"], "b": oscillators.write("nested-bare", unit="")}
    inner = BODY.replace(connectors("x:output", "u:input", unit="m"), connectors("x:output", "u:input"))
    run = cosimulate(read_ssp(packed(tmp_path / "bare.ssp", top(inner), bare)), step=0.1, estimate=False)
    joined = [Connection("a.x", "b.u", factor=1e3), Connection("b.x", "a.u", factor=1e-3)]
    values = {f"{name}.{key}": value for k, name in enumerate("ab") for key, value in given(k).items()}
    wanted = cosimulate(System(units=bare, connections=joined, values=values, **TIMES), estimate=False)
    assert run.notes == ()
    np.testing.assert_allclose(run.values("body.b.x"), wanted.values("b.x"), rtol=1e-13)
    np.testing.assert_allclose(run.values("a.x"), wanted.values("a.x"), rtol=1e-13)
    given_in = '<ssv:Real value="0.3" unit="m"/>'
    held = top(inner, wire("body.y", "a.u"), numbers({"body.force": given_in}))
    run = cosimulate(read_ssp(packed(tmp_path / "held.ssp", held, bare)), step=0.1, estimate=False)
    system = System(units=bare, connections=joined[1:], values={**values, "b.u": 300.0}, **TIMES)
    wanted = cosimulate(system, estimate=False)
    np.testing.assert_allclose(run.values("body.b.x"), wanted.values("b.x"), rtol=1e-13)
    system = System(units=bare, connections=[], values={"b.u": StartValue(0.3, unit="m")}, **TIMES)
    assert "b.u: has no unit; assumed to be in 'm'" in cosimulate(system, estimate=False).notes
    with pytest.raises(InputError, match="states units; state them in stated_units"):
        write_ssp(System(units=bare, connections=[Connection("a.x", "b.u", target_unit="mm")]), tmp_path / "two.ssp")


def test_system_in_description_beside_it(tmp_path, units, flat):
    """References are resolved relative to its own folder; it may occur more than once."""
    body = component("body", "parts/body.ssd", kind="ssp-definition").replace(
        connectors("x:output", "u:input", unit="m"), INNER_FACE
    )
    inner = BODY.replace("resources/b.fmu", "b.fmu")
    more = {"parts__body_ssd": description(inner), "parts__b_fmu": Path(units["b"]).read_bytes()}
    path = packed(tmp_path / "two.ssp", top(body), units, **more)
    same(path, flat)


def test_archive_in_archive(tmp_path, units, flat):
    inner = packed(tmp_path / "body.ssp", BODY, {"b": units["b"]})
    face = connectors("x:output", "u:input", unit="m")
    body = component("body", "resources/body.ssp", kind="ssp-package").replace(face, INNER_FACE)
    path = packed(tmp_path / "two.ssp", top(body), {"a": units["a"]}, resources__body_ssp=inner.read_bytes())
    assert read_ssp(path).units["body.b"] == "resources/body.ssp!/resources/b.fmu"
    same(path, flat)
    with pytest.raises(InputError, match="was read from"):
        write_ssp(read_ssp(path), tmp_path / "again.ssp")


def test_factors_on_the_way_multiply(tmp_path, units):
    """y = 2 (3 x) + 0.5: an offset is applied after later factors."""
    bare = connectors("y:output", "force:input")
    line = '<ssc:LinearTransformation factor="{}" offset="{}"/>'.format
    inner = wire("b.x", "y", line(3, 0)) + wire("force", "b.u")
    body = system("body", component("b", "resources/b.fmu"), inner, held=bare)
    outer = wire("a.x", "body.force") + wire("body.y", "a.u", line(2, 0.5))
    read = read_ssp(packed(tmp_path / "two.ssp", top(body, outer), units))
    assert read.joins[1] == Connection("body.b.x", "a.u", factor=6.0, offset=0.5)
    shifted = top(body.replace(line(3, 0), line(3, 1)), outer)
    assert read_ssp(packed(tmp_path / "three.ssp", shifted, units)).joins[1].offset == 2.5
    told = shifted.replace(bare, INNER_FACE)
    with pytest.raises(InputError, match="has an offset before the unit conversion"):
        read_ssp(packed(tmp_path / "four.ssp", told, units))


def test_parameters_of_outer_systems_count_before_those_of_inner_ones(tmp_path, units, flat):
    """By hierarchical names; later bindings before earlier ones, and connectors of a system by their own name."""
    wrong = {"w2": 9.0, "k": 9.0, "x": 9.0}
    face = connectors("y:output", "force:input", unit="m").replace(
        "</ssd:Connectors>", '<ssd:Connector name="stiff" kind="parameter"><ssc:Real/></ssd:Connector></ssd:Connectors>'
    )
    b = component("b", "resources/b.fmu", numbers(wrong)).replace(
        "</ssd:Connectors>", '<ssd:Connector name="w2" kind="parameter"><ssc:Real/></ssd:Connector></ssd:Connectors>'
    )
    body = system(
        "body",
        b,
        INNER_WIRES + wire("stiff", "b.w2", '<ssc:LinearTransformation factor="2"/>'),
        numbers({"b.k": 8.0}),
        face,
    )
    outer = numbers({"body.b.x": START[1], "body.b.k": K[1], "body.stiff": 0.5 * W2[1]})
    same(packed(tmp_path / "two.ssp", top(body, more=outer), units), flat)


MAPPING = """<ssm:MappingEntry source="stiffness" target="w2">
<ssc:LinearTransformation factor="0.5"/></ssm:MappingEntry>
<ssm:MappingEntry source="coupling" target="k"/><ssm:MappingEntry source="length" target="x"/>"""
PLAIN = {"stiffness": 2 * W2[1], "coupling": K[1], "length": f'<ssv:Real value="{1e3 * START[1]!r}" unit="mm"/>'}


def test_mapped_parameters(tmp_path, units, flat):
    """Other names, a factor, converted units; unmapped parameters keep their name and are skipped if nothing has it."""
    values = {**PLAIN, "v": 0.0, "colour": 3.0}
    b = component("b", "resources/b.fmu", numbers(values, MAPPING))
    body = system("body", b, INNER_WIRES, held=INNER_FACE)
    path = packed(tmp_path / "two.ssp", top(body), units)
    read = read_ssp(path)
    assert read.values["body.b.w2"] == StartValue(2 * W2[1], factor=0.5)
    assert read.values["body.b.x"] == StartValue(1e3 * START[1], unit="mm")
    run = cosimulate(read, step=0.1, estimate=False)
    np.testing.assert_allclose(run.values("body.b.x"), flat.values("b.x"), rtol=0, atol=1e-15)
    assert any("body.b.colour: has a value, but there is no such variable" in note for note in run.notes)
    raw = MAPPING.replace('source="length" target="x"', 'source="length" target="x" suppressUnitConversion="true"')
    body = system("body", component("b", "resources/b.fmu", numbers(values, raw)), INNER_WIRES, held=INNER_FACE)
    assert read_ssp(packed(tmp_path / "raw.ssp", top(body), units)).values["body.b.x"] == 1e3 * START[1]


def test_mapping_in_file_beside_it(tmp_path, units):
    file = f'<ssm:ParameterMapping {SPACES} version="1.0">{MAPPING}</ssm:ParameterMapping>'
    b = component("b", "resources/b.fmu", numbers(PLAIN, "HERE")).replace(
        '<ssd:ParameterMapping><ssm:ParameterMapping version="1.0">HERE</ssm:ParameterMapping></ssd:ParameterMapping>',
        '<ssd:ParameterMapping source="names.ssm"/>',
    )
    body = system("body", b, INNER_WIRES, held=INNER_FACE)
    assert read_ssp(packed(tmp_path / "two.ssp", top(body), units, names_ssm=file)).values["body.b.k"] == K[1]
    with pytest.raises(InputError, match=r"is not in the archive"):
        read_ssp(packed(tmp_path / "without.ssp", top(body), units))


def test_tables_of_whole_numbers_and_truth_values(tmp_path, units):
    row = '<ssc:{1}MappingTransformation><ssc:MapEntry source="{2}" target="{3}"/></ssc:{1}MappingTransformation>'
    table = f'<ssm:MappingEntry source="{{0}}" target="{{0}}2">{row}</ssm:MappingEntry>'.format
    values = {"gear": '<ssv:Integer value="3"/>', "on": '<ssv:Boolean value="true"/>'}
    both = table("gear", "Integer", 3, 7) + table("on", "Boolean", "1", "false")
    body = system("body", component("b", "resources/b.fmu", numbers(values, both)), INNER_WIRES, held=INNER_FACE)
    read = read_ssp(packed(tmp_path / "two.ssp", top(body), units))
    assert (read.values["body.b.gear2"], read.values["body.b.on2"]) == (7, False)
    other = packed(tmp_path / "other.ssp", top(body.replace('source="3" target', 'source="4" target')), units)
    with pytest.raises(InputError, match=r"'body\.b\.gear' is 3, which its mapping does not contain"):
        read_ssp(other)


def mapped(old: str, new: str) -> str:
    return top(BODY).replace(numbers(given(0)), numbers(PLAIN, MAPPING.replace(old, new)))


LOOP = system("body", "", wire("force", "y"), held=connectors("y:output", "force:input", unit="m"))


@pytest.mark.parametrize(
    ("inner", "words"),
    [
        (top(BODY).replace('name="b" type', 'name="b.c" type'), "'b.c' must have a name without a dot"),
        (top(BODY.replace('endConnector="y"', 'endConnector="z"')), "the system has no connector 'z'"),
        (top(BODY, OUTER_WIRES + wire("a.x", "body.force")), "body.force is connected twice"),
        (top(BODY, wire("a.x", "body.y")), "joins two connectors that are sources"),
        (top(BODY, wire("a.u", "body.force")), "joins two connectors that are inputs"),
        (top(LOOP, wire("body.y", "body.force") + wire("a.x", "a.u")), None),
        (top(LOOP, wire("body.y", "body.force") + wire("body.y", "a.u")), "is a cycle without an FMU"),
        (top(BODY.replace("<ssd:Connection ", '<ssd:Connection suppressUnitConversion="true" ', 1)), "not on another"),
        (top(BODY.replace('unit="mm"', 'unit="K"')), "'m' and 'K' cannot be converted into each other"),
        (top(BODY, more=numbers({"body.stiff": 1.0})), "'body.stiff' belongs to no component"),
        (top(BODY, "", more=numbers({"body.y": 1.0})), "'body.y' belongs to an output of a system"),
        (top(LOOP, "", more=numbers({"body.force": 1.0})), "'body.force' belongs to a connector that leads to no"),
        (top(component("body", "#core", kind="ssp-definition")), "a part of a description; only whole"),
        (top(component("body", "../body.ssd", kind="ssp-definition")), "only files in the archive are read"),
        (top(component("body", "body.ssp", kind="ssp-package")), "is not in the archive"),
        (top(component("body", "resources/a.fmu", kind="ssp-package")), r"resources/a\.fmu contains no System"),
        (top(component("body", "SystemStructure.ssd", kind="ssp-definition")), "deeper than 16.*does one contain"),
        (top("".join(component(f"c{k}", "resources/a.fmu") for k in range(1001))), "exceeds the limit of 1000"),
        (mapped(MAPPING, 2 * MAPPING), "two parameters are mapped to it"),
        (mapped("coupling", "couple"), "'couple' is mapped, but the set contains no such parameter"),
        (mapped("0.5", "inf"), "factor and offset must be finite"),
        (mapped("0.5", "half"), "could not convert string to float"),
    ],
)  # fmt: skip
def test_nested_system_that_does_not_fit_is_refused(tmp_path, units, inner, words):
    path = packed(tmp_path / "two.ssp", inner, units)
    if words is None:  # a loop without an FMU leads to none
        assert read_ssp(path).joins == (Connection("a.x", "a.u"),)
        return
    with pytest.raises(InputError, match=words):
        read_ssp(path)


@pytest.mark.slow
def test_archives_in_it_that_are_hostile(tmp_path, units):
    face = connectors("x:output", "u:input", unit="m")
    body = component("body", "resources/body.ssp", kind="ssp-package").replace(face, INNER_FACE)

    def holding(name, content):
        path = packed(tmp_path / name, top(body), {"a": units["a"]})
        with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("resources/body.ssp", content)
        return path

    with pytest.raises(InputError, match="would unpack to"):
        read_ssp(holding("bomb.ssp", bytes(100 << 20)))
    with pytest.raises(InputError, match="cannot be read as a system structure"):
        read_ssp(holding("text.ssp", "no archive"))
    parts = "".join(component(f"c{k}", "long.ssd", kind="ssp-definition") for k in range(9))
    long = description(system("long", "") + f"<!--{' ' * (8 << 20)}-->")
    with pytest.raises(InputError, match="exceeds the limit of 67108864 bytes of text"):
        read_ssp(packed(tmp_path / "long.ssp", system("top", parts), long_ssd=long))
    inner = packed(tmp_path / "inner.ssp", BODY, {"b": units["b"]})
    with zipfile.ZipFile(inner, "a") as archive:
        archive.writestr("../evil.txt", "outside")
    with pytest.raises(InputError, match="is outside the target folder"):
        cosimulate(read_ssp(holding("out.ssp", inner.read_bytes())), step=0.1)


def test_values_of_another_kind():
    assert StartValue(3).plain == 3
    with pytest.raises(InputError, match="a given value must be a number, a truth value or text; got None"):
        StartValue(None)
    with pytest.raises(InputError, match="factor"):
        StartValue(1.0, factor=float("inf"))


def test_names_with_dots():
    with pytest.raises(InputError, match=r"'a\.b' could be a variable of another FMU"):
        System(units={"a": "a.fmu", "a.b": "b.fmu"}, connections=[])
    with pytest.raises(InputError, match=r"'a\.' is not the name of an FMU"):
        System(units={"a.": "a.fmu"}, connections=[])
    with pytest.raises(InputError, match="has a dot in its name"):
        write_ssp(System(units={"a.b": "b.fmu"}, connections=[]), "two.ssp")


def test_another_importer_flies_the_same(tmp_path, units):
    """FMPy validates it against the SSP schemas, decomposes systems too, and steps FMUs in parallel."""
    from fmpy.ssp.simulation import simulate_ssp
    from fmpy.ssp.ssd import Parameter, ParameterSet

    calm = [{**given(k), "x": 0.0, "v": speed} for k, speed in enumerate((0.5, -0.2))]  # outputs are zero at the start
    body = BODY.replace(numbers(given(1)), numbers(calm[1])).replace('unit="mm"', 'unit="m"')
    inner = top(body).replace(numbers(given(0)), numbers(calm[0]))
    path = packed(tmp_path / "two.ssp", inner, units)
    named = {
        f"{name}.{key}": value for name, all_ in zip(("a", "body.b"), calm, strict=True) for key, value in all_.items()
    }
    told = ParameterSet(name="all", parameters=[Parameter(name=key, value=value) for key, value in named.items()])
    theirs = simulate_ssp(str(path), stop_time=0.95, step_size=0.1, parameter_set=told)
    ours = cosimulate(read_ssp(path), step=0.1, order="jacobi", estimate=False)
    for name in ("a.x", "body.b.x"):
        np.testing.assert_allclose(theirs[name], ours.values(name)[1:], rtol=0, atol=1e-14)
