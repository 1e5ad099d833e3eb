"""C code of a law or a block: its header, and one source file that needs only math.h."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....controllers.contracts.law_layout import REFERENCE
from ....plant.loads.torque.torque_limits import saturate
from ..c99.kinds import REAL, Array
from ..c99.literals import real_text
from ..c99.program import Program
from ..c99.switches import Numbered, numbered, replaced_by
from ..c99.values import Value
from .gains import Gain
from .header import NORM_TOLERANCE, header_text, step_head
from .numbers import Attitude
from .sampled import Sampled

ROW = Array(REAL, 1)

SPARE = 64
"""Number of zeros after the parameters, larger than the row length of any table in the parameters."""

LONG_AGO = -1e30
"""Initial value for the time of the previous sample, s."""


@dataclass(frozen=True)
class Written:
    """Texts of header and source file, and the prefix of functions and types."""

    name: str
    header: str
    source: str


def written(sampled: Sampled, *, name: str, single: bool, fingerprint: str, gains: Sequence[Gain] = ()) -> Written:
    """Return the C code. gains: gains that are set at run time. Raises NotTranslatedError."""
    size = sampled.parameters.size + SPARE
    header = header_text(sampled, name, single=single, fingerprint=fingerprint, gains=gains, parameters=size)
    return Written(name, header, _source(sampled, name, single=single, gains=gains))


def _source(sampled: Sampled, name: str, *, single: bool, gains: Sequence[Gain]) -> str:
    kind, upper = "float" if single else "double", name.upper()
    functions: Numbered = {}
    numbers = sampled.parameters.copy()
    numbered(sampled.calls, numbers, functions)
    program = Program(name, single=single, replaced=replaced_by(functions))
    for own in ("init", "step", "state", "parameters", "defaults", "default_gains", "bad_gain", "tune"):
        program.new_name(f"{name}_{own}")  # no kernel has this name
    unit = program.new_name(f"{name}_unit_norm")
    kinds = [REAL, ROW, *([ROW] if sampled.follows else []), ROW, ROW, ROW]
    kernel = program.function(sampled.kernel, kinds, name="kernel")
    values = {"q": numbers, "start": sampled.memory}
    held = {
        key: program.constants(value, key, spare=SPARE * (key == "q")) if value.size else "0"
        for key, value in values.items()
    }

    def row(code: str, size: int) -> Value:
        return Value(ROW, code, extents=(lambda: str(size),))

    reads, writes = len(sampled.reads), len(sampled.writes)
    arguments = [Value(REAL, "t"), row("y", reads), *([row("r", REFERENCE.size)] if sampled.follows else [])]
    arguments += [
        row("parameters->q" if gains else held["q"], sampled.parameters.size),
        row("state->z", sampled.memory.size),
        row("answer", writes),
    ]
    call = kernel.call(arguments)
    tuning = _tuning(program, sampled, name, gains, held["q"], single=single) if gains else []
    sizes = {reads, writes, 1, *([REFERENCE.size] if sampled.follows else [])}
    are_finite = {size: program.new_name(f"{name}_finite_{size}") for size in sorted(sizes)}
    finite = [f"!{are_finite[1]}(&t)", f"!{are_finite[reads]}(y)"]
    finite += [f"!{are_finite[REFERENCE.size]}(r)"] if sampled.follows else []
    limited = _limited(program, sampled)
    attitudes = [("y", each) for each in sampled.attitudes] + ([("r", Attitude(0))] if sampled.follows else [])
    units = [
        (f"{row}[{each.valid}] != 0 && " if each.valid is not None else "") + f"!{unit}({row} + {each.at})"
        for row, each in attitudes
    ]
    units = [f"({each})" if "&&" in each and len(units) > 1 else each for each in units]
    pointers = ["!state", *(["!parameters"] if gains else []), "!y", *(["!r"] if sampled.follows else []), "!u"]
    start = [f"    state->t = {real_text(LONG_AGO, single=single)};"]
    if sampled.memory.size:
        start += [
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
        *(line for size, called in are_finite.items() for line in _finite(called, size, single=single)),
        *(_unit(unit, single=single) if units else []),
        f"void {name}_init({name}_state *state)",
        "{",
        *start,
        "}",
        "",
        *tuning,
        step_head(sampled, name, kind, tunable=bool(gains)),
        "{",
        f"    {kind} answer[{upper}_WRITES];",
        f"    if ({' || '.join([*pointers, *finite])}) {{",
        f"        return {upper}_BAD_INPUT;",
        "    }",
        *([f"    if ({' || '.join(units)}) {{", f"        return {upper}_BAD_ATTITUDE;", "    }"] if units else []),
        "    if (t < state->t) {",
        f"        return {upper}_BAD_TIME;",
        "    }",
        "    state->t = t;",
        f"    for (integer n = 0; n < {upper}_WRITES; n++) {{",
        "        answer[n] = NAN;",
        "    }",
        f"    {call};",
        f"    if (!{are_finite[writes]}(answer)) {{",
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


def _tuning(program: Program, sampled: Sampled, name: str, gains: Sequence[Gain], q: str, *, single: bool) -> list[str]:
    """Return the functions that set parameters from gains."""
    kind, upper = "float" if single else "double", name.upper()

    def number(value: float) -> str:
        return real_text(value, single=single)

    checks = [f"!({'fabsf' if single else 'fabs'}(gains[n]) < {number(1e300)})"]
    bounds: list[str] = []
    if any(gain.low is not None for gain in gains):
        low, is_open = (program.new_name(f"{name}_{each}") for each in ("low", "open"))
        lowest = [number(-np.inf if gain.low is None else gain.low) for gain in gains]
        bounds = [
            f"static const {kind} {low}[{upper}_GAINS] = {{{', '.join(lowest)}}};",
            f"static const flag {is_open}[{upper}_GAINS] = {{{', '.join(str(int(gain.open)) for gain in gains)}}};",
            "",
        ]
        checks += [f"gains[n] < {low}[n]", f"({is_open}[n] && gains[n] == {low}[n])"]
    sets: list[str] = []
    for n, gain in enumerate(gains):
        for place, factor, at_start in gain.entries:
            value = f"gains[{n}]" if factor == 1.0 else f"{number(factor)} * gains[{n}]"
            if at_start is not None:
                value = f"{number(at_start)} + {number(factor)} * (gains[{n}] - {number(gain.start)})"
            sets.append(f"    parameters->q[{place}] = {value};")
    starts = [number(gain.start) for gain in gains]
    return [
        f"const {kind} {name}_default_gains[{upper}_GAINS] = {{",
        *(f"    {', '.join(starts[k : k + 6])}," for k in range(0, len(starts), 6)),
        "};",
        "",
        *bounds,
        f"void {name}_defaults({name}_parameters *parameters)",
        "{",
        f"    for (integer n = 0; n < {sampled.parameters.size + SPARE}; n++) {{",
        f"        parameters->q[n] = {q}[n];",
        "    }",
        "}",
        "",
        f"int {name}_bad_gain(const {kind} gains[{upper}_GAINS])",
        "{",
        f"    for (integer n = 0; n < {upper}_GAINS; n++) {{",
        f"        if ({' || '.join(checks)}) {{",
        "            return n;",
        "        }",
        "    }",
        "    return -1;",
        "}",
        "",
        f"int {name}_tune({name}_parameters *parameters, const {kind} gains[{upper}_GAINS])",
        "{",
        f"    if (!parameters || !gains || {name}_bad_gain(gains) >= 0) {{",
        f"        return {upper}_BAD_GAIN;",
        "    }",
        *sets,
        f"    return {upper}_DONE;",
        "}",
        "",
    ]


def _finite(name: str, size: int, *, single: bool) -> list[str]:
    """Return the finiteness test of the inputs; a sum is twice as fast as a loop of comparisons."""
    kind, absolute = ("float", "fabsf") if single else ("double", "fabs")
    terms = [f"{absolute}(row[{n}])" for n in range(size)]
    lines = [" + ".join(terms[n : n + 6]) for n in range(0, size, 6)]
    return [
        f"static inline flag {name}(const {kind} *row)",
        "{",
        f"    const {kind} total = {f'{chr(10)}        + '.join(lines)};",
        f"    return total < {real_text(1e300, single=single)};",
        "}",
        "",
    ]


def _unit(name: str, *, single: bool) -> list[str]:
    """Return the function that tests whether four numbers form a unit quaternion."""
    kind, one, within = ("float", "1.0f", f"{NORM_TOLERANCE!r}f") if single else ("double", "1.0", repr(NORM_TOLERANCE))
    return [
        f"static inline flag {name}(const {kind} *e)",
        "{",
        f"    const {kind} off = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - {one};",
        f"    return -{within} <= off && off <= {within};",
        "}",
        "",
    ]


def _limited(program: Program, sampled: Sampled) -> list[str]:
    """Return the lines that saturate the output at the limits, as the engine does."""
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
