# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Where in a step a torque port comes too near to its singular pose."""

from ...plant.kernel import kernel
from ..indices import (
    CLOSEST_HARD,
    CLOSEST_SOFT,
    EVENT_PORT,
    EVENT_SOFT,
    POSE_LIMIT,
    ROWS_FULL,
    SINGULAR,
    T_CLOSEST_HARD,
    T_CLOSEST_SOFT,
    T,
)
from ..pose import AT_POSE, closest, speed
from .outputs import outputs
from .single_step import within_step

__all__ = ["pose_events"]


@kernel
def _note(hard, c, t, clock):
    """Remember the nearest pass of a pose."""
    if hard:
        if c < clock[CLOSEST_HARD]:
            clock[CLOSEST_HARD] = c
            clock[T_CLOSEST_HARD] = t
    elif c < clock[CLOSEST_SOFT]:
        clock[CLOSEST_SOFT] = c
        clock[T_CLOSEST_SOFT] = t


@kernel
def _pose_event(hard, method, t, h, user, b):
    """The share of the step at which c falls to its limit, or 2 where it does not; notes the nearest pass.

    Where it does, b.between is left at the last state before the limit.
    """
    x, y, out, u, p, w, clock, count = b.x, b.new, b.between, b.u, b.p, b.w, b.clock, b.count
    c0, port = closest(hard, x, u, p)
    if port < 0:
        return 2.0
    c1, _ = closest(hard, y, u, p)
    limit = clock[POSE_LIMIT] if hard else AT_POSE
    _note(hard, c0, t, clock)
    turn = max(speed(t, x, u, p, w), speed(t, y, u, p, w)) * h
    watch = max(limit, 0.3)  # a pass nearer than this is worth knowing of
    if 0.5 * (c0 + c1 - turn) > watch:
        _note(hard, c1, t + h, clock)
        return 2.0
    pieces = 32
    inside = -1.0
    before = 0.0
    best = c1
    near = 1.0
    for n in range(1, pieces + 1):
        theta = n / pieces
        if n == pieces:
            c = c1
        else:
            within_step(method, theta, t, h, user, b)
            c, _ = closest(hard, out, u, p)
        if c < best:
            best = c
            near = theta
        if not c > limit:
            inside = theta
            before = (n - 1) / pieces
            break
    if inside < 0.0 and near < 1.0:  # the smallest value between samples, by golden section
        low = near - 1.0 / pieces
        high = near + 1.0 / pieces
        for _ in range(40):
            left = high - 0.6180339887498949 * (high - low)
            right = low + 0.6180339887498949 * (high - low)
            within_step(method, left, t, h, user, b)
            c_left, _ = closest(hard, out, u, p)
            within_step(method, right, t, h, user, b)
            c_right, _ = closest(hard, out, u, p)
            if c_left < c_right:
                high = right
                near, best = left, min(best, c_left)
            else:
                low = left
                near, best = right, min(best, c_right)
            if not best > limit:
                inside = near
                break
    if inside < 0.0:
        _note(hard, best, t + near * h, clock)
        return 2.0
    for _ in range(60):  # bisection, down to the last bit
        middle = 0.5 * (before + inside)
        if middle <= before or middle >= inside:
            break
        within_step(method, middle, t, h, user, b)
        c, _ = closest(hard, out, u, p)
        if c > limit:
            before = middle
        else:
            inside = middle
    within_step(method, before, t, h, user, b)
    c, port = closest(hard, out, u, p)
    _note(hard, c, t + before * h, clock)
    count[EVENT_PORT] = port
    count[EVENT_SOFT] = 0 if hard else 1
    return before


@kernel
def pose_events(method, t, h, user, b):
    """Look for poses in the step from b.x to b.new; end the run at the last state before one, rows recorded up to it.

    Returns 0 when there is none, else why the run stops.
    """
    theta = _pose_event(True, method, t, h, user, b)
    if theta > 1.0:
        theta = _pose_event(False, method, t, h, user, b)
    if theta > 1.0:
        return 0
    if not outputs(t + theta * h, method, t, h, user, b):
        return ROWS_FULL
    within_step(method, theta, t, h, user, b)
    for i in range(b.x.size):
        b.x[i] = b.between[i]
    b.clock[T] = t + theta * h
    return SINGULAR
