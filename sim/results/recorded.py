"""Contents of the file of a run, read on demand."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Open = Callable[[], AbstractContextManager[Any]]
"""Function that opens a file and returns an h5py.File, or a context manager that yields one."""

ROWS_AT_ONCE = 65_536
_TABLES = ("state_vector", "input_vector")


class Table:
    """A table in a file, read only when indexed.

    source: opens the file.
    name: name of the variable.
    width: number of leading columns; by default all.
    """

    ndim = 2

    def __init__(self, source: Open, name: str, *, width: int | None = None) -> None:
        self._source, self._name = source, name
        with source() as file:
            rows, columns = file[name].shape
        self.shape: tuple[int, int] = (rows, columns if width is None else width)

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        """Return entries as `numpy.ndarray` does; rows are a slice, an integer, a mask or ascending integers."""
        rows: Any = key[0] if isinstance(key, tuple) else key  # pyright: ignore[reportUnknownVariableType]
        columns: Any = key[1] if isinstance(key, tuple) else slice(None)  # pyright: ignore[reportUnknownVariableType]
        with self._source() as file:
            return _read(file[self._name], rows)[..., : self.shape[1]][..., columns]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """Return the whole table."""
        return np.asarray(self[:], dtype=dtype)

    def left(self, width: int) -> "Table":
        """Return the table of the first columns."""
        return Table(self._source, self._name, width=width)


class Recorded:
    """Quantities in the file of a run.

    source: opens the file.
    which: the selected rows, in order; by default all.
    """

    def __init__(self, source: Open, which: Any = None) -> None:
        self._source = source
        with source() as file:
            self._which = range(file["time"].shape[0]) if which is None else which
            shown = [name for name in file if name not in (*_TABLES, "time")]
            self.names = tuple(name for name in shown if _over_time(file[name]))

    @property
    def attributes(self) -> dict[str, Any]:
        """Attributes of the file; empty while it is being written."""
        with self._source() as file:
            return {name: _plain(value) for name, value in file.attrs.items()}

    def times(self) -> Array:
        """Return the times of the rows, s, shape (n,)."""
        return self.values("time")

    def values(self, name: str) -> Array:
        """Return a quantity, shape (n, ...)."""
        with self._source() as file:
            return _read(file[name], self._which)

    def pieces(self, name: str) -> Generator[Array]:
        """Yield a quantity in chunks of rows."""
        with self._source() as file:
            for first in range(0, len(self._which), ROWS_AT_ONCE):
                yield _read(file[name], self._which[first : first + ROWS_AT_ONCE])

    def components(self, name: str) -> tuple[tuple[str, ...], str]:
        """Return the names of the components of a quantity, and its unit."""
        with self._source() as file:
            unit = str(file[name].attrs.get("units", ""))
            along = [labels for _, labels in _axes(file[name])]
            return tuple("_".join(labels) for labels in product(*along)) if along else (), unit

    def labels(self, name: str) -> tuple[str, ...]:
        """Return the meanings of the integers of a quantity; empty for plain numbers."""
        with self._source() as file:
            text = _plain(file[name].attrs.get("flag_labels", ""))
        return tuple(str(text).split("\n")) if text else ()

    def data_array(self, name: str) -> Any:
        """Return a quantity as an xarray.DataArray."""
        import xarray

        with self._source() as file:
            hidden = ("DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME", "_Netcdf4Dimid", "_Netcdf4Coordinates")
            attributes = {
                variable: {key: _plain(value) for key, value in file[variable].attrs.items() if key not in hidden}
                for variable in (name, "time")
            }
            axes = _axes(file[name])
        dimensions = ["time", *(dimension for dimension, _ in axes)]
        coordinates: dict[str, Any] = {"time": ("time", self.times(), attributes["time"])}
        coordinates |= {dimension: list(labels) for dimension, labels in axes}
        return xarray.DataArray(
            self.values(name), dims=dimensions, coords=coordinates, name=name, attrs=attributes[name]
        )

    def rows(self, which: Any) -> "Recorded":
        """Return the quantities in the selected rows."""
        whole = self._which if isinstance(which, slice) else np.asarray(self._which)
        return Recorded(self._source, whole[which])


def _over_time(variable: Any) -> bool:
    return bool(len(variable.dims) and len(variable.dims[0]) and variable.dims[0][0].name == "/time")


def _axes(variable: Any) -> list[tuple[str, tuple[str, ...]]]:
    """Return a variable's dimensions other than time, and the labels along each."""
    scales = [variable.dims[axis][0] for axis in range(1, variable.ndim)]
    return [(str(scale.name).removeprefix("/"), tuple(text.decode() for text in scale[...])) for scale in scales]


def _plain(value: Any) -> Any:
    """Return an attribute as a Python object."""
    if isinstance(value, bytes):
        return value.decode()
    item: Any = getattr(value, "item", None)
    return item() if item is not None and np.ndim(value) == 0 else value


def _read(variable: Any, rows: Any) -> Any:
    """Return the selected rows; ascending indices are read in chunks, since h5py reads single rows slowly."""
    key: Any = slice(rows.start, rows.stop, rows.step) if isinstance(rows, range) else rows
    plain: bool = isinstance(key, int | np.integer | slice)
    if plain:
        return variable[key]
    wanted = np.flatnonzero(rows) if np.asarray(rows).dtype == bool else np.asarray(rows)
    if wanted.size and wanted.size == wanted[-1] - wanted[0] + 1:
        return variable[int(wanted[0]) : int(wanted[-1]) + 1]
    found = np.empty((wanted.size, *variable.shape[1:]))
    portion = wanted // ROWS_AT_ONCE
    for each in np.unique(portion):
        first = int(each) * ROWS_AT_ONCE
        here = portion == each
        found[here] = variable[first : first + ROWS_AT_ONCE][wanted[here] - first]
    return found
