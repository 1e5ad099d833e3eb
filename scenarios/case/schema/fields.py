"""Types of values in case files. Numbers are finite; strings and booleans are not numbers."""

import math
from collections.abc import Iterator
from os.path import isfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from ....plant.loads.torque.basis import BASIS_NAMES

Program = tuple[str, ...]
"""Identity of an external program: the key that names it, then its command, file or port."""


class Table(BaseModel):
    """Base of every table: rejects unknown keys; values are immutable."""

    # defer_build: build one validator for the complete case, without separate validators for its tables
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)

    paths: ClassVar[tuple[str, ...]] = ()
    """Keys that name files or folders."""

    program_keys: ClassVar[tuple[str, ...]] = ()
    """Keys that select or permit an external program; they must not be dispersed."""

    def beside(self, folder: Path) -> Self:
        """Return the table with its relative paths resolved from a folder."""
        return self.model_copy(update={key: str(folder / path) for key, path in self.named_paths().items()})

    def named_paths(self) -> dict[str, str]:
        """Return the paths in this table by key, without missing ones."""
        paths = {key: getattr(self, key) for key in self.paths}
        return {key: path for key, path in paths.items() if path is not None}

    def tables(self) -> "Iterator[Table]":
        """Yield the table and every nested table."""
        yield self
        for name in type(self).model_fields:
            value = getattr(self, name)
            for each in cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,):
                if isinstance(each, Table):
                    yield from each.tables()

    @property
    def files(self) -> tuple[Path, ...]:
        """Regular files named in this table, without nested tables; pipes and devices are excluded."""
        return tuple(Path(path) for path in self.named_paths().values() if isfile(path))  # noqa: PTH113 # any length

    @property
    def outside(self) -> str:
        """Display name of an external program that may read unknown files; empty if there is none."""
        return ""

    @property
    def trusted(self) -> frozenset[Program]:
        """External programs that this table may run, without the programs of nested tables."""
        return frozenset()


def wrong(message: str) -> PydanticCustomError:
    """Return a validation error with a message, for a validator to raise.

    message: text of the error; braces have no special meaning.
    """
    return PydanticCustomError("polhode", "{message}", {"message": message})


