"""Panels of the attitude error, per axis and as a total angle, with settling band and marked times."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...report.followed_reference import reference_jumps
from ...report.metrics.attitude import settling_time
from ...report.rounding import is_rounding
from ..palette import FAINT, INK, LIMIT, SETTLED, stroke
from .stacked import apart
from .swings import swings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ....sim import Run

Array = NDArray[np.float64]

LEAST = 1e-12
"""Error, deg, below which a value is round-off and would stretch a logarithmic axis by decades."""


def has_error(run: "Run") -> bool:
    """Return whether the run has an attitude error about each axis that exceeds round-off."""
    return "error_vector" in run.names and not is_rounding(run.values("error_vector"), 1.0)


def draw_error_axes(axes: "Axes", run: "Run", time: Array, *, band_deg: float) -> None:
    """Draw the rotation vector from the reference to the attitude about each body axis, deg.

    time: times of the rows, in the unit of the time axis; band_deg: settling band, deg.
    """
    error = np.degrees(run.values("error_vector"))
    dashes = apart(error)
    width = 0.7 if max(map(swings, error.T)) > 40 else 1.2
    axes.axhspan(-band_deg, band_deg, color=SETTLED, alpha=0.18, linewidth=0.0, label=f"band, {band_deg:g} deg")
    axes.axhline(0.0, color=FAINT, linewidth=0.8, label="reference")
    for index, name in enumerate("xyz"):
        look: dict[str, Any] = {**stroke(index), "linewidth": width}
        if dashes[index] != "-":
            look["linestyle"] = dashes[index]
        axes.plot(time, error[:, index], **look, label=f"body {name}")
    axes.set_ylabel("attitude error (deg)")
    _mark(axes, run, time, band_deg)


def draw_error(axes: "Axes", run: "Run", time: Array, *, band_deg: float) -> None:
    """Draw the total angle of the attitude error on a logarithmic axis, deg."""
    error = np.degrees(run.values("attitude_error"))
    shown = np.where(error > LEAST, error, np.nan)
    some = bool(np.isfinite(shown).any())
    axes.semilogy(time, shown, color=INK, linewidth=1.2, label="error" if some else f"error: below {LEAST:g} deg")
    if not some:  # a logarithmic axis has no range without positive values
        axes.set_ylim(0.1 * band_deg, 10.0 * band_deg)
    axes.axhline(band_deg, color=SETTLED, linestyle="--", linewidth=1.0, label=f"band, {band_deg:g} deg")
    axes.set_ylabel("attitude error (deg)")
    _mark(axes, run, time, band_deg)


def _mark(axes: "Axes", run: "Run", time: Array, band_deg: float) -> None:
    """Mark when the error settled and when the reference jumped."""
    seconds = float(run.t[-1] / time[-1]) if time[-1] > 0.0 else 1.0
    settled = settling_time(run.t, np.degrees(run.values("attitude_error")), band_deg)
    if run.status == "completed" and settled is not None and settled > run.t[0]:
        words = f"settled at {settled:.4g} s"
        axes.axvline(settled / seconds, color=SETTLED, linestyle="-", linewidth=1.0, label=words)
    for number, when in enumerate(reference_jumps(run)):
        label = "reference changes" if number == 0 else "_"
        axes.axvline(when / seconds, color=LIMIT, linestyle=(0.0, (1.0, 1.5)), linewidth=1.2, label=label)
