"""Shivarama & Fahrenthold (2004): the Hamiltonian model and its four examples."""

import numpy as np
from scipy.special import ellipj, ellipk

from ....plant.attitude import matrix_E, matrix_G, rotation_matrix, to_euler_angles
from ..tables import extremes, mean_period
from . import outside
from .fly import fly
from .row import Row

TITLE = "Shivarama & Fahrenthold, Hamilton's equations with Euler parameters"
E0 = np.array((0.5, -0.1, 0.7, 0.5))  # has unit norm
FREE_INERTIA = (400.0, 307.808385, 200.0)  # Table 2, kg m^2
FREE_AMPLITUDES = (346.4101616, 200.0)  # initial momentum in Table 2, N m s


def kinematics() -> Row:
    """Compare E, G and R = E G', (5)-(8), with quaternions multiplied as SU(2) matrices."""
    E, G = matrix_E(E0), matrix_G(E0)
    reached = (E, G, E @ G.T, rotation_matrix(E0))
    expected = (*outside.velocity_matrices(E0), outside.rotation(E0), outside.rotation(E0))
    return Row(
        equations="(5)-(8)",
        system="matrices E and G of the Euler parameters, R = E G'",
        where="plant.attitude.matrix_E, matrix_G, rotation_matrix",
        reached=np.concatenate([part.ravel() for part in reached]),
        expected=np.concatenate([part.ravel() for part in expected]),
        kind="independent",
        tolerance=1e-15,
        note="row 3 of (7) is [-e3, -e2, e1, e0] and of (8) [-e3, e2, -e1, e0]; as printed R = E G' fails",
    )


def disk() -> Row:
    """Compare the disk on a spring (Example 1, (45)-(46), Table 1) with elliptic functions."""
    times = (1.0, 5.0, 9.7)
    run = fly("disk-on-spring", times)
    phi = 2.0 * np.arctan2(run.x[:, 6], run.x[:, 3])
    _, cn, dn, _ = ellipj(np.sqrt(5.0) * run.t, 0.25)
    return Row(
        equations="(45)-(46), Table 1",
        system="disk on a spring: sin phi at 1, 5, 9.7 s",
        where="case disk-on-spring",
        reached=np.sin(phi),
        expected=0.5 * cn / dn,
        kind="closed form",
        tolerance=1e-11,
        note="(46) has k r instead of k r^2: a force k y acts at the arm r cos phi; r = 1 hides the error",
    )


def disk_period() -> Row:
    """Check the period of the disk on a spring (Example 1): the momentum is zero after one period."""
    period = float(4.0 * ellipk(0.25) / np.sqrt(5.0))
    run = fly("disk-on-spring", (period,))
    return Row(
        equations="Figure 2",
        system="disk on a spring: momentum after one period, 3.01556190916 s",
        where="case disk-on-spring",
        reached=run.x[-1, 2],
        expected=0.0,
        kind="closed form",
        tolerance=1e-10,
        unit="N m s",
    )


def free_body() -> Row:
    """Compare the momentum of the torque-free body (Example 2, Table 2) with elliptic functions."""
    times = (1.0, 5.0)
    run = fly("torque-free", times)
    return Row(
        equations="(41)-(44), Table 2",
        system="torque-free body: momentum at 1 and 5 s",
        where="case torque-free",
        reached=run.x[:, :3],
        expected=outside.free_body(times, FREE_INERTIA, amplitudes=FREE_AMPLITUDES)[0].T,
        kind="closed form",
        tolerance=1e-9,
        unit="N m s",
    )


def free_body_table() -> Row:
    """Compare amplitudes, periods and minimum of the torque-free run (Example 2, Table 3)."""
    middle, least, period = outside.free_body_figures(FREE_INERTIA, amplitudes=FREE_AMPLITUDES)
    run = fly("torque-free", tuple(np.linspace(0.0, 6.0 * period, 4001)))
    ends = [extremes(run.t, h) for h in run.x[:, :3].T]
    measured = [max(-low, high) for low, high in ends] + [ends[0][0]]
    return Row(
        equations="Table 3",
        system="torque-free body: amplitudes, minimum of h1, periods of h1, h2 and h3",
        where="case torque-free",
        reached=measured + [mean_period(run.t, h) for h in run.x[:, :3].T],
        expected=(FREE_AMPLITUDES[0], middle, FREE_AMPLITUDES[1], least, period, 2.0 * period, 2.0 * period),
        kind="closed form",
        tolerance=1e-7,
        unit="N m s, s",
        note="the minimum of h1 is 162.6297 (printed ...96), and the second 'period of h2' is that of h3",
    )


