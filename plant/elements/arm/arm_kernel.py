# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of a flexible arm: a chain of beam elements that condenses its equations onto the hub.

The states are the positions rho of the nodes relative to the reference point of the hub, their Euler parameters, the
strains, and the momenta of the node velocities. Positions and Euler parameters have inertial components. In the mass
matrix the chain couples to the hub only. With (V, Omega) the velocity of the reference point and the rate of the hub,
inertial components,

    (p_root, p_a) = [[R, C], [C', D]] (V, Omega, nu_a):   K = R - C D^-1 C',   nu_a = D^-1 (p_a - C' (V, Omega))

The hub's equation gains the inertia K, and -C D^-1 p_a - sum (p, rho x p + pi) on its right-hand side, with the linear
and angular momenta p and pi of the nodes. The chain is eliminated from the tip to the root, so the cost is linear in
its length.

    rho' = v - V      e' = 1/2 (0, omega) o e      p' = dL/drho + Q      pi' = omega x pi + dL/dphi + Q

An acceleration field a0 + G r acts on the axis and the sections; its virtual work gives further forces on the nodes;
see `arm_field`.
"""

import numpy as np

from ...hub.element_calls import ENERGY, FIELDS, FORCES, MOMENTA, MOVE, RECOVER, RIGID, SIGNALS
from ...hub.element_calls import MASS as MASS_PHASE
from ...hub.implicit_places import count_velocities
from ...hub.parameters import (
    ELEMENT,
    FIELD,
    HUB_V,
    LOCKED_NOW,
    ROOT_P,
    ROOT_PI,
    ROOT_VV,
    ROOT_VW,
    VARIES,
    W_HUB,
    W_IMPLICIT,
    W_MOMENT,
    W_V,
)
from ...kernels.fields import three
from ...kernels.kernel import kernel, table_in
from ...kernels.vectors import add, axpy, cross, dot, put, row3, scale, sub, turned
from ..assembly import add_energy, add_mass, add_power, add_signal
from .arm_field import add_field, add_second_moment
from .arm_implicit import add_share, implicit_phase, implicit_work_size
from .arm_layout import ELEMENTS, HEADER_SIZE, LENGTH, MASS, MOTION, NODE, POSE, ROW, STRAIN, TIP_MASS
from .beam_element import element_strain, element_sweep
from .chain_solver import chain_backward, chain_factor, chain_forward
from .node_equations import arm_configuration, arm_mass, axes_of, spin_parameters

B = HEADER_SIZE  # start of the arm's parameters after the header
SUMS = 12 * 11  # length of the workspace for the mass matrix of an element


def arm_work_size(elements: int) -> int:
    """Return the length of the workspace of an arm."""
    n = elements + 1
    return (
        n * (POSE + 3 * MOTION.size + 2 * MOTION.size**2)
        + SUMS
        + 36
        + 3
        + MOTION.size * n
        + 2
        + implicit_work_size(elements)
    )


@kernel(inline=True)
def _resolved(x, y, z, a):
    """Return the components of a along three axes."""
    return dot(x, a), dot(y, a), dot(z, a)


@kernel
def _condense(q, at, own, p, w, x, y, z, pose, sums, diag, off, block, rho, load):
    """Place the nodes, factor the chain, and add its Schur complement to the hub's equation."""
    n = int(own[B + ELEMENTS])
    d = arm_configuration(q, at, (0.0 * x[0], 0.0 * x[0], 0.0 * x[0]), x, y, z, own, B, pose, 0)
    put(rho, 0, 0, d)
    arm_mass(own, B, 0, pose, sums, diag, off)
    for k in range(36):
        block[0, k] = 0.0
    chain_factor(n, 0, d, diag, off, block)
    first = at + 1 + NODE.size * n
    load[0] = q[first]
    force = scale(0.0, d)
    turn = force
    for i in range(1, n + 1):
        k = first + 1 + MOTION.size * (i - 1)
        for j in range(MOTION.size):
            load[1 + MOTION.size * (i - 1) + j] = q[k + j]
        push = three(q, k)
        force = sub(force, push)
        turn = sub(turn, add(cross(row3(pose, i, 0), push), three(q, k + MOTION.rate)))
    f0, f1, f2, m0, m1, m2 = chain_forward(n, 0, d, diag, off, load, 0)
    force = _resolved(x, y, z, add(force, (f0, f1, f2)))
    turn = _resolved(x, y, z, add(turn, (m0, m1, m2)))
    hub = int(p[W_HUB])
    for k in range(3):
        w[hub + ROOT_P + k] += force[k]
        w[hub + ROOT_PI + k] += turn[k]
    for k in range(3):  # transform columns of K to body axes
        a = x if k == 0 else (y if k == 1 else z)
        vv, vw, ww = scale(0.0, d), scale(0.0, d), scale(0.0, d)
        for j in range(3):
            vv = axpy(a[j], (block[0, j], block[0, 6 + j], block[0, 12 + j]), vv)
            vw = axpy(a[j], (block[0, 3 + j], block[0, 9 + j], block[0, 15 + j]), vw)
            ww = axpy(a[j], (block[0, 21 + j], block[0, 27 + j], block[0, 33 + j]), ww)
        vv, vw, ww = _resolved(x, y, z, vv), _resolved(x, y, z, vw), _resolved(x, y, z, ww)
        for j in range(3):
            w[hub + ROOT_VV + 3 * j + k] += vv[j]
            w[hub + ROOT_VW + 3 * j + k] += vw[j]
            if j >= k:
                add_mass(p, w, j, k, ww[j])


@kernel
def _spread(n, v, omega, rho, nu, at, vel):
    """Set the velocities of all nodes from the arm's velocities."""
    put(vel, 0, 0, add(v, cross(omega, row3(rho, 0, 0))))
    put(vel, 0, 3, omega)
    vel[0, 6] = nu[at]
    for i in range(1, n + 1):
        for k in range(MOTION.size):
            vel[i, k] = nu[at + 1 + MOTION.size * (i - 1) + k]


@kernel
def _first_moment(own, pose):
    """Return int r dm from the reference point, inertial components, kg m."""
    n = int(own[B + ELEMENTS])
    length = own[B + LENGTH]
    mu = own[B + MASS] * length
    total = scale(own[B + TIP_MASS], row3(pose, n, 0))
    for i in range(n):
        ends = add(row3(pose, i, 0), row3(pose, i + 1, 0))
        bulge = scale(length * (1.0 + pose[i, STRAIN]), row3(pose, i, 3))
        bulge = axpy(-length * (1.0 + pose[i + 1, STRAIN]), row3(pose, i + 1, 3), bulge)
        total = axpy(0.5 * mu, ends, axpy(mu / 12.0, bulge, total))
    return total


@kernel
def _sweep(own, pose, vel, mom, frc):
    """Set momenta and forces of all nodes. Return kinetic energy, strain energy and damping power."""
    n = int(own[B + ELEMENTS])
    for i in range(n + 1):
        for k in range(MOTION.size):
            mom[i, k] = 0.0 * vel[0, 6]
            frc[i, k] = 0.0 * vel[0, 6]
    kinetic, strain, lost = 0.0 * vel[0, 6], 0.0 * vel[0, 6], 0.0 * vel[0, 6]
    for i in range(n):
        t, v, d = element_sweep(own, B, i, pose, vel, mom, frc)
        kinetic += t
        strain += v
        lost += d
    for k in range(3):
        mom[n, k] += own[B + TIP_MASS] * vel[n, k]
        kinetic += 0.5 * own[B + TIP_MASS] * vel[n, k] * vel[n, k]
    return kinetic, strain, lost


@kernel
def _derived(n, own, p, w, x, y, z, v, omega, rho, at, pose, vel, mom, frc, notes):
    """Compute node velocities, momenta, forces and the moments of mass from the arm's velocities."""
    _spread(n, v, omega, rho, w, at, vel)
    _, strain, lost = _sweep(own, pose, vel, mom, frc)
    w[notes], w[notes + 1] = strain, lost
    moment = _resolved(x, y, z, _first_moment(own, pose))
    for k in range(3):
        w[int(p[W_MOMENT]) + k] += moment[k]
    if p[VARIES] != 0.0:
        add_second_moment(own, pose, x, y, z, w, int(p[W_HUB]) + LOCKED_NOW)


@kernel
def _positions(x, at, n, v, vel, w, rates):
    """Write the rates of the positions: rho' = v - V, e' = 1/2 (0, omega) o e, strain'."""
    w[rates] = vel[0, 6]
    q = rates
    for i in range(1, n + 1):
        k = at + 1 + NODE.size * (i - 1)
        for j in range(3):
            w[q + 1 + j] = vel[i, j] - v[j]
        spin_parameters(x, k + NODE.attitude, vel[i, 3], vel[i, 4], vel[i, 5], w, q + 1 + NODE.attitude)
        w[q + 1 + NODE.strain] = vel[i, 6]
        q += NODE.size


@kernel
def _write_signals(own, pose, p, w):
    """Write the tip deflection along l, m, n of the root and across the arm, and the strain energy."""
    n = int(own[B + ELEMENTS])
    strain = 0.0 * pose[0, STRAIN]
    for i in range(n):
        strain += element_strain(own, B, i, pose)
    reach = sub(row3(pose, n, 0), row3(pose, 0, 0))
    along, m, k = dot(reach, row3(pose, 0, 3)), dot(reach, row3(pose, 0, 6)), dot(reach, row3(pose, 0, 9))
    add_signal(p, w, along - n * own[B + LENGTH])
    add_signal(p, w, m)
    add_signal(p, w, k)
    add_signal(p, w, np.sqrt(m * m + k * k))
    add_signal(p, w, strain)


@kernel
def flexible_arm(phase, t, x, u, p, row, w):
    """Kernel of a flexible arm; see `polhode.plant.elements.element` for the phases."""
    own = p[row + ROW.size : row + int(p[row + ELEMENT.length])]
    n = int(own[B + ELEMENTS])
    rows = n + 1
    at, rates, a = int(p[row + ROW.states]), int(p[row + ROW.rates]), int(p[row + ROW.work])
    nu = int(p[W_IMPLICIT]) + int(p[row + ROW.velocity])
    pose = table_in(w, a, rows, POSE)
    a += POSE * rows
    vel = table_in(w, a, rows, MOTION.size)
    a += MOTION.size * rows
    mom = table_in(w, a, rows, MOTION.size)
    a += MOTION.size * rows
    frc = table_in(w, a, rows, MOTION.size)
    a += MOTION.size * rows
    diag = table_in(w, a, rows, 49)
    a += 49 * rows
    off = table_in(w, a, rows, 49)
    a += 49 * rows
    sums = table_in(w, a, 12, 11)
    a += SUMS
    block = table_in(w, a, 1, 36)
    rho = table_in(w, a + 36, 1, 3)
    a += 39
    load = w[a : a + MOTION.size * rows]
    notes = a + MOTION.size * rows
    lx, ly, lz = axes_of(x, 3)
    if phase == MASS_PHASE:
        _condense(x, at, own, p, w, lx, ly, lz, pose, sums, diag, off, block, rho, load)
        return
    if phase == SIGNALS:
        arm_configuration(x, at, scale(0.0, lx), lx, ly, lz, own, B, pose, 0)
        _write_signals(own, pose, p, w)
        return
    hub, here = int(p[W_HUB]), int(p[W_V])
    omega = turned(lx, ly, lz, (w[here], w[here + 1], w[here + 2]))
    v = turned(lx, ly, lz, (w[hub + HUB_V], w[hub + HUB_V + 1], w[hub + HUB_V + 2]))
    momenta = at + 1 + NODE.size * n
    if phase == RECOVER:
        chain_backward(n, 0, row3(rho, 0, 0), diag, off, v, omega, load, 0)
        for k in range(1 + MOTION.size * n):
            w[nu + k] = load[k]
        _derived(n, own, p, w, lx, ly, lz, v, omega, rho, nu, pose, vel, mom, frc, notes)
    elif phase == FORCES:
        add_power(p, w, -w[notes + 1])
        _positions(x, at, n, v, vel, w, rates)
        q = rates + 1 + NODE.size * n
        w[q] += frc[0, 6]
        for i in range(1, n + 1):
            k = momenta + 1 + MOTION.size * (i - 1)
            gyro = cross(row3(vel, i, 3), (x[k + 3], x[k + 4], x[k + 5]))
            for j in range(MOTION.size):
                w[q + 1 + MOTION.size * (i - 1) + j] += frc[i, j]
            for j in range(3):
                w[q + 1 + MOTION.size * (i - 1) + MOTION.rate + j] += gyro[j]
    elif phase == FIELDS:
        add_field(own, pose, lx, ly, lz, w, hub + FIELD, rates + 1 + NODE.size * n)
    elif phase == ENERGY:
        value = x[momenta] * vel[0, 6]
        for i in range(1, n + 1):
            k = momenta + 1 + MOTION.size * (i - 1)
            push, spin = (x[k], x[k + 1], x[k + 2]), (x[k + 3], x[k + 4], x[k + 5])
            value += dot(push, sub(row3(vel, i, 0), v)) + dot(spin, sub(row3(vel, i, 3), omega)) + x[k + 6] * vel[i, 6]
            value -= dot(omega, cross(row3(pose, i, 0), push))
        add_energy(p, w, w[notes] + 0.5 * value)
    elif phase == RIGID:
        w[nu] = 0.0 * v[0]
        for i in range(1, n + 1):
            k, m = at + 1 + NODE.size * (i - 1), nu + 1 + MOTION.size * (i - 1)
            around = add(v, cross(omega, (x[k], x[k + 1], x[k + 2])))
            w[m], w[m + 1], w[m + 2] = around
            w[m + 3], w[m + 4], w[m + 5] = omega
            w[m + 6] = 0.0 * v[0]
    elif phase == MOMENTA:
        put(rho, 0, 0, arm_configuration(x, at, scale(0.0, v), lx, ly, lz, own, B, pose, 0))
        _derived(n, own, p, w, lx, ly, lz, v, omega, rho, nu, pose, vel, mom, frc, notes)
        out = nu + count_velocities(p)
        w[out] = mom[0, 6]
        for i in range(1, n + 1):
            for k in range(MOTION.size):
                w[out + 1 + MOTION.size * (i - 1) + k] = mom[i, k]
        push = row3(mom, 0, 0)
        add_share(p, w, lx, ly, lz, push, add(cross(row3(rho, 0, 0), push), row3(mom, 0, 3)))
    elif phase == MOVE:
        _spread(n, v, omega, rho, w, nu, vel)
        _positions(x, at, n, v, vel, w, rates)
    else:
        implicit_phase(phase, x, at, own, p, w, lx, ly, lz, rates, nu, pose, sums, diag, off, notes + 2)
