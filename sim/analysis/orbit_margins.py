"""Margins of a sampled loop over an orbit, from Floquet multipliers and confirmed by nonlinear runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block, Law, Reference
from ...controllers.contracts.law_defaults import with_defaults
from ...controllers.loop.orbit_loop import OrbitLoop
from ...plant import Spacecraft
from ...plant.errors import DesignError
from ..results.run import Run
from ..results.run_warnings import LONG_AT_LIMIT
from ..runs.simulate import simulate
from .changed_law import ChangedLaw
from .floquet_result import OrbitMargin
from .operating_point import moved

Array = NDArray[np.float64]

SIDES = 0.02
"""Relative distance from a predicted margin at which a simulation has to decay or grow."""
PLACES = 8
"""Number of points of the orbit at which the margins of the frozen loop are computed."""
SEGMENTS = 32
"""Number of segments of the orbit in the search for margins; the plant is constant on each."""
LONGEST = 48
"""Longest delay margin that is computed, samples: each sample adds three states."""
WITHOUT = {"gain up": (1.05, 10.0), "gain down": (0.1, 0.95)}
"""Range in which the search for a margin begins if the frozen loops have none; it extends to 8 times as much."""
GROWN = 300.0
SEEN = 1.0  # smallest logarithm of a multiplier that a run over one orbit reveals
FAST = 6.0  # the same for a loop that is unstable on a part of the orbit, which the initial deviation excites little
ANGLE = 1e-5  # rad, initial deviation of the margin runs
GONE = 1e-6  # fraction of the initial deviation that counts as decayed
HELD = 1e-3  # the same with wheels: their changed momentum leaves a small oscillation at the orbital rate


class _Request(NamedTuple):
    """A margin to compute: input, kind, changed inputs (3,), and the margins of the frozen loops (none if empty)."""

    input: str
    kind: str
    on: Array
    frozen: list[float]

    @property
    def finite(self) -> list[float]:
        """The finite margins of the frozen loops."""
        return [value for value in self.frozen if 0.0 < value < np.inf]

    @property
    def places(self) -> tuple[float, float]:
        """Smallest and largest finite margin of the frozen loops; NaN if there are none."""
        return (min(self.finite), max(self.finite)) if self.finite else (float("nan"), float("nan"))


def orbit_margins(
    craft: Spacecraft,
    loop: OrbitLoop,
    law: Law,
    reference: Reference,
    blocks: Sequence[Block],
    start: Callable[[float], Array],
    progress: Callable[[float], None] | None,
) -> tuple[list[OrbitMargin], list[str]]:
    """Return the finite margins along the orbit, confirmed by simulation, and reasons for missing ones."""
    if loop.monodromy().largest() >= 0.0:
        return [], ["the loop is not stable along the orbit, so it has no margins"]
    changing = bool(with_defaults(law).no_margins)  # only the law frozen at a time has a linear form
    try:
        requests = _of_all_inputs() if changing else _of_frozen_loops(loop)
    except DesignError as error:
        return [], [f"the loop frozen at a place of the orbit has no margins: {error}"]
    segments = None if changing else SEGMENTS
    rows: list[OrbitMargin] = []
    missing: list[str] = []
    for done, request in enumerate(requests):
        late = max(request.finite, default=0.0) if request.kind == "delay" else 0.0
        if late >= LONGEST * loop.sample:
            missing.append(
                f"the delay margin of {request.input} over the orbit was not computed: at fixed places it is up to "
                f"{late:.4g} s, {late / loop.sample:.4g} samples, and the limit is {LONGEST}, since each sample of "
                "delay adds three states; a longer sampling period gives fewer samples"
            )
            continue
        edge = None if request.frozen and not request.finite else _edge_of(request, loop, segments)
        if edge is not None:
            confirmed = _confirmed(request, edge, loop, segments, craft, law, reference, blocks, start)
            rows.append(
                OrbitMargin(
                    input=request.input, kind=request.kind, predicted=edge, places=request.places, confirmed=confirmed
                )
            )
        if progress is not None:
            progress((done + 1) / len(requests))
    return rows, missing


def _of_frozen_loops(loop: OrbitLoop) -> list[_Request]:
    """Return each margin of the loops frozen at PLACES points of the orbit. Raises DesignError if one is unstable."""
    frozen = [loop.loop_at(loop.period * n / PLACES).margins() for n in range(PLACES)]
    requests: list[_Request] = []
    for n, axis in enumerate(frozen[0].axes):
        on = np.eye(3)[n]
        each = [margins.axes[n] for margins in frozen]
        requests.append(_Request(axis.input, "gain up", on, [float(a.gain_up) for a in each]))
        requests.append(_Request(axis.input, "gain down", on, [float(a.gain_down) for a in each]))
        requests.append(_Request(axis.input, "delay", on, [float(a.delay_s) for a in each]))
    requests.append(_Request("all", "delay", np.ones(3), [float(margins.delay_s) for margins in frozen]))
    return requests


def _of_all_inputs() -> list[_Request]:
    """Return the gain margins of all inputs, for a law whose frozen loops need not be stable."""
    return [_Request("all", kind, np.ones(3), []) for kind in ("gain up", "gain down")]


def _excess(request: _Request, loop: OrbitLoop, segments: int | None, value: float) -> float:
    """Return the logarithm of the largest multiplier with a changed gain or delay."""
    if request.kind == "delay":
        return loop.monodromy(late=value * request.on, segments=segments).largest()
    return loop.monodromy(factor=1.0 + (value - 1.0) * request.on, segments=segments).largest()


def _edge_of(request: _Request, loop: OrbitLoop, segments: int | None) -> float | None:
    """Return the margin over the orbit; None if there is none near the margins of the frozen loops."""
    low, high = request.places if request.finite else (WITHOUT[request.kind])
    return _edge(lambda value: _excess(request, loop, segments, value), low, high, rising=request.kind != "gain down")


def _confirmed(
    request: _Request,
    edge: float,
    loop: OrbitLoop,
    segments: int | None,
    craft: Spacecraft,
    law: Law,
    reference: Reference,
    blocks: Sequence[Block],
    start: Callable[[float], Array],
) -> bool | None:
    """Return whether runs confirm a margin; None if the multipliers beside it are too close to 1."""
    sides = (1.0 - SIDES) * edge, (1.0 + SIDES) * edge
    excess = [_excess(request, loop, segments, value) for value in sides]
    if min(abs(each) for each in excess) < SEEN or (not request.frozen and max(excess) < FAST):
        return None
    grows = [
        _grows(
            craft, _changed(law, request.kind, value, request.on), reference=reference, blocks=blocks, x=start(0.0),
            duration=loop.period,
        )
        for value in sides
    ]  # fmt: skip
    return grows == ([True, False] if request.kind == "gain down" else [False, True])


def _edge(excess: Callable[[float], float], low: float, high: float, *, rising: bool) -> float | None:
    """Return the value, between or near the frozen loops' margins, at which the excess changes sign."""
    from scipy import optimize

    sign = 1.0 if rising else -1.0
    low, high = 0.98 * low, 1.02 * high
    for _ in range(8):
        below, above = sign * excess(low), sign * excess(high)
        if below < 0.0 < above:

            def signed(value: float) -> float:
                return sign * excess(value)

            return float(cast("Any", optimize).brentq(signed, low, high, xtol=1e-4 * low, rtol=1e-4))
        low, high = low / 1.3 if below >= 0.0 else low, high * 1.3 if above <= 0.0 else high
    return None


