"""Integrate the motion of a flexible satellite."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.attitude import rotation_matrix
from ...plant.checks import choice, positive, vector
from ...plant.errors import InputError
from ...plant.flexible import FlexibleSatellite
from ...plant.user_loads import function_name
from . import advance as at
from .run import FlexibleRun
from .stability import EXPLICIT, stable_step
from .stretch import METHODS, Stepper
from .torque import HubTorque, no_torque

__all__ = ["HubLaw", "simulate_flexible"]

Array = NDArray[np.float64]

HubLaw = Callable[[float, Array, Array], ArrayLike]
"""law(t, attitude, rate): the hub's torque (hub axes, N m) held until the next sample."""

LAW_FAILED = 3  # beside what `advance` returns
MAX_STEPS = 1_000_000_000
MAX_ROWS = 2_000_000
STEPS_PER_CALL = 10_000  # about a second between looks at the keyboard
STOPPED = -1  # by the user; beside the codes of `advance`


def simulate_flexible(
    satellite: FlexibleSatellite,
    state: ArrayLike | None = None,
    *,
    duration: float,
    rate: ArrayLike = (0.0, 0.0, 0.0),
    attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    torque: HubTorque | None = None,
    law: HubLaw | None = None,
    sample: float | None = None,
    method: str = "gauss4",
    step: float | None = None,
    output: float | None = None,
    at: Sequence[float] = (),
    tolerance: float = 1e-12,
    compiled: bool = True,
) -> FlexibleRun:
    """Return the motion of a hub with flexible arms from t = 0.

    "gauss4" (two-stage Gauss collocation, order 4) and "midpoint" (one stage, order 2) are implicit: they resolve the
    motion that the step resolves and leave the axial modes of the mesh alone, and keep momentum to round-off. "rk4" and
    "rk8" are explicit and must resolve every mode of the mesh; they are there to check with.

    Parameters
    ----------
    satellite : FlexibleSatellite
        Hub and arms.
    state : array_like, shape (positions + degrees,), optional
        Start, from `FlexibleSatellite.state` or `state_of`; the undeformed satellite turning as one if left out.
    duration : float
        s.
    rate : array_like, shape (3,)
        Start without a state: rate, hub axes, rad/s.
    attitude : array_like, shape (4,)
        Start without a state: Euler parameters, scalar first.
    torque : HubTorque, optional
        On the hub, as a function of time.
    law : callable, optional
        law(t, attitude, rate) returns a torque that is held until the next sample; it adds to `torque`.
    sample : float, optional
        Sample period of the law, s.
    method : str
        "gauss4", "midpoint", "rk4" or "rk8".
    step : float, optional
        The longest step, s; stretches between samples and breakpoints are divided evenly. If left out, a twentieth of
        the period of the lowest elastic mode, or for explicit methods four fifths of the largest stable step.
    output : float, optional
        Period of the rows, s, rounded to whole steps (whole samples with a law); a five-hundredth of the duration if
        left out.
    at : sequence of float
        Further times of rows, s; steps end there.
    tolerance : float
        Of the implicit equations, relative to the largest speed.
    compiled : bool
        False runs the same source as plain Python.

    Returns
    -------
    FlexibleRun
        Labelled results and how it ended.

    Raises
    ------
    InputError
        When something given is out of range or unknown, or the step is too large for an explicit method.

    Examples
    --------
    >>> from polhode.plant import RigidBody
    >>> from polhode.plant.flexible import Arm, BeamSection
    >>> section = BeamSection(
    ...     area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, elastic_modulus=7.17e10,
    ...     shear_modulus=2.68e10, density=2.8e3,
    ... )
    >>> arm = Arm(section=section, length=2.0, elements=1, direction=(1, 0, 0), root=(0.1, 0, 0))
    >>> craft = FlexibleSatellite(RigidBody(0.149 * np.eye(3), mass=22.4), arms=[arm])
    >>> run = simulate_flexible(craft, rate=(0, 0.1, 0), duration=0.02, step=0.01, compiled=False)
    >>> run.status, run.values("rate")[-1].round(3)
    ('completed', array([0. , 0.1, 0. ]))
    """
    span = positive("duration", duration, "s")
    choice("method", method, METHODS)
    h = _step(satellite, method, step)
    if (law is None) != (sample is None):
        raise InputError("a law needs its sample period and a sample period a law: give law=... and sample=... (s)")
    period = span / 500.0 if output is None else positive("output", output, "s")
    start = satellite.state(attitude=attitude, rate=rate) if state is None else np.asarray(state, dtype=np.float64)
    start = vector("state", start, satellite.positions + satellite.degrees)
    acting = HubTorque(function=no_torque) if torque is None else torque
    wanted = vector("times of rows", at, len(at), unit="s") if len(at) else np.zeros(0)
    if wanted.size and not 0.0 <= wanted.min() <= wanted.max() <= span:
        outside = next(float(t) for t in wanted if not 0.0 <= t <= span)
        raise InputError(f"a row is wanted at {outside:g} s, outside the run from 0 to {span:g} s")
    points = _points(span, acting, None if sample is None else positive("sample", sample, "s"), wanted=wanted)
    count = np.maximum(1.0, np.ceil(np.diff(points) / h * (1.0 - 1e-9)))
    if not count.sum() <= MAX_STEPS:
        raise InputError(f"a step of {h:g} s makes {count.sum():.4g} steps, more than {MAX_STEPS:,}; take a longer one")
    steps = count.astype(np.int64)
    every = np.maximum(1, np.round(period / (np.diff(points) / steps))).astype(np.int64)
    rows = int(np.ceil(steps / every).sum()) + 2
    if rows > MAX_ROWS:
        raise InputError(f"an output every {period:g} s makes {rows:,} rows, more than {MAX_ROWS:,}; take a longer one")
    stepper = Stepper(
        satellite,
        x=start,
        method=method,
        torque=acting.function,
        torque_parameters=acting.parameters,
        tolerance=positive("tolerance", tolerance),
        rows=rows,
        compiled=compiled,
    )
    ended = _run(stepper, points, steps=steps, every=every, law=law, sample=sample, period=period, wanted=wanted)
    return _read(stepper, ended, method=method, step=float((np.diff(points) / steps).max()))


