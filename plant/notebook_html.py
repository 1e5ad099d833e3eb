"""HTML that notebooks display for an object: tables and foldable details, with every string escaped.

Plain HTML without scripts or styles, so that Jupyter, VS Code, marimo and nbconvert display the same.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np

from .plain_text import plain_text

LARGEST = 24
"""Largest number of rows and columns of a matrix that is written out."""


def text(value: object) -> str:
    """Return any value as escaped text; numbers have six digits."""
    return escape(plain_text(number(value) if isinstance(value, float) else str(value)))


def number(value: float) -> str:
    """Return a number with six significant digits.

    Examples
    --------
    >>> number(1.0), number(0.1 + 0.2)
    ('1', '0.3')
    """
    return f"{value:.6g}"


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return an HTML table with column headings.

    heads: column headings.
    rows: cells of each row; escaped here.
    """
    head = "".join(f"<th>{text(each)}</th>" for each in heads)
    body = "".join("<tr>" + "".join(f"<td>{text(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def facts(rows: Iterable[tuple[str, object]]) -> str:
    """Return an HTML table of names and values; None and empty strings are omitted."""
    body = "".join(
        f'<tr><th style="text-align:left">{text(name)}</th><td style="text-align:left">{text(value)}</td></tr>'
        for name, value in rows
        if value is not None and not (isinstance(value, str) and not value)
    )
    return f"<table><tbody>{body}</tbody></table>"


def matrix(values: Any, rows: Sequence[str] = (), columns: Sequence[str] = ()) -> str:
    """Return a matrix as an HTML table with row and column names, or as its shape if it is large."""
    array = np.atleast_2d(np.asarray(values))
    if max(array.shape) > LARGEST:
        return f"<p>{' x '.join(str(size) for size in array.shape)}</p>"
    names = list(rows) or [""] * len(array)
    heads = ["", *columns] if columns else [""] * (array.shape[1] + 1)
    return table(heads, [[name, *(f"{each:.5g}" for each in row)] for name, row in zip(names, array, strict=True)])


def details(summary: str, inner: str) -> str:
    """Return a section that unfolds on a click.

    summary: heading of the section; escaped here.
    inner: HTML of the section.
    """
    return f"<details><summary>{text(summary)}</summary>{inner}</details>"


def page(title: str, *parts: str) -> str:
    """Return the HTML of an object: a title and its parts.

    title: heading; escaped here.
    parts: HTML of each part.
    """
    return f"<div><strong>{text(title)}</strong>{''.join(parts)}</div>"
