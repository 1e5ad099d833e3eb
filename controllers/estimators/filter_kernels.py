# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Which filter of attitude and bias it is: extended, unscented, or with fixed gains; the rest is the same for all."""

from ...plant.kernels.fields import fields
from ...plant.kernels.kernel import kernel
from .fixed_gain_kernel import fixed_clone, fixed_propagate, fixed_receive
from .mekf_kernel import WORK_ROWS, clone, propagate, receive
from .usque_kernel import usque_propagate, usque_receive

__all__ = [
    "EXTENDED",
    "FILTER_NUMBERS",
    "FIXED",
    "UNSCENTED",
    "filter_keep",
    "filter_receive",
    "filter_turn",
    "work_rows",
]

EXTENDED, UNSCENTED, FIXED = range(3)

FILTER_NUMBERS = fields(kind=1, slots=1, noise=1, walk=1, gates=2)
"""At the beginning of q; of one with fixed gains noise and walk are its gains of attitude and bias."""


def work_rows(kind: int, n: int) -> int:
    """Rows of its work space, as long as its covariance of n."""
    return WORK_ROWS + (5 * n + 2 if kind == UNSCENTED else 0)


@kernel
def filter_turn(q, x, P, r0, r1, r2, T, work):
    """Turn by a mean rate over T."""
    kind = int(q[FILTER_NUMBERS.kind])
    if kind == EXTENDED:
        propagate(x, P, r0, r1, r2, T, q[FILTER_NUMBERS.noise], q[FILTER_NUMBERS.walk], work)
    elif kind == UNSCENTED:
        usque_propagate(x, P, r0, r1, r2, T, q[FILTER_NUMBERS.noise], q[FILTER_NUMBERS.walk], work)
    else:
        fixed_propagate(x, r0, r1, r2, T)


@kernel
def filter_keep(q, x, P, slot):
    """Keep the attitude of now in a slot."""
    if int(q[FILTER_NUMBERS.kind]) == FIXED:
        fixed_clone(x, slot)
    else:
        clone(x, P, slot)


@kernel
def filter_receive(q, x, P, slot, row, at, work):
    """Correct by what arrives; the normalised innovation, negative where it is refused, 0 with fixed gains."""
    kind = int(q[FILTER_NUMBERS.kind])
    gate, other = q[FILTER_NUMBERS.gates], q[FILTER_NUMBERS.gates + 1]
    if kind == EXTENDED:
        return receive(x, P, slot, row, at, gate, other, work)
    if kind == UNSCENTED:
        return usque_receive(x, P, slot, row, at, gate, other, work)
    return fixed_receive(
        x, int(q[FILTER_NUMBERS.slots]), slot, row, at, q[FILTER_NUMBERS.noise], q[FILTER_NUMBERS.walk]
    )
