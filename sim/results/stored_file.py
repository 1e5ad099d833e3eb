"""Opening of a NetCDF file of any origin, and checks of its structure and attributes.

A file of polhode is flat: variables in the root group, stored in the file itself. Links, groups, virtual variables
and variables stored in other files are rejected, since they refer to other data. A variable whose declared size exceeds
its stored bytes is also rejected.
"""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from math import prod
from pathlib import Path
from typing import Any, cast

import numpy as np

from ...plant.errors import InputError, PolhodeError

MOST_PACKED = 1100  # largest accepted ratio of uncompressed to compressed bytes; deflate reaches 1032
MOST_TEXT = 2**26  # largest number of characters of an attribute
FAULTS = (OSError, RuntimeError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError, SystemError)
"""Exceptions of h5py for damaged files; there is no common base class."""


def opener(path: str | Path) -> Callable[[], AbstractContextManager[Any]]:
    """Return a function that opens a file in a context, in which every fault becomes an InputError."""
    source = Path(path).resolve()  # independent of the working directory

    @contextmanager
    def opened() -> Generator[Any]:
        import h5py

        try:
            with h5py.File(source, "r") as file:
                yield file
        except PolhodeError:
            raise
        except FAULTS as error:
            raise InputError(f"{path}: cannot be read, it is damaged ({_first_line(error)})") from None

    return opened


def require_file(path: str | Path) -> None:
    """Raise InputError unless path is a readable HDF5 file."""
    import h5py

    source = Path(path)
    try:
        if not source.is_file():
            raise InputError(f"{path}: {'is a folder; state the file in it' if source.is_dir() else 'no such file'}")
        with source.open("rb"):
            pass
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    if not h5py.is_hdf5(source):
        raise InputError(f"{path}: is not a NetCDF-4 file, or was truncated; save a run with run.save(path)")


def check_structure(file: Any) -> None:
    """Raise InputError unless an open h5py.File is flat and contains the data that it declares."""
    import h5py

    for name in file:
        link: object = file.get(name, getlink=True)
        if not isinstance(link, h5py.HardLink):
            raise InputError(f"{name!r} is a link, which a file of results must not contain")
        variable: Any = file[name]
        if not isinstance(variable, h5py.Dataset):
            raise InputError(f"{name!r} is not a variable; a file of results contains only variables")
        if variable.is_virtual or variable.external:
            raise InputError(f"{name!r} is stored in other files; a file of results must be self-contained")
        if variable.shape is None or (
            variable.dtype.kind not in "biufS" and h5py.check_string_dtype(variable.dtype) is None
        ):
            raise InputError(f"{name!r} contains neither numbers nor text")
        shape = cast("tuple[int, ...]", variable.shape)
        width = cast("int", variable.dtype.itemsize)
        size = prod(shape) * width
        if size > MOST_PACKED * variable.id.get_storage_size():
            raise InputError(f"{name!r} declares {size} bytes, which the file does not contain")


def attributes_of(file: Any) -> dict[str, str | int | float]:
    """Return the attributes of a file. Raises InputError unless all are strings or numbers."""
    found: dict[str, str | int | float] = {}
    for name in file.attrs:
        about = file.attrs.get_id(name)
        if about.shape not in {(), (1,)} or about.get_storage_size() > MOST_TEXT:
            raise InputError(f"its attribute {name!r} is not a single string or number")
        value = plain(file.attrs[name])
        if not isinstance(value, str | int | float):
            raise InputError(f"its attribute {name!r} is neither text nor a number")
        found[str(name)] = value
    return found


def plain(value: Any) -> Any:
    """Return an attribute or label as a Python object."""
    value = value.decode() if isinstance(value, bytes) else value
    item: Any = getattr(value, "item", None)
    return item() if item is not None and np.size(value) == 1 else value


def _first_line(error: BaseException) -> str:
    text = str(error).strip("'\" ")
    return text.splitlines()[0] if text else type(error).__name__
