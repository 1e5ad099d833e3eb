"""Time histories of the review page: charts in order of importance, and their series."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .actuator_charts import actuator_charts, element_charts, momentum_charts
from .chart import Chart
from .diagnostic_charts import diagnostic_charts
from .marks import modes_of
from .pointing_charts import pointing_charts
from .series import MOST_POINTS, SeriesStore

if TYPE_CHECKING:
    from ...case_run import CaseRun

MOST_NUMBERS = 240_000
"""Most values of all series together, 5.3 bytes each in the page. The more series, the fewer points in each."""

HOUR, MINUTE = 3600.0, 60.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Histories:
    """Charts and series of a run.

    charts: charts in order; still: title and note of each quantity that is constant or zero to rounding; data:
    plain values for the script.
    """

    charts: tuple[Chart, ...]
    still: tuple[tuple[str, str], ...] = ()
    data: dict[str, Any] = field(default_factory=dict[str, Any])


def histories(case_run: "CaseRun") -> Histories:
    """Return the time histories of the run of a case."""
    found = _drawn(case_run, MOST_POINTS)
    count = len(found.data["series"])
    if found.data["envelope"] or case_run.run.t.size * count > MOST_NUMBERS:
        points = min(MOST_POINTS, max(400, MOST_NUMBERS // max(count, 1) // 2 * 2))
        if points < MOST_POINTS:
            return _drawn(case_run, points)
    return found


def _drawn(case_run: "CaseRun", most: int) -> Histories:
    run, case = case_run.run, case_run.loaded.case
    store = SeriesStore(run, most=most)
    diagnostics, still = diagnostic_charts(store)
    charts = (
        *pointing_charts(store, case, case_run.metrics),
        *actuator_charts(store),
        *momentum_charts(store),
        *element_charts(store),
        *diagnostics,
    )
    span = float(run.t[-1])
    unit, seconds = ("h", HOUR) if span > 4.0 * HOUR else ("min", MINUTE) if span > HOUR else ("s", 1.0)
    data = {
        **store.to_dict(),
        "duration": span,
        "clock": {"unit": unit, "seconds": seconds},
        "modes": modes_of(run),
        "charts": [chart.to_dict() for chart in charts],
    }
    return Histories(charts=charts, still=tuple(still), data=data)
