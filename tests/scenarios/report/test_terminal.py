"""Tables on a terminal that is too narrow for them."""

import pytest
from rich.table import Table

from polhode.scenarios.report.terminal import Terminal

NUMBERS = ("3.715e-07", "1.38012e-07", "-3.51498e-09", "18650.1", "3.90555e-05")


@pytest.mark.parametrize("columns", [20, 40, 59, 60, 80, 200])
def test_terminal_of_any_width_cuts_no_digit(monkeypatch, capsys, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    table = Table(box=None)
    for heading in ("quantity", *"abcde"):
        table.add_column(heading, justify="right")
    table.add_row("final attitude error", *NUMBERS)
    Terminal().print(table)
    printed = capsys.readouterr().out
    assert all(number in printed.split() for number in NUMBERS)
    wide = columns < 80
    assert ("final attitude error" in printed) == (wide or columns == 200)  # text is wrapped only if that suffices
    Terminal().print("one two three four five six seven")
    assert max(map(len, capsys.readouterr().out.splitlines())) <= columns
