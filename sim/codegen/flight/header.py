"""Header of flight code: information for the caller, and declarations."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from polhode import __version__

from ....controllers.contracts.law_layout import REFERENCE
from ..escaped import c_comment, c_string
from .gains import Gain
from .numbers import Number
from .sampled import Sampled

NORM_TOLERANCE = 0.01
"""Tolerance of an attitude quaternion's squared norm; rounding in sensors and float32 is far smaller."""

CONVENTIONS = """\
Conventions
  SI units and radians. Vectors have components along right-handed axes x, y, z, of the body unless stated otherwise.
  Attitude: unit quaternion (Euler parameters), scalar first, from body to inertial axes: v_inertial = R v_body with
      R = [1-2(e2^2+e3^2)  2(e1e2-e0e3)    2(e1e3+e0e2)
           2(e1e2+e0e3)    1-2(e1^2+e3^2)  2(e2e3-e0e1)
           2(e1e3-e0e2)    2(e2e3+e0e1)    1-2(e1^2+e2^2)],  de/dt = 1/2 e o (0, rate);
      e and -e are the same attitude.
  Signs: a positive rate is a rotation by the right-hand rule, and a positive torque increases the rate."""


def step_head(sampled: Sampled, name: str, kind: str, *, tunable: bool = False) -> str:
    """Return the declaration of the step function. tunable: whether the function takes parameters."""
    arguments = [f"{name}_state *state", *([f"const {name}_parameters *parameters"] if tunable else [])]
    arguments += [f"{kind} t", f"const {kind} y[{name.upper()}_READS]"]
    arguments += [f"const {kind} r[{REFERENCE.size}]"] if sampled.follows else []
    return f"int {name}_step({', '.join([*arguments, f'{kind} u[{name.upper()}_WRITES]'])})"


