"""Dual vector lengths, condition number and distance to the singular pose over the middle angle."""

from typing import TYPE_CHECKING

import numpy as np

from ....plant.attitude import singular_middle_angles
from ....plant.loads.torque import TorqueBases
from ..palette import BASIS_COLOURS, FAINT, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TOP = 1e3


def draw_curves(figure: "Figure", bases: TorqueBases) -> None:
    """Add both panels to the right half of a figure."""
    upper = figure.add_axes((0.645, 0.49, 0.335, 0.37))
    lower = figure.add_axes((0.645, 0.14, 0.335, 0.26))
    symmetric = bases.sequence[0] == bases.sequence[-1]
    grid = np.radians(np.linspace(-180.0, 180.0, 1441))
    c = np.abs(np.sin(grid) if symmetric else np.cos(grid))
    d = np.abs(np.cos(grid) if symmetric else np.sin(grid))
    with np.errstate(divide="ignore"):
        length, condition = 1.0 / c, (1.0 + d) / c
    here = float(np.degrees(np.arctan2(np.sin(bases.angles[1]), np.cos(bases.angles[1]))))

    x = np.degrees(grid)
    upper.semilogy(x, np.minimum(condition, 10 * _TOP), color=INK, linewidth=1.4, label="condition number")
    upper.semilogy(
        x,
        np.minimum(length, 10 * _TOP),
        color=BASIS_COLOURS[0],
        linestyle="--",
        linewidth=1.6,
        label="$|\\mathbf{g}^1| = |\\mathbf{g}^3|$",
    )
    upper.set_ylim(0.8, _TOP)
    upper.set_ylabel("condition, length")
    lower.plot(x, np.degrees(np.arctan2(c, d)), color=INK, linewidth=1.4)
    lower.set_ylim(0.0, 100.0)
    lower.set_yticks([0, 30, 60, 90])
    lower.set_ylabel("distance (deg)")
    lower.set_xlabel("middle angle (deg)")
    marks = ((upper, bases.condition, INK), (upper, float(bases.dual_lengths[0]), BASIS_COLOURS[0]))
    for axes, value, colour in (*marks, (lower, float(np.degrees(bases.distance)), INK)):
        if np.isfinite(value) and value < _TOP:
            axes.plot([here], [value], "o", color=colour, markersize=6.0, zorder=5.0, clip_on=False)
    poses = np.degrees(singular_middle_angles(bases.sequence)).tolist()
    for axes in (upper, lower):
        _dress(axes, here, poses=[*poses, -180.0] if symmetric else poses)
    upper.tick_params(labelbottom=False)
    upper.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False, fontsize=10)


def _dress(axes: "Axes", here: float, *, poses: list[float]) -> None:
    axes.set_xlim(-180.0, 180.0)
    axes.set_xticks(np.arange(-180, 181, 60 if -180.0 in poses else 45).tolist())
    axes.grid(True, color="#E4E4E4", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    for pose in poses:
        axes.axvline(pose, color=FAINT, linewidth=1.0, linestyle=":")
    axes.axvline(here, color=FAINT, linewidth=1.0)
