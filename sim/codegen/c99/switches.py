"""Calls by number in C: a switch over the functions of a spacecraft, a loop or a law."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....controllers.contracts.kernel_call import KernelCall, call_law, call_reference
from ....plant.errors import InputError
from ....plant.hub.element_calls import call_element  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from ...engine.blocks import call_block  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from ...engine.steppers.implicit import implicit_step  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from ...engine.steppers.own_step import call_step  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from .calls import call_of, called
from .kinds import INTEGER, NOTHING, REAL, Array, Kind
from .program import Function, Program, Replacement
from .values import Value

ROW = Array(REAL, 1)

SIGNATURES: dict[str, dict[str, Kind]] = {
    "element": {"phase": INTEGER, "t": REAL, "x": ROW, "u": ROW, "p": ROW, "row": INTEGER, "w": ROW},
    "block": {"t": REAL, "y": ROW, "q": ROW, "z": ROW, "v": ROW},
    "law": {"t": REAL, "y": ROW, "r": ROW, "q": ROW, "z": ROW, "u": ROW},
    "reference": {"t": REAL, "q": ROW, "r": ROW},
}
"""Arguments of each kind of function that is called by number."""

CALLS: dict[Callable[..., Any], str] = {
    call_element: "element",
    call_block: "block",
    call_law: "law",
    call_reference: "reference",
}

Numbered = dict[str, dict[int, Callable[..., Any]]]
"""Functions by kind and number."""


def numbered(calls: Sequence[KernelCall], numbers: NDArray[np.float64], functions: Numbered) -> None:
    """Number the kernels that a law or block calls, and store the numbers in its parameters.

    Numbers start at 1; zero means that no kernel is called.
    """
    for place, kind, kernel in calls:
        own = functions.setdefault(kind, {})
        number = next((known for known, held in own.items() if held is kernel), len(own) + 1)
        own[number] = kernel
        numbers[place] = number


def replaced_by(functions: Numbered, *, implicit: bool = False) -> dict[Callable[..., Any], Replacement]:
    """Return the replacements for calls by address in compiled code. implicit: whether implicit steps are taken."""

    def by_number(kind: str) -> Replacement:
        def write(scope: Any, arguments: Sequence[Value]) -> Value:
            signature = {
                name: value.kind if isinstance(wanted, Array) else wanted  # rows may be complex
                for (name, wanted), value in zip(SIGNATURES[kind].items(), arguments[1:], strict=True)
            }
            function = _switch(scope.program, kind, functions.get(kind, {}), signature)
            return called(scope, None, function, arguments, unused=True)

        return write

    def step(scope: Any, arguments: Sequence[Value]) -> Value:
        if not implicit:  # never called
            return Value(REAL, "NAN")
        _, user, t, h, x, u, p, w, y, within, of, table = arguments
        return call_of(scope, None, implicit_step, [t, h, x, u, p, user, w, y, within, of, table])

    return {**{function: by_number(kind) for function, kind in CALLS.items()}, call_step: step}


_open: set[tuple[int, Any]] = set()
"""Switches that are being written, by program and key."""


def _translated(program: Program, kernel: Callable[..., Any], kinds: tuple[Kind, ...], key: Any) -> Function:
    """Return a called kernel in C. Raises InputError if it calls kernels through the same switch."""
    if (id(program), key) in _open:
        raise InputError(
            "modes with a gain schedule cannot be written as C: the modes call the schedule, which calls another law; "
            "write the law of each mode from a case with that law only"
        )
    _open.add((id(program), key))
    try:
        return program.function(kernel, kinds)
    finally:
        _open.discard((id(program), key))


def _switch(
    program: Program, what: str, functions: Mapping[int, Callable[..., Any]], signature: Mapping[str, Kind]
) -> Function:
    """Return a C function that calls one of several functions by its number."""
    names, kinds = tuple(signature), tuple(signature.values())
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
        function = _translated(program, kernel, kinds, key)
        own = dict(zip(function.parameters, names, strict=True))
        needs |= {(own[name], n) for name, n in function.needs}
        writes |= {own[name] for name in function.writes}
        cases += [f"    case {number}:", f"        {function.call(values)};", "        break;"]
    parameters = ["real code"]
    for name, kind in zip(names, kinds, strict=True):
        if isinstance(kind, Array):
            parameters.append(f"{'' if name in writes else 'const '}{program.type_name(kind.item)} *{name}")
            parameters += [f"integer {name}_size"] if (name, 0) in needs else []
        else:
            parameters.append(f"{program.type_name(kind)} {name}")
    called_as = program.new_name(f"{program.prefix}_{what}_by_number")
    text = "\n".join(
        [
            f"/* The {what} with a number. */",
            f"static void {called_as}({', '.join(parameters)})",
            "{",
            "    switch ((integer)code) {",
            *cases,
            "    default:",
            "        break;",
            "    }",
            "}",
        ]
    )
    made = Function(called_as, ("code", *names), (REAL, *kinds), NOTHING, frozenset(needs), frozenset(writes), text)
    return program.add(made, key)
