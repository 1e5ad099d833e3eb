# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Notes on what a user's own potential or effort did wrong.

Compiled code that raises comes back as if nothing had happened, and a number that is not finite may never reach the
state. So dx[0] is not a number while such a function runs, and stays so unless it came to its end with finite numbers:
then the run ends, and these notes in the work space say why. They are, from w[p[W_FAULT]] on: which function is running
(counted from 1, potentials first) and at what time; then which one failed last, when, which of its numbers was not
finite or too large (-1 where it raised) and what that number was.
"""

import math
from collections.abc import Sequence
from typing import Any

from ..hub.parameters import HELD, TRANSLATION, W_FAULT
from ..kernels.kernel import kernel

__all__ = ["EFFORT_NUMBERS", "FAULT_SIZE", "POTENTIAL_NUMBERS", "TOO_LARGE", "begin_call", "end_call", "fault_sentence"]

FAULT_SIZE = 6
TOO_LARGE = "too large to compute with (1e300 or more)"
POTENTIAL_NUMBERS = ("dV/dc_x", "dV/dc_y", "dV/dc_z", "dV/de_0", "dV/de_1", "dV/de_2", "dV/de_3", "V")
EFFORT_NUMBERS = ("torque_x", "torque_y", "torque_z", "force_x", "force_y", "force_z")


@kernel
def begin_call(t, which, x, p, dx, w):
    """Note that a function is asked, and take dx[0] away until it has answered; returns what stood there."""
    n = int(p[W_FAULT])
    if w[n].real != 0.0:  # the last one asked did not come to its end
        w[n + 2], w[n + 3], w[n + 4] = w[n], w[n + 1], -1.0
    total = abs(x[0])
    for i in range(1, 7):
        total = total + abs(x[i])
    w[n] = which if total < 1e300 else 0.0  # what is asked about a state that is lost already is not to blame
    w[n + 1] = t
    kept = dx[0]
    dx[0] = math.nan
    return kept


@kernel
def end_call(kept, p, dx, w, a0, a1, a2, a3, a4, a5, a6, a7):
    """Give dx[0] back if what the function returned is finite; otherwise note it."""
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
    if not abs(a7) < 1e300:  # without V its slope means nothing
        at, value = 7, a7
    if at < 0:
        dx[0] = kept
    elif which.real != 0.0:
        w[n + 2], w[n + 3], w[n + 4], w[n + 5] = which, w[n + 1], at, value


def fault_sentence(
    functions: Sequence[tuple[str, str]], p: Any, w: Any, *, since: float = -math.inf, raised: str = ""
) -> str:
    """Return what a user's own function did wrong since a time, as a clause; empty when none did.

    `functions` are pairs of kind ("potential" or "effort") and name, in the order they are counted; `raised` is the
    exception, where it is known.
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
    hint = "; if it uses c or v: a craft with neither pivot nor translation does not follow them" if unknown else ""
    hint = f", {TOO_LARGE}" if math.isfinite(value) else hint
    return f"the {kind} {name!r} returned {value:g} for {numbers[int(at)]} at t = {t:.9g} s{hint}"
