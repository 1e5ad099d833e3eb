"""Export of a system as a system structure (SSP 1.0)."""

from collections.abc import Collection, Iterable, Mapping
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree.ElementTree import Element, SubElement, register_namespace

from polhode import __version__

from ....controllers.laws.files.whole_file import write_whole
from ....plant.errors import InputError
from ...codegen.escaped import xml_document
from ..fmi.archive import archived
from ..fmi.si_units import BASES
from ..fmi.unpacked import unpack
from ..process.scratch_folder import scratch_folder
from .joined import joined
from .ssp import OURS, UNIT
from .ssp_package import NAMESPACES, PARTS
from .system import StartValue, System, unit_and_variable
from .terminals import Face, face_of


def write_ssp(system: System, path: str | Path) -> Path:
    """Write a system with its FMUs as a system structure (.ssp, SSP 1.0).

    Components have connectors for connected inputs and all outputs; values are written as inline parameter sets. The
    communication step, for which SSP 1.0 has no element, is written as an annotation.

    Parameters
    ----------
    system : System
        FMUs and connections.
    path : str or path
        The archive, such as "craft.ssp".

    Returns
    -------
    Path
        The archive.

    Raises
    ------
    InputError
        When the extension is not .ssp, an FMU cannot be read, connections are invalid, or arrays are connected, for
        which SSP 1.0 has no connectors.
    SaveError
        When the file cannot be written.

    Examples
    --------
    >>> write_ssp(System(units={"motor": "motor.fmu"}, connections=[]), "craft.ssp")
    Traceback (most recent call last):
    ...
    polhode.plant.errors.InputError: motor.fmu: no such file
    """
    target = Path(path)
    if target.suffix != ".ssp":
        raise InputError(f"{target}: the name of a system structure must end in .ssp")
    if system.archive is not None:
        raise InputError(f"the system was read from {system.archive}, which already contains it; copy that file")
    for name in system.units:
        if "." in name:
            raise InputError(f"the FMU {name!r} has a dot in its name, which separates systems in SSP; rename it")
    for key, value in system.values.items():
        if isinstance(value, StartValue) and value != StartValue(value.value, unit=value.unit):
            raise InputError(
                f"values: {key!r} has a factor, is optional or states the unit of its variable; give the "
                "result as a plain value"
            )
    for each in system.joins:
        if each.source_unit or each.target_unit:
            raise InputError(f"the connection {each.source} -> {each.target} states units; state them in stated_units")
    faces: dict[str, Face] = {}
    parts: dict[str, bytes] = {"SystemStructure.ssd": b""}
    places: dict[str, str] = {}
    with scratch_folder() as folder:
        for number, (name, file) in enumerate(system.units.items()):
            inside = folder / f"unit-{number}"
            inside.mkdir()
            unpack(Path(file), inside)
            faces[name] = face_of(name, str(file), inside, _read(inside, file), system.stated_units)
            places[name] = str(PurePosixPath("resources", f"{name}.fmu"))
            parts[places[name]] = Path(file).read_bytes()
        joined(system, faces)  # rejects invalid connections
        parts["SystemStructure.ssd"] = _description(system, faces, places)
    write_whole(target, lambda part: archived(part, parts))
    return target


def _read(folder: Path, file: str | Path) -> Any:
    try:
        fmpy: Any = import_module("fmpy")
    except ImportError:
        raise InputError("units are read through FMPy; pip install 'polhode[fmi]' brings it") from None
    try:
        return fmpy.read_model_description(str(folder))
    except Exception as error:  # noqa: BLE001 # FMPy's parser, schema or checks
        raise InputError(f"{file}: its modelDescription.xml is invalid: {' '.join(str(error).split())[:300]}") from None


