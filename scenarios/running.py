"""``polhode run``: simulate a case, measure it, check its requirements, write what was asked for."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..plant.errors import InputError
from ..plant.provenance import state
from ..plant.uninterrupted import uninterrupted
from .explain import located
from .loader import LoadedCase, LoadedSatelliteCase, load_any_case
from .output import Results, prepare
from .progress import progress
from .reference_warning import unkept_plan
from .reflown import compare, recorded_times, say_comparison
from .requirements import Verdict, judge
from .spin_warning import unstable_spin
from .stored import state_case

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..sim import Run
    from .problem import Problem

__all__ = ["parse_times", "run_case"]

ROWS_IN_MEMORY = 200_000
"""A longer run goes to its file as it is computed, and is drawn from the extremes of its rows."""

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
        Name or path; or the run.nc of a run, which is flown again and compared.
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
        0 when the run completed and every requirement is met, otherwise 1, also when a file could not be written or a
        run flown again is another one; 130 when interrupted.
    """
    from .published_ring import flies_published_ring, run_published_ring

    again = Path(name) if name.endswith(".nc") else None
    overrides = tuple(overrides)
    if again is not None and (overrides or at is not None):
        raise InputError(f"{name}: is flown again as it was, to be compared; --set and --at are for a case")
    loaded = load_any_case(name, overrides)
    asked = () if at is None else parse_times(at, loaded.case.run.duration_s)
    times = asked if again is None else recorded_times(again)
    state_case(loaded)
    state({"at": list(times)})
    if out is not None:
        prepare(out)
    if isinstance(loaded, LoadedSatelliteCase):
        from .flexible.running import run_satellite

        return run_satellite(loaded, times, json=json, out=out, again=again)
    if flies_published_ring(loaded.case):
        return run_published_ring(loaded, times, json=json, out=out)
    with Results(out) as results:
        return _run(loaded, times, results, json=json, again=again)


def _run(loaded: LoadedCase, times: tuple[float, ...], results: Results, *, json: bool, again: Path | None) -> int:
    from ..controllers.plant_fingerprint import flown_fingerprint
    from .json_text import dump
    from .problem import build

    with located(loaded.source):
        problem = build(loaded.case)
        state({"plant_fingerprint": flown_fingerprint(problem.craft, problem.law, problem.state)})
        run = _simulate(loaded.name, problem, times, results)
    with uninterrupted():  # what was computed is not lost to a Ctrl-C that comes late
        summary, verdicts = _summary(loaded, problem, run, times)
        if again is not None:
            summary["compared"] = compare(again, run.t, run.pieces)
        _keep(run, results)
    results.pictures(lambda: _pictures(loaded, run))
    summary = results.finish("summary.json", summary)
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        from .console import show_run

        show_run(loaded, summary, files=results.files, out=results.where)
    code = _judgement(loaded.name, run, verdicts)
    differs = 0 if again is None else say_comparison(summary["compared"], json=json)
    return results.code(code or differs)


def _summary(
    loaded: LoadedCase, problem: "Problem", run: "Run", times: tuple[float, ...]
) -> tuple[dict[str, Any], list[Verdict]]:
    """What a run came to, and what of its case's requirements."""
    from .document_tables import document_table
    from .margin_metrics import required_margins
    from .metrics import measure
    from .summary import run_summary, sample

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
    return summary, list(verdicts)


def _keep(run: "Run", results: Results) -> None:
    """Write the rows, unless they went to the file as they came."""
    from ..sim.labelled import fill

    if run.recorded is not None:
        if run.reason and run.status == "stopped" and "could not be written" in run.reason:
            results.fail(run.reason)
        return
    if results.out is not None:
        target = results.out / "run.nc"
        results.write("run.nc", lambda path: fill(run, path, target))


def _simulate(name: str, problem: "Problem", times: tuple[float, ...], results: Results) -> "Run":
    from ..sim import simulate
    from ..sim.recording import Recording

    if problem.formulation is not None:
        return _simulate_formulation(problem, times)
    part = None
    if problem.settings["duration"] / problem.settings["output"] > ROWS_IN_MEMORY:
        part = results.part("run.nc")
    with progress(name) as show:
        return simulate(
            problem.craft,
            problem.law,
            state=problem.state,
            reference=problem.reference,
            torques=problem.pulses,
            at=times or None,
            progress=show,
            stream=None if part is None else Recording(part),
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
    from ..sim.rows import extremes
    from .document_figures import document_figures
    from .plots import figures

    band = loaded.case.metrics.settling_band_deg
    if run.t.size > ROWS_IN_MEMORY:
        run = extremes(run)
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
