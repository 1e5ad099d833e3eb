# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Common parts of the Lagrangian forms with x = (e, e'): gyroscopic terms, generalised forces, and the solver.

Every form is an augmented system for accelerations and multiplier (Euler-parameter notes (34), (39), (83)),

    [4 G'J G  e] [e''   ]   [right side]
    [e'       0] [lambda] = [-e'.e'    ]     (lambda e on the left; the last row: constraint differentiated twice)

whose matrix has the inverse [1/4 G'J^-1 G  e; e' 0] (35) if |e| = 1. For any |e| the exact inverse is
[G'J^-1 G / (4 |e|^4)  e/|e|^2; e'/|e|^2  0], since G G' = |e|^2 I and G e = 0. `solve_augmented` uses this inverse, so
each form is solved exactly, even off the constraint. The gyroscopic term G'(G Gdot')J G e' and the shorter Gdot'J G e'
differ by a multiple of e, which changes only the multiplier. The same is true for the generalised forces.
"""

from typing import Any

from ..kernels.fields import three
from ..kernels.kernel import kernel
from ..kernels.rotation import to_body
from .formulation import Formulation
from .pieces import LOAD, applied_torque, g_times, g_transpose, inertia_times, inverse_times
from .projection import project_velocities

E_STATES = ("e_0", "e_1", "e_2", "e_3", "e_0_rate", "e_1_rate", "e_2_rate", "e_3_rate")
E_UNITS = ("1",) * 4 + ("1/s",) * 4


@kernel(inline=True)
def shorter_gyroscopic(x, p):
    """Return 8 Gdot'J G e', four components, of third order in the Euler parameters (29)."""
    a0, a1, a2 = g_times(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
    a0, a1, a2 = inertia_times(p, 8.0 * a0, 8.0 * a1, 8.0 * a2)
    return g_transpose(x[4], x[5], x[6], x[7], a0, a1, a2)


@kernel(inline=True)
def full_gyroscopic(x, p):
    """Return 8 G'G Gdot'J G e', four components, of fifth order in the Euler parameters (23)."""
    c0, c1, c2, c3 = shorter_gyroscopic(x, p)
    a0, a1, a2 = g_times(x[0], x[1], x[2], x[3], c0, c1, c2, c3)
    return g_transpose(x[0], x[1], x[2], x[3], a0, a1, a2)


@kernel(inline=True)
def torque_force(x, w):
    """Return 2 G'n, with the total load n as a body torque (43), (44); the result is normal to e."""
    n0, n1, n2 = applied_torque(w, x[0], x[1], x[2], x[3])
    return g_transpose(x[0], x[1], x[2], x[3], 2.0 * n0, 2.0 * n1, 2.0 * n2)


@kernel(inline=True)
def working_force(x, w):
    """Return 2 H'E'f for the force at a body point plus 2 G'(M' + A'M) for the torques (82)."""
    e0, e1, e2, e3 = x[0], x[1], x[2], x[3]
    n0, n1, n2 = w[0], w[1], w[2]
    m0, m1, m2 = three(w, LOAD.inertial_torque)
    m0, m1, m2 = to_body(e0, e1, e2, e3, m0, m1, m2)
    q0, q1, q2, q3 = g_transpose(e0, e1, e2, e3, 2.0 * (n0 + m0), 2.0 * (n1 + m1), 2.0 * (n2 + m2))
    f0, f1, f2 = three(w, LOAD.force)
    f0, f1, f2 = 2.0 * f0, 2.0 * f1, 2.0 * f2
    u0, u1, u2 = three(w, LOAD.point)
    # y = E'f = (0, f) o e, then H'y = (u.y, u x y - u y0) with the vector part of y
    y0 = -e1 * f0 - e2 * f1 - e3 * f2
    y1 = e0 * f0 + f1 * e3 - f2 * e2
    y2 = e0 * f1 + f2 * e1 - f0 * e3
    y3 = e0 * f2 + f0 * e2 - f1 * e1
    return (
        q0 + u0 * y1 + u1 * y2 + u2 * y3,
        q1 + u1 * y3 - u2 * y2 - u0 * y0,
        q2 + u2 * y1 - u0 * y3 - u1 * y0,
        q3 + u0 * y2 - u1 * y1 - u2 * y0,
    )


@kernel(inline=True)
def solve_augmented(x, p, dx, r0, r1, r2, r3):
    """Write (e', e'') to dx for the right-hand side r. Return the multiplier, with gradient e."""
    e0, e1, e2, e3 = x[0], x[1], x[2], x[3]
    d0, d1, d2, d3 = x[4], x[5], x[6], x[7]
    square = e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3
    scale = 0.25 / (square * square)
    along = -(d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3) / square
    a0, a1, a2 = g_times(e0, e1, e2, e3, r0, r1, r2, r3)
    a0, a1, a2 = inverse_times(p, scale * a0, scale * a1, scale * a2)
    b0, b1, b2, b3 = g_transpose(e0, e1, e2, e3, a0, a1, a2)
    dx[0], dx[1], dx[2], dx[3] = d0, d1, d2, d3
    dx[4] = b0 + along * e0
    dx[5] = b1 + along * e1
    dx[6] = b2 + along * e2
    dx[7] = b3 + along * e3
    return (e0 * r0 + e1 * r1 + e2 * r2 + e3 * r3) / square


def enter_velocities(e0, e1, e2, e3, w0, w1, w2, p, x):
    """Write e and e' = 1/2 G' omega."""
    x[0], x[1], x[2], x[3] = e0, e1, e2, e3
    x[4], x[5], x[6], x[7] = g_transpose(e0, e1, e2, e3, 0.5 * w0, 0.5 * w1, 0.5 * w2)


@kernel(inline=True)
def leave_velocities(x, p, y):
    """Write e and omega = 2 G e' / |e|^2, the angular velocity of the attitude e / |e|."""
    e0, e1, e2, e3 = x[0], x[1], x[2], x[3]
    y[0], y[1], y[2], y[3] = e0, e1, e2, e3
    scale = 2.0 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    a0, a1, a2 = g_times(e0, e1, e2, e3, x[4], x[5], x[6], x[7])
    y[4], y[5], y[6] = scale * a0, scale * a1, scale * a2


def second_order(**definition: Any) -> Formulation:
    """Return a formulation with states e and e'; definition: all other arguments of `Formulation`."""
    return Formulation(
        states=E_STATES,
        units=E_UNITS,
        enter=enter_velocities,
        leave=leave_velocities,
        project=project_velocities,
        **definition,
    )