def header_text(
    sampled: Sampled, name: str, *, single: bool, fingerprint: str, gains: Sequence[Gain] = (), parameters: int = 0
) -> str:
    """Return the text of the header.

    gains: the gains that may be set at run time. parameters: size of the parameter block.
    """
    kind, upper = "float" if single else "double", name.upper()
    designed = f"designed on the plant {fingerprint}" if fingerprint else "designed without a linear plant"
    given = ("&parameters, " if gains else "") + ("t, y, r, u" if sampled.follows else "t, y, u")
    step = f"error = {name}_step(&state, {given});"
    tuned = [f"  {name}_parameters parameters;", f"  {name}_defaults(&parameters);"]
    init = f"{name}_init(&state);".ljust(len(step))
    about = [
        sampled.words,
        f"Written by polhode {__version__}; {designed}.",
        "C99 (or C++11) with math.h; no heap, no global variables: all memory is in the state.",
        "",
        f"Call it every {sampled.sample:g} s:",
        *(tuned if gains else []),
        f"  {name}_state state;",
        f"  {init}  before the first sample, and to restart",
        f"  {step.ljust(len(init))}  at each sample",
        _use(sampled),
        "",
        *CONVENTIONS.splitlines(),
        "",
        "t: time of the sample, s, of any clock that does not run backwards",
        f"y: {len(sampled.reads)} numbers read at the sample",
        *_table(sampled.reads),
        *(["r: reference, the motion to follow", *_table(sampled.reference)] if sampled.follows else []),
        f"u: {len(sampled.writes)} numbers written{_limits(sampled)}",
        *_table(sampled.writes),
        *(_gains(gains, name) if gains else []),
        "",
        *_checked(sampled),
    ]
    lines = [
        *_comment(about),
        f"#ifndef {upper}_H",
        f"#define {upper}_H",
        "",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        "",
        f"#define {upper}_READS {len(sampled.reads)}",
        f"#define {upper}_WRITES {len(sampled.writes)}",
        f"#define {upper}_SAMPLE_S {sampled.sample!r}",
        f"#define {upper}_DELAY_S {sampled.delay!r}",
        f"#define {upper}_VERSION {c_string(__version__)}",
        f"#define {upper}_PLANT {c_string(fingerprint)}",
        "",
        f"/* Return codes of {name}_step. After an error u is unchanged, after a bad input or time also the state. */",
        f"#define {upper}_DONE 0",
        f"#define {upper}_BAD_INPUT 1 /* a pointer is null, or a number read is not finite or too large */",
        f"#define {upper}_BAD_ANSWER 2 /* an output is not finite or too large: call {name}_init first */",
        f"#define {upper}_BAD_ATTITUDE 3 /* an attitude is not a unit quaternion */",
        f"#define {upper}_BAD_TIME 4 /* the time is before the previous sample */",
        *([f"#define {upper}_BAD_GAIN 5 /* a gain is not finite or violates its bound */"] if gains else []),
        "",
        *(_parameters(gains, name, kind, parameters) if gains else []),
        "typedef struct {",
        f"    {kind} t; /* of the last sample, s */",
        f"    {kind} z[{max(sampled.memory.size, 1)}]; /* {'memory' if sampled.memory.size else 'no memory'} */",
        f"}} {name}_state;",
        "",
        f"void {name}_init({name}_state *state);",
        f"{step_head(sampled, name, kind, tunable=bool(gains))};",
        "",
        "#ifdef __cplusplus",
        "}",
        "#endif",
        "",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def _gains(gains: Sequence[Gain], name: str) -> list[str]:
    """Return the table of gains, and the description of how to set them."""
    numbers = [Number(gain.name, gain.unit, f"{gain.meaning}{_bound(gain)}") for gain in gains]
    return [
        f"gains: {len(gains)} numbers with which {name}_tune replaces the exported gains; each is checked",
        "individually, and nothing is changed if one is invalid. The memory of the law is kept.",
        *_table(tuple(numbers)),
    ]


def _bound(gain: Gain) -> str:
    """Return the bound of a gain as text."""
    if gain.low is None:
        return ""
    return f", above {gain.low:g}" if gain.open else f", at least {gain.low:g}"


def _parameters(gains: Sequence[Gain], name: str, kind: str, size: int) -> list[str]:
    """Return the declarations of parameters and gains."""
    upper = name.upper()
    return [
        f"#define {upper}_GAINS {len(gains)}",
        "",
        f"typedef struct {{ {kind} q[{size}]; }} {name}_parameters;",
        "",
        f"extern const {kind} {name}_default_gains[{upper}_GAINS];",
        "",
        f"void {name}_defaults({name}_parameters *parameters);",
        "",
        "/* Index of the first gain that is not finite or violates its bound; -1 if all are valid. */",
        f"int {name}_bad_gain(const {kind} gains[{upper}_GAINS]);",
        "",
        "/* DONE or BAD_GAIN; after an error the parameters are unchanged. */",
        f"int {name}_tune({name}_parameters *parameters, const {kind} gains[{upper}_GAINS]);",
        "",
    ]


def _comment(lines: list[str]) -> list[str]:
    """Return the lines of a string as one C comment."""
    commented = [f" * {_kept(line)}".rstrip() for line in lines]
    return [f"/*{commented[0][2:]}", *commented[1:], " */"]


def _kept(line: str) -> str:
    """Return a line escaped for a comment, with its indentation."""
    bare = line.lstrip(" ")
    return " " * (len(line) - len(bare)) + c_comment(bare)


def _use(sampled: Sampled) -> str:
    """Return a sentence that says when the output takes effect."""
    acts = "apply u" if sampled.follows else "u is valid"
    when = f"{sampled.delay:g} s after the sample" if sampled.delay else "immediately"
    return f"If it returns 0, {acts} {when}; hold u until the next one acts."


def _table(numbers: "tuple[Number, ...]") -> list[str]:
    width = max((len(each.name) for each in numbers), default=0)
    unit = max((len(each.unit) for each in numbers), default=0)
    lines: list[str] = []
    for n, each in enumerate(numbers):
        repeated = n > 0 and each.meaning and each.meaning == numbers[n - 1].meaning
        meaning = '"' if repeated else each.meaning
        lines.append(f"  [{n}] {each.name.ljust(width)}  {each.unit.ljust(unit)}  {meaning}".rstrip())
    return lines


def _checked(sampled: Sampled) -> list[str]:
    """Return the description of the input checks."""
    places = ["r[0..3]"] if sampled.follows else []
    for each in sampled.attitudes:
        where = f"y[{each.at}..{each.at + 3}]"
        places.append(where if each.valid is None else f"{where} if y[{each.valid}] is not 0")
    found = ["Checked at each sample: pointers, that every number read is finite, that t does not decrease,"]
    if places:
        found.append(
            f"and that the squares of each attitude ({', '.join(places)}) add up to 1 within {NORM_TOLERANCE:g}."
        )
    else:
        found[-1] = found[-1].replace("finite, that", "finite, and that").rstrip(",") + "."
    return found


def _limits(sampled: Sampled) -> str:
    if not sampled.follows:
        return ""
    return ", " + ("; ".join(map(_cut, sampled.limits)) or "not saturated here: the next block has limits")


def _cut(limits: NDArray[np.float64]) -> str:
    """Return the description of the limits of a command."""
    bounds = ", ".join(f"{value:g}" for value in limits[:3])
    found = f"saturated at {bounds} N m, {'with its direction kept' if limits[3] else 'component by component'}"
    if not np.isfinite(limits[:3]).any():
        found = "without limits"
    return f"{found}, and reduced to the capability of the actuators" if limits.size > 4 else found
