"""Torque kind for a time history from a CSV file."""

import csv
import io
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from .....controllers.laws.files.text_file import read_text
from .....plant.environment import TorqueTable
from .....plant.errors import InputError
from ...schema.fields import FileName, Table
from .kind import TorqueKind

LARGEST = 1_000_000
"""Largest number of rows."""

MOST_BYTES = 256 * 2**20


class TableTorqueTable(Table):
    """Torque on the body by linear interpolation between the rows of a CSV file, which must cover the run."""

    begins: ClassVar[str] = "first_s"
    paths: ClassVar[tuple[str, ...]] = ("table",)

    kind: Literal["table"] = Field(default="table", description="which torque")
    table: FileName = Field(
        description="CSV file of four columns: time, s, and three components, N m; a first line of words is the header"
    )
    basis: Literal["body", "inertial"] = Field(default="body", description="axes of the components")

    @property
    def first_s(self) -> float:
        """Time at which the torque starts, s: the start of the run."""
        return 0.0


def _load(table: TableTorqueTable) -> TorqueTable:
    rows = _rows(table.table)
    return TorqueTable(t=rows[:, 0], torque=rows[:, 1:], basis=table.basis)


def _rows(path: str) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """Read times and torques (n, 4) from a CSV file. Raises an InputError that names the faulty line."""
    try:
        text = read_text(path, what="a table of torques", largest=MOST_BYTES).removeprefix("\ufeff")
        return _numbers(path, text)
    except FileNotFoundError:
        raise InputError(f"table: {path!r} cannot be read: No such file or directory") from None
    except csv.Error as error:
        raise InputError(f"table: {path!r} is not a CSV file: {error}") from None
    except InputError as error:
        raise InputError(f"table: {error}") from None


def _numbers(path: str, text: str) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """Parse times and torques (n, 4) from CSV text; path: name of the file, for messages."""
    numbers: list[list[float]] = []
    for line, row in enumerate(csv.reader(io.StringIO(text, newline="")), start=1):
        if not row or (len(row) == 1 and not row[0].strip()) or row[0].lstrip().startswith("#"):
            continue
        try:
            values = [float(each) for each in row]
        except ValueError:
            if not numbers and line == 1:
                continue
            raise InputError(f"line {line} of {path!r} is not four numbers: {','.join(row)[:80]!r}") from None
        if len(values) != 4:
            raise InputError(f"line {line} of {path!r} has {len(values)} numbers, not 4: time and torque")
        numbers.append(values)
        if len(numbers) > LARGEST:
            raise InputError(f"{path!r} has more than {LARGEST} rows; reduce their number")
    if len(numbers) < 2:
        raise InputError(f"{path!r} has {len(numbers)} rows of numbers; give at least 2")
    return np.array(numbers, dtype=np.float64)


KIND = TorqueKind(table=TableTorqueTable, load=_load)
