"""Drawing of the unit sphere as a disc, and of curves on it, dashed on the far side."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..palette import FAINT
from ..scene.camera import Camera

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]


def draw_disc(axes: "Axes") -> None:
    """Draw the unit sphere as a disc, lit from the upper left."""
    from matplotlib.patches import Circle

    for share in np.linspace(1.0, 0.05, 20):  # light from the upper left makes the disc look like a ball
        bright = 0.955 + 0.045 * (1.0 - share)
        centre = (-0.3 * (1.0 - share), 0.35 * (1.0 - share))
        shade = tuple(bright * part for part in (0.975, 0.972, 0.96))
        axes.add_patch(Circle(centre, share, facecolor=shade, edgecolor="none", zorder=0))
    axes.add_patch(Circle((0.0, 0.0), 1.0, facecolor="none", edgecolor=FAINT, linewidth=1.0, zorder=1))


def draw_curve(axes: "Axes", camera: Camera, points: Array, *, colour: str, width: float) -> None:
    """Draw a curve on the unit sphere; its far side is thin and dashed.

    points (n, 3): points in camera axes; width: line width, pt.
    """
    near = points @ camera.towards >= 0.0
    xs, ys = camera.project(points).T
    front, back = np.where(near, xs, np.nan), np.where(near, np.nan, xs)
    axes.plot(back, ys, color=colour, linewidth=0.6 * width, alpha=0.35, linestyle=(0, (3, 3)), zorder=2)
    axes.plot(front, ys, color=colour, linewidth=width, zorder=4, solid_capstyle="round")
