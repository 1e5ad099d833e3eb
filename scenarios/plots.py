"""Pictures of a run: attitude error, rates, torque, invariants, Euler parameters, and all on one page."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..sim import Run

__all__ = ["PANELS", "Panel", "figures"]

Array = NDArray[np.float64]

# Okabe & Ito's palette: told apart by colour-blind readers and in grey.
_AXES = ("#0072B2", "#D55E00", "#009E73")
_DARK = "#333333"
_FAINT = "#999999"
_FLOOR = 1e-17  # what a logarithmic axis shows for an exact zero


@dataclass(frozen=True)
class Panel:
    """One picture.

    Attributes
    ----------
    title : str
        Above the axes.
    draw : callable
        `draw(axes, run, band_deg)`.
    applies : callable
        `applies(run)`: whether there is anything to draw.
    """

    title: str
    draw: Callable[["Axes", "Run", float], None]
    applies: Callable[["Run"], bool]


def figures(run: "Run", *, name: str, title: str, settling_band_deg: float) -> dict[str, "Figure"]:
    """Draw every picture that applies to a run.

    Parameters
    ----------
    run : Run
        What `simulate` returned.
    name : str
        The case's name.
    title : str
        The case's title.
    settling_band_deg : float
        Drawn into the attitude error, deg.

    Returns
    -------
    dict
        From file name without ending to a matplotlib Figure; the last, "overview", holds all the others.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    chosen = {key: panel for key, panel in PANELS.items() if panel.applies(run)}
    drawn: dict[str, Figure] = {}
    for key, panel in chosen.items():
        figure = Figure(figsize=(8.0, 4.5), dpi=120, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots()
        _fill(axes, panel, run, settling_band_deg)
        axes.set_title(f"{panel.title} - {name}")
        drawn[key] = figure
    drawn["overview"] = overview = Figure(
        figsize=(13.0, 3.4 * ((len(chosen) + 1) // 2) + 0.6), dpi=110, layout="constrained"
    )
    FigureCanvasAgg(overview)
    overview.suptitle(title, fontweight="bold")
    grid: Any = overview.subplots((len(chosen) + 1) // 2, 2, squeeze=False).ravel()
    for axes, panel in zip(grid, chosen.values(), strict=False):
        _fill(axes, panel, run, settling_band_deg)
        axes.set_title(panel.title)
    for axes in grid[len(chosen) :]:
        axes.remove()
    return drawn


def _fill(axes: "Axes", panel: Panel, run: "Run", band_deg: float) -> None:
    panel.draw(axes, run, band_deg)
    unit = _time_unit(run)[1]
    axes.set_xlabel(f"time ({unit})")
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.0)
    handles, labels = axes.get_legend_handles_labels()
    if labels:
        axes.legend(
            handles, labels, loc="best", fontsize="small", framealpha=0.85, ncols=2 if len(labels) > 3 else 1
        )


def _time_unit(run: "Run") -> tuple[float, str]:
    span = float(run.t[-1])
    if span > 4 * 3600.0:
        return 3600.0, "h"
    return (60.0, "min") if span > 3600.0 else (1.0, "s")


def _time(run: "Run") -> Array:
    return run.t / _time_unit(run)[0]


def _attitude_error(axes: "Axes", run: "Run", band_deg: float) -> None:
    error = np.degrees(run.values("attitude_error"))
    axes.semilogy(
        _time(run), np.maximum(error, 1e-12), color=_AXES[0], label="rotation angle to the reference"
    )
    axes.axhline(
        band_deg, color=_FAINT, linestyle="--", linewidth=1.0, label=f"settling band, {band_deg:g} deg"
    )
    axes.set_ylabel("attitude error (deg)")


def _rates(axes: "Axes", run: "Run", _: float) -> None:
    rate = np.degrees(run.values("rate"))
    for index, (colour, name) in enumerate(zip(_AXES, "xyz", strict=True)):
        axes.plot(_time(run), rate[:, index], color=colour, linewidth=1.2, label=f"body {name}")
    axes.set_ylabel("body rate (deg/s)")


def _torque(axes: "Axes", run: "Run", _: float) -> None:
    commanded = run.law is not None
    torque = run.values("command" if commanded else "torque")
    names = "xyz" if not commanded or run.craft.torques.sequence is None else "123"
    where = f"{run.craft.torques.name} " if commanded else "body "
    for index, (colour, name) in enumerate(zip(_AXES, names, strict=True)):
        axes.step(
            _time(run), torque[:, index], where="post", color=colour, linewidth=1.2, label=f"{where}{name}"
        )
    if commanded and run.craft.torques.limit is not None:
        for index, limit in enumerate(sorted({float(value) for value in run.craft.torques.limits()})):
            for sign in (-1.0, 1.0):
                axes.axhline(
                    sign * limit,
                    color=_DARK,
                    linestyle=":",
                    linewidth=1.2,
                    label="limit" if index == 0 and sign > 0 else None,
                )
        axes.margins(y=0.1)
    axes.set_ylabel("commanded torque (N m)" if commanded else "torque on the body (N m)")


def _invariants(axes: "Axes", run: "Run", _: float) -> None:
    energy = np.abs(run.values("energy_balance"))
    momentum = np.sqrt((run.values("momentum_balance").reshape(len(run.t), -1) ** 2).sum(axis=1))
    energy_size = float(np.abs(run.values("energy")).max())
    momentum_size = float(np.sqrt((run.values("inertial_momentum") ** 2).sum(axis=1)).max())
    norm = np.abs(np.sqrt((run.values("attitude") ** 2).sum(axis=1)) - 1.0)
    lines = (
        (
            energy / energy_size if energy_size else energy,
            _AXES[0],
            "energy less work done, over the largest energy",
        ),
        (
            momentum / momentum_size if momentum_size else momentum,
            _AXES[1],
            "momentum less impulse, over the largest",
        ),
        (norm, _AXES[2], "norm of the Euler parameters less 1"),
    )
    for values, colour, label in lines:
        axes.semilogy(_time(run), np.maximum(values, _FLOOR), color=colour, linewidth=1.0, label=label)
    low, high = axes.get_ylim()
    axes.set_ylim(max(low, 0.5 * _FLOOR), max(10.0 * high, 1e-14))
    axes.set_ylabel("relative error")


def _euler_parameters(axes: "Axes", run: "Run", _: float) -> None:
    e = run.values("attitude")
    for index, colour in enumerate((_DARK, *_AXES)):
        axes.plot(_time(run), e[:, index], color=colour, linewidth=1.2, label=f"e{index}")
    axes.set_ylabel("Euler parameters")
    axes.set_ylim(-1.08, 1.08)


PANELS = {
    "attitude_error": Panel("Attitude error", _attitude_error, lambda run: run.reference is not None),
    "rates": Panel("Body rates", _rates, lambda _: True),
    "torque": Panel("Torque", _torque, lambda run: run.law is not None or bool(run.values("torque").any())),
    "invariants": Panel("Energy and momentum ledger", _invariants, lambda _: True),
    "euler_parameters": Panel("Attitude", _euler_parameters, lambda _: True),
}
"""Every picture, by file name."""
