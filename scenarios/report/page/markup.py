"""Writing of HTML in which every string is escaped unless it is `Markup` already."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from ....plant.plain_text import plain_text
from ....sim.codegen.escaped import html_text

VOID = frozenset({"meta", "br", "input", "hr", "col"})


class Markup(str):
    """HTML; a plain string is text, which `tag` escapes."""

    __slots__ = ()


def text(value: str) -> Markup:
    """Return text as HTML: marks are escaped and unprintable characters are codes.

    Examples
    --------
    >>> text("</script>")
    '&lt;/script&gt;'
    """
    return value if isinstance(value, Markup) else Markup(html_text(plain_text(value)))


def join(parts: Iterable[str]) -> Markup:
    """Return several parts in a row; plain strings are escaped."""
    return Markup("".join(text(part) for part in parts))


def tag(name: str, /, *children: str, **attributes: str | None) -> Markup:
    """Return an element.

    name: of the element, a literal.
    children: its content; plain strings are escaped.
    attributes: their values, escaped; a final underscore of a name is dropped and others become hyphens; None omits the
        attribute and "" gives one without a value.

    Examples
    --------
    >>> tag("a", "<here>", href="#x", class_="link")
    '<a href="#x" class="link">&lt;here&gt;</a>'
    """
    told = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + (f'="{text(value)}"' if value else "")
        for key, value in attributes.items()
        if value is not None
    )
    if name in VOID:
        return Markup(f"<{name}{told}>")
    return Markup(f"<{name}{told}>{join(children)}</{name}>")


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    caption: str,
    id_: str | None = None,
    class_: str | None = None,
) -> Markup:
    """Return a table that scrolls by itself on a narrow screen.

    heads: headings of the columns.
    rows: cells; the first of each row is its heading.
    caption: for screen readers and print.
    """
    head = tag("thead", tag("tr", *(tag("th", each, scope="col") for each in heads)))
    body = join(tag("tr", tag("th", row[0], scope="row"), *(tag("td", each) for each in row[1:])) for row in rows)
    whole = tag("table", tag("caption", caption), head, tag("tbody", body), id=id_, class_=class_)
    return tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label=caption)


def script_json(value: Any) -> str:
    """Return JSON text that stays inside its script element: "<", ">" and "&" are escaped as JSON allows.

    Examples
    --------
    >>> script_json({"title": "</script><!--"})
    '{"title":"\\\\u003c/script\\\\u003e\\\\u003c!--"}'
    """
    plain = json.dumps(value, allow_nan=False, separators=(",", ":"))
    for mark in "<>&":
        plain = plain.replace(mark, f"\\u{ord(mark):04x}")
    return plain


def json_script(id_: str, value: Any) -> Markup:
    """Return a data block of JSON, which a browser does not execute."""
    return Markup(f'<script id="{text(id_)}" type="application/json">{script_json(value)}</script>')
