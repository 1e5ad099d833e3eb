# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Fault records of user-defined potentials and user forces.

Compiled code cannot propagate an exception, and a non-finite value must never reach the state. Therefore dx[0] is NaN
while a user function runs, and is restored only if the function returns finite values. Otherwise the run ends, and the
record in the workspace states why. Starting at w[p[W_FAULT]], the record holds: the running function (counted from 1,
potentials first) and its start time; then, for the most recent failure, the function, the time, the index of its first
value that was not finite or too large (-1 for an exception), and this value.
"""

import math
from collections.abc import Sequence
from typing import Any

from ..hub.parameters import HELD, TRANSLATION, W_FAULT
from ..kernels.kernel import kernel

FAULT_SIZE = 6
TOO_LARGE = "too large to compute with (1e300 or more)"
POTENTIAL_NUMBERS = ("dV/dc_x", "dV/dc_y", "dV/dc_z", "dV/de_0", "dV/de_1", "dV/de_2", "dV/de_3", "V")
EFFORT_NUMBERS = ("torque_x", "torque_y", "torque_z", "force_x", "force_y", "force_z")


@kernel
def begin_call(t, which, x, p, dx, w):
    """Record the call of a function and set dx[0] to NaN until it returns. Return the previous dx[0]."""
    n = int(p[W_FAULT])
    if w[n].real != 0.0:  # the previous call did not return
        w[n + 2], w[n + 3], w[n + 4] = w[n], w[n + 1], -1.0
    total = abs(x[0])
    for i in range(1, 7):
        total = total + abs(x[i])
    w[n] = which if total < 1e300 else 0.0  # no function is recorded if the state has already diverged
    w[n + 1] = t
    saved = dx[0]
    dx[0] = math.nan
    return saved


@kernel
def end_call(saved, p, dx, w, a0, a1, a2, a3, a4, a5, a6, a7):
    """Restore dx[0] if the returned values are finite; otherwise record the fault."""
    n = int(p[W_FAULT])
    which = w[n]
    w[n] = 0.0
    at, value = -1, 0.0 * a0
    if not abs(a6) < 1e300:
        at, value = 6, a6
    if not abs(a5) < 1e300:
        at, value = 5, a5
    if not abs(a4) < 1e300:
        at, value = 4, a4
    if not abs(a3) < 1e300:
        at, value = 3, a3
    if not abs(a2) < 1e300:
        at, value = 2, a2
    if not abs(a1) < 1e300:
        at, value = 1, a1
    if not abs(a0) < 1e300:
        at, value = 0, a0
    if not abs(a7) < 1e300:  # a gradient is meaningless if V itself is not finite
        at, value = 7, a7
    if at < 0:
        dx[0] = saved
    elif which.real != 0.0:
        w[n + 2], w[n + 3], w[n + 4], w[n + 5] = which, w[n + 1], at, value


def fault_sentence(
    functions: Sequence[tuple[str, str]], p: Any, w: Any, *, since: float = -math.inf, raised: str = ""
) -> str:
    """Return a clause that describes the latest fault of a user function; empty if there is none.

    functions: pairs of kind ("potential" or "user force") and name, in the order in which the record counts them; p:
    packed parameters; w: workspace; since: time from which a fault counts, s; raised: the exception, if available.
    """
    running, started, which, t, at, value = (float(w[int(p[W_FAULT]) + n].real) for n in range(FAULT_SIZE))
    if running:
        which, t, at = running, started, -1.0
    if not which or t < since:
        return ""
    kind, name = functions[int(which) - 1]
    if at < 0:
        return f"the {kind} {name!r} raised an error at t = {t:.9g} s{': ' + raised if raised else ''}"
    numbers = POTENTIAL_NUMBERS if kind == "potential" else EFFORT_NUMBERS
    unknown = p[HELD] == 0.0 and p[TRANSLATION] == 0.0 and math.isnan(value)
    hint = "; if it uses c or v: they are not computed without pivot or translation" if unknown else ""
    hint = f", {TOO_LARGE}" if math.isfinite(value) else hint
    return f"the {kind} {name!r} returned {value:g} for {numbers[int(at)]} at t = {t:.9g} s{hint}"
