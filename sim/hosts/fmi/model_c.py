"""Source file of an FMU: the spacecraft's translated kernels, and the functions of the FMI standard."""

import hashlib
import re
import uuid
from importlib.resources import files

import numpy as np

from ....plant.hub.dynamics import no_user_loads
from ....plant.hub.parameters import PULSE
from ...codegen.c99.kinds import COMPLEX, REAL, Array, Bound, Record
from ...codegen.c99.literals import real_text
from ...codegen.c99.names import free_name
from ...codegen.c99.program import MEASURES, Function, Program
from ...codegen.c99.switches import replaced_by
from ...codegen.c99.values import Value
from ...engine import indices as at
from ...engine.advance import advance, at_instant, next_breakpoint
from ...engine.loop_arrays import LoopArrays, kinds_of
from ...engine.steppers.sphere import project_all
from .kernels import SHOWN, attitude_error, clear, rates, shown, signals_of_elements
from .law_only_fmu import replaced_by_inputs
from .outputs import ERROR
from .parameters_c import parameter_tables
from .unit import Unit

ROW, CROW = Array(REAL, 1), Array(COMPLEX, 1)

GROUPS = (
    *("x", "dx", "shown", "u", "parameter", "rate", "target", "clearance"),
    *("signal", "element", "error", "coordinate_rate"),
)

FIRST = {group: 1_000_000 * (n + 1) for n, group in enumerate(GROUPS)}
"""First value reference of each group of variables."""

FRONT = ("parameters.c", "states.c", "instance.c", "saving.c", "fmi3.c", "fmi2.c")
"""C files that do not depend on the spacecraft."""

MOST_STEPS = 100_000_000
"""Largest number of integration steps in one communication step, like the limit of `simulate`."""

LATEST = 1e9
"""Largest time that a host may pass, s; also the longest step without samples and fixed steps."""

STATUSES = (
    *("DONE", "SINGULAR", "NOT_FINITE", "STEP_COLLAPSE", "STEP_LIMIT"),
    *("BAD_COMMAND", "BAD_ANSWER", "NOT_CONVERGED"),
)


class Model:
    """Content of the source file, and the instantiation token that links library and description."""

    def __init__(self, text: str) -> None:
        self.token = "{" + str(uuid.uuid5(uuid.NAMESPACE_URL, hashlib.sha256(text.encode()).hexdigest())) + "}"
        short = self.token.replace("-", "")[1:17]
        self.text = f'#define TOKEN "{self.token}"\n#define TOKEN_BYTES "{short}"\n\n{text}'


def headers() -> dict[str, str]:
    """Return the header files of the FMI standard by name."""
    folder = files(__name__.rpartition(".")[0]) / "headers"
    return {
        each.name: each.read_text(encoding="utf-8") for each in sorted(folder.iterdir(), key=lambda each: each.name)
    }


