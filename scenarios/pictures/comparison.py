"""Several laws on one case, drawn into the same axes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .palette import stroke

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..comparison import Entry

__all__ = ["draw_comparison"]


def draw_comparison(entries: Sequence["Entry"], *, title: str, settling_band_deg: float) -> "Figure":
    """Draw attitude error, size of the rate and largest component of the command of every law over time.

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
    from ...sim.page import new_page

    figure = new_page((9.0, 9.0), dpi=110)
    figure.suptitle(title)
    error, rate, torque = figure.subplots(3, sharex=True)
    for number, entry in enumerate(entries):
        if entry.run is None:
            continue
        run, style = entry.run, stroke(number)
        angle = np.degrees(run.values("attitude_error"))
        error.semilogy(run.t, np.where(angle > 1e-12, angle, np.nan), **style, linewidth=1.2, label=entry.method)
        size = np.degrees(np.linalg.norm(run.values("rate"), axis=1))
        rate.plot(run.t, size, **style, linewidth=1.2)
        # what peak_torque_N_m is the largest of; a held command is a staircase
        torque.step(run.t, np.abs(run.values("command")).max(axis=1), where="post", **style, linewidth=1.0)
    band = f"settling band, {settling_band_deg:g} deg"
    error.axhline(settling_band_deg, color="#999999", linestyle="--", linewidth=1.0, label=band)
    for axes, label in ((error, "attitude error (deg)"), (rate, "size of the rate (deg/s)")):
        axes.set_ylabel(label)
    torque.set_ylabel("command, largest component (N m)")
    torque.set_xlabel("time (s)")
    for axes in (error, rate, torque):
        axes.grid(True, color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.margins(x=0.0)
    error.legend(
        loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=4, fontsize="small", frameon=False, borderaxespad=0.2
    )
    return figure
