"""Search for the free parameters of a case, over rounds of counter-examples."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....controllers.designs.tuning import Goal, PoleRadius, Tuned, tune_loops
from ....controllers.designs.tuning.point import STEP, Point
from ....controllers.loop.sampled_loop import SampledLoop
from ....plant.errors import InputError
from ...report.margin_metrics import MARGINS
from ..campaigns.worst_craft import BUDGETS, WorstCraft, find_worst, is_linear
from ..kinds.design import design_plant, taken_as
from ..loader import LoadedCase
from ..schema import RequireTable
from .case_goals import (
    case_in,
    goals_of_tune,
    hard_goals,
    measure_for,
    measure_of,
    required_of_run,
    soft_goals,
)
from .case_loops import CaseLoops
from .case_runs import CaseRuns, RunGoal
from .free_parameters import FreeParameters
from .tuned_case import PROVABLE, Requirement, TunedCase

Array = NDArray[np.float64]

ROUNDS = 6  # largest number of rounds of counter-examples
CHECKS = 4  # largest number of searches that tighten bounds until polhode's own metrics meet them
ROOM = 1e-5  # relative distance from the bound that tightening aims for
UNMOVED = 1e-9  # largest derivative with respect to a scaled parameter that counts as zero
EXACT = 1e-9  # relative rounding error of a metric at its bound
SAME = 1e-12  # relative difference below which two loop matrices are equal
UNPROVEN = 0.006  # tightening of a bound met by the worst spacecraft found, but not proven for all; doubled each time


class CaseSearch:
    """Parameter search for one case, over rounds of counter-examples."""

    def __init__(
        self,
        loaded: LoadedCase,
        parameters: FreeParameters,
        *,
        starts: int,
        seed: int,
        progress: Callable[[float], None] | None,
    ) -> None:
        case = loaded.case
        self.loaded, self.parameters, self.progress = loaded, parameters, progress
        self.starts, self.seed = starts, seed
        self.run_stage = False
        self.run_goals: Sequence[RunGoal] = ()
        self.loops = CaseLoops(loaded, parameters)
        self.soft_mode = None if case.tune is None else case.tune.mode
        self.require, goals = hard_goals(case)
        start = {mode: at(parameters.start) for mode, at in self.loops.nominal.items()}
        self.more = goals_of_tune(case, start)
        self.hard: list[Goal] = [*goals, *(each.goal for each in self.more)]
        self.metric, self.soft, self.at_start = self._soft_goals(start.get(self.soft_mode))
        self.runs = CaseRuns(self.loops)
        table = case.tune
        wanted = table is not None and (table.minimise is not None or table.maximise is not None)
        self.deferred = wanted and not self.soft
        if not self.hard and not wanted and not self.runs.goals:
            bounds = [each for each in case.require if each.metric not in MARGINS]
            if bounds:
                raise InputError(
                    f"require: {bounds[0].metric} can be tuned to a positive bound only; give one, or another goal"
                )
            raise InputError("tuning needs a goal: give a [[require]], or tune.minimise")
        self.models = list(self.loops.nominal.values())
        self.modes = list(self.loops.nominal)  # mode of each model; the first models are the nominal ones
        self.tight = [1.0] * len(self.hard)
        self.unproven = [0] * len(self.hard)  # number of failed proofs of each hard goal
        self.bounds = [goal.bound for goal in self.hard]
        self.before = self._measured(parameters.start)

    def _soft_goals(self, loop: SampledLoop | None) -> tuple[str, list[Goal], float]:
        """Return metric, goals and value of the soft goal at the start; empty if its loop is missing or not stable."""
        if loop is None or float(abs(loop.poles()[0])) >= 1.0:
            return "", [], 0.0
        return soft_goals(case_in(self.loaded.case, self.soft_mode), loop)

    def mode_of(self, number: int) -> str | None:
        """Return the mode of a hard goal."""
        many = len(self.require)
        return self.require[number].mode if number < many else self.more[number - many].mode

    def measure(self, number: int, loop: SampledLoop) -> float:
        """Return the metric of a hard goal for a loop of its mode."""
        if number >= len(self.require):
            return self.more[number - len(self.require)].measure(loop)
        each = self.require[number]
        return measure_for(self.loaded.case, each)(loop)

    def _of_mode(self, goal: Goal, mode: str | None) -> tuple[int, ...]:
        """Return the indices of the models that must meet a goal: the nominal loop of its mode first."""
        found = tuple(n for n, each in enumerate(self.modes) if each == mode)
        return found if goal.every_model else found[:1]

    def _measured(self, x: Array) -> list[float]:
        """Return the metric of each hard goal for the nominal spacecraft; NaN if the loop is not stable."""
        loops = {mode: at(x) for mode, at in self.loops.nominal.items()}
        stable = {mode: float(abs(loop.poles()[0])) < 1.0 for mode, loop in loops.items()}
        modes = [self.mode_of(n) for n in range(len(self.hard))]
        return [self.measure(n, loops[mode]) if stable[mode] else np.nan for n, mode in enumerate(modes)]

    def run(self, *, worst: bool, sigmas: float, boxes: int) -> TunedCase:
        """Search for the best parameters; with `worst`, add counter-examples and repeat."""
        if worst:
            for each, goal in zip(self.require, self.hard, strict=False):
                goal.every_model |= each.metric in BUDGETS
        tuned = self._stabilised() if self.deferred else self.tuned(self.parameters.start, self.starts)
        found: dict[str, WorstCraft] = {}
        rounds = 0
        while worst and not tuned.interrupted and rounds < ROUNDS:
            rounds += 1
            try:
                found = self._worst(tuned.x, sigmas=sigmas, boxes=boxes, last=rounds == ROUNDS)
            except KeyboardInterrupt:
                tuned = replace(tuned, interrupted=True)
                break
            if rounds == ROUNDS or not self._learn(found):
                break
            found = {}  # of another law than the next one
            tuned = self.tuned(tuned.x, 1)
        searched = any(is_linear(each.metric) for each in self.require)
        return replace(self._result(tuned, found, rounds), unchecked=worst and searched and not found)

    def _stabilised(self) -> Tuned:
        """Search for the fastest poles that meet the hard goals, then from there for the soft goal.

        The soft goal has no value for the unstable loop of the case.
        """
        self.soft = [PoleRadius(bound=1.0, every_model=False)]
        first = self._searched(self.parameters.start, self.starts, ())
        self.soft = []
        if first.interrupted:
            return first
        self.metric, self.soft, _ = self._soft_goals(self.loops.nominal[self.soft_mode](first.x))
        self.at_start = np.nan
        return self.tuned(first.x, self.starts)

    def tuned(self, x: Array, starts: int) -> Tuned:
        """Search on the linear loop from x; if its run misses requirements, search on loop and run together.

        Runs are simulated only if the linear stage meets its own goals. A metric without a value, such as the settling
        time of a run that does not settle, has no gradient. The second search therefore starts from x instead of the
        first result if more metrics have a value at x; metrics without a value are omitted.
        """
        tuned = self._searched(x, starts, ())
        if tuned.interrupted or not tuned.met or not self.runs.unmet(tuned.x):
            return tuned
        self.run_stage = True
        begin = max((tuned.x, x), key=lambda each: len(self.runs.defined(each)))
        return self._searched(begin, 1, self.runs.defined(begin))

    def _searched(self, x: Array, starts: int, runs: Sequence[RunGoal]) -> Tuned:
        """Search from x, then tighten the bounds until polhode's own metrics meet the requirements.

        runs: goals on the run.
        """
        tuned: Tuned | None = None
        self.run_goals = runs
        for n, goal in enumerate(self.hard):
            goal.models = self._of_mode(goal, self.mode_of(n))
        for goal in self.soft:
            goal.models = self._of_mode(goal, self.soft_mode)
        for check in range(CHECKS):
            for goal, bound, factor, failed in zip(self.hard, self.bounds, self.tight, self.unproven, strict=True):
                goal.bound = _tightened(goal, bound, factor * (1.0 + UNPROVEN * 2.0 ** (failed - 1) * (failed > 0)))
            tuned = tune_loops(
                self.models,
                x,
                low=self.parameters.low,
                high=self.parameters.high,
                hard=[*self.hard, *(each.goal for each in runs)],
                soft=self.soft,
                origin=self.parameters.start,
                starts=starts if check == 0 else 1,
                seed=self.seed,
                progress=None if self.progress is None else self._tell,
            )
            if tuned.interrupted or not tuned.met or not self._tighten(tuned.x):
                break
            x = tuned.x
        assert tuned is not None  # noqa: S101 # CHECKS is positive
        return tuned

    @property
    def soft_name(self) -> str:
        """Metric of the soft goal, with its mode if there is one."""
        return self.metric if self.soft_mode is None else f"{self.metric} in mode {self.soft_mode}"

    def soft_value(self, x: Array) -> float:
        """Return the metric of the soft goal for the nominal spacecraft at scaled parameters x."""
        loop = self.loops.nominal[self.soft_mode](x)
        return measure_of(case_in(self.loaded.case, self.soft_mode), self.metric)(loop)

    def meets(self, x: Array) -> bool:
        """Return whether the metrics of the nominal spacecraft meet every hard goal at scaled parameters x (n,)."""
        values = self._measured(x)
        sides = [_at_most(each) for each in self.require] + [each.at_most for each in self.more]
        bounds = [*self.bounds[: len(self.require)], *(each.bound for each in self.more)]
        goals = zip(values, bounds, sides, strict=True)
        return all(v <= b + EXACT * abs(b) if upper else v >= b - EXACT * abs(b) for v, b, upper in goals)

    def _unmoved(self, x: Array) -> tuple[str, ...]:
        """Return the metrics that miss their bound at x and that no free parameter changes near x."""
        names = [each.key for each in self.require]
        names += [each.name for each in (*self.more, *self.run_goals)]
        nominal, found = self.models[: len(self.loops.nominal)], list[str]()
        point = Point(x, nominal, low=self.parameters.low, high=self.parameters.high)
        for name, goal in zip(names, [*self.hard, *(each.goal for each in self.run_goals)], strict=True):
            rows = goal.rows(point, 0 if goal.models is None else goal.models[0], gradients=True)
            if max(value for value, _ in rows) > 1.0 and all(
                slope is None or np.abs(slope).max() < UNMOVED for _, slope in rows
            ):
                found.append(name)
        return tuple(found)

    def _unfelt(self, x: Array) -> tuple[str, ...]:
        """Return the free parameters that change neither a loop in the search nor a required metric of the run."""
        nominal = self.models[: len(self.loops.nominal)]
        point = Point(x, nominal, low=self.parameters.low, high=self.parameters.high)
        found: list[str] = []
        for n, free in enumerate(self.parameters.numbers):
            pairs = [point.beside(model)[n] for model in range(len(nominal))]
            if any(_differ(more, less) for more, less in pairs):
                continue
            if required_of_run(self.loaded.case):
                more, less = self.runs.metrics(point.pair(n, STEP))
                names = {each.metric for each in self.loaded.case.require}
                if any(more.get(each) != less.get(each) for each in names):
                    continue
            found.append(free.name)
        return tuple(found)

    def _tell(self, share: float, top: float, violation: float) -> None:
        del top, violation
        if self.progress is not None:
            self.progress(share)

    def _tighten(self, x: Array) -> bool:
        """Tighten the bounds that the search meets but polhode's own metrics violate.

        Returns whether any bound was tightened.
        """
        changed = False
        loops = [model(x) for model in self.models]
        for n, each in enumerate(self.require):
            for m in self._of_mode(self.hard[n], each.mode):
                value, bound = self.measure(n, loops[m]), self.bounds[n]
                if self.hard[n].in_dB:
                    excess = 10.0 ** ((value - bound) / 20.0)
                else:
                    excess = value / bound if _at_most(each) else bound / value
                if excess > 1.0 and np.isfinite(excess):
                    self.tight[n] *= excess + ROOM
                    changed = True
        return changed

    def _worst(self, x: Array, *, sigmas: float, boxes: int, last: bool) -> dict[str, WorstCraft]:
        """Return the worst-case spacecraft for each required margin and budget.

        last: whether no round follows, so that a margin below the requirement is worth establishing.
        """
        case = self.loops.case_at(x)
        found: dict[str, WorstCraft] = {}
        for n, each in enumerate(self.require):
            if is_linear(each.metric):
                found[each.key] = find_worst(
                    case,
                    each.name,
                    mode=each.mode,
                    seed=self.seed,
                    sigmas=sigmas,
                    boxes=boxes,
                    requested=self.bounds[n],
                    all_or_nothing=not last,
                )
        return found

    def _learn(self, found: Mapping[str, WorstCraft]) -> bool:
        """Add spacecraft that violate a requirement to the models, and tighten bounds that are not proven.

        Returns whether to repeat the search.
        """
        again = False
        for n, each in enumerate(self.require):
            one = found.get(each.key)
            if one is None:
                continue
            value, bound = one.search.value, self.bounds[n]  # of this requirement: another may bound the same metric
            if one.search.lost or (value > bound if _at_most(each) else value < bound):
                self._join(one.search.values, each.mode)
                again = True
            elif each.metric in PROVABLE:
                proven = one.proven
                # no tightening helps where the proof itself is impossible, such as with discrete values
                short = one.guarantee is not None and (
                    proven is None
                    or (proven > bound * (1.0 + 1e-12) if _at_most(each) else proven < bound * (1.0 - 1e-12))
                )
                if short:
                    self._join(one.search.values, each.mode)
                    self.unproven[n] += 1
                    again = True
        return again

    def _join(self, values: Mapping[str, Any], mode: str | None) -> None:
        """Add the loop of a spacecraft with dispersed values to the models."""
        self.models.append(self.loops.other(values, mode))
        self.modes.append(mode)

    def _result(self, tuned: Tuned, found: Mapping[str, WorstCraft], rounds: int) -> TunedCase:
        after, case = self._measured(tuned.x), self.loaded.case
        rows: list[Requirement] = []
        goals = [
            (each.name, found.get(each.key), bound, _at_most(each))
            for each, bound in zip(self.require, self.bounds, strict=False)
        ]
        goals += [(each.name, None, each.bound, each.at_most) for each in self.more]
        for n, (name, one, bound, at_most) in enumerate(goals):
            rows.append(
                Requirement(
                    name=name,
                    bound=bound,
                    at_most=at_most,
                    before=self.before[n],
                    after=after[n],
                    worst=None if one is None else one.search.value,
                    proven=None if one is None else one.proven,
                    no_guarantee="" if one is None else one.no_guarantee,
                    active=n in tuned.active,
                    mode=self.mode_of(n),
                )
            )
        soft = (self.soft_name, self.at_start, self.soft_value(tuned.x)) if self.soft else None
        return TunedCase(
            before=self.loaded,
            loaded=self.loops.case_at(tuned.x),
            parameters=self.parameters,
            tuned=tuned,
            requirements=tuple(rows),
            soft=soft,
            rounds=rounds,
            models=1 + len(self.models) - len(self.loops.nominal),
            left_out=self.loops.left_out,
            taken_as=taken_as(case, self.loops.problem.craft, design_plant(case, self.loops.problem.craft)[0]),
            modes=tuple(each for each in self.loops.nominal if each is not None),
            run_stage=self.run_stage,
            run_simulated=self.runs.simulated,
            run_missed=self.runs.missed(tuned.x),
            unfelt=() if tuned.interrupted else self._unfelt(tuned.x),
            unmoved=() if tuned.met or tuned.interrupted else self._unmoved(tuned.x),
            run_active=tuple(each.name for n, each in enumerate(self.run_goals, len(self.hard)) if n in tuned.active),
        )


def _differ(one: SampledLoop, other: SampledLoop) -> bool:
    """Return whether two loops differ in a matrix."""
    pairs = zip(one.matrices(), other.in_units_of(one.scale).matrices(), strict=True)
    return any(a.shape != b.shape or not np.allclose(a, b, rtol=SAME, atol=0.0) for a, b in pairs)


def _at_most(each: RequireTable) -> bool:
    return each.max is not None


def _tightened(goal: Goal, bound: float, factor: float) -> float:
    """Return a tighter bound; factor: ratio between the metrics at the two bounds."""
    if goal.in_dB:
        return bound - 20.0 * float(np.log10(factor))
    return bound / factor if goal.at_most else bound * factor
