"""Calls through function addresses, and the C functions that are called this way."""

from collections.abc import Sequence
from typing import Any

from .kinds import INTEGER, REAL, Array, Nothing, Pointer
from .names import free_name
from .pointers import SIGNATURES, parts_of
from .program import Function, Program
from .refusal import NotTranslatedError
from .scope import Scope
from .tuples import materialised
from .values import ATOM, Value, operand


def pointer_at(program: Program, signature: str, code: Value) -> str:
    """Return the address stored in a real number or an integer, as a pointer."""
    name = program.type_name(Pointer(signature))
    whole = code.code if code.kind == INTEGER else f"(integer){operand(code, ATOM)}"
    return f"(({name})({whole}))"


def call_pointer(scope: Scope, kind: Pointer, callee: str, arguments: Sequence[Value]) -> str:
    """Return the C text of a call through a pointer; a call that has no result is written as a statement.

    Records the arguments that the called function writes. Raises NotTranslatedError if the arguments do not match the
    signature.
    """
    signature = SIGNATURES[kind.signature]
    scope.program.type_name(kind)
    if len(arguments) != len(signature.arguments):
        raise scope.refuse(None, f"a {kind.signature} must have {len(signature.arguments)} arguments")
    given: list[str] = []
    for (name, wanted), value in zip(signature.arguments.items(), arguments, strict=True):
        if isinstance(wanted, Array) and value.kind != wanted:
            raise scope.refuse(None, f"{name} of a {kind.signature} must be an array of type {wanted.item.name!r}")
        if name in signature.writes:
            scope.wrote(value.roots)
        given.append(materialised(scope, value).code)
        given += [extent() for extent in value.extents]
    text = f"{callee}({', '.join(given)})"
    if isinstance(signature.result, Nothing):
        scope.write(f"{text};")
    return text


def export_text(signature: str, function: Function, name: str, *, visible: str) -> str:
    """Return a C function that has all arguments of a signature and calls a kernel.

    visible: attribute that exports the function from the library. Raises NotTranslatedError when the kernel writes to
    an argument that its signature declares as input.
    """
    found = SIGNATURES[signature]
    own = dict(zip(function.parameters, found.arguments, strict=True))
    beyond = sorted(own[each] for each in function.writes if own[each] not in found.writes)
    if beyond:
        raise NotTranslatedError(
            f"the {signature} {function.name} writes to {', '.join(beyond)}, which must only be read"
        )
    values: list[Any] = []
    for argument, kind in found.arguments.items():
        called = free_name(argument)
        sizes = ("size",) if isinstance(kind, Array) and kind.dimensions == 1 else ("rows", "columns")
        extents = tuple((lambda text=f"{called}_{size}": text) for size in sizes) if isinstance(kind, Array) else ()
        values.append(Value(kind, called, extents=extents))
    result, back = ("void", "") if isinstance(found.result, Nothing) else (REAL.name, "return ")
    unused = " ".join(
        f"(void){part};" for name, kind in found.arguments.items() for _, part in parts_of(name, kind, written=True)
    )
    return f"{visible} {result} {name}({found.parameters()})\n{{\n    {unused}\n    {back}{function.call(values)};\n}}"
