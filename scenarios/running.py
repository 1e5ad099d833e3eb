"""``polhode run``: simulate a case, measure it, check its requirements, write what was asked for."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..plant.errors import InputError
from .explain import located
from .loader import LoadedCase, load_case
from .output import prepare, save
from .progress import progress
from .reference_warning import unkept_plan
from .requirements import Verdict, judge
from .spin_warning import unstable_spin

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..sim import Run
    from .problem import Problem

__all__ = ["parse_times", "run_case"]

FORMULATION_SETTINGS = ("duration", "integrator", "step", "output", "amplification_limit")


def parse_times(text: str, duration: float) -> tuple[float, ...]:
    """Read the times of ``--at``.

    Parameters
    ----------
    text : str
        Numbers in seconds with commas between them.
    duration : float
        The end of the run, s.

    Returns
    -------
    tuple of float
        The times as given, in order.

    Raises
    ------
    InputError
        When one is not a number, or outside the run.

    Examples
    --------
    >>> parse_times("0, 2.5,10", 10.0)
    (0.0, 2.5, 10.0)
    """
    times: list[float] = []
    for word in text.split(","):
        try:
            time = float(word)
        except ValueError:
            raise InputError(
                f"--at {text!r}: {word.strip()!r} is not a number; write times in seconds, such as 0,10,20.5"
            ) from None
        if not 0.0 <= time <= duration:
            raise InputError(f"--at {text!r}: {time:g} s is outside the run, from 0 to {duration:g} s")
        times.append(time)
    return tuple(times)


def run_case(name: str, *, overrides: Iterable[str], at: str | None, json: bool, out: Path | None) -> int:
    """Run a case and print its summary.

    Parameters
    ----------
    name : str
        Name or path.
    overrides : iterable of str
        ``key.path=value``.
    at : str or None
        Times of the samples, s, with commas between them.
    json : bool
        Whether as one JSON object.
    out : path or None
        Where to write run.nc, summary.json and pictures.

    Returns
    -------
    int
        0 when the run completed and every requirement is met, otherwise 1; 130 when interrupted.
    """
    from .document_tables import document_table
    from .json_text import dump
    from .margin_metrics import required_margins
    from .metrics import measure
    from .problem import build
    from .published_ring import flies_published_ring, run_published_ring
    from .summary import run_summary, sample

    loaded = load_case(name, overrides)
    times = () if at is None else parse_times(at, loaded.case.run.duration_s)
    if out is not None:
        prepare(out)
    if flies_published_ring(loaded.case):
        return run_published_ring(loaded, times, json=json, out=out)
    with located(loaded.source):
        problem = build(loaded.case)
        run = _simulate(loaded.name, problem, times)

    metrics = measure(run, settling_band_deg=loaded.case.metrics.settling_band_deg)
    metrics |= required_margins(loaded.case, problem.craft, problem.law)
    verdicts = judge(loaded.case.require, metrics)
    rows = [_row(run, time) for time in times if time <= run.t[-1]]
    samples = [sample(run.craft, float(run.t[row]), run.x[row]) for row in rows]
    summary = run_summary(loaded.name, run, samples=samples, metrics=metrics, verdicts=verdicts)
    summary["warnings"] += _warnings(loaded, run, times)
    table = document_table(loaded.name, run)
    if table:
        summary["document"] = [row.to_dict() for row in table]
    text = dump(summary)
    files = () if out is None else save(out, run, summary=text, pictures=_pictures(loaded, run))
    if json:
        sys.stdout.write(text + "\n")
    else:
        from .console import show_run

        show_run(loaded, summary, files=files, out=None if out is None else str(out))
    return _judgement(loaded.name, run, verdicts)


def _simulate(name: str, problem: "Problem", times: tuple[float, ...]) -> "Run":
    from ..sim import simulate

    if problem.formulation is not None:
        return _simulate_formulation(problem, times)
    with progress(name) as show:
        return simulate(
            problem.craft,
            problem.law,
            state=problem.state,
            reference=problem.reference,
            torques=problem.pulses,
            at=times or None,
            progress=show,
            **problem.settings,
        )


def _simulate_formulation(problem: "Problem", times: tuple[float, ...]) -> "Run":
    from ..sim import Scheme, simulate_formulation
    from ..sim.formulations import as_run

    settings = problem.settings
    assert problem.formulation is not None  # noqa: S101 # the caller looked
    name, sequence = problem.formulation
    found = simulate_formulation(
        name,
        problem.craft,
        rate=problem.craft.rate(problem.state),
        attitude=problem.state[3:7],
        sequence=sequence,
        torques=problem.pulses,
        at=times or None,
        **{key: settings[key] for key in FORMULATION_SETTINGS if key in settings},
    )
    scheme = Scheme(settings["integrator"], step=settings["step"])
    return as_run(found, scheme=scheme, torques=problem.pulses)


def _warnings(loaded: LoadedCase, run: "Run", times: tuple[float, ...]) -> list[str]:
    """What was asked for and could not be."""
    end = float(run.t[-1])
    late = [f"no sample at {time:g} s: the run ended at {end:g} s" for time in times if time > end]
    idle = [
        f"torques.{index} begins at {pulse.from_s:g} s, when the run is over: it never acts"
        for index, pulse in enumerate(loaded.case.torques)
        if pulse.from_s >= loaded.case.run.duration_s
    ]
    return [*late, *idle, *unkept_plan(run, loaded.case.run.duration_s), *unstable_spin(run)]


def _row(run: "Run", time: float) -> int:
    """The row of a time that was asked for: there is one within a rounding of it."""
    import numpy as np

    return int(np.abs(run.t - time).argmin())


def _pictures(loaded: LoadedCase, run: "Run") -> "dict[str, Figure]":
    from .document_figures import document_figures
    from .plots import figures

    band = loaded.case.metrics.settling_band_deg
    drawn = figures(run, name=loaded.name, title=loaded.case.title, settling_band_deg=band)
    return {**drawn, **document_figures(run, loaded.case.figures)}


def _judgement(name: str, run: "Run", verdicts: Sequence[Verdict]) -> int:
    """Say on stderr what went wrong, if anything, and return the exit code."""
    if run.status == "stopped":
        sys.stderr.write(f"polhode: {name}: interrupted at {run.t[-1]:g} s\n")
        return 130
    if run.status != "completed":
        when = "" if "t = " in run.reason else f" at {run.t[-1]:g} s"
        sys.stderr.write(f"polhode: {name}: the run ended {run.status}{when}: {run.reason}\n")
        return 1
    unmet = [verdict.reason for verdict in verdicts if not verdict.met]
    if unmet:
        sys.stderr.write(f"polhode: {name}: requirement not met: {'; '.join(unmet)}\n")
        return 1
    return 0
