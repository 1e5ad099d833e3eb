"""The figure behind every picture: it shows itself in a notebook and keeps its words on the page.

Importing this module imports matplotlib; do so where a picture is drawn.
"""

from collections.abc import Sequence
from io import BytesIO
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import Formatter, ScalarFormatter

__all__ = ["new_page"]

LEVEL = 1e-6
"""What varies by less than this share of its size is drawn level."""

AROUND = 1e-3
"""Above and below it the axis then shows this share of its size."""

WIDE = 0.97
"""The share of the page a title may take."""


class _PlainNumbers(Formatter):
    """Whole numbers beside the ticks: no offset such as 1e-9+2.5e2, and no factor, which stand where titles stand."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        """The number beside one tick."""
        return self.fix_minus(f"{x:.10g}")

    def format_ticks(self, values: Sequence[float]) -> list[str]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The numbers beside all ticks; a zero that is rounding beside the others is a zero."""
        none = 1e-9 * float(np.ptp(values)) if len(values) else 0.0
        return [self(0.0 if abs(value) < none else value) for value in values]


class _Page(Figure):
    """A figure that shows itself, keeps its title on the page and its numbers plain."""

    def suptitle(self, t: str, **kwargs: Any) -> Text:
        """Set the title, in bold, in as many lines as it needs."""
        item = super().suptitle(t, **{"fontweight": "bold", **kwargs})
        canvas: Any = self.canvas
        renderer, page = canvas.get_renderer(), WIDE * float(self.bbox.width)
        columns = max(len(line) for line in t.splitlines())
        while columns > 8 and item.get_window_extent(renderer).width > page:
            columns -= 1
            item.set_text("\n".join(fill(line, columns) for line in t.splitlines()))
        return item

    def add_subplot(self, *args: Any, **kwargs: Any) -> Any:
        """Add axes whose numbers are plain."""
        inherited: Any = super()
        axes: Any = inherited.add_subplot(*args, **kwargs)
        both: list[Any] = [axes.xaxis, axes.yaxis]
        for axis in both:
            if isinstance(axis.get_major_formatter(), ScalarFormatter):
                axis.set_major_formatter(_PlainNumbers())
        return axes

    def draw(self, renderer: Any) -> None:
        """Draw everything, what does not vary as level lines."""
        for axes in self.axes:
            _level(axes)
        super().draw(renderer)

    def _repr_png_(self) -> bytes:
        """The picture itself, which a notebook shows."""
        target = BytesIO()
        self.savefig(target, format="png")
        return target.getvalue()


def new_page(size: tuple[float, float], *, dpi: float = 110.0, layout: Any = "constrained", title: str = "") -> _Page:
    """Return an empty figure, attached to no window.

    size: width and height, inches.
    dpi: dots per inch.
    layout: "constrained", or None where the axes are placed by hand.
    title: above the picture; set in several lines where it is wider than the page.
    -> one that a notebook shows.
    """
    page = _Page(figsize=size, dpi=dpi, layout=layout)
    FigureCanvasAgg(page)
    if title:
        page.suptitle(title)
    return page


def _level(axes: Any) -> None:
    """Zoom out of rounding: a wheel that keeps its 250 rad/s to 1e-9 turns evenly."""
    if not (axes.lines and axes.get_autoscaley_on() and axes.get_yscale() == "linear"):
        return
    low, high = (float(value) for value in axes.dataLim.intervaly)
    size = max(abs(low), abs(high))
    if np.isfinite(size) and size > 0.0 and high - low < LEVEL * size:
        axes.set_ylim(0.5 * (low + high) - AROUND * size, 0.5 * (low + high) + AROUND * size)
