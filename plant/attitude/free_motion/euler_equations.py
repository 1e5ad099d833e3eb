# pyright: basic
# (kernels carry no annotations: they run on floats, on complex numbers and as compiled code)
"""Free motion in Euler angles, sequence 3-1-3, relative to a frame whose Z axis is along the angular momentum.

MIT 16.07 lecture L29 (18)-(20), for principal body axes:

    phidot   = H (cos^2 psi / Iyy + sin^2 psi / Ixx)
    thetadot = H (1/Ixx - 1/Iyy) sin theta sin psi cos psi
    psidot   = H (1/Izz - cos^2 psi / Iyy - sin^2 psi / Ixx) cos theta

These are three first-order equations instead of six. The momentum is a parameter, so it cannot drift. Unlike general
Euler-angle equations, they have no gimbal lock, since no term is divided by sin theta. At theta = 0 or pi the momentum
is along the body's z axis and stays there. phi and psi are then not unique, but phi + psi (or phi - psi) keeps the
correct rate H/Izz.
"""

import numpy as np

from ...kernels.kernel import kernel


@kernel
def euler_angle_derivative(t, x, p, dx):
    """Write (phidot, thetadot, psidot) to dx; x = (phi, theta, psi), p = (H, Ixx, Iyy, Izz)."""
    sine, cosine = np.sin(x[2]), np.cos(x[2])
    dx[0] = p[0] * (cosine * cosine / p[2] + sine * sine / p[1])
    dx[1] = p[0] * (1.0 / p[1] - 1.0 / p[2]) * np.sin(x[1]) * sine * cosine
    dx[2] = (p[0] / p[3] - dx[0]) * np.cos(x[1])
