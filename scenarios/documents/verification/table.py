"""Verification table, computed row by row, and its console output."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from rich.console import Console
from rich.markup import escape

from . import choi_2014, euler_parameter_notes, mit_l29, schwab_2006, shivarama_2004
from .row import Kind, Row

Document = tuple[str, Sequence[Callable[[], Row]]]

DOCUMENTS: Mapping[str, Document] = {
    "000": (shivarama_2004.TITLE, shivarama_2004.ROWS),
    "001": (mit_l29.TITLE, mit_l29.ROWS),
    "002": (euler_parameter_notes.TITLE, euler_parameter_notes.ROWS),
    "003": (choi_2014.TITLE, choi_2014.ROWS),
    "004": (schwab_2006.TITLE, schwab_2006.ROWS),
}
"""Title and rows of each document, by number."""


def verify_documents(*, json: bool, documents: Mapping[str, Document] | None = None) -> int:
    """Compute every row and print the table.

    Parameters
    ----------
    json : bool
        Print one JSON object.
    documents : mapping, optional
        Documents to verify; by default all of `DOCUMENTS`.

    Returns
    -------
    int
        0 when every row is met, otherwise 1.
    """
    from ...report.json_text import dump

    console = Console(highlight=False, soft_wrap=False)
    found: list[dict[str, object]] = []
    missed = total = 0
    kinds = dict.fromkeys(get_args(Kind), 0)
    for number, (title, rows) in (DOCUMENTS if documents is None else documents).items():
        if not json:
            console.print(f"\n[bold]{number}  {escape(title)}[/bold]")
        for compute in rows:
            row = compute()
            total += 1
            missed += not row.met
            kinds[row.kind] += 1
            found.append({"document": number, **row.to_dict()})
            if not json:
                _show(console, row)
    if json:
        sys.stdout.write(dump({"rows": found, "missed": missed}) + "\n")
    else:
        counted = ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count)
        console.print(f"\n{total - missed} of {total} rows met; references: {counted}")
    return 1 if missed else 0


def _show(console: Console, row: Row) -> None:
    mark = "[green]met   [/green]" if row.met else "[red]MISSED[/red]"
    console.print(f"{mark}  [bold]{escape(row.equations)}[/bold]  {escape(row.system)}")
    unit = f" {row.unit}" if row.unit and "," not in row.unit else ""
    size = f"reached {_figure(row.reached)}, reference {_figure(row.expected)}{unit}"
    console.print(f"        {escape(size)}")
    deviation, tolerance = row.nearest
    off = f"off by {deviation:.1e} of {tolerance:.0e} allowed"
    console.print(f"        {off}  [cyan]{row.kind}[/cyan]  [dim]{escape(row.where)}[/dim]")
    if row.note:
        console.print(f"        [yellow]{escape(row.note)}[/yellow]")


def _figure(value: object) -> str:
    """Format the first two values of a row, followed by an ellipsis if there are more."""
    import numpy as np

    numbers = np.asarray(value, dtype=np.float64).ravel()
    shown = ", ".join(f"{number:.9g}" for number in numbers[:2])
    return shown + (", ..." if numbers.size > 2 else "")