def model_of(unit: Unit) -> Model:
    """Return the source file. Raises NotTranslatedError when a kernel has no translation."""
    replaced = replaced_by(unit.functions, implicit=unit.implicit)
    program = Program("craft", replaced={**replaced, **(replaced_by_inputs() if unit.law_only else {})})
    program.wide = True  # the engine's counters need 64 bits
    law, reference, user = Bound(unit.law), Bound(unit.reference), Bound(no_user_loads)
    record = Record(LoopArrays)
    needed = {
        "advance": program.function(advance, [law, reference, user, record], name="go_on"),
        "instant": program.function(at_instant, [REAL, law, reference, record], name="at_instant"),
        "next": program.function(next_breakpoint, [record], name="next_breakpoint"),
    }
    slopes: dict[str, Function] = {}
    if not unit.law_only:
        needed |= _of_plant(program, user)
        if unit.elements:
            needed["elements"] = program.function(signals_of_elements, [REAL, ROW, ROW, ROW, ROW, ROW], name="elements")
        if unit.closed:
            needed["error"] = program.function(attitude_error, [REAL, ROW, reference, ROW, ROW, ROW], name="error")
        slopes = {
            "rates": program.function(rates, [REAL, CROW, CROW, ROW, CROW, user, CROW], name="slope_of_rates"),
            "shown": program.function(shown, [REAL, CROW, CROW, ROW, CROW, CROW], name="slope_of_shown"),
        }
    for field in ("x", "u", "p", "w"):
        program.field(LoopArrays, field, None)
        program.field(LoopArrays, field, 0)
    for field in ("clock", "count", "rq", *(["signals"] if unit.signals else [])):
        program.field(LoopArrays, field, None)
    program.field(LoopArrays, "clock", 0)
    folder = files(__name__.rpartition(".")[0])
    front = "".join((folder / name).read_text(encoding="utf-8") for name in FRONT)
    standard = "".join(headers().values())
    parts = [
        "#include <math.h>",
        "",
        "#ifdef __clang__",
        "#pragma STDC FP_CONTRACT OFF",
        "#endif",
        "",
        *_numbers(unit),
        "",
        program.text(),
        *_data(unit, program),
        "",
        *parameter_tables(unit, tuple(program.record_fields(LoopArrays))),
        *_calls(needed),
        *_slopes(unit, slopes),
        front,
        "/* Functions of the standard that this FMU does not support. */",
        "",
        *_missing(front, standard),
    ]
    return Model("\n".join(parts) + "\n")


def _of_plant(program: Program, user: Bound) -> dict[str, Function]:
    """Return the translated functions that depend on the plant."""
    return {
        "rates": program.function(rates, [REAL, ROW, ROW, ROW, ROW, user, ROW], name="rates_at"),
        "shown": program.function(shown, [REAL, ROW, ROW, ROW, ROW, ROW], name="shown_at"),
        "project": program.function(project_all, [ROW, ROW, ROW], name="project_all"),
        "clear": program.function(clear, [ROW, ROW, ROW, ROW, ROW], name="clear_of_poses"),
    }


def torque_places(unit: Unit) -> list[int]:
    """Return the indices of the control torques in u: first wheels, then external, if there are both."""
    return [first + n for first in (0, *([at.EXTERNAL_AT] * bool(unit.craft.external))) for n in range(3)]


def _numbers(unit: Unit) -> list[str]:
    states = 0 if unit.law_only else unit.arrays.x.size
    return [
        f"#define INPUT_STATES {unit.arrays.x.size if unit.law_only else 0}u /* plant states that are inputs */",
        f"#define NS {states}u /* states */",
        f"#define NX {max(states, 1)}",
        f"#define SHOWN {SHOWN.size}u",
        f"#define INPUTS {0 if unit.closed else 1}",
        f"#define SIGNALS {max((each.place + 1 for each in unit.signals), default=0)}u",
        f"#define AT_SIGNALS {int(unit.arrays.count[at.LAW_COMMAND])}",
        f"#define ELEMENTS {len(unit.elements)}u",
        f"#define ERRORS {len(ERROR) if unit.closed and not unit.law_only else 0}u",
        f"#define COORDINATES {0 if unit.law_only else len(unit.craft.layout.coordinates)}u",
        f"#define INDICATORS {int(unit.poses)}u",
        f"#define TORQUES {max(torque_places(unit)) + 1}u /* numbers of u up to the last control torque */",
        f"#define IS_TORQUE(r) ({' || '.join(f'(r) - FIRST_U - {n}u < 3u' for n in torque_places(unit)[::3])})",
        f"#define GRID {real_text(unit.grid)}",
        *(f"#define FIRST_{name.upper()} {number}u" for name, number in FIRST.items()),
        *(f"#define STATUS_{name} {getattr(at, name)}" for name in STATUSES),
        f"#define AT_T {at.T}",
        f"#define AT_T_END {at.T_END}",
        f"#define AT_FRESH {at.FRESH}",
        f"#define AT_STEPS {at.STEPS}",
        f"#define AT_MAX_STEPS {at.MAX_STEPS}",
        f"#define AT_BUDGET {at.BUDGET}",
        f"#define MOST_STEPS {MOST_STEPS}",
        f"#define LATEST {real_text(LATEST)}",
    ]


