# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Arm in an implicit step: its momentum contributions, and the iteration matrix, factored along the chain.

The iteration uses D + h lambda C + (h lambda)^2 K with the tangent stiffness K of the strain energy and the damping
matrix C = eta K. Its blocks are stored in the frames of the nodes, so a rigid motion of the whole spacecraft does not
change them. The matrix is reused while the shape of the arm changes little. Gyroscopic terms are omitted; they are of
order h omega relative to D, and the iteration corrects for them.
"""

from ...hub.element_calls import BACKWARD, FORWARD, SHARES, SLOPES, TURNING
from ...hub.implicit_places import block_at, count_velocities, plane_of, side_at
from ...hub.parameters import ROOT_P, ROOT_PI, W_HUB, W_IMPLICIT
from ...kernels.kernel import complex_table_in, kernel, table_in
from ...kernels.vectors import add, cross, dot, scale
from .arm_layout import DAMPING, ELEMENTS, HEADER_SIZE, MOTION, NODE, OFFSET, POSE
from .chain_solver import chain_backward, chain_factor, chain_forward
from .node_equations import arm_mass
from .tangent_stiffness import element_slopes

B = HEADER_SIZE
SCRATCH = 2 * (POSE + 3 * 7)  # workspace for two nodes


def implicit_work_size(elements: int) -> int:
    """Return the length of the arm's workspace for implicit steps."""
    n = elements + 1
    return n * (POSE + 4 * 49) + 196 + SCRATCH


@kernel
def add_share(p, w, x, y, z, push, turn):
    """Add a linear and an angular momentum (inertial components) to the hub's sums (body axes)."""
    hub = int(p[W_HUB])
    w[hub + ROOT_P] += dot(x, push)
    w[hub + ROOT_P + 1] += dot(y, push)
    w[hub + ROOT_P + 2] += dot(z, push)
    w[hub + ROOT_PI] += dot(x, turn)
    w[hub + ROOT_PI + 1] += dot(y, turn)
    w[hub + ROOT_PI + 2] += dot(z, turn)


@kernel
def _shares(x, at, n, p, w, rates, changing, lx, ly, lz):
    """Add sum p and sum (rho x p + pi) of the nodes, or their rates of change."""
    push, turn = scale(0.0 * x[at], lx), scale(0.0 * x[at], lx)
    for i in range(n):
        k, m = at + 1 + NODE.size * i, at + 2 + NODE.size * n + MOTION.size * i
        a, b = rates + 1 + NODE.size * i, rates + 2 + NODE.size * n + MOTION.size * i
        rho, momentum = (x[k], x[k + 1], x[k + 2]), (x[m], x[m + 1], x[m + 2])
        if changing:
            force = (w[b], w[b + 1], w[b + 2])
            push = add(push, force)
            turn = add(turn, add(cross((w[a], w[a + 1], w[a + 2]), momentum), cross(rho, force)))
            turn = add(turn, (w[b + 3], w[b + 4], w[b + 5]))
        else:
            push = add(push, momentum)
            turn = add(turn, add(cross(rho, momentum), (x[m + 3], x[m + 4], x[m + 5])))
    add_share(p, w, lx, ly, lz, push, turn)


@kernel
def _into_frames(table, i, a, ka, b, kb):
    """Replace the 7 x 7 block in row i by A'(block) B.

    A holds the three directors in row ka of a, and B those in row kb of b.
    """
    for start in range(0, 6, 3):
        for k in range(MOTION.size):
            x, y, z = table[i, 7 * k + start], table[i, 7 * k + start + 1], table[i, 7 * k + start + 2]
            for m in range(3):
                c = 3 + 3 * m
                table[i, 7 * k + start + m] = b[kb, c] * x + b[kb, c + 1] * y + b[kb, c + 2] * z
    for start in range(0, 6, 3):
        for k in range(MOTION.size):
            x, y, z = table[i, 7 * start + k], table[i, 7 * start + 7 + k], table[i, 7 * start + 14 + k]
            for m in range(3):
                c = 3 + 3 * m
                table[i, 7 * (start + m) + k] = a[ka, c] * x + a[ka, c + 1] * y + a[ka, c + 2] * z


