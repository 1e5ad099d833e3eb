"""Placement of labels without overlap of each other and with little overlap of the drawing."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..palette import INK
from .scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

_CELL = 0.05  # units of length
_DISTANCES = (0.0, 0.08, 0.18, 0.3, 0.45, 0.65, 0.9, 1.2)
_DIRECTIONS = 24


def fit(axes: "Axes", scene: Scene, *, margins: tuple[float, float]) -> None:
    """Set the limits of the axes to the whole scene, with equal scales and with margins at the sides and above."""
    low, high = scene.bounds()
    middle, half = 0.5 * (low + high), 0.5 * (high - low) + np.array(margins)
    figure: Any = axes.figure
    place = axes.get_position()
    width, height = figure.get_size_inches() * np.array([place.width, place.height])
    scale = max(half[0] / width, half[1] / height)
    axes.set_xlim(float(middle[0] - scale * width), float(middle[0] + scale * width))
    axes.set_ylim(float(middle[1] - scale * height), float(middle[1] + scale * height))


@dataclass
class Labels:
    """Placement of labels one by one, each at the best of about two hundred positions around its anchor.

    axes: axes with final limits, which determine the size of a label in data units.
    scene: drawing that labels avoid.
    boxes: left, lower, right and upper edge of every placed label.
    """

    axes: "Axes"
    scene: Scene
    boxes: list[Array] = field(default_factory=list[Array])

    def __post_init__(self) -> None:
        """Mark the cells of the figure that the drawing covers."""
        low, high = self.scene.bounds()
        self._low = low
        self._busy = np.zeros(np.ceil((high - low) / _CELL).astype(int) + 1)
        for patch in sorted(self.scene.patches, key=lambda patch: not patch.quiet):
            if 0.0 < patch.face[3] < 1.0:
                continue  # translucent patches do not count
            weight = 0.2 if patch.quiet else 1.0
            self._occupy((patch.outline - low) / _CELL, filled=patch.face[3] > 0.0, weight=weight)
        left, right = self.axes.get_xlim()
        lower, upper = self.axes.get_ylim()
        self._page = np.array([left, lower, right, upper])

    def place(
        self,
        text: str,
        anchor: Array,
        *,
        prefer: Array,
        colour: str = INK,
        size: float = 13.0,
        leader: bool = False,
        room: float = 0.06,
    ) -> None:
        """Write a label near a point.

        text: text of the label, mathtext allowed.
        anchor (2,): labelled point in the figure.
        prefer (2,): preferred direction from the anchor to the label.
        colour: colour of the text.
        size: font size, pt.
        leader: whether a thin line connects the anchor with a distant label.
        room: free space around the text.
        """
        from matplotlib.patheffects import withStroke

        item = self.axes.text(
            float(anchor[0]),
            float(anchor[1]),
            text,
            color=colour,
            fontsize=size,
            ha="center",
            va="center",
            zorder=10.0,
            linespacing=1.15,
            math_fontfamily="cm",
            path_effects=[withStroke(linewidth=2.5, foreground="white", alpha=0.9)],
        )
        half = 0.5 * self._extent(item) + 0.5 * room
        wanted = prefer / max(float(np.sqrt(prefer @ prefer)), 1e-9)
        best, place = np.inf, anchor
        for angle in np.arange(_DIRECTIONS) * (2.0 * np.pi / _DIRECTIONS):
            way = np.array([np.cos(angle), np.sin(angle)])
            # smallest distance at which the box clears the anchor
            clear = float(np.min(half / np.maximum(np.abs(way), 1e-9)))
            for distance in _DISTANCES:
                centre = anchor + (clear + distance) * way
                cost = (
                    self._cost(centre, half) + (0.7 if leader else 4.0) * distance + 0.5 * (1.0 - float(way @ wanted))
                )
                if cost < best:
                    best, place = cost, centre
        item.set_position((float(place[0]), float(place[1])))
        self.boxes.append(np.concatenate([place - half, place + half]))
        edge = np.clip(anchor, place - half, place + half)
        if leader and float(np.sqrt(((edge - anchor) ** 2).sum())) > 0.12:
            xs, ys = np.stack([anchor, edge]).T
            ends = np.clip((np.array([anchor, edge]) - self._low) / _CELL, 0.0, np.array(self._busy.shape) - 1.0)
            self._occupy(ends, filled=False, weight=1.0)
            self.axes.plot(xs, ys, color=colour, linewidth=0.8, zorder=9.0, solid_capstyle="round")

    def _occupy(self, outline: Array, *, filled: bool, weight: float) -> None:
        """Mark the cells under a patch whose outline is in units of cells."""
        from matplotlib.path import Path

        for start, end in zip(outline, np.roll(outline, -1, axis=0) if filled else outline[1:], strict=False):
            steps = int(np.ceil(np.abs(end - start).max())) + 1
            knots = start + np.linspace(0.0, 1.0, steps)[:, np.newaxis] * (end - start)
            cells = knots.astype(int)
            self._busy[cells[:, 0], cells[:, 1]] = weight
        first, last = outline.min(axis=0).astype(int), outline.max(axis=0).astype(int) + 1
        if filled and (last - first > 2).all():
            wide, high = (last - first).tolist()
            columns = np.repeat(np.arange(wide, dtype=np.int64), high) + first[0]
            rows = np.tile(np.arange(high, dtype=np.int64), wide) + first[1]
            inside = Path(outline).contains_points(np.stack([columns, rows], axis=1) + 0.5)
            self._busy[columns[inside], rows[inside]] = weight

    def _extent(self, item: Any) -> Array:
        figure: Any = self.axes.figure
        box = item.get_window_extent(figure.canvas.get_renderer())
        corners = self.axes.transData.inverted().transform([[box.x0, box.y0], [box.x1, box.y1]])
        return np.asarray(corners[1] - corners[0], dtype=np.float64)

    def _cost(self, centre: Array, half: Array) -> float:
        low, high = centre - half, centre + half
        cost = 0.0
        if (low < self._page[:2]).any() or (high > self._page[2:]).any():
            cost += 100.0
        for box in self.boxes:
            width = min(high[0], box[2]) - max(low[0], box[0])
            height = min(high[1], box[3]) - max(low[1], box[1])
            if width > 0.0 and height > 0.0:
                cost += 50.0 + 50.0 * width * height
        limits = np.array(self._busy.shape)
        first = np.clip(np.floor((low - self._low) / _CELL).astype(int), 0, limits)
        last = np.clip(np.ceil((high - self._low) / _CELL).astype(int), 0, limits)
        busy = self._busy[first[0] : last[0], first[1] : last[1]]
        whole = max(1.0, float(np.prod(2.0 * half / _CELL)))
        return cost + 9.0 * float(busy.sum()) / whole
