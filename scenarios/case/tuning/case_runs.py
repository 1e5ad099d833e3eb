"""Metrics of the nonlinear sampled run of a case as a function of its free parameters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....controllers.designs.tuning import ParameterValue
from ....plant.errors import PolhodeError
from ...report.margin_metrics import MARGINS
from ..kinds.problem import build
from ..schema import RequireTable
from .case_loops import CaseLoops

if TYPE_CHECKING:
    from ....sim import Run

Array = NDArray[np.float64]

KEPT = 512  # number of cached runs
INSIDE = 1e-5  # relative distance inside the bound that the search aims for


@dataclass(frozen=True, kw_only=True)
class RunGoal:
    """Required bound on a metric of the run, and its tuning goal.

    name: metric; goal: tuning goal.
    """

    name: str
    goal: ParameterValue


class CaseRuns:
    """Metrics of the run of a case, with the seed of the case, at given parameters.

    The random numbers of sensors are the same in every run, so that the metrics vary smoothly with the parameters.
    """

    def __init__(self, loops: CaseLoops) -> None:
        self._loops = loops
        self._metrics: dict[bytes, dict[str, float]] = {}
        self._around: tuple[bytes, list[dict[str, float]]] = b"", []
        self.simulated = ""  # why the last gradients are differences of simulated runs
        self.goals = [each for require in loops.loaded.case.require for each in self._goals(require)]

    def _goals(self, require: RequireTable) -> list[RunGoal]:
        """Return a goal for each positive bound on a metric of the run; loop requirements give none."""
        if require.metric in MARGINS or require.mode is not None:
            return []

        def values(points: Sequence[Array]) -> list[float]:
            return [each.get(require.metric, np.nan) for each in self.metrics(points)]

        def around(x: Array, step: float) -> list[float]:
            return [each.get(require.metric, np.nan) for each in self.metrics_around(x, step)]

        sides = ((require.max, True), (require.min, False))
        return [
            RunGoal(
                name=require.metric,
                goal=ParameterValue(
                    bound=bound * (1.0 - INSIDE if upper else 1.0 + INSIDE), function=values, upper=upper, around=around
                ),
            )
            for bound, upper in sides
            if bound is not None and bound > 0.0
        ]

    def metrics(self, points: Sequence[Array]) -> list[dict[str, float]]:
        """Return the metrics that have a value, by name, at each of several sets of scaled parameters."""
        from ...case_run import run_problems

        keys = [np.asarray(x).tobytes() for x in points]
        missing = {key: x for key, x in zip(keys, points, strict=True) if key not in self._metrics}
        if len(self._metrics) + len(missing) > KEPT:
            self._metrics = {key: each for key, each in self._metrics.items() if key in keys}
        problems = [build(self._loops.case_at(x).case, like=self._loops.problem) for x in missing.values()]
        for key, run in zip(missing, run_problems(problems), strict=True):
            self._metrics[key] = {} if isinstance(run, PolhodeError) else self._measured(run)
        return [self._metrics[key] for key in keys]

    def metrics_around(self, x: Array, step: float) -> list[dict[str, float]]:
        """Return the metrics at x + step and x - step along each axis of the scaled parameters in turn.

        The runs are extrapolated along exact tangents of the run at x if possible; otherwise they are simulated.
        """
        key = np.asarray(x).tobytes()
        if self._around[0] != key:
            self._around = key, self._extrapolated(x, step)
        return self._around[1]

    def _extrapolated(self, x: Array, step: float) -> list[dict[str, float]]:
        from ....sim.runs.neighbouring_runs import neighbouring_runs
        from ....sim.runs.run_spec import RunSpec, run_spec
        from ...case_run import arguments

        def spec(point: Array) -> RunSpec:
            return run_spec(**arguments(build(self._loops.case_at(point).case, like=self._loops.problem)))

        def displaced(weights: Array) -> tuple[RunSpec, RunSpec]:
            move = step * weights
            size = np.abs(move)  # a parameter does not change beyond its bound
            inside = np.clip(x, self._loops.parameters.low + size, self._loops.parameters.high - size)
            return spec(inside + move), spec(inside - move)

        measured: dict[int, tuple[Run, dict[str, float]]] = {}  # by identity; the runs are kept with their metrics

        def metrics(run: "Run") -> dict[str, float]:
            if id(run) not in measured:
                measured[id(run)] = run, self._measured(run)
            return measured[id(run)][1]

        def relative(run: "Run") -> Array:
            found = metrics(run)  # divided by their bounds; NaN where a metric has no value
            return np.array([found.get(each.name, np.nan) / each.goal.bound for each in self.goals])

        points = [x + sign * each for each in step * np.eye(x.size) for sign in (1.0, -1.0)]
        if "accuracy" in self._loops.problem.settings:
            self.simulated = "run.accuracy_deg simulates a case several times"
            return self.metrics(points)
        try:
            specs = [spec(point) for point in points]
            pairs = list(zip(specs[0::2], specs[1::2], strict=True))
            near = neighbouring_runs(spec(x), pairs, displaced, relative)
        except PolhodeError as error:
            self.simulated = str(error)
            return self.metrics(points)
        self.simulated = near.simulated
        runs = [each for pair in near.pairs for each in pair]
        return [{} if isinstance(run, PolhodeError) else metrics(run) for run in runs]

    def _measured(self, run: "Run") -> dict[str, float]:
        from ...case_run import measure_as

        found = measure_as(self._loops.loaded.case, run) if run.status == "completed" else {}
        return {name: float(each.value) for name, each in found.items() if each.value is not None}

    def unmet(self, x: Array) -> list[RunGoal]:
        """Return the goals that the run at scaled parameters x (n,) does not meet or has no value for."""
        found: list[RunGoal] = []
        for each in self.goals:
            value, goal = self.metrics([x])[0].get(each.name, np.nan), each.goal
            if not (value <= goal.bound if goal.upper else value >= goal.bound):
                found.append(each)
        return found

    def missed(self, x: Array) -> tuple[str, ...]:
        """Return the metrics whose requirement the run at scaled parameters x (n,) misses or has no value for."""
        required = [each for each in self._loops.loaded.case.require if each.metric not in MARGINS]
        if not required:
            return ()
        found = self.metrics([x])[0]
        return tuple(
            each.metric
            for each in required
            if not (
                (-np.inf if each.min is None else each.min)
                <= found.get(each.metric, np.nan)
                <= (np.inf if each.max is None else each.max)
            )
        )

    def defined(self, x: Array) -> list[RunGoal]:
        """Return the goals whose metric has a value in the run at scaled parameters x (n,)."""
        found = self.metrics([x])[0]
        return [each for each in self.goals if np.isfinite(found.get(each.name, np.nan))]
