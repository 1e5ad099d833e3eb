# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""One step of a fixed-step method, and the state at a time within a step."""

from ...plant.hub.dynamics import derivative
from ...plant.kernels.kernel import kernel
from .indices import DOP853, EXACT, IMPLICIT, RK4, UNSOLVED
from .steppers.dop853 import dense_output
from .steppers.explicit import explicit_step
from .steppers.free_rates import free_derivative, is_free
from .steppers.own_step import call_step
from .steppers.rk4 import rk4_step
from .steppers.sphere import project_all
from .steppers.stage_times import stage_times

MOST_PARTS = 4096
"""Largest number of substeps, solved or rejected, of an implicit step that ends at an output row."""

ENOUGH = 6
"""Number of successive parts with a solution after which the length of the parts is doubled."""


@kernel
def fixed_step(method, t, h, y, within, of, user, b):
    """Take one step of a fixed-step method from b.x to y; within, of: as in `implicit_step`.

    Returns the removed drift of |e|^2; infinite if an implicit step has no solution.
    """
    x, u, p, w, stages = b.x, b.u, b.p, b.w, b.stages
    if method in (IMPLICIT, EXACT):
        return call_step(method, user, t, h, x, u, p, w, y, within, of, b.implicit)
    if method == RK4:
        rk4_step(t, h, x, u, p, user, w, y, stages[0], stages[1], stages[2], stages[3])
    else:
        if is_free(p):
            free_derivative(x, u, p, stages[0])
        else:
            derivative(stage_times(t, h)[0], x, u, p, stages[0], user, w)
        explicit_step(t, h, x, u, p, user, w, y, stages, b.tableau)
    return project_all(y, p, w)


@kernel
def _in_parts(t, h, user, b):
    """Write the state at t + h to b.between by short implicit steps; return whether all have solutions."""
    start, x, y = b.dense[0], b.x, b.between
    for m in range(x.size):
        start[m] = x[m]
    done, length = 0.0, 0.5 * h
    solved = 0
    for _ in range(MOST_PARTS):
        last = done + 1.5 * length >= h
        part = h - done if last else length
        drift = fixed_step(IMPLICIT, t + done, part, y, True, 0.0, user, b)
        if abs(drift) < 1e300:
            if last:
                done = h
                break
            for m in range(x.size):
                x[m] = y[m]
            done += part
            solved += 1
            if solved >= ENOUGH:
                length *= 2.0
                solved = 0
        else:
            length = 0.5 * part
            solved = 0
    for m in range(x.size):
        x[m] = start[m]
    return done == h


@kernel
def within_step(method, theta, t, h, user, b):
    """Write the state at the fraction theta of a step from b.x to b.between; dop853 reads b.dense.

    If an implicit step to this time has no solution, it is taken in parts. If these have no solution either, UNSOLVED
    is set, and b.between is invalid.
    """
    if method == DOP853:
        dense_output(theta, b.x, b.dense, b.between)
        project_all(b.between, b.p, b.w)
    else:
        drift = fixed_step(method, t, theta * h, b.between, True, h, user, b)
        if method == IMPLICIT and not abs(drift) < 1e300 and not _in_parts(t, theta * h, user, b):
            b.count[UNSOLVED] = 1
