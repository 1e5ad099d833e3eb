"""A C program to which kernels are added: its text so far, and the requirements of its functions."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from .kinds import COMPLEX, Bound, Kind, Nothing, Pointer, Record, Several, name_of
from .known_names import KnownNames
from .literals import literal, number_of
from .names import free_name
from .pointers import pointer_type
from .prelude import prelude_names, prelude_text
from .refusal import NotTranslatedError, refuse
from .simd_types import SIMD_TYPES, WIDTH
from .sources import source_of, tree_of
from .stops import BUILT_IN, CHECKS, STOP, Stop
from .values import Value

Replacement = Callable[[Any, Sequence[Value]], Value]

MEASURES = {1: ("size",), 2: ("rows", "columns")}
"""Names of the extents of rows and tables."""

MADE_OF = """\
#ifdef __cplusplus
#define made_of(type) type
#else
#define made_of(type) (type)
#endif"""
"""Macro that constructs a struct from its parts within an expression, in C and in C++."""


@dataclass(frozen=True)
class Function:
    """A kernel, translated to a C function for given kinds of arguments.

    result: kind of the result. needs: required extents, as (argument, extent). writes: arguments that the function
    writes to. stops: whether the function has the stop argument. widened: scalars that are passed as vectors.
    """

    name: str
    parameters: tuple[str, ...]
    kinds: tuple[Kind, ...]
    result: Kind
    needs: frozenset[tuple[str, int]]
    writes: frozenset[str]
    text: str
    stops: bool = False
    widened: frozenset[str] = frozenset()

    @property
    def changes(self) -> bool:
        """True if the function writes or may stop, so that the order of its calls matters."""
        return bool(self.writes) or self.stops or any(isinstance(kind, Record) for kind in self.kinds)

    def call(self, arguments: Sequence[Value]) -> str:
        """Return the C text of a call with given arguments."""
        given: list[str] = [STOP] if self.stops else []
        for name, kind, value in zip(self.parameters, self.kinds, arguments, strict=True):
            if isinstance(kind, Bound | Nothing):  # known at translation time
                continue
            given.append(f"simd_spread({value.code})" if name in self.widened else value.code)
            given += [value.extents[n]() for n in range(len(value.extents)) if (name, n) in self.needs]
        return f"{self.name}({', '.join(given)})"


