"""Directives `case-keys` and `metrics`: tables from the schema of case files and from the metrics themselves."""

from typing import Any

from markdown_directive import MarkdownDirective, cell, table

from polhode.scenarios.case.key_table import KeyTable, key_tables, unit_of
from polhode.scenarios.report.metrics import METRICS


def code(text: str) -> str:
    """Return text in code letters, or nothing."""
    return f"`{text}`".replace("|", "\\|") if text else ""


def keys(each: KeyTable) -> str:
    """Return the table of the keys of one table of a case."""
    rows = [
        [code(row.key), cell(row.type), cell(row.unit), cell(row.bound), cell(row.default), cell(row.description)]
        for row in each.rows
        if row.key != "kind" or not each.kind
    ]
    return table(["Key", "Value", "Unit", "Bound", "Default", "Meaning"], rows) if rows else "No further keys.\n"


class CaseKeys(MarkdownDirective):
    """Keys of the tables whose path begins with the argument; "top" is the top of the file."""

    def markdown(self) -> str:
        """Return a heading and a table for each."""
        stem = self.arguments[0]
        chosen = [
            each for each in key_tables()
            if (each.path or "top").split(".")[0] == stem
        ]  # fmt: skip
        parts = [
            (f"### {code(each.title)}\n\n" if each.path else "") + f"{cell(each.description)}\n\n{keys(each)}"
            for each in chosen
        ]
        return "\n".join(parts)


class Metrics(MarkdownDirective):
    """All metrics of a run."""

    def markdown(self) -> str:
        """Return the table."""
        rows = [[code(kind.name), cell(unit_of(kind.name, kind.words)), cell(kind.words)] for kind in METRICS.values()]
        return table(["Metric", "Unit", "Meaning"], rows)


def setup(app: Any) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_directive("case-keys", CaseKeys)
    app.add_directive("metrics", Metrics)
    return {"parallel_read_safe": True}
