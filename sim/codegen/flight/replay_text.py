"""The program that replays the test vectors, and the make rules that build and run it."""

import numpy as np
from numpy.typing import NDArray

from ..c99.literals import real_text
from .source import Written
from .vectors import Vectors

DOUBLE, SINGLE = 1e-12, 1e-3
"""Tolerances for double and float, relative to the largest output.

Mathematical libraries differ in the last place; float32 has seven digits, and errors accumulate in the law's memory.
"""


def _rows(name: str, numbers: NDArray[np.float64]) -> list[str]:
    body = [f"    {{{', '.join(real_text(each) for each in row)}}}," for row in numbers.tolist()]
    return [f"static const double {name}[{len(numbers)}][{numbers.shape[1]}] = {{", *body, "};", ""]


def replay_text(written: Written, vectors: Vectors, *, single: bool, tunable: bool = False) -> str:
    """Return the program that compares the replayed outputs with the simulated ones.

    It prints the deviation, and fails if the deviation is too large.

    tunable: whether the step function takes parameters.
    """
    name, upper, kind = written.name, written.name.upper(), "float" if single else "double"
    follows = vectors.r.shape[1] > 0
    copies = [
        f"        t = ({kind})T[k][0];",
        f"        for (n = 0; n < {upper}_READS; n++) {{",
        f"            y[n] = ({kind})Y[k][n];",
        "        }",
    ]
    if follows:
        copies += ["        for (n = 0; n < 10; n++) {", f"            r[n] = ({kind})R[k][n];", "        }"]
    arguments = ("&state, &parameters, " if tunable else "&state, ") + ("t, y, r, u" if follows else "t, y, u")
    lines = [
        "/* Replays a run and compares the outputs; returns 0 if they agree within the tolerance. */",
        "#include <math.h>",
        "#include <stdio.h>",
        "",
        f'#include "{name}.h"',
        "",
        f"#define TOLERANCE {SINGLE if single else DOUBLE!r} /* relative to the largest output */",
        "",
        *_rows("T", vectors.t[:, None]),
        *_rows("Y", vectors.y),
        *(_rows("R", vectors.r) if follows else []),
        *_rows("U", vectors.u),
        "int main(void)",
        "{",
        f"    {name}_state state;",
        *([f"    {name}_parameters parameters;"] if tunable else []),
        f"    {kind} t, y[{upper}_READS], {'r[10], ' if follows else ''}u[{upper}_WRITES] = {{0}};",
        "    double worst = 0.0, largest = 0.0;",
        "    int k, n, status;",
        *([f"    {name}_defaults(&parameters);"] if tunable else []),
        f"    {name}_init(&state);",
        f"    for (k = 0; k < {len(vectors.t)}; k++) {{",
        *copies,
        f"        status = {name}_step({arguments});",
        f"        if (status != {upper}_DONE) {{",
        f'            printf("{name}: sample %d returned %d\\n", k, status);',
        "            return 1;",
        "        }",
        f"        for (n = 0; n < {upper}_WRITES; n++) {{",
        "            worst = fmax(worst, fabs((double)u[n] - U[k][n]));",
        "            largest = fmax(largest, fabs(U[k][n]));",
        "        }",
        "    }",
        "    if (worst == 0.0) {",
        f'        printf("{name}: {len(vectors.t)} samples, bitwise identical\\n");',
        "        return 0;",
        "    }",
        f'    printf("{name}: {len(vectors.t)} samples, largest difference %g of %g\\n", worst, largest);',
        "    return worst <= TOLERANCE * largest ? 0 : 1;",
        "}",
    ]
    return "\n".join(lines) + "\n"


def make_text(name: str, *, sources: str = "") -> str:
    """Return the make rules for `make -f name.mk test`.

    sources: path from the rules' folder to the law's folder, with a trailing slash; empty if the two are the same.
    """
    law, include = f"{sources}{name}", f" -I{sources}" if sources else ""
    return f"""\
# make -f {name}.mk test: compiles {name}.c and replays the run from which it was exported.
# Without -ffp-contract=off, FMA contraction may change the last digit.
CFLAGS = -std=c99 -O2 -Wall -Wextra -pedantic -ffp-contract=off{include}

.PHONY: test
test: {name}_test
	./{name}_test

{name}_test: {law}.c {law}.h {name}_test.c
	$(CC) $(CFLAGS) {law}.c {name}_test.c -lm -o {name}_test
"""
