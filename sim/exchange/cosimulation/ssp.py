"""Systems as SSP 1.0 has them (System Structure and Parameterization): an archive of units and how they are joined."""

import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import numpy as np

from ....plant.errors import InputError
from .system import Connection, System

__all__ = ["NAMESPACES", "OURS", "UNIT", "read_ssp"]

NAMESPACES = {
    name: f"http://ssp-standard.org/SSP1/SystemStructure{part}"
    for name, part in (("ssd", "Description"), ("ssc", "Common"), ("ssv", "ParameterValues"))
}
PARTS = {name: f"{{{address}}}" for name, address in NAMESPACES.items()}
OURS = "org.polhode.cosimulation"
"""The annotation that says at which step a system is meant to be flown, which SSP 1.0 has no word for."""
UNIT = "application/x-fmu-sharedlibrary"
LONGEST = 16 << 20  # bytes of a description
BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
ASIDE = {"ConnectionGeometry", "Annotations"}  # of a connection: what changes no number
KINDS = {"Real": float, "Integer": int, "String": str}


def read_ssp(path: str | Path) -> System:
    """Read a system structure (.ssp, SSP 1.0): units, connections, parameters, times.

    Its units stay in the archive until the system is flown. Connections are from a component to a component, linear
    transformations and `suppressUnitConversion` counted; parameters stand in it or in files beside it. Connectors of
    the system itself are read as far as nothing has to come from outside: what goes to one is an output of its
    component.

    Parameters
    ----------
    path : str or path
        The archive.

    Returns
    -------
    System
        For `cosimulate`.

    Raises
    ------
    InputError
        When it is no such archive, or has what is not flown here: systems within the system, components that are no
        units, signal dictionaries, parameter mappings, mappings of truth values or enumerations.

    Examples
    --------
    >>> read_ssp("craft.ssp")
    Traceback (most recent call last):
    ...
    polhode.plant.errors.InputError: craft.ssp: no such file
    """
    file = Path(path)
    try:
        with zipfile.ZipFile(file) as archive:
            return _Structure(file, archive).system()
    except FileNotFoundError:
        raise InputError(f"{file}: no such file") from None
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    except (OSError, zipfile.BadZipFile, RuntimeError, ValueError, EOFError) as error:
        raise InputError(f"{file}: cannot be read as a system structure: {error}") from None


