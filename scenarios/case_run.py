"""Simulate a case and measure it, for the command line and for Python."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..plant.errors import PolhodeError
from .case.kinds.problem import Problem, build
from .case.loader import LoadedCase, load_case
from .case.located import located
from .report.margin_metrics import required_margins
from .report.metrics import Metric, measure
from .report.progress import progress as shown
from .report.requirements import Verdict, judge

if TYPE_CHECKING:
    from ..sim import Run
    from ..sim.results.recording import Recording
    from ..sim.runs.run_spec import RunSpec
    from .case.schema import Case


@dataclass(frozen=True, eq=False, kw_only=True)
class CaseRun:
    """Run of a case with its metrics and verdicts.

    Attributes
    ----------
    loaded : LoadedCase
        Name, source and validated content of the case.
    problem : Problem
        Objects built from the case: spacecraft, law, reference.
    run : Run
        The simulated run.
    metrics : mapping
        Each `Metric` by name, including the margins that the case requires.
    requirements : tuple of Verdict
        Verdict on each `[[require]]`.
    """

    loaded: LoadedCase
    problem: Problem
    run: "Run"
    metrics: Mapping[str, Metric]
    requirements: tuple[Verdict, ...]

    def _repr_html_(self) -> str:
        """Return HTML for a notebook."""
        from .report.notebook_views import case_run_html

        return case_run_html(self)

    @property
    def met(self) -> bool:
        """True if the run completed and every requirement is met."""
        return self.run.status == "completed" and all(verdict.met for verdict in self.requirements)


def run_case(name_or_path: str | Path, *, overrides: Iterable[str] = (), output_times: Sequence[float] = ()) -> CaseRun:
    """Simulate a case and measure it, as ``polhode run`` does.

    Parameters
    ----------
    name_or_path : str or path
        A shipped name, or the path of a TOML file; see `load_case`.
    overrides : iterable of str
        ``key.path=value``, applied before validation.
    output_times : sequence of float
        Times of rows in addition to those from run.output_s, s.

    Returns
    -------
    CaseRun
        The run, its metrics, and the verdicts on the requirements.

    Raises
    ------
    InputError
        If the case or a value in it is invalid. The message begins with the case name and the key path.

    Examples
    --------
    >>> found = run_case("torque-free", overrides=["run.duration_s=10"])
    >>> found.met, found.run.status, found.metrics["momentum_drift_relative"].value < 1e-12
    (True, 'completed', True)
    """
    loaded = load_case(name_or_path, overrides)
    with located(loaded.source):
        problem = build(loaded.case)
        return measured(loaded, problem, fly(problem, name=loaded.name, output_times=output_times))


def measured(loaded: LoadedCase, problem: Problem, run: "Run") -> CaseRun:
    """Compute metrics and verdicts for a run of a case."""
    metrics = measure_as(loaded.case, run) | required_margins(loaded.case, problem.craft, problem.law, problem.blocks)
    return CaseRun(
        loaded=loaded, problem=problem, run=run, metrics=metrics, requirements=judge(loaded.case.require, metrics)
    )


def measure_as(case: "Case", run: "Run") -> dict[str, Metric]:
    """Return the metrics of a run, computed with the settings in `[metrics]` of its case."""
    table = case.metrics
    return measure(
        run, settling_band_deg=table.settling_band_deg, residual_from_s=table.residual_from_s, window_s=table.window_s,
        pointing_from_s=table.pointing_from_s,
    )  # fmt: skip


def fly(
    problem: Problem,
    *,
    name: str,
    output_times: Sequence[float] = (),
    stream: "Recording | None" = None,
    real_time: float | None = None,
) -> "Run":
    """Simulate a case with a progress bar and return the run.

    problem: objects built from the case; name: label of the progress bar; output_times: times of additional rows, s;
    stream: recorder of rows that do not fit in memory; real_time: simulated seconds per second of wall-clock time.
    """
    with shown(name) as show:
        return run_problem(
            problem, output_times=output_times or None, progress=show, stream=stream, real_time=real_time
        )


def run_problem(
    problem: Problem,
    *,
    output_times: Sequence[float] | None = None,
    progress: Callable[[float], None] | None = None,
    stream: "Recording | None" = None,
    real_time: float | None = None,
) -> "Run":
    """Simulate a case without a progress bar and return the run.

    The arguments after problem are passed to `simulate`.
    """
    from ..sim import simulate, simulate_to_accuracy

    fly = simulate_to_accuracy if "accuracy" in problem.settings else simulate
    return fly(**arguments(problem), output_times=output_times, progress=progress, stream=stream, real_time=real_time)


def run_problems(problems: Sequence[Problem]) -> "list[Run | PolhodeError]":
    """Return the run of each case, or the error that `run_problem` would raise.

    Compatible runs are simulated as a batch.
    """
    from ..sim.runs.parallel_runs import run_in_parallel
    from ..sim.runs.run_spec import run_spec

    found: dict[int, Run | PolhodeError] = {}
    plans: dict[int, RunSpec] = {}
    for n, problem in enumerate(problems):
        try:
            if "accuracy" in problem.settings:  # several runs; the step of each depends on the previous run
                found[n] = run_problem(problem)
            else:
                plans[n] = run_spec(**arguments(problem))
        except PolhodeError as error:
            found[n] = error
    places = tuple(plans)
    found |= {places[n]: run for n, run in run_in_parallel(tuple(plans.values()))}
    return [found[n] for n in range(len(problems))]


def flies_together(problem: Problem) -> bool:
    """Return whether a case needs only compiled code, so that its runs can be part of a batch."""
    from ..sim.engine import batch
    from ..sim.runs.drive import loop_of
    from ..sim.runs.run_spec import run_spec

    return "accuracy" not in problem.settings and batch.flies_together(loop_of(run_spec(**arguments(problem))))


def arguments(problem: Problem) -> dict[str, Any]:
    """Return the keyword arguments of `simulate` for a case."""
    return {
        "craft": problem.craft,
        "law": problem.law,
        "state": problem.state,
        "reference": problem.reference,
        "torques": problem.pulses,
        "blocks": problem.blocks,
        **problem.settings,
    }


def other_laws(loaded: LoadedCase, own: Problem) -> dict[str, tuple[LoadedCase, Problem]]:
    """Design every law in `[[compare]]`.

    own: objects of the case with the law of `[controller]`. Returns, by label, the case with each law and the objects
    built from it; empty if the case has no `[[compare]]`. Raises InputError if a design fails; the message begins with
    the key path of the law.
    """
    found: dict[str, tuple[LoadedCase, Problem]] = {}
    for index, each in enumerate(loaded.case.compare):
        case = loaded.case.model_copy(update={"controller": each.controller, "compare": ()})
        with located(f"compare.{index}"):
            found[each.label] = (replace(loaded, case=case), build(case, like=own))
    return found


def consistent_twin(case_run: CaseRun) -> "Run | None":
    """Simulate the case with the consistent ring model in place of the published one.

    Returns None if the case has no published ring model. The rows have the same times as in the given run, up to its
    end.
    """
    from ..plant.formulations import PublishedRing

    if not isinstance(case_run.run.formulation, PublishedRing):
        return None
    settings = {name: value for name, value in case_run.problem.settings.items() if name != "formulation"}
    settings["duration"] = float(case_run.run.t[-1])
    return fly(replace(case_run.problem, settings=settings), name=f"{case_run.loaded.name} (consistent ring)")
