# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Selection of the filter algorithm: extended, unscented, or fixed gains."""

from ....plant.kernels.kernel import kernel
from ....plant.kernels.lanes import shared
from .filter_layout import FILTER_NUMBERS
from .fixed_gain_kernel import fixed_propagate, fixed_receive
from .mekf_kernel import ERRORS, WORK_ROWS, propagate, receive
from .usque_kernel import POINT_ROWS, usque_propagate, usque_receive

EXTENDED, UNSCENTED, FIXED = range(3)

WORK = (WORK_ROWS + POINT_ROWS) * ERRORS
"""Length of the workspace."""


@kernel
def filter_turn(q, x, P, r0, r1, r2, T, work):
    """Propagate the estimate by a mean rate over a time T."""
    kind = int(shared(q, FILTER_NUMBERS.kind))
    if kind == EXTENDED:
        propagate(x, P, r0, r1, r2, T, q[FILTER_NUMBERS.noise], q[FILTER_NUMBERS.walk], work)
    elif kind == UNSCENTED:
        usque_propagate(x, P, r0, r1, r2, T, q[FILTER_NUMBERS.noise], q[FILTER_NUMBERS.walk], work)
    else:
        fixed_propagate(x, r0, r1, r2, T)


@kernel
def filter_receive(q, x, P, row, at, work):
    """Update by a message; return the normalised innovation, negative if rejected, 0 for fixed gains."""
    kind = int(shared(q, FILTER_NUMBERS.kind))
    gate, other = q[FILTER_NUMBERS.gates], q[FILTER_NUMBERS.gates + 1]
    if kind == EXTENDED:
        return receive(x, P, row, at, gate, other, work)
    if kind == UNSCENTED:
        return usque_receive(x, P, row, at, gate, other, work)
    return fixed_receive(x, row, at, q[FILTER_NUMBERS.noise], q[FILTER_NUMBERS.walk])
