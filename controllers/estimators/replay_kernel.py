# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""A filter run over a list of events: intervals of the gyro, moments to remember, measurements that arrive."""

from ...plant.kernels.kernel import kernel
from .mekf_kernel import clone, propagate, update_attitude, update_vector

__all__ = ["ARRIVES", "KEEPS", "ROW", "TURNS", "replay"]

TURNS, KEEPS, ARRIVES, ROW = range(4)  # kinds of events
COVARIANCE, DIRECTION = 4, 10  # in a sighting: where the noise begins, and whether it is a direction
KIND, AT, SLOT = range(3)  # columns of `events`: kind, row of `rates` or `seen` (of the output for ROW), slot or -1


@kernel
def replay(events, rates, seen, gates, noise, walk, x, P, work, out_x, out_P, nis):
    """Run a filter through the events in place; returns how many measurements were refused by the gates.

    rates (m, 4): rate and length of an interval; seen (k, 11): what arrived, as sightings pack it.
    """
    refused = 0
    y, H, R = work[18], work[19:22], work[22:25]
    for event in range(events.shape[0]):
        kind, at, slot = int(events[event, KIND]), int(events[event, AT]), int(events[event, SLOT])
        if kind == TURNS:
            propagate(x, P, rates[at, 0], rates[at, 1], rates[at, 2], rates[at, 3], noise, walk, work)
        elif kind == KEEPS:
            clone(x, P, slot)
        elif kind == ARRIVES:
            row = seen[at]
            if row[DIRECTION] == 0.0:
                part = COVARIANCE
                for i in range(3):
                    for j in range(i + 1):
                        R[i, j] = row[part]
                        R[j, i] = row[part]
                        part += 1
                nis[at] = update_attitude(x, P, slot, row[0], row[1], row[2], row[3], R, gates[0], y, H, work)
            else:
                nis[at] = update_vector(
                    x, P, slot, row[0], row[1], row[2], row[3], row[4], row[5], row[6], gates[1], y, H, work
                )
            if nis[at] < 0.0:
                refused += 1
        else:
            for i in range(7):
                out_x[at, i] = x[i]
            for i in range(6):
                for j in range(6):
                    out_P[at, 6 * i + j] = P[i, j]
    return refused
