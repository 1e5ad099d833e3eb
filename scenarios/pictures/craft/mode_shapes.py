"""Figures of mode shapes: each arm as a ribbon, undeformed in grey and deformed in colour."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant import Spacecraft
from ....plant.flexible import arms_of
from ..palette import AXIS_COLOURS, BODY, FAINT, INK, mixed
from ..scene.camera import Camera
from .mode_geometry import hub_motion, mode_ribbons

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

REACH = 0.12  # largest drawn displacement, as a fraction of the satellite's size
WIDTH = 0.03  # width of a ribbon, as a fraction of the satellite's size
HUB_TURN, TWIST = 0.4, 1.3  # largest drawn rotations of the hub and of twisted sections, rad
COLUMNS, CELL = 3, 4.4  # figures per row; size of each, inches
CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
CAMERA = Camera(azimuth=np.radians(-60.0), elevation=np.radians(24.0))
FACES = ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5))


def draw_mode_shapes(
    craft: Spacecraft,
    shapes: Array,
    *,
    numbers: Sequence[int],
    titles: Sequence[str],
    title: str,
    hub_size: Array | None = None,
) -> "Figure":
    """Draw mode shapes side by side, each scaled to be visible.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with flexible arms.
    shapes : numpy.ndarray, shape (degrees, n)
        Mode shapes, for example from `polhode.plant.flexible.MeshModes` or `AppendageModes`.
    numbers : sequence of int
        Columns of the shapes to draw, from 0.
    titles : sequence of str
        Title of each mode shape.
    title : str
        Title of the figure.
    hub_size : numpy.ndarray, shape (3,), optional
        Edge lengths of the box drawn for the hub, m; by default a small box.

    Returns
    -------
    matplotlib.figure.Figure
        Figure that is not attached to any window.
    """
    from ....sim.results.page import new_page

    count = len(numbers)
    columns = min(COLUMNS, count)
    rows = -(-count // columns)
    figure = new_page((6.0, 4.0), dpi=120)
    places: Any = figure.subplots(rows, columns, squeeze=False).ravel()
    for spare in places[count:]:
        spare.remove()
    for axes, number, words in zip(places, numbers, titles, strict=False):
        _draw(axes, craft, shapes[:, number], hub_size=hub_size)
        axes.set_title(words, fontsize="medium", color=INK)
    boxes = np.array([axes.dataLim.get_points() for axes in places[:count]], dtype=np.float64)
    low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    margin = 0.02 * (high - low)[0]
    low, high = low - margin, high + margin
    for axes in places[:count]:
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
        axes.set_axis_off()
    tall = CELL * float((high - low)[1] / (high - low)[0])
    figure.set_size_inches(max(CELL * columns, 6.0), (max(tall, 1.2) + 0.3) * rows + 0.5)
    figure.suptitle(title, color=INK)
    return figure


def _draw(axes: "Axes", craft: Spacecraft, shape: Array, *, hub_size: Array | None) -> None:
    still = mode_ribbons(craft, np.zeros(len(shape)))
    size = float(np.ptp(np.concatenate([ribbon.rest for ribbon in still]), axis=0).max())
    moved = mode_ribbons(craft, _scale(craft, shape, size) * shape)
    for ribbon in still:
        axes.plot(*CAMERA.project(ribbon.rest).T, color=FAINT, linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
        axes.plot(*CAMERA.project(ribbon.nodes).T, "o", color=FAINT, markersize=2.2, zorder=0)
    patches: list[tuple[float, Array, str]] = []
    for k, ribbon in enumerate(moved):
        colour = AXIS_COLOURS[k % len(AXIS_COLOURS)]
        side = 0.5 * WIDTH * size * ribbon.across
        a, b = ribbon.moved - side, ribbon.moved + side
        pale = mixed(colour, "#FFFFFF", 0.5)
        patches += [_patch((a[n], a[n + 1], b[n + 1], b[n]), pale) for n in range(len(a) - 1)]
        axes.plot(*CAMERA.project(ribbon.moved).T, color=colour, linewidth=1.4, zorder=3)
        axes.plot(*CAMERA.project(ribbon.nodes).T, "o", color=colour, markersize=3.0, zorder=3)
    _paint(axes, patches, edge=None, zorder=2)
    half = 0.5 * (np.full(3, 0.05 * size) if hub_size is None else hub_size)
    box = CORNERS * half + hub_motion(_scale(craft, shape, size) * shape, CORNERS * half)
    faces = [_patch([box[n] for n in face], BODY) for face in FACES]
    _paint(axes, sorted(faces, key=lambda each: each[0])[3:], edge=INK, zorder=4)  # the three front faces
    _triad(axes, size)


def _patch(corners: Sequence[Array], colour: str) -> tuple[float, Array, str]:
    outline = np.array(corners, dtype=np.float64)
    return float((outline @ CAMERA.towards).mean()), CAMERA.project(outline), colour


def _paint(axes: "Axes", patches: list[tuple[float, Array, str]], *, edge: str | None, zorder: int) -> None:
    """Paint patches from back to front."""
    from matplotlib.collections import PolyCollection

    patches = sorted(patches, key=lambda each: each[0])
    colours = [colour for _, _, colour in patches]
    edges = colours if edge is None else edge
    outlines: Any = [outline for _, outline, _ in patches]
    axes.add_collection(PolyCollection(outlines, facecolors=colours, edgecolors=edges, linewidths=0.5, zorder=zorder))


def _scale(craft: Spacecraft, shape: Array, size: float) -> float:
    """Return the scale of a mode: visible, with limited hub rotation and arm twist."""
    rest, unit = mode_ribbons(craft, np.zeros_like(shape)), mode_ribbons(craft, shape)
    shift = max(float(np.linalg.norm(a.moved - b.moved, axis=1).max()) for a, b in zip(unit, rest, strict=True))
    hub = float(np.linalg.norm(shape[3:6]))
    twist, at = 0.0, 6
    for arm in arms_of(craft):
        turns = shape[at + 1 : at + 1 + 7 * arm.elements].reshape(arm.elements, 7)[:, 3:6]
        twist = max(twist, float(np.abs(turns @ arm.frame[:, 0]).max()))
        at += 1 + 7 * arm.elements
    bounds = ((REACH * size, shift), (HUB_TURN, hub), (TWIST, twist))
    return min(most / unit_motion for most, unit_motion in bounds if unit_motion > 1e-9 * most)


def _triad(axes: "Axes", size: float) -> None:
    box = np.asarray(axes.dataLim.get_points(), dtype=np.float64)
    corner = np.array((box[0, 0], box[0, 1] - 0.16 * size))
    for k, name in enumerate("xyz"):
        arrow = size * CAMERA.basis[:2, k]
        tip, word = (corner + 0.1 * arrow).tolist(), (corner + 0.13 * arrow).tolist()
        style = {"arrowstyle": "-|>", "color": INK, "linewidth": 0.9}
        axes.annotate("", (tip[0], tip[1]), (float(corner[0]), float(corner[1])), arrowprops=style)
        axes.text(word[0], word[1], name, color=INK, fontsize="small", ha="center", va="center")
    box = np.array((corner - 0.03 * size, corner + 0.13 * size), dtype=np.float64)
    axes.update_datalim([(float(x), float(y)) for x, y in box])