class _Structure:
    """An archive that is being read."""

    def __init__(self, file: Path, archive: zipfile.ZipFile) -> None:
        self.file, self.archive = file, archive
        self.values: dict[str, float | bool | str] = {}
        self.units: dict[str, str] = {}

    def system(self) -> System:
        root = self.parsed("SystemStructure.ssd", "ssd", "SystemStructureDescription")
        system = _one(root, "ssd", "System")
        components: dict[str, str] = {}
        kinds: dict[tuple[str, str], str] = {}
        told: dict[str, str] = {}
        for each in _inside(system, "ssd", "Elements"):
            name = self.component(each, components)
            for connector in _inside(each, "ssd", "Connectors"):
                key = connector.get("name", "")
                kinds[name, key] = connector.get("kind", "")
                told |= {f"{name}.{key}": held.get("unit", "") for held in connector if held.get("unit")}
            self.bindings(each, name)
        if not components:
            raise InputError("its system has no components")
        inside = {c.get("name", "") for c in _inside(system, "ssd", "Connectors")}
        connections = [
            joined
            for each in _inside(system, "ssd", "Connections")
            if (joined := _connection(each, kinds, inside)) is not None
        ]
        self.bindings(system, "")
        for key in self.values:
            if key.partition(".")[0] not in components:
                raise InputError(f"the parameter {key!r} belongs to no component; there are {', '.join(components)}")
        times = _times(root)
        return System(
            units=components,
            connections=connections,
            values=self.values,
            value_units=self.units,
            told_units=told,
            step=_step(root),
            start=times[0],
            duration=times[1],
            name=root.get("name") or self.file.stem,
            archive=self.file,
        )

    def parsed(self, name: str, part: str, wanted: str) -> ET.Element:
        """One XML file of the archive."""
        try:
            entry = self.archive.getinfo(name)
        except KeyError:
            raise InputError(f"holds no {name}") from None
        if entry.file_size > LONGEST:
            raise InputError(f"{name} has more than {LONGEST} bytes")
        with self.archive.open(entry) as source:
            text = source.read(LONGEST + 1)
        if len(text) > LONGEST or b"<!DOCTYPE" in text or b"<!ENTITY" in text:
            raise InputError(f"{name} declares entities or is too long, which no system structure does")
        try:
            root = ET.fromstring(text)
        except ET.ParseError as error:
            raise InputError(f"{name} is no XML: {error}") from None
        if root.tag != PARTS[part] + wanted:
            raise InputError(f"{name} is a {root.tag} and no {wanted} of SSP 1")
        return root

    def component(self, each: ET.Element, components: dict[str, str]) -> str:
        """Note a component -> its name."""
        name, kind = each.get("name", ""), _local(each)
        if kind == "System":
            raise InputError(f"{name!r} is a system within the system; put its components beside the others")
        if kind != "Component":
            raise InputError(f"{name!r} is a {kind}, which is not flown; connect components with each other")
        if each.get("type", UNIT) != UNIT or each.get("implementation", "any") == "ModelExchange":
            what = each.get("type", UNIT) if each.get("type", UNIT) != UNIT else "a unit for model exchange"
            raise InputError(f"the component {name!r} is {what}; units with co-simulation are flown")
        if name in components:
            raise InputError(f"two components are called {name!r}")
        if not name or "." in name:
            raise InputError(f"the component {name!r} must have a name, without a dot, to be told apart from variables")
        components[name] = self.resource(each.get("source", ""), name)
        return name

    def resource(self, source: str, name: str) -> str:
        """The path of something beside the description."""
        path = PurePosixPath(unquote(source))
        if not source or ":" in source or path.is_absolute() or ".." in path.parts:
            raise InputError(f"{name!r} is at {source!r}; what is inside the archive is read, such as resources/a.fmu")
        if str(path) not in self.archive.namelist():
            raise InputError(f"{name!r} is at {source!r}, and nothing is there in the archive")
        return str(path)

    def bindings(self, element: ET.Element, name: str) -> None:
        """Note the parameters that are bound to a component, or to the system where it has no name."""
        where = name or "the system"
        for each in _inside(element, "ssd", "ParameterBindings"):
            if each.find(PARTS["ssd"] + "ParameterMapping") is not None:
                raise InputError(f"parameters of {where} are mapped, which is not read; give each by its own name")
            if each.get("type", "application/x-ssp-parameter-set") != "application/x-ssp-parameter-set":
                raise InputError(f"parameters of {where} are a {each.get('type')}; parameter sets are read")
            source = each.get("source")
            if source:
                if each.get("sourceBase", "SSD") != "SSD":
                    raise InputError(
                        f"parameters of {where} are inside a component; put {source!r} beside the description"
                    )
                found = self.parsed(self.resource(source, f"parameters of {where}"), "ssv", "ParameterSet")
            else:
                found = _one(_one(each, "ssd", "ParameterValues"), "ssv", "ParameterSet")
            for parameter in _inside(found, "ssv", "Parameters"):
                key = each.get("prefix", "") + parameter.get("name", "")
                self.give(f"{name}.{key}" if name else key, parameter)

    def give(self, key: str, parameter: ET.Element) -> None:
        """Note one parameter."""
        held = [value for value in parameter if _local(value) != "Annotations"]
        if not held:
            raise InputError(f"the parameter {key!r} has no value")
        for value in held:
            kind, text = _local(value), value.get("value", "")
            if kind == "Boolean" and text in BOOLEANS:
                found: float | bool | str = BOOLEANS[text]
            elif kind in KINDS:
                try:
                    found = KINDS[kind](text)
                except ValueError:
                    raise InputError(f"the parameter {key!r} is no {kind}: {text!r}") from None
                if isinstance(found, float) and not np.isfinite(found):
                    raise InputError(f"the parameter {key!r} must be finite; it is {text!r}")
            else:
                raise InputError(
                    f"the parameter {key!r} is {text!r} of type {kind}; numbers, truth values and text are read"
                )
            if key in self.values:
                raise InputError(f"the parameter {key!r} is given twice")
            self.values[key] = found
            if value.get("unit"):
                self.units[key] = value.get("unit", "")


