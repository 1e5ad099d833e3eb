# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernels of modes: a block that selects the active mode, and a law that calls the law of that mode."""

import math
from typing import Any

from ....plant.kernels.fields import fields
from ....plant.kernels.kernel import kernel
from ....plant.kernels.rotation import compose, to_body
from ...contracts.kernel_call import call_law, call_reference
from ...contracts.law_layout import REFERENCE

TIME, ELAPSED, RATE, RATE_ERROR, ATTITUDE_ERROR, SIGNAL = range(6)
"""Codes of the quantity in a condition."""

HEAD = fields(modes=1, transitions=1, conditions=1, shown=1, reference=1, follows=1)
"""Head of q of the block: number of rows of each kind; index of the reference in y, and in v (-1: run's reference).

The rows of modes, transitions, conditions and replaced signals follow; then, for each mode, the indices in y of the
signals used instead; then the parameters of the references."""

MODE = fields(dwell=1, first=1, many=1, reference=1, numbers=2, entry=1, attitude=1, rate=1)
"""Row of a mode: dwell time; first transition and number of transitions; kernel (0: reference of the run), parameters
and time origin of the reference; indices of the mode's attitude and rate in y."""

TRANSITION = fields(to=1, first=1, many=1)
CONDITION = fields(kind=1, place=1, width=1, below=1, threshold=1, release=1, lasting=1)
SHOWN = fields(width=1, place=1)
"""Row of a signal that at least one mode replaces: width, and index in v."""

STATE = fields(mode=1, cause=1, since=1, count=1, began=1)
"""Head of z of the block. For each condition, the time since which it has held follows, or -1 if it does not hold."""

WRITTEN = fields(mode=1, cause=1, since=1, count=1)
"""Head of v of the block."""

SIGNALS = ("mode", "mode_cause", "mode_since", "mode_count")
"""Names of the signals in the head of v."""

LAW_HEAD = fields(modes=1, scratch=1, wheels=1, external=1)
"""Head of q of the law: number of modes; index of the scratch memory in z; indices in u of the commands to wheels and
external torque. One row per mode follows, then the parameters of the laws."""

LAW_MODE = fields(
    code=1, numbers=2, memory=2, restarted=1, start=1, entering=1, past=1, limit=3, fade=1, port=1, unload=1, pair=6
)
"""Row of a mode's law: kernel; indices of parameters in q, memory in z; number of memory components that
start again on entry, and index of their initial values in q; hand-over gains
`entering` (n, 3) on the command step and `past` (n, 3) on the last command; torque limits and blend time; index of the
command in u; fraction of momentum unloaded per second. `pair` limits the mode's own control torque and the other torque
while unloading, so that neither saturates and their additional torques cancel."""

LAW_STATE = fields(mode=1, entered=1, last=3, rest=3)
"""Head of z of the law: mode at the last sample (-1: none), time of entry, last command, and command step on entry."""


@kernel
def _value(kind, t, since, y, at, place, width, r, ref):
    """Return the value of a condition's quantity; at: attitude and rate in y; ref: reference in r."""
    attitude, rate = at
    if kind in (TIME, ELAPSED):
        now = t + 1e-9 * (1.0 + abs(t))  # tolerance for the rounding of times that should be equal
        return now if kind == TIME else now - since
    if kind == SIGNAL:
        if width == 1:
            return y[place]
        total = 0.0
        for m in range(width):
            total += y[place + m] * y[place + m]
        return math.sqrt(total)
    w0, w1, w2 = y[rate], y[rate + 1], y[rate + 2]
    if kind != RATE:
        d0, d1, d2, d3 = compose(
            r[ref], -r[ref + 1], -r[ref + 2], -r[ref + 3],
            y[attitude], y[attitude + 1], y[attitude + 2], y[attitude + 3],
        )  # fmt: skip
        if kind == ATTITUDE_ERROR:
            return 2.0 * math.atan2(math.sqrt(d1 * d1 + d2 * d2 + d3 * d3), abs(d0))
        k = ref + REFERENCE.rate
        g0, g1, g2 = to_body(d0, d1, d2, d3, r[k], r[k + 1], r[k + 2])
        w0, w1, w2 = w0 - g0, w1 - g1, w2 - g2
    return math.sqrt(w0 * w0 + w1 * w1 + w2 * w2)


@kernel
def _show(t, since, mode, y, q, v):
    """Write the signals that the law of the active mode reads into v."""
    modes, shown = int(q[HEAD.modes]), int(q[HEAD.shown])
    rows = HEAD.size + modes * MODE.size + int(q[HEAD.transitions]) * TRANSITION.size
    rows += int(q[HEAD.conditions]) * CONDITION.size
    sources = rows + shown * SHOWN.size + mode * shown
    for k in range(shown):
        row = rows + k * SHOWN.size
        start, to = int(q[sources + k]), int(q[row + SHOWN.place])
        for m in range(int(q[row + SHOWN.width])):
            v[to + m] = y[start + m]
    follows = int(q[HEAD.follows])
    if follows >= 0:
        row = HEAD.size + mode * MODE.size
        if q[row + MODE.reference] == 0.0:
            for m in range(REFERENCE.size):
                v[follows + m] = y[int(q[HEAD.reference]) + m]
        else:
            first, last = int(q[row + MODE.numbers]), int(q[row + MODE.numbers + 1])
            began = since if q[row + MODE.entry] != 0.0 else 0.0
            call_reference(q[row + MODE.reference], t - began, q[first:last], v[follows : follows + REFERENCE.size])