def _data(unit: Unit, program: Program) -> list[str]:
    """Return the struct of an instance's numbers, its start values, and its view as kernel arguments."""
    kinds = kinds_of(LoopArrays)
    used = program.record_fields(LoopArrays)
    fields: list[str] = []
    starts: list[str] = []
    views: list[str] = []
    constants: list[str] = []
    for name, extents in used.items():
        array = np.asarray(getattr(unit.arrays, name))
        number = "integer" if kinds[name][0] is np.int64 else "real"
        called = free_name(name)
        fields.append(f"    {number} {called}[{max(array.size, 1)}];")
        views.append(f"    b.{called} = d->{called};")
        views += [f"    b.{called}_{MEASURES[array.ndim][n]} = {array.shape[n]};" for n in extents]
        if np.any(array != 0) or np.any(np.signbit(array)):
            texts = [str(each) + "LL" if number == "integer" else real_text(each) for each in array.ravel().tolist()]
            body = ",\n    ".join(", ".join(texts[k : k + 6]) for k in range(0, len(texts), 6))
            constants += [f"static const {number} start_{called}[{array.size}] = {{\n    {body}\n}};", ""]
            starts.append(f"    memcpy(d->{called}, start_{called}, sizeof start_{called});")
    bundle = program.record_type(LoopArrays)
    return [
        "#include <string.h>",
        "",
        f"typedef {bundle} model_bundle;",
        "/* Everything that moves. */",
        "typedef struct {",
        *fields,
        "} model_data;",
        "",
        *constants,
        "static void model_start(model_data *d)",
        "{",
        "    memset(d, 0, sizeof *d);",
        *starts,
        "}",
        "",
        f"static {bundle} model_view(model_data *d)",
        "{",
        f"    {bundle} b;",
        *views,
        "    return b;",
        "}",
    ]


def _calls(needed: dict[str, Function]) -> list[str]:
    """Return the functions that the front end calls."""

    def row(name: str, code: str, size: str) -> Value:
        del name
        return Value(ROW, code, extents=(lambda: size,))

    x, u, p, w, clock = (row(name, f"b->{name}", f"b->{name}_size") for name in ("x", "u", "p", "w", "clock"))
    t, bundle = Value(REAL, "t"), Value(Record(LoopArrays), "b")
    nothing = Value(Bound(no_user_loads))
    law, reference = nothing, nothing
    calls = {
        "advance": ("integer", "double end, model_bundle *b", [law, reference, nothing, bundle]),
        "instant": ("integer", "double t, model_bundle *b", [t, law, reference, bundle]),
        "next": ("double", "model_bundle *b", [bundle]),
        "rates": ("void", "double t, model_bundle *b, double *dx", [t, x, u, p, row("dx", "dx", "NS"), nothing, w]),
        "shown": ("void", "double t, model_bundle *b, double *out", [t, x, u, p, w, row("out", "out", "SHOWN")]),
        "project": ("void", "model_bundle *b", [x, p, w]),
        "clear": ("double", "model_bundle *b", [x, u, p, w, clock]),
        "elements": ("void", "double t, model_bundle *b, double *out", [t, x, u, p, w, row("out", "out", "ELEMENTS")]),
        "error": (
            "void",
            "double t, model_bundle *b, double *r, double *out",
            [t, x, reference, row("rq", "b->rq", "b->rq_size"), row("r", "r", "10"), row("out", "out", "ERRORS")],
        ),
    }
    lines: list[str] = []
    for name, (result, arguments, values) in calls.items():
        if name not in needed:
            lines += [*_unused(result, f"model_{name}({arguments})", arguments), ""]
            continue
        text = needed[name].call(values)
        before = ["    b->clock[AT_T_END] = end;"] if name == "advance" else []
        body = f"    {'return ' if result != 'void' else '(void)' if name == 'project' else ''}{text};"
        lines += [f"static {result} model_{name}({arguments})", "{", *before, body, "}", ""]
    return lines


