"""Checksum of the strings in a results file: attributes, names, labels.

The time series are compressed, and decompression verifies their checksum (Adler-32). HDF5 stores no checksum for
strings, so a flipped bit could change the case, a unit or a warning unnoticed.
"""

import hashlib
from typing import Any

import numpy as np

from ...plant.errors import InputError
from .stored_file import plain

SEAL = "words_sha256"
APPENDED = (SEAL, "history")  # other tools may change these
SEALED = ("units", "long_name", "frame", "flag_labels", "component_units", "quaternion_order", "axis")


def seal(file: Any) -> str:
    """Return the checksum of an open h5py.File, 64 hexadecimal digits."""
    digest = hashlib.sha256()
    for name in sorted(file.attrs):
        if name not in APPENDED and not name.startswith("_"):  # other libraries reserve names that begin with "_"
            _add(digest, name, file.attrs[name])
    for name in sorted(file):
        variable = file[name]
        along = [axis[0].name if len(axis) else "" for axis in variable.dims]
        over_time = "/time" in along or name == "time"
        _add(digest, name, along, variable.shape[1:] if over_time else variable.shape, variable.dtype.str)
        for key in SEALED:
            if key in variable.attrs:
                _add(digest, key, variable.attrs[key])
        if not over_time:
            _add(digest, *np.ravel(variable[...]).tolist())
    return digest.hexdigest()


def check_seal(file: Any) -> None:
    """Raise InputError if the strings in a file do not match its seal; a file that has no seal passes."""
    if SEAL in file.attrs and file.attrs[SEAL] != seal(file):
        raise InputError(
            "is damaged or was edited: its attributes and labels do not agree with their checksum "
            f"({SEAL}; remove that attribute if the change is intended)"
        )


def _add(digest: Any, *values: Any) -> None:
    """Add values to the digest; NumPy values and bytes are converted to Python objects."""
    digest.update(repr([plain(value) for value in values]).encode("utf-8", "backslashreplace"))
