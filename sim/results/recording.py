"""A NetCDF file that grows row by row."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...controllers.laws.files.uninterrupted import uninterrupted
from ...plant.errors import SaveError
from .hdf5_file import Hdf5File
from .seal import SEAL, seal

CHUNK_ROWS = 4096  # 96 kB for a vector: suits both compression and reading a few rows
_PACKED: dict[str, Any] = {"compression": "gzip", "compression_opts": 1, "shuffle": True}  # 4 and 9 save 1 % more


class Recording:
    """A NetCDF-4 file to which rows are appended.

    After every append, the file on the disk is complete up to that row, and can be read even if the process is killed.
    When the disk is full, the failure is recorded and the recording continues in memory: see `Hdf5File`.

    path: an existing file, which is overwritten.
    Raises OSError when the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        import h5py

        self.path = path
        self.rows = 0
        self._device = Hdf5File(path)
        with uninterrupted():
            self._file = h5py.File(self._device, "w", track_order=True)  # NetCDF-4 requires tracked order
        self._grows: dict[str, Any] = {}

    @property
    def failure(self) -> OSError | None:
        """First write error, or None."""
        return self._device.failure

    def append(self, data: Any) -> None:
        """Append rows.

        data: variables over `time`, or over other dimensions only; the first call defines the variables of the file.
        """
        with uninterrupted():
            if not self._grows:
                self._begin(data)
            first, self.rows = self.rows, self.rows + data.sizes["time"]
            for name, table in self._grows.items():
                table.resize(self.rows, axis=0)
                table[first : self.rows] = data[name].values
            self._file.flush()

    def finish(self, about: Mapping[str, Any]) -> None:
        """Write the attributes of the file, and close it.

        about: attributes by name, numbers or strings.
        """
        with uninterrupted():
            for name, value in about.items():
                self._file.attrs[name] = value
            self._file.attrs[SEAL] = seal(self._file)
            self._file.close()

    def reader(self) -> Any:
        """Open the recorded data, on disk or in memory, as an h5py.File; the caller closes it."""
        import h5py

        if self.failure is not None:
            return h5py.File(self._device, "r")
        return h5py.File(self.path, "r", locking=False)  # the unfinished file is locked by `WholeFiles`

    def release(self) -> None:
        """Close the complete file on disk; after a failure the data are kept for `reader`."""
        if self.failure is None:
            self._device.close()

    def check(self, target: Path) -> None:
        """Raise SaveError if the disk has failed.

        target: path of the file, for the message.
        """
        if self.failure is not None:
            raise SaveError(f"{target}: cannot be written ({self.failure.strerror or self.failure})")

    def _begin(self, data: Any) -> None:
        variables = {**data.coords, **data.data_vars}
        scales = [name for name in variables if name in data.sizes]
        for name in (*scales, *(name for name in variables if name not in data.sizes)):
            array = variables[name]
            grows = "time" in array.dims
            shape = (0, *array.shape[1:]) if grows else array.shape
            if array.dtype.kind in "OUT":
                import h5py

                library: Any = h5py
                table = self._file.create_dataset(name, shape=shape, dtype=library.string_dtype())
                table[...] = array.values.astype(object)
            elif grows:
                chunks = (CHUNK_ROWS, *(max(1, n) for n in shape[1:]))
                table = self._file.create_dataset(
                    name, shape=shape, maxshape=(None, *shape[1:]), chunks=chunks, dtype=array.dtype, **_PACKED
                )
                self._grows[name] = table
            else:
                table = self._file.create_dataset(name, data=np.asarray(array.values))
            for key, value in array.attrs.items():
                table.attrs[key] = value
            if name in scales:
                table.make_scale(name)
            else:
                for axis, dimension in enumerate(array.dims):
                    table.dims[axis].attach_scale(self._file[dimension])
