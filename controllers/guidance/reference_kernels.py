# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernels of references: `reference(t, q, r)` writes r = [e_ref (4), omega_ref (3), alpha_ref (3)]."""

from typing import Any

import numpy as np

from ...plant.kernels.fields import fields, three
from ...plant.kernels.kernel import kernel

SPIN = fields(start=4, rate=3)


@kernel
def fixed_kernel(t: Any, q: Any, r: Any) -> None:
    """Write a fixed attitude at rest into r; q: e_ref (4)."""
    for n in range(4):
        r[n] = q[n]
    for n in range(4, 10):
        r[n] = 0.0


@kernel
def spin_kernel(t: Any, q: Any, r: Any) -> None:
    """Write a constant spin into r, e_ref = e0 o exp(rate t); q as in SPIN."""
    w0, w1, w2 = three(q, SPIN.rate)
    w = np.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
    c = np.cos(0.5 * w * t)
    s = 0.5 * t  # limit of sin(w t / 2) / w
    if w > 0.0:
        s = np.sin(0.5 * w * t) / w
    a, b, d = s * w0, s * w1, s * w2
    r[0] = q[0] * c - q[1] * a - q[2] * b - q[3] * d
    r[1] = q[0] * a + q[1] * c + q[2] * d - q[3] * b
    r[2] = q[0] * b + q[2] * c + q[3] * a - q[1] * d
    r[3] = q[0] * d + q[3] * c + q[1] * b - q[2] * a
    for n in range(3):
        r[4 + n] = q[SPIN.rate + n]
        r[7 + n] = 0.0
