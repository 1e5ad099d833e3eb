# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""User-defined potentials and forces as loads in C; counterpart of `polhode.plant.loads.user_loads`.

The gradient of a potential is computed by the complex-step method: seven evaluations, exact to round-off because the
imaginary step is too small to affect the real part. Faults of a function are recorded as in
`polhode.plant.loads.faults`.
"""

import math

import numpy as np

from ...plant.hub.dynamics import add_load
from ...plant.hub.parameters import W_V
from ...plant.hub.place import hub_centre, whole_centre
from ...plant.kernels.kernel import kernel
from ...plant.loads.faults import begin_call, end_call
from ...plant.loads.potentials.user_potential import potential_load

STEP = 1e-40


def gradient_load(gradient, which, t, x, p, dx, w):
    """Add the load of a potential with a user-defined gradient: gradient(c, e) returns seven values."""
    c, e = np.empty(3), np.empty(4)
    c[0], c[1], c[2] = whole_centre(x, p, w)
    e[0], e[1], e[2], e[3] = x[3], x[4], x[5], x[6]
    kept = begin_call(t, which, x, p, dx, w)
    f = gradient(c, e)
    f0, f1, f2, f3, f4, f5, f6 = f[0] + 0.0, f[1] + 0.0, f[2] + 0.0, f[3] + 0.0, f[4] + 0.0, f[5] + 0.0, f[6] + 0.0
    end_call(kept, p, dx, w, f0, f1, f2, f3, f4, f5, f6, 0.0)
    _add_slope(x, p, f0, f1, f2, f3, f4, f5, f6, dx, w)


def complex_step_load(energy, which, t, x, p, dx, w):
    """Add the load of a potential energy(c, e), with its gradient by complex step."""
    here, slope = np.empty(7), np.empty(7)
    here[0], here[1], here[2] = whole_centre(x, p, w)
    here[3], here[4], here[5], here[6] = x[3], x[4], x[5], x[6]
    c, e = np.empty(3, np.complex128), np.empty(4, np.complex128)
    value = 0.0
    kept = begin_call(t, which, x, p, dx, w)
    for n in range(7):
        for i in range(3):  # copied for each call, since the function may change its arguments
            c[i] = complex(here[i], STEP if n == i else 0.0)
        for i in range(4):
            e[i] = complex(here[3 + i], STEP if n == 3 + i else 0.0)
        found = energy(c, e) + 0.0
        slope[n] = found.imag / STEP
        value = found.real
        if abs(found.imag) > 1e-21 * (1.0 + abs(value)):  # not infinitesimal: V is not real, for example sqrt(-1)
            value = math.nan
            break
    f0, f1, f2, f3, f4, f5, f6 = slope[0], slope[1], slope[2], slope[3], slope[4], slope[5], slope[6]
    end_call(kept, p, dx, w, f0, f1, f2, f3, f4, f5, f6, value)
    _add_slope(x, p, f0, f1, f2, f3, f4, f5, f6, dx, w)


@kernel
def _add_slope(x, p, f0, f1, f2, g0, g1, g2, g3, dx, w):
    """Add the load of a potential with the gradient dV/dc (f) and dV/de (g)."""
    t0, t1, t2, f0, f1, f2 = potential_load(x[3], x[4], x[5], x[6], f0, f1, f2, g0, g1, g2, g3)
    add_load(x, p, dx, w, False, t0, t1, t2, f0, f1, f2)


def effort_load(effort, which, t, x, p, dx, w):
    """Add the load of a user force effort(t, e, omega, c, v), which returns a torque and a force."""
    e, omega, c, v = np.empty(4), np.empty(3), np.empty(3), np.empty(3)
    e[0], e[1], e[2], e[3] = x[3], x[4], x[5], x[6]
    n = int(p[W_V])
    omega[0], omega[1], omega[2] = w[n], w[n + 1], w[n + 2]
    c[0], c[1], c[2], v[0], v[1], v[2] = hub_centre(x, p, w)
    kept = begin_call(t, which, x, p, dx, w)
    f = effort(t, e, omega, c, v)
    f0, f1, f2, f3, f4, f5 = f[0] + 0.0, f[1] + 0.0, f[2] + 0.0, f[3] + 0.0, f[4] + 0.0, f[5] + 0.0
    end_call(kept, p, dx, w, f0, f1, f2, f3, f4, f5, 0.0, 0.0)
    add_load(x, p, dx, w, True, f0, f1, f2, f3, f4, f5)
