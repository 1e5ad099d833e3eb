# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Equations of motion of a hub with flexible arms, Hamilton's form, in the order of `layout`.

    q' = nu,  M(q) nu = p,  p' = dL/dq at constant nu (for spins pi' = omega x pi + dL/dphi + torque)

The constraint of 003, one normalisation a node with its multiplier (57), is not needed: velocities are those of a
rotation, so |e| keeps its value and nothing is left to eliminate. Arms are attached exactly: the root's frame is the
hub's times a constant, and its strain is its own. 003 shares one strain between both roots, which is right by symmetry
only.
"""

from ..kernel import kernel
from .element import element_sweep
from .layout import (
    ARM_SIZE,
    ARMS,
    ELEMENTS,
    FRAME,
    HEADER_SIZE,
    HUB_INERTIA,
    HUB_MASS,
    OFFSET,
    STRAIN,
    TIP_MASS,
)
from .mass import element_mass
from .tree import tree_factor, tree_solve
from .vectors import add, cross, put, row3, scale, turned

__all__ = [
    "arm_configuration",
    "arm_mass",
    "axes_of",
    "configuration",
    "hub_spin",
    "kinematics",
    "mass_blocks",
    "momenta_and_forces",
    "parameter_derivative",
    "spin_parameters",
    "velocities",
]


@kernel(inline=True)
def axes_of(q, k):
    """Columns of R(e) with e in q from k on, whatever its norm."""
    a, b, c, d = q[k], q[k + 1], q[k + 2], q[k + 3]
    s = 1.0 / (a * a + b * b + c * c + d * d)
    x = ((a * a + b * b - c * c - d * d) * s, 2.0 * (b * c + a * d) * s, 2.0 * (b * d - a * c) * s)
    y = (2.0 * (b * c - a * d) * s, (a * a - b * b + c * c - d * d) * s, 2.0 * (c * d + a * b) * s)
    z = (2.0 * (b * d + a * c) * s, 2.0 * (c * d - a * b) * s, (a * a - b * b - c * c + d * d) * s)
    return x, y, z


@kernel
def arm_configuration(q, at, origin, x, y, z, p, base, pose, row):
    """Fill an arm's rows of nodes from q[at:]; x, y, z: the hub's axes; returns its root from the hub's `origin`."""
    d = turned(x, y, z, (p[base + OFFSET], p[base + OFFSET + 1], p[base + OFFSET + 2]))
    put(pose, row, 0, add(origin, d))
    for k in range(3):
        f = base + FRAME + 3 * k
        put(pose, row, 3 + 3 * k, turned(x, y, z, (p[f], p[f + 1], p[f + 2])))
    pose[row, STRAIN] = q[at]
    at += 1
    for i in range(1, int(p[base + ELEMENTS]) + 1):
        put(pose, row + i, 0, (q[at], q[at + 1], q[at + 2]))
        lx, mx, nx = axes_of(q, at + 3)
        put(pose, row + i, 3, lx)
        put(pose, row + i, 6, mx)
        put(pose, row + i, 9, nx)
        pose[row + i, STRAIN] = q[at + 7]
        at += 8
    return d


@kernel
def configuration(q, p, pose, rho, hub_axes):
    """Fill the rows of nodes; rho[arm]: its root from the hub's mass centre; hub_axes: R's columns."""
    x, y, z = axes_of(q, 3)
    put(hub_axes, 0, 0, x)
    put(hub_axes, 1, 0, y)
    put(hub_axes, 2, 0, z)
    row = 0
    base = HEADER_SIZE
    at = 7
    for arm in range(int(p[ARMS])):
        put(rho, arm, 0, arm_configuration(q, at, (q[0], q[1], q[2]), x, y, z, p, base, pose, row))
        n = int(p[base + ELEMENTS])
        at += 1 + 8 * n
        row += n + 1
        base += ARM_SIZE


@kernel
def kinematics(nu, p, rho, vel):
    """Fill the rows of velocities."""
    v, w = (nu[0], nu[1], nu[2]), (nu[3], nu[4], nu[5])
    row = 0
    base = HEADER_SIZE
    at = 6
    for arm in range(int(p[ARMS])):
        put(vel, row, 0, add(v, cross(w, row3(rho, arm, 0))))
        put(vel, row, 3, w)
        vel[row, 6] = nu[at]
        at += 1
        for i in range(1, int(p[base + ELEMENTS]) + 1):
            for k in range(7):
                vel[row + i, k] = nu[at + k]
            at += 7
        row += int(p[base + ELEMENTS]) + 1
        base += ARM_SIZE


@kernel
def hub_spin(p, hub_axes, w):
    """R J R' omega of the hub alone."""
    x, y, z = row3(hub_axes, 0, 0), row3(hub_axes, 1, 0), row3(hub_axes, 2, 0)
    a = w[0] * x[0] + w[1] * x[1] + w[2] * x[2]
    b = w[0] * y[0] + w[1] * y[1] + w[2] * y[2]
    c = w[0] * z[0] + w[1] * z[1] + w[2] * z[2]
    j = HUB_INERTIA
    ja = p[j] * a + p[j + 1] * b + p[j + 2] * c
    jb = p[j + 3] * a + p[j + 4] * b + p[j + 5] * c
    jc = p[j + 6] * a + p[j + 7] * b + p[j + 8] * c
    return turned(x, y, z, (ja, jb, jc))


@kernel
def momenta_and_forces(nu, p, torque, pose, vel, rho, hub_axes, mom, frc, out_p, out_f):
    """Write the momenta of these velocities and the rates of the momenta; return kinetic energy and strain energy.

    Before: `configuration`, `kinematics`. `torque` acts on the hub, in its body axes.
    """
    for i in range(mom.shape[0]):
        for k in range(7):
            mom[i, k] = 0.0
            frc[i, k] = 0.0
    v, w = (nu[0], nu[1], nu[2]), (nu[3], nu[4], nu[5])
    x, y, z = row3(hub_axes, 0, 0), row3(hub_axes, 1, 0), row3(hub_axes, 2, 0)
    hub_p = scale(p[HUB_MASS], v)
    hub_pi = hub_spin(p, hub_axes, w)
    kinetic = 0.5 * (v[0] * hub_p[0] + v[1] * hub_p[1] + v[2] * hub_p[2])
    kinetic += 0.5 * (w[0] * hub_pi[0] + w[1] * hub_pi[1] + w[2] * hub_pi[2])
    potential = 0.0 * kinetic
    hub_f = scale(0.0, hub_p)
    hub_t = turned(x, y, z, (torque[0], torque[1], torque[2]))
    row = 0
    base = HEADER_SIZE
    at = 6
    for arm in range(int(p[ARMS])):
        n = int(p[base + ELEMENTS])
        for i in range(row, row + n):
            t, u, _ = element_sweep(p, base, i, pose, vel, mom, frc)
            kinetic += t
            potential += u
        tip = row + n
        for k in range(3):
            mom[tip, k] += p[base + TIP_MASS] * vel[tip, k]
            kinetic += 0.5 * p[base + TIP_MASS] * vel[tip, k] * vel[tip, k]
        root_p, root_f, d = row3(mom, row, 0), row3(frc, row, 0), row3(rho, arm, 0)
        pi = add(row3(mom, row, 3), cross(d, root_p))
        turn = add(row3(frc, row, 3), cross(d, add(root_f, cross(root_p, w))))
        hub_p = add(hub_p, root_p)
        hub_f = add(hub_f, root_f)
        hub_pi = add(hub_pi, pi)
        hub_t = add(hub_t, add(turn, cross(w, pi)))
        out_p[at] = mom[row, 6]
        out_f[at] = frc[row, 6]
        at += 1
        for i in range(row + 1, row + n + 1):
            gyro = cross(row3(vel, i, 3), row3(mom, i, 3))
            for k in range(7):
                out_p[at + k] = mom[i, k]
                out_f[at + k] = frc[i, k]
            for k in range(3):
                out_f[at + 3 + k] += gyro[k]
            at += 7
        row += n + 1
        base += ARM_SIZE
    for k in range(3):
        out_p[k] = hub_p[k]
        out_p[3 + k] = hub_pi[k]
        out_f[k] = hub_f[k]
        out_f[3 + k] = hub_t[k]
    return kinetic, potential


@kernel
def arm_mass(p, base, row, pose, rows, diag, off):
    """Fill an arm's blocks of the mass matrix, in inertial components."""
    n = int(p[base + ELEMENTS])
    for i in range(row, row + n + 1):
        for k in range(49):
            diag[i, k] = 0.0
            off[i, k] = 0.0
    for i in range(row, row + n):
        element_mass(p, base, i, pose, rows, diag, off)
    for k in range(3):
        diag[row + n, 8 * k] += p[base + TIP_MASS]


@kernel
def mass_blocks(p, pose, hub_axes, rows, diag, off, hub):
    """Fill the blocks of the mass matrix, in inertial components. Before: `configuration`."""
    row = 0
    base = HEADER_SIZE
    for _ in range(int(p[ARMS])):
        arm_mass(p, base, row, pose, rows, diag, off)
        row += int(p[base + ELEMENTS]) + 1
        base += ARM_SIZE
    for k in range(36):
        hub[0, k] = 0.0
    for k in range(3):
        hub[0, 7 * k] = p[HUB_MASS]
        unit = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        column = hub_spin(p, hub_axes, unit)
        for j in range(3):
            hub[0, 6 * (3 + j) + 3 + k] = column[j]


@kernel
def velocities(x, p, pose, rho, hub_axes, rows, diag, off, hub, nu):
    """Write the velocities that belong to the momenta of a state; fills poses on the way."""
    nq = x.size - nu.size
    configuration(x, p, pose, rho, hub_axes)
    mass_blocks(p, pose, hub_axes, rows, diag, off, hub)
    for k in range(nu.size):
        nu[k] = x[nq + k]
    tree_factor(p, rho, diag, off, hub)
    tree_solve(p, rho, diag, off, hub, nu)


@kernel(inline=True)
def spin_parameters(q, k, w0, w1, w2, dq, out):
    """e' = 1/2 (0, omega) o e into dq[out:], e in q[k:], omega in inertial components."""
    a, b, c, d = q[k], q[k + 1], q[k + 2], q[k + 3]
    dq[out] = 0.5 * (-w0 * b - w1 * c - w2 * d)
    dq[out + 1] = 0.5 * (w0 * a + w1 * d - w2 * c)
    dq[out + 2] = 0.5 * (w1 * a + w2 * b - w0 * d)
    dq[out + 3] = 0.5 * (w2 * a + w0 * c - w1 * b)


@kernel
def parameter_derivative(q, nu, p, dq):
    """q' from positions and velocities."""
    for k in range(3):
        dq[k] = nu[k]
    spin_parameters(q, 3, nu[3], nu[4], nu[5], dq, 3)
    at = 7
    vt = 6
    base = HEADER_SIZE
    for _ in range(int(p[ARMS])):
        dq[at] = nu[vt]
        at += 1
        vt += 1
        for _i in range(int(p[base + ELEMENTS])):
            for k in range(3):
                dq[at + k] = nu[vt + k]
            spin_parameters(q, at + 3, nu[vt + 3], nu[vt + 4], nu[vt + 5], dq, at + 3)
            dq[at + 7] = nu[vt + 6]
            at += 8
            vt += 7
        base += ARM_SIZE
