"""``polhode run``: simulate a case, measure it, check its requirements and write the results."""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...controllers.laws.files.provenance import state
from ...controllers.laws.files.uninterrupted import uninterrupted
from ...plant.errors import InputError
from ...plant.plain_text import plain_text
from ..case.kinds.problem import Problem, build
from ..case.loader import LoadedCase, load_case
from ..case.located import located
from ..case.stored import state_case
from ..case.trust import trusts
from ..case_run import CaseRun, consistent_twin, fly, measured, other_laws
from ..report.case_warnings import case_warnings
from ..report.output import Results, prepare

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...sim import Run

ROWS_IN_MEMORY = 200_000
"""Largest number of rows in memory. A longer run is streamed to its file and plotted from envelopes of its rows."""


def parse_times(text: str, duration: float) -> tuple[float, ...]:
    """Parse the times of ``--at``.

    text: comma-separated times, s; duration: end of the run, s. Returns the times in the given order.
    Raises InputError if a time is not a number, or is outside the run.

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


def run_and_print(
    name: str | None,
    *,
    overrides: Iterable[str],
    at: str | None,
    json: bool,
    out: Path | None,
    campaign: Path | None = None,
    number: int | None = None,
    real_time: float | None = None,
) -> int:
    """Simulate a case and print a summary.

    name: name or path of a case, or the run.nc of a saved run, which is repeated and compared; None: a campaign run.
    campaign, number: folder of a campaign, and number of the run to repeat.
    overrides: ``key.path=value``.
    at: comma-separated times of the samples in the summary, s.
    json: print one JSON object.
    out: directory for run.nc, summary.json and the figures.
    real_time: simulated seconds per second of wall-clock time; None: as fast as possible.
    Returns 0 if the run completed and every requirement is met; 130 if interrupted; otherwise 1, also if a file could
    not be written or a repeated run differs.
    """
    overrides = tuple(overrides)
    if name is None or campaign is not None or number is not None:
        loaded, again = _of_campaign(name, campaign, number, overrides), None
    else:
        loaded, again = load_case(name, overrides), Path(name) if name.endswith(".nc") else None
    if again is not None and (at is not None or not all(trusts(each) for each in overrides)):
        raise InputError(
            f"{name}: is a recorded run, repeated unchanged for comparison; use --set and --at with a case"
        )
    requested = () if at is None else parse_times(at, loaded.case.run.duration_s)
    times = requested if again is None else _recorded_times(again)
    state_case(loaded)
    state({"at": list(times)})
    if out is not None:
        prepare(out)
    with Results(out) as results:
        return _run(loaded, times, results, json=json, again=again, real_time=real_time)


def _recorded_times(path: Path) -> tuple[float, ...]:
    from ..report.replay_check import recorded_times

    return recorded_times(path)


def _of_campaign(name: str | None, campaign: Path | None, number: int | None, overrides: tuple[str, ...]) -> LoadedCase:
    """Return the case with the drawn values of one campaign run."""
    from ..case.campaigns.case_campaign import case_of_run

    if campaign is None or number is None:
        raise InputError(
            "nothing to run; give CASE, or --from-campaign DIR with --run K"
            if name is None
            else "--from-campaign DIR and --run K must be given together"
        )
    if name is not None or not all(trusts(each) for each in overrides):
        raise InputError("--from-campaign defines the case and its numbers; remove CASE and --set")
    return case_of_run(campaign, number, overrides)[0]


def _run(
    loaded: LoadedCase,
    times: tuple[float, ...],
    results: Results,
    *,
    json: bool,
    again: Path | None,
    real_time: float | None,
) -> int:
    from ...controllers.laws.files.plant_fingerprint import flown_fingerprint
    from ...sim.results.recording import Recording

    with located(loaded.source):
        problem = build(loaded.case)
        others = other_laws(loaded, problem)
        state({"plant_fingerprint": flown_fingerprint(problem.craft, problem.law, problem.state)})
        many = problem.settings["duration"] / problem.settings["output_step"] > ROWS_IN_MEMORY
        if many and "accuracy" in problem.settings:
            raise InputError(
                f"run.accuracy_deg keeps all rows of several runs in memory, at most {ROWS_IN_MEMORY} each; use a "
                "longer run.output_s"
            )
        if real_time is not None and others:
            raise InputError("--real-time runs one law only; remove [[compare]]")
        part = results.part("run.nc") if many else None
        stream = None if part is None else Recording(part)
        run = fly(problem, name=loaded.name, output_times=times, stream=stream, real_time=real_time)
    with uninterrupted():  # complete the file even after Ctrl-C
        _keep(run, results)
    unmeasured = CaseRun(loaded=loaded, problem=problem, run=run, metrics={}, requirements=())
    try:
        case_run = measured(loaded, problem, run)
        summary = _summary(case_run, times)
        if again is not None:
            from ..report.replay_check import compare

            summary["compared"] = compare(again, run.t, run.pieces)
        flights = _fly_others(case_run, others, results)
        _add_comparison(summary, flights)
    except KeyboardInterrupt:  # Ctrl-C after the simulation keeps the run
        return _unmeasured(unmeasured, times, results, json=json)
    results.pictures(lambda: _pictures(case_run, flights))
    _finish(loaded, summary, results, json=json)
    code = judge_run(case_run)
    if again is not None:
        from ..report.replay_check import say_comparison

        differs = say_comparison(summary["compared"], json=json)
        code = code or differs
    return results.code(code)


def _finish(loaded: LoadedCase, summary: dict[str, Any], results: Results, *, json: bool) -> None:
    """Write the summary, rename all files to their final names, and print the summary."""
    from ..report.json_text import dump

    summary = results.finish("summary.json", summary)
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        from ..report.console import show_run

        show_run(loaded, summary, files=results.files, out=results.where)


def _unmeasured(case_run: CaseRun, times: tuple[float, ...], results: Results, *, json: bool) -> int:
    """Report a run whose evaluation was interrupted by Ctrl-C, omitting quantities that need a search."""
    note = "interrupted while the run was measured: its rows are kept, without metrics, requirements and warnings"
    run = case_run.run
    noted = replace(run, end_report=replace(run.ended, warnings=(*run.ended.warnings, note), looked=True))
    summary = _summary(replace(case_run, run=noted), times, searched=False)
    _finish(case_run.loaded, summary, results, json=json)
    sys.stderr.write(f"polhode: {case_run.loaded.name}: {note}\n")
    results.code(130)
    return 130


def _summary(case_run: CaseRun, times: tuple[float, ...], *, searched: bool = True) -> dict[str, Any]:
    """Return a summary of a run with the verdicts on its requirements.

    searched: whether to include warnings and the table of a source document, which require a search.
    """
    from ..documents.tables import document_table, document_warnings
    from ..report.summary import run_summary, sample

    loaded, run = case_run.loaded, case_run.run
    sequence = loaded.case.metrics.euler_sequence
    rows = [_row(run, time) for time in times if time <= run.t[-1]]
    written = {name: run.values(name) for name in run.written if name in run.names}
    samples, final = (
        [
            sample(
                run.craft,
                float(run.t[row]),
                run.x[row],
                euler_sequence=sequence,
                signals={name: values[row] for name, values in written.items()},
            )
            for row in which
        ]
        for which in (rows, (-1,))
    )
    summary = run_summary(
        loaded.name, run, samples=samples, final=final[0], metrics=case_run.metrics, verdicts=case_run.requirements
    )
    if not searched:
        return summary
    summary["warnings"] += [*case_warnings(loaded, run, times), *document_warnings(loaded.name)]
    table = document_table(loaded.name, run)
    if table:
        summary["document"] = [row.to_dict() for row in table]
    return summary


def _fly_others(
    case_run: CaseRun, others: Mapping[str, tuple[LoadedCase, Problem]], results: Results
) -> dict[str, CaseRun]:
    """Simulate the case under every law in `[[compare]]`, until one run is interrupted.

    Returns the runs by label, including the given run under the law of `[controller]`; empty if there are no other
    runs.
    """
    if not others:
        return {}
    found = {case_run.loaded.case.label: case_run}
    for label, (loaded, problem) in others.items():
        if any(each.run.status == "stopped" for each in found.values()):
            break
        try:
            found[label] = measured(loaded, problem, fly(problem, name=f"{loaded.name} ({label})"))
        except KeyboardInterrupt:
            results.interrupted = "the laws not measured yet"
            break
    return found if len(found) > 1 else {}


def _add_comparison(summary: dict[str, Any], flights: Mapping[str, CaseRun]) -> None:
    """Add the comparison of the laws, and warnings about incomplete runs, to the summary."""
    from .law_comparison import law_comparison

    if not flights:
        return
    summary["comparison"] = law_comparison(flights)
    for label, other in list(flights.items())[1:]:
        notes = list(other.run.warnings)
        if other.run.status != "completed":
            notes.insert(0, f"the run ended {other.run.status}: {other.run.reason}")
        summary["warnings"] += [f"compare {label!r}: {words}" for words in notes]


def _keep(run: "Run", results: Results) -> None:
    """Write the rows of a run, unless they were streamed to the file."""
    from ...sim.results.labelled import fill

    if run.recorded is not None:
        if run.reason and run.status == "stopped" and "could not be written" in run.reason:
            results.fail(run.reason)
        return
    if results.out is not None:
        target = results.out / "run.nc"
        results.write("run.nc", lambda path: fill(run, path, target))


def _row(run: "Run", time: float) -> int:
    """Return the index of the row at a requested time; one row matches it within rounding."""
    import numpy as np

    return int(np.abs(run.t - time).argmin())


def _pictures(case_run: CaseRun, flights: Mapping[str, CaseRun]) -> "dict[str, Figure]":
    from ...sim.results.rows import extremes
    from ..documents.further_figures import document_figures
    from ..pictures.run.plots import figures
    from .law_comparison import draw_law_comparison

    loaded, run = case_run.loaded, case_run.run
    if run.t.size > ROWS_IN_MEMORY:
        run = extremes(run)
    band = loaded.case.metrics.settling_band_deg
    drawn = figures(run, name=loaded.name, title=loaded.case.title, settling_band_deg=band)
    drawn |= document_figures(run, loaded.case.figures)
    twin = consistent_twin(case_run)
    if twin is not None:
        from ..pictures.run.ring_comparison import draw_ring_comparison

        title = f"{loaded.name}: {loaded.case.title}"
        drawn["ring_comparison"] = draw_ring_comparison(twin, run, title=title)
    return {**drawn, "comparison": draw_law_comparison(flights)} if flights else drawn


def judge_run(case_run: CaseRun) -> int:
    """Report failures of a run on stderr and return the exit code."""
    name, run = case_run.loaded.name, case_run.run
    if run.status == "stopped":
        sys.stderr.write(f"polhode: {name}: interrupted at {run.t[-1]:g} s\n")
        return 130
    if run.status != "completed":
        when = "" if "t = " in run.reason else f" at {run.t[-1]:g} s"
        sys.stderr.write(f"polhode: {name}: the run ended {run.status}{when}: {plain_text(run.reason)}\n")
        return 1
    unmet = [verdict.reason for verdict in case_run.requirements if not verdict.met]
    if unmet:
        sys.stderr.write(f"polhode: {name}: requirement not met: {'; '.join(unmet)}\n")
        return 1
    return 0
