# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Integration of a smooth interval between two breakpoints, with outputs and pose events."""

from ...plant.kernels.kernel import kernel
from .adaptive import adaptive_stretch
from .extremes import tally_start
from .fixed import at_once, fixed_stretch
from .indices import DOP853, KOUT, METHOD, T


@kernel(inline=True)
def integrate_segment(t_next, user, b):
    """Advance to t_next without a breakpoint in between; return 0 or the stop code."""
    if at_once(t_next, b):
        return 0
    count, clock = b.count, b.clock
    # if rows within the next step are already recorded, the step is repeated, and its start has already been counted
    if b.tally.size > 0 and not (count[KOUT] > 0 and b.out_t[count[KOUT] - 1] > clock[T]):
        tally_start(clock[T], b.x, b.u, b.p, b.w, b.tally)
    if count[METHOD] == DOP853:
        return adaptive_stretch(t_next, user, b)
    return fixed_stretch(t_next, user, b)