def given(value: object) -> str:
    """Return a shortened representation of a value for messages, with its type."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text {value!r}"
    if isinstance(value, dict):
        return "a table"
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _number(value: object, what: str = "") -> float:
    where = f"{what} " if what else ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong(f"{where}must be a number; got {given(value)}")
    try:
        number = float(value)
    except OverflowError:
        raise wrong(f"{where}must fit a double (below 1.8e308); got {given(value)}") from None
    if not math.isfinite(number):
        raise wrong(f"{where}must be finite; got {number}")
    return number


def entries_of(value: object) -> list[object] | None:
    """Return the entries of a list; None if the value is not a list."""
    if isinstance(value, list | tuple):
        return list(cast("list[object]", value))
    return None


def _numbers(value: object, size: int, what: str) -> tuple[float, ...]:
    entries = entries_of(value)
    if entries is None:
        raise wrong(f"must be {what}; got {given(value)}")
    if len(entries) != size:
        raise wrong(f"must be {what}; got {len(entries)}: {given(value)}")
    return tuple(_number(entry, f"must be {what}; number {index + 1}") for index, entry in enumerate(entries))


def _vector3(value: object) -> Any:
    return _numbers(value, 3, "3 numbers")


def _quaternion(value: object) -> Any:
    return _numbers(value, 4, "4 numbers (Euler parameters, scalar first)")


def _inertia(value: object) -> Any:
    what = "3 numbers (principal moments) or 3 rows of 3 numbers"
    entries = entries_of(value)
    if entries is None or len(entries) != 3:
        raise wrong(f"must be {what}; got {given(value)}")
    if not any(isinstance(entry, list | tuple) for entry in entries):
        return _numbers(value, 3, what)
    return tuple(_numbers(row, 3, f"{what}; row {index + 1}") for index, row in enumerate(entries))


def _weight(value: object) -> Any:
    if entries_of(value) is not None:
        return _numbers(value, 3, "a number or 3 numbers, one per axis")
    return _number(value)


def _integer(value: object) -> Any:
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong(f"must be a whole number; got {given(value)}")
    return value


def _text(value: object) -> Any:
    if not isinstance(value, str):
        raise wrong(f"must be text in quotes; got {given(value)}")
    return value


def _path(value: object) -> Any:
    text = _text(value)
    if not text:
        raise wrong("must be a path; got an empty string")
    if "\0" in text:
        raise wrong(f"must be a path without NUL characters; got {given(text)}")
    return text


def _list_of_numbers(value: object) -> Any:
    entries = entries_of(value)
    if entries is None:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value
        raise wrong(f"must be a list of numbers; got {given(value)}")
    return tuple(_number(entry, f"number {index + 1}") for index, entry in enumerate(entries))


def _list_of_vectors(value: object) -> Any:
    entries = entries_of(value)
    if entries is None:
        raise wrong(f"must be a list of lists of 3 numbers; got {given(value)}")
    return tuple(_numbers(entry, 3, "3 numbers") for entry in entries)


def _list_of_pairs(value: object) -> Any:
    entries = entries_of(value)
    if entries is None:
        raise wrong(f"must be a list of lists of 2 numbers; got {given(value)}")
    return tuple(_numbers(entry, 2, "2 numbers") for entry in entries)


def _matrix(value: object) -> Any:
    entries = entries_of(value)
    rows = None if entries is None else [entries_of(each) for each in entries]
    if rows is None or any(row is None for row in rows):
        raise wrong(f"must be rows of numbers; got {given(value)}")
    found = tuple(
        tuple(_number(each, f"row {n}, number {k}") for k, each in enumerate(row or (), 1))
        for n, row in enumerate(rows, 1)
    )
    if len({len(row) for row in found}) > 1:
        raise wrong(f"must be rows of equal length; got rows of {', '.join(str(len(row)) for row in found)} numbers")
    return found


def _gain(value: object) -> Any:
    entries = entries_of(value) or []
    return _matrix(value) if any(entries_of(each) is not None for each in entries) else _weight(value)


numbers_of = BeforeValidator(_list_of_numbers)
pairs_of = BeforeValidator(_list_of_pairs)
vectors_of = BeforeValidator(_list_of_vectors)

Number = Annotated[float, BeforeValidator(_number)]
Positive = Annotated[float, BeforeValidator(_number), Field(gt=0.0)]
NonNegative = Annotated[float, BeforeValidator(_number), Field(ge=0.0)]
NonNegativeInteger = Annotated[int, BeforeValidator(_integer), Field(ge=0, lt=2**63)]
RunNumber = Annotated[int, BeforeValidator(_integer), Field(ge=0, lt=2**32)]
PositiveInteger = Annotated[int, BeforeValidator(_integer), Field(gt=0, le=10**15)]
Share = Annotated[float, BeforeValidator(_number), Field(gt=0.0, lt=1.0)]
AboveOne = Annotated[float, BeforeValidator(_number), Field(gt=1.0)]
Tolerance = Annotated[float, BeforeValidator(_number), Field(ge=2.3e-16, le=1e-2)]
Switch = Annotated[bool, Field(strict=True)]
Text = Annotated[str, BeforeValidator(_text)]
FileName = Annotated[str, BeforeValidator(_path), Field(min_length=1)]
"""Path of a file or folder."""

Vector3 = Annotated[tuple[float, float, float], BeforeValidator(_vector3)]
Quaternion = Annotated[tuple[float, float, float, float], BeforeValidator(_quaternion)]
Inertia = Annotated[
    tuple[float, float, float]
    | tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]],
    BeforeValidator(_inertia),
]
Matrix = Annotated[tuple[tuple[float, ...], ...], BeforeValidator(_matrix)]
Gain = Annotated[float | tuple[float, float, float] | tuple[tuple[float, ...], ...], BeforeValidator(_gain)]
"""One gain, one per axis, or the rows of a matrix."""

Weight = Annotated[float | tuple[float, float, float], BeforeValidator(_weight)]

if TYPE_CHECKING:
    Basis = str
else:
    Basis = Literal[*BASIS_NAMES]
Sequence = Literal[
    "1-2-1", "1-2-3", "1-3-1", "1-3-2", "2-1-2", "2-1-3",
    "2-3-1", "2-3-2", "3-1-2", "3-1-3", "3-2-1", "3-2-3",
]  # fmt: skip
