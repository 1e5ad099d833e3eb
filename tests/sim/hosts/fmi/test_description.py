"""Descriptions in an FMU that no validator checks: model, terminals, pages."""

from __future__ import annotations

import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant import InputError
from polhode.sim.codegen import toolchain
from polhode.sim.hosts.fmi import libraries
from polhode.sim.hosts.fmi.model_c import headers

CRAFT = plant.Spacecraft(
    plant.RigidBody((4, 3, 2), mass=10.0),
    elements=[plant.RingDamper(axis=(0, 0, 1), mass=0.2, radius=0.3, friction=0.2)],
    translation=True,
)
LAW = controllers.quaternion_feedback(CRAFT, frequency=0.5, damping_ratio=0.8, sample=0.1)
FLIGHT = {"duration": 5.0, "rate": (0.1, 0.2, 1.0), "integrator": "rk4", "step": 0.05}


@pytest.fixture(scope="module", autouse=True)
def no_compiler() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(libraries, "c_compiler", lambda: None)
        yield


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plant, of FMI 3.0."""
    path = tmp_path_factory.mktemp("unit") / "craft.fmu"
    sim.export_fmu(CRAFT, path=path, flight=FLIGHT)
    return path


def unpacked(path: Path) -> tuple[ET.Element, dict[str, bytes]]:
    with zipfile.ZipFile(path) as held:
        parts = {name: held.read(name) for name in held.namelist()}
    return ET.fromstring(parts["modelDescription.xml"]), parts


@pytest.mark.thinned(2)
@pytest.mark.parametrize("closed", [False, True], ids=["plant", "loop"])
def test_version_3(closed: bool, alone: Path, tmp_path: Path) -> None:
    path = alone
    if closed:
        path = tmp_path / "craft.fmu"
        sim.export_fmu(CRAFT, LAW, path=path, flight=FLIGHT)
    root, parts = unpacked(path)
    assert not [name for name in parts if name.startswith("binaries/")]  # no compiler: sources only
    variables = {each.get("valueReference"): each for each in root.iter("Float64")}
    assert len(variables) == len(list(root.iter("Float64")))
    rates = [variables[each.get("valueReference")] for each in root.iter("ContinuousStateDerivative")]
    targets = [variables[each.get("derivative")].get("name") for each in rates]
    assert targets == list(CRAFT.layout.names)  # in the order of the states
    assert [each.get("name") for each in rates] == [f"der({name})" for name in targets]
    starts = [float(variables[each.get("derivative")].get("start", "nan")) for each in rates]
    assert np.array_equal(starts, CRAFT.state(rate=(0.1, 0.2, 1.0)))
    units = {each.get("name"): each.get("unit") for each in variables.values()}
    assert [units[name] for name in CRAFT.layout.names] == list(CRAFT.layout.units)
    assert units["der(momentum_x)"] == "N m"
    assert variables["4000000"].get("causality") == ("output" if closed else "input")
    assert root.get("instantiationToken", "?").encode() in parts["sources/fmu.c"]
    build = ET.fromstring(parts["sources/buildDescription.xml"])
    assert {each.get("name") for each in build.iter("SourceFile")} == {"fmu.c"}


@pytest.mark.slow
def test_version_2_counts_from_one(tmp_path: Path) -> None:
    sim.export_fmu(CRAFT, path=tmp_path / "craft.fmu", flight=FLIGHT, fmi=2)
    root, parts = unpacked(tmp_path / "craft.fmu")
    assert "sources/buildDescription.xml" not in parts
    variables = list(root.iter("ScalarVariable"))
    rates = [variables[int(each.get("index", "0")) - 1] for each in root.findall("ModelStructure/Derivatives/Unknown")]
    targets = [variables[int(each.findall("Real")[0].get("derivative", "0")) - 1].get("name") for each in rates]
    assert targets == list(CRAFT.layout.names)
    outputs = {
        variables[int(each.get("index", "0")) - 1].get("name")
        for each in root.findall("ModelStructure/Outputs/Unknown")
    }
    assert outputs == {each.get("name") for each in variables if each.get("causality") == "output"}


def test_every_function_of_the_standard_is_there(alone: Path) -> None:
    """FMI 3.0.1 requires all of them, and so does FMI 2.0 with both interfaces."""
    text = unpacked(alone)[1]["sources/fmu.c"].decode()
    standard = "".join(headers().values())
    wanted = set(re.findall(r"(fmi[23]\w+)TYPE\b", standard))
    assert len(wanted) == 75 + 44
    defined = Counter(re.findall(r"^[\w *]*\b(fmi[23]\w+)\([^;{]*\)\s*\{", text, re.MULTILINE))
    for names in re.findall(r"^STATE_FUNCTIONS\(([^)]*)\)", text, re.MULTILINE):  # a macro that defines each
        defined.update(name.strip() for name in names.split(",") if "State" in name or "state" in name)
    assert {name: defined[name] for name in wanted} == dict.fromkeys(wanted, 1)


@pytest.mark.slow
def test_description_of_same_craft_has_same_bytes(alone: Path, tmp_path: Path) -> None:
    names = sim.export_fmu(CRAFT, path=tmp_path / "craft.fmu", flight=FLIGHT)
    assert (tmp_path / "craft.fmu").read_bytes() == alone.read_bytes()
    assert names == tuple(unpacked(alone)[1])


@pytest.mark.slow
def test_any_name_of_a_file_will_do(tmp_path: Path) -> None:
    """The token of the library is computed from it."""
    sim.export_fmu(CRAFT, path=tmp_path / "slew-lqr 2.fmu", flight=FLIGHT)
    root, parts = unpacked(tmp_path / "slew-lqr 2.fmu")
    called = {each.get("modelIdentifier") for each in root if each.tag in {"ModelExchange", "CoSimulation"}}
    assert called == {"slew_lqr_2"}
    assert b'modelIdentifier="slew_lqr_2"' in parts["sources/buildDescription.xml"]


def test_fmu_contains_model_terminals_and_pages(alone: Path, tmp_path: Path) -> None:
    """The linear model is that of the spacecraft, terminals name existing variables, pages show existing quantities."""
    root, parts = unpacked(alone)
    names = {each.get("name") for each in root.iter("Float64")}
    terminals = ET.fromstring(parts["terminalsAndIcons/terminalsAndIcons.xml"])
    members = {each.get("variableName") for each in terminals.iter("TerminalMemberVariable")}
    assert {"torque_1", "attitude_0", "rate_z"} < members <= names
    told = json.loads(parts["extra/org.polhode/linear_model.json"])
    model = CRAFT.linearize(CRAFT.state(rate=(0.1, 0.2, 1.0)), allow_nonequilibrium=True)
    assert np.array_equal(told["A"], model.A)
    assert np.array_equal(told["B"], model.B)
    assert told["states"] == list(model.states)
    assert told["residual"] == model.residual > 0.0
    page = parts["documentation/index.html"].decode()
    assert re.findall(r"<img src='([^']*)'", page) == ["flight.png"]
    for picture in ("documentation/flight.png", "terminalsAndIcons/icon.png"):
        assert parts[picture].startswith(b"\x89PNG")
    sim.export_fmu(CRAFT, path=tmp_path / "craft.fmu", flight=FLIGHT, fmi=2)
    older = unpacked(tmp_path / "craft.fmu")[1]
    assert older["model.png"] == parts["terminalsAndIcons/icon.png"]
    assert not [name for name in older if name.startswith("terminals")]
    schemas = pytest.importorskip("fmpy", reason="FMPy is in the extra fmi").__path__[0]
    etree = pytest.importorskip("lxml.etree")
    schema = etree.XMLSchema(etree.parse(str(Path(schemas, "schema", "fmi3", "fmi3TerminalsAndIcons.xsd"))))
    schema.assertValid(etree.fromstring(parts["terminalsAndIcons/terminalsAndIcons.xml"]))


def test_fmu_export_refusal_names_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def export(craft: plant.Spacecraft, law: object = None, name: str = "craft.fmu", **flight: object) -> None:
        sim.export_fmu(craft, law, path=tmp_path / name, flight={**FLIGHT, **flight})

    plain = controllers.CustomLaw(lambda t, y, r: -y[:3], sample=0.1, compiled=False)
    own = plant.Spacecraft(plant.RigidBody((4, 3, 2)), user_forces=[plant.UserForce(lambda t, e, w, c, v: (0,) * 6)])
    with pytest.raises(InputError, match="the law '<lambda>' is plain Python, which cannot be exported"):
        export(CRAFT, plain)
    with pytest.raises(InputError, match="the user force '<lambda>' is user-defined"):
        export(own)
    with pytest.raises(InputError, match="a formulation has its own states"):
        export(plant.Spacecraft(plant.RigidBody((4, 3, 2))), formulation="hamilton-7")
    with pytest.raises(InputError, match=r"such as craft\.fmu"):
        export(CRAFT, name="craft.zip")
    with pytest.raises(InputError, match="flight"):
        export(CRAFT, durations=3.0)
    with pytest.raises(InputError, match="fmi"):
        sim.export_fmu(CRAFT, path=tmp_path / "craft.fmu", flight=FLIGHT, fmi=4)
    with pytest.raises(InputError, match="platform"):
        sim.export_fmu(CRAFT, path=tmp_path / "craft.fmu", flight=FLIGHT, platforms=["amiga"])
    with pytest.raises(InputError, match=r"FMI 2\.0 has no name for aarch64-linux"):
        sim.export_fmu(CRAFT, path=tmp_path / "craft.fmu", flight=FLIGHT, fmi=2, platforms=["aarch64-linux"])
    monkeypatch.setattr(toolchain, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'polhode\[cross\]' brings it"):
        sim.export_fmu(CRAFT, path=tmp_path / "craft.fmu", flight=FLIGHT, platforms=["x86_64-linux"])
    assert not list(tmp_path.iterdir())
