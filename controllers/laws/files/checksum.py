"""Checksums of law files, which detect corruption such as a flipped bit in a gain."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from ....plant.errors import InputError

CHECKSUM = "checksum"
"""Key of the checksum in a file."""


class ChecksumError(InputError):
    """Error for a file whose content does not match its checksum."""


MATRICES = ("A", "B", "C", "D", "K", "dt")
WORDS = ("feedback", "inputs", "outputs")


def content_checksum(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 (64 hexadecimal digits) of a TOML or JSON file's content without the checksum.

    The result does not depend on comments, spaces, the order of keys, or how a number is written.
    """
    held = {key: value for key, value in content.items() if key != CHECKSUM}
    text = json.dumps(held, sort_keys=True, default=repr)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def system_checksum(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a linear system as read by `load_system`, identical for JSON and .mat.

    content: matrices, sampling period, sign and signal names of the system; other keys are ignored. Raises ValueError
    or TypeError if a matrix is not numeric.
    """
    digest = hashlib.sha256()
    for key in MATRICES:
        if key in content:
            numbers = np.asarray(content[key], dtype=np.float64).ravel()
            digest.update(f"{key} {numbers.size} {' '.join(map(float.hex, numbers.tolist()))}\n".encode())
    for key in WORDS:
        if key in content:
            words = np.asarray(content[key]).ravel().tolist()
            digest.update(f"{key} {json.dumps(words)}\n".encode())
    return digest.hexdigest()


def check_checksum(content: Mapping[str, Any], expected: str) -> None:
    """Raise ChecksumError if a file contains a checksum that differs from the expected one."""
    if CHECKSUM not in content:
        return
    words = np.asarray(content[CHECKSUM]).ravel().tolist()  # .mat stores text as an array of one row
    if words != [expected]:
        raise ChecksumError(
            f"is damaged or was edited: its content does not match its {CHECKSUM}; if the change is intended, remove "
            f"the key {CHECKSUM} from the file"
        )
