# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Node positions of an arm, their mass matrix and the kinematics of their attitudes.

Choi (2014) enforces the norm of each node's Euler parameters by a constraint with a multiplier (57). Here angular
velocities are used instead of the rates of these parameters, which preserves the norm without a constraint. Each arm is
attached exactly: the root's frame is the hub's frame times a constant rotation, and each root has its own strain. Choi
uses one strain for the roots of both arms, which is valid only by symmetry.
"""

from ...kernels.kernel import kernel
from ...kernels.vectors import add, put, turned
from .arm_layout import ELEMENTS, FRAME, NODE, OFFSET, STRAIN, TIP_MASS
from .beam_mass import element_mass


@kernel(inline=True)
def axes_of(q, k):
    """Return the columns of R(e), with e = q[k:k + 4] of any norm."""
    a, b, c, d = q[k], q[k + 1], q[k + 2], q[k + 3]
    s = 1.0 / (a * a + b * b + c * c + d * d)
    x = ((a * a + b * b - c * c - d * d) * s, 2.0 * (b * c + a * d) * s, 2.0 * (b * d - a * c) * s)
    y = (2.0 * (b * c - a * d) * s, (a * a - b * b + c * c - d * d) * s, 2.0 * (c * d + a * b) * s)
    z = (2.0 * (b * d + a * c) * s, 2.0 * (c * d - a * b) * s, (a * a - b * b - c * c + d * d) * s)
    return x, y, z


@kernel
def arm_configuration(q, at, origin, x, y, z, p, base, pose, row):
    """Fill an arm's rows of the pose table from q[at:]. Return the root's position relative to `origin`.

    x, y, z: hub axes.
    """
    d = turned(x, y, z, (p[base + OFFSET], p[base + OFFSET + 1], p[base + OFFSET + 2]))
    put(pose, row, 0, add(origin, d))
    for k in range(3):
        f = base + FRAME + 3 * k
        put(pose, row, 3 + 3 * k, turned(x, y, z, (p[f], p[f + 1], p[f + 2])))
    pose[row, STRAIN] = q[at]
    at += 1
    for i in range(1, int(p[base + ELEMENTS]) + 1):
        put(pose, row + i, 0, (q[at], q[at + 1], q[at + 2]))
        lx, mx, nx = axes_of(q, at + NODE.attitude)
        put(pose, row + i, 3, lx)
        put(pose, row + i, 6, mx)
        put(pose, row + i, 9, nx)
        pose[row + i, STRAIN] = q[at + NODE.strain]
        at += NODE.size
    return d


@kernel
def arm_mass(p, base, row, pose, sums, diag, off):
    """Set an arm's blocks of the mass matrix, in inertial components."""
    n = int(p[base + ELEMENTS])
    for i in range(row, row + n + 1):
        for k in range(49):
            diag[i, k] = 0.0
            off[i, k] = 0.0
    for i in range(row, row + n):
        element_mass(p, base, i, pose, sums, diag, off)
    for k in range(3):
        diag[row + n, 8 * k] += p[base + TIP_MASS]


@kernel(inline=True)
def spin_parameters(q, k, w0, w1, w2, dq, out):
    """Write e' = 1/2 (0, omega) o e to dq[out:], with e in q[k:] and omega in inertial components."""
    a, b, c, d = q[k], q[k + 1], q[k + 2], q[k + 3]
    dq[out] = 0.5 * (-w0 * b - w1 * c - w2 * d)
    dq[out + 1] = 0.5 * (w0 * a + w1 * d - w2 * c)
    dq[out + 2] = 0.5 * (w1 * a + w2 * b - w0 * d)
    dq[out + 3] = 0.5 * (w2 * a + w0 * c - w1 * b)