def top() -> Row:
    """Compare the attitude of the spinning top (Example 3, (47), Table 4) with an independent code."""
    run = fly("spinning-top", (0.1, 1.0))
    e = np.array(
        (
            (-0.791902492159700, -0.121323377514481, -0.0917920046608163, 0.591392685835803),
            (0.979325100768092, 0.140206927390516, 0.0821374128216831, -0.120489874812107),
        )
    )
    sign = np.sign((run.x[:, 3:7] * e).sum(axis=1))[:, None]
    return Row(
        equations="(47), Table 4",
        system="spinning top: Euler parameters at 0.1 and 1 s",
        where="case spinning-top",
        reached=sign * run.x[:, 3:7],
        expected=e,
        kind="independent",
        tolerance=1e-11,
        note="(41)-(44) read literally, gravity at a free mass centre, is free fall; the figures show a pivoted top",
    )


def top_table() -> Row:
    """Compare nutation and precession of the spinning top, measured from the run (Example 3, Table 5)."""
    exact = outside.top_frequencies(5.0, weight_moment=20.0, axial_momentum=50.0, tilt=0.3)
    turns = 20
    last = turns * 2.0 * np.pi / float(exact[0])
    run = fly("spinning-top", tuple(np.linspace(0.0, last, 40 * turns + 1).tolist()))
    angles = to_euler_angles(run.x[:, 3:7], "3-1-3")
    nutation = 2.0 * np.pi / mean_period(run.t, angles[:, 1])
    turned = np.unwrap(angles[:, 0])
    precession = float(turned[-1] - turned[0]) / float(run.t[-1])
    return Row(
        equations="Table 5",
        system="spinning top: nutation and mean precession from the run",
        where="case spinning-top",
        reached=(nutation, precession),
        expected=exact,
        kind="closed form",
        tolerance=1e-9,
        unit="rad/s",
        note="9.24 and 0.4136 rad/s in Table 5 are read from a plot; exact: 9.209424558 and 0.416425036",
    )


def ring() -> Row:
    """Compare the ring damper (Example 4) with consistent mechanics."""
    times = (1.0, 5.0, 60.0)
    run = fly("nutation-damping", times)
    h = (
        (1.75939365604163, -0.464972295424222, 15.9912364465647),
        (0.727238955757275, -1.24784783983578, 16.0351584967962),
        (0.0796175005452824, -0.0373359108362617, 16.1061172219474),
    )
    return Row(
        equations="(48)-(62)",
        system="ring damper, consistent: J omega at 1, 5, 60 s",
        where="case nutation-damping",
        reached=run.rate * np.array((1.0, 1.0, 1.6)),
        expected=h,
        kind="independent",
        tolerance=1e-9,
        unit="N m s",
        note="(60) omits the torques that keep the ring on its axis; a symbolic Lagrangian has them",
    )


def published_ring() -> Row:
    """Compare the ring damper (Example 4) with the equations as printed."""
    run = fly("published-ring-damper", (1.0,))
    return Row(
        equations="(63)-(68)",
        system="ring damper as printed: J omega at 1 s",
        where="case published-ring-damper",
        reached=run.rate[-1] * np.array((1.0, 1.0, 1.6)),
        expected=(1.91834400349152, -0.565646784016438, 16.0006960146355),
        kind="independent",
        tolerance=1e-9,
        unit="N m s",
        note="kept for comparison only: momentum drifts 7 % in 60 s, energy grows and nutation is not damped",
    )


def seeker() -> Row:
    """Compare the ring damper under gravity (Example 4 with (50))."""
    run = fly("seeker-under-gravity", (1.0,))
    return Row(
        equations="(50)",
        system="ring damper under gravity: J omega at 1 s",
        where="case seeker-under-gravity",
        reached=run.rate[-1] * np.array((1.0, 1.0, 1.6)),
        expected=(1.71183498855696, -0.462043757609153, 15.9919922632493),
        kind="independent",
        tolerance=1e-9,
        unit="N m s",
        note="(50) has R' instead of R: V = -m g'R B'r_c is the weight times the height of the fluid",
    )


ROWS = (
    kinematics, disk, disk_period, free_body, free_body_table, top, top_table, ring, published_ring, seeker,
)  # fmt: skip
