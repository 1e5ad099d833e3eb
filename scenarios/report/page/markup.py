"""HTML generation that escapes every string that is not already `Markup`."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from ....plant.plain_text import plain_text
from ....sim.codegen.escaped import html_text

VOID = frozenset({"meta", "br", "input", "hr", "col"})


class Markup(str):
    """HTML text. `tag` escapes plain strings but not `Markup`."""

    __slots__ = ()


def text(value: str) -> Markup:
    """Return text as HTML, with markup characters escaped and unprintable characters written as codes.

    Examples
    --------
    >>> text("</script>")
    '&lt;/script&gt;'
    """
    return value if isinstance(value, Markup) else Markup(html_text(plain_text(value)))


def join(parts: Iterable[str]) -> Markup:
    """Return the concatenation of several parts; plain strings are escaped."""
    return Markup("".join(text(part) for part in parts))


def tag(name: str, /, *children: str, **attributes: str | None) -> Markup:
    """Return an HTML element.

    name: name of the element, a literal.
    children: content of the element; plain strings are escaped.
    attributes: attribute values, escaped. In attribute names a final underscore is dropped, and all other underscores
        become hyphens. None omits the attribute, and "" gives an attribute without a value.

    Examples
    --------
    >>> tag("a", "<here>", href="#x", class_="link")
    '<a href="#x" class="link">&lt;here&gt;</a>'
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + (f'="{text(value)}"' if value else "")
        for key, value in attributes.items()
        if value is not None
    )
    if name in VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{join(children)}</{name}>")


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    caption: str,
    id_: str | None = None,
    class_: str | None = None,
) -> Markup:
    """Return a table that scrolls independently of the page on a narrow screen.

    heads: headings of the columns.
    rows: cells; the first cell of each row is the row's heading.
    caption: text for screen readers and print.
    """
    head = tag("thead", tag("tr", *(tag("th", each, scope="col") for each in heads)))
    body = join(tag("tr", tag("th", row[0], scope="row"), *(tag("td", each) for each in row[1:])) for row in rows)
    whole = tag("table", tag("caption", caption), head, tag("tbody", body), id=id_, class_=class_)
    return tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label=caption)


def script_json(value: Any) -> str:
    """Return JSON text that cannot end its script element: "<", ">" and "&" are escaped as in JSON.

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
