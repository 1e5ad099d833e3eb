"""Several laws flown through the same case of a flexible satellite, side by side."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...plant.attitude import rotation_angle
from ..explain import located
from ..metrics import Metric
from ..pictures.palette import stroke
from .flight import Flight, fly
from .metrics import attitude_errors, measure_flight, residual_from

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["COMPARED", "compare_laws", "comparison_figure", "comparison_rows"]

COMPARED = (
    "settling_time_s",
    "overshoot_deg",
    "final_attitude_error_deg",
    "effort_N2_m2_s",
    "peak_tip_deflection_m",
    "residual_tip_deflection_m",
    "residual_strain_energy_J",
)
"""The metrics that are set side by side."""


def compare_laws(flight: Flight) -> dict[str, Flight]:
    """Fly every law of `[[compare]]`.

    Parameters
    ----------
    flight : Flight
        What was flown under the case's own law.

    Returns
    -------
    dict
        From label to flight, the case's own first; empty without `[[compare]]`.
    """
    case = flight.case
    if not case.compare:
        return {}
    found = {case.label: flight}
    for index, each in enumerate(case.compare):
        with located(f"compare.{index}"):
            found[each.label] = fly(case.model_copy(update={"controller": each.controller}))
    return found


def comparison_rows(flights: Mapping[str, Flight]) -> list[dict[str, Any]]:
    """Return the metrics of every law.

    Parameters
    ----------
    flights : mapping
        From label to flight.

    Returns
    -------
    list of dict
        label, status and the numbers named in COMPARED; None where there is none.
    """
    rows: list[dict[str, Any]] = []
    for label, flight in flights.items():
        metrics: dict[str, Metric] = measure_flight(flight)
        whole = flight.run.status == "completed"  # numbers of a run cut off are not set beside whole ones
        values = {name: metrics[name].value if whole else None for name in COMPARED}
        rows.append({"label": label, "status": flight.run.status, **values})
    return rows


def comparison_figure(flights: Mapping[str, Flight], *, name: str) -> "Figure":
    """Draw attitude error, tip and strain energy of every law.

    Parameters
    ----------
    flights : mapping
        From label to flight.
    name : str
        The case's name.

    Returns
    -------
    matplotlib.figure.Figure
        Logarithmic panels: the error where there is a reference, deflection, energy.
    """
    from ...sim.page import new_page

    figure = new_page((8.5, 8.0), dpi=120)
    figure.suptitle(f"{name}: what is left of the vibration", fontsize="medium")
    held = all(flight.reference is not None for flight in flights.values())
    panels = figure.subplots(3 if held else 2, 1, sharex=True)
    ordered = sorted(flights.items(), key=lambda item: -_tip(item[1]).max())  # the largest below the others
    names = list(flights)
    for label, flight in ordered:
        run, style = flight.run, stroke(names.index(label))
        lines = [np.maximum(1e3 * _tip(flight), 1e-9), np.maximum(run.values("strain_energy_highest"), 1e-16)]
        if held:
            lines.insert(0, np.maximum(np.degrees(rotation_angle(attitude_errors(flight))), 1e-6))
        for axes, values in zip(panels, lines, strict=True):
            axes.semilogy(run.t, values, **style, linewidth=1.0, label=label)
    words = ("attitude error (deg)", "deflection of a tip (mm)", "strain energy (J)")[-len(panels) :]
    after = residual_from(next(iter(flights.values())))
    for axes, word in zip(panels, words, strict=True):
        axes.set_ylabel(word)
        axes.grid(True, color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        if after is not None:
            axes.axvline(after, color="#999999", linestyle="--", linewidth=1.0)
    if after is not None:
        place = panels[0].get_xaxis_transform()
        panels[0].text(after, 1.0, "residual from here", transform=place, va="bottom", ha="center", fontsize="small")
    panels[-1].set_xlabel("time (s)")
    panels[-1].set_xlim(0.0, max(float(flight.run.t[-1]) for flight in flights.values()))
    handles, labels = panels[0].get_legend_handles_labels()
    chosen = [labels.index(label) for label in names]
    panels[0].legend(
        [handles[k] for k in chosen],
        [labels[k] for k in chosen],
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=5,
        fontsize="small",
        frameon=False,
    )
    return figure


def _tip(flight: Flight) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """The deflection across the arm of the tip that is bent most, m, shape (n,): the largest between two rows."""
    return flight.run.values("tip_across_highest").max(axis=1)
