"""Reduction of the connections of nested systems to connections from FMU to FMU."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from ....plant.errors import InputError
from ..fmi.si_units import si_unit
from .system import Connection, StartValue

Node = tuple[str, str]
"""Full name of an element (empty for the outermost system), and one of its connectors."""
MOST_WIRES = 20_000
GIVES = {"output": True, "calculatedParameter": True, "input": False, "parameter": False}


@dataclass(frozen=True)
class Wire:
    """One connection as written: target = factor * source + offset."""

    source: Node
    target: Node
    words: str
    line: tuple[float, float]
    convert: bool


@dataclass
class Wires:
    """All connectors of a structure and the connections between them.

    kinds, declared: kind and declared unit of each connector. into, out: the connection that ends at each connector,
    and the connections that begin at it.
    """

    kinds: dict[Node, str] = field(default_factory=dict[Node, str])
    declared: dict[Node, str] = field(default_factory=dict[Node, str])
    into: dict[Node, Wire] = field(default_factory=dict[Node, Wire])
    out: dict[Node, list[Wire]] = field(default_factory=dict[Node, list[Wire]])

    def add(self, wire: Wire, *, within: str) -> None:
        """Add a connection. within: full name of the system that contains the connection."""
        gives = [self._gives(node, within) for node in (wire.source, wire.target)]
        if gives[0] is False or gives[1] is True:
            if gives[0] is True or gives[1] is False:
                both = "are sources" if gives[0] else "are inputs"
                raise InputError(f"{wire.words}: joins two connectors that {both}")
            if wire.line != (1.0, 0.0):
                raise InputError(f"{wire.words}: goes from an input to an output and is transformed; reverse it")
            wire = replace(wire, source=wire.target, target=wire.source)
        if wire.target in self.into:
            raise InputError(f"{wire.words}: {_words(wire.target)} is connected twice; an input has one source")
        if len(self.into) >= MOST_WIRES:
            raise InputError(f"exceeds the limit of {MOST_WIRES} connections")
        self.into[wire.target] = wire
        self.out.setdefault(wire.source, []).append(wire)

    def _gives(self, node: Node, within: str) -> bool | None:
        """Return whether a connector is a signal source in a system; None if it may be source or target."""
        found = GIVES.get(self.kinds.get(node, ""))
        return found if found is None or node[0] != within else not found

    def connections(self, units: Collection[str], given: Collection[Node]) -> list[Connection]:
        """Return the connections from FMU to FMU. given: connectors with a parameter value.

        An input of the outermost system must have a parameter value. Raises InputError if such a value is missing, or
        if a cycle of connections contains no FMU.
        """
        found: list[Connection] = []
        for target, last in self.into.items():
            if target[0] not in units:
                continue
            way, passed = [last], {target}
            while (start := way[-1].source)[0] not in units and start in self.into:
                if start in passed:
                    raise InputError(f"{last.words}: is a cycle without an FMU")
                passed.add(start)
                way.append(self.into[start])
            way.reverse()
            if start[0] in units:
                found.append(self._whole(way))
            elif not start[0] and start not in given and self.kinds.get(start) != "parameter":
                raise InputError(
                    f"{way[0].words}: comes from outside the system; add a parameter for the connector {start[1]!r} of "
                    "the system, or remove the connection"
                )
        return found

    def _whole(self, way: list[Wire]) -> Connection:
        factor, offset = self._line(way)
        source, target = (".".join(node) for node in (way[0].source, way[-1].target))
        declared = [unit for wire in way[:-1] if (unit := self.declared.get(wire.target, ""))] if way[0].convert else []
        return Connection(
            source,
            target,
            factor=factor,
            offset=offset,
            convert=way[0].convert,
            source_unit=declared[0] if declared else "",
            target_unit=declared[-1] if declared else "",
        )

    def _line(self, way: list[Wire]) -> tuple[float, float]:
        """Return the total factor and offset of consecutive connections."""
        between = [wire.target for wire in way[:-1]]
        if len({wire.convert for wire in way}) > 1:
            raise InputError(
                f"{way[0].words}: units are converted on one part of the path to {_words(way[-1].target)}, but not on "
                "another; set suppressUnitConversion on the whole path or nowhere"
            )
        if way[0].convert:
            said = [self.declared.get(node, "") for node in (way[0].source, *between, way[-1].target)]
            known = {unit: si for unit in said if (si := si_unit(unit) if unit else None) is not None}
            if len({si.exponents for si in known.values()}) > 1:
                raise InputError(
                    f"{way[0].words}: {' and '.join(map(repr, known))} cannot be converted into each other"
                )
            if any(wire.line[1] for wire in way[:-1]) and any(self.declared.get(node) for node in between):
                raise InputError(
                    f"{way[0].words}: has an offset before the unit conversion; state the offset on the "
                    "last part of the path"
                )
        factor, offset = 1.0, 0.0
        for wire in way:
            factor, offset = wire.line[0] * factor, wire.line[0] * offset + wire.line[1]
        return factor, offset

    def reached(self, node: Node, value: StartValue, units: Collection[str]) -> list[tuple[str, StartValue]]:
        """Return the FMU variables that receive the value of a system's connector, and the value for each."""
        if value.offset and self.declared.get(node):
            raise InputError(
                f"the parameter {_words(node)} has an offset before the conversion of its unit, "
                f"{self.declared[node]!r}; map it to the variable itself"
            )
        found: list[tuple[str, StartValue]] = []
        waiting: list[list[Wire]] = [[wire] for wire in self.out.get(node, ())]
        passed = {node}
        while waiting:
            way = waiting.pop(0)
            target = way[-1].target
            if target[0] not in units:
                if target not in passed:
                    passed.add(target)
                    waiting += [[*way, wire] for wire in self.out.get(target, ())]
                continue
            said = [
                unit for each in (node, *(wire.target for wire in way[:-1])) if (unit := self.declared.get(each, ""))
            ]
            there = replace(
                value, unit=value.unit or self.declared.get(node, ""), variable_unit=said[-1] if said else ""
            )
            line = self._line(way)
            if line != (1.0, 0.0) and (isinstance(value.value, bool | str)):
                raise InputError(f"{way[0].words}: {value.value!r} is not a real number and cannot be transformed")
            if not way[0].convert:
                if value.unit and value.unit != self.declared.get(node, value.unit):
                    raise InputError(
                        f"the parameter {_words(node)} is in {value.unit!r}, but is passed on without conversion "
                        f"(suppressUnitConversion) from {self.declared[node]!r}; state it in the latter unit"
                    )
                there = replace(there, unit="", variable_unit="")
            found.append((".".join(target), there.through(*line)))
        return found


def _words(node: Node) -> str:
    return ".".join(part for part in node if part)