def _grows(
    craft: Spacecraft, law: ChangedLaw, *, reference: Reference, blocks: Sequence[Block], x: Array, duration: float
) -> bool:
    """Return whether the difference between two runs that start a small angle apart grows along the orbit.

    Both runs have the same disturbances and the same random numbers. Actuators at their limits bound the difference: a
    deviation that keeps them there has grown, since the deviation at the start does not.
    """
    h = law.sample
    times = h * np.arange(int(duration / h * (1.0 - 1e-12)) + 1)
    runs = [
        simulate(
            craft, law, state=state, reference=reference, blocks=blocks, duration=duration, output_times=times,
            integrator="rk8", step=h, ledger=False, seed=0,
        )
        for state in (x, moved(craft, x, ANGLE * np.array((0.6, 0.64, 0.48)), np.zeros(3)))
    ]  # fmt: skip
    errors = [run.values("error_vector") for run in runs]
    if len(errors[0]) != len(errors[1]) or len(errors[0]) < len(times):  # a diverged run ends early
        return True
    if any(at_limits(run) for run in runs):
        return True
    apart = np.linalg.norm(errors[1] - errors[0], axis=1)
    quarter = len(apart) // 4
    if not np.isfinite(apart).all() or float(apart.max()) > GROWN * ANGLE:
        return True
    if craft.torques.internal and float(apart[3 * quarter :].max()) < HELD * ANGLE:
        return False
    third, last = float(apart[2 * quarter : 3 * quarter].max()), float(apart[3 * quarter :].max())
    return last > GONE * ANGLE and last > third


def at_limits(run: Run) -> bool:
    """Return whether an actuator was at a limit for more than LONG_AT_LIMIT of a run."""
    times = [run.counters.get(f"{label}_{each.whole_name}_s", 0.0) for label, each in run.signals if each.limit]
    return max(times, default=0.0) > LONG_AT_LIMIT * run.end_time


def _changed(law: Law, kind: str, value: float, on: Array) -> ChangedLaw:
    if kind == "delay":
        ticks = min(int(np.ceil(law.sample / (0.005 * value))), 500)
        ticks = next(each for each in (1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100, 125, 200, 250, 500) if each >= ticks)
        return ChangedLaw(law, late=value * on, ticks=ticks)
    return ChangedLaw(law, factor=1.0 + (value - 1.0) * on)
