"""Checksums of law files, which detect a flipped bit in a digit of a gain."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from ....plant.errors import InputError

CHECKSUM = "checksum"
"""The key of the checksum in a file."""


class ChecksumError(InputError):
    """The content of a file does not agree with its checksum."""


MATRICES = ("A", "B", "C", "D", "K", "dt")
WORDS = ("feedback", "inputs", "outputs")


def content_checksum(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the content of a TOML or JSON file, without its checksum: 64 hexadecimal digits.

    It does not depend on comments, spaces, the order of keys, or digits that leave every number unchanged.
    """
    held = {key: value for key, value in content.items() if key != CHECKSUM}
    text = json.dumps(held, sort_keys=True, default=repr)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def system_checksum(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a linear system as `load_system` reads it, the same for JSON and .mat.

    content: its matrices, sampling period, sign and signal names; other keys are ignored. Raises ValueError or
    TypeError where a matrix contains no numbers.
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
    """Raise ChecksumError where the checksum in a file differs from the expected one; a file without one passes."""
    if CHECKSUM not in content:
        return
    words = np.asarray(content[CHECKSUM]).ravel().tolist()  # .mat stores a word as a row of one
    if words != [expected]:
        raise ChecksumError(
            f"is damaged or was edited: its content does not match its {CHECKSUM}; if the change is intended, remove "
            f"the key {CHECKSUM} from the file"
        )
