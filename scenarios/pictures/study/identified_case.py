"""Figures of an identified case: residuals over time, standard deviations, correlations."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...case.identification import IdentifiedCase
from ..palette import AXIS_COLOURS, FAINT, INK
from .panels import page_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 2000  # largest number of points drawn for a residual


def draw_identified(found: IdentifiedCase) -> "dict[str, Figure]":
    """Return the figure by file name: residuals of each sensor, standard deviations, correlations."""
    sensors = len(found.tests)
    figure, panels = page_of(sensors + 2, f"{found.loaded.name}: identified")
    for panel, test, t, rows in zip(panels, found.tests, found.times, found.residuals, strict=False):
        stride = max(1, len(t) // MOST)
        panel.axhspan(-2.0, 2.0, color=FAINT, alpha=0.3)
        for column, colour in zip(rows.T, [*AXIS_COLOURS, INK] * 4, strict=False):
            panel.plot(t[::stride], column[::stride], linestyle="none", marker=".", markersize=1.5, color=colour)
        panel.set_xlabel("time (s)")
        panel.set_ylabel("residual / sigma")
        panel.set_title(f"{test.name}: mean square {test.mean_square:.3f}", fontsize="small")
    _sigmas(panels[sensors], found)
    _correlations(panels[sensors + 1], found)
    return {"identify": figure}


def _sigmas(panel: Any, found: IdentifiedCase) -> None:
    """Draw the standard deviation of each parameter relative to its magnitude."""
    names = found.information.names
    at = np.arange(len(names))[::-1]
    relative = found.information.sigma / found.information.scale
    finite = np.isfinite(relative)
    panel.barh(at[finite], relative[finite], color=AXIS_COLOURS[0], height=0.6)
    if (~finite).any():
        panel.plot(np.full((~finite).sum(), 1.0), at[~finite], linestyle="none", marker="x", color=AXIS_COLOURS[1])
    panel.set_xscale("log")
    panel.set_yticks(at, names)
    panel.set_xlabel("sigma / magnitude (x: not determined)")


def _correlations(panel: Any, found: IdentifiedCase) -> None:
    """Draw the correlations of the estimates."""
    names = found.information.names
    matrix = np.nan_to_num(found.information.correlation)
    image = panel.imshow(matrix, vmin=-1.0, vmax=1.0, cmap="RdBu_r")
    short = [each.rsplit(".", 1)[-1].removeprefix("inertia_") for each in names]
    panel.set_xticks(range(len(names)), short, rotation=90)
    panel.set_yticks(range(len(names)), short)
    panel.figure.colorbar(image, ax=panel, label="correlation")
