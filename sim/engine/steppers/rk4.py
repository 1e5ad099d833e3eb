# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The classical Runge-Kutta step of order 4."""

from ....plant.hub.dynamics import derivative
from ....plant.kernels.kernel import kernel
from ..indices import RK4
from .stage_times import stage_times
from .stepper import Stepper

STEPPER = Stepper(
    name="rk4",
    words="the classical Runge-Kutta method of order 4 at fixed steps",
    order=4,
    a=((0, 0, 0, 0), (1 / 2, 0, 0, 0), (0, 1 / 2, 0, 0), (0, 0, 1, 0)),
    b=(1 / 6, 1 / 3, 1 / 3, 1 / 6),
    c=(0, 1 / 2, 1 / 2, 1),
    method=RK4,
)


@kernel(inline=True)
def rk4_step(t, h, x, u, p, user, w, y, k1, k2, k3, k4):
    """Write x(t + h) to y; k1 to k4 are workspace of the same length as x."""
    n = x.size
    first, last = stage_times(t, h)
    half = 0.5 * h
    sixth = h / 6.0
    derivative(first, x, u, p, k1, user, w)
    # Momentum and attitude, the first seven entries, always exist. A loop of known length is unrolled; the overhead of
    # a loop of unknown length exceeds its arithmetic.
    for i in range(7):
        y[i] = x[i] + half * k1[i]
    for i in range(7, n):
        y[i] = x[i] + half * k1[i]
    derivative(t + half, y, u, p, k2, user, w)
    for i in range(7):
        y[i] = x[i] + half * k2[i]
    for i in range(7, n):
        y[i] = x[i] + half * k2[i]
    derivative(t + half, y, u, p, k3, user, w)
    for i in range(7):
        y[i] = x[i] + h * k3[i]
    for i in range(7, n):
        y[i] = x[i] + h * k3[i]
    derivative(last, y, u, p, k4, user, w)
    for i in range(7):
        y[i] = x[i] + sixth * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])
    for i in range(7, n):
        y[i] = x[i] + sixth * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])
