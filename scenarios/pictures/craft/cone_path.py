"""Paths of body axes on the sphere of inertial directions, with keep-out and keep-in cones."""

from collections.abc import Sequence
from math import degrees
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....controllers import PointingCone
from ....plant.attitude import rotation_matrix
from ....plant.errors import InputError
from ..palette import AXIS_COLOURS, FAINT, INK, LIMIT, SETTLED, mixed
from ..scene.camera import Camera
from .sphere import draw_curve, draw_disc

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

STEEPEST = np.radians(55.0)
"""Largest elevation of the camera, so that the inertial z axis appears upright."""


def draw_cone_path(
    cones: Sequence[PointingCone], attitude: ArrayLike, *, compared: ArrayLike | None = None, title: str = ""
) -> "Figure":
    """Draw keep-out and keep-in cones, and the paths of the body axes that they constrain.

    Parameters
    ----------
    cones : sequence of PointingCone
        Keep-out cones are filled red, keep-in cones green.
    attitude : array_like, shape (n, 4)
        Euler parameters along the motion.
    compared : array_like, shape (m, 4), optional
        Second motion for comparison, such as the eigenaxis slew, drawn in grey.
    title : str
        Title above the figure.

    Returns
    -------
    matplotlib.figure.Figure
        Sphere of inertial directions; a diamond marks the start, a ring the end. Lines on the far side are dashed.

    Raises
    ------
    InputError
        When there is no cone.
    """
    from ....sim.results.page import new_page

    if len(cones) == 0:
        raise InputError("a figure of cones needs at least one cone")
    R = rotation_matrix(attitude)
    axes_of: list[Array] = []
    for cone in cones:
        if not any(np.allclose(cone.axis, each, rtol=0.0, atol=1e-9) for each in axes_of):
            axes_of.append(cone.axis)
    paths = [R @ axis for axis in axes_of]
    ahead = np.sum([*(path.mean(axis=0) for path in paths), *(0.5 * each.direction for each in cones)], axis=0)
    camera = Camera(
        float(np.arctan2(ahead[1], ahead[0])),
        float(np.clip(np.arctan2(ahead[2], np.hypot(ahead[0], ahead[1])), -STEEPEST, STEEPEST)),
    )
    figure = new_page((7.2, 7.4), dpi=120, layout=None)
    axes = figure.add_axes((0.03, 0.16, 0.94, 0.76))
    axes.set_aspect("equal")
    axes.set_axis_off()
    draw_disc(axes)
    for number, cone in enumerate(cones, start=1):
        _cap(axes, camera, cone, str(number))
    if compared is not None:
        other = rotation_matrix(compared)
        for axis in axes_of:
            draw_curve(axes, camera, other @ axis, colour=FAINT, width=1.2)
    for number, path in enumerate(paths):
        colour = AXIS_COLOURS[number % 3]
        draw_curve(axes, camera, path, colour=colour, width=2.4)
        for place, style in ((path[0], "D"), (path[-1], "o")):
            filled = colour if style == "D" and float(place @ camera.towards) >= 0.0 else "white"
            axes.plot(*camera.project(place), style, color=filled, mec=colour, mew=1.6, ms=7, zorder=8)
    _triad(axes, camera)
    axes.set_xlim(-1.12, 1.12)
    axes.set_ylim(-1.12, 1.12)
    figure.suptitle(title or "Body axes among cones", y=0.98, va="top")
    _legend(figure, cones, axes_of, compared=compared is not None)
    return figure


def _cap(axes: "Axes", camera: Camera, cone: PointingCone, number: str) -> None:
    """Draw the edge of a cone, and fill the inside on the near side."""
    across = np.linalg.svd(cone.direction[None, :])[2][1:]
    turn = np.linspace(0.0, 2.0 * np.pi, 361)
    rim = np.cos(cone.half_angle) * cone.direction + np.sin(cone.half_angle) * (
        np.cos(turn)[:, None] * across[0] + np.sin(turn)[:, None] * across[1]
    )
    colour = LIMIT if cone.keep == "out" else SETTLED
    near = rim @ camera.towards >= 0.0
    if near.any():
        flat = camera.project(rim)
        # clip points behind the limb to the limb
        flat = np.where(near[:, None], flat, flat / np.maximum(np.linalg.norm(flat, axis=1), 1e-9)[:, None])
        axes.fill(flat[:, 0], flat[:, 1], color=mixed(colour, "#FFFFFF", 0.72), alpha=0.55, linewidth=0.0, zorder=1.5)
    draw_curve(axes, camera, rim, colour=colour, width=1.4)
    if float(cone.direction @ camera.towards) > 0.05:
        right, up = camera.project(cone.direction).tolist()
        axes.text(right, up, number, ha="center", va="center", color=colour, fontweight="bold", zorder=6)


def _triad(axes: "Axes", camera: Camera) -> None:
    """Mark the inertial axes on the near side."""
    for word, axis in zip("XYZ", np.vstack((np.eye(3), -np.eye(3))), strict=False):
        if float(axis @ camera.towards) > 0.0:
            right, up = camera.project(axis).tolist()
            axes.plot(right, up, "+", color=INK, ms=7, mew=1.0, zorder=5)
            axes.annotate(word, (right, up), xytext=(5, 4), textcoords="offset points", color=INK, fontsize=9, zorder=5)


def _legend(figure: "Figure", cones: Sequence[PointingCone], axes_of: Sequence[Array], *, compared: bool) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    entries: list[Line2D | Patch] = []
    for number, axis in enumerate(axes_of):
        words = ", ".join(f"{value:.3g}" for value in (axis + 0.0).tolist())
        entries.append(Line2D([], [], color=AXIS_COLOURS[number % 3], linewidth=2.4, label=f"body axis ({words})"))
    if compared:
        entries.append(Line2D([], [], color=FAINT, linewidth=1.2, label="rotation about the eigenaxis"))
    for number, cone in enumerate(cones, start=1):
        colour = LIMIT if cone.keep == "out" else SETTLED
        words = f"{number}  {cone.name}: keep {cone.keep}, {degrees(cone.half_angle):.4g} deg"
        entries.append(Patch(facecolor=mixed(colour, "#FFFFFF", 0.72), edgecolor=colour, label=words))
    figure.legend(handles=entries, loc="lower center", ncol=2, frameon=False, fontsize=9, bbox_to_anchor=(0.5, 0.045))
    figure.text(
        0.5, 0.02, "inertial directions; diamond: start, ring: end; far side dashed", ha="center", color="#555555",
        fontsize=9,
    )  # fmt: skip
