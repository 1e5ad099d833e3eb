# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Location of the time in a step at which a port or formulation is too close to its singular pose."""

from ...plant.kernels.kernel import kernel
from . import indices as at
from .outputs import outputs
from .pose import AT_POSE, closest, speed
from .single_step import within_step
from .steppers.implicit_layout import MATRIX_STEP, META, WITHIN


@kernel
def note_pose(kind, c, t, clock):
    """Record the closest approach to a pose."""
    nearest, when = at.CLOSEST_HARD, at.T_CLOSEST_HARD
    if kind == at.SOFT:
        nearest, when = at.CLOSEST_SOFT, at.T_CLOSEST_SOFT
    elif kind == at.LOCK:
        nearest, when = at.CLOSEST_LOCK, at.T_CLOSEST_LOCK
    if c < clock[nearest]:
        clock[nearest] = c
        clock[when] = t


@kernel
def _pose_event(kind, method, t, h, user, b):
    """Return the fraction of the step at which c falls to its limit, or 2; record the closest approach.

    The value 2 means that c stays above its limit. Otherwise b.between contains the last state before the limit.
    """
    x, y, out, u, p, w, clock, count = b.x, b.new, b.between, b.u, b.p, b.w, b.clock, b.count
    c0, port = closest(kind, x, u, p, w)
    if port < 0:
        return 2.0
    c1, _ = closest(kind, y, u, p, w)
    note_pose(kind, c0, t, clock)
    turn = max(speed(t, x, u, p, w), speed(t, y, u, p, w)) * h
    limit = AT_POSE if kind == at.SOFT else clock[at.POSE_LIMIT]
    if kind == at.LOCK and method != at.DOP853:  # at a smaller c, the next step could miss the pose
        limit = max(limit, turn)
    # a smaller c is worth reporting; for angles, whose evaluation is costly, the ends of steps suffice
    watch = limit if kind == at.LOCK else max(limit, 0.3)
    if 0.5 * (c0 + c1 - turn) > watch:
        note_pose(kind, c1, t + h, clock)
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
            c, _ = closest(kind, out, u, p, w)
        if c < best:
            best = c
            near = theta
        if not c > limit:
            inside = theta
            before = (n - 1) / pieces
            break
    if inside < 0.0 and near < 1.0:  # golden-section search for the minimum between samples
        low = near - 1.0 / pieces
        high = near + 1.0 / pieces
        for _ in range(40):
            left = high - 0.6180339887498949 * (high - low)
            right = low + 0.6180339887498949 * (high - low)
            within_step(method, left, t, h, user, b)
            c_left, _ = closest(kind, out, u, p, w)
            within_step(method, right, t, h, user, b)
            c_right, _ = closest(kind, out, u, p, w)
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
        note_pose(kind, best, t + near * h, clock)
        return 2.0
    for _ in range(60):  # bisection, down to the last bit
        middle = 0.5 * (before + inside)
        if middle <= before or middle >= inside:
            break
        within_step(method, middle, t, h, user, b)
        c, _ = closest(kind, out, u, p, w)
        if c > limit:
            before = middle
        else:
            inside = middle
    within_step(method, before, t, h, user, b)
    c, port = closest(kind, out, u, p, w)
    note_pose(kind, c, t + before * h, clock)
    count[at.EVENT_PORT] = port
    count[at.EVENT_KIND] = kind
    return before


@kernel
def pose_events(method, t, h, user, b):
    """Search for poses in the step from b.x to b.new; end the run at the last state before a pose.

    Returns 0 if the step reaches no pose, otherwise the stop code.
    """
    if method == at.IMPLICIT:  # discard a row's matrix, so that the located pose does not depend on rows
        b.implicit[META, MATRIX_STEP + WITHIN] = 0.0
    theta = 2.0
    for kind in (at.HARD, at.SOFT, at.LOCK):
        theta = _pose_event(kind, method, t, h, user, b)
        if theta <= 1.0:
            break
    if b.count[at.UNSOLVED] != 0:
        return at.NOT_CONVERGED
    if theta > 1.0:
        return 0
    if not outputs(t + theta * h, method, t, h, user, b):
        return at.ROWS_FULL
    within_step(method, theta, t, h, user, b)
    if b.count[at.UNSOLVED] != 0:
        return at.NOT_CONVERGED
    for i in range(b.x.size):
        b.x[i] = b.between[i]
    b.clock[at.T] = t + theta * h
    return at.SINGULAR