def _description(system: System, faces: Mapping[str, Face], places: Mapping[str, str]) -> bytes:
    for name, address in NAMESPACES.items():
        register_namespace(name, address)
    ssd, ssc = PARTS["ssd"], PARTS["ssc"]
    root = Element(f"{ssd}SystemStructureDescription", version="1.0", name=system.name)
    root.set("generationTool", f"polhode {__version__}")
    held = SubElement(root, f"{ssd}System", name="system")
    elements = SubElement(held, f"{ssd}Elements")
    connected = {each.target for each in system.joins}
    defined: dict[str, Any] = {}
    for name, face in faces.items():
        units = {each.name: each.baseUnit for each in face.found.unitDefinitions if each.baseUnit is not None}
        component = SubElement(elements, f"{ssd}Component", name=name, type=UNIT, source=places[name])
        component.set("implementation", "CoSimulation")
        _connectors(component, face, units, connected, system.stated_units, defined)
        _parameters(component, name, system)
    connections = SubElement(held, f"{ssd}Connections") if system.joins else held
    for each in system.joins:
        (start, output), (end, into) = (_parted(name, faces) for name in (each.source, each.target))
        ends = {"startElement": start, "startConnector": output, "endElement": end, "endConnector": into}
        connection = SubElement(connections, f"{ssd}Connection", ends)
        if not each.convert:
            connection.set("suppressUnitConversion", "true")
        if (each.factor, each.offset) != (1.0, 0.0):
            SubElement(connection, f"{ssc}LinearTransformation", factor=repr(each.factor), offset=repr(each.offset))
    _units(root, defined)
    experiment = SubElement(root, f"{ssd}DefaultExperiment", startTime=repr(float(system.start)))
    if system.duration is not None:
        experiment.set("stopTime", repr(float(system.start + system.duration)))
    if system.step is not None:
        note = SubElement(SubElement(root, f"{ssd}Annotations"), f"{ssc}Annotation", type=OURS)
        SubElement(note, "cosimulation", step_s=repr(float(system.step)))
    return xml_document(root)


def _connectors(
    component: Element,
    face: Face,
    units: Mapping[str, Any],
    connected: Collection[str],
    stated_units: Collection[str],
    defined: dict[str, Any],
) -> None:
    """Add a connector for each output and each connected input of an FMU.

    units: units that the FMU defines; connected: connected inputs; stated_units: signals whose unit the system states;
    defined: units to write into the description, which are added.
    """
    ssd, ssc = PARTS["ssd"], PARTS["ssc"]
    connectors = SubElement(component, f"{ssd}Connectors")
    for way, terminals in (("input", face.inputs), ("output", face.outputs)):
        for each in terminals.values():
            if each.shape and each.words in connected:
                raise InputError(f"{each.words} is an array, for which SSP 1.0 has no connector")
            if each.shape or (way == "input" and each.words not in connected):
                continue
            connector = SubElement(connectors, f"{ssd}Connector", name=each.name, kind=way)
            kind = SubElement(connector, f"{ssc}{_kind(each.kind)}")
            known = each.measure.name in units
            if (known or each.words in stated_units) and _kind(each.kind) == "Real":
                kind.set("unit", each.measure.name)
            if known and _kind(each.kind) == "Real":
                defined.setdefault(each.measure.name, units[each.measure.name])


def _parted(words: str, faces: Mapping[str, Face]) -> tuple[str, str]:
    found = unit_and_variable(words, faces)
    assert found is not None  # noqa: S101 # joined() has checked the name
    return found


def _kind(kind: str) -> str:
    return "Integer" if "Int" in kind else "Boolean" if kind == "Boolean" else "Real"


def _parameters(component: Element, name: str, system: System) -> None:
    mine = [(key.removeprefix(f"{name}."), key) for key in system.values if key.startswith(f"{name}.")]
    if not mine:
        return
    ssd, ssv = PARTS["ssd"], PARTS["ssv"]
    binding = SubElement(SubElement(component, f"{ssd}ParameterBindings"), f"{ssd}ParameterBinding")
    values = SubElement(binding, f"{ssd}ParameterValues")
    rows = SubElement(SubElement(values, f"{ssv}ParameterSet", version="1.0", name=name), f"{ssv}Parameters")
    for called, key in mine:
        start_value = system.values[key]
        value = start_value.value if isinstance(start_value, StartValue) else start_value
        kind = "Boolean" if isinstance(value, bool) else "String" if isinstance(value, str) else "Real"
        kind = "Integer" if isinstance(value, int) and kind == "Real" else kind
        text = str(value).lower() if kind == "Boolean" else value if isinstance(value, str) else repr(value)
        given = SubElement(SubElement(rows, f"{ssv}Parameter", name=called), f"{ssv}{kind}", value=text)
        if isinstance(start_value, StartValue) and start_value.unit and kind == "Real":
            given.set("unit", start_value.unit)


def _units(root: Element, defined: Mapping[str, Any]) -> None:
    if not defined:
        return
    held = SubElement(root, f"{PARTS['ssd']}Units")
    for name, base in defined.items():
        unit = SubElement(held, f"{PARTS['ssc']}Unit", name=name)
        SubElement(unit, f"{PARTS['ssc']}BaseUnit", dict(_powers(base)))


def _powers(base: Any) -> Iterable[tuple[str, str]]:
    for name in (*BASES, "rad"):
        if int(getattr(base, name)):
            yield name, str(int(getattr(base, name)))
    if float(base.factor) != 1.0:
        yield "factor", repr(float(base.factor))
    if float(base.offset) != 0.0:
        yield "offset", repr(float(base.offset))
