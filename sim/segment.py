# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Integration of one smooth stretch, from one breakpoint to the next, with outputs and pose events on the way.

Outputs never change the steps: between two steps of a fixed-step method the state at an output time is one more
step of the same method from the last one, and inside an adaptive step it is the dense output of order 7.
"""

import math

from ..plant.dynamics import derivative
from ..plant.kernel import kernel
from ..plant.parameters import AT_PORTS, LEDGER, N_DAMPERS, N_ELEMENTS, N_PORTS, N_POTENTIALS, TRANSLATION, USER
from ..plant.torque.kernels import BODY
from .indices import (
    BUDGET,
    CLOSEST_HARD,
    CLOSEST_SOFT,
    DOP853,
    EVENT_PORT,
    EVENT_SOFT,
    FRESH,
    GAUSS,
    KOUT,
    LONGEST,
    MAX_STEPS,
    METHOD,
    N_OUT,
    NORM_DRIFT,
    NOT_CONVERGED,
    NOT_FINITE,
    PAUSED,
    POSE_LIMIT,
    REJECTED,
    RETRY,
    RK4,
    ROWS_FULL,
    RTOL,
    SEGMENT_I,
    SEGMENT_N,
    SINGULAR,
    STEP,
    STEP_COLLAPSE,
    STEP_LIMIT,
    STEPS,
    T_CLOSEST_HARD,
    T_CLOSEST_SOFT,
    T_SEGMENT,
    TAKEN,
    WATCH,
    H,
    T,
)
from .pose import AT_POSE, closest, speed
from .steppers.dop853 import dense_output, dense_prepare, dop853_error, dop853_step
from .steppers.gauss import call_gauss
from .steppers.rk4 import rk4_step
from .steppers.rk4_free import rk4_free_steps
from .steppers.sphere import project_all
from .steppers.stage_times import close_to, stage_times
from .tally import tally_row, tally_start, tally_step

__all__ = ["integrate_segment", "record"]


@kernel(inline=True)
def record(x, u, count, out_x, out_u, tally):
    """Store state, input and what the signals did since the row before in the next output row."""
    row = count[KOUT] - count[TAKEN]
    if tally.size > 0:
        tally_row(row, tally)
    for i in range(x.size):
        out_x[row, i] = x[i]
    for i in range(u.size):
        out_u[row, i] = u[i]
    count[KOUT] += 1


@kernel
def _fixed_step(method, t, h, x, u, p, user, w, y, stages, within, of, implicit):
    """One step of a fixed-step method from x into y, by itself or within one of length `of` from x.

    Returns the drift of |e|^2 taken off; infinite where an implicit step has no solution.
    """
    if method == GAUSS:
        return call_gauss(user, t, h, x, u, p, w, y, within, of, implicit)
    if method == RK4:
        rk4_step(t, h, x, u, p, user, w, y, stages[0], stages[1], stages[2], stages[3])
    else:
        derivative(stage_times(t, h)[0], x, u, p, stages[0], user, w)
        dop853_step(t, h, x, u, p, user, w, y, stages)
    return project_all(y, p)


@kernel
def _within(method, theta, t, h, x, u, p, user, w, stages, dense, implicit, out):
    """The state a share theta into the step that begins at x; adaptive steps need `dense` prepared."""
    if method == DOP853:
        dense_output(theta, x, dense, out)
        project_all(out, p)
    else:
        _fixed_step(method, t, theta * h, x, u, p, user, w, out, stages, True, h, implicit)


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
def _pose_event(hard, method, t, h, x, y, u, p, user, w, stages, dense, implicit, out, clock, count):
    """The share of the step at which c falls to its limit, or 2 where it does not; notes the nearest pass.

    Where it does, `out` is left at the last state before the limit.
    """
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
            _within(method, theta, t, h, x, u, p, user, w, stages, dense, implicit, out)
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
            a = high - 0.6180339887498949 * (high - low)
            b = low + 0.6180339887498949 * (high - low)
            _within(method, a, t, h, x, u, p, user, w, stages, dense, implicit, out)
            ca, _ = closest(hard, out, u, p)
            _within(method, b, t, h, x, u, p, user, w, stages, dense, implicit, out)
            cb, _ = closest(hard, out, u, p)
            if ca < cb:
                high = b
                near, best = a, min(best, ca)
            else:
                low = a
                near, best = b, min(best, cb)
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
        _within(method, middle, t, h, x, u, p, user, w, stages, dense, implicit, out)
        c, _ = closest(hard, out, u, p)
        if c > limit:
            before = middle
        else:
            inside = middle
    _within(method, before, t, h, x, u, p, user, w, stages, dense, implicit, out)
    c, port = closest(hard, out, u, p)
    _note(hard, c, t + before * h, clock)
    count[EVENT_PORT] = port
    count[EVENT_SOFT] = 0 if hard else 1
    return before


@kernel
def _outputs(last, method, t, h, x, u, p, user, w, stages, dense, implicit, out, count, out_t, out_x, out_u, tally):
    """Record every output in [t, last), the step being t to t + h; whether there was room for all of them."""
    k = count[KOUT]
    while k < count[N_OUT] and out_t[k] < last - close_to(last):
        if k - count[TAKEN] >= out_x.shape[0]:
            return False
        if out_t[k] <= t + close_to(t):
            record(x, u, count, out_x, out_u, tally)
        else:
            _within(method, (out_t[k] - t) / h, t, h, x, u, p, user, w, stages, dense, implicit, out)
            record(out, u, count, out_x, out_u, tally)
        k = count[KOUT]
    return True


@kernel
def _end_at_pose(theta, t, h, x, out, clock):
    """Put the run at the last state before the pose limit."""
    for i in range(x.size):
        x[i] = out[i]
    clock[T] = t + theta * h
    return SINGULAR


@kernel(inline=True)
def _is_free(p):
    """Whether nothing but a torque in body axes acts, and the mass centre is not integrated."""
    acting = p[N_POTENTIALS] + p[N_DAMPERS] + p[USER] + p[N_ELEMENTS]
    return acting + p[TRANSLATION] == 0.0 and p[N_PORTS] == 1.0 and p[AT_PORTS] == BODY


@kernel(inline=True)
def _how_many(t_next, clock):
    """Steps from here to t_next; a span that round-off made a little longer than the step is still one step."""
    span = t_next - clock[T] - 2.0 * close_to(t_next)
    if span <= clock[STEP]:
        return 1
    return math.ceil(span / clock[STEP] * (1.0 - 1e-12))


@kernel
def _fixed(t_next, user, w, x, u, p, clock, count, stages, dense, implicit, y, out, out_t, out_x, out_u, tally):
    """Equal steps from here to t_next."""
    if count[SEGMENT_N] == 0:
        clock[T_SEGMENT] = clock[T]
        count[SEGMENT_N] = _how_many(t_next, clock)
        count[SEGMENT_I] = 0
    method = count[METHOD]
    start = clock[T_SEGMENT]
    n = count[SEGMENT_N]
    k1, k2, k3, k4 = stages[0], stages[1], stages[2], stages[3]
    h = t_next - start
    if n > 1:
        h /= n
    plain = method == RK4 and _is_free(p)
    i = count[SEGMENT_I]
    while i < n:
        if count[STEPS] >= count[BUDGET]:
            return STEP_LIMIT if count[STEPS] >= count[MAX_STEPS] else PAUSED
        t = start + i * h
        if plain:
            steps = min(n - i, count[BUDGET] - count[STEPS])
            if count[KOUT] < count[N_OUT] and out_t[count[KOUT]] < t_next:  # up to the step that holds the next output
                steps = min(steps, int((out_t[count[KOUT]] - t) / h * (1.0 - 1e-12)))
            if steps > 0:
                drift = rk4_free_steps(p[LEDGER] != 0.0, h, steps, x, u, p)
                if not drift < 1e300:  # one of them fails: take them one by one, up to that one
                    plain = False
                    continue
                if drift > clock[NORM_DRIFT]:
                    clock[NORM_DRIFT] = drift
                i += steps
                clock[T] = t_next if i == n else start + i * h
                count[STEPS] += steps
                count[SEGMENT_I] = i
                continue
        if method == RK4:
            rk4_step(t, h, x, u, p, user, w, y, k1, k2, k3, k4)
            drift = project_all(y, p)
        else:
            drift = _fixed_step(method, t, h, x, u, p, user, w, y, stages, False, h, implicit)
            if drift == math.inf:
                return NOT_CONVERGED
        total = 0.0
        for m in range(y.size):
            total += y[m]
        if not abs(drift) < 1e300 or not abs(total) < 1e300:
            return NOT_FINITE
        after = t_next if i == n - 1 else start + (i + 1) * h
        if count[WATCH] != 0:
            theta = _pose_event(True, method, t, h, x, y, u, p, user, w, stages, dense, implicit, out, clock, count)
            if theta > 1.0:
                theta = _pose_event(
                    False, method, t, h, x, y, u, p, user, w, stages, dense, implicit, out, clock, count
                )
            if theta <= 1.0:
                last = t + theta * h
                if not _outputs(
                    last,
                    method,
                    t,
                    h,
                    x,
                    u,
                    p,
                    user,
                    w,
                    stages,
                    dense,
                    implicit,
                    out,
                    count,
                    out_t,
                    out_x,
                    out_u,
                    tally,
                ):
                    return ROWS_FULL
                _within(method, theta, t, h, x, u, p, user, w, stages, dense, implicit, out)
                return _end_at_pose(theta, t, h, x, out, clock)
        if count[KOUT] < count[N_OUT] and not _outputs(
            after, method, t, h, x, u, p, user, w, stages, dense, implicit, out, count, out_t, out_x, out_u, tally
        ):
            return ROWS_FULL
        if abs(drift) > clock[NORM_DRIFT]:
            clock[NORM_DRIFT] = abs(drift)
        for m in range(x.size):
            x[m] = y[m]
        clock[T] = after
        if tally.size > 0:
            tally_step(h, after, x, u, p, w, tally)
        count[STEPS] += 1
        i += 1
        count[SEGMENT_I] = i
    count[SEGMENT_N] = 0
    return 0


@kernel
def _first_step(x, u, p, w, clock, stages, t_next):
    """A first adaptive step: a small share of the time in which the attitude or the momentum changes."""
    rate = speed(clock[T], x, u, p, w)
    size = 0.0
    change = 0.0
    for i in range(3):
        size += x[i] * x[i]
        change += stages[0, i] * stages[0, i]
    if size > 0.0:
        rate = max(rate, math.sqrt(change / size))
    h = 0.01 * (t_next - clock[T])
    if rate > 0.0:
        h = min(h, 0.05 / rate)
    return h


@kernel
def _adaptive(
    t_next, user, w, x, u, p, clock, count, floors, stages, dense, implicit, y, out, out_t, out_x, out_u, tally
):
    """Steps of dop853 from here to t_next, each within the tolerance."""
    if count[FRESH] != 0:
        derivative(stage_times(clock[T], t_next - clock[T])[0], x, u, p, stages[0], user, w)
        count[FRESH] = 0
        for i in range(x.size):
            if not abs(stages[0, i]) < 1e300:
                return NOT_FINITE
    if clock[H] == 0.0:
        clock[H] = _first_step(x, u, p, w, clock, stages, t_next)
    while True:
        t = clock[T]
        if count[STEPS] >= count[BUDGET]:
            return STEP_LIMIT if count[STEPS] >= count[MAX_STEPS] else PAUSED
        h = min(clock[H], clock[STEP])
        cut = t + 1.01 * h >= t_next
        if cut:
            h = t_next - t
        elif t + 2.0 * h > t_next:  # two even steps rather than one and a sliver
            h = 0.5 * (t_next - t)
        dop853_step(t, h, x, u, p, user, w, y, stages)
        error = dop853_error(t, h, x, y, u, p, w, stages, clock[RTOL], floors)
        if not error <= 1.0:
            count[REJECTED] += 1
            factor = 0.2
            if error < 1e300:
                factor = max(0.2, 0.9 * error**-0.125)
            clock[H] = h * factor
            count[RETRY] = 1
            if clock[H] <= 16.0 * 2.3e-16 * abs(t) or clock[H] < 1e-100:
                return STEP_COLLAPSE if error < 1e300 else NOT_FINITE
            continue
        drift = project_all(y, p)
        after = t_next if cut else t + h
        derivative(stage_times(t, h)[1], y, u, p, stages[12], user, w)
        want = count[WATCH] != 0 or (count[KOUT] < count[N_OUT] and out_t[count[KOUT]] < after - close_to(after))
        if want:
            dense_prepare(t, h, x, y, u, p, user, w, stages, dense, out)
        if count[WATCH] != 0:
            theta = _pose_event(True, DOP853, t, h, x, y, u, p, user, w, stages, dense, implicit, out, clock, count)
            if theta > 1.0:
                theta = _pose_event(
                    False, DOP853, t, h, x, y, u, p, user, w, stages, dense, implicit, out, clock, count
                )
            if theta <= 1.0:
                last = t + theta * h
                if not _outputs(
                    last,
                    DOP853,
                    t,
                    h,
                    x,
                    u,
                    p,
                    user,
                    w,
                    stages,
                    dense,
                    implicit,
                    out,
                    count,
                    out_t,
                    out_x,
                    out_u,
                    tally,
                ):
                    return ROWS_FULL
                _within(DOP853, theta, t, h, x, u, p, user, w, stages, dense, implicit, out)
                return _end_at_pose(theta, t, h, x, out, clock)
        if want and not _outputs(
            after, DOP853, t, h, x, u, p, user, w, stages, dense, implicit, out, count, out_t, out_x, out_u, tally
        ):
            return ROWS_FULL
        if abs(drift) > clock[NORM_DRIFT]:
            clock[NORM_DRIFT] = abs(drift)
        for m in range(x.size):
            x[m] = y[m]
            stages[0, m] = stages[12, m]
        clock[T] = after
        if tally.size > 0:
            tally_step(h, after, x, u, p, w, tally)
        if h > clock[LONGEST]:
            clock[LONGEST] = h
        count[STEPS] += 1
        factor = 10.0
        if error > 0.0:
            factor = min(10.0, 0.9 * error**-0.125)
        if count[RETRY] != 0:
            factor = min(factor, 1.0)
            count[RETRY] = 0
        proposed = h * factor
        clock[H] = max(proposed, clock[H]) if cut and factor >= 1.0 else proposed
        if cut:
            return 0


@kernel(inline=True)
def _at_once(t_next, x, u, p, clock, count, out_t):
    """Go to t_next in one go if nothing is asked for on the way and it is simple enough; whether that was done."""
    if count[METHOD] != RK4 or count[SEGMENT_N] != 0 or not _is_free(p):
        return False
    if count[KOUT] < count[N_OUT] and out_t[count[KOUT]] < t_next:
        return False
    n = _how_many(t_next, clock)
    if count[STEPS] + n > count[BUDGET]:
        return False
    h = t_next - clock[T]
    if n > 1:
        h /= n
    drift = rk4_free_steps(p[LEDGER] != 0.0, h, n, x, u, p)
    if not drift < 1e300:
        return False
    if drift > clock[NORM_DRIFT]:
        clock[NORM_DRIFT] = drift
    clock[T] = t_next
    count[STEPS] += n
    return True


@kernel(inline=True)
def integrate_segment(
    t_next, user, w, x, u, p, clock, count, floors, stages, dense, implicit, y, out, out_t, out_x, out_u, tally
):
    """From here to t_next without a breakpoint between; 0 when there, else why it stopped."""
    if _at_once(t_next, x, u, p, clock, count, out_t):
        return 0
    # where rows within the step to come are there already, it is taken again and its start has been looked at
    if tally.size > 0 and not (count[KOUT] > 0 and out_t[count[KOUT] - 1] > clock[T]):
        tally_start(clock[T], x, u, p, w, tally)
    if count[METHOD] == DOP853:
        return _adaptive(
            t_next, user, w, x, u, p, clock, count, floors, stages, dense, implicit, y, out, out_t, out_x, out_u, tally
        )
    return _fixed(t_next, user, w, x, u, p, clock, count, stages, dense, implicit, y, out, out_t, out_x, out_u, tally)
