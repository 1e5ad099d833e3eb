"""The checked connections of a system as index arrays that map output numbers to input numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.checks import choice
from ....plant.errors import InputError
from ....plant.frozen import frozen_results
from ..fmi.wiring import given, library
from .system import Connection, StartValue, System, unit_and_variable
from .terminals import Face, Terminal, converted, measure_of, measured

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True, eq=False)
class Inlet:
    """The connected inputs of one FMU.

    terminals: the connected inputs in order. table: variable table for the host process of the FMU. Each input number
    has an entry in the following arrays. source: index among all outputs. factor, offset: input = factor * output +
    offset. continuous: whether both sides are continuous, so that the input may be extrapolated.
    """

    terminals: tuple[Terminal, ...]
    source: NDArray[np.intp]
    factor: Array
    offset: Array
    continuous: NDArray[np.bool_]
    table: Mapping[str, Any]


@frozen_results
@dataclass(frozen=True, eq=False)
class Joined:
    """All FMUs of a system, joined by their connections.

    It contains each FMU's inlet and output indices, notes, and the name, unit, continuity and nominal value of every
    output.
    """

    faces: Mapping[str, Face]
    inlets: Mapping[str, Inlet]
    places: Mapping[str, slice]
    labels: tuple[str, ...]
    units: tuple[str, ...]
    continuous: NDArray[np.bool_]
    nominal: Array
    notes: tuple[str, ...]


def joined(system: System, faces: Mapping[str, Face]) -> Joined:
    """Return the checked connections of a system whose FMUs have been read.

    Raises InputError when a name is unknown, sizes, types or units do not match, or an input is connected twice.
    """
    first: dict[tuple[str, str], int] = {}
    places: dict[str, slice] = {}
    labels: list[str] = []
    units: list[str] = []
    smooth: list[bool] = []
    nominal: list[float] = []
    for name, face in faces.items():
        start = len(labels)
        for terminal in face.outputs.values():
            first[name, terminal.name] = len(labels)
            labels += terminal.labels
            units += [terminal.measure.name] * terminal.size
            smooth += [terminal.continuous] * terminal.size
            nominal += [terminal.nominal] * terminal.size
        places[name] = slice(start, len(labels))
    into: dict[str, dict[str, tuple[Terminal, Connection]]] = {name: {} for name in faces}
    notes: list[str] = []
    for each in system.joins:
        source, target = _terminal(faces, each.source, "output"), _terminal(faces, each.target, "input")
        if target.name in into[target.unit]:
            raise InputError(f"connections: {each.target!r} is connected twice; an input has one source")
        into[target.unit][target.name] = source, each
    inlets = {name: _inlet(name, system, faces, into[name], first, notes) for name in faces}
    notes += _value_notes(system, faces)
    return Joined(
        faces,
        inlets,
        places,
        tuple(labels),
        tuple(units),
        np.array(smooth, dtype=bool),
        np.array(nominal),
        tuple(notes),
    )


def _inlet(
    name: str,
    system: System,
    faces: Mapping[str, Face],
    sources: Mapping[str, tuple[Terminal, Connection]],
    first: Mapping[tuple[str, str], int],
    notes: list[str],
) -> Inlet:
    """Return the connected inputs of an FMU, and append its notes.

    sources: output and connection of each connected input; first: index of the first value of each output.
    """
    face = faces[name]
    terminals = tuple(face.inputs[each] for each in sources)
    index: list[int] = []
    lines: list[tuple[float, float]] = []
    continuous: list[bool] = []
    for terminal in terminals:
        source, connection = sources[terminal.name]
        defined = _defined(faces[source.unit]) | _defined(face)
        line = _line(source, terminal, connection, defined, notes)
        start = first[source.unit, source.name]
        index += range(start, start + source.size)
        lines += [line] * source.size
        continuous += [source.continuous and terminal.continuous] * source.size
    loose = [each.words for each in face.inputs.values() if each.name not in sources]
    loose = [each for each in loose if each not in system.values]
    if loose:
        notes.append(
            f"{', '.join(loose)}: not connected; the start {'value is' if len(loose) == 1 else 'values are'} held"
        )
    return Inlet(
        terminals,
        np.array(index, dtype=np.intp),
        np.array([line[0] for line in lines]),
        np.array([line[1] for line in lines]),
        np.array(continuous, dtype=np.bool_),
        _table(face, terminals, system),
    )


def _value_notes(system: System, faces: Mapping[str, Face]) -> list[str]:
    """Return notes about start values lacking a unit or a variable; raise InputError if an FMU is unknown."""
    notes: list[str] = []
    for key, value in system.values.items():
        begins = unit_and_variable(key, faces)
        left_out = isinstance(value, StartValue) and value.optional
        if begins is None and not left_out:
            raise InputError(
                f"values: {key!r} does not start with the name of an FMU of the system; the FMUs are {', '.join(faces)}"
            )
        if begins is not None and isinstance(value, StartValue) and _bare(faces[begins[0]], begins[1], value):
            notes.append(f"{key}: has no unit; assumed to be in {value.unit!r}")
        if left_out and (begins is None or not _has(faces[begins[0]], begins[1])):
            notes.append(f"{key}: has a value, but there is no such variable")
    return notes


def _terminal(faces: Mapping[str, Face], words: str, way: str) -> Terminal:
    unit, name = unit_and_variable(str(words), faces) or (str(words).partition(".")[0], "")
    face = faces[choice(f"FMU of {words!r} in connections", unit, tuple(faces))]
    known = face.inputs if way == "input" else face.outputs
    if name in (face.outputs if way == "input" else face.inputs):
        raise InputError(f"connections: {words!r} is not an {way}; each connection goes from an output to an input")
    return known[choice(f"{way} of {unit!r} in connections", name, tuple(known))]


def _table(face: Face, terminals: Sequence[Terminal], system: System) -> dict[str, Any]:
    """Return the table for the host process, without unit conversion."""
    fmi = int(face.found.fmiMajorVersion)
    known = {each.name: each for each in face.found.modelVariables}
    connected = [each.name for each in terminals]
    takes = sum(each.size for each in terminals)
    outputs = tuple(face.outputs.values())
    try:
        start = [
            given(known, connected, name, _in_unit(face, known.get(name), value), fmi=fmi)
            for name, value in _given_to(face, system).items()
            if name in known or not value.optional
        ]
    except InputError as error:
        raise InputError(f"{face.name}: {error}") from None
    return {
        **library(face.found),
        "folder": str(face.folder),
        "in": [[each.kind, each.reference, each.size] for each in terminals],
        "takes": list(range(takes)),
        "in_factors": [1.0] * takes,
        "out": [[each.kind, each.reference, each.size] for each in outputs],
        "out_factors": [1.0] * sum(each.size for each in outputs),
        "out_names": [label for each in outputs for label in each.labels],
        "values": start,
    }


def _given_to(face: Face, system: System) -> dict[str, StartValue]:
    """Return the start values for one FMU, by variable name."""
    before = f"{face.name}."
    return {
        key.removeprefix(before): value if isinstance(value, StartValue) else StartValue(value)
        for key, value in system.values.items()
        if key.startswith(before)
    }


def _has(face: Face, name: str) -> bool:
    return any(each.name == name for each in face.found.modelVariables)


def _bare(face: Face, name: str, start_value: StartValue) -> bool:
    """Return whether a value has a unit, but the unit of its variable is unknown."""
    mine = (each for each in face.found.modelVariables if each.name == name)
    return (
        bool(start_value.unit) and not start_value.variable_unit and any(not measure_of(each, {}).name for each in mine)
    )


def _in_unit(face: Face, variable: Any, start_value: StartValue) -> float | bool | str:
    """Return a start value in the unit of its variable."""
    value, line = start_value.value, (1.0, 0.0)
    if isinstance(value, bool | str):
        return value
    if variable is not None and start_value.unit:
        units = _defined(face)
        mine = measure_of(variable, units)
        mine = mine if mine.name else measured(start_value.variable_unit, units)
        found = converted(measured(start_value.unit, units), mine) if mine.name else line
        if found is None:
            raise InputError(
                f"values: {variable.name!r} has the unit {mine.name!r}, but its value is in {start_value.unit!r}"
            )
        line = found
    for factor, offset in (line, (start_value.factor, start_value.offset)):
        value = factor * float(value) + offset if (factor, offset) != (1.0, 0.0) else value
    return value


def _defined(face: Face) -> dict[str, Any]:
    """Return the units defined in the description of an FMU."""
    return {each.name: each.baseUnit for each in face.found.unitDefinitions}


def _line(
    source: Terminal, target: Terminal, given: Connection, defined: Mapping[str, Any], notes: list[str]
) -> tuple[float, float]:
    """Return factor and offset of a connection: input = factor * output + offset."""
    words = f"{source.words} -> {target.words}"
    if source.shape != target.shape:
        sizes = f"{list(source.shape) or 'one number'} and {list(target.shape) or 'one number'}"
        raise InputError(f"connections: {words}: {sizes} do not match; arrays must be connected as a whole")
    factor, offset = float(given.factor), float(given.offset)
    if not np.isfinite([factor, offset]).all():
        raise InputError(f"connections: {words}: factor and offset must be finite; got {factor:g} and {offset:g}")
    kinds = {source.kind, target.kind}
    if not all("Float" in kind or kind == "Real" for kind in kinds):
        if len({_family(kind) for kind in kinds}) > 1 or (factor, offset) != (1.0, 0.0):
            raise InputError(
                f"connections: {words}: a {source.kind} can be connected only to a {source.kind}, and without a "
                f"factor; the target is a {target.kind}"
            )
        return 1.0, 0.0
    return _converted(source, target, given, defined, notes)


def _converted(
    source: Terminal, target: Terminal, given: Connection, defined: Mapping[str, Any], notes: list[str]
) -> tuple[float, float]:
    """Return factor and offset of a connection of real numbers, including the conversion of their units."""
    words = f"{source.words} -> {target.words}"
    factor, offset = float(given.factor), float(given.offset)
    here = source.measure if source.measure.name else measured(given.source_unit, defined)
    there = target.measure if target.measure.name else measured(given.target_unit, defined)
    if not given.convert:
        return factor, offset
    if not here.name or not there.name:
        if here.name != there.name:
            bare, other = (source, there.name) if not here.name else (target, here.name)
            notes.append(f"{words}: {bare.words} has no unit; assumed to be in {other!r}")
        return factor, offset
    line = converted(here, there)
    if line is None:
        raise InputError(
            f"connections: {words}: {here.name!r} cannot be converted to {there.name!r}; connect units of equal "
            "dimension, or use convert=False and factor (suppressUnitConversion in a system structure)"
        )
    scale, shift = line
    if (scale, shift) != (1.0, 0.0) and offset:
        raise InputError(
            f"connections: {words}: from {here.name!r} to {there.name!r} the order of offset and conversion would be "
            "ambiguous; state the whole conversion with convert=False (suppressUnitConversion)"
        )
    return factor * scale, factor * shift + offset


def _family(kind: str) -> str:
    return "whole" if "Int" in kind else kind
