"""Simulation to a required accuracy: repeated runs with smaller errors until two of them agree."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...controllers import Law
from ...plant import Spacecraft
from ...plant.attitude import attitude_error, rotation_angle
from ...plant.checks import positive
from ...plant.errors import InputError
from ..engine.steppers.elliptic import STEPPER as EXACT
from ..engine.steppers.elliptic import rounding_of_motion
from ..engine.steppers.kinds import INTEGRATORS
from ..engine.steppers.resolving_step import default_integrator, resolving_step
from ..engine.steppers.scheme import Scheme
from .simulate import simulate

if TYPE_CHECKING:
    from ..results.run import Run

EPSILON = 2.0**-52
FINEST = 2.0**-49  # smallest rtol: below it, round-off causes the rejection of every step
APART = 8.0  # ratio of the tolerances of the two compared runs
CLOCKED = 256.0  # the same ratio for runs with a clock: it halves the step at the eighth order of dop853
PAIRS = 8
HALVINGS = 3


def simulate_to_accuracy(
    craft: Spacecraft,
    law: Law | None = None,
    *,
    accuracy: float,
    integrator: str = "auto",
    step: float | None = None,
    rtol: float | None = None,
    **settings: Any,
) -> "Run":
    """Simulate a spacecraft to a required attitude accuracy.

    Two runs are compared. Their tolerances differ by a factor of 8 (256 if there is a law or a block), or the step of
    the second run is half the first run's step. The largest attitude difference in any row determines the next, finer
    pair, until the two runs of a pair agree. A step tolerance does not bound the global error: the error of a tumbling
    body grows with the square of the time.

    Parameters
    ----------
    craft, law
        As in `simulate`.
    accuracy : float
        Largest admissible angle between the computed and the exact attitude at any row, rad.
    integrator : str
        One of `INTEGRATORS`, or "auto": elliptic for a free rigid body, gauss4 for a spacecraft with flexible arms,
        otherwise dop853.
    step : float, optional
        First fixed step, s. Required by fixed-step methods, except implicit methods with flexible arms.
    rtol : float, optional
        First tolerance of dop853; by default a thousandth of the accuracy.
    **settings
        Other arguments of `simulate`, except stream and real_time.

    Returns
    -------
    Run
        The finer run of the best pair. `run.counters["attitude_accuracy_rad"]` is the largest angle between the
        attitudes of the two runs, but at least the bound on round-off. This value exceeds the error as long as errors
        decrease with step or tolerance. `run.scheme` holds the integrator, step and tolerance. If the accuracy was
        not reached, a warning gives the reason. The elliptic integrator runs once, and the value is the bound on
        round-off.

    Raises
    ------
    InputError
        As in `simulate`; when the accuracy is not positive; when stream, real_time or an exact integrator is given.

    Notes
    -----
    Only integration errors count. With a discontinuity (on-off thrusters, a limit that is just reached), a small
    error may lead to a different motion. Then no two runs agree, and the run carries a warning.

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> run = simulate_to_accuracy(craft, accuracy=1e-8, rate=(0.1, 2.0, 0.1), duration=5.0, compiled=False)
    >>> run.counters["attitude_accuracy_rad"] < 1e-8
    True
    """
    wanted = positive("accuracy", accuracy, "rad")
    if settings.get("real_time") is not None:
        raise InputError("a required accuracy needs several runs, but real_time applies to a single run; omit it")
    if settings.get("stream") is not None:
        raise InputError(
            "a required accuracy needs several runs, but a stream stores one: omit it, then simulate again with the "
            "integrator, step and rtol of run.scheme"
        )
    if integrator == "auto" and step is None and rtol is None and law is None:
        exact = _in_closed_form(craft, wanted, settings)
        if exact is not None:
            return exact
    method = integrator if integrator != "auto" else default_integrator(craft)
    _check_method(method)
    adaptive = INTEGRATORS[method].adaptive
    size = _first_size(craft, method, wanted, step=step, rtol=rtol)

    def fly(at: float, longest: float | None = None) -> "Run":
        finely: dict[str, Any] = {"rtol": at, "step": longest} if adaptive else {"step": at}
        return simulate(craft, law, integrator=method, **finely, **settings)

    def pair(at: float, longest: float | None) -> "tuple[Run, Run]":
        coarse = fly(at, longest)
        steps = coarse.counters["steps"]
        if coarse.status == "stopped" or not steps:
            return coarse, coarse
        # A clock divides its period into whole steps: with nearly equal tolerances, both runs would take equal steps
        # and make equal errors. Thus the longest step is halved, and the tolerances differ so much that all other steps
        # differ too.
        if adaptive:
            ratio = CLOCKED if law is not None or settings.get("blocks") else apart
            return coarse, fly(max(at / ratio, finest), 0.5 * coarse.counters["longest_adaptive_step"])
        return coarse, fly(min(at / apart, 0.5 * float(coarse.t[-1]) / steps))

    order, apart, finest = (0.9, APART, FINEST) if adaptive else (float(INTEGRATORS[method].order), 2.0, 0.0)
    reached, best, longest, halved = np.inf, None, step, 0
    for _ in range(PAIRS):
        size = max(size, finest * apart)
        coarse, fine = pair(size, longest)
        if fine.status == "stopped":
            return _with_accuracy(fine, wanted, np.inf)
        found = max(_difference(coarse, fine), _rounding(fine, held=law is not None))
        stuck = found > 0.5 * reached
        if best is None or found < reached:
            best, reached = fine, found
        if reached <= wanted or size <= finest * apart or (stuck and halved == HALVINGS):
            break
        if stuck:  # a smaller tolerance does not help: the clock limits the steps that cause the error
            longest, halved = fine.scheme.step, halved + 1
        size *= _refinement(wanted, found, order, apart)
    assert best is not None  # noqa: S101 # at least one pair was computed
    return _with_accuracy(best, wanted, reached)


def _first_size(craft: Spacecraft, method: str, wanted: float, *, step: float | None, rtol: float | None) -> float:
    """Return the tolerance (adaptive) or step (s) of the first run."""
    if INTEGRATORS[method].adaptive:
        return rtol if rtol is not None else float(np.clip(1e-3 * wanted, 1e-13, 1e-6))
    first = step if step is not None or not INTEGRATORS[method].implicit else resolving_step(craft)
    return Scheme(method, step=first).step or 0.0


def _check_method(method: str) -> None:
    """Raise InputError if an integrator is unknown, or has no error that depends on its step."""
    if method not in INTEGRATORS:
        Scheme(method)  # raises the error
    if INTEGRATORS[method].exact:
        raise InputError(
            f"integrator {method!r} has no step error that finer steps could reduce, and reports its rounding "
            "itself; omit the accuracy"
        )


def _refinement(wanted: float, found: float, order: float, apart: float) -> float:
    """Return the factor from a step or tolerance to the next one, for the accuracy found.

    It aims at half the required accuracy, and refines at least by the ratio of the pair, at most by a factor of 1000.
    """
    if not np.isfinite(found):
        return 0.1
    return float(np.clip((0.5 * wanted / found) ** (1.0 / order), 1e-3, 1.0 / apart))


def _in_closed_form(craft: Spacecraft, wanted: float, settings: dict[str, Any]) -> "Run | None":
    """Return the exact motion of a free rigid body; None for other plants, or if round-off is too large."""
    refuse = EXACT.refuse
    blocks: Any = settings.get("blocks")
    exerted = isinstance(blocks, Sequence) and any(getattr(block, "torque", "") for block in blocks)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] # of anything
    driven = exerted or settings.get("torques") or settings.get("formulation") is not None
    if driven or refuse is None or refuse(craft, driven="", view=""):
        return None
    run = simulate(craft, integrator=EXACT.name, **settings)
    if run.status == "stopped":
        return _with_accuracy(run, wanted, np.inf)
    reached = rounding_of_motion(craft, run.start[: craft.layout.size], float(run.t[-1]))
    return _with_accuracy(run, wanted, reached) if reached <= wanted else None


def _rounding(run: "Run", *, held: bool) -> float:
    """Return a bound on the attitude error from round-off, rad, which comparing two runs may not reveal.

    The bound grows with the number of steps. Without a law, it also grows as the square of the angle of rotation:
    rounding the rates of change adds a momentum error of one unit in the last place per radian, and a momentum error
    keeps rotating the body.
    """
    turned = 0.0 if held else float(np.linalg.norm(run.values("rate"), axis=1).max() * run.t[-1])
    return EPSILON * (run.counters["steps"] + turned**2)


def _difference(one: "Run", other: "Run") -> float:
    """Return the largest attitude difference of two runs, rad; infinite if they ended differently."""
    rows = min(one.t.size, other.t.size)
    if one.status != other.status or not np.array_equal(one.t[: rows - 1], other.t[: rows - 1]):
        return np.inf
    last = rows if one.t[rows - 1] == other.t[rows - 1] else rows - 1
    apart = rotation_angle(attitude_error(one.values("attitude")[:last], other.values("attitude")[:last]))
    return float(apart.max(initial=0.0))


def _with_accuracy(run: "Run", wanted: float, reached: float) -> "Run":
    warnings = run.warnings
    if not reached <= wanted:
        text = f"is {reached:.2g} rad" if np.isfinite(reached) else "is unknown: no two runs ended in the same way"
        words = (
            f"the required accuracy of {wanted:g} rad was not reached; the accuracy with "
            f"{_setting(run.scheme)} {text}. Round-off, or a motion that doubles every "
            "error in a short time, limits the accuracy: use a shorter run or a different integrator"
        )
        warnings = (words, *warnings)
    from ..results.ending import COUNTER

    counters = {**run.counters, COUNTER: float(reached)}
    return replace(run, end_report=replace(run.ended, warnings=warnings, counters=counters, looked=True))


def _setting(scheme: Scheme) -> str:
    if scheme.stepper.exact:
        return scheme.integrator
    size = f"rtol {scheme.rtol:.2g}" if scheme.stepper.adaptive else f"a step of {scheme.step:.4g} s"
    return f"{scheme.integrator} at {size}"
