"""Translation state of one kernel: names, lines written so far, and results of earlier passes."""

import ast
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from .kinds import Array, Kind, Several, common
from .lines import Line
from .names import free_name
from .occurrences import Occurrences, doubtful_names, occurrences_of
from .program import MEASURES, Program
from .refusal import NotTranslatedError, refuse
from .sources import tree_of, value_of
from .stops import STOP
from .values import Value
from .versions import with_versions

CONSTANT = "="
"""Prefix of a constant array's name in the set of roots of an array."""

ENDINGS = ("size", "rows", "columns", "given", "set")
"""Suffixes of C names derived from a Python name: extents, passed argument, flag that a value is set."""


@dataclass
class Local:
    """A local name: its kind, and for an array also its used extents and the arrays that contain it."""

    kind: Kind | None = None
    extents: set[int] = field(default_factory=set[int])
    roots: frozenset[str] = frozenset()


@dataclass
class Learnt:
    """Results of one pass over a kernel, used by the next; passes end when the results no longer change."""

    locals: dict[str, Local] = field(default_factory=dict[str, Local])
    needs: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    writes: set[str] = field(default_factory=set[str])
    takes: bool = False  # whether the kernel creates arrays
    result: Kind | None = None

    def mark(self) -> Any:
        """Return a key for comparing the results of two passes: equal results have equal keys."""
        mine = {name: (each.kind, frozenset(each.extents), each.roots) for name, each in self.locals.items()}
        return mine, frozenset(self.needs), frozenset(self.writes), self.takes, self.result


