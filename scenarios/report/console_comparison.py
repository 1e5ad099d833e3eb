"""Console output for a comparison of laws."""

from collections.abc import Sequence

from rich.table import Table

from ..case.loader import LoadedCase
from ..commands.comparison import Entry, smallest
from .plain_markup import escape
from .terminal import Terminal

_HEADINGS = {
    "settling_time_s": "settle\ns",
    "overshoot_deg": "over\ndeg",
    "peak_torque_N_m": "peak\nN m",
    "effort_N2_m2_s": "effort\nN2 m2 s",
}
_MARGINS = {"gain_up_dB": "gain\ndB", "phase_deg": "phase\ndeg", "delay_s": "delay\ns", "disk": "disk\nalpha"}


def show_comparison(loaded: LoadedCase, entries: Sequence[Entry]) -> None:
    """Print a comparison of laws, one line per law.

    entries: the compared laws.
    """
    console = Terminal()
    console.print(f"[bold]{escape(loaded.name)}[/bold]  {escape(loaded.case.title)}")
    console.print(
        "[dim]equal natural frequency and damping ratio; smallest margin over all inputs together and individually "
        "(disk: individually)[/dim]\n"
    )
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("law", vertical="bottom", no_wrap=True)
    for heading in (*_HEADINGS.values(), *_MARGINS.values()):
        table.add_column(heading, justify="right", vertical="bottom", no_wrap=True)
    for entry in entries:
        cells = [_number(entry.metrics[key]) for key in _HEADINGS]
        cells += [_number(smallest(entry, key), endless=entry.margins is not None) for key in _MARGINS]
        table.add_row(entry.method, *cells)
    console.print(table)
    for entry in entries:
        if entry.reason:
            console.print(f"[yellow]{escape(entry.method)}[/yellow]: {escape(entry.reason)}")


def _number(value: float | None, *, endless: bool = False) -> str:
    if value is None:
        return "inf" if endless else "-"
    return f"{value:.3g}"
