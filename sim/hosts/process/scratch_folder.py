"""Temporary folders of runs, removed at the end or, after a kill, by the keeper or the next process."""

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from ....controllers.laws.files.uninterrupted import uninterrupted
from .children import tell_keeper

try:
    import fcntl
except ImportError:  # Windows: an open file serves as the lock, since it cannot be removed there
    fcntl = None

PREFIX = "polhode-"
LOCK = ".lock"
_NAME = re.compile(rf"{PREFIX}[a-z0-9_]{{8}}")
_swept: set[str] = set()


@contextmanager
def scratch_folder() -> Generator[Path]:
    """Create an empty folder that only this user can read, and remove it when the context ends.

    A lock on a file in the folder shows other processes that the folder is in use.
    """
    parent = tempfile.gettempdir()
    if parent not in _swept:
        _swept.add(parent)
        sweep(Path(parent))
    with uninterrupted():
        folder, lock = _locked()
        tell_keeper("+folder", str(folder))
    try:
        inside = folder / "data"
        inside.mkdir()
        yield inside
    finally:
        with uninterrupted():
            os.close(lock)
            shutil.rmtree(folder, ignore_errors=True)
            tell_keeper("-folder", str(folder))


def sweep(parent: Path) -> None:
    """Remove the folders of killed processes from a parent folder.

    Such a folder matches the name pattern of `scratch_folder`, belongs to this user, is not a link and is not locked.

    parent: folder to search. Entries that cannot be read or removed remain.
    """
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in [each for each in entries if _NAME.fullmatch(each.name)]:
            with suppress(OSError):
                about = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(about.st_mode) and (fcntl is None or about.st_uid == os.geteuid()):
                    _remove_if_left(Path(entry.path))


def _remove_if_left(folder: Path) -> None:
    lock = folder / LOCK
    if fcntl is None:
        lock.unlink()  # fails on Windows while a process has the file open
        shutil.rmtree(folder, ignore_errors=True)
        return
    handle = os.open(lock, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)  # does not follow links
    finally:
        os.close(handle)


def _locked() -> tuple[Path, int]:
    """Create and lock a folder."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        lock = folder / LOCK
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        if fcntl is None:
            return folder, handle
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if lock.stat().st_ino == os.fstat(handle).st_ino:
                return folder, handle
        except (BlockingIOError, FileNotFoundError):  # another process removed the folder as a leftover
            pass
        except OSError:  # a file system without locks
            return folder, handle
        os.close(handle)
