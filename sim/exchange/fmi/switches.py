"""Calls by number as C: a switch over the functions of this very craft."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ....plant.hub.element_calls import call_element  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from ...engine.blocks import call_block  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from ...steppers.gauss import call_gauss, gauss_step  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from ..c99.calls import call_of, called
from ..c99.kinds import INTEGER, NOTHING, REAL, Array
from ..c99.program import Function, Program
from ..c99.values import Value

__all__ = ["replaced_by"]

ROW = Array(REAL, 1)

ELEMENT_ARGUMENTS = ("phase", "t", "x", "u", "p", "row", "w")
ELEMENT_KINDS = (INTEGER, REAL, ROW, ROW, ROW, INTEGER, ROW)
BLOCK_ARGUMENTS = ("t", "y", "q", "z", "v")
BLOCK_KINDS = (REAL, ROW, ROW, ROW, ROW)


def replaced_by(
    elements: Mapping[int, Callable[..., Any]], blocks: Sequence[Callable[..., Any]], *, implicit: bool
) -> dict[Callable[..., Any], Callable[[Any, Sequence[Value]], Value]]:
    """Return what stands for the calls that compiled code makes by address."""

    def element(scope: Any, arguments: Sequence[Value]) -> Value:
        function = _switch(scope.program, "element", elements, ELEMENT_ARGUMENTS, ELEMENT_KINDS)
        return called(scope, None, function, arguments, unused=True)

    def block(scope: Any, arguments: Sequence[Value]) -> Value:
        function = _switch(scope.program, "block", dict(enumerate(blocks)), BLOCK_ARGUMENTS, BLOCK_KINDS)
        return called(scope, None, function, arguments, unused=True)

    def gauss(scope: Any, arguments: Sequence[Value]) -> Value:
        if not implicit:  # never asked
            return Value(REAL, "NAN")
        user, t, h, x, u, p, w, y, within, of, table = arguments
        return call_of(scope, None, gauss_step, [t, h, x, u, p, user, w, y, within, of, table])

    return {call_element: element, call_block: block, call_gauss: gauss}


def _switch(
    program: Program,
    what: str,
    functions: Mapping[int, Callable[..., Any]],
    names: tuple[str, ...],
    kinds: tuple[Any, ...],
) -> Function:
    """A function that calls one of several by its number."""
    key = (what, kinds)
    if key in program.functions:
        return program.functions[key]
    cases: list[str] = []
    needs: set[tuple[str, int]] = set()
    writes: set[str] = set()
    values = [
        Value(kind, name, extents=(lambda name=name: f"{name}_size",) if isinstance(kind, Array) else ())
        for name, kind in zip(names, kinds, strict=True)
    ]
    for number, kernel in functions.items():
        function = program.function(kernel, kinds)
        own = dict(zip(function.parameters, names, strict=True))
        needs |= {(own[name], n) for name, n in function.needs}
        writes |= {own[name] for name in function.writes}
        cases += [f"    case {number}:", f"        {function.call(values)};", "        break;"]
    parameters = ["integer code"]
    for name, kind in zip(names, kinds, strict=True):
        if isinstance(kind, Array):
            parameters.append(f"{'' if name in writes else 'const '}real *{name}")
            parameters += [f"integer {name}_size"] if (name, 0) in needs else []
        else:
            parameters.append(f"{program.type_name(kind)} {name}")
    called_as = program.new_name(f"{program.prefix}_{what}")
    text = "\n".join(
        [
            f"/* The {what} that a number stands for. */",
            f"static void {called_as}({', '.join(parameters)})",
            "{",
            "    switch (code) {",
            *cases,
            "    default:",
            "        break;",
            "    }",
            "}",
        ]
    )
    made = Function(called_as, ("code", *names), (INTEGER, *kinds), NOTHING, frozenset(needs), frozenset(writes), text)
    return program.add(made, key)
