# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""One implicit step by Gauss collocation: one stage (the midpoint rule, order 2) or two (order 4).

    Q_i = q + h sum a_ij q'(Q_j, N_j),   M(Q_i) N_i = p + h sum a_ij p'(Q_j, N_j)

Gauss methods keep every quadratic invariant: linear momentum, angular momentum sum r x p + pi and all |e| are kept to
the tolerance of the iteration, whatever the step. They are symmetric and A-stable: frequencies far above 1/h neither
grow nor limit the step, and energy does not drift. Unknown are the stage velocities N; the simplified Newton iteration
takes (I + h^2 A^2 K / M) apart along the eigenvectors of A, so one complex chain of one satellite's size is solved.
"""

from ...plant.flexible.equations import configuration, kinematics, momenta_and_forces, parameter_derivative
from ...plant.kernel import kernel
from .iteration import solve_iteration

__all__ = ["CONVERGED", "DIVERGED", "gauss_step"]

CONVERGED, DIVERGED = 0, 1
MAX_ITERATIONS = 30


@kernel
def _stages(q, nu_stage, p, h, scheme, q_stage, dq):
    """Stage positions from stage velocities, by sweeps: exact for places; each gains h omega / 4 for attitudes."""
    s = int(scheme[0])
    for _ in range(2):
        for i in range(s):
            parameter_derivative(q_stage[i], nu_stage[i], p, dq[i])
        for i in range(s):
            for k in range(q.size):
                total = 0.0
                for j in range(s):
                    total += scheme[1 + s * i + j] * dq[j, k]
                q_stage[i, k] = q[k] + h * total


@kernel
def gauss_step(
    h,
    x,
    p,
    torques,
    scheme,
    tolerance,
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
):
    """Step x by h in place; torques[i] act on the hub at the stages. nu_stage holds the guess and the result.

    scheme: stages s, A (s x s), b (s), then the left and right eigenvector, each s complex numbers.
    weights turn a velocity into a speed. report[0] becomes the number of iterations, report[1] the last contraction.
    """
    s = int(scheme[0])
    nq = q_stage.shape[1]
    nv = nu_stage.shape[1]
    b = 1 + s * s
    left = b + s
    right = left + 2 * s
    for i in range(s):
        for k in range(nq):
            q_stage[i, k] = x[k]
    before = -1.0
    for count in range(MAX_ITERATIONS):
        _stages(x[:nq], nu_stage, p, h, scheme, q_stage, dq)
        speed = 0.0
        far = 0.0
        for i in range(s):
            configuration(q_stage[i], p, pose, rho, axes)
            kinematics(nu_stage[i], p, rho, vel)
            momenta_and_forces(nu_stage[i], p, torques[i], pose, vel, rho, axes, mom, frc, p_stage[i], f_stage[i])
            for k in range(nv):
                speed = max(speed, abs(nu_stage[i, k]) * weights[k])
        for i in range(pose.shape[0]):
            far = max(far, abs(pose[i, 0]), abs(pose[i, 1]), abs(pose[i, 2]))
        for k in range(nv):
            cy[k] = 0.0
        for i in range(s):
            c = scheme[left + 2 * i] + 1j * scheme[left + 2 * i + 1]
            for k in range(nv):
                total = p_stage[i, k] - x[nq + k]
                for j in range(s):
                    total -= h * scheme[1 + s * i + j] * f_stage[j, k]
                cy[k] -= c * total
        solve_iteration(p, pose, axes, crho, cdiag, coff, chub, cy)
        change = 0.0
        for i in range(s):
            cr = scheme[right + 2 * i]
            ci = scheme[right + 2 * i + 1]
            for k in range(nv):
                d = cr * cy[k].real - ci * cy[k].imag
                nu_stage[i, k] += d
                change = max(change, abs(d) * weights[k])
        report[0] = count + 1.0
        if not change < 1e300:
            return DIVERGED
        if before > 0.0:
            report[1] = change / before
        floor = 4e-15 * far / abs(h)  # round-off of a place, seen as a speed
        settled = before > 0.0 and change > 0.3 * before and change < 30.0 * floor
        if settled or change <= tolerance * speed + floor:
            for k in range(nq):
                for j in range(s):
                    x[k] += h * scheme[b + j] * dq[j, k]
            for k in range(nv):
                for j in range(s):
                    x[nq + k] += h * scheme[b + j] * f_stage[j, k]
            return CONVERGED
        if count > 2 and change > 2.0 * before:
            return DIVERGED
        before = change
    return DIVERGED
