"""Planning of a time-optimal slew: settings, search from several starts, and the resulting plan."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import DesignError
from ....plant.frozen import frozen_arrays
from ..sampled_reference import SampledReference
from ..turn_limits import ramped_turn
from .slew_check import CONE_TOLERANCE, SlewCheck, check_slew
from .slew_table import eigenaxis_table, held_table
from .starts import guess

if TYPE_CHECKING:
    from .slew_problem import SlewProblem
    from .transcription import Solution

Array = NDArray[np.float64]

EIGENAXIS = -1
"""Index of the start if the eigenaxis slew itself is the plan."""

ROUNDS = 4
"""Maximum number of solutions of the program; each reduces the limits by the excess found in the last check."""

TIE = 1e-6
"""Relative improvement over the eigenaxis slew that is within the tolerance of the solver."""

SUCCESS = ("Solve_Succeeded", "Solved_To_Acceptable_Level")


@dataclass(frozen=True, kw_only=True)
class PlanSettings:
    """Settings of the search: intervals, starts, seed, and the accepted excess as a fraction of a limit."""

    intervals: int
    starts: int
    seed: int
    tolerance: float


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class SlewPlan:
    """Planned slew.

    Attributes
    ----------
    t : numpy.ndarray, shape (n,)
        Times since the beginning, s.
    attitude : numpy.ndarray, shape (n, 4)
        Euler parameters.
    rate : numpy.ndarray, shape (n, 3)
        Body rate, rad/s.
    start : int
        Best start: 0 for the eigenaxis as initial guess, k for random guess k, -1 for the eigenaxis slew itself.
    durations : numpy.ndarray, shape (starts,)
        Duration found from each start, s; NaN if the solver failed.
    eigenaxis : float
        Duration of the eigenaxis slew under the same limits, s; NaN if this slew enters a cone, or if wheels carry a
        nonzero total momentum.
    residual : float
        Largest violation of the optimality (KKT) conditions of the scaled program; 0 for the eigenaxis slew.
    check : SlewCheck
        Extremes between the samples.
    """

    t: Array
    attitude: Array
    rate: Array
    start: int
    durations: Array
    eigenaxis: float
    residual: float
    check: SlewCheck

    @property
    def duration(self) -> float:
        """Duration, s."""
        return float(self.t[-1])

    @property
    def reference(self) -> SampledReference:
        """The plan as a reference that begins at time 0."""
        return SampledReference(self.t, self.attitude, rate=self.rate)

    def lines(self, problem: SlewProblem) -> list[str]:
        """Return a report of the plan.

        Parameters
        ----------
        problem : SlewProblem
            The slew, for the names of its cones.

        Returns
        -------
        list of str
            One statement per line.
        """
        solved = int(np.isfinite(self.durations).sum())
        eigen = (
            f"{self.eigenaxis:.6f} s" if isfinite(self.eigenaxis) else "not possible (a cone, or the total momentum)"
        )
        if self.start == EIGENAXIS:
            won = "the eigenaxis slew itself: no start improved it"
        else:
            won = (
                f"start {self.start} ({'random' if self.start else 'the eigenaxis'}); KKT residual {self.residual:.1e}"
            )
        return [
            f"duration {self.duration:.6f} s; eigenaxis slew under the same limits: {eigen}",
            f"best of {solved} solved starts of {len(self.durations)}: {won}",
            *self.check.lines(problem),
        ]


def plan_slew(problem: SlewProblem, settings: PlanSettings) -> SlewPlan:
    """Return the fastest slew found from all starts.

    problem: the slew; settings: settings of the search. Raises DesignError when no start leads to a solution, or the
    check between samples fails.
    """
    from .transcription import Collocation

    turn = problem.misses(problem.start)
    angle = float(np.linalg.norm(turn))
    scale = problem.limits.time_scale(angle)
    eigen = _eigenaxis(problem, turn)
    uniform = Collocation(problem, count=settings.intervals, free=False, scale=scale)
    solutions: list[Solution] = []
    for start in range(settings.starts):
        first = guess(problem, count=settings.intervals, duration=scale, start=start, seed=settings.seed)
        solutions.append(uniform.solve(*first))
    durations = np.array([each.duration if each.status in SUCCESS else np.nan for each in solutions])
    none = f"none of {settings.starts} starts led to a slew within the limits (IPOPT: {solutions[0].status})"
    way_out = "give more starts or intervals, or relax a cone or limit"
    if not np.isfinite(durations).any():
        if eigen is not None:
            return _of_eigenaxis(eigen, durations)
        raise DesignError(f"slew: {none}; {way_out}")
    winner = int(np.nanargmin(durations))
    plan = _refined(problem, settings, solutions[winner], scale)
    if eigen is not None and (plan is None or eigen[0][-1] <= plan[0][-1] * (1.0 + TIE)):
        return _of_eigenaxis(eigen, durations)
    if plan is None or not plan[3].acceptable(settings.tolerance):
        excess = "" if plan is None else "; ".join(plan[3].lines(problem))
        raise DesignError(
            f"slew: between the samples the best plan exceeds a limit by more than {settings.tolerance:g} times that "
            f"limit, or violates a cone by more than {CONE_TOLERANCE:g} rad ({excess}); {way_out}"
        )
    t, e, w, check, residual = plan
    eigenaxis = np.nan if eigen is None else float(eigen[0][-1])
    return SlewPlan(
        t=t, attitude=e, rate=w, start=winner, durations=durations, eigenaxis=eigenaxis, residual=residual, check=check
    )


def _refined(
    problem: SlewProblem, settings: PlanSettings, solution: Solution, scale: float
) -> tuple[Array, Array, Array, SlewCheck, float] | None:
    """Return table, check and residual of the fastest slew with free intervals that passes the check."""
    from .transcription import Collocation

    slack = (0.0, 0.0, 0.0, 0.0)
    found = None
    for _ in range(ROUNDS):
        shapes: tuple[bool, ...] = (True, False)
        for free in shapes:
            program = Collocation(problem, count=settings.intervals, free=free, scale=scale, slack=slack)
            better = program.solve(solution.steps, solution.torque, solution.attitude, solution.rate)
            if better.status in SUCCESS:
                break
        else:
            return found
        t, e, w = held_table(problem, better)
        check = check_slew(problem, SampledReference(t, e, rate=w))
        found = (t, e, w, check, better.residual)
        if check.acceptable(settings.tolerance):
            break
        torque, momentum, rate, cone = (a + 1.5 * b for a, b in zip(slack, check.excess, strict=True))
        slack = (torque, momentum, rate, cone)
    return found


def _eigenaxis(problem: SlewProblem, turn: Array) -> tuple[Array, Array, Array, SlewCheck] | None:
    """Return the eigenaxis slew and its check; None if that slew is not permitted."""
    angle = float(np.linalg.norm(turn))
    limits = problem.limits.turn(turn / angle)
    if limits is None:
        return None
    duration, peak, ramp = ramped_turn(limits, angle)
    if duration == inf:
        return None
    t, e, w = eigenaxis_table(problem, turn, peak=peak, ramp=ramp, duration=duration)
    check = check_slew(problem, SampledReference(t, e, rate=w))
    return (t, e, w, check) if check.excess[3] <= CONE_TOLERANCE else None


def _of_eigenaxis(eigen: tuple[Array, Array, Array, SlewCheck], durations: Array) -> SlewPlan:
    t, e, w, check = eigen
    return SlewPlan(
        t=t, attitude=e, rate=w, start=EIGENAXIS, durations=durations, eigenaxis=float(t[-1]), residual=0.0, check=check
    )