def _connection(each: ET.Element, kinds: Mapping[tuple[str, str], str], inside: set[str]) -> Connection | None:
    """A connection of two components, or None where it goes to a connector of the system."""
    start, end = ((each.get(f"{of}Element"), each.get(f"{of}Connector", "")) for of in ("start", "end"))
    words = " -> ".join(f"{element or 'the system'}.{name}" for element, name in (start, end))
    for element, name in (start, end):
        if element is None and name not in inside:
            raise InputError(f"{words}: the system has no connector {name!r}")
        if element is not None and (element, name) not in kinds:
            raise InputError(f"{words}: the component {element!r} shows no connector {name!r}")
    factor, offset = 1.0, 0.0
    inner = [held for held in each if _local(held) not in ASIDE]
    for transformation in inner:
        kind = _local(transformation)
        if kind != "LinearTransformation":
            raise InputError(f"{words}: a {kind} is not read; linear transformations are")
        factor, offset = float(transformation.get("factor", 1.0)), float(transformation.get("offset", 0.0))
    if len(inner) > 1:
        raise InputError(f"{words}: is transformed {len(inner)} times; a connection has one transformation")
    turned = kinds.get((end[0] or "", end[1])) == "output" or kinds.get((start[0] or "", start[1])) == "input"
    if turned:
        start, end = end, start
        if (factor, offset) != (1.0, 0.0):
            raise InputError(f"{words}: goes from an input to an output and is transformed; write it the other way")
    if start[0] is None:
        raise InputError(
            f"{words}: comes from outside the system; give the input of {end[0]!r} a parameter of its name, and leave "
            "the connection out"
        )
    if end[0] is None:
        return None  # an output of the system is one of its component, which is recorded
    suppressed = each.get("suppressUnitConversion", "false")
    if suppressed not in BOOLEANS:
        raise InputError(f"{words}: suppressUnitConversion is true or false; it is {suppressed!r}")
    convert = not BOOLEANS[suppressed]
    names = (f"{element}.{name}" for element, name in (start, end))
    return Connection(*names, factor=factor, offset=offset, convert=convert)


def _times(root: ET.Element) -> tuple[float, float | None]:
    """Return start and duration, s; None where they are not told."""
    experiment = root.find(PARTS["ssd"] + "DefaultExperiment")
    if experiment is None:
        return 0.0, None
    start = float(experiment.get("startTime", 0.0))
    stop = experiment.get("stopTime")
    if stop is None:
        return start, None
    if not float(stop) > start:
        raise InputError(f"it stops at {stop} s, which is not after its start at {start:g} s")
    return start, float(stop) - start


def _step(root: ET.Element) -> float | None:
    """The step that is noted in a structure written here, s."""
    for each in _inside(root, "ssd", "Annotations"):
        if each.get("type") == OURS:
            return next((float(held.get("step_s", "nan")) for held in each), None)
    return None


def _local(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _inside(element: ET.Element, part: str, name: str) -> Iterator[ET.Element]:
    held = element.find(PARTS[part] + name)
    yield from () if held is None else held


def _one(element: ET.Element, part: str, name: str) -> ET.Element:
    found = element.find(PARTS[part] + name)
    if found is None:
        raise InputError(f"a {_local(element)} in it has no {name}")
    return found
