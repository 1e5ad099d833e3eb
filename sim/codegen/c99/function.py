"""A kernel as a C function: passes over the syntax tree are repeated until their results agree."""

import ast
from collections.abc import Callable, Sequence
from typing import Any

from ....plant.kernels.kernel import INLINED
from ..escaped import c_comment
from .complexes import as_complex
from .kinds import COMPLEX, NOTHING, REAL, SIMD_REAL, Array, Bound, Kind, Nothing, Record
from .lines import needed, words_of
from .program import MEASURES, Function, Program
from .refusal import refuse
from .scope import Learnt, Scope
from .simd import spread
from .simd_types import TARGET
from .statements import GIVE_BACK, block
from .stops import BUILT_IN, STOP
from .values import Value

PASSES = 40


def _learnt(program: Program, kernel: Callable[..., Any], kinds: tuple[Kind, ...]) -> tuple[Learnt, Scope]:
    """Translate a kernel until no type changes; return the types of its names, and its scope with C lines."""
    learnt = Learnt()
    for _ in range(PASSES):
        before = learnt.mark()
        scope = Scope(program, kernel, kinds, learnt)
        block(scope, scope.tree.body)
        if learnt.result is None:
            learnt.result = NOTHING
        if learnt.mark() == before:
            return learnt, scope
    raise refuse(kernel, None, "the types of its names do not converge")


def written(program: Program, kernel: Callable[..., Any], kinds: tuple[Kind, ...], name: str) -> Function:
    """Return the C function of a kernel for given kinds of arguments. Raises NotTranslatedError."""
    learnt, scope = _learnt(program, kernel, kinds)
    result = NOTHING if learnt.result is None else learnt.result
    arguments = tuple(scope.arguments)
    writes = frozenset(learnt.writes & set(arguments))
    # without this, compilers do not inline some calls, and a sample takes 20 % longer
    # (tests/benchmarks/law_against_c.py)
    inline = "POLHODE_INLINE" if program.whole_records and kernel in INLINED else "inline"
    _write_end(scope, result, takes=bool(learnt.takes))
    lines = needed(scope.lines)
    parameters = ", ".join([*([f"polhode_stops *{STOP}"] if program.checked else []), *_parameters(scope, kinds)])
    head = f"static {inline} {_result(program, result)} {name}({parameters or 'void'})"
    unused = _unused(scope, lines)
    widened = _widened_arguments(scope, learnt)
    if widened:
        spread(program, Value(REAL))
    if "simd_" in head or any("simd_" in line for line in lines):
        head = f"{TARGET} {head}"
    takes = [f"    const integer polhode_used = {STOP}->used;"] if learnt.takes else []
    body = (*takes, *_widened(scope), *_declarations(scope, lines), *unused, *lines)
    text = "\n".join(line for line in ("" if program.checked else _summary(scope.tree), head, "{", *body, "}") if line)
    return Function(name, arguments, kinds, result, frozenset(learnt.needs), writes, text, program.checked, widened)


def _write_end(scope: Scope, result: Kind, *, takes: bool) -> None:
    """Write the end of a kernel that may end without a return statement, and release the kernel's memory."""
    if scope.program.checked and not isinstance(result, Nothing) and _may_fall_out(scope.tree.body):
        scope.write(f"polhode_leave({STOP}, {scope.program.stop(BUILT_IN['NOTHING'])});")
    if takes and isinstance(result, Nothing):
        scope.write(GIVE_BACK)


def _widened_arguments(scope: Scope, learnt: Learnt) -> frozenset[str]:
    """Return the scalar arguments to which the kernel assigns a vector of runs."""
    return frozenset(
        each for each, kind in scope.arguments.items()
        if each in scope.assigned and kind != SIMD_REAL and learnt.locals[each].kind == SIMD_REAL
    )  # fmt: skip


def _result(program: Program, kind: Kind) -> str:
    if isinstance(kind, Array):
        return f"{program.type_name(kind.item)} *"
    return "void" if isinstance(kind, Nothing) else program.type_name(kind)


