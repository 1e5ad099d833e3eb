"""Tune the law of a case to its requirements, for the nominal or for every dispersed spacecraft."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....controllers.designs.tuning import Goal, Tuned, tune_loops
from ....controllers.designs.tuning.point import Point
from ....controllers.loop.robustness.shapes import SHAPES
from ....controllers.loop.sampled_loop import SampledLoop
from ....plant.errors import InputError
from ..campaigns.worst_craft import BOUNDED, BUDGETS, LINEAR, WorstCraft, find_worst
from ..kinds.design import design_plant, taken_as
from ..loader import LoadedCase, load_case
from ..located import located
from ..schema import RequireTable
from .case_goals import case_in, decay_goal, hard_goals, measure_of, soft_goals
from .case_loops import CaseLoops
from .case_runs import CaseRuns, RunGoal
from .free_parameters import FreeParameters, free_parameters
from .structure import with_structure

Array = NDArray[np.float64]

ROUNDS = 6  # largest number of rounds of counter-examples
CHECKS = 4  # largest number of searches that tighten bounds until polhode's own metrics meet them
ROOM = 1e-5  # relative distance from the bound that tightening aims for
PROVABLE = (*SHAPES, *BOUNDED)  # metrics for which a bound over all spacecraft exists
UNMOVED = 1e-9  # largest derivative with respect to a scaled parameter that counts as zero
UNPROVEN = 1.003  # factor that tightens a bound met by the worst spacecraft found, but not proven for all


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """One hard goal before and after tuning.

    Attributes
    ----------
    name : str
        Metric of the requirement, or "decay_rate_1_s".
    mode : str or None
        Mode whose loop must meet the goal, for a case with `[[modes]]`.
    bound : float
        Bound on the metric.
    at_most : bool
        Whether the bound is an upper bound.
    before, after : float
        Metric of the nominal spacecraft before and after tuning.
    worst, proven : float or None
        Worst value found within the dispersions, and value guaranteed for every spacecraft; None if not computed.
    active : bool
        Whether the goal limits the soft goal, or conflicts with other goals.
    """

    name: str
    bound: float
    at_most: bool
    before: float
    after: float
    worst: float | None = None
    proven: float | None = None
    active: bool = False
    mode: str | None = None

    @property
    def key(self) -> str:
        """The metric, with its mode if there is one."""
        return self.name if self.mode is None else f"{self.name} in mode {self.mode}"

    def meets(self, value: float | None) -> bool:
        """Return whether a value of the metric meets the bound."""
        return value is not None and (value <= self.bound if self.at_most else value >= self.bound)

    @property
    def met(self) -> bool:
        """True if the nominal spacecraft and, if it was computed, the worst spacecraft meet the bound."""
        if self.worst is None:
            return self.meets(self.after)
        return self.meets(self.after) and self.meets(self.proven if self.name in PROVABLE else self.worst)

    @property
    def failure(self) -> str:
        """The metric, the value that misses the bound, and the bound, for a message."""
        bound = f"{'above its maximum' if self.at_most else 'below its minimum'} of {self.bound:g}"
        if not self.meets(self.after) or self.worst is None:
            return f"{self.key} is {self.after:.6g}, {bound}"
        if self.meets(self.worst) and self.name in PROVABLE:
            if self.proven is None:
                need = f"{'at most' if self.at_most else 'at least'} {self.bound:g}"
                return f"{self.key} has no guaranteed value for every spacecraft, and must be {need}"
            return f"{self.key} guaranteed for every spacecraft is {self.proven:.6g}, {bound}"
        return f"{self.key} is {self.worst:.6g} for the worst spacecraft found, {bound}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "metric": self.name,
            **({} if self.mode is None else {"mode": self.mode}),
            "max" if self.at_most else "min": self.bound,
            "before": _number(self.before),
            "after": _number(self.after),
            "worst": _number(self.worst),
            "proven": _number(self.proven),
            "met": self.met,
            "active": self.active,
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class TunedCase:
    """Result of `tune_case`.

    Attributes
    ----------
    before, loaded : LoadedCase
        The original case, and the case with tuned values.
    parameters : FreeParameters
        Free parameters.
    tuned : Tuned
        Result of the search.
    requirements : tuple of Requirement
        Every hard goal before and after.
    modes : tuple of str
        Modes whose loops were part of the search; empty for a case without modes.
    left_out : dict
        Modes whose law has free keys, but whose loop was not part of the search, with the reason.
    soft : tuple of (str, float, float), or None
        Metric of the soft goal, with its values before and after tuning.
    rounds, models : int
        Number of rounds of counter-examples, and number of spacecraft in the last search.
    run_stage : bool
        Whether the linear stage left requirements on the run unmet, so that runs were part of the search.
    run_active : tuple of str
        Metrics of the run that limit the soft goal, or conflict with other goals.
    run_missed : tuple of str
        Metrics of the run that miss their requirement, or have no value, with the tuned law.
    unmoved : tuple of str
        Metrics that miss their bound and that no free parameter changes.
    taken_as : str
        Simplification of the spacecraft in the loop, such as rigid arms, which the run does not make; empty if none.
    """

    before: LoadedCase
    loaded: LoadedCase
    parameters: FreeParameters
    tuned: Tuned
    requirements: tuple[Requirement, ...]
    soft: tuple[str, float, float] | None
    rounds: int
    models: int
    modes: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict[str, str])
    run_stage: bool = False
    run_active: tuple[str, ...] = ()
    run_missed: tuple[str, ...] = ()
    unmoved: tuple[str, ...] = ()
    taken_as: str = ""

    @property
    def met(self) -> bool:
        """True if every requirement is met, on the linear loop and on the run."""
        return all(each.met for each in self.requirements) and not self.run_missed

    @property
    def values(self) -> list[dict[str, Any]]:
        """Free parameters with values before and after, bounds, and the bound reached ("low", "high" or None)."""
        after = self.parameters.values(self.tuned.x)
        return [
            {"key": free.name, "before": free.value, "after": value, "low": free.low, "high": free.high,
             "at_bound": free.at_bound(value) or None}
            for free, value in zip(self.parameters.numbers, after, strict=True)
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        soft = None if self.soft is None else dict(zip(("metric", "before", "after"), self.soft, strict=True))
        return {
            "case": self.loaded.name,
            "met": self.met,
            "requirements": [each.to_dict() for each in self.requirements],
            "soft": soft,
            "values": self.values,
            "starts": [{"objective": _number(top), "violation": _number(left)} for top, left in self.tuned.starts],
            "steps": self.tuned.steps,
            "rounds": self.rounds,
            "models": self.models,
            **({"modes": list(self.modes), "left_out": dict(self.left_out)} if self.modes else {}),
            "run_stage": self.run_stage,
            "run_active": list(self.run_active),
            "run_missed": list(self.run_missed),
            "unmoved": list(self.unmoved),
            "taken_as": self.taken_as or None,
            "interrupted": self.tuned.interrupted,
        }


def tune_case(
    name_or_path: str | Path | LoadedCase,
    *,
    worst: bool = False,
    starts: int | None = None,
    seed: int | None = None,
    sigmas: float = 3.0,
    boxes: int = 128,
    overrides: Iterable[str] = (),
    progress: Callable[[float], None] | None = None,
) -> TunedCase:
    """Tune the free parameters of `[tune]` so that the loop meets the requirements of the case.

    Hard goals are the requirements on margins and budgets and, in a second stage, those on the simulated run that the
    first stage does not meet. Gradients of run metrics are finite differences. The soft goal is `tune.minimise` or
    `tune.maximise`, or otherwise the smallest change of the parameters. With `worst`, the search adds the worst-case
    spacecraft within the dispersions to its models, until the values guaranteed for every spacecraft meet the
    requirements. In a case with `[[modes]]`, each goal belongs to the loop in its mode.

    Parameters
    ----------
    name_or_path : str, path or LoadedCase
        A shipped name, or the path of a TOML file, with `[tune]`.
    worst : bool
        Whether every spacecraft within `[dispersions]` must meet the required margins and budgets.
    starts, seed : int, optional
        Number of starts and their seed, by default those in `[tune]`.
    sigmas : float
        Truncation of unbounded distributions, in standard deviations.
    boxes : int
        Largest number of boxes for a guaranteed margin; see `controllers.robust_margin_bound`.
    overrides : iterable of str
        ``key.path=value``, applied to the case before validation.
    progress : callable, optional
        Called with the estimated completed fraction of the work.

    Returns
    -------
    TunedCase
        Tuned values, and each requirement before and after tuning; after Ctrl-C, the best values so far.

    Raises
    ------
    InputError
        If the case has no `[tune]`, no goal, a requirement that tuning does not support, or no stable start.
    """
    loaded = name_or_path if isinstance(name_or_path, LoadedCase) else load_case(name_or_path, overrides)
    with located(loaded.source):
        table = loaded.case.tune
        if table is None:
            raise InputError('the case has no [tune]; give one, such as [tune] free = ["controller.attitude_weight"]')
        original, loaded = loaded, with_structure(loaded)
        table = loaded.case.tune or table
        if worst and not loaded.case.dispersions:
            raise InputError("--worst needs [dispersions], but the case has none; add some, or remove --worst")
        parameters = free_parameters(loaded, table)
        search = CaseSearch(
            loaded,
            parameters,
            starts=table.starts if starts is None else starts,
            seed=table.seed if seed is None else seed,
            progress=progress,
        )
        return replace(search.run(worst=worst, sigmas=sigmas, boxes=boxes), before=original)


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
        self.hard: list[Goal] = [*goals, *decay_goal(case, self.loops.sample)]
        self.metric, self.soft, self.at_start = self._soft_goals(parameters.start)
        self.runs = CaseRuns(self.loops)
        if not self.hard and not self.soft and not self.runs.goals:
            raise InputError("tuning needs a goal: give a [[require]], or tune.minimise")
        self.models = list(self.loops.nominal.values())
        self.modes = list(self.loops.nominal)  # mode of each model; the first models are the nominal ones
        self.tight = [1.0] * len(self.hard)
        self.bounds = [goal.bound for goal in self.hard]
        self.before = self._measured(parameters.start)

    def _soft_goals(self, x: Array) -> tuple[str, list[Goal], float]:
        """Return metric, goals and value of the soft goal at x; empty if its loop does not exist or is not stable."""
        if self.soft_mode not in self.loops.nominal:
            return "", [], 0.0
        loop = self.loops.nominal[self.soft_mode](x)
        if float(abs(loop.poles()[0])) >= 1.0:
            return "", [], 0.0
        return soft_goals(case_in(self.loaded.case, self.soft_mode), loop)

    def mode_of(self, number: int) -> str | None:
        """Return the mode of a hard goal."""
        if number < len(self.require):
            return self.require[number].mode
        return None if self.loaded.case.tune is None else self.loaded.case.tune.mode

    def measure(self, number: int, loop: SampledLoop) -> float:
        """Return the metric of a required hard goal for a loop of its mode."""
        each = self.require[number]
        return measure_of(case_in(self.loaded.case, each.mode), each.metric)(loop)

    def _of_mode(self, goal: Goal, mode: str | None) -> tuple[int, ...]:
        """Return the indices of the models that must meet a goal: the nominal loop of its mode first."""
        found = tuple(n for n, each in enumerate(self.modes) if each == mode)
        return found if goal.every_model else found[:1]

    def _measured(self, x: Array) -> list[float]:
        """Return the metric of each hard goal for the nominal spacecraft; NaN if the loop is not stable."""
        loops = {mode: at(x) for mode, at in self.loops.nominal.items()}
        radius = {mode: float(abs(loop.poles()[0])) for mode, loop in loops.items()}
        found: list[float] = []
        for n in range(len(self.hard)):
            mode = self.mode_of(n)
            if radius[mode] >= 1.0:
                found.append(np.nan)
            elif n < len(self.require):
                found.append(self.measure(n, loops[mode]))
            else:
                found.append(-np.log(radius[mode]) / self.loops.sample)
        return found

    def run(self, *, worst: bool, sigmas: float, boxes: int) -> TunedCase:
        """Search for the best parameters; with `worst`, add counter-examples and repeat."""
        if worst:
            for each, goal in zip(self.require, self.hard, strict=False):
                goal.every_model |= each.metric in BUDGETS
        tuned = self.tuned(self.parameters.start, self.starts)
        found: dict[str, WorstCraft] = {}
        rounds = 0
        while worst and not tuned.interrupted and rounds < ROUNDS:
            rounds += 1
            try:
                found = self._worst(tuned.x, sigmas=sigmas, boxes=boxes)
            except KeyboardInterrupt:
                tuned = replace(tuned, interrupted=True)
                break
            again = self._learn(found)
            if not again:
                break
            tuned = self.tuned(tuned.x, 1)
        return self._result(tuned, found, rounds)

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
            for goal, bound, factor in zip(self.hard, self.bounds, self.tight, strict=True):
                goal.bound = _tightened(goal, bound, factor)
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

    def _unmoved(self, x: Array) -> tuple[str, ...]:
        """Return the metrics that miss their bound at x and that no free parameter changes near x."""
        names = [each.key for each in self.require]
        names += ["decay_rate_1_s"] * (len(self.hard) - len(names)) + [each.name for each in self.run_goals]
        point, found = Point(x, self.models[: len(self.loops.nominal)]), list[str]()
        for name, goal in zip(names, [*self.hard, *(each.goal for each in self.run_goals)], strict=True):
            rows = goal.rows(point, 0 if goal.models is None else goal.models[0], gradients=True)
            if max(value for value, _ in rows) > 1.0 and all(
                slope is None or np.abs(slope).max() < UNMOVED for _, slope in rows
            ):
                found.append(name)
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
                excess = value / bound if _at_most(each) else bound / value
                if excess > 1.0 and np.isfinite(excess):
                    self.tight[n] *= excess + ROOM
                    changed = True
        return changed

    def _worst(self, x: Array, *, sigmas: float, boxes: int) -> dict[str, WorstCraft]:
        """Return the worst-case spacecraft for each required margin and budget."""
        case = self.loops.case_at(x)
        found: dict[str, WorstCraft] = {}
        for n, each in enumerate(self.require):
            if each.metric in LINEAR:
                found[each.key] = find_worst(
                    case,
                    each.metric,
                    mode=each.mode,
                    seed=self.seed,
                    sigmas=sigmas,
                    boxes=boxes,
                    requested=self.bounds[n],
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
            if not one.meets:
                self._join(one.search.values, each.mode)
                again = True
            elif each.metric in PROVABLE:
                proven, bound = one.proven, self.bounds[n]
                short = proven is None or (
                    proven > bound * (1.0 + 1e-12) if _at_most(each) else proven < bound * (1.0 - 1e-12)
                )
                if short:
                    self._join(one.search.values, each.mode)
                    self.tight[n] *= UNPROVEN
                    again = True
        return again

    def _join(self, values: Mapping[str, Any], mode: str | None) -> None:
        """Add the loop of a spacecraft with dispersed values to the models."""
        self.models.append(self.loops.other(values, mode))
        self.modes.append(mode)

    def _result(self, tuned: Tuned, found: Mapping[str, WorstCraft], rounds: int) -> TunedCase:
        after, case = self._measured(tuned.x), self.loaded.case
        rows: list[Requirement] = []
        for n in range(len(self.hard)):
            require = self.require[n] if n < len(self.require) else None
            one = None if require is None else found.get(require.key)
            rows.append(
                Requirement(
                    name="decay_rate_1_s" if require is None else require.metric,
                    bound=float(-np.log(self.bounds[n]) / self.loops.sample) if require is None else self.bounds[n],
                    at_most=require is not None and _at_most(require),
                    before=self.before[n],
                    after=after[n],
                    worst=None if one is None else one.search.value,
                    proven=None if one is None else one.proven,
                    active=n in tuned.active,
                    mode=self.mode_of(n),
                )
            )
        soft = None
        if self.soft:
            value = self.soft_value(tuned.x)
            soft = (self.soft_name, self.at_start, value)
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
            run_missed=self.runs.missed(tuned.x),
            unmoved=() if tuned.met or tuned.interrupted else self._unmoved(tuned.x),
            run_active=tuple(each.name for n, each in enumerate(self.run_goals, len(self.hard)) if n in tuned.active),
        )


def _at_most(each: RequireTable) -> bool:
    return each.max is not None


def _tightened(goal: Goal, bound: float, factor: float) -> float:
    """Return a tighter bound; factor: ratio between the metrics at the two bounds."""
    return bound / factor if goal.at_most else bound * factor


def _number(value: float | None) -> float | None:
    return None if value is None or not np.isfinite(value) else float(value)
