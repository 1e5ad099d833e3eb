"""C text of a user-defined kernel, which checks every index and stops where Python would raise."""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...plant.errors import InputError
from .c99.kinds import Array
from .c99.known_names import KnownNames
from .c99.names import free_name
from .c99.pointers import SIGNATURES, parts_of
from .c99.program import Program
from .c99.refusal import NotTranslatedError, refuse
from .c99.sources import source_of, tree_of
from .c99.stops import ROOM, Stop
from .c99.values import Value

ENTRY, LISTEN = "polhode_kernel", "polhode_listen"
"""Exports of a user-defined kernel's library: the kernel, and the pointer to its exception handler."""

HEAD = """\
#include <math.h>
#include <setjmp.h>
#include <string.h>
#if defined(_WIN32)
#define POLHODE_API __declspec(dllexport)
#elif defined(__GNUC__)
#define POLHODE_API __attribute__((visibility("default")))
#else
#define POLHODE_API
#endif
#if defined(__GNUC__)
#define POLHODE_NO_RETURN __attribute__((noreturn))
#else
#define POLHODE_NO_RETURN
#endif
"""

REPORT = """\
static void (*polhode_report)(integer code, const double *numbers);

POLHODE_API void polhode_listen(void (*report)(integer code, const double *numbers))
{
    polhode_report = report;
}"""

_ANSWER = {"law": "u", "reference": "r", "block": "v", "user": "dx"}
"""Output, by kind, that is set to NaN when a kernel has stopped, so that the run ends."""

_UNWRITTEN = {"law": "u", "reference": "r", "block": "v"}
"""Output, by kind, that is set to NaN before a kernel is called, so that missing values are detected."""


@dataclass(frozen=True)
class UserText:
    """C text of a library, the numbered reasons to stop, and the outside values that the kernel uses."""

    text: str
    stops: tuple[Stop, ...]
    names: KnownNames


def user_program() -> Program:
    """Return an empty program that receives a user-defined kernel."""
    from .library_text import replaced_by_pointers  # imported late: it imports the whole engine

    return Program("polhode_user", replaced=replaced_by_pointers(), checked=True)


def kernel_text(kind: str, kernel: Callable[..., Any]) -> UserText:
    """Return the C text of a user-defined kernel; `SIGNATURES` lists the kinds.

    Raises NotTranslatedError when the kernel has no translation, and InputError when it writes to an input.
    """
    plain = source_of(kernel)
    name = getattr(plain, "__name__", type(plain).__name__)
    if not hasattr(plain, "__code__"):
        why = f"{name!r} is an object that is called, not a plain function; define it with def to have it compiled"
        raise NotTranslatedError(why)
    return text_of(lambda program: kernel_lines(program, kind, plain), kind)


def text_of(write: Callable[[Program], Sequence[str]], kind: str) -> UserText:
    """Return a library whose kernel consists of the lines that a function writes.

    write: write(program) adds the functions that it needs to the program and returns the lines. Raises
    NotTranslatedError when a part has no translation.
    """
    program = user_program()
    try:
        lines = write(program)
        return whole_text(program, {ENTRY: (kind, lines)})
    except (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        why = f"the translation to C failed ({type(error).__name__}: {error}); write the function more plainly"
        raise NotTranslatedError(why) from error


def whole_text(program: Program, entries: Mapping[str, tuple[str, Sequence[str]]]) -> UserText:
    """Return a library with the given entries, each stated by its name, kind and lines."""
    body = program.text()
    takes_room = body.count("polhode_take(") > 1  # the first occurrence is its definition
    made = [_entry(name, kind, lines, takes_room=takes_room) for name, (kind, lines) in entries.items()]
    return UserText("\n\n".join([HEAD, body, REPORT, *made]) + "\n", tuple(program.stops), program.known_names)


def kernel_lines(program: Program, kind: str, kernel: Callable[..., Any]) -> Sequence[str]:
    """Add a kernel to the program, and return the lines that call it. Raises NotTranslatedError."""
    signature = SIGNATURES[kind]
    function = program.function(kernel, tuple(signature.arguments.values()))
    own = dict(zip(function.parameters, signature.arguments, strict=True))
    for each in sorted(function.writes):
        if own[each] not in signature.writes:
            why = f"it writes to {each!r}, which a {kind} must only read; change a copy: own = {each}.copy()"
            raise InputError(str(refuse(kernel, _line_of(kernel, each), why)).replace("has no C", "is wrong"))
    return [f"{function.call(list(argument_values(kind).values()))};"]


def _line_of(kernel: Callable[..., Any], name: str) -> ast.AST | None:
    """Return the first place at which a kernel writes to an argument; None if there is none."""
    for node in ast.walk(tree_of(kernel)):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == name:
            return node
    return None


def argument_values(kind: str) -> dict[str, Value]:
    """Return the arguments of a kernel's entry as values; a law's torque array has three elements."""
    found: dict[str, Value] = {}
    for name, each in SIGNATURES[kind].arguments.items():
        called = free_name(name)
        size = "3" if (kind, name) == ("law", "u") else f"{called}_size"
        found[name] = Value(each, called, extents=(lambda text=size: text,) if isinstance(each, Array) else ())
    return found


def _entry(name: str, kind: str, lines: Sequence[str], *, takes_room: bool) -> str:
    signature = SIGNATURES[kind]
    parts = [part for name, each in signature.arguments.items() for _, part in parts_of(name, each, written=True)]
    unwritten = _UNWRITTEN.get(kind)
    before: list[str] = []
    if unwritten is not None:
        size = argument_values(kind)[unwritten].extents[0]()
        before = [f"for (integer n = 0; n < {size}; n++) {{", f"    {unwritten}[n] = NAN;", "}"]
    if kind == "element":
        lost = ["for (integer n = 0; n < w_size; n++) {", "    w[n] = NAN;", "}"]
    else:
        lost = [f"if ({_ANSWER[kind]}_size > 0) {{", f"    {_ANSWER[kind]}[0] = NAN;", "}"]
    body = [
        f"{' '.join(f'(void){part};' for part in parts)}",
        "polhode_stops here;",
        "polhode_stops *const polhode_stop = &here;",
        f"real room[{ROOM if takes_room else 1}];",
        "here.used = 0;",
        "here.room = room;",
        *before,
        "if (setjmp(here.back)) {",
        *(f"    {each}" for each in lost),
        "    if (polhode_report) {",
        "        polhode_report(here.code, here.numbers);",
        "    }",
        "    return;",
        "}",
        *lines,
    ]
    indented = "\n".join(f"    {line}" for line in body)
    return f"POLHODE_API void {name}({signature.parameters()})\n{{\n{indented}\n}}"
