"""Comparison of the published and the consistent model of the ring damper."""

from typing import TYPE_CHECKING

import numpy as np

from ..palette import AXIS_COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....sim import Run

_CONSISTENT, _PUBLISHED = AXIS_COLOURS[:2]


def draw_ring_comparison(consistent: "Run", published: "Run", *, title: str) -> "Figure":
    """Draw momentum magnitude, energy, nutation angle and slug angle of both models.

    consistent: run with the consistent equations.
    published: run of the same spacecraft in `polhode.plant.formulations.PublishedRing`.
    title: title above the figure.
    -> four axes.
    """
    from ....sim.results.page import new_page

    figure = new_page((11.0, 7.5), dpi=110)
    figure.suptitle(title)
    grid = figure.subplots(2, 2, sharex=True)
    for name, run, colour in (
        ("consistent", consistent, _CONSISTENT),
        ("published (63)-(68)", published, _PUBLISHED),
    ):
        momentum = run.values("inertial_momentum")
        drawn = (
            np.linalg.norm(momentum - momentum[0], axis=1),
            run.values("energy"),
            np.degrees(run.values("nutation")),
            run.values("internal")[:, 0],
        )
        for axes, values in zip(grid.ravel(), drawn, strict=True):
            axes.plot(run.t, values, color=colour, linewidth=1.0, label=name)
    labels = (
        "change of the inertial momentum (N m s)",
        "energy (J)",
        "nutation angle (deg)",
        "angle of the slug (rad)",
    )
    for axes, label in zip(grid.ravel(), labels, strict=True):
        axes.set_ylabel(label)
        axes.grid(True, color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.margins(x=0.0)
    for axes in grid[1]:
        axes.set_xlabel("time (s)")
    grid[0, 0].legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2, fontsize="small", frameon=False)
    return figure