def _step(satellite: FlexibleSatellite, method: str, step: float | None) -> float:
    if method not in EXPLICIT:
        if step is not None:
            return positive("step", step, "s")
        slowest = float(satellite.modes(count=7).hertz[0])
        if not slowest > 0.0:
            raise InputError("the arms' slowest mode has no frequency in double precision; check sections and moduli")
        return 0.05 / slowest
    largest = stable_step(satellite, method)
    if step is None:
        return 0.8 * largest
    if positive("step", step, "s") > largest:
        raise InputError(
            f"a step of {step:g} s is too large for {method!r}: the fastest mode of this mesh has "
            f"{satellite.modes().hertz[-1]:.6g} Hz, and the largest stable step is {largest:.4g} s; take that, or "
            "the implicit 'gauss4', which has no such limit"
        )
    return float(step)


def _points(duration: float, torque: HubTorque, sample: float | None, *, wanted: Array) -> Array:
    edges = [*wanted, 0.0, duration, *(edge for edge in torque.breakpoints if 0.0 < edge < duration)]
    if sample is not None:
        edges += [k * sample for k in range(1, math.ceil(duration / sample * (1.0 - 1e-12)))]
    points = np.unique(np.array(edges, dtype=np.float64))
    return points[np.concatenate(((True,), np.diff(points) > 1e-12 * duration))]


def _asked(wanted: Array, t: float) -> bool:
    return bool(wanted.size and np.abs(wanted - t).min() <= 1e-12 * max(1.0, t))


