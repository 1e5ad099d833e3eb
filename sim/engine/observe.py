# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Observables computed from a recorded trajectory, row by row."""

import math

from ...plant.hub.composition import element_signals
from ...plant.hub.dynamics import body_rate, derivative, energy_of, hub_rates_of
from ...plant.hub.parameters import VIEW, VIEW_WORK, W_VIEW
from ...plant.hub.place import hub_place
from ...plant.kernels.kernel import kernel
from ...plant.kernels.rotation import compose, to_inertial

COLUMNS = {
    "rate": slice(0, 3),
    "inertial_momentum": slice(3, 6),
    "torque": slice(6, 9),
    "energy": slice(9, 10),
    "attitude_error": slice(10, 11),
    "error_vector": slice(11, 14),
    "hub_position": slice(14, 17),
    "multiplier": slice(17, 18),
}
"""Index of each observable in a row of the table. The signals of the elements follow, then the minimum and then the
maximum of each signal since the previous row."""

WIDTH = 18
"""Number of observables without the signals."""


@kernel
def start_rates(user, b):
    """Write the rates of change of the first row to b.dx; b: `polhode.sim.engine.loop_arrays.Rows`."""
    derivative(b.t[0], b.x[0], b.u[0], b.p, b.dx, user, b.w)


@kernel
def observe(reference, user, b):
    """Write all observables except the extremes to b.out; b: `polhode.sim.engine.loop_arrays.Rows`."""
    p, w, rq, r, t, x, u, dx, out = b.p, b.w, b.rq, b.r, b.t, b.x, b.u, b.dx, b.out
    for row in range(t.size):
        state = x[row]
        w0, w1, w2 = body_rate(t[row], state, u[row], p, w)
        out[row, 0], out[row, 1], out[row, 2] = w0, w1, w2
        h0, h1, h2 = state[0], state[1], state[2]
        e0, e1, e2, e3 = state[3], state[4], state[5], state[6]
        out[row, 3], out[row, 4], out[row, 5] = to_inertial(e0, e1, e2, e3, h0, h1, h2)
        hub_rates_of(t[row], state, u[row], p, dx, user, w, w0, w1, w2)
        # torque on the body: pi' minus the gyroscopic part
        out[row, 6] = dx[0] - (h1 * w2 - h2 * w1)
        out[row, 7] = dx[1] - (h2 * w0 - h0 * w2)
        out[row, 8] = dx[2] - (h0 * w1 - h1 * w0)
        out[row, 9] = energy_of(t[row], state, u[row], p, w)
        out[row, 14], out[row, 15], out[row, 16] = hub_place(state, p, w)
        out[row, 17] = w[int(p[W_VIEW]) + VIEW_WORK.multiplier] if p[VIEW] != 0.0 else 0.0
        if out.shape[1] > WIDTH:
            first = element_signals(t[row], state, u[row], p, w)
            k = 0
            while WIDTH + 3 * k < out.shape[1]:
                out[row, WIDTH + k] = w[first + k]
                k += 1
        if r.size == 0:
            out[row, 10], out[row, 11], out[row, 12], out[row, 13] = 0.0, 0.0, 0.0, 0.0
        else:
            r[0] = math.nan  # as in the engine: a reference that raises is detected
            reference(t[row] - b.since[row], rq, r)
            d0, d1, d2, d3 = compose(r[0], -r[1], -r[2], -r[3], e0, e1, e2, e3)
            s = 1.0 if d0 >= 0.0 else -1.0
            size = math.sqrt(d1 * d1 + d2 * d2 + d3 * d3)
            angle = 2.0 * math.atan2(size, s * d0)
            out[row, 10] = angle
            scale = s * angle / size if size > 0.0 else 2.0
            out[row, 11], out[row, 12], out[row, 13] = scale * d1, scale * d2, scale * d3
