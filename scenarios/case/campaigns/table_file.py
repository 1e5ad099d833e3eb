"""Table of campaign runs, written as Parquet if pyarrow is installed, otherwise as CSV."""

import csv
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np


def table_name() -> str:
    """Return the name of the table file, with the suffix of the format."""
    return "runs.csv" if find_spec("pyarrow") is None else "runs.parquet"


def write_table(path: Path, columns: Mapping[str, Any], name: str) -> None:
    """Write columns of equal length to a file.

    path: file to write; name: final name of the file, whose suffix selects the format. CSV files have 17 significant
    digits, and empty cells for NaN.
    """
    if name.endswith(".parquet"):
        arrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
        with path.open("wb") as file:  # pyarrow cannot open a file whose name is not valid UTF-8
            parquet.write_table(arrow.table({key: np.asarray(column) for key, column in columns.items()}), file)
        return
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in zip(*columns.values(), strict=True):
            writer.writerow([_text(value) for value in row])


def _text(value: Any) -> str:
    if isinstance(value, float):
        return "" if np.isnan(value) else f"{value:.17g}"
    return str(value)