def _summary(tree: ast.FunctionDef) -> str:
    said = ast.get_docstring(tree)
    return f"/* {c_comment(said.split(chr(10) + chr(10))[0].replace(chr(10), ' '))} */" if said else ""


def _may_fall_out(body: Sequence[ast.stmt]) -> bool:
    """Return whether the end of a function can be reached, judged by its last statement."""
    last = body[-1]
    if isinstance(last, ast.If):
        return not last.orelse or _may_fall_out(last.body) or _may_fall_out(last.orelse)
    return not isinstance(last, ast.Return | ast.Raise)


def _parameters(scope: Scope, kinds: Sequence[Kind]) -> list[str]:
    found: list[str] = []
    for (name, kind), _ in zip(scope.arguments.items(), kinds, strict=True):
        called = scope.c_name(name)
        if isinstance(kind, Bound):
            continue
        if isinstance(kind, Record):
            found.append(f"const {scope.program.record_type(kind.made_of)} *{called}")
        elif isinstance(kind, Array):
            constant = "" if name in scope.learnt.writes else "const "
            found.append(f"{constant}{scope.program.type_name(kind.item)} *{called}")
            found += [
                f"integer {called}_{MEASURES[kind.dimensions][n]}"
                for n in range(kind.dimensions)
                if (name, n) in scope.learnt.needs
            ]
        else:
            wider = scope.learnt.locals[name].kind if name in scope.assigned else kind
            if wider == COMPLEX != kind:
                wider, called = kind, f"{called}_given"
            found.append(f"{scope.program.type_name(wider or kind)} {called}")
    return found


def _widened(scope: Scope) -> list[str]:
    """Return declarations of arguments that are passed as real and become complex later.

    C does not convert structs.
    """
    lines: list[str] = []
    for name, kind in scope.arguments.items():
        wider = scope.learnt.locals[name].kind if name in scope.assigned and name in scope.learnt.locals else kind
        if wider == COMPLEX != kind:
            called = scope.c_name(name)
            given = as_complex(scope.program, Value(kind, f"{called}_given"))
            lines.append(f"    complex_number {called} = {given.code};")
    return lines


def _unused(scope: Scope, lines: Sequence[str]) -> list[str]:
    """Return the line that marks unused arguments, so that compilers do not warn about them."""
    there = {word for line in lines for word in words_of(line)}
    names = [
        scope.c_name(name)
        for name, kind in scope.arguments.items()
        if not isinstance(kind, Bound | Nothing) and scope.c_name(name) not in there
    ]
    names += [STOP] if scope.program.checked and STOP not in there else []
    return [f"    {', '.join(f'(void){name}' for name in names)};"] if names else []


def _declarations(scope: Scope, lines: Sequence[str]) -> list[str]:
    """Return declarations of names that are set inside blocks but not declared there."""
    there = {word for line in lines for word in words_of(line)}
    by_type: dict[str, list[str]] = {}
    for name, mine in scope.learnt.locals.items():
        if name in scope.arguments or scope.c_name(name) not in there or mine.kind is None:
            continue
        seen = scope.occurrences[name]
        if (seen.declared_by is not None and name not in scope.doubtful) or seen.counts_only:
            continue
        called = scope.c_name(name)
        if name in scope.doubtful:
            by_type.setdefault("flag", []).append(f"{called}_set = 0")
        if isinstance(mine.kind, Array):
            constant = "" if name in scope.learnt.writes else "const "
            by_type.setdefault(f"{constant}{scope.program.type_name(mine.kind.item)}", []).append(f"*{called}")
            for n in sorted(mine.extents):
                by_type.setdefault("integer", []).append(f"{called}_{MEASURES[mine.kind.dimensions][n]}")
        else:
            by_type.setdefault(scope.program.type_name(mine.kind), []).append(called)
    return [f"    {kind} {', '.join(names)};" for kind, names in by_type.items()]
