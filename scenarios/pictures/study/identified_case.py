"""Figures of an identified case: residuals over time, standard deviations, information ellipsoid, correlations."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...case.identification import IdentifiedCase
from ..palette import AXIS_COLOURS, FAINT, INK
from .panels import page_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 2000  # largest number of points drawn for a residual
LONGEST_AXES = 8  # number of semi-axes drawn


def draw_identified(found: IdentifiedCase) -> "dict[str, Figure]":
    """Return the figure by file name: residuals of each sensor, standard deviations, ellipsoid, correlations."""
    sensors = len(found.tests)
    figure, panels = page_of(sensors + 3, f"{found.loaded.name}: identified")
    for panel, test, t, rows in zip(panels, found.tests, found.times, found.residuals, strict=False):
        stride = max(1, len(t) // MOST)
        panel.axhspan(-2.0, 2.0, color=FAINT, alpha=0.3)
        for column, colour in zip(rows.T, [*AXIS_COLOURS, INK] * 4, strict=False):
            panel.plot(t[::stride], column[::stride], linestyle="none", marker=".", markersize=1.5, color=colour)
        panel.set_xlabel("time (s)")
        panel.set_ylabel("residual / sigma")
        panel.set_title(f"{test.name}: mean square {test.mean_square:.3f}", fontsize="small")
    _sigmas(panels[sensors], found)
    _ellipsoid(panels[sensors + 1], found)
    _correlations(panels[sensors + 2], found)
    return {"identify": figure}


def _sigmas(panel: Any, found: IdentifiedCase) -> None:
    """Draw the relative standard deviation of each parameter, and the same if all other parameters were known."""
    names, scale = found.information.names, found.information.scale
    at = np.arange(len(names))[::-1]
    relative = 100.0 * found.information.sigma / scale
    finite = np.isfinite(relative)
    with np.errstate(divide="ignore"):
        alone = 100.0 / np.sqrt(np.diag(found.information.matrix)) / scale
    known = np.isfinite(alone)
    panel.plot(relative[finite], at[finite], linestyle="none", marker="o", color=AXIS_COLOURS[0], label="sigma")
    panel.plot(
        alone[known], at[known], linestyle="none", marker="o", fillstyle="none", color=INK, label="all others known"
    )
    for row, one, other in zip(at[finite & known], alone[finite & known], relative[finite & known], strict=True):
        panel.plot([one, other], [row, row], color=FAINT, linewidth=0.8, zorder=0)
    every = np.concatenate((relative[finite], alone[known]))
    if every.size:
        panel.set_xlim(10.0 ** np.floor(np.log10(every.min())), 10.0 ** np.ceil(np.log10(every.max()) + 0.1))
    if (~finite).any():
        edge = panel.get_xlim()[1]
        panel.plot(
            np.full((~finite).sum(), edge), at[~finite], linestyle="none", marker=">", color=AXIS_COLOURS[1],
            label="undetermined", clip_on=False,
        )  # fmt: skip
    panel.set_xscale("log")
    panel.set_yticks(at, names)
    panel.set_xlabel("standard deviation (% of the size)")
    panel.legend(loc="best", fontsize="small")


def _ellipsoid(panel: Any, found: IdentifiedCase) -> None:
    """Draw the semi-axes of the one-sigma ellipsoid of the estimates, longest first, with their combinations."""
    axes = found.information.combinations[:LONGEST_AXES]
    at = np.arange(len(axes))[::-1]
    size = 100.0 * np.array([each.sigma for each in axes])
    finite = np.isfinite(size)
    panel.plot(size[finite], at[finite], linestyle="none", marker="D", color=AXIS_COLOURS[0])
    panel.set_xscale("log")
    if finite.any():
        low, high = np.floor(np.log10(size[finite].min())), np.ceil(np.log10(size[finite].max()) + 0.1)
        panel.set_xlim(10.0**low, 10.0**high)
    for row, each, known in zip(at, axes, finite, strict=True):
        words = str(each).replace("inertia_", "") + ("" if known else ": undetermined")
        panel.annotate(
            words, (0.02, row + 0.22), xycoords=("axes fraction", "data"), fontsize="x-small", color=INK,
            annotation_clip=False,
        )  # fmt: skip
    panel.set_ylim(-0.6, len(axes) - 0.2)
    panel.set_yticks([])
    panel.set_ylabel("combination")
    panel.set_xlabel("semi-axis of the one-sigma ellipsoid (% of the size)")


def _correlations(panel: Any, found: IdentifiedCase) -> None:
    """Draw the correlations of the estimates."""
    names = found.information.names
    matrix = np.nan_to_num(found.information.correlation)
    image = panel.imshow(matrix, vmin=-1.0, vmax=1.0, cmap="RdBu_r")
    short = [each.rsplit(".", 1)[-1].removeprefix("inertia_") for each in names]
    panel.set_xticks(range(len(names)), short, rotation=90)
    panel.set_yticks(range(len(names)), short)
    panel.figure.colorbar(image, ax=panel, label="correlation")
