"""Comparison of the laws in `[[compare]]`: metrics and figure."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..case_run import CaseRun
from ..report.metrics import MetricSettings
from ..report.metrics.arms import residual_from

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COMPARED = (
    "settling_time_s",
    "overshoot_deg",
    "final_attitude_error_deg",
    "peak_torque_N_m",
    "effort_N2_m2_s",
    "peak_tip_deflection_m",
    "residual_tip_deflection_m",
    "residual_strain_energy_J",
)
"""Names of the compared metrics; those without meaning for the case are omitted."""


def law_comparison(flights: Mapping[str, CaseRun]) -> list[dict[str, Any]]:
    """Return the metrics of every law in the comparison.

    flights: simulated run of each law, by label. Returns label, status and the metrics in COMPARED that apply to the
    case; None for a metric without a value.
    """
    first = next(iter(flights.values())).metrics
    shown = [name for name in COMPARED if not first[name].reason.startswith("the case has no")]
    rows: list[dict[str, Any]] = []
    for label, case_run in flights.items():
        whole = case_run.run.status == "completed"  # metrics of an incomplete run cannot be compared
        values = {name: case_run.metrics[name].value if whole else None for name in shown}
        rows.append({"label": label, "status": case_run.run.status, **values})
    return rows


def draw_law_comparison(flights: Mapping[str, CaseRun]) -> "Figure":
    """Plot the runs of all laws in the same axes.

    flights: simulated run of each law, by label. See `polhode.scenarios.pictures.run.compared_laws`.
    """
    from ..pictures.run.compared_laws import draw_comparison

    own = next(iter(flights.values()))
    table = own.loaded.case.metrics
    settings = MetricSettings(settling_band_deg=table.settling_band_deg, residual_from_s=table.residual_from_s)
    return draw_comparison(
        {label: case_run.run for label, case_run in flights.items()},
        title=f"{own.loaded.name}: {own.loaded.case.title}",
        settling_band_deg=table.settling_band_deg,
        residual_from_s=residual_from(own.run, settings),
    )
