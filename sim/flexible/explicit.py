# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Explicit steps of a flexible satellite: Runge-Kutta of order 4, and Dormand-Prince of order 8 at a fixed step.

Both are limited by the fastest mode of the mesh, an axial one: `polhode.sim.flexible.stable_step` says by how much.
"""

from ...plant.flexible.equations import kinematics, momenta_and_forces, parameter_derivative, velocities
from ...plant.flexible.layout import ARM_SIZE, ARMS, ELEMENTS, HEADER_SIZE
from ...plant.kernel import kernel
from ..steppers.dop853_coefficients import A, B, C
from ..steppers.stage_times import stage_times

__all__ = ["normalize", "rk4_step", "rk8_step"]


@kernel
def _unit(q, k):
    s = (q[k] * q[k] + q[k + 1] * q[k + 1] + q[k + 2] * q[k + 2] + q[k + 3] * q[k + 3]) ** -0.5
    for m in range(4):
        q[k + m] *= s


@kernel
def normalize(q, p):
    """Scale all Euler parameters to unit norm."""
    _unit(q, 3)
    at = 8
    base = HEADER_SIZE
    for _ in range(int(p[ARMS])):
        for i in range(int(p[base + ELEMENTS])):
            _unit(q, at + 8 * i + 3)
        at += 8 * int(p[base + ELEMENTS]) + 1
        base += ARM_SIZE


@kernel
def _rates(t, torque, tq, hold, x, p, pose, vel, mom, frc, rho, axes, rows, diag, off, hub, nu, spare, u, dx):
    nv = nu.size
    nq = x.size - nv
    torque(t, tq, u)
    for k in range(3):
        u[k] += hold[k]
    velocities(x, p, pose, rho, axes, rows, diag, off, hub, nu)
    kinematics(nu, p, rho, vel)
    momenta_and_forces(nu, p, u, pose, vel, rho, axes, mom, frc, spare, dx[nq:])
    parameter_derivative(x[:nq], nu, p, dx[:nq])


@kernel
def rk4_step(t, h, torque, tq, hold, x, p, pose, vel, mom, frc, rho, axes, rows, diag, off, hub, nu, spare, u, k, y):
    """Step x by h in place."""
    n = x.size
    first, last = stage_times(t, h)
    for s in range(4):
        at = first if s == 0 else (last if s == 3 else t + 0.5 * h)
        if s == 0:
            for i in range(n):
                y[i] = x[i]
        else:
            step = h if s == 3 else 0.5 * h
            for i in range(n):
                y[i] = x[i] + step * k[s - 1, i]
        _rates(at, torque, tq, hold, y, p, pose, vel, mom, frc, rho, axes, rows, diag, off, hub, nu, spare, u, k[s])
    for i in range(n):
        x[i] += h / 6.0 * (k[0, i] + 2.0 * (k[1, i] + k[2, i]) + k[3, i])
    normalize(x, p)


@kernel
def rk8_step(t, h, torque, tq, hold, x, p, pose, vel, mom, frc, rho, axes, rows, diag, off, hub, nu, spare, u, k, y):
    """Step x by h in place."""
    n = x.size
    first, last = stage_times(t, h)
    for s in range(12):
        at = min(max(t + C[s] * h, first), last)
        for i in range(n):
            total = 0.0
            for m in range(s):
                total += A[s, m] * k[m, i]
            y[i] = x[i] + h * total
        _rates(at, torque, tq, hold, y, p, pose, vel, mom, frc, rho, axes, rows, diag, off, hub, nu, spare, u, k[s])
    for i in range(n):
        total = 0.0
        for m in range(12):
            total += B[m] * k[m, i]
        x[i] += h * total
    normalize(x, p)
