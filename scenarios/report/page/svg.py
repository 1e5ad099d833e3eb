"""Inline SVG of figures: compact, with unique identifiers and colours that suit light and dark pages."""

import re
from hashlib import sha256
from io import StringIO
from typing import TYPE_CHECKING

from .markup import Markup, tag, text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_SIZE = re.compile(r'(<svg[^>]*?) width="[^"]*"')
_HEIGHT = re.compile(r'(<svg[^>]*?) height="[^"]*"')
_PLACES = re.compile(r' (?:d|x|y|points)="[^"]*"')
_LONG = re.compile(r"-?\d+\.\d{3,}")
_FONT = re.compile(r"font-family: [^;\"]*;? ?")
_STRAIGHT = re.compile(r' transform="rotate\(-?0 [^)]*\)"')
_GAP = re.compile(r"\s*\n\s*")
_BETWEEN = re.compile(r">\s+<")
_NAMES = re.compile(r'(id="|href="#|url\(#)')
_ELEMENT_ID = re.compile(
    r' id="(?:figure|axes|patch|line2d|text|xtick|ytick|matplotlib\.axis|legend|[A-Z]\w*Collection)_?[\w.]*"'
)

COLOURS = {
    "#000000": "currentColor", "#222222": "currentColor", "black": "currentColor", "#ffffff": "var(--paper)",
    "#004488": "var(--x)", "#bb5566": "var(--y)", "#ddaa33": "var(--z)",
    "#e4e4e4": "var(--grid)", "#dddddd": "var(--grid)", "#888888": "var(--faint)", "#999999": "var(--faint)",
}  # fmt: skip
"""Figure colours that follow the style sheet of the page, light or dark."""

_COLOUR = re.compile(rf": ({'|'.join(COLOURS)})(?=[;\"])", re.IGNORECASE)


def inline_svg(figure: "Figure", *, label: str) -> Markup:
    """Return a figure as an SVG element without a title, background or fixed size.

    label: description for screen readers.
    """
    import matplotlib as mpl

    title = getattr(figure, "_suptitle", None)
    if title is not None:
        title.set_visible(False)  # the page has a heading
    figure.patch.set_visible(False)
    for axes in figure.axes:
        axes.patch.set_visible(False)
    target = StringIO()
    salt = sha256(label.encode()).hexdigest()[:6]
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt, "font.family": "sans-serif"}):
        figure.savefig(target, format="svg", metadata={"Date": None})
    whole = _HEAD.sub("", target.getvalue(), count=1)
    for pattern in (_COMMENT, _METADATA, _ELEMENT_ID, _FONT, _STRAIGHT):
        whole = pattern.sub("", whole)
    whole = _HEIGHT.sub(r"\1", _SIZE.sub(r"\1", whole, count=1), count=1)
    whole = _PLACES.sub(lambda found: _LONG.sub(_rounded, found[0]), whole)
    whole = _NAMES.sub(lambda found: f"{found[1]}{salt}-", whole)
    whole = _COLOUR.sub(lambda found: f": {COLOURS[found[1].lower()]}", whole)
    whole = _BETWEEN.sub("><", _GAP.sub(" ", whole))
    head = f'<svg role="img" aria-label="{text(label)}"'
    return Markup(whole.replace("<svg", head, 1).strip())


def drawing(figure: "Figure", title: str, *, note: str = "", wide: bool = False, id_: str | None = None) -> Markup:
    """Return a figure with its heading and note."""
    parts = [tag("h4", title), inline_svg(figure, label=title)]
    if note:
        parts.append(tag("figcaption", note))
    return tag("figure", *parts, class_="drawing wide" if wide else "drawing", id=id_)


def _rounded(found: re.Match[str]) -> str:
    """Return a coordinate rounded to a hundredth of a point."""
    return f"{float(found[0]):.2f}".rstrip("0").rstrip(".")
