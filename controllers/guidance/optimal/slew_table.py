"""Table of a slew: attitude and rate under piecewise constant torque, corrected to reach the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ....plant.attitude import from_rotation_vector, quaternion_product, rotation_matrix

if TYPE_CHECKING:
    from collections.abc import Callable

    from .slew_limits import SlewLimits
    from .slew_problem import SlewProblem
    from .transcription import Solution

Array = NDArray[np.float64]

ROWS = 400
"""Minimum number of rows of a table."""


def slopes(limits: SlewLimits, x: Array, torque: Array) -> Array:
    """Return the time derivative of x = (e, omega) under a torque (3,), N m."""
    e0, e1, e2, e3, a, b, c = x.tolist()
    w = x[4:]
    hx, hy, hz = (body_momentum(limits, x[:4]) if limits.internal else limits.inertia @ w).tolist()
    gyroscopic = np.array((b * hz - c * hy, c * hx - a * hz, a * hy - b * hx))
    p, q, r = (limits.inverse @ (torque - gyroscopic)).tolist()
    return np.array(
        (
            -0.5 * (e1 * a + e2 * b + e3 * c),
            0.5 * (e0 * a + e2 * c - e3 * b),
            0.5 * (e0 * b + e3 * a - e1 * c),
            0.5 * (e0 * c + e1 * b - e2 * a),
            p,
            q,
            r,
        )
    )


def body_momentum(limits: SlewLimits, e: Array) -> Array:
    """Return the total momentum in body components, R(e)' H, N m s."""
    return rotation_matrix(e / np.sqrt(e @ e)).T @ limits.total if limits.total.any() else limits.total


def held_table(problem: SlewProblem, solution: Solution) -> tuple[Array, Array, Array]:
    """Return times (n,), attitudes (n, 4) and rates (n, 3) of a motion under piecewise constant torque.

    The motion is integrated by DOP853 with a tolerance of 1e-11. Because of the collocation error, the motion misses
    the required end slightly. A small rotation that grows smoothly along the slew removes this error.
    """
    from scipy import integrate

    solve = cast("Callable[..., Any]", integrate.solve_ivp)  # scipy is untyped
    longest = solution.duration / ROWS
    x = np.concatenate((problem.start, np.zeros(3)))
    times, rows = [0.0], [x]
    steps: list[float] = solution.steps.tolist()
    for step, torque in zip(steps, solution.torque, strict=True):
        parts = max(1, int(np.ceil(step / longest)))
        grid = np.linspace(0.0, step, parts + 1)[1:]

        def slope(_t: float, y: Array, u: Array = torque) -> Array:
            return slopes(problem.limits, y, u)

        found: Any = solve(slope, (0.0, step), x, method="DOP853", t_eval=grid, rtol=1e-11, atol=1e-13)
        start = times[-1]
        path: Array = found.y.T
        times += [start + float(each) for each in grid]
        rows.extend(path)
        x = path[-1]
    t, y = np.array(times), np.array(rows)
    e = y[:, :4] / np.linalg.norm(y[:, :4], axis=1)[:, None]
    return t, *_closed(problem, t, e, y[:, 4:])


def _closed(problem: SlewProblem, t: Array, e: Array, w: Array) -> tuple[Array, Array]:
    """Return the motion combined with a small rotation phi(t), so that it ends at rest where required."""
    miss, rest, last = problem.misses(e[-1]), -w[-1], t[-1]
    s = t / last
    # quintics with (value, slope) of (1, 0) and (0, 1) at the end; all other end conditions are zero
    value, value_slope = s**3 * (10.0 - 15.0 * s + 6.0 * s**2), 30.0 * s**2 * (1.0 - s) ** 2 / last
    slope = last * s**3 * (-4.0 + 7.0 * s - 3.0 * s**2)
    slope_slope = s**2 * (-12.0 + 28.0 * s - 15.0 * s**2)
    phi = value[:, None] * miss + slope[:, None] * rest
    phi_slope = value_slope[:, None] * miss + slope_slope[:, None] * rest
    e = quaternion_product(e, from_rotation_vector(phi))
    w = w - np.cross(phi, w) + phi_slope - 0.5 * np.cross(phi, phi_slope)
    w[0] = w[-1] = 0.0
    if problem.end is not None:
        e[-1] = problem.end if e[-1] @ problem.end >= 0.0 else -problem.end
    return e, w


def eigenaxis_table(
    problem: SlewProblem, turn: Array, *, peak: float, ramp: float, duration: float
) -> tuple[Array, Array, Array]:
    """Return the table of a bang-coast-bang slew.

    turn (3,): rotation vector, rad; peak: peak rate, rad/s; ramp, duration: s -> table as in `held_table`.
    """
    angle = float(np.linalg.norm(turn))
    coast = duration - 2.0 * ramp
    arcs = [(0.0, ramp), *([(ramp, duration - ramp)] if coast > 1e-9 * duration else []), (duration - ramp, duration)]
    pieces = [np.linspace(a, b, max(2, int(np.ceil(ROWS * (b - a) / duration))), endpoint=False) for a, b in arcs]
    t = np.append(np.concatenate(pieces), duration)
    acceleration = peak / ramp
    up, down = np.minimum(t, ramp), np.maximum(t - (duration - ramp), 0.0)
    rate = np.clip(acceleration * up - acceleration * down, 0.0, None)
    theta = 0.5 * acceleration * up**2 + peak * np.maximum(t - ramp, 0.0) - 0.5 * acceleration * down**2
    axis = turn / angle
    e = quaternion_product(problem.start, from_rotation_vector((theta * (angle / theta[-1]))[:, None] * axis))
    w = rate[:, None] * axis
    w[0] = w[-1] = 0.0
    return t, e, w