@kernel
def _slopes(hl, own, lx, ly, lz, pose, frames, sums, diag, off, k_out, moved, still, mom, frc, cdiag, coff, block):
    """Build and factor the chain's matrix at the current pose, and add its Schur complement to `block`."""
    n = int(own[B + ELEMENTS])
    arm_mass(own, B, 0, pose, sums, diag, off)
    for i in range(n + 1):
        for k in range(POSE):
            frames[i, k] = pose[i, k]
        for k in range(49):
            cdiag[i, k] = diag[i, k]
            coff[i, k] = off[i, k]
    for k in range(3):  # the root rotates with the hub
        frames[0, 3 + k], frames[0, 6 + k], frames[0, 9 + k] = lx[k], ly[k], lz[k]
    share = hl * (own[B + DAMPING] + hl)
    for i in range(n):
        element_slopes(own, B, i, pose, moved, still, mom, frc, k_out)
        for k in range(MOTION.size):
            for j in range(MOTION.size):
                cdiag[i, 7 * k + j] += share * 0.5 * (k_out[k, j] + k_out[j, k])
                coff[i, 7 * k + j] += share * 0.5 * (k_out[k, 7 + j] + k_out[7 + j, k])
                cdiag[i + 1, 7 * k + j] += share * 0.5 * (k_out[7 + k, 7 + j] + k_out[7 + j, 7 + k])
    for i in range(n + 1):
        _into_frames(cdiag, i, frames, i, frames, i)
        if i < n:
            _into_frames(coff, i, frames, i, frames, i + 1)
    chain_factor(n, 0, (own[B + OFFSET], own[B + OFFSET + 1], own[B + OFFSET + 2]), cdiag, coff, block)


@kernel
def implicit_phase(phase, x, at, own, p, w, lx, ly, lz, rates, nu, pose, sums, diag, off, spare):
    """Evaluate phase SHARES and all later phases; see `polhode.plant.elements.branch`."""
    n = int(own[B + ELEMENTS])
    if phase in (SHARES, TURNING):
        _shares(x, at, n, p, w, rates, phase == TURNING, lx, ly, lz)
        return
    area = int(p[W_IMPLICIT])
    sides = complex_table_in(w, side_at(p), 1, count_velocities(p))
    side = sides[0, nu - area : nu - area + 1 + MOTION.size * n]
    factors = spare + plane_of(p, w)
    cdiag = complex_table_in(w, factors, n + 1, 49)
    coff = complex_table_in(w, factors + 98 * (n + 1), n + 1, 49)
    spare += 196 * (n + 1)
    d = (own[B + OFFSET], own[B + OFFSET + 1], own[B + OFFSET + 2])
    if phase == SLOPES:
        frames = table_in(w, spare, n + 1, POSE)
        spare += POSE * (n + 1)
        k_out = table_in(w, spare, 14, 14)
        moved = table_in(w, spare + 196, 2, POSE)
        spare += 196 + 2 * POSE
        still = table_in(w, spare, 2, 7)
        mom = table_in(w, spare + 14, 2, 7)
        frc = table_in(w, spare + 28, 2, 7)
        block = complex_table_in(w, block_at(p), 1, 36)
        hl = sides[0, 0]
        _slopes(hl, own, lx, ly, lz, pose, frames, sums, diag, off, k_out, moved, still, mom, frc, cdiag, coff, block)
    elif phase == FORWARD:
        f0, f1, f2, m0, m1, m2 = chain_forward(n, 0, d, cdiag, coff, side, 0)
        sides[0, 0] += f0
        sides[0, 1] += f1
        sides[0, 2] += f2
        sides[0, 3] += m0
        sides[0, 4] += m1
        sides[0, 5] += m2
    elif phase == BACKWARD:
        v, omega = (sides[0, 0], sides[0, 1], sides[0, 2]), (sides[0, 3], sides[0, 4], sides[0, 5])
        chain_backward(n, 0, d, cdiag, coff, v, omega, side, 0)
