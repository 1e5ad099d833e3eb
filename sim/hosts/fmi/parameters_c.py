"""Parameters of an FMU in C: tables of linear functions that `parameters.c` evaluates."""

from collections.abc import Sequence

import numpy as np

from ....plant.elements.branch import SIZES, branches
from ....plant.hub.parameters import CONSTANT, INERTIA, INVERSE
from ...codegen.c99.literals import real_text
from ...codegen.c99.names import free_name
from ...codegen.escaped import c_string
from .parameters import Parameter
from .unit import Unit


def parameter_tables(unit: Unit, fields: Sequence[str]) -> list[str]:
    """Return the C text of the parameter tables. fields: arrays that the translated kernels read."""
    parameters, arrays = unit.parameters, unit.arrays
    every = parameters.all
    targets, effects = _effects(every, fields)
    names = sorted({name for name, _ in targets})
    nominal = [
        f"{{{names.index(name)}, {place}, {real_text(float(np.ravel(getattr(arrays, name))[place]))}}}"
        for name, place in targets
    ]
    size = len(parameters.mass)
    constant = int(arrays.p[CONSTANT])
    own = 0 if unit.law_only else len(unit.craft.layout.own_names)
    blocks = [block for branch in branches(unit.craft.elements) for block in branch.blocks] if own else []
    matrix = _mass_effects(every)
    highest = [real_text(np.inf if each.high is None else each.high) for each in every]
    lowest = [real_text(-np.inf if each.low is None else each.low) for each in every]
    numbers = {
        "PARAMETERS": f"{len(every)}u",
        "HAS_INERTIA": int(parameters.inertia),
        "RATES": f"{len(parameters.rates)}u",
        "TARGETS": f"{4 * unit.target}u",
        "MASS": size,
        "STANDING": int(parameters.standing),
        "TABLED": int(size > 3 or own > 0),
        "RELATIVE": max(size - 3, 0),
        "BOUNDED": len(parameters.coordinates),
        "AT_INERTIA": INERTIA,
        "AT_INVERSE": INVERSE,
        "AT_CONSTANT": constant,
        "AT_INTERNAL": unit.craft.layout.internal.start,
        "AT_INTERNAL_MOMENTUM": unit.craft.layout.internal_momentum.start,
        "OWN": own,
        "AT_OWN": f"{unit.craft.layout.own.start}u",
        "OWN_BLOCKS": len(blocks),
        "CHANGED": len(targets),
        "EFFECTS": len(effects),
        "MASS_EFFECTS": len(matrix),
    }
    return [
        *(f"#define {name} {value}" for name, value in numbers.items()),
        "",
        "typedef struct { int array; integer place; double nominal; } a_target;",
        "typedef struct { int target; int parameter; double slope; } an_effect;",
        "",
        *_table("double", "parameter_start", [real_text(each.start) for each in every]),
        *_table("double", "parameter_low", lowest),
        *_table("double", "parameter_high", highest),
        *_table("int", "parameter_open", [str(int(each.open)) for each in every]),
        *_table("char *const", "parameter_name", [c_string(each.name) for each in every]),
        *_table("a_target", "parameter_targets", nominal),
        *_table("an_effect", "parameter_effects", effects),
        *_table("double", "mass_start", [real_text(each) for each in parameters.mass.ravel().tolist()]),
        *_table("an_effect", "mass_effects", matrix),
        *_table("double", "rate_start", [real_text(each) for each in parameters.rates]),
        "#if OWN > 0",
        *_table("int", "own_blocks", [str(SIZES[block]) for block in blocks]),
        *_table("double", "own_slopes", [real_text(each) for each in parameters.own_slopes.ravel().tolist()]),
        "#endif",
        *_table("double", "relative_start", [real_text(each) for each in parameters.relative]),
        *_table("char *const", "coordinate_name", [c_string(name) for name, _, _ in parameters.coordinates]),
        *_table("double", "coordinate_low", [real_text(low) for _, low, _ in parameters.coordinates]),
        *_table("double", "coordinate_high", [real_text(high) for _, _, high in parameters.coordinates]),
        "static double *model_place(model_data *d, int array, integer place)",
        "{",
        "    switch (array) {",
        *(f"    case {n}: return (double *)&d->{free_name(name)}[place];" for n, name in enumerate(names)),
        "    default: (void)place; return d->p;",
        "    }",
        "}",
        "",
    ]


def _effects(every: Sequence[Parameter], fields: Sequence[str]) -> tuple[dict[tuple[str, int], int], list[str]]:
    """Return the changed entries of the arrays, with their indices, and the effect of each parameter on them."""
    targets: dict[tuple[str, int], int] = {}
    effects: list[str] = []
    for n, each in enumerate(every):
        for name, place, slope in each.entries:
            if name in fields:
                k = targets.setdefault((name, place), len(targets))
                effects.append(f"{{{k}, {n}, {real_text(slope)}}}")
    return targets, effects


def _mass_effects(every: Sequence[Parameter]) -> list[str]:
    """Return the effect of each parameter on the entries of the mass matrix."""
    return [
        f"{{{k}, {n}, {real_text(slope)}}}"
        for n, each in enumerate(every)
        for k, slope in enumerate(each.matrix)
        if slope
    ]


def _table(kind: str, name: str, rows: Sequence[str]) -> list[str]:
    """Return a constant table in C; an empty table gets one dummy row, since C has no empty arrays."""
    none = "{0}" if kind.startswith("a") else "0"
    body = ",\n    ".join(", ".join(rows[k : k + 4]) for k in range(0, len(rows), 4)) or none
    return [f"static const {kind} {name}[] = {{", f"    {body}", "};", ""]