class Scope:
    """A translation pass over a kernel for given kinds of arguments."""

    def __init__(self, program: Program, kernel: Callable[..., Any], kinds: Sequence[Kind], learnt: Learnt) -> None:
        self.program, self.kernel, self.learnt = program, kernel, learnt
        self.tree = with_versions(tree_of(kernel)) if program.checked else tree_of(kernel)
        self.arguments = dict(zip((each.arg for each in self.tree.args.args), kinds, strict=True))
        self.occurrences: dict[str, Occurrences] = occurrences_of(self.tree)
        self.assigned = {name for name, mine in self.occurrences.items() if mine.stores or mine.counted}
        self.doubtful = doubtful_names(self.tree) if program.checked else frozenset[str]()
        self.definitions: dict[str, list[ast.FunctionDef]] = {}
        for each in ast.walk(self.tree) if program.checked else ():
            if isinstance(each, ast.FunctionDef) and each is not self.tree:
                self.definitions.setdefault(each.name, []).append(each)
        self.lines: list[str] = []
        self.indent = 1
        self.rooms: list[str] = []  # names of the workspace positions at the start of the enclosing loops
        self.breaks: list[str] = []  # flags of the enclosing loops that record a break
        self.bound: dict[str, Value] = {}  # local names that merely refer to a known object, such as a function
        self._temporaries = 0
        self._c_names: dict[str, str] = {}
        for name in (*self.arguments, *self.occurrences):
            self.c_name(name)

    @property
    def of_user(self) -> bool:
        """True for a user-defined function, which follows Python's arithmetic rules."""
        return self.program.checked and not str(getattr(self.kernel, "__module__", "")).startswith("polhode.")

    def refuse(self, node: ast.AST | None, why: str) -> NotTranslatedError:
        """Return the error that refuses the translation of a node."""
        return refuse(self.kernel, node, why)

    def write(self, line: str, *, sets: str = "") -> None:
        """Write a line of C. sets: the name that the line sets, if this is its only effect."""
        text = "    " * self.indent + line
        if sets and STOP in line:  # the line may stop the kernel even if its value is never read
            sets = ""
        self.lines.append(Line(text, sets) if sets else text)

    @contextmanager
    def aside(self) -> Generator[list[str]]:
        """Redirect the lines written in this context to a separate list."""
        kept, self.lines = self.lines, []
        try:
            yield self.lines
        finally:
            self.lines = kept

    @contextmanager
    def inner(self) -> Generator[None]:
        """Indent the lines written in this context by one more level."""
        self.indent += 1
        try:
            yield
        finally:
            self.indent -= 1

    def temporary(self, stem: str = "held") -> str:
        """Return a name that is unused in this function."""
        while True:
            self._temporaries += 1
            name = f"{stem}{self._temporaries}"
            if name not in self._c_names.values():
                return name

    def keep(self, value: Value, *, acts: bool = False) -> Value:
        """Store a value under a new name, so that later lines do not change it.

        acts: whether the expression of the value has side effects.
        """
        if value.is_array:
            return value  # its location does not change
        if value.parts is not None and not value.code:
            return replace(value, parts=tuple(self.keep(part) for part in value.parts))
        name = self.temporary()
        margin = "    " * self.indent
        line = f"{margin}const {self.program.type_name(value.kind)} {name} = {value.code};"
        acts = acts or STOP in value.code
        self.lines.append(Line(line, name, f"{margin}(void)({value.code});" if acts else ""))
        return Value(value.kind, name)

    def steady(self, value: Value) -> Value:
        """Return a value that later lines cannot change: a literal, a name set once, or a new name."""
        if isinstance(value.known, int) or (not value.reads and value.code.isidentifier()):
            return value
        for name in (*self.arguments, *self.occurrences):
            if self.c_name(name) == value.code:
                seen = self.occurrences.get(name)
                if seen is None or (seen.stores == (name not in self.arguments) and not seen.counted):
                    return value
        return self.keep(value)

    # names

    def outside(self, name: str) -> Any:
        """Return the object behind a non-local name and record it; MISSING if the name is unknown."""
        kernel = self.kernel
        found = value_of(kernel, name)
        self.program.known_names.note(lambda: value_of(kernel, name), found)
        return found

    def c_name(self, name: str) -> str:
        """Return the C name of an argument or local, unique for each."""
        if name not in self._c_names:
            self._c_names[name] = self._new_c_name(name)
        return self._c_names[name]

    def _new_c_name(self, name: str) -> str:
        plain = free_name(name)
        if name.startswith("_") and (name.lstrip("_") in self.occurrences or name.lstrip("_") in self.arguments):
            plain = f"{plain}_own"
        taken = set(self._c_names.values())
        stem, _, last = plain.rpartition("_")
        if (last in ENDINGS and stem in taken) or plain.startswith((f"{self.program.prefix}_", "polhode_")):
            plain = f"{plain}_own"
        while plain in taken or {f"{plain}_{each}" for each in ENDINGS} & taken:
            plain = f"{plain}_own"
        return plain

    def array(self, name: str, kind: Array, roots: frozenset[str], *, local: bool) -> Value:
        """Return an array value under its own C name."""
        called = self.c_name(name)

        def extent(n: int) -> Callable[[], str]:
            def read() -> str:
                if local:
                    self.learnt.locals[name].extents.add(n)
                else:
                    self.learnt.needs.add((name, n))
                return f"{called}_{MEASURES[kind.dimensions][n]}"

            return read

        extents = tuple(extent(n) for n in range(kind.dimensions))
        return Value(kind, called, extents=extents, roots=roots | {name})

    def local(self, name: str, node: ast.AST, kind: Kind) -> Local:
        """Return the record of a local name, widened to hold a value of the given kind."""
        mine = self.learnt.locals.setdefault(name, Local())
        wider = common(mine.kind, kind)
        if wider is None:
            raise self.refuse(
                node, f"{name!r} is first a {_words(mine.kind)} and later a {_words(kind)}; use two names"
            )
        mine.kind = wider
        return mine

    def wrote(self, roots: frozenset[str]) -> None:
        """Record a write to the arrays (roots) that contain the written part."""
        waiting = list(roots)
        while waiting:
            name = waiting.pop()
            if name.startswith(CONSTANT):
                why = f"it writes to {name[1:]!r}, a constant in compiled code; change a copy: own = {name[1:]}.copy()"
                raise self.refuse(None, why)
            if name not in self.learnt.writes:
                self.learnt.writes.add(name)
                if name in self.learnt.locals:
                    waiting += self.learnt.locals[name].roots


def _words(kind: Kind | None) -> str:
    if isinstance(kind, Array):
        return "row" if kind.dimensions == 1 else "table"
    if isinstance(kind, Several):
        return f"tuple of {len(kind.items)}"
    return getattr(kind, "name", "function")
