"""``polhode run`` of a case with a `[satellite]`."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..explain import located
from ..loader import LoadedSatelliteCase
from ..output import Results
from ..reflown import compare, say_comparison
from ..requirements import Verdict, judge
from ..stored import state_satellite
from .comparison import compare_laws, comparison_figure, comparison_rows
from .document import document_rows, document_warnings
from .flight import Flight, fly
from .metrics import measure_flight
from .summary import flight_summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["run_satellite"]


def run_satellite(
    loaded: LoadedSatelliteCase, times: Sequence[float], *, json: bool, out: Path | None, again: Path | None = None
) -> int:
    """Fly a case with a `[satellite]` and print what came of it.

    Parameters
    ----------
    loaded : LoadedSatelliteCase
        The case.
    times : sequence of float
        Times of the samples, s.
    json : bool
        Whether as one JSON object.
    out : path or None
        Where to write run.nc, summary.json and pictures.
    again : path or None
        The recorded run that this is to be compared with.

    Returns
    -------
    int
        0 when the run completed and every requirement is met, otherwise 1.
    """
    from ..json_text import dump

    with located(loaded.source):
        flight = fly(loaded.case, times)
        flights = {} if flight.run.status == "stopped" else compare_laws(flight)
    run = flight.run
    state_satellite(run.satellite)
    metrics = measure_flight(flight)
    verdicts = judge(loaded.case.require, metrics)
    reached = [time for time in times if time <= run.t[-1]]
    rows = [int(np.abs(run.t - time).argmin()) for time in reached]
    summary = flight_summary(loaded.name, flight, rows=rows, metrics=metrics, verdicts=verdicts)
    summary["warnings"] += _warnings(loaded, flight, times)
    summary["warnings"] += [
        f"compare {label!r}: the run ended {other.run.status}: {other.run.reason}"
        for label, other in flights.items()
        if other is not flight and other.run.status != "completed"
    ]
    table = document_rows(loaded.name, flight)
    if table:
        summary["document"] = [row.to_dict() for row in table]
    if flights:
        summary["comparison"] = comparison_rows(flights)
    if again is not None:
        summary["compared"] = compare(again, run.t, lambda name: (each for each in (run.values(name),)))
    with Results(out) as results:
        results.write("run.nc", run.fill)
        results.pictures(lambda: _pictures(loaded.name, flight, flights))
        summary = results.finish("summary.json", summary)
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        from ..console import show_run

        show_run(loaded, summary, files=results.files, out=results.where)
    code = _judgement(loaded.name, flight, verdicts)
    differs = 0 if again is None else say_comparison(summary["compared"], json=json)
    return results.code(code or differs)


def _warnings(loaded: LoadedSatelliteCase, flight: Flight, times: Sequence[float]) -> list[str]:
    end = float(flight.run.t[-1])
    late = [f"no sample at {time:g} s: the run ended at {end:g} s" for time in times if time > end]
    idle = [
        f"torques.{index} begins at {each.from_s:g} s, when the run is over: it never acts"
        for index, each in enumerate(loaded.case.torques)
        if each.from_s >= loaded.case.run.duration_s
    ]
    return [*late, *idle, *document_warnings(loaded.name)]


def _pictures(name: str, flight: Flight, flights: Mapping[str, Flight]) -> "dict[str, Figure]":
    from .figures import flight_figures

    if flight.run.t.size < 2:
        return {}  # there is nothing to draw
    drawn = flight_figures(flight, name=name)
    return {**drawn, "comparison": comparison_figure(flights, name=name)} if flights else drawn


def _judgement(name: str, flight: Flight, verdicts: Sequence[Verdict]) -> int:
    run = flight.run
    if run.status == "stopped":
        sys.stderr.write(f"polhode: {name}: interrupted at {run.t[-1]:g} s\n")
        return 130
    if run.status != "completed":
        sys.stderr.write(f"polhode: {name}: the run ended {run.status}: {run.reason}\n")
        return 1
    unmet = [verdict.reason for verdict in verdicts if not verdict.met]
    if unmet:
        sys.stderr.write(f"polhode: {name}: requirement not met: {'; '.join(unmet)}\n")
        return 1
    return 0
