"""Systems in SSP 1.0 (System Structure and Parameterization): archives of FMUs and connections."""

import zipfile
import zlib
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree as ET

from ....plant.errors import InputError
from .ssp_package import PARTS, Package, inside, local, one, true_or_false
from .ssp_parameters import bound, line_of
from .ssp_wires import Node, Wire, Wires
from .system import StartValue, System, unit_and_variable

OURS = "org.polhode.cosimulation"
"""Annotation with the communication step of a system, for which SSP 1.0 has no element."""
UNIT = "application/x-fmu-sharedlibrary"
STRUCTURE = "SystemStructure.ssd"
DEFINITION, PACKAGE = "application/x-ssp-definition", "application/x-ssp-package"
DEEPEST, MOST_ELEMENTS, MOST_PACKAGES = 16, 1000, 32
"""Limits: nesting depth, number of components and systems, and number of nested archives."""


def read_ssp(path: str | Path) -> System:
    """Return the system in a system structure (.ssp, SSP 1.0): FMUs, connections, parameters, times.

    The FMUs stay in the archive until the co-simulation. Nested systems (inline, in a separate description or in a
    separate archive) are flattened: the name of an FMU joins all names on its path, such as "body.arm", and connections
    through connectors are replaced by direct connections between FMUs. Linear transformations and
    `suppressUnitConversion` are applied. Parameters are inline or in separate files, with or without mappings;
    parameters of an outer system take precedence over those of an inner system. The system must not need external
    inputs: an input connector of the outermost system must have a parameter of the same name, and a connection to an
    output connector only marks an output of its component.

    Parameters
    ----------
    path : str or path
        The archive.

    Returns
    -------
    System
        The system, for `cosimulate`.

    Raises
    ------
    InputError
        When the file is not a system structure, or has unsupported content: components that are not FMUs, signal
        dictionaries, mappings of enumerations, systems that contain themselves or are nested too deeply.

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
            return _Structure().system(file, Package(archive))
    except FileNotFoundError:
        raise InputError(f"{file}: no such file") from None
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    except (OSError, zipfile.BadZipFile, zlib.error, RuntimeError, ValueError, EOFError) as error:
        raise InputError(f"{file}: cannot be read as a system structure: {error}") from None


class _Structure:
    """A structure as it is read: FMUs, connections, and parameters in order of increasing priority."""

    def __init__(self) -> None:
        self.units: dict[str, str] = {}
        self.wires = Wires()
        self.given: list[tuple[str, StartValue]] = []
        self.elements = self.packages = 0

    def system(self, file: Path, package: Package) -> System:
        """Read the whole structure, and return it as a system."""
        root = package.parsed(STRUCTURE, "ssd", "SystemStructureDescription")
        self.enter(one(root, "ssd", "System"), "", package, 0)
        if not self.units:
            raise InputError("its system has no components")
        values = self.values()
        declared = {".".join(node): unit for node, unit in self.wires.declared.items() if node[0] in self.units}
        keys = {key for key, _ in self.given}
        named = {node for node in self.wires.kinds if ".".join(filter(None, node)) in keys}
        start, duration = _times(root)
        return System(
            units=self.units,
            connections=self.wires.connections(self.units, named),
            values=values,
            stated_units=declared,
            step=_step(root),
            start=start,
            duration=duration,
            name=root.get("name") or file.stem,
            archive=file,
        )

    def enter(self, system: ET.Element, name: str, package: Package, depth: int) -> None:
        """Read a system with its content. name: path of names to the system, empty for the outermost system."""
        if depth > DEEPEST:
            raise InputError(f"nested systems are deeper than {DEEPEST}, at {name[:80]!r}; does one contain itself?")
        self.connectors(system, name)
        inner: set[str] = set()
        for each in inside(system, "ssd", "Elements"):
            short = each.get("name", "")
            self.elements += 1
            if self.elements > MOST_ELEMENTS:
                raise InputError(f"exceeds the limit of {MOST_ELEMENTS} components and systems")
            if short in inner:
                raise InputError(f"two components are called {short!r}")
            if not short or "." in short:
                raise InputError(
                    f"the component {short!r} must have a name without a dot, to be distinguished from variables"
                )
            inner.add(short)
            whole = f"{name}.{short}" if name else short
            self.connectors(each, whole)
            self.element(each, whole, package, depth)
            if local(each) == "Component":  # the parameters of a system are read with the system
                self.bindings(each, whole, package)
        for each in inside(system, "ssd", "Connections"):
            self.wires.add(self.wire(each, name), within=name)
        self.bindings(system, name, package)

    def element(self, each: ET.Element, name: str, package: Package, depth: int) -> None:
        """Add a component, or read a system in its place."""
        kind, type_ = local(each), each.get("type", UNIT)
        if kind == "System":
            self.enter(each, name, package, depth + 1)
            return
        if kind != "Component":
            raise InputError(f"{name!r} is a {kind}, which is not supported; connect components with each other")
        source, _, part = each.get("source", "").partition("#")
        if part and (type_ != PACKAGE or not source):
            raise InputError(
                f"{name!r} is at '{source}#{part}', a part of a description; only whole descriptions are supported"
            )
        if type_ == DEFINITION:
            path = package.resource(source, name)
            beside = Package(package.archive, str(PurePosixPath(path).parent), package.place, package.left)
            self.definition(beside, path, name, depth)
        elif type_ == PACKAGE:
            self.packages += 1
            if self.packages > MOST_PACKAGES:
                raise InputError(f"exceeds the limit of {MOST_PACKAGES} nested archives")
            with package.package(package.resource(source, name)) as held:
                self.definition(held, held.resource(part, name) if part else STRUCTURE, name, depth)
        elif type_ != UNIT or each.get("implementation", "any") == "ModelExchange":
            what = type_ if type_ != UNIT else "an FMU for model exchange"
            raise InputError(f"the component {name!r} is {what}; only FMUs for co-simulation are supported")
        else:
            self.units[name] = package.placed(package.resource(each.get("source", ""), name))

    def definition(self, package: Package, path: str, name: str, depth: int) -> None:
        """Read a system that has a separate description, whose times are ignored."""
        root = package.parsed(path, "ssd", "SystemStructureDescription")
        self.enter(one(root, "ssd", "System"), name, package, depth + 1)

    def connectors(self, element: ET.Element, name: str) -> None:
        """Add the connectors of an element; an element that is defined elsewhere lists them twice."""
        for each in inside(element, "ssd", "Connectors"):
            node, kind = (name, each.get("name", "")), each.get("kind", "")
            if self.wires.kinds.setdefault(node, kind) != kind:
                raise InputError(f"the connector {'.'.join(node)!r} is {self.wires.kinds[node]!r} and {kind!r}")
            for unit in (held.get("unit") for held in each if held.get("unit")):
                if self.wires.declared.setdefault(node, str(unit)) != unit:
                    raise InputError(
                        f"the connector {'.'.join(node)!r} is in {self.wires.declared[node]!r} and in {unit!r}"
                    )

    def bindings(self, element: ET.Element, name: str, package: Package) -> None:
        """Add the parameters bound to an element."""
        self.given += bound(package, element, name)

    def wire(self, each: ET.Element, within: str) -> Wire:
        """Return a connection of a system."""
        ends = [(each.get(f"{of}Element"), each.get(f"{of}Connector", "")) for of in ("start", "end")]
        words = " -> ".join(f"{element or 'the system'}.{connector}" for element, connector in ends)
        nodes: list[Node] = []
        for element, connector in ends:
            whole = within if element is None else f"{within}.{element}" if within else element
            if (whole, connector) not in self.wires.kinds:
                who = "the system has" if element is None else f"the component {element!r} shows"
                raise InputError(f"{words}: {who} no connector {connector!r}")
            nodes.append((whole, connector))
        suppressed = true_or_false(each.get("suppressUnitConversion", "false"), f"{words}: suppressUnitConversion")
        return Wire(nodes[0], nodes[1], words, line_of(each, words), convert=not suppressed)

    def values(self) -> dict[str, float | bool | str | StartValue]:
        """Return the start value of each FMU variable, set directly or through connectors."""
        found: dict[str, float | bool | str | StartValue] = {}
        nodes = {".".join(filter(None, node)): node for node in self.wires.kinds if node[0] not in self.units}
        for key, value in self.given:
            if key in nodes and self.wires.kinds[nodes[key]] in {"output", "calculatedParameter"}:
                raise InputError(
                    f"the parameter {key!r} belongs to an output of a system, whose value is determined by its "
                    "components"
                )
            if key in nodes:
                reached = self.wires.reached(nodes[key], value, self.units)
                if not reached and not value.optional:
                    raise InputError(f"the parameter {key!r} belongs to a connector that leads to no component")
                reached = reached or [(key, value)]
            elif unit_and_variable(key, self.units) is None and not value.optional:
                raise InputError(f"the parameter {key!r} belongs to no component; there are {', '.join(self.units)}")
            else:
                reached = [(key, value)]
            for name, there in reached:
                found[name] = there.plain
        return found


def _times(root: ET.Element) -> tuple[float, float | None]:
    """Return start time and duration, s; the duration is None if it is not given."""
    experiment = root.find(f"{PARTS['ssd']}DefaultExperiment")
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
    """Return the communication step (s) from the annotation that polhode writes, if there is one."""
    for each in inside(root, "ssd", "Annotations"):
        if each.get("type") == OURS:
            return next((float(held.get("step_s", "nan")) for held in each), None)
    return None
