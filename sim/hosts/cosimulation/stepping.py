"""Time stepping of a co-simulation, with fixed steps or steps adapted to the tolerance."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import InputError
from .coupling import Coupling, Known, coupled_start, coupled_step
from .joined import Joined
from .member import Member, member

Array = NDArray[np.float64]

GRID = 1e-9
"""Tolerance, as a fraction of a step, within which a duration counts as a whole number of steps."""

SHORTEST = 1e-7
"""Shortest step as a fraction of the longest step; if a shorter one is needed, the run ends."""

MODEST = 1e-3
"""Fraction of the nominal value that is added to an output's largest value to give the reference for its error."""


@dataclass(frozen=True)
class Plan:
    """Validated arguments of one co-simulation run.

    start, duration, step: times, s. tolerance: tolerance of each step; None for fixed steps. answer_within,
    start_within: time limits, s of wall-clock time. times: communication points, s; empty for multiples of the step.
    """

    start: float
    duration: float
    step: float
    coupling: Coupling
    tolerance: float | None
    answer_within: float
    start_within: float
    times: tuple[float, ...] = ()


@dataclass
class Rows:
    """Results of a run: times (s), outputs, reason for an early end, and number of repeated steps."""

    t: list[float]
    y: list[Array]
    status: str = "completed"
    reason: str = ""
    rejected: int = 0


def run_steps(system: Joined, plan: Plan) -> Rows:
    """Co-simulate a system, and return the results.

    An error during the run ends it, and the rows before the error are returned. Raises InputError if there are none.
    """
    rows = Rows([], [])
    with ExitStack() as stack:
        members = [
            stack.enter_context(
                member(face, system.inlets[name], answer_within=plan.answer_within, start_within=plan.start_within)
            )
            for name, face in system.faces.items()
        ]
        for each in members:  # they load in parallel
            each.greeted()
        rows.y.append(coupled_start(members, system, plan.start))
        rows.t.append(plan.start)
        steps = _even(members, system, plan, rows) if plan.tolerance is None else _chosen(members, system, plan, rows)
        try:
            for t, y in steps:
                rows.t.append(t)
                rows.y.append(y)
        except InputError as error:
            rows.status, rows.reason = "failed", str(error)
        except KeyboardInterrupt:
            rows.status, rows.reason = "stopped", f"interrupted at t = {rows.t[-1]:.9g} s"
    return rows


def _even(members: Sequence[Member], system: Joined, plan: Plan, rows: Rows) -> Iterator[tuple[float, Array]]:
    known = Known(plan.start, rows.y[0], np.zeros_like(rows.y[0]))
    for t in times_of(plan)[1:]:
        whole = abs(t - known.t - plan.step) < 1e-6 * plan.step
        h = plan.step if whole else t - known.t  # avoids the difference of two rounded times
        y = coupled_step(members, system, known, h, plan.coupling)
        yield t, y
        known = Known(t, y, (y - known.y) / h)


def times_of(plan: Plan) -> list[float]:
    """Return the communication points, s: those of the plan, or else multiples of the step and the end."""
    if plan.times:
        return list(plan.times)
    count = plan.duration / plan.step
    whole = round(count) if abs(count - round(count)) < GRID * max(count, 1.0) else int(count)
    times = [plan.start + n * plan.step for n in range(whole + 1)]
    end = plan.start + plan.duration
    return [*times[:-1], end] if abs(times[-1] - end) < 1e-6 * plan.step else [*times, end]


def halved(times: Sequence[float]) -> tuple[float, ...]:
    """Return communication points (s) with an additional point in the middle of each step."""
    steps = ((0.5 * (before + after), after) for before, after in pairwise(times))
    return (times[0], *chain.from_iterable(steps))


def _chosen(members: Sequence[Member], system: Joined, plan: Plan, rows: Rows) -> Iterator[tuple[float, Array]]:
    """Yield adaptive steps, with the error estimated by comparing a full step with two half steps."""
    assert plan.tolerance is not None  # noqa: S101 # checked by the caller
    order = 2 if plan.coupling.linear else 1
    end = plan.start + plan.duration
    known = Known(plan.start, rows.y[0], np.zeros_like(rows.y[0]))
    size, h = np.abs(known.y), plan.step
    while known.t < end - GRID * plan.step:
        left = end - known.t
        h = left if h > left * (1.0 - GRID) else min(h, 0.5 * left) if h > 0.5 * left else h
        for each in members:
            each.keep(known.t, 1)
        whole = coupled_step(members, system, known, h, plan.coupling)
        for each in members:
            each.back(known.t, 1)
        middle = coupled_step(members, system, known, 0.5 * h, plan.coupling)
        half = Known(known.t + 0.5 * h, middle, (middle - known.y) / (0.5 * h))
        y = coupled_step(members, system, half, 0.5 * h, plan.coupling)
        scale = plan.tolerance * (MODEST * system.nominal + np.maximum(size, np.abs(y)))
        errors = np.abs(y - whole) / ((2**order - 1) * scale)
        worst = float(errors.max(initial=0.0))
        if worst <= 1.0:
            t = end if h == left else known.t + h
            yield half.t, middle
            yield t, y
            known, size = Known(t, y, (y - middle) / (0.5 * h)), np.maximum(size, np.abs(y))
        else:
            rows.rejected += 1
            for each in members:
                each.back(known.t, 1)
        h = min(plan.step, h * min(2.0, max(0.2, 0.9 * max(worst, 1e-12) ** (-1.0 / (order + 1)))))
        if h < SHORTEST * plan.step:
            name = system.labels[int(np.argmax(errors))]
            raise InputError(
                f"at t = {known.t:.9g} s a step would have to be shorter than {SHORTEST:g} of the longest step to keep "
                f"{name} within the tolerance of {plan.tolerance:g}; the output is discontinuous there, or the "
                "tolerance is too small"
            )
