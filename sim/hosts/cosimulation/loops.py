"""Algebraic loops: outputs that depend directly on themselves through a chain of inputs and FMUs."""

from collections.abc import Mapping
from dataclasses import dataclass

from .joined import Joined


@dataclass(frozen=True)
class Loop:
    """One algebraic loop.

    path: inputs and outputs in order, the first repeated at the end. certain: whether each FMU on the path declares
    that its output depends on its input; False if an FMU does not declare its dependencies.
    """

    path: tuple[str, ...]
    certain: bool

    @property
    def words(self) -> str:
        """Description of the loop."""
        return " -> ".join(self.path)


def loops_in(system: Joined) -> list[Loop]:
    """Return a shortest loop in each group of directly interdependent FMUs, certain loops first."""
    certain, possible = _edges(system)
    found: list[Loop] = []
    for edges, sure in ((certain, True), (possible, False)):
        for node in edges:
            if any(node in loop.path for loop in found):
                continue
            path = _back_to(node, edges)
            if path and not any(set(path) & set(loop.path) for loop in found):
                found.append(Loop(path, sure))
    return found


def _edges(system: Joined) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return two graphs of direct dependences: one of the declared, one of the declared and possible ones."""
    certain: dict[str, list[str]] = {}
    possible: dict[str, list[str]] = {}
    owner: dict[str, str] = {}
    for name, face in system.faces.items():
        for output in face.outputs.values():
            for label in output.labels:
                owner[label] = output.words
        connected = [each.name for each in system.inlets[name].terminals]
        for output, acting in face.direct.items():
            for each in connected if acting is None else acting:
                if each in connected:
                    possible.setdefault(f"{name}.{each}", []).append(f"{name}.{output}")
                    if acting is not None:
                        certain.setdefault(f"{name}.{each}", []).append(f"{name}.{output}")
    for inlet in system.inlets.values():
        place = 0
        for terminal in inlet.terminals:
            source = owner[system.labels[int(inlet.source[place])]]
            for edges in (certain, possible):
                edges.setdefault(source, []).append(terminal.words)
            place += terminal.size
    return certain, possible


def _back_to(start: str, edges: Mapping[str, list[str]]) -> tuple[str, ...]:
    """Return the shortest path from a node to itself; empty if there is none."""
    ways: dict[str, tuple[str, ...]] = {start: (start,)}
    waiting = [start]
    while waiting:
        node = waiting.pop(0)
        for following in edges.get(node, ()):
            if following == start:
                return (*ways[node], start)
            if following not in ways:
                ways[following] = (*ways[node], following)
                waiting.append(following)
    return ()
