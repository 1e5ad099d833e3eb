# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Many fixed steps of any formulation, whatever the size of its state, with projection and gimbal lock watched.

`rhs`, `leave` and `project` are those of a `Formulation`. Torques of a craft, which depend on attitude and rate, are
evaluated at every stage from what `leave` reads, through the same kernels as in `polhode.plant.dynamics`.

For the sequence of an Euler-angle formulation c = sin a2 or cos a2 is zero at gimbal lock. A step of length h can
move c by |omega| h: where c is no larger than that, or has changed its sign, the step cannot be trusted.
"""

import math

from ...plant.dynamics import damper_loads, port_torque, potential_loads
from ...plant.formulations.angle_kernels import lock_distance
from ...plant.formulations.pieces import inertia_times
from ...plant.kernel import kernel
from ...plant.parameters import N_DAMPERS, N_POTENTIALS
from ..steppers.dop853_coefficients import A, B, C

__all__ = [
    "CLOSEST",
    "DONE",
    "EVERY",
    "EXTERNAL",
    "LOCKED",
    "METHOD",
    "MIDDLE",
    "NEAREST",
    "NOT_FINITE",
    "NOW",
    "PROJECT",
    "RK4",
    "RK8",
    "ROW",
    "START",
    "STEP",
    "STEPS",
    "STOP",
    "advance",
]

RK4, RK8 = 0, 1
METHOD, STEPS, EVERY, PROJECT, MIDDLE, EXTERNAL, ROW = range(7)  # in `plan`
START, STOP, STEP, CLOSEST, NEAREST, NOW = range(6)  # in `clock`: both ends, h, limit of |c|, smallest |c|, t
DONE, LOCKED, NOT_FINITE = 0, 1, 2


@kernel(inline=True)
def _load(leave, external, t, x, p, w, base, u, cp, cw, y, q):
    """Put the load at a stage into w: the constant one, and the torques of the craft."""
    if external == 0:
        return
    leave(x, p, y)
    w0, w1, w2 = y[4], y[5], y[6]
    q[0], q[1], q[2] = inertia_times(p, w0, w1, w2)
    q[3], q[4], q[5], q[6] = y[0], y[1], y[2], y[3]
    t0, t1, t2 = port_torque(t, q, u, cp, w0, w1, w2)
    if cp[N_POTENTIALS] != 0.0:
        c0, c1, c2, f0, f1, f2 = potential_loads(t, q, cp, cw)
        t0, t1, t2 = t0 + c0, t1 + c1, t2 + c2
    if cp[N_DAMPERS] != 0.0:
        c0, c1, c2, f0, f1, f2 = damper_loads(q, cp, w0, w1, w2)
        t0, t1, t2 = t0 + c0, t1 + c1, t2 + c2
    w[0], w[1], w[2] = base[0] + t0, base[1] + t1, base[2] + t2


@kernel(inline=True)
def _rk4(rhs, leave, external, t, h, x, p, w, base, u, cp, cw, y, q, k, new):
    n = x.size
    half = 0.5 * h
    sixth = h / 6.0
    _load(leave, external, t, x, p, w, base, u, cp, cw, y, q)
    rhs(x, w, p, k[0])
    for i in range(n):
        new[i] = x[i] + half * k[0, i]
    _load(leave, external, t + half, new, p, w, base, u, cp, cw, y, q)
    rhs(new, w, p, k[1])
    for i in range(n):
        new[i] = x[i] + half * k[1, i]
    _load(leave, external, t + half, new, p, w, base, u, cp, cw, y, q)
    rhs(new, w, p, k[2])
    for i in range(n):
        new[i] = x[i] + h * k[2, i]
    _load(leave, external, t + h, new, p, w, base, u, cp, cw, y, q)
    rhs(new, w, p, k[3])
    for i in range(n):
        new[i] = x[i] + sixth * (k[0, i] + 2.0 * (k[1, i] + k[2, i]) + k[3, i])


@kernel
def _rk8(rhs, leave, external, t, h, x, p, w, base, u, cp, cw, y, q, k, new):
    """The Dormand-Prince formula of order 8 at a fixed step."""
    n = x.size
    for i in range(n):
        new[i] = x[i]
    for s in range(12):
        if s > 0:
            for i in range(n):
                total = 0.0
                for m in range(s):
                    total += A[s, m] * k[m, i]
                new[i] = x[i] + h * total
        _load(leave, external, t + C[s] * h, new, p, w, base, u, cp, cw, y, q)
        rhs(new, w, p, k[s])
    for i in range(n):
        total = 0.0
        for m in range(12):
            total += B[m] * k[m, i]
        new[i] = x[i] + h * total


@kernel
def _record(rhs, leave, plan, clock, x, p, w, base, u, cp, cw, y, q, rates, out_t, out_x, out_m):
    """Store time, state and multiplier in the next row, unless the last one is of the same time."""
    row = plan[ROW]
    if row > 0 and out_t[row - 1] >= clock[NOW]:
        return
    _load(leave, plan[EXTERNAL], clock[NOW], x, p, w, base, u, cp, cw, y, q)
    out_t[row] = clock[NOW]
    for m in range(x.size):
        out_x[row, m] = x[m]
    out_m[row] = rhs(x, w, p, rates)
    plan[ROW] = row + 1


@kernel
def advance(rhs, leave, project, plan, clock, x, p, w, base, u, cp, cw, y, q, k, new, out_t, out_x, out_m):
    """Take plan[STEPS] steps in place; rows at the start, every plan[EVERY] and at the end; returns how it ended."""
    n = x.size
    h = clock[STEP]
    steps = plan[STEPS]
    every = plan[EVERY]
    middle = plan[MIDDLE]
    external = plan[EXTERNAL]
    i, k_axis = int(p[18]), int(p[20])
    _record(rhs, leave, plan, clock, x, p, w, base, u, cp, cw, y, q, k[0], out_t, out_x, out_m)
    before = 0.0
    if middle >= 0:
        before = lock_distance(i, k_axis, x[middle])
    for step in range(steps):
        t = clock[START] + step * h
        if plan[METHOD] == RK4:
            _rk4(rhs, leave, external, t, h, x, p, w, base, u, cp, cw, y, q, k, new)
        else:
            _rk8(rhs, leave, external, t, h, x, p, w, base, u, cp, cw, y, q, k, new)
        total = 0.0
        for m in range(n):
            total += new[m]
        if middle >= 0:
            c = lock_distance(i, k_axis, new[middle])
            near = abs(c) < 0.5
            if near:
                leave(new, p, y)
                near = abs(c) <= h * math.sqrt(y[4] * y[4] + y[5] * y[5] + y[6] * y[6])
            if near or abs(c) < clock[CLOSEST] or c * before < 0.0 or not math.isfinite(total):
                _record(rhs, leave, plan, clock, x, p, w, base, u, cp, cw, y, q, k[0], out_t, out_x, out_m)
                return LOCKED
            before = c
            if abs(c) < clock[NEAREST]:
                clock[NEAREST] = abs(c)
        elif not math.isfinite(total):
            _record(rhs, leave, plan, clock, x, p, w, base, u, cp, cw, y, q, k[0], out_t, out_x, out_m)
            return NOT_FINITE
        for m in range(n):
            x[m] = new[m]
        if plan[PROJECT] != 0:
            project(x)
        clock[NOW] = clock[STOP] if step + 1 == steps else clock[START] + (step + 1) * h
        if (step + 1) % every == 0 or step + 1 == steps:
            _record(rhs, leave, plan, clock, x, p, w, base, u, cp, cw, y, q, k[0], out_t, out_x, out_m)
    return DONE
