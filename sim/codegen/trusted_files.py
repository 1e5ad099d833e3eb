"""Cache files: read only if nobody else could have written them, and accessible to the user only.

Machine code is loaded only from files that belong to the user or to root, in folders where nobody else can write;
ssh applies the same rule to its keys.

Folders above the cache folder are not checked: somebody with write access there could replace the cache folder, but not
with a folder that belongs to the user. From the cache folder downwards, owner and access rights of every folder and
file are checked. A folder with the sticky bit (mode 1777, such as /tmp), where everybody may write but change only
their own files, is accepted as the outermost folder.

Nothing is checked on Windows, which protects a user's folders and does not store access rights in the mode.
"""

import os
import stat
import tempfile
from pathlib import Path

PART = ".part"
"""Suffix of incomplete files."""


class MistrustError(Exception):
    """Raised for a file or folder that others could have written; the text states the reason."""


def _check(path: Path, found: os.stat_result, *, sticky: bool = False) -> None:
    if os.name != "posix":
        return
    if found.st_uid not in {0, os.geteuid()}:
        raise MistrustError(f"{path} belongs to another user (id {found.st_uid})")
    if found.st_mode & 0o022 and not (sticky and found.st_mode & stat.S_ISVTX):
        raise MistrustError(f"others can write to {path} (mode {stat.S_IMODE(found.st_mode):o}; chmod go-w closes it)")


def check_folder(path: Path, *, outermost: bool = False) -> None:
    """Raise MistrustError for a folder to which others could have written.

    path: the folder.
    outermost: whether this is the folder named by the user, which may be a link or a sticky folder such as /tmp.
    Raises MistrustError when the folder belongs to somebody else, others can write there, or the path is not a folder;
    OSError when it cannot be inspected.
    """
    found = path.stat() if outermost else path.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise MistrustError(f"{path} is not a folder")
    _check(path, found, sticky=outermost)


def read_trusted(path: Path) -> bytes:
    """Return the content of a file that nobody else can have written.

    path: the file, in a checked folder. The file is opened only once, so that the checked file is the one that is read.
    Raises MistrustError when the file belongs to somebody else or others can write to it; OSError when it cannot be
    read or is a link.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise MistrustError(f"{path} is not a file")
        _check(path, found)
        return file.read()


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only the user can read or write, atomically.

    path: destination; an existing file is replaced.
    Raises OSError when the file cannot be written; an existing file is then unchanged.
    """
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=PART)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(part).replace(path)
    finally:
        Path(part).unlink(missing_ok=True)
