"""Circled axis of a torque-free motion, and the constants of its elliptic functions.

With the unit momentum h in principal axes of ascending moment and d12 = 1/J1 - 1/J2 etc., the two constants

    q1 = d13 h1^2 + d23 h2^2 = (2 T J3 / H^2 - 1) / J3        q3 = d13 h3^2 + d12 h2^2 = (1 - 2 T J1 / H^2) / J1

are sums of positive terms, without the cancellation of energies near a limit. The momentum circles the major axis if
d23 h3^2 > d12 h1^2. Then p = H sqrt(d23 q3), m = d12 q1 / (d23 q3), and 1 - m = d13 (d23 h3^2 - d12 h1^2) / (d23 q3).
For the minor axis, the indices 1 and 3 are exchanged.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...frozen import frozen_arrays
from .jacobi import argument, jacobi, third_kind
from .principal import PrincipalAxes

Array = NDArray[np.float64]

ROUNDING = 8.0 * np.finfo(np.float64).eps
UNDERFLOW = 1e-140  # component below which the square underflows


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Regime:
    """Torque-free motion in the triad x (middle axis), y (other extreme axis), z (circled axis).

    name: "major", "minor", "separatrix" or "steady".
    triad (3, 3): columns x, y, z in body components, right-handed.
    order: indices of the axes x, y, z among the principal axes in ascending order of moment.
    amplitudes (3,): a_x, a_y, a_z, N m s; the momentum itself if steady.
    frequency: p, rad/s.
    start: u0, the argument at t = 0.
    complement: 1 - m.
    ratio: (a_x / a_y)^2, a function of the inertia only.
    base_rate: H/J_y, rad/s; the spin rate if steady.
    extra_rate: H (1/J_x - 1/J_y) ratio, rad/s: phidot = base_rate + extra_rate sn^2 / (cn^2 + ratio sn^2).
    """

    name: str
    triad: Array
    order: tuple[int, int, int]
    amplitudes: Array
    frequency: float = 0.0
    start: float = 0.0
    complement: float = 1.0
    ratio: float = 1.0
    base_rate: float = 0.0
    extra_rate: float = 0.0

    def momentum(self, t: Array) -> Array:
        """Return (h_x, h_y, h_z), N m s, shape (..., 3)."""
        if self.name == "steady":
            return np.broadcast_to(self.amplitudes, (*t.shape, 3)).copy()
        values = jacobi(self.frequency * t + self.start, self.complement)
        return np.stack((values.sn, values.cn, values.dn), axis=-1) * self.amplitudes

    def angles(self, t: Array) -> Array:
        """Return (phi, theta, psi) of the triad, sequence 3-1-3, relative to the momentum frame.

        The angles are continuous except for steps of 4 pi in psi, which leave Euler parameters unchanged. Without these
        steps, the rounding error of a large psi would rotate the body relative to its momentum.
        """
        h = self.momentum(t)
        theta = np.arctan2(np.hypot(h[..., 0], h[..., 1]), h[..., 2])
        if self.name == "steady":
            psi = np.broadcast_to(np.arctan2(*self.amplitudes[:2]), t.shape)
            return np.stack((self.base_rate * t, theta, psi), axis=-1)
        u = self.frequency * t + self.start
        values = jacobi(u, self.complement)
        even = np.where(values.half_periods % 2.0 == 0.0, 1.0, -1.0)
        halves = values.half_periods - 4.0 * np.round(0.25 * values.half_periods)
        psi = np.pi * halves + np.arctan2(np.sqrt(self.ratio) * values.sn * even, np.abs(values.cn))
        if self.amplitudes[0] * self.amplitudes[1] < 0.0:
            psi = -psi
        if self.amplitudes[1] < 0.0:
            psi = psi + np.pi
        turned = third_kind(self.frequency * t, self.complement, ratio=self.ratio, start=self.start)
        phi = self.base_rate * t + (self.extra_rate / self.frequency) * turned
        return np.stack((phi, theta, psi), axis=-1)


def regime_of(principal: PrincipalAxes, momentum: Array) -> Regime:
    """Return the regime of a torque-free motion.

    principal: moments and axes; momentum (3,): body components, N m s -> the constants of the motion. A motion within
    rounding of a steady spin or of the separatrix is classified as such. Both bounds are 8 rounding errors: for a
    steady spin, of the momentum components (only if the axes were computed); for the separatrix, of the terms of 1 - m.
    """
    size = float(np.hypot(np.hypot(momentum[0], momentum[1]), momentum[2]))
    h = principal.axes.T @ (momentum / size if size > 0.0 else momentum)
    h = np.where(np.abs(h) <= (UNDERFLOW if principal.exact else ROUNDING), 0.0, h)
    d12, d23, d13 = principal.gaps
    if size == 0.0 or d23 * h[1] * h[2] == d13 * h[2] * h[0] == d12 * h[0] * h[1] == 0.0:
        spin = size * float(h @ (h / principal.moments))
        return Regime(name="steady", triad=principal.axes, order=(0, 1, 2), amplitudes=size * h, base_rate=spin)
    major, minor = d23 * h[2] ** 2, d12 * h[0] ** 2
    if abs(major - minor) <= ROUNDING * (major + minor):
        name, complement = "separatrix", 0.0
    else:
        name, complement = ("major" if major > minor else "minor"), 1.0
    z, y = (0, 2) if name == "minor" else (2, 0)
    near, far = (d12, d23) if name == "minor" else (d23, d12)  # magnitudes of 1/J_z - 1/J_x and 1/J_x - 1/J_y
    q_z, q_y = d13 * h[z] ** 2 + far * h[1] ** 2, d13 * h[y] ** 2 + near * h[1] ** 2
    if complement != 0.0:
        complement = min(d13 * abs(major - minor) / (near * q_z), 1.0)
    a_z = np.copysign(np.sqrt(q_z / d13), h[z])
    a_y = np.sqrt(q_y / d13)
    if name == "separatrix":  # start in the range in which dn and cn are both positive
        a_y = np.copysign(a_y, h[y])
    ratio = d13 / near
    turn = 1.0 if name == "minor" else -1.0  # hdot_x = turn d13 h_y h_z
    a_x = np.copysign(np.sqrt(q_y / near), turn * a_y * a_z)
    axes = principal.axes
    triad = np.column_stack((np.cross(axes[:, y], axes[:, z]), axes[:, y], axes[:, z]))
    h_x = h[1] * float(triad[:, 0] @ axes[:, 1])
    j_x, j_y = float(principal.moments[1]), float(principal.moments[y])
    return Regime(
        name=name,
        triad=triad,
        order=(1, y, z),
        amplitudes=size * np.array([a_x, a_y, a_z]),
        frequency=size * float(np.sqrt(near * q_z)),
        start=argument(float(h_x / a_x), float(h[y] / a_y), m1=complement),
        complement=float(complement),
        ratio=ratio,
        base_rate=size / j_y,
        extra_rate=size * (1.0 / j_x - 1.0 / j_y) * ratio,
    )
