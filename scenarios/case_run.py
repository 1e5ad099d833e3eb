"""A case flown, measured and judged: what the command line prints, and what Python gets of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..plant.errors import PolhodeError
from .case.loader import LoadedCase, load_case
from .case.located import located
from .objects.problem import Problem, build
from .report.margin_metrics import required_margins
from .report.metrics import Metric, measure
from .report.progress import progress as shown
from .report.requirements import Verdict, judge

if TYPE_CHECKING:
    from ..sim import Run
    from ..sim.planned import Planned
    from ..sim.results.recording import Recording
    from .case.schema import Case

__all__ = [
    "CaseRun",
    "consistent_twin",
    "flown",
    "flown_together",
    "fly",
    "measure_as",
    "measured",
    "other_laws",
    "run_case",
]


@dataclass(frozen=True, eq=False, kw_only=True)
class CaseRun:
    """What came of a case.

    Attributes
    ----------
    loaded : LoadedCase
        Name, source and the checked case.
    problem : Problem
        The case as objects: craft, law, reference.
    run : Run
        The motion.
    metrics : mapping
        From name to `Metric`; margins among them where the case requires one.
    requirements : tuple of Verdict
        What became of each `[[require]]`.
    """

    loaded: LoadedCase
    problem: Problem
    run: "Run"
    metrics: Mapping[str, Metric]
    requirements: tuple[Verdict, ...]

    @property
    def met(self) -> bool:
        """Whether the run completed and every requirement is met."""
        return self.run.status == "completed" and all(verdict.met for verdict in self.requirements)


def run_case(name_or_path: str | Path, *, overrides: Iterable[str] = (), at: Sequence[float] = ()) -> CaseRun:
    """Fly a case and measure it, as ``polhode run`` does.

    Parameters
    ----------
    name_or_path : str or path
        A shipped name, or the path of a TOML file; see `load_case`.
    overrides : iterable of str
        ``key.path=value``, applied before the case is checked.
    at : sequence of float
        Times of rows besides those of run.output_s, s.

    Returns
    -------
    CaseRun
        The run, its metrics, and what became of the requirements.

    Raises
    ------
    InputError
        When the case or a value in it is refused; the message begins with the case's name and the key path.

    Examples
    --------
    >>> found = run_case("torque-free", overrides=["run.duration_s=10"])
    >>> found.met, found.run.status, found.metrics["momentum_drift_relative"].value < 1e-12
    (True, 'completed', True)
    """
    loaded = load_case(name_or_path, overrides)
    with located(loaded.source):
        problem = build(loaded.case)
        return measured(loaded, problem, fly(problem, name=loaded.name, at=at))


def measured(loaded: LoadedCase, problem: Problem, run: "Run") -> CaseRun:
    """Return a run of a case with its metrics and verdicts."""
    metrics = measure_as(loaded.case, run) | required_margins(loaded.case, problem.craft, problem.law, problem.blocks)
    return CaseRun(
        loaded=loaded, problem=problem, run=run, metrics=metrics, requirements=judge(loaded.case.require, metrics)
    )


def measure_as(case: "Case", run: "Run") -> dict[str, Metric]:
    """Return the metrics of a run with the meaning that its case gives them."""
    told = case.metrics
    return measure(
        run, settling_band_deg=told.settling_band_deg, residual_from_s=told.residual_from_s, window_s=told.window_s,
        pointing_from_s=told.pointing_from_s,
    )  # fmt: skip


def fly(
    problem: Problem,
    *,
    name: str,
    at: Sequence[float] = (),
    stream: "Recording | None" = None,
    real_time: float | None = None,
) -> "Run":
    """Return the run of a case, with progress.

    problem: the case as objects; name: for the progress bar; at: times of further rows, s; stream: where the rows go
    when there are too many to keep; real_time: seconds of the run in a second on the wall.
    """
    with shown(name) as show:
        return flown(problem, at=at or None, progress=show, stream=stream, real_time=real_time)


def flown(
    problem: Problem,
    *,
    at: Sequence[float] | None = None,
    progress: Callable[[float], None] | None = None,
    stream: "Recording | None" = None,
    real_time: float | None = None,
) -> "Run":
    """Return the run of a case; the other arguments are those of `simulate`."""
    from ..sim import simulate, simulate_to

    fly = simulate_to if "accuracy" in problem.settings else simulate
    return fly(**_asked(problem), at=at, progress=progress, stream=stream, real_time=real_time)


def flown_together(problems: Sequence[Problem]) -> "list[Run | PolhodeError]":
    """Return the runs of some cases, as `flown` does or what it raises: side by side where that is all they need."""
    from ..sim.planned import planned
    from ..sim.side_by_side import fly_side_by_side

    found: dict[int, Run | PolhodeError] = {}
    plans: dict[int, Planned] = {}
    for n, problem in enumerate(problems):
        try:
            if "accuracy" in problem.settings:  # several runs, each by what came of the one before
                found[n] = flown(problem)
            else:
                plans[n] = planned(**_asked(problem))
        except PolhodeError as error:
            found[n] = error
    places = tuple(plans)
    found |= {places[n]: run for n, run in fly_side_by_side(tuple(plans.values()))}
    return [found[n] for n in range(len(problems))]


def flies_together(problem: Problem) -> bool:
    """Return whether runs like this one need nothing but compiled code on their way."""
    from ..sim.engine import batch
    from ..sim.flight import loop_of
    from ..sim.planned import planned

    return "accuracy" not in problem.settings and batch.flies_together(loop_of(planned(**_asked(problem))))


def _asked(problem: Problem) -> dict[str, Any]:
    """A case as the arguments of `simulate`."""
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
    """Design every law of `[[compare]]`; own: the case under its own law.

    From label to the same case under that law, and that as objects; empty without `[[compare]]`. Raises InputError when
    a law cannot be designed; the message begins with its key path.
    """
    found: dict[str, tuple[LoadedCase, Problem]] = {}
    for index, each in enumerate(loaded.case.compare):
        case = loaded.case.model_copy(update={"controller": each.controller, "compare": ()})
        with located(f"compare.{index}"):
            found[each.label] = (replace(loaded, case=case), build(case, like=own))
    return found


def consistent_twin(flown: CaseRun) -> "Run | None":
    """Return the run of the same craft by its own equations; None where no ring is flown as published.

    With rows at the same times, as far as the other came.
    """
    from ..plant.formulations import PublishedRing

    if not isinstance(flown.run.formulation, PublishedRing):
        return None
    settings = {name: value for name, value in flown.problem.settings.items() if name != "formulation"}
    settings["duration"] = float(flown.run.t[-1])
    return fly(replace(flown.problem, settings=settings), name=f"{flown.loaded.name} (consistent ring)")