class Program:
    """A complete program in one file.

    prefix: common prefix of the function names. single: whether reals are float32. replaced: functions that compiled
    code replaces, each with a replacement(scope, arguments) -> value. whole_records: whether a record has all its
    fields with all extents, in the layout of the engine's address table; integers then have 64 bits.
    checked: whether every index, division and integer conversion is checked, as required for user-defined kernels;
    the attribute `stops` then lists the reasons why the program may stop.
    """

    def __init__(
        self,
        prefix: str,
        *,
        single: bool = False,
        replaced: Mapping[Callable[..., Any], Replacement] | None = None,
        whole_records: bool = False,
        checked: bool = False,
    ) -> None:
        self.prefix, self.single, self.whole_records, self.checked = prefix, single, whole_records, checked
        self.stops: list[Stop] = list(BUILT_IN.values())
        self.known_names = KnownNames()
        self.nested: dict[tuple[Any, int], Any] = {}  # functions within kernels, by kernel and node
        self.replaced = dict(replaced or {})
        self.functions: dict[tuple[Any, tuple[Kind, ...]], Function] = {}
        self.wide = whole_records or checked  # whether integers need 64 bits
        self.complex = False
        self._names: set[str] = set()
        self._structs: dict[str, str] = {}
        self._arrays: dict[str, tuple[str, Any]] = {}
        self._helpers: dict[str, str] = {}
        self._records: dict[type[Any], dict[tuple[str, int | None], None]] = {}
        self._roots: set[str] = set()
        self.roots: set[Any] = set()  # functions whose result is read element by element, such as user-defined forces
        self._under_way: list[tuple[Any, tuple[Kind, ...]]] = []

    def suffixed(self, name: str) -> str:
        """Return the name of a math.h function for this program's real type."""
        return f"{name}f" if self.single else name

    def number(self, value: Any, name: str = "") -> Value:
        """Return a Python number as a C literal."""
        said = name if name.isascii() else ""
        found = literal(value, single=self.single, name=said, widen=self._widen)
        if found.kind == COMPLEX:
            self.type_name(COMPLEX)
            self.helper("complex_of")
        return found

    def _widen(self) -> None:
        self.wide = True

    def helper(self, name: str) -> str:
        """Add a prelude function to the program, and return its name."""
        for each in prelude_names(name):
            self.own_helper(each, prelude_text(each, single=self.single))
        return name

    def own_helper(self, name: str, text: str) -> str:
        """Add a C function with a given text to the program, and return its name."""
        self._helpers.setdefault(name, text)
        return name

    def type_name(self, kind: Kind) -> str:
        """Return the C type of a scalar or a tuple, and add a tuple's struct to the program."""
        name = name_of(kind)
        if name == "complex_number":
            self.complex = True
        if name in SIMD_TYPES:
            self._structs.setdefault(name, SIMD_TYPES[name])
        if isinstance(kind, Pointer) and name not in self._structs:
            self._structs[name] = pointer_type(kind)
        if isinstance(kind, Several) and name not in self._structs:
            if kind.alike:
                body = f"{self.type_name(kind.items[0])} a[{len(kind.items)}];"
            else:
                body = " ".join(f"{self.type_name(each)} f{n};" for n, each in enumerate(kind.items))
            self._structs[name] = f"typedef struct {{ {body} }} {name};"
        return name

    def constants(self, values: Any, name: str, *, spare: int = 0) -> str:
        """Return the name of a constant array with known elements, stored row by row.

        spare: number of zeros at the end, which are never read. They avoid a false warning of gcc (-Warray-bounds),
        which assumes that a loop over rows may read one row too many.
        """
        numbers = np.asarray(values)
        for known, (_, held) in self._arrays.items():
            if held.shape == numbers.shape and held.dtype == numbers.dtype and held.tobytes() == numbers.tobytes():
                return known
        kind = number_of(numbers.ravel()[0].item()) if numbers.size else None
        if kind is None:
            raise NotTranslatedError(f"the constant {name} does not contain numbers")
        called = self.new_name(f"{self.prefix}_{free_name(name)}")
        texts = [self._initial(each) for each in numbers.ravel().tolist()]
        lines = [", ".join(texts[k : k + 6]) for k in range(0, len(texts), 6)]
        body = ",\n    ".join(lines)
        self._arrays[called] = (
            f"static const {self.type_name(kind)} {called}[{numbers.size + spare}] = {{\n    {body}\n}};",
            numbers,
        )
        return called

    def _initial(self, value: Any) -> str:
        """Return a number as an array initialiser without function calls, which C does not allow there."""
        if isinstance(value, complex):
            return "{" + ", ".join(self.number(each).code for each in (value.real, value.imag)) + "}"
        return self.number(value).code

    def new_name(self, wanted: str) -> str:
        """Return a name that is unused at file level."""
        name, n = wanted, 1
        while name in self._names:
            n += 1
            name = f"{wanted}_{n}"
        self._names.add(name)
        return name

    def stop(self, stop: Stop) -> int:
        """Add a reason to stop to the program, and return its number."""
        if stop not in self.stops:
            self.stops.append(stop)
        return self.stops.index(stop)

    def field(self, made_of: type[Any], name: str, extent: int | None) -> None:
        """Record that a field of a record, or one of the field's extents, is used."""
        self._records.setdefault(made_of, {})[name, extent] = None

    def record_fields(self, made_of: type[Any]) -> dict[str, list[int]]:
        """Return the fields of a record that are used, each with its used extents."""
        found: dict[str, list[int]] = {}
        for name, extent in self._records.get(made_of, {}):
            mine = found.setdefault(name, [])
            if extent is not None:
                mine.append(extent)
        return {name: sorted(mine) for name, mine in found.items()}

    def record_type(self, made_of: type[Any]) -> str:
        """Return the type name of a record."""
        return free_name(f"{self.prefix}_{made_of.__name__.lower()}")

    def function(self, kernel: Callable[..., Any], kinds: Sequence[Kind], *, name: str = "") -> Function:
        """Return a kernel's function for given argument kinds, translated if new. Raises NotTranslatedError."""
        from .function import written

        plain = source_of(kernel)
        key = plain, tuple(kinds)
        if key not in self.functions:
            if key in self._under_way:
                raise refuse(plain, None, "it is recursive; write it as a loop")
            if (count := len(tree_of(plain).args.args)) != len(kinds):
                raise refuse(plain, None, f"it takes {count} arguments, but {len(kinds)} were passed")
            self._under_way.append(key)
            try:
                called = self.new_name(f"{self.prefix}_{name or free_name(plain.__name__)}")
                self.functions[key] = written(self, plain, tuple(kinds), called)
            finally:
                self._under_way.pop()
        if not self._under_way:
            self._roots.add(self.functions[key].name)
        return self.functions[key]

    def is_root(self, kernel: Callable[..., Any]) -> bool:
        """Return whether a kernel of a checked program is its main kernel, not one that the main kernel calls."""
        return self.checked and (not self._under_way or source_of(kernel) in self.roots)

    def add(self, function: Function, key: tuple[Any, tuple[Kind, ...]]) -> Function:
        """Add a function that was not translated from a kernel, such as the switch that replaces a call."""
        self.functions[key] = function
        return function

    def text(self) -> str:
        """Return the program without its head: types, constants, helpers, functions."""
        types = [f"typedef {'float' if self.single else 'double'} real;"]
        types += [f"typedef {'long long' if self.wide else 'int'} integer;", "typedef int flag;"]
        if self.complex:
            types.append("typedef struct { real re, im; } complex_number;")
        records = [self._record_text(made_of) for made_of in self._records]
        functions = [function.text for function in self._called()]
        arrays = [text for text, _ in self._arrays.values()]
        heads = ["\n".join(_guarded([*types, *self._structs.values()]))]
        if self._structs:
            heads.append(MADE_OF)
        heads += [CHECKS] if self.checked else []
        guarded = [*_guarded([*self._helpers.values()]), *_guarded(functions)]
        return "\n\n".join([*heads, *records, *arrays, *guarded]) + "\n"

    def _called(self) -> list[Function]:
        """Return the exported functions and the functions they call; calls without effect are omitted."""
        kept: list[Function] = []
        words: set[str] = set()
        for function in reversed(self.functions.values()):  # called functions come first
            if function.name in self._roots or function.name in words:
                kept.insert(0, function)
                words |= set(re.findall(r"\w+", function.text))
        return kept

    def _record_text(self, made_of: type[Any]) -> str:
        from ...engine.loop_arrays import kinds_of

        lines: list[str] = []
        kinds = kinds_of(made_of)
        fields = self.record_fields(made_of)
        if self.whole_records:
            fields = {name: list(range(dimensions)) for name, (_, dimensions) in kinds.items()}
        for name, extents in fields.items():
            number, dimensions = kinds[name]
            lines.append(f"    {'integer' if number is np.int64 else 'real'} *{free_name(name)};")
            lines += [f"    integer {free_name(name)}_{MEASURES[dimensions][n]};" for n in extents]
        return "typedef struct {\n" + "\n".join(lines) + f"\n}} {self.record_type(made_of)};"


def _guarded(texts: Sequence[str]) -> list[str]:
    """Return C code with preprocessor guards that hide vector code from compilers lacking vector types."""
    found: list[str] = []
    for guard, group in groupby(texts, key=_guard):
        held = list(group)
        found += [guard, *held, "#endif"] if guard else held
    return found


def _guard(text: str) -> str:
    return f"#ifdef {WIDTH}" if "simd_" in text or WIDTH in text else ""
