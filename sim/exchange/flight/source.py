"""The C of a law or a block: a header with units, and one file that needs nothing but math.h."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polhode import __version__

from ....controllers.laws.law_layout import REFERENCE
from ....plant.loads.torque.torque_limits import saturate
from ..c99.kinds import REAL, Array
from ..c99.literals import real_text
from ..c99.program import Program
from ..c99.switches import Numbered, numbered, replaced_by
from ..c99.values import Value
from .sampled import REFERENCE_WORDS, Sampled

__all__ = ["Written", "written"]

ROW = Array(REAL, 1)
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Written:
    """The two texts, and the name that functions and types begin with."""

    name: str
    header: str
    source: str


def written(sampled: Sampled, *, name: str, single: bool, fingerprint: str) -> Written:
    """Return the C. Raises NotTranslatedError when the kernel has no C."""
    return Written(
        name, _header(sampled, name, single=single, fingerprint=fingerprint), _source(sampled, name, single=single)
    )


def _table(words: Sequence[tuple[str, str]]) -> list[str]:
    return [f" *   [{n}] {what}{f', {unit}' if unit else ''}" for n, (what, unit) in enumerate(words)]


def _step(sampled: Sampled, name: str, kind: str) -> str:
    arguments = [f"{name}_state *state", f"{kind} t", f"const {kind} y[{name.upper()}_READS]"]
    arguments += [f"const {kind} r[{REFERENCE.size}]"] if sampled.follows else []
    return f"int {name}_step({', '.join([*arguments, f'{kind} u[{name.upper()}_WRITES]'])})"


def _header(sampled: Sampled, name: str, *, single: bool, fingerprint: str) -> str:
    kind, upper = "float" if single else "double", name.upper()
    cut = "; ".join(map(_cut, sampled.limits)) or "not cut off here: limits belong to what stands behind it"
    designed = f"designed on the plant {fingerprint}" if fingerprint else "designed on no linear plant"
    about = [
        f"/* {sampled.words}",
        f" * written by polhode {__version__}; {designed}",
        " *",
        f" * Asked every {sampled.sample:g} s; the answer counts {sampled.delay:g} s after its sample.",
        " * C99 with math.h: no memory is allocated, no variable is global, no state but the one handed in.",
        " *",
        " * t: time of the sample, s",
        " * y: what it reads",
        *_table(sampled.reads),
        *([" * r: the reference", *_table(REFERENCE_WORDS)] if sampled.follows else []),
        f" * u: what it writes, {cut}" if sampled.follows else " * u: what it writes",
        *_table(sampled.writes),
        " */",
    ]
    lines = [
        f"#ifndef {upper}_H",
        f"#define {upper}_H",
        "",
        f"#define {upper}_READS {len(sampled.reads)}",
        f"#define {upper}_WRITES {len(sampled.writes)}",
        f"#define {upper}_SAMPLE_S {sampled.sample!r}",
        f"#define {upper}_DELAY_S {sampled.delay!r}",
        f'#define {upper}_VERSION "{__version__}"',
        f'#define {upper}_PLANT "{fingerprint}"',
        "",
        "/* what is returned */",
        f"#define {upper}_DONE 0",
        f"#define {upper}_BAD_INPUT 1 /* something read is not finite: nothing was changed */",
        f"#define {upper}_BAD_ANSWER 2 /* the answer is not finite: u was left as it was */",
        "",
        "typedef struct {",
        f"    {kind} z[{max(sampled.memory.size, 1)}];"
        + ("" if sampled.memory.size else " /* nothing is remembered */"),
        f"}} {name}_state;",
        "",
        "/* The state before the first sample. */",
        f"void {name}_init({name}_state *state);",
        "",
        "/* One sample. */",
        f"{_step(sampled, name, kind)};",
        "",
        "#endif",
    ]
    return "\n".join([*about, *lines]) + "\n"


def _cut(limits: Numbers) -> str:
    """Where a command is cut off, in words."""
    bounds = ", ".join(f"{value:g}" for value in limits[:3])
    found = f"cut off at {bounds} N m, {'shortened' if limits[3] else 'each component by itself'}"
    if not np.isfinite(limits[:3]).any():
        found = "without limits"
    return f"{found}, and shortened to what the actuators span" if limits.size > 4 else found


def _source(sampled: Sampled, name: str, *, single: bool) -> str:
    kind, upper = "float" if single else "double", name.upper()
    functions: Numbered = {}
    numbers = sampled.parameters.copy()
    numbered(sampled.calls, numbers, functions)
    program = Program(name, single=single, replaced=replaced_by(functions))
    kinds = [REAL, ROW, *([ROW] if sampled.follows else []), ROW, ROW, ROW]
    kernel = program.function(sampled.kernel, kinds, name="kernel")
    values = {"q": numbers, "start": sampled.memory}
    held = {key: program.constants(value, key) if value.size else "0" for key, value in values.items()}

    def row(code: str, size: int) -> Value:
        return Value(ROW, code, extents=(lambda: str(size),))

    reads, writes = len(sampled.reads), len(sampled.writes)
    asked = [Value(REAL, "t"), row("y", reads), *([row("r", REFERENCE.size)] if sampled.follows else [])]
    asked += [row(held["q"], sampled.parameters.size), row("state->z", sampled.memory.size), row("answer", writes)]
    call = kernel.call(asked)
    sizes = {reads, writes, 1, *([REFERENCE.size] if sampled.follows else [])}
    finite = [f"!{name}_finite_1(&t)", f"!{name}_finite_{reads}(y)"]
    finite += [f"!{name}_finite_{REFERENCE.size}(r)"] if sampled.follows else []
    limited = _limited(program, sampled)
    start = ["    (void)state;"]
    if sampled.memory.size:
        start = [
            f"    for (integer n = 0; n < {sampled.memory.size}; n++) {{",
            f"        state->z[n] = {held['start']}[n];",
            "    }",
        ]
    lines = [
        f'#include "{name}.h"',
        "",
        "#include <math.h>",
        "",
        "#ifdef __clang__",
        "#pragma STDC FP_CONTRACT OFF",
        "#endif",
        "",
        program.text(),
        *(line for size in sorted(sizes) for line in _finite(name, size, single=single)),
        f"void {name}_init({name}_state *state)",
        "{",
        *start,
        "}",
        "",
        _step(sampled, name, kind),
        "{",
        f"    {kind} answer[{upper}_WRITES];",
        f"    if ({' || '.join(finite)}) {{",
        f"        return {upper}_BAD_INPUT;",
        "    }",
        f"    for (integer n = 0; n < {upper}_WRITES; n++) {{",
        "        answer[n] = NAN;",
        "    }",
        *([] if sampled.memory.size or "state->z" in call else ["    (void)state;"]),
        f"    {call};",
        f"    if (!{name}_finite_{writes}(answer)) {{",
        f"        return {upper}_BAD_ANSWER;",
        "    }",
        *limited,
        f"    for (integer n = 0; n < {upper}_WRITES; n++) {{",
        "        u[n] = answer[n];",
        "    }",
        f"    return {upper}_DONE;",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _finite(name: str, size: int, *, single: bool) -> list[str]:
    """The function that says whether numbers are finite: a sum, for a loop of comparisons costs twice as much."""
    kind, absolute = ("float", "fabsf") if single else ("double", "fabs")
    terms = [f"{absolute}(row[{n}])" for n in range(size)]
    lines = [" + ".join(terms[n : n + 6]) for n in range(0, size, 6)]
    return [
        f"static inline flag {name}_finite_{size}(const {kind} *row)",
        "{",
        f"    const {kind} total = {f'{chr(10)}        + '.join(lines)};",
        f"    return total < {real_text(1e300, single=single)};",
        "}",
        "",
    ]


def _limited(program: Program, sampled: Sampled) -> list[str]:
    """The lines that cut the answer off at the limits, as the engine does."""
    lines: list[str] = []
    for number, limits in enumerate(sampled.limits):
        if limits.size == 4 and not np.isfinite(limits[:3]).any():
            continue
        first, size = 3 * number, str(limits.size)
        function = program.function(saturate, [REAL, REAL, REAL, ROW])
        held = program.constants(limits, f"limits{number or ''}")
        row = Value(ROW, held, extents=(lambda size=size: size,))
        call = function.call([*(Value(REAL, f"answer[{first + n}]") for n in range(3)), row])
        lines += [
            "    {",
            f"        const real3 cut = {call};",
            "        for (integer n = 0; n < 3; n++) {",
            f"            answer[{f'{first} + ' if first else ''}n] = cut.a[n];",
            "        }",
            "    }",
        ]
    return lines
