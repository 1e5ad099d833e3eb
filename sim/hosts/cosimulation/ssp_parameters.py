"""SSP 1.0 parameters: parameter sets, inline or in separate files, and parameter mappings."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from xml.etree import ElementTree as ET

import numpy as np

from ....plant.errors import InputError
from .ssp_package import BOOLEANS, Package, inside, local, one, true_or_false
from .system import StartValue

KINDS = {"Real": float, "Integer": int, "String": str}
TABLES = {"BooleanMappingTransformation": "Boolean", "IntegerMappingTransformation": "Integer"}


@dataclass(frozen=True)
class _Entry:
    """Target and transformation (linear, or a table of values) of a mapped parameter.

    convert: whether units are converted.
    """

    target: str
    line: tuple[float, float]
    table: dict[str, str] | None
    convert: bool


def bound(package: Package, element: ET.Element, of: str) -> Iterator[tuple[str, StartValue]]:
    """Iterate over names and values of the parameters bound to an element, the highest priority first.

    of: full name of the element, beginning at the outermost system; empty for the outermost system itself. The
    parameters have full names as well.
    """
    where, before = of or "the system", f"{of}." if of else ""
    for each in inside(element, "ssd", "ParameterBindings"):
        if each.get("type", "application/x-ssp-parameter-set") != "application/x-ssp-parameter-set":
            raise InputError(f"parameters of {where} are a {each.get('type')}; only parameter sets are supported")
        found = _held(package, each, where, "ssv", "ParameterSet", "ParameterValues")
        mapped = _mapping(package, each, where)
        names: set[str] = set()
        for parameter in inside(found, "ssv", "Parameters"):
            name = each.get("prefix", "") + parameter.get("name", "")
            kind, value = _value(before + name, parameter)
            if name in names:
                raise InputError(f"the parameter {before + name!r} is given twice")
            names.add(name)
            if mapped is None:
                yield before + name, value
            elif name in mapped:
                for entry in mapped[name]:
                    yield before + entry.target, _through(entry, before + name, kind, value)
            else:  # unmapped: the standard keeps the name, and ignores the parameter if no variable has it
                yield before + name, replace(value, optional=True)
        for name in mapped or ():
            if name not in names:
                raise InputError(f"parameters of {where}: {name!r} is mapped, but the set contains no such parameter")


def _held(package: Package, element: ET.Element, where: str, part: str, name: str, holder: str) -> ET.Element:
    """Return the root element of a separate file, or of the inline content of an element."""
    source = element.get("source")
    if not source:
        return one(one(element, "ssd", holder) if local(element) != holder else element, part, name)
    if element.get("sourceBase", "SSD") != "SSD":
        raise InputError(f"parameters of {where} are inside a component; put {source!r} next to the description")
    return package.parsed(package.resource(source, f"parameters of {where}"), part, name)


def _mapping(package: Package, binding: ET.Element, where: str) -> dict[str, list[_Entry]] | None:
    given = next((each for each in binding if local(each) == "ParameterMapping"), None)
    if given is None:
        return None
    if given.get("type", "application/x-ssp-parameter-mapping") != "application/x-ssp-parameter-mapping":
        raise InputError(
            f"parameters of {where} are mapped by a {given.get('type')}; only parameter mappings are supported"
        )
    found: dict[str, list[_Entry]] = {}
    targets: set[str] = set()
    for each in _held(package, given, where, "ssm", "ParameterMapping", "ParameterMapping"):
        if local(each) == "Annotations":
            continue
        source, target = each.get("source", ""), each.get("target", "")
        words = f"parameters of {where}: {source!r} -> {target!r}"
        if not source or not target:
            raise InputError(f"{words}: a mapping needs both a source and a target")
        if target in targets:
            raise InputError(f"{words}: two parameters are mapped to it")
        targets.add(target)
        convert = not true_or_false(each.get("suppressUnitConversion", "false"), f"{words}: suppressUnitConversion")
        table = next((part for part in each if local(part) in TABLES), None)
        if table is not None:
            rows = {row.get("source", ""): row.get("target", "") for row in table}
            found.setdefault(source, []).append(_Entry(target, (1.0, 0.0), {"": TABLES[local(table)], **rows}, convert))
            continue
        found.setdefault(source, []).append(_Entry(target, line_of(each, words), None, convert))
    return found


def line_of(element: ET.Element, words: str) -> tuple[float, float]:
    """Return factor and offset of a connection or mapping. words: description for error messages."""
    found = [each for each in element if local(each) not in {"ConnectionGeometry", "Annotations"}]
    if len(found) > 1:
        raise InputError(f"{words}: is transformed {len(found)} times; SSP allows one transformation")
    for each in found:
        if local(each) != "LinearTransformation":
            raise InputError(f"{words}: a {local(each)} is not supported; use a linear transformation")
        try:
            factor, offset = float(each.get("factor", 1.0)), float(each.get("offset", 0.0))
        except ValueError as error:
            raise InputError(f"{words}: {error}") from None
        if not np.isfinite([factor, offset]).all():
            raise InputError(f"{words}: factor and offset must be finite; got {factor:g} and {offset:g}")
        return factor, offset
    return 1.0, 0.0


def _through(entry: _Entry, name: str, kind: str, value: StartValue) -> StartValue:
    """Return the value of a parameter after a mapping."""
    if entry.table is not None:
        if kind != entry.table[""]:
            raise InputError(f"the parameter {name!r} is of type {kind} and mapped as {entry.table['']}")
        for source, target in entry.table.items():
            if source and _plain(name, kind, source) == value.value:
                return replace(value, value=_plain(name, kind, target))
        raise InputError(f"the parameter {name!r} is {value.value!r}, which its mapping does not contain")
    if entry.line != (1.0, 0.0) and kind != "Real":
        raise InputError(
            f"the parameter {name!r} is of type {kind} and cannot have a factor, which requires a real number"
        )
    return replace(value.through(*entry.line), unit=value.unit if entry.convert else "")


def _value(name: str, parameter: ET.Element) -> tuple[str, StartValue]:
    """Return the type and the value of a parameter."""
    held = [value for value in parameter if local(value) != "Annotations"]
    if not held:
        raise InputError(f"the parameter {name!r} has no value")
    if len(held) > 1:
        raise InputError(f"the parameter {name!r} is given twice")
    kind, text = local(held[0]), held[0].get("value", "")
    return kind, StartValue(_plain(name, kind, text), unit=held[0].get("unit", ""))


def _plain(name: str, kind: str, text: str) -> float | bool | str:
    if kind == "Boolean" and text in BOOLEANS:
        return BOOLEANS[text]
    if kind not in KINDS:
        raise InputError(
            f"the parameter {name!r} is {text!r} of type {kind}; numbers, truth values and text are supported"
        )
    try:
        found = KINDS[kind](text)
    except ValueError:
        raise InputError(f"the parameter {name!r} is not a {kind}: {text!r}") from None
    if isinstance(found, float) and not np.isfinite(found):
        raise InputError(f"the parameter {name!r} must be finite; got {text!r}")
    return found