@kernel
def modes_block_kernel(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Select the active mode; y: attitude, rate, reference, signals; v: WRITTEN, then signals for the law."""
    if z[STATE.began] == 0.0:
        z[STATE.began], z[STATE.since] = 1.0, t
    mode = int(z[STATE.mode])
    _show(t, z[STATE.since], mode, y, q, v)
    row = HEAD.size + mode * MODE.size
    at = int(q[row + MODE.attitude]), int(q[row + MODE.rate])
    follows = int(q[HEAD.follows])
    transitions = HEAD.size + int(q[HEAD.modes]) * MODE.size
    conditions = transitions + int(q[HEAD.transitions]) * TRANSITION.size
    taken = -1
    for k in range(int(q[row + MODE.first]), int(q[row + MODE.first] + q[row + MODE.many])):
        way = transitions + k * TRANSITION.size
        every = True
        for c in range(int(q[way + TRANSITION.first]), int(q[way + TRANSITION.first] + q[way + TRANSITION.many])):
            this, held = conditions + c * CONDITION.size, STATE.size + c
            kind, place, width = int(q[this]), int(q[this + CONDITION.place]), int(q[this + CONDITION.width])
            if follows >= 0:
                value = _value(kind, t, z[STATE.since], y, at, place, width, v, follows)
            else:
                value = _value(kind, t, z[STATE.since], y, at, place, width, y, int(q[HEAD.reference]))
            side = 1.0 if q[this + CONDITION.below] != 0.0 else -1.0
            if z[held] < 0.0:
                if side * (value - q[this + CONDITION.threshold]) < 0.0:
                    z[held] = t
            elif not side * (value - q[this + CONDITION.release]) < 0.0:
                z[held] = -1.0
            slack = 1e-9 * (1.0 + abs(t))
            every = every and z[held] >= 0.0 and t - z[held] >= q[this + CONDITION.lasting] - slack
        if every and taken < 0:
            taken = k
    if taken >= 0 and t - z[STATE.since] >= q[row + MODE.dwell] - 1e-9 * (1.0 + abs(t)):
        mode = int(q[transitions + taken * TRANSITION.size + TRANSITION.to])
        z[STATE.mode], z[STATE.cause], z[STATE.since] = mode, taken + 1, t
        z[STATE.count] += 1.0
        for c in range(int(q[HEAD.conditions])):
            z[STATE.size + c] = -1.0
        _show(t, t, mode, y, q, v)
    for m in range(WRITTEN.size):
        v[m] = z[m]


@kernel
def _limited(u, q, at):
    """Limit each component of a command in place; q[at] is the first limit."""
    for m in range(3):
        u[m] = min(max(u[m], -q[at + m]), q[at + m])


@kernel
def _direct(y, q, row, u):
    """Move the command u[0:3] to its control torque, and add the pair of torques that unloads wheels."""
    c0, c1, c2 = u[0], u[1], u[2]
    for m in range(u.size):
        u[m] = 0.0
    port = int(q[row + LAW_MODE.port])
    u[port], u[port + 1], u[port + 2] = c0, c1, c2
    share = q[row + LAW_MODE.unload]
    if share > 0.0:
        wheels, external = int(q[LAW_HEAD.wheels]), int(q[LAW_HEAD.external])
        for m in range(3):
            box = row + LAW_MODE.pair + m
            room = max(0.0, min(q[box] - abs(u[port + m]), q[box + 3]))
            pair = min(max(share * y[m], -room), room)
            u[wheels + m] += pair
            u[external + m] -= pair


@kernel
def modes_law_kernel(t: Any, y: Any, r: Any, q: Any, z: Any, u: Any) -> None:
    """Call the law of the active mode, whose index is the last component of y."""
    shown = y.size - 1
    mode = int(y[shown])
    row = LAW_HEAD.size + mode * LAW_MODE.size
    code, limit, last = q[row + LAW_MODE.code], row + LAW_MODE.limit, LAW_STATE.last
    numbers = q[int(q[row + LAW_MODE.numbers]) : int(q[row + LAW_MODE.numbers + 1])]
    first, end = int(q[row + LAW_MODE.memory]), int(q[row + LAW_MODE.memory + 1])
    memory, seen = z[first:end], y[:shown]
    fresh = z[LAW_STATE.mode] != mode
    follows = z[LAW_STATE.mode] >= 0.0
    if fresh:
        z[LAW_STATE.mode], z[LAW_STATE.entered] = mode, t
        start, past, entering = (
            int(q[row + LAW_MODE.start]), int(q[row + LAW_MODE.past]), int(q[row + LAW_MODE.entering])
        )  # fmt: skip
        many = int(q[row + LAW_MODE.restarted])
        for i in range(many):
            memory[i] = q[start + i]
        if follows and many > 0:
            for i in range(many):
                for j in range(3):
                    memory[i] += q[past + 3 * i + j] * z[last + j]
            scratch = int(q[LAW_HEAD.scratch])
            for i in range(many):
                z[scratch + i] = memory[i]
            call_law(code, t, seen, r, numbers, memory, u)  # called only for its command; the memory is restored below
            for i in range(many):
                memory[i] = z[scratch + i]
                for j in range(3):
                    memory[i] += q[entering + 3 * i + j] * (z[last + j] - u[j])
    call_law(code, t, seen, r, numbers, memory, u)
    _limited(u, q, limit)
    fade = q[row + LAW_MODE.fade]
    if fresh:
        for m in range(3):
            z[LAW_STATE.rest + m] = z[last + m] - u[m] if follows else 0.0
    if fade > 0.0 and t - z[LAW_STATE.entered] < fade:
        share = 1.0 - (t - z[LAW_STATE.entered]) / fade
        for m in range(3):
            u[m] += share * z[LAW_STATE.rest + m]
        _limited(u, q, limit)
    for m in range(3):
        z[last + m] = u[m]
    _direct(y, q, row, u)