def _run(
    stepper: Stepper,
    points: Array,
    *,
    steps: NDArray[np.int64],
    every: NDArray[np.int64],
    law: HubLaw | None,
    sample: float | None,
    period: float,
    wanted: Array,
) -> int:
    taken, due = 0, 0.0
    for k in range(points.size - 1):
        a, b = float(points[k]), float(points[k + 1])
        if law is not None and sample is not None and a >= taken * sample * (1.0 - 1e-12):
            R = rotation_matrix(stepper.x[3:7] / np.sqrt(stepper.x[3:7] @ stepper.x[3:7]))
            rate = R.T @ stepper.velocities()[3:6]
            try:
                stepper.hold[:] = vector("the law's torque", law(a, stepper.x[3:7].copy(), rate), unit="N m")
            except Exception as error:
                kind = "" if isinstance(error, InputError) else f"it raised {type(error).__name__}: "
                stepper.complaint = f"the law failed at t = {a:.9g} s: {kind}{error}"
                if k == 0:  # with nothing to keep it is an error like any other
                    raise InputError(stepper.complaint) from error
                return LAW_FAILED
            taken += 1
        if k == 0:
            stepper.record(0.0)
            due = period
        try:
            ended = _stretch(stepper, a, b, steps=int(steps[k]), every=int(every[k]))
        except KeyboardInterrupt:
            return STOPPED
        if ended != at.DONE:
            return ended
        if (
            law is not None
            and every[k] >= steps[k]
            and b < points[-1]
            and b < due * (1.0 - 1e-12)
            and not _asked(wanted, b)
        ):
            stepper.drop()  # rows are wanted less often than samples
        elif b >= due * (1.0 - 1e-12):
            due = (math.floor(b / period * (1.0 + 1e-12)) + 1) * period
    return at.DONE


def _stretch(stepper: Stepper, a: float, b: float, *, steps: int, every: int) -> int:
    """Run from a to b, looking at the keyboard now and then; a row for every so many steps, and one at b."""
    piece = max(every, STEPS_PER_CALL // every * every)
    done = 0
    while steps - done > piece:
        start, stop = (a + (b - a) * (n / steps) for n in (done, done + piece))
        ended = stepper.run(start, stop, steps=piece, every=every)
        if ended != at.DONE:
            return ended
        done += piece
    return stepper.run(a + (b - a) * (done / steps), b, steps=steps - done, every=every)


def _read(stepper: Stepper, ended: int, *, method: str, step: float) -> FlexibleRun:
    n = int(stepper.plan[at.ROW])
    status, reason = "completed", ""
    now = float(stepper.clock[at.NOW])
    if ended == at.NOT_FINITE:
        status = "failed"
        why = f"the step of {step:g} s is too large, or the torque is not finite there"
        if stepper.complaint:
            why = f"the torque {function_name(stepper.torque)!r} raised {stepper.complaint}"
        reason = f"the state was no longer finite after t = {now:.9g} s: {why}"
    elif ended == LAW_FAILED:
        status, reason = "failed", stepper.complaint
    elif ended == at.NOT_CONVERGED:
        status = "failed"
        reason = (
            f"the implicit equations of the step after t = {now:.9g} s found no solution with a step of {step:.4g} s: "
            f"take one of {0.4 * step:.2g} s or less (run.step_s in a case)"
        )
    elif ended == STOPPED:
        status, reason = "stopped", f"stopped by the user at t = {float(stepper.out_t[n - 1]):.9g} s"
    return FlexibleRun(
        satellite=stepper.satellite,
        t=stepper.out_t[:n].copy(),
        x=stepper.out_x[:n].copy(),
        nu=stepper.out_nu[:n].copy(),
        energies=stepper.out_e[:n].copy(),
        torque=stepper.out_u[:n].copy(),
        lowest=stepper.out_low[:n].copy(),
        highest=stepper.out_high[:n].copy(),
        swing=stepper.out_swing[:n].copy(),
        method=method,
        step=step,
        steps=int(stepper.taken),
        iterations=int(stepper.plan[at.ITERATIONS]),
        status=status,
        reason=reason,
    )
