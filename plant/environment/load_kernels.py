# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Environmental torques on a rigid hub, from the table of the fields along its orbit.

gravity gradient    3 mu/r^3 r^ x J r^, and its forces on elements that change J
residual dipole     m x B
eddy currents       m = K (omega_rel x B), with omega_rel x B = -dB/dt in body axes; torque m x B
magnetic damping    m = -k dB/dt in body axes, limited on each axis, times the fault factors; torque m x B
magnetic unloading  m = k (h - h_d) x B/|B|^2, h of the whole spacecraft, with the same limits and fault factors
magnetic pointing   m = -B x (kp theta + kd omega_rel)/|B|^2 relative to the orbit frame, limited likewise
sunlight, drag      see `face_kernels`, about the mass centre
"""

import math

import numpy as np

from ..hub.parameters import N_INTERNAL, VARIES, W_G, W_SUMS, W_V
from ..kernels.fields import fields, row_times, three
from ..kernels.kernel import kernel
from ..kernels.rotation import rotation_row
from ..loads.field_loads import central_field
from ..loads.potentials.gravity_gradient import inertia_times
from .eclipse import sunlit
from .face_kernels import gas_torque, light_torque
from .spline_table import COLUMNS, SPLINE, spline_row

HEAD = fields(
    mu=1, field=1, slope=1, magnetic=1, variable=1, dipole=3, eddy=9, gain=1, unload=1, target=3, deadband=1, point=1,
    stiffness=1, damping=1, frame=9, limit=3, factor=3, faulty=3, light=1, drag=1, molecules=1, faces=1, curve=1,
    table=1, key=1,
)  # fmt: skip
"""Head of the parameters: mu of the gravity gradient (0: none, m^3/s^2); whether the table has a magnetic field, and
whether a dipole or an element depends on its slope; whether a magnetic torque acts, and whether a dipole other than the
residual one acts; residual dipole, A m^2; matrix K (A m^2 s/T); gain k (A m^2 s/T) of the magnetic damping; gain (1/s)
of the unloading, momentum to keep and deadband (N m s); whether the torquers point to nadir, stiffness (N m/rad),
damping (N m s/rad) and the matrix from the orbit frame to the attitude to hold; largest dipoles (A m^2) of the
magnetorquers, and the factors that apply to them from the fault times (s) on; solar pressure times the square of the
distance (N, 0: none); whether drag acts; sqrt(2 R T/M) (m/s); number of faces, whose rows follow; starts of the gas
curve and of the table after the faces; and a key that differs between tables."""

INSTANT = fields(
    t=1, key=1, inside=1, up=3, forward=3, turn=1, gradient=1, field=3, slope=3, sun=3, pressure=1, flow=3, thermal=1,
    ratio=1,
)  # fmt: skip
"""Quantities that depend on time only, kept in the workspace for all stages at one time: their time (s) and key;
whether the table covers this time; direction of the position; forward axis and rate (rad/s) of the orbit frame;
3 mu/r^3 (1/s^2); magnetic field (T) and its slope (T/s); direction of the Sun and solar pressure (N/m^2); direction of
the velocity relative to the gas, thermal pressure rho c^2/2 (N/m^2) and speed ratio. Vectors are inertial."""

WIDTH = COLUMNS.size

OPPOSITE = 1e-8
"""Added to 4 q0^2 of the error: the torque passes through zero within 1e-4 rad of the opposite attitude, q0 = 0, and
the rounding of q0 does not shorten steps there."""


@kernel(inline=True)
def _column(p, n, u, s):
    """Return one column of the table at the fraction u of an interval, s = u^2.

    n: index of the column in the first of the six rows of the interval.
    """
    a = p[n] + p[n + WIDTH] * u + s * (p[n + 2 * WIDTH] + p[n + 3 * WIDTH] * u)
    return a + s * s * (p[n + 4 * WIDTH] + p[n + 5 * WIDTH] * u)


@kernel(inline=True)
def _columns(p, n, u, s):
    """Return three columns of the table."""
    return _column(p, n, u, s), _column(p, n + 1, u, s), _column(p, n + 2, u, s)


@kernel(inline=True)
def _slope(p, n, u, s):
    """Return the derivative of one column with respect to u."""
    a = p[n + WIDTH] + 2.0 * p[n + 2 * WIDTH] * u
    return a + s * (3.0 * p[n + 3 * WIDTH] + 4.0 * p[n + 4 * WIDTH] * u + 5.0 * p[n + 5 * WIDTH] * s)


@kernel
def _interpolate(t, p, at, w, k):
    """Write the quantities that depend on time only to the workspace at k."""
    w[k + INSTANT.t] = t
    w[k + INSTANT.key] = p[at + HEAD.key]
    table = at + int(p[at + HEAD.table])
    interval, u = spline_row(t, p, table)
    w[k + INSTANT.inside] = float(interval >= 0)
    if interval >= 0:
        n = table + SPLINE.size + 6 * WIDTH * interval
        s = u * u
        r0, r1, r2 = _columns(p, n + COLUMNS.position, u, s)
        a = 1.0 / math.sqrt(r0 * r0 + r1 * r1 + r2 * r2)
        i = k + INSTANT.up
        w[i], w[i + 1], w[i + 2] = a * r0, a * r1, a * r2
        w[k + INSTANT.gradient] = 3.0 * p[at + HEAD.mu] * a * a * a
        if p[at + HEAD.point] != 0.0:
            i, m, h = k + INSTANT.forward, n + COLUMNS.position, p[table + SPLINE.inverse_step]
            d0, d1, d2 = h * _slope(p, m, u, s), h * _slope(p, m + 1, u, s), h * _slope(p, m + 2, u, s)
            c = a * a * (d0 * r0 + d1 * r1 + d2 * r2)
            d0, d1, d2 = d0 - c * r0, d1 - c * r1, d2 - c * r2
            speed = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
            w[i], w[i + 1], w[i + 2] = d0 / speed, d1 / speed, d2 / speed
            w[k + INSTANT.turn] = speed * a
        if p[at + HEAD.field] != 0.0:
            i = k + INSTANT.field
            w[i], w[i + 1], w[i + 2] = _columns(p, n + COLUMNS.field, u, s)
        if p[at + HEAD.slope] != 0.0:
            i, m = k + INSTANT.slope, n + COLUMNS.field
            h = p[table + SPLINE.inverse_step]
            w[i], w[i + 1], w[i + 2] = h * _slope(p, m, u, s), h * _slope(p, m + 1, u, s), h * _slope(p, m + 2, u, s)
        if p[at + HEAD.light] != 0.0:
            d0, d1, d2 = _columns(p, n + COLUMNS.sun, u, s)
            square = d0 * d0 + d1 * d1 + d2 * d2
            a = 1.0 / math.sqrt(square)
            i = k + INSTANT.sun
            w[i], w[i + 1], w[i + 2] = a * d0, a * d1, a * d2
            w[k + INSTANT.pressure] = p[at + HEAD.light] / square * sunlit(r0, r1, r2, d0, d1, d2)
        if p[at + HEAD.drag] != 0.0:
            d0, d1, d2 = _columns(p, n + COLUMNS.wind, u, s)
            speed = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
            a = 1.0 / speed
            i = k + INSTANT.flow
            w[i], w[i + 1], w[i + 2] = a * d0, a * d1, a * d2
            c = p[at + HEAD.molecules]
            w[k + INSTANT.thermal] = 0.5 * math.exp(_column(p, n + COLUMNS.log_density, u, s)) * c * c
            w[k + INSTANT.ratio] = speed / c


@kernel(inline=True)
def environment_now(t, p, at, w, k):
    """Write the quantities that depend on time only to the workspace at k, unless they are there already."""
    wide = 129.0 * t
    time = wide - (wide - t)  # 46 bits of t: stages whose times differ only by rounding share one row
    if not (w[k + INSTANT.t].real == time and w[k + INSTANT.key].real == p[at + HEAD.key]):
        _interpolate(time, p, at, w, k)


@kernel(inline=True)
def _limited(m, limit):
    """Return a component of the dipole, limited to its largest magnitude."""
    if m.real > limit:
        return limit + 0.0 * m
    if m.real < -limit:
        return -limit + 0.0 * m
    return m


@kernel(inline=True)
def _share(t, p, at, n):
    """Return the fault factor of the dipole of torquer n: 1 before its fault."""
    return p[at + HEAD.factor + n] if t >= p[at + HEAD.faulty + n] else 1.0


@kernel(inline=True)
def _excess(square, deadband):
    """Return the fraction of a momentum with a given squared magnitude that exceeds the deadband."""
    if square.real <= deadband * deadband:
        return 0.0 * square
    return 1.0 - deadband / np.sqrt(square)


@kernel
def _pointing_torque(p, at, f0, f1, f2, z0, z1, z2, turn, w0, w1, w2):
    """Return the desired torque towards the attitude held in the orbit frame.

    f, z: forward and nadir axes, body axes; turn: rate of the orbit frame, rad/s; w: rate of the body, rad/s.
    """
    y0, y1, y2 = z1 * f2 - z2 * f1, z2 * f0 - z0 * f2, z0 * f1 - z1 * f0
    c = at + HEAD.frame
    # rows of the matrix from the body to the attitude to hold
    a0, a1, a2 = row_times(p, c, f0, y0, z0), row_times(p, c, f1, y1, z1), row_times(p, c, f2, y2, z2)
    d, e = c + 3, c + 6
    d0, d1, d2 = row_times(p, d, f0, y0, z0), row_times(p, d, f1, y1, z1), row_times(p, d, f2, y2, z2)
    e0, e1, e2 = row_times(p, e, f0, y0, z0), row_times(p, e, f1, y1, z1), row_times(p, e, f2, y2, z2)
    scale = p[at + HEAD.stiffness] * (1.0 + 0.125 * OPPOSITE) / np.sqrt(1.0 + a0 + d1 + e2 + OPPOSITE)
    k = p[at + HEAD.damping]
    t0 = -scale * (e1 - d2) - k * (w0 + turn * y0)
    t1 = -scale * (a2 - e0) - k * (w1 + turn * y1)
    t2 = -scale * (d0 - a1) - k * (w2 + turn * y2)
    return t0, t1, t2


@kernel
def _dipole(t, x, p, at, b0, b1, b2, c0, c1, c2, w0, w1, w2, g0, g1, g2):
    """Return the sum of all dipoles, body axes, A m^2.

    b: field, T; c: inertial time derivative of the field, T/s; w: rate, rad/s; g: desired torque of the pointing, N m;
    all in body axes.
    """
    c0, c1, c2 = c0 - w1 * b2 + w2 * b1, c1 - w2 * b0 + w0 * b2, c2 - w0 * b1 + w1 * b0  # dB/dt in body axes
    e, m, q, k = at + HEAD.eddy, at + HEAD.dipole, at + HEAD.limit, p[at + HEAD.gain]
    d0, d1, d2 = -k * c0, -k * c1, -k * c2
    if p[at + HEAD.unload] != 0.0:
        h = at + HEAD.target
        h0, h1, h2 = x[0] - p[h], x[1] - p[h + 1], x[2] - p[h + 2]
        s = p[at + HEAD.unload] / (b0 * b0 + b1 * b1 + b2 * b2)
        if p[at + HEAD.deadband] > 0.0:
            s = s * _excess(h0 * h0 + h1 * h1 + h2 * h2, p[at + HEAD.deadband])
        d0, d1, d2 = s * (h1 * b2 - h2 * b1), s * (h2 * b0 - h0 * b2), s * (h0 * b1 - h1 * b0)
    if p[at + HEAD.point] != 0.0:
        s = 1.0 / (b0 * b0 + b1 * b1 + b2 * b2)
        d0, d1, d2 = s * (b1 * g2 - b2 * g1), s * (b2 * g0 - b0 * g2), s * (b0 * g1 - b1 * g0)
    return (
        p[m] - row_times(p, e, c0, c1, c2) + _share(t, p, at, 0) * _limited(d0, p[q]),
        p[m + 1] - row_times(p, e + 3, c0, c1, c2) + _share(t, p, at, 1) * _limited(d1, p[q + 1]),
        p[m + 2] - row_times(p, e + 6, c0, c1, c2) + _share(t, p, at, 2) * _limited(d2, p[q + 2]),
    )


@kernel(inline=True)
def _turned(w, n, x0, x1, x2, y0, y1, y2, z0, z1, z2):
    """Return R' times the vector at n in the workspace; x, y, z: rows of R."""
    a0, a1, a2 = three(w, n)
    return x0 * a0 + y0 * a1 + z0 * a2, x1 * a0 + y1 * a1 + z1 * a2, x2 * a0 + y2 * a1 + z2 * a2


