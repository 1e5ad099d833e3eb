"""Straight and circular arrows and their labels in the figure of the cones."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..scene.camera import Camera

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]


def pointer(axes: "Axes", tip: Array, *, hidden: float, camera: Camera, colour: str) -> None:
    """Draw an arrow from the apex, paler where it is inside a cone."""
    start, end = camera.project(hidden * tip), camera.project(tip)
    axes.plot(
        [0.0, start[0]], [0.0, start[1]], color=colour, linewidth=1.6, alpha=0.45, zorder=5, solid_capstyle="butt"
    )
    axes.annotate(
        "",
        xy=tuple(end),
        xytext=tuple(start),
        zorder=6,
        arrowprops={
            "arrowstyle": "-|>",
            "color": colour,
            "mutation_scale": 20.0,
            "linewidth": 2.2,
            "shrinkA": 0.0,
            "shrinkB": 0.0,
        },
    )


def label(axes: "Axes", words: str, place: Array, *, colour: str, side: str = "center") -> None:
    """Write a label to the "left" or "right" of a point, or above the point ("center")."""
    from matplotlib.patheffects import withStroke

    offset = {"left": (-0.05, 0.0), "right": (0.05, 0.0), "center": (0.0, 0.04)}[side]
    axes.text(
        float(place[0]) + offset[0],
        float(place[1]) + offset[1],
        words,
        color=colour,
        fontsize=12.5,
        ha={"left": "right", "right": "left", "center": "center"}[side],
        va="bottom" if side == "center" else "center",
        zorder=9,
        path_effects=[withStroke(linewidth=3.0, foreground="white", alpha=0.9)],
    )


def _circle(axis: Array, *, radius: float, height: float, angles: Array) -> Array:
    helper = np.array([0.0, 1.0, 0.0])
    third = np.cross(axis, helper)
    around = np.outer(np.cos(angles), third / np.sqrt(third @ third)) + np.outer(np.sin(angles), np.cross(axis, third))
    return height * axis + radius * around


def trace(axes: "Axes", axis: Array, *, radius: float, height: float, camera: Camera, colour: str) -> None:
    """Draw the path of a tip as a dotted circle about an axis, paler behind the cones."""
    points = _circle(axis, radius=radius, height=height, angles=np.linspace(0.0, 2.0 * np.pi, 361))
    near = (points - height * axis) @ camera.towards >= 0.0
    xs, ys = camera.project(points).T
    for seen, layer, alpha in ((near, 4, 1.0), (~near, 1, 0.6)):
        where = np.where(seen, xs, np.nan)
        axes.plot(where, ys, color=colour, linewidth=1.4, linestyle=(0, (1, 2.5)), alpha=alpha, zorder=layer)


def circling(axes: "Axes", axis: Array, *, sense: float, height: float, camera: Camera, colour: str) -> None:
    """Draw a circular arrow about an axis; positive sense is right-handed."""
    angles = sense * np.linspace(0.6, 0.6 + 1.55 * np.pi, 91)
    points = camera.project(_circle(axis, radius=0.15, height=height, angles=angles))
    axes.plot(*points.T, color=colour, linewidth=1.8, zorder=7, solid_capstyle="butt")
    axes.annotate(
        "",
        xy=tuple(points[-1] + 0.6 * (points[-1] - points[-6])),
        xytext=tuple(points[-6]),
        zorder=7,
        arrowprops={
            "arrowstyle": "-|>",
            "color": colour,
            "mutation_scale": 14.0,
            "linewidth": 0.0,
            "shrinkA": 0.0,
            "shrinkB": 0.0,
        },
    )
