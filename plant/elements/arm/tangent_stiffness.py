# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The tangent stiffness of an element: the exact second derivative of its strain energy, by complex steps of `element`.

A step of 1e-30 in the imaginary part leaves the derivative without any cancellation: it is as exact as the forces.
"""

from ...kernels.kernel import kernel
from ...kernels.vectors import cross, row3
from .arm_layout import STRAIN
from .beam_element import element_sweep

__all__ = ["STEP", "element_tangent"]

STEP = 1e-30


@kernel
def _turn(cpose, n, k, phi):
    """Turn director k of row n by i STEP phi."""
    d = cross(phi, row3(cpose, n, k))
    for m in range(3):
        cpose[n, k + m] += 1j * STEP * d[m]


@kernel
def element_tangent(p, b, i, pose, cpose, cvel, cmom, cfrc, k_out):
    """Write -d force / d(r, phi, strain) of the element between rows i and i + 1, 14 x 14, inertial components.

    The arrays with c are complex work space of two rows. Not symmetric under load: a turn after a turn depends on the
    order, and the forces' moment is what the skew part is made of.
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