@kernel
def _power_on_elements(p, w):
    """Return the power of the generalised forces in the workspace, W."""
    total, g, v = 0.0 * w[int(p[W_V])], int(p[W_G]), int(p[W_V]) + 3
    for i in range(int(p[N_INTERNAL])):
        total = total + w[g + i] * w[v + i]
    return total


@kernel
def _on_elements(t, x, p, w, k, b0, b1, b2):
    """Add the gravity-gradient forces on elements that change the inertia, and their power."""
    before = _power_on_elements(p, w)
    central_field(t, x, p, w, k, b0, b1, b2)
    sums = int(p[W_SUMS])
    w[sums] = w[sums] + _power_on_elements(p, w) - before


@kernel
def environment_load(t, x, p, row, w):
    """Return the environmental torque (body), NaN outside the table; no force, as the orbit is prescribed."""
    at, k = int(p[row]), int(p[row + 1])
    zero = 0.0 * x[3]
    environment_now(t, p, at, w, k)
    if w[k + INSTANT.inside].real == 0.0:
        lost = math.nan + zero
        return lost, lost, lost, zero, zero, zero
    x0, x1, x2 = rotation_row(0, x[3], x[4], x[5], x[6])
    y0, y1, y2 = rotation_row(1, x[3], x[4], x[5], x[6])
    z0, z1, z2 = rotation_row(2, x[3], x[4], x[5], x[6])
    t0, t1, t2 = zero, zero, zero
    if p[at + HEAD.mu] != 0.0:
        c0, c1, c2 = _turned(w, k + INSTANT.up, x0, x1, x2, y0, y1, y2, z0, z1, z2)
        j0, j1, j2, _ = inertia_times(p, w, c0, c1, c2)
        s = w[k + INSTANT.gradient]
        t0, t1, t2 = t0 + s * (c1 * j2 - c2 * j1), t1 + s * (c2 * j0 - c0 * j2), t2 + s * (c0 * j1 - c1 * j0)
        if p[VARIES] != 0.0:
            _on_elements(t, x, p, w, s / 3.0, c0, c1, c2)
    if p[at + HEAD.magnetic] != 0.0:
        b0, b1, b2 = _turned(w, k + INSTANT.field, x0, x1, x2, y0, y1, y2, z0, z1, z2)
        i = at + HEAD.dipole
        m0, m1, m2 = p[i] + zero, p[i + 1] + zero, p[i + 2] + zero
        if p[at + HEAD.variable] != 0.0:
            c0, c1, c2 = _turned(w, k + INSTANT.slope, x0, x1, x2, y0, y1, y2, z0, z1, z2)
            v = int(p[W_V])
            g0, g1, g2 = zero, zero, zero
            if p[at + HEAD.point] != 0.0:
                d0, d1, d2 = _turned(w, k + INSTANT.forward, x0, x1, x2, y0, y1, y2, z0, z1, z2)
                a0, a1, a2 = _turned(w, k + INSTANT.up, x0, x1, x2, y0, y1, y2, z0, z1, z2)
                turn = w[k + INSTANT.turn].real
                g0, g1, g2 = _pointing_torque(p, at, d0, d1, d2, -a0, -a1, -a2, turn, w[v], w[v + 1], w[v + 2])
            m0, m1, m2 = _dipole(t, x, p, at, b0, b1, b2, c0, c1, c2, w[v], w[v + 1], w[v + 2], g0, g1, g2)
        t0, t1, t2 = t0 + (m1 * b2 - m2 * b1), t1 + (m2 * b0 - m0 * b2), t2 + (m0 * b1 - m1 * b0)
    n, faces = at + HEAD.size, int(p[at + HEAD.faces])
    if p[at + HEAD.light] != 0.0 and w[k + INSTANT.pressure].real > 0.0:
        c0, c1, c2 = _turned(w, k + INSTANT.sun, x0, x1, x2, y0, y1, y2, z0, z1, z2)
        a0, a1, a2 = light_torque(p, n, faces, w[k + INSTANT.pressure].real, c0, c1, c2)
        t0, t1, t2 = t0 + a0, t1 + a1, t2 + a2
    if p[at + HEAD.drag] != 0.0:
        c0, c1, c2 = _turned(w, k + INSTANT.flow, x0, x1, x2, y0, y1, y2, z0, z1, z2)
        curve, thermal, ratio = at + int(p[at + HEAD.curve]), w[k + INSTANT.thermal].real, w[k + INSTANT.ratio].real
        a0, a1, a2 = gas_torque(p, n, faces, curve, thermal, ratio, c0, c1, c2)
        t0, t1, t2 = t0 + a0, t1 + a1, t2 + a2
    return t0, t1, t2, zero, zero, zero


@kernel
def environment_energy(t, x, p, row, w):
    """Return zero: the environmental torques have no potential energy."""
    return 0.0 * x[3]
