# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Step of the Dormand-Prince method of order 8, with its sums written out.

The arithmetic is that of `explicit_step` with the tableau of the method, term by term. Without the loop over the
tableau, of whose weights half are zero, the sums take less time.
"""

from ....plant.hub.dynamics import derivative
from ....plant.kernels.kernel import kernel
from .dop853_coefficients import A, B, C
from .free_rates import free_derivative
from .stage_times import stage_times


@kernel(inline=True)
def _slope(free, t, y, u, p, dx, user, w):
    """Write the derivative to dx; free: whether the body is free."""
    if free:
        free_derivative(y, u, p, dx)
    else:
        derivative(t, y, u, p, dx, user, w)


@kernel(inline=True)
def order8_step(free, t, h, x, u, p, user, w, y, stages):
    """Write x(t + h) to y; free: whether the body is free; stages[0] holds the derivative at x."""
    n = x.size
    first, last = stage_times(t, h)
    k0, k1, k2, k3, k4, k5 = stages[0], stages[1], stages[2], stages[3], stages[4], stages[5]
    k6, k7, k8, k9, k10, k11 = stages[6], stages[7], stages[8], stages[9], stages[10], stages[11]
    for i in range(n):
        y[i] = x[i] + h * (A[1, 0] * k0[i])
    _slope(free, max(min(t + C[1] * h, last), first), y, u, p, k1, user, w)
    for i in range(n):
        y[i] = x[i] + h * (A[2, 0] * k0[i] + A[2, 1] * k1[i])
    _slope(free, max(min(t + C[2] * h, last), first), y, u, p, k2, user, w)
    for i in range(n):
        y[i] = x[i] + h * (A[3, 0] * k0[i] + A[3, 2] * k2[i])
    _slope(free, max(min(t + C[3] * h, last), first), y, u, p, k3, user, w)
    for i in range(n):
        y[i] = x[i] + h * (A[4, 0] * k0[i] + A[4, 2] * k2[i] + A[4, 3] * k3[i])
    _slope(free, max(min(t + C[4] * h, last), first), y, u, p, k4, user, w)
    for i in range(n):
        y[i] = x[i] + h * (A[5, 0] * k0[i] + A[5, 3] * k3[i] + A[5, 4] * k4[i])
    _slope(free, max(min(t + C[5] * h, last), first), y, u, p, k5, user, w)
    for i in range(n):
        y[i] = x[i] + h * (A[6, 0] * k0[i] + A[6, 3] * k3[i] + A[6, 4] * k4[i] + A[6, 5] * k5[i])
    _slope(free, max(min(t + C[6] * h, last), first), y, u, p, k6, user, w)
    for i in range(n):
        y[i] = x[i] + h * (A[7, 0] * k0[i] + A[7, 3] * k3[i] + A[7, 4] * k4[i] + A[7, 5] * k5[i] + A[7, 6] * k6[i])
    _slope(free, max(min(t + C[7] * h, last), first), y, u, p, k7, user, w)
    for i in range(n):
        y[i] = x[i] + h * (
            A[8, 0] * k0[i] + A[8, 3] * k3[i] + A[8, 4] * k4[i] + A[8, 5] * k5[i] + A[8, 6] * k6[i] + A[8, 7] * k7[i]
        )  # fmt: skip
    _slope(free, max(min(t + C[8] * h, last), first), y, u, p, k8, user, w)
    for i in range(n):
        y[i] = x[i] + h * (
            A[9, 0] * k0[i] + A[9, 3] * k3[i] + A[9, 4] * k4[i] + A[9, 5] * k5[i] + A[9, 6] * k6[i] + A[9, 7] * k7[i]
            + A[9, 8] * k8[i]
        )  # fmt: skip
    _slope(free, max(min(t + C[9] * h, last), first), y, u, p, k9, user, w)
    for i in range(n):
        y[i] = x[i] + h * (
            A[10, 0] * k0[i] + A[10, 3] * k3[i] + A[10, 4] * k4[i] + A[10, 5] * k5[i] + A[10, 6] * k6[i]
            + A[10, 7] * k7[i] + A[10, 8] * k8[i] + A[10, 9] * k9[i]
        )  # fmt: skip
    _slope(free, max(min(t + C[10] * h, last), first), y, u, p, k10, user, w)
    for i in range(n):
        y[i] = x[i] + h * (
            A[11, 0] * k0[i] + A[11, 3] * k3[i] + A[11, 4] * k4[i] + A[11, 5] * k5[i] + A[11, 6] * k6[i]
            + A[11, 7] * k7[i] + A[11, 8] * k8[i] + A[11, 9] * k9[i] + A[11, 10] * k10[i]
        )  # fmt: skip
    _slope(free, max(min(t + C[11] * h, last), first), y, u, p, k11, user, w)
    for i in range(n):
        y[i] = x[i] + h * (
            B[0] * k0[i] + B[5] * k5[i] + B[6] * k6[i] + B[7] * k7[i] + B[8] * k8[i] + B[9] * k9[i] + B[10] * k10[i]
            + B[11] * k11[i]
        )  # fmt: skip
