# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The matrix of the implicit step's iteration, M + h lambda (eta + h lambda) K, factored once for many steps.

Its blocks are held in the frames of the nodes, where a rigid motion of the whole satellite changes nothing: while the
arms' shape stays about the same it need not be built again. Gyroscopic terms are left out; they are of the order of
h omega beside M, and the iteration takes care of them.
"""

from ...plant.flexible.equations import mass_blocks
from ...plant.flexible.layout import ARM_SIZE, ARMS, DAMPING, ELEMENTS, HEADER_SIZE, HUB_INERTIA, HUB_MASS, OFFSET
from ...plant.flexible.tangent import element_tangent
from ...plant.flexible.tree import tree_factor, tree_solve
from ...plant.kernel import kernel

__all__ = ["build_iteration", "solve_iteration"]


@kernel
def _into_frames(table, i, a, ka, b, kb):
    """Replace the 7 x 7 block in row i by A'(block) B; rows of A are three directors in row ka of a, likewise b."""
    for start in range(0, 6, 3):
        for k in range(7):
            x, y, z = table[i, 7 * k + start], table[i, 7 * k + start + 1], table[i, 7 * k + start + 2]
            for m in range(3):
                c = 3 + 3 * m
                table[i, 7 * k + start + m] = b[kb, c] * x + b[kb, c + 1] * y + b[kb, c + 2] * z
    for start in range(0, 6, 3):
        for k in range(7):
            x, y, z = table[i, 7 * start + k], table[i, 7 * start + 7 + k], table[i, 7 * start + 14 + k]
            for m in range(3):
                c = 3 + 3 * m
                table[i, 7 * (start + m) + k] = a[ka, c] * x + a[ka, c + 1] * y + a[ka, c + 2] * z


@kernel
def frames_of(p, pose, axes, frames):
    """The frame of each row: the hub's for roots, their own for other nodes; columns 3 to 11 as in poses."""
    row = 0
    base = HEADER_SIZE
    for _ in range(int(p[ARMS])):
        n = int(p[base + ELEMENTS])
        for i in range(n + 1):
            for k in range(9):
                frames[row + i, 3 + k] = axes[k // 3, k % 3] if i == 0 else pose[row + i, 3 + k]
        row += n + 1
        base += ARM_SIZE


@kernel
def build_iteration(
    h, lam, p, pose, axes, frames, rows, diag, off, hub, k_out, cpose, cvel, cmom, cfrc, crho, cdiag, coff, chub
):
    """Build and factor the matrix at the poses given (`configuration`)."""
    mass_blocks(p, pose, axes, rows, diag, off, hub)
    frames_of(p, pose, axes, frames)
    row = 0
    base = HEADER_SIZE
    for arm in range(int(p[ARMS])):
        n = int(p[base + ELEMENTS])
        share = h * lam * (p[base + DAMPING] + h * lam)
        for i in range(row, row + n + 1):
            for k in range(49):
                cdiag[i, k] = diag[i, k]
                coff[i, k] = off[i, k]
        for i in range(row, row + n):
            element_tangent(p, base, i, pose, cpose, cvel, cmom, cfrc, k_out)
            for k in range(7):
                for j in range(7):
                    cdiag[i, 7 * k + j] += share * 0.5 * (k_out[k, j] + k_out[j, k])
                    coff[i, 7 * k + j] += share * 0.5 * (k_out[k, 7 + j] + k_out[7 + j, k])
                    cdiag[i + 1, 7 * k + j] += share * 0.5 * (k_out[7 + k, 7 + j] + k_out[7 + j, 7 + k])
        for i in range(row, row + n + 1):
            _into_frames(cdiag, i, frames, i, frames, i)
            if i < row + n:
                _into_frames(coff, i, frames, i, frames, i + 1)
        for k in range(3):
            crho[arm, k] = p[base + OFFSET + k]
        row += n + 1
        base += ARM_SIZE
    for k in range(36):
        chub[0, k] = 0.0
    for k in range(3):
        chub[0, 7 * k] = p[HUB_MASS]
        for j in range(3):
            chub[0, 6 * (3 + k) + 3 + j] = p[HUB_INERTIA + 3 * k + j]
    tree_factor(p, crho, cdiag, coff, chub)


@kernel
def _turn_all(p, pose, axes, y, inwards):
    """Turn every vector of y into the frames of the nodes, or back."""
    at = 0
    row = -1
    left = 0
    base = HEADER_SIZE - ARM_SIZE
    while at < y.size:
        for start in range(0, 6, 3):
            a, b, c = y[at + start], y[at + start + 1], y[at + start + 2]
            if at == 0:
                x0, x1, x2 = axes[0, 0], axes[0, 1], axes[0, 2]
                y0, y1, y2 = axes[1, 0], axes[1, 1], axes[1, 2]
                z0, z1, z2 = axes[2, 0], axes[2, 1], axes[2, 2]
            else:
                x0, x1, x2 = pose[row, 3], pose[row, 4], pose[row, 5]
                y0, y1, y2 = pose[row, 6], pose[row, 7], pose[row, 8]
                z0, z1, z2 = pose[row, 9], pose[row, 10], pose[row, 11]
            if inwards:
                y[at + start] = x0 * a + x1 * b + x2 * c
                y[at + start + 1] = y0 * a + y1 * b + y2 * c
                y[at + start + 2] = z0 * a + z1 * b + z2 * c
            else:
                y[at + start] = x0 * a + y0 * b + z0 * c
                y[at + start + 1] = x1 * a + y1 * b + z1 * c
                y[at + start + 2] = x2 * a + y2 * b + z2 * c
        if at == 0:
            at = 6
        else:
            at += 7
            left -= 1
        if left == 0 and at < y.size:  # the next arm: its root has a strain only
            base += ARM_SIZE
            left = int(p[base + ELEMENTS])
            at += 1
            row += 1
        row += 1


@kernel
def solve_iteration(p, pose, axes, crho, cdiag, coff, chub, y):
    """Replace y (complex, inertial components) by the solution."""
    _turn_all(p, pose, axes, y, True)
    tree_solve(p, crho, cdiag, coff, chub, y)
    _turn_all(p, pose, axes, y, False)
