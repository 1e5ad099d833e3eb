# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Tangent stiffness of an element: second derivative of its strain energy, exact or approximate for an iteration.

The exact form uses complex steps of `beam_element`: with a step of 1e-30 in the imaginary part there is no
cancellation. The iteration matrix of an implicit step need not be exact, since the iteration converges to the same
solution. Central differences suffice there, so the compiled engine needs no second, complex version of the element.
"""

from ...kernels.kernel import kernel
from ...kernels.vectors import cross, row3
from .arm_layout import LENGTH, STRAIN
from .beam_element import element_sweep

STEP = 1e-30

APART = 1e-5
"""Step of the central differences: rad, strain, or element lengths. The step is large enough that rounding errors of
the axial strain do not mask the curvature of a slender arm."""


@kernel
def _turn(cpose, n, k, phi):
    """Rotate director k of row n by i STEP phi."""
    d = cross(phi, row3(cpose, n, k))
    for m in range(3):
        cpose[n, k + m] += 1j * STEP * d[m]


@kernel
def element_tangent(p, b, i, pose, cpose, cvel, cmom, cfrc, k_out):
    """Write the tangent stiffness -d force / d(r, phi, strain) of an element, 14 x 14.

    The element is between rows i and i + 1; components are inertial. The arrays whose names begin with c are complex
    workspace of two rows. Under load the matrix is not symmetric: finite rotations do not commute, and its skew part
    consists of the moments of the forces.
    """
    for d in range(14):
        node = d // 7
        which = d - 7 * node
        for n in range(2):
            for m in range(13):
                cpose[n, m] = pose[i + n, m]
            for m in range(7):
                cvel[n, m] = 0.0
                cmom[n, m] = 0.0
                cfrc[n, m] = 0.0
        if which < 3:
            cpose[node, which] += 1j * STEP
        elif which < 6:
            phi = (1.0 if which == 3 else 0.0, 1.0 if which == 4 else 0.0, 1.0 if which == 5 else 0.0)
            for k in range(3, 12, 3):
                _turn(cpose, node, k, phi)
        else:
            cpose[node, STRAIN] += 1j * STEP
        element_sweep(p, b, 0, cpose, cvel, cmom, cfrc)
        for n in range(2):
            for m in range(7):
                k_out[7 * n + m, d] = -cfrc[n, m].imag / STEP


@kernel
def element_slopes(p, b, i, pose, moved, still, mom, frc, k_out):
    """Approximate `element_tangent` by central differences.

    The arrays before k_out are workspace of two rows each.
    """
    for d in range(14):
        node = d // 7
        which = d - 7 * node
        apart = APART * p[b + LENGTH] if which < 3 else APART
        for k in range(14):
            k_out[k, d] = 0.0
        for side in range(2):
            step = apart if side == 0 else -apart
            for n in range(2):
                for m in range(13):
                    moved[n, m] = pose[i + n, m]
                for m in range(7):
                    still[n, m] = 0.0
                    mom[n, m] = 0.0
                    frc[n, m] = 0.0
            if which < 3:
                moved[node, which] += step
            elif which < 6:  # first order suffices: both steps change the directors' length by the same error
                phi = (step if which == 3 else 0.0, step if which == 4 else 0.0, step if which == 5 else 0.0)
                for k in range(3, 12, 3):
                    _add_turn(moved, node, k, phi)
            else:
                moved[node, STRAIN] += step
            element_sweep(p, b, 0, moved, still, mom, frc)
            for n in range(2):
                for m in range(7):
                    k_out[7 * n + m, d] -= frc[n, m] / (2.0 * step)


@kernel
def _add_turn(table, n, k, phi):
    """Add phi x a to director k of row n."""
    d = cross(phi, row3(table, n, k))
    for m in range(3):
        table[n, k + m] += d[m]