def _unused(result: str, head: str, arguments: str) -> list[str]:
    """Return the placeholder for a plant function in an FMU that has no plant."""
    ignored = "".join(f"(void){each.split()[-1].lstrip('*')}; " for each in arguments.split(","))
    return [f"static {result} {head}", "{", f"    {ignored}{'' if result == 'void' else 'return 1;'}", "}"]


def _slopes(unit: Unit, slopes: dict[str, Function]) -> list[str]:
    """Return functions for directional derivatives of rates and outputs, computed by complex step."""

    def row(code: str, size: str, *, real: bool = False) -> Value:
        return Value(ROW if real else CROW, code, extents=(lambda: size,))

    head = "static int model_slopes(double t, model_bundle *b, const double *of_x, const double *of_u,"
    more = "double *dx, double *out"
    if not slopes:
        return [*_unused("int", f"{head[11:]} {more})", f"{head.partition('(')[2]} {more}"), ""]
    x, u, w = row("x", "NS"), row("u", str(unit.arrays.u.size)), row("w", str(unit.arrays.w.size))
    torques = unit.arrays.u.size + PULSE.size  # with one spare row, since gcc cannot infer that no pulse reads it
    p, t, nothing = row("b->p", "b->p_size", real=True), Value(REAL, "t"), Value(Bound(no_user_loads))
    rates_call = slopes["rates"].call([t, x, u, p, row("dx", "NS"), nothing, w])
    shown_call = slopes["shown"].call([t, x, u, p, w, row("y", "SHOWN")])
    return [
        "#define INFINITESIMAL 1e-40",
        "",
        "/* Derivatives of rates and outputs along a direction of states and inputs. */",
        head,
        f"                        {more})",
        "{",
        f"    complex_number x[NX], u[{torques}], w[{max(unit.arrays.w.size, 1)}], rates[NX], y[SHOWN];",
        "    unsigned int k;",
        "    memset(u, 0, sizeof u);",
        "    memset(w, 0, sizeof w);",
        "    memset(rates, 0, sizeof rates);",
        "    for (k = 0; k < NS; k++) {",
        "        x[k].re = b->x[k];",
        "        x[k].im = INFINITESIMAL * of_x[k];",
        "    }",
        f"    for (k = 0; k < {unit.arrays.u.size}; k++) {{",
        "        u[k].re = b->u[k];",
        "        u[k].im = k < TORQUES ? INFINITESIMAL * of_u[k] : 0.0;",
        "    }",
        f"    {rates_call.replace('dx', 'rates')};",
        "    for (k = 0; k < NS; k++) {",
        "        dx[k] = rates[k].im / INFINITESIMAL;",
        "    }",
        f"    {shown_call};",
        "    for (k = 0; k < SHOWN; k++) {",
        "        out[k] = y[k].im / INFINITESIMAL;",
        "    }",
        "    return 0;",
        "}",
        "",
    ]


_PROTOTYPE = re.compile(r"typedef\s+([\w\s]*?[\s*]+?)(fmi[23]\w+)TYPE\s*\((.*?)\)\s*;", re.DOTALL)


def _missing(front: str, standard: str) -> list[str]:
    """Return a function that reports an error for every FMI function that the front end does not define."""
    lines: list[str] = []
    for result, name, arguments in _PROTOTYPE.findall(re.sub(r"/\*.*?\*/", "", standard, flags=re.DOTALL)):
        if re.search(rf"\b{name}[(,]", front.replace(f"return (fmi2Status){name}", "")):
            continue
        kind, given = " ".join(result.split()), " ".join(arguments.split())
        words = [re.sub(r"\[\]", "", each.split()[-1].lstrip("*")) for each in given.split(",")]
        ignored = "".join(f"    (void){word};\n" for word in words)
        answer = {"fmi3Status": "fmi3Error", "fmi2Status": "fmi2Error"}.get(kind, "NULL")
        say = f'    (void)complain((a_unit *){words[0]}, "logStatusError", "{name} is not offered by this FMU");\n'
        lines.append(
            f"{kind} {name}({given})\n{{\n{ignored}{say if 'Status' in kind else ''}    return {answer};\n}}\n"
        )
    return lines
