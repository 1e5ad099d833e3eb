"""Pictures of a run: one for each panel that applies, and all on one page."""

from typing import TYPE_CHECKING

from .panels import PANELS, Panel, time_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..sim import Run

__all__ = ["figures"]


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
        figure.suptitle(f"{name}: {title}", fontweight="bold")
        _fill(figure.subplots(), panel, run, settling_band_deg)
        drawn[key] = figure
    if "nutation" in chosen and run.values("momentum").any():
        drawn["momentum_sphere"] = _sphere(run, f"{name}: {title}")
    rows = (len(chosen) + 1) // 2
    overview = Figure(figsize=(13.0, 3.3 * rows + 0.5), dpi=110, layout="constrained")
    FigureCanvasAgg(overview)
    overview.suptitle(f"{name}: {title}", fontweight="bold")
    grid = overview.add_gridspec(rows, 2)
    for cell, panel in enumerate(chosen.values(), start=len(chosen) % 2):
        # of an odd number the first is as wide as the page
        place = grid[0, :] if cell == 1 and len(chosen) % 2 else grid[cell // 2, cell % 2]
        _fill(overview.add_subplot(place), panel, run, settling_band_deg)
    drawn["overview"] = overview
    return drawn


def _sphere(run: "Run", title: str) -> "Figure":
    from .pictures import draw_polhode_sphere

    inertia = run.craft.locked_inertia(run.x[0])
    return draw_polhode_sphere(inertia, momentum=run.values("momentum"), title=title)


def _fill(axes: "Axes", panel: Panel, run: "Run", band_deg: float) -> None:
    panel.draw(axes, run, band_deg)
    axes.set_title(panel.title, loc="left", fontsize="medium")
    seconds, unit = time_unit(run)
    axes.set_xlabel(f"time ({unit})")
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    if run.t[-1] > 0.0:
        axes.set_xlim(0.0, float(run.t[-1]) / seconds)
    axes.legend(  # above the axes, where it covers nothing
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        ncols=4,
        fontsize="small",
        frameon=False,
        borderaxespad=0.0,
        columnspacing=1.2,
        handlelength=1.6,
    )
