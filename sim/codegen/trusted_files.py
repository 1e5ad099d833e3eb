"""Files of the cache: read only where nobody else could have written them, and written for the user alone.

Machine code is taken from the user and from root, out of places where nobody else can write.

As ssh does with keys. What stands above the cache folder is not looked at: whoever may write there can put another
folder in its place, but none that belongs to the user, and that is what is asked of every folder and file from there
down. A folder in which everybody may write but only to their own (mode 1777, such as /tmp) will do as the outermost.

Windows keeps such things elsewhere than in the mode, and a user's folders closed; nothing is checked there.
"""

import os
import stat
import tempfile
from pathlib import Path

__all__ = ["PART", "MistrustError", "check_folder", "read_trusted", "write_private"]

PART = ".part"
"""Suffix of files that are not complete yet."""


class MistrustError(Exception):
    """Somebody else could have written it; the text says why."""


def _check(path: Path, found: os.stat_result, *, sticky: bool = False) -> None:
    if os.name != "posix":
        return
    if found.st_uid not in {0, os.geteuid()}:
        raise MistrustError(f"{path} belongs to another user (id {found.st_uid})")
    if found.st_mode & 0o022 and not (sticky and found.st_mode & stat.S_ISVTX):
        raise MistrustError(f"others can write to {path} (mode {stat.S_IMODE(found.st_mode):o}; chmod go-w closes it)")


def check_folder(path: Path, *, outermost: bool = False) -> None:
    """Refuse a folder in which others could have written.

    path: the folder.
    outermost: whether it is the one the user named: that may be a link, or a place such as /tmp.
    Raises MistrustError when it is somebody else's, others can write there, or it is no folder; OSError when it cannot
        be looked at.
    """
    found = path.stat() if outermost else path.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise MistrustError(f"{path} is not a folder")
    _check(path, found, sticky=outermost)


def read_trusted(path: Path) -> bytes:
    """Return the content of a file that nobody else can have written.

    path: the file, in a folder that was checked -> what was checked is what was read: the file is opened once. Raises
    MistrustError when it is somebody else's, or others can write to it; OSError when it cannot be read, or is a link.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise MistrustError(f"{path} is not a file")
        _check(path, found)
        return file.read()


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only the user can read or write, whole or not at all.

    path: where to; a file that is there already is replaced.
    Raises OSError when it cannot be written; then everything is as it was.
    """
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=PART)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(part).replace(path)
    finally:
        Path(part).unlink(missing_ok=True)
