"""Console for all printed text, which never truncates tables."""

from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

ROOM = 10_000  # columns: wider than any table
CUT = "…"  # mark with which rich ends a truncated cell


class Terminal:
    """Console on stdout that prints tables at full width; on a narrow terminal their lines wrap."""

    def __init__(self) -> None:
        self._console = Console(highlight=False, soft_wrap=False)

    @property
    def width(self) -> int:
        """Width of the terminal, in columns."""
        return self._console.width

    def print(self, *objects: Any, end: str = "\n", markup: bool = True, soft_wrap: bool = False) -> None:
        """Print as `rich.console.Console.print` does, without truncating tables."""
        console = self._console
        tables = [each for each in objects if isinstance(each, Table)]
        if any(self._cuts(table) for table in tables):
            room = console.options.update(max_width=ROOM, width=ROOM)
            width = max(Measurement.get(console, room, table).maximum for table in tables)
            console = Console(
                highlight=False, file=console.file, width=width, force_terminal=console.is_terminal,
                no_color=console.no_color,
            )  # fmt: skip
        console.print(*objects, end=end, markup=markup, soft_wrap=soft_wrap)

    def _cuts(self, table: Table) -> bool:
        return any(CUT in part.text for line in self._console.render_lines(table, pad=False) for part in line)
