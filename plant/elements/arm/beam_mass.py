# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Mass matrix of a beam element, as blocks of the chain (Choi 2014, (67), (70)).

Velocities of a node: v, omega (inertial components), strain rate. Translation is integrated exactly. The rotation of
the sections is a sum over Gauss points of rho (Jx s s' + Jy m m' + Jz n n'), where s, m, n hold the derivatives of the
three section rates with respect to the 14 velocities, from the closed forms of `beam_element`.
"""

from ...kernels.kernel import kernel
from ...kernels.vectors import add, axpy, cross, dot, put, roots, row3, scale, sub
from .arm_layout import GAUSS, LENGTH, MASS, POINTS, SPIN, SPIN_M, SPIN_N, STRAIN
from .beam_element import C11, C12, C13, C14, C22, C24, twist
from .section_frame import section_axes


@kernel
def _translation(diag, off, i, mu, la, lb, sa, sb, length):
    """Add mu int |rdot|^2 with rdot = N1 va + N2 ua + N3 vb + N4 ub, u = length l strain' + s omega x l."""
    _end(diag, i, mu, C12, la, sa, length)
    _end(diag, i + 1, mu, -C12, lb, sb, length)
    c13, c14, c23, c24 = C13, C14, -C14, C24
    sla = scale(sa, la)
    slb = scale(sb, lb)
    along = dot(la, lb)
    across = cross(la, lb)
    for k in range(3):
        off[i, 7 * k + k] += mu * c13
        off[i, 7 * k + 6] += mu * c14 * length * lb[k]
        off[i, 42 + k] += mu * c23 * length * la[k]
        off[i, 7 * (3 + k) + 3 + k] += mu * c24 * sa * sb * along
        for j in range(3):
            off[i, 7 * (3 + k) + 3 + j] -= mu * c24 * sa * sb * lb[k] * la[j]
        # (omega_a x la).lb and la.(omega_b x lb)
        off[i, 7 * (3 + k) + 6] += mu * c24 * sa * length * across[k]
        off[i, 42 + 3 + k] -= mu * c24 * sb * length * across[k]
    off[i, 48] += mu * c24 * length * length * along
    _skew(off, i, 0, 3, -mu * c14, slb)
    _skew(off, i, 3, 0, mu * c23, sla)


@kernel(inline=True)
def _skew(table, i, k, j, c, a):
    """Add c [a x] at row k, column j of the block."""
    n = 7 * k + j
    table[i, n + 1] -= c * a[2]
    table[i, n + 2] += c * a[1]
    table[i, n + 7] += c * a[2]
    table[i, n + 9] -= c * a[0]
    table[i, n + 14] -= c * a[1]
    table[i, n + 15] += c * a[0]


@kernel
def _end(diag, i, mu, c12, t, s, length):
    """Add the terms that involve one end of the element only."""
    c11, c22 = C11, C22
    sl = scale(s, t)
    for k in range(3):
        diag[i, 8 * k] += mu * c11
        diag[i, 7 * k + 6] += mu * c12 * length * t[k]
        diag[i, 42 + k] += mu * c12 * length * t[k]
        diag[i, 8 * (3 + k)] += mu * c22 * s * s
        for j in range(3):
            diag[i, 7 * (3 + k) + 3 + j] -= mu * c22 * sl[k] * sl[j]
    diag[i, 48] += mu * c22 * length * length
    # v.(omega x sl) = -v.[sl x] omega
    _skew(diag, i, 0, 3, -mu * c12, sl)
    _skew(diag, i, 3, 0, mu * c12, sl)


@kernel
def element_mass(p, b, i, pose, sums, diag, off):
    """Add the element between rows i and i + 1 to diag[i], off[i] and diag[i + 1], as flat 7 x 7 blocks.

    `sums` is workspace, 12 x 11. The rates of a section depend on only 11 quantities z: v_I - v_II, omega_I, strain_I',
    omega_II and strain_II'. The end velocities enter only through their difference.
    """
    length = p[b + LENGTH]
    ra, la, ma, na = row3(pose, i, 0), row3(pose, i, 3), row3(pose, i, 6), row3(pose, i, 9)
    rb, lb, mb = row3(pose, i + 1, 0), row3(pose, i + 1, 3), row3(pose, i + 1, 6)
    sa = length * (1.0 + pose[i, STRAIN])
    sb = length * (1.0 + pose[i + 1, STRAIN])
    mu = p[b + MASS] * length
    _translation(diag, off, i, mu, la, lb, sa, sb, length)
    chord = sub(rb, ra)
    per_c = 1.0 / (1.0 + dot(la, lb))
    a = scale(per_c, add(la, lb))
    alpha = twist(la, ma, na, lb, mb, per_c)
    for row in range(1, 12):
        for column in range(row):
            sums[row, column] = 0.0
    for q in range(int(p[POINTS])):
        xi = p[GAUSS + 3 * q]
        weight = p[GAUSS + 3 * q + 1] * length
        spin_weight = p[GAUSS + 3 * q + 2] * length
        b1 = 6.0 * xi * (xi - 1.0)
        b2 = 1.0 - 4.0 * xi + 3.0 * xi * xi
        b4 = xi * (3.0 * xi - 2.0)
        g = axpy(-b1, chord, axpy(b2 * sa, la, scale(b4 * sb, lb)))
        _, r = roots(dot(g, g))
        t = scale(r, g)
        per_d = 1.0 / (1.0 + dot(la, t))
        both, m, n = section_axes(alpha * xi, t, per_d, la, ma, na)
        for k in range(3):
            if k == 0:
                y = scale(r * per_d, cross(t, la))
                j = spin_weight * p[b + SPIN]
            elif k == 1:
                y = scale(r, m)
                j = weight * p[b + SPIN_N]
            else:
                y = scale(r, n)
                j = weight * p[b + SPIN_M]
            wa = scale(b2 * sa, cross(la, y))
            wb = scale(b4 * sb, cross(lb, y))
            if k == 0:
                wa = add(wa, axpy(-xi, a, scale(per_d, both)))
                wb = axpy(xi, a, wb)
            put(sums, 0, 0, scale(b1, y))
            put(sums, 0, 3, wa)
            sums[0, 6] = b2 * length * dot(la, y)
            put(sums, 0, 7, wb)
            sums[0, 10] = b4 * length * dot(lb, y)
            for row in range(11):
                x = j * sums[0, row]
                for column in range(row + 1):
                    sums[1 + row, column] += x * sums[0, column]
    _spread(sums, diag, off, i)


@kernel
def _spread(sums, diag, off, i):
    """Add the products of z to the blocks of the element.

    `sums` holds them as a lower triangle below its first row.
    """
    for row in range(7):
        far_row, sign_row = (row, -1.0) if row < 3 else (row + 4, 1.0)
        for column in range(7):
            far_column, sign = (column, -1.0) if column < 3 else (column + 4, 1.0)
            n = 7 * row + column
            diag[i, n] += sums[1 + max(row, column), min(row, column)]
            off[i, n] += sign * sums[1 + max(row, far_column), min(row, far_column)]
            high, low = max(far_row, far_column), min(far_row, far_column)
            diag[i + 1, n] += sign_row * sign * sums[1 + high, low]
