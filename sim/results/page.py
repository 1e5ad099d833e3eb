"""Base of all figures: they display themselves in a notebook, and keep their titles on the page.

Importing this module imports matplotlib; import it only to draw a figure.
"""

from collections.abc import Sequence
from io import BytesIO
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import Formatter, LogFormatter, ScalarFormatter

from ...plant.plain_text import plain_text

LEVEL = 1e-6
"""Relative variation below which a curve is drawn as constant."""

AROUND = 1e-3
"""Half range of the axis about a constant curve, relative to its value."""

WIDE = 0.97
"""Fraction of the page width available to a title."""


class _PlainNumbers(Formatter):
    """Tick formatter that writes full numbers: an offset or factor would overlap the titles."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        """Return the label of one tick."""
        return self.fix_minus(f"{x:.10g}")

    def format_ticks(self, values: Sequence[float]) -> list[str]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the labels of all ticks; values at the round-off level of the range are shown as zero."""
        none = 1e-9 * float(np.ptp(values)) if len(values) else 0.0
        return [self(0.0 if abs(value) < none else value) for value in values]


class _Page(Figure):
    """A figure that displays itself, keeps its title on the page and labels its ticks with plain numbers.

    mathematics: whether "$" begins a formula; otherwise "$", which may come from a case, is plain text.
    """

    mathematics: bool = False

    def suptitle(self, t: str, **kwargs: Any) -> Text:
        """Set the title, in bold, wrapped if necessary."""
        t = plain_text(t)
        item = super().suptitle(t, **{"fontweight": "bold", "parse_math": self.mathematics, **kwargs})
        canvas: Any = self.canvas
        renderer, page = canvas.get_renderer(), WIDE * float(self.bbox.width)
        columns = max((len(line) for line in t.splitlines()), default=0)
        while columns > 8 and item.get_window_extent(renderer).width > page:
            columns -= 1
            item.set_text("\n".join(fill(line, columns) for line in t.splitlines()))
        return item

    def add_subplot(self, *args: Any, **kwargs: Any) -> Any:
        """Add axes with plain numbers."""
        inherited: Any = super()
        axes: Any = inherited.add_subplot(*args, **kwargs)
        both: list[Any] = [axes.xaxis, axes.yaxis]
        for axis in both:
            if isinstance(axis.get_major_formatter(), ScalarFormatter):
                axis.set_major_formatter(_PlainNumbers())
        return axes

    def draw(self, renderer: Any) -> None:
        """Draw the figure; quantities that vary only by round-off appear as level lines."""
        for axes in self.axes:
            _level(axes)
        if not self.mathematics:
            _read_plainly(self)
        super().draw(renderer)

    def _repr_png_(self) -> bytes:
        """Return the PNG image that a notebook displays."""
        target = BytesIO()
        self.savefig(target, format="png")
        return target.getvalue()


def new_page(
    size: tuple[float, float],
    *,
    dpi: float = 110.0,
    layout: Any = "constrained",
    title: str = "",
    mathematics: bool = False,
) -> _Page:
    """Return an empty figure without a window.

    size: width and height, inches.
    dpi: dots per inch.
    layout: "constrained", or None to place the axes by hand.
    title: title above the plot, wrapped if wider than the page.
    mathematics: whether "$" begins a formula in the figure's text.
    -> a figure that a notebook displays.
    """
    page = _Page(figsize=size, dpi=dpi, layout=layout)
    page.mathematics = mathematics
    FigureCanvasAgg(page)
    if title:
        page.suptitle(title)
    return page


def _read_plainly(page: _Page) -> None:
    """Show text literally, not as formulas, except for the tick labels of logarithmic axes."""
    kept: set[int] = set()
    for axes in page.axes:
        both: list[Any] = [axes.xaxis, axes.yaxis]
        for axis in both:
            if isinstance(axis.get_major_formatter(), LogFormatter):
                kept |= {id(each) for each in axis.findobj(Text) if each is not axis.get_label()}
    for each in page.findobj(Text):
        item: Any = each
        if id(item) not in kept:
            item.set_parse_math(False)
            plain = plain_text(item.get_text())
            if plain != item.get_text():
                item.set_text(plain)


def _level(axes: Any) -> None:
    """Widen the axis about a constant curve, so that variations by round-off remain invisible."""
    if not (axes.lines and axes.get_autoscaley_on() and axes.get_yscale() == "linear"):
        return
    low, high = (float(value) for value in axes.dataLim.intervaly)
    size = max(abs(low), abs(high))
    if np.isfinite(size) and size > 0.0 and high - low < LEVEL * size:
        axes.set_ylim(0.5 * (low + high) - AROUND * size, 0.5 * (low + high) + AROUND * size)
