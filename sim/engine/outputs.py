# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Recording of output rows at the ends of steps and within steps.

Outputs never change the steps. With a fixed-step method, the state at an output time is computed by one further step of
the same method from the last state. Within an adaptive step, the state is the dense output of order 7.
"""

from ...plant.kernels.kernel import kernel
from .blocks import record_signals
from .extremes import tally_row
from .indices import KOUT, N_OUT, TAKEN, UNSOLVED
from .single_step import within_step
from .steppers.stage_times import close_to


@kernel(inline=True)
def record(x, b):
    """Store the state, the input, and the signal extremes since the previous row in the next output row."""
    count, u = b.count, b.u
    row = count[KOUT] - count[TAKEN]
    if b.tally.size > 0:
        tally_row(row, b.tally)
    for i in range(x.size):
        b.out_x[row, i] = x[i]
    for i in range(u.size):
        b.out_u[row, i] = u[i]
    if b.out_s.shape[0] > 0:
        record_signals(row, b.out_t[count[KOUT]], b)
    count[KOUT] += 1


@kernel
def outputs(last, method, t, h, user, b):
    """Record the outputs in [t, last) of the step from t to t + h; return whether all were recorded."""
    count, out_t = b.count, b.out_t
    k = count[KOUT]
    while k < count[N_OUT] and out_t[k] < last - close_to(last):
        if k - count[TAKEN] >= b.out_x.shape[0]:
            return False
        if out_t[k] <= t + close_to(t):
            record(b.x, b)
        else:
            within_step(method, (out_t[k] - t) / h, t, h, user, b)
            if count[UNSOLVED] != 0:
                return False
            record(b.between, b)
        k = count[KOUT]
    return True
