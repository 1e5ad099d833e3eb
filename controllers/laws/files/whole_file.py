"""Atomic writing of files: a file is complete or absent. All output of polhode is written this way.

A file is written under a temporary name in the same folder, flushed to disk, and renamed to its target. Files that
belong together are renamed only after all of them are on disk. A process locks its temporary files. A temporary file
without a lock was left by a killed process and is removed by the next process that writes to the folder.
"""

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from ....plant.errors import SaveError
from .uninterrupted import uninterrupted

try:
    import fcntl
except ImportError:  # on Windows, open files cannot be removed or replaced, so no lock is needed
    fcntl = None

__all__ = ["WholeFiles", "clear_leftovers", "write_whole"]

_PART = re.compile(r"\..*\.polhode-[0-9a-f]{8}\.part")


class WholeFiles:
    """Context manager for files that are renamed to their targets together if no exception occurs.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with WholeFiles() as files:
    ...         _ = files.part(Path(folder, "a.txt")).write_text("first")
    ...         _ = files.part(Path(folder, "b.txt")).write_text("second")
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['a.txt', 'b.txt']
    """

    def __init__(self) -> None:
        self._parts: list[tuple[Path, Path, int]] = []

    def part(self, target: Path) -> Path:
        """Create an empty temporary file that `commit` renames to the target.

        target: the destination; an existing file is replaced by `commit`.
        -> path of a temporary file in the same folder.
        Raises SaveError when no file can be created there.
        """
        target = Path(os.path.realpath(target))  # replace the file that a link points to, not the link
        if target.exists() and not (target.is_file() or target.is_dir()):
            raise SaveError(f"{target}: cannot be written (it is a pipe or a device); give a file")
        try:
            clear_leftovers(target.parent)
            path, handle = _locked(target)
        except (OSError, ValueError) as error:
            raise _refused(target, error) from None
        self._parts.append((target, path, handle))
        return path

    def write(self, target: Path, fill: Callable[[Path], object]) -> None:
        """Call a function that writes the temporary file of a target.

        target: the destination; fill: `fill(path)` writes the file at that path. Raises SaveError when the file cannot
        be written.
        """
        path = self.part(target)
        whole = False
        try:
            fill(path)
            whole = True
        except SaveError as error:
            raise SaveError(str(error).replace(str(path), str(target))) from None
        except OSError as error:
            raise _refused(target, error) from None
        finally:
            if not whole:
                self._drop(self._parts.pop())

    def commit(self) -> None:
        """Flush every file to disk, then rename them to their targets in the order of creation.

        Raises SaveError when an operation fails. All targets are unchanged until the first rename.
        """
        with uninterrupted():
            for target, path, handle in self._parts:
                try:
                    os.fsync(handle)
                    path.chmod(0o666 & ~_umask())
                    if target.is_dir():
                        raise IsADirectoryError(21, "Is a directory")
                except OSError as error:
                    raise _refused(target, error) from None
            while self._parts:
                target, path, handle = self._parts[0]
                try:
                    if fcntl is None:
                        os.close(handle)
                    path.replace(target)
                except OSError as error:
                    raise _refused(target, error) from None
                if fcntl is not None:
                    os.close(handle)
                del self._parts[0]

    def discard(self) -> None:
        """Remove the temporary files that have not been renamed."""
        with uninterrupted():
            while self._parts:
                self._drop(self._parts.pop())

    @staticmethod
    def _drop(part: tuple[Path, Path, int]) -> None:
        _, path, handle = part
        with contextlib.suppress(OSError):
            os.close(handle)
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        """Return the object itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        """Rename the files to their targets, or remove them after an exception."""
        try:
            if kind is None:
                self.commit()
        finally:
            self.discard()


def write_whole(target: Path, fill: Callable[[Path], object]) -> None:
    """Write one file atomically.

    target: the destination; an existing file is replaced, or left unchanged when writing fails.
    fill: `fill(path)` writes the file at that path.
    Raises SaveError when the file cannot be written.
    """
    with WholeFiles() as files:
        files.write(target, fill)


def clear_leftovers(folder: Path) -> None:
    """Remove temporary files of killed processes, recognised by name pattern, owner and missing lock.

    folder: the folder to search, without its subfolders.

    Raises OSError when the folder does not exist or cannot be read.
    """
    with os.scandir(folder) as entries:
        found = [Path(entry.path) for entry in entries if _PART.fullmatch(entry.name)]
    for path in found:
        with contextlib.suppress(OSError):
            about = path.lstat()
            if not stat.S_ISREG(about.st_mode) or (fcntl is not None and about.st_uid != os.geteuid()):
                continue
            if fcntl is None:
                path.unlink()  # on Windows, fails while a process has the file open
                continue
            handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
            finally:
                os.close(handle)


def _locked(target: Path) -> tuple[Path, int]:
    """Create an empty file in the folder of the target, and lock it."""
    while True:
        path = target.parent / f".{target.name[:50]}.polhode-{secrets.token_hex(4)}.part"
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        except FileExistsError:
            continue
        if fcntl is None:
            return path, handle
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.stat().st_ino == os.fstat(handle).st_ino:
                return path, handle
        except BlockingIOError:  # another process, searching for leftovers, locked the file first
            pass
        except FileNotFoundError:  # another process has removed the file
            pass
        except OSError:  # the file system has no locks: leftovers are not removed
            return path, handle
        os.close(handle)


def _refused(target: Path, error: OSError | ValueError) -> SaveError:
    words = getattr(error, "strerror", None) or str(error)
    return SaveError(f"{target}: cannot be written ({words})")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
