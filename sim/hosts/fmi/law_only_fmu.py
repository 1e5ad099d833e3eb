# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernels of an FMU that has a law but no plant: the plant signals are inputs; no state is integrated."""

import math
from collections.abc import Callable
from typing import Any

from ....controllers.contracts.law_layout import REFERENCE, SEEN
from ....plant.kernels.kernel import kernel
from ...codegen.c99.calls import call_of
from ...engine.free_body_loop import free_body_loop, is_free_body_loop
from ...engine.indices import BAD_COMMAND, LAW_FURTHER, T
from ...engine.law import look, look_at_rates
from ...engine.segment import integrate_segment


@kernel(inline=True)
def look_at_inputs(t, reference, b):
    """Evaluate the reference, and use the FMU's inputs: the states in x, the body rate in w."""
    seen, x, r = b.seen, b.x, b.r
    r[REFERENCE.attitude] = math.nan
    reference(t, b.rq, r)
    for m in range(REFERENCE.size):
        if not abs(r[m]) < 1e300:
            return BAD_COMMAND
    for i in range(SEEN.rate):
        seen[i] = x[i]
    for i in range(3):
        seen[SEEN.rate + i] = b.w[i]
    for i in range(SEEN.rate, seen.size - 3 - b.count[LAW_FURTHER]):
        seen[i + 3] = x[i]
    return 0


@kernel(inline=True)
def nothing_moves(at, b):
    """Do nothing: rates of internal coordinates are not inputs, and a law that reads one is refused."""


@kernel(inline=True)
def wait(t_next, user, b):
    """Advance the time to t_next; the state does not change."""
    b.clock[T] = t_next
    return 0


@kernel(inline=True)
def never(b):
    """Return False: the loop for simple plants does not apply."""
    return False


@kernel(inline=True)
def nothing(law, reference, b):
    """Placeholder that is never called."""
    return 0


def replaced_by_inputs() -> dict[Callable[..., Any], Any]:
    """Return replacements for the engine kernels that need a plant."""

    def by(kernel: Callable[..., Any]) -> Any:
        return lambda scope, arguments: call_of(scope, None, kernel, arguments)

    pairs = (
        (look, look_at_inputs),
        (look_at_rates, nothing_moves),
        (integrate_segment, wait),
        (is_free_body_loop, never),
        (free_body_loop, nothing),
    )
    return {kernel: by(other) for kernel, other in pairs}
