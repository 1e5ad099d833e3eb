"""Reading of small regular files, with a limit on their size."""

import os
import stat
from pathlib import Path

from ....plant.checks import of_kind
from ....plant.errors import InputError

LARGEST = 16 * 2**20  # bytes; a case or a law has a few thousand

_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_text(path: str | Path, *, what: str, largest: int = LARGEST) -> str:
    """Return the text of a regular file; never block on a pipe or device.

    what: expected content for messages, such as "a case".
    largest: maximum size, bytes.
    -> text, decoded as UTF-8.
    Raises FileNotFoundError when there is no such file; InputError when it is not a regular file, larger than
        `largest`, unreadable or not UTF-8.

    Examples
    --------
    >>> read_text("/dev/null", what="a case")
    Traceback (most recent call last):
    ...
    polhode.plant.errors.InputError: /dev/null: is a device, not a file; a case is read from a regular file
    """
    data = read_bytes(path, what=what, largest=largest)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text (byte {error.start} is wrong)") from None


def read_bytes(path: str | Path, *, what: str, largest: int = LARGEST) -> bytes:
    """Return the bytes of a file; the errors are those of `read_text`, except for the encoding."""
    of_kind("path", path, str | Path, such_as="text or a pathlib.Path")  # open() takes a number as a file descriptor
    try:
        with open(path, "rb", opener=_without_waiting) as file:  # Path.open takes no opener
            mode = os.fstat(file.fileno()).st_mode
            kind = next((words for of, words in _KINDS if of(mode)), None)
            data = b"" if kind else file.read(largest + 1)
    except FileNotFoundError:
        raise
    except IsADirectoryError:
        raise InputError(f"{path}: is a directory; give the file inside it") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if kind:
        raise InputError(f"{path}: is {kind}, not a file; {what} is read from a regular file")
    if len(data) > largest:
        raise InputError(f"{path}: is larger than {largest // 2**20} MiB, too large for {what}")
    return data


def _without_waiting(path: str, flags: int) -> int:
    """Open a path without blocking, even if it is a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
