# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The loop over the steps of a flexible satellite: one stretch between two breakpoints."""

import math

from ...plant.flexible.equations import configuration, kinematics, momenta_and_forces, velocities
from ...plant.kernel import kernel
from ..steppers.stage_times import stage_times
from .explicit import rk4_step, rk8_step
from .gauss import CONVERGED, gauss_step
from .iteration import build_iteration
from .spread import next_cell, note_spread, take_spread

__all__ = [
    "BUILDS",
    "CELL",
    "CELL_LENGTH",
    "CLOCK_SIZE",
    "DONE",
    "EVERY",
    "GAUSS",
    "GUESS",
    "ITERATIONS",
    "MATRIX",
    "METHOD",
    "NOT_CONVERGED",
    "NOT_FINITE",
    "NOW",
    "PLAN_SIZE",
    "RK4",
    "RK8",
    "ROW",
    "START",
    "STEP",
    "STEPS",
    "STOP",
    "TOLERANCE",
    "advance",
]

RK4, RK8, GAUSS = 0, 1, 2
METHOD, STEPS, EVERY, ROW, MATRIX, GUESS, ITERATIONS, BUILDS, CELL = range(9)  # in `plan`
PLAN_SIZE = 9
START, STOP, STEP, TOLERANCE, NOW, CELL_LENGTH = range(6)  # in `clock`
CLOCK_SIZE = 6
DONE, NOT_FINITE, NOT_CONVERGED = 0, 1, 2
SLOW = 8  # iterations after which the matrix is built anew


@kernel
def advance(
    plan,
    torque,
    clock,
    x,
    p,
    tq,
    hold,
    scheme,
    weights,
    report,
    pose,
    vel,
    mom,
    frc,
    rho,
    axes,
    rows,
    diag,
    off,
    hub,
    nu,
    spare,
    u,
    stages,
    y,
    q_stage,
    dq,
    nu_stage,
    p_stage,
    f_stage,
    k_out,
    frames,
    crho,
    cpose,
    cvel,
    cmom,
    cfrc,
    cdiag,
    coff,
    chub,
    cy,
    out_t,
    out_x,
    out_nu,
    out_e,
    out_u,
    low,
    high,
    cells,
    swing,
    out_low,
    out_high,
    out_swing,
):
    """Take plan[STEPS] steps; rows at every plan[EVERY]-th and the last; says how it ended."""
    h = clock[STEP]
    nv = nu.size
    nq = x.size - nv
    s = int(scheme[0])
    lam = scheme[1 + s * s + 5 * s] + 1j * scheme[2 + s * s + 5 * s]
    for step in range(plan[STEPS]):
        t = clock[START] + step * h
        if plan[METHOD] == RK4:
            rk4_step(
                t,
                h,
                torque,
                tq,
                hold,
                x,
                p,
                pose,
                vel,
                mom,
                frc,
                rho,
                axes,
                rows,
                diag,
                off,
                hub,
                nu,
                spare,
                u[0],
                stages,
                y,
            )
        elif plan[METHOD] == RK8:
            rk8_step(
                t,
                h,
                torque,
                tq,
                hold,
                x,
                p,
                pose,
                vel,
                mom,
                frc,
                rho,
                axes,
                rows,
                diag,
                off,
                hub,
                nu,
                spare,
                u[0],
                stages,
                y,
            )
        else:
            first, last = stage_times(t, h)
            for i in range(s):
                place = scheme[3 + s * s + 5 * s + i]
                torque(min(max(t + place * h, first), last), tq, u[i])
                for k in range(3):
                    u[i, k] += hold[k]
            for attempt in range(2):
                if plan[GUESS] == 0 or attempt > 0:
                    velocities(x, p, pose, rho, axes, rows, diag, off, hub, nu)
                    for i in range(s):
                        for k in range(nv):
                            nu_stage[i, k] = nu[k]
                elif s == 2:
                    c = 1.0 / (scheme[4 + s * s + 5 * s] - scheme[3 + s * s + 5 * s])
                    for k in range(nv):
                        d = (nu_stage[1, k] - nu_stage[0, k]) * c
                        nu_stage[0, k] += d
                        nu_stage[1, k] += d
                if plan[MATRIX] == 0 or attempt > 0:
                    configuration(x[:nq], p, pose, rho, axes)
                    build_iteration(
                        h,
                        lam,
                        p,
                        pose,
                        axes,
                        frames,
                        rows,
                        diag,
                        off,
                        hub,
                        k_out,
                        cpose,
                        cvel,
                        cmom,
                        cfrc,
                        crho,
                        cdiag,
                        coff,
                        chub,
                    )
                    plan[MATRIX] = 1
                    plan[BUILDS] += 1
                ended = gauss_step(
                    h,
                    x,
                    p,
                    u,
                    scheme,
                    clock[TOLERANCE],
                    weights,
                    pose,
                    vel,
                    mom,
                    frc,
                    rho,
                    axes,
                    crho,
                    cdiag,
                    coff,
                    chub,
                    cy,
                    q_stage,
                    dq,
                    nu_stage,
                    p_stage,
                    f_stage,
                    report,
                )
                plan[ITERATIONS] += int(report[0])
                if ended == CONVERGED:
                    break
            if ended != CONVERGED:
                return NOT_CONVERGED
            plan[GUESS] = 1
            if report[0] > SLOW:
                plan[MATRIX] = 0
        total = 0.0
        for k in range(x.size):
            total += x[k]
        if not math.isfinite(total):
            return NOT_FINITE
        clock[NOW] = clock[STOP] if step + 1 == plan[STEPS] else clock[START] + (step + 1) * h
        cell = int(clock[NOW] / clock[CELL_LENGTH])
        if cell > plan[CELL]:
            next_cell(cells, swing, plan[CELL], cell)
            plan[CELL] = cell
        note_spread(x, p, nu, u[0], pose, vel, rho, axes, mom, frc, spare, y, low, high, cells, cell)
        if (step + 1) % plan[EVERY] == 0 or step + 1 == plan[STEPS]:
            row = plan[ROW]
            out_t[row] = clock[NOW]
            _, last = stage_times(clock[NOW] - h, h)
            torque(last, tq, out_u[row])
            for k in range(3):
                out_u[row, k] += hold[k]
            for k in range(x.size):
                out_x[row, k] = x[k]
            velocities(x, p, pose, rho, axes, rows, diag, off, hub, nu)
            kinematics(nu, p, rho, vel)
            kinetic, potential = momenta_and_forces(nu, p, out_u[row], pose, vel, rho, axes, mom, frc, spare, y[:nv])
            for k in range(nv):
                out_nu[row, k] = nu[k]
            out_e[row, 0] = kinetic
            out_e[row, 1] = potential
            take_spread(low, high, cells, swing, out_low, out_high, out_swing, row)
            note_spread(x, p, nu, u[0], pose, vel, rho, axes, mom, frc, spare, y, low, high, cells, cell)
            plan[ROW] = row + 1
    return DONE
