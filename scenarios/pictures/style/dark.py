"""Conversion of a finished figure to the colours of a dark page."""

from typing import TYPE_CHECKING, Any, Final

from ..palette import FAINT, INK, LIMIT, SETTLED

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DARK: Final = {
    "#004488": "#6db1ff", "#bb5566": "#ff8fa0", "#ddaa33": "#f2c14e", "#000000": "#e6e9ed", "#ffffff": "#15181c",
    INK.lower(): "#e6e9ed", FAINT.lower(): "#98a1ab", LIMIT.lower(): "#ff8a80", SETTLED.lower(): "#6fd08f",
    "#999999": "#98a1ab", "#dddddd": "#2b3138",
}  # fmt: skip
"""Colours of the palette, and their replacements on a dark page. All other colours are kept."""


def darken(figure: "Figure") -> None:
    """Replace the palette colours in lines, patches, bands and texts with those of a dark page."""
    from matplotlib.collections import Collection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.text import Text

    for kind, names in (
        (Line2D, ("color", "markerfacecolor", "markeredgecolor")),
        (Patch, ("facecolor", "edgecolor")),
        (Collection, ("facecolor", "edgecolor")),
        (Text, ("color",)),
    ):
        found: list[Any] = figure.findobj(kind)
        for artist in found:
            for name in names:
                _replace(artist, name)


def _replace(artist: Any, name: str) -> None:
    from matplotlib.colors import to_hex, to_rgba, to_rgba_array

    value = getattr(artist, f"get_{name}")()
    many = not isinstance(value, str) and getattr(value, "ndim", 1) == 2  # one colour per element
    rows = to_rgba_array(value) if many else [to_rgba(value)]
    new = [(*to_rgba(DARK.get(to_hex(row), to_hex(row)))[:3], row[3]) for row in rows]
    if any(tuple(row) != one for row, one in zip(rows, new, strict=True)):
        getattr(artist, f"set_{name}")(new if many else new[0])
