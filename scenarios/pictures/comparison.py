"""Several laws on one case, drawn into the same axes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..comparison import Entry

__all__ = ["draw_comparison"]

# Okabe & Ito's palette: told apart by colour-blind readers and in grey
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#333333", "#999999")


def draw_comparison(entries: Sequence["Entry"], *, title: str, settling_band_deg: float) -> "Figure":
    """Draw attitude error, size of the rate and size of the torque of every law over time.

    Parameters
    ----------
    entries : sequence of Entry
        The laws; one without a run is left out.
    title : str
        Above the picture.
    settling_band_deg : float
        Drawn into the attitude error, deg.

    Returns
    -------
    matplotlib.figure.Figure
        Three axes.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 9.0), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontweight="bold")
    error, rate, torque = figure.subplots(3, sharex=True)
    for number, entry in enumerate(entries):
        if entry.run is None:
            continue
        run, colour = entry.run, _COLOURS[number % len(_COLOURS)]
        style = "-" if number < len(_COLOURS) else "--"
        angle = np.degrees(run.values("attitude_error"))
        error.semilogy(run.t, np.maximum(angle, 1e-12), style, color=colour, linewidth=1.2, label=entry.method)
        size = np.degrees(np.linalg.norm(run.values("rate"), axis=1))
        rate.plot(run.t, size, style, color=colour, linewidth=1.2)
        torque.plot(run.t, np.linalg.norm(run.values("command"), axis=1), style, color=colour, linewidth=1.0)
    error.axhline(settling_band_deg, color="#999999", linestyle="--", linewidth=1.0)
    error.text(
        1.0, settling_band_deg, f"settling band, {settling_band_deg:g} deg", transform=error.get_yaxis_transform(),
        ha="right", va="bottom", fontsize="small", color="#666666",
    )  # fmt: skip
    for axes, label in ((error, "attitude error (deg)"), (rate, "size of the rate (deg/s)")):
        axes.set_ylabel(label)
    torque.set_ylabel("size of the command (N m)")
    torque.set_xlabel("time (s)")
    for axes in (error, rate, torque):
        axes.grid(True, color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.margins(x=0.0)
    error.legend(
        loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=4, fontsize="small", frameon=False, borderaxespad=0.2
    )
    return figure
