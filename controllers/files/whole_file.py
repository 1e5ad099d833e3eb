"""Files that are whole or not there: the one way in which polhode writes.

A file is written under another name beside its place, forced to the disk, and put in its place by one rename. Files
that belong together are put in their places together, after the last of them is on the disk. The process holds a lock
on what it is writing; what bears such a name and nobody holds was left by a process that was killed, and is removed by
the next one that writes into the folder.
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

from ...plant.errors import SaveError
from .uninterrupted import uninterrupted

try:
    import fcntl
except ImportError:  # Windows: there an open file can neither be removed nor replaced, which serves as the lock
    fcntl = None

__all__ = ["WholeFiles", "clear_leftovers", "write_whole"]

_PART = re.compile(r"\..*\.polhode-[0-9a-f]{8}\.part")


class WholeFiles:
    """Files to be put in their places together; a context which does so when it is left without an exception.

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
        """Return an empty file to be filled, which will be the target.

        target: the destination; an existing file is replaced by `commit`.
        -> path of a temporary file in the same folder.
        Raises SaveError when no file can be created there.
        """
        target = Path(os.path.realpath(target))  # what a link leads to is replaced, not the link
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
        """Let a function fill the file which will be the target.

        target: the destination; fill: `fill(path)` writes the file at that path. Raises SaveError when it cannot be
        written.
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
        """Force every file to the disk, then put them in their places in the order in which they were begun.

        Raises SaveError when that fails. Until the first rename every target is unchanged.
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
        """Remove what was not put in its place."""
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
        """Return itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        """Put the files in their places, or remove them after an exception."""
        try:
            if kind is None:
                self.commit()
        finally:
            self.discard()


def write_whole(target: Path, fill: Callable[[Path], object]) -> None:
    """Write one file, whole or not at all.

    target: the destination; an existing file is replaced, or left unchanged when writing fails.
    fill: `fill(path)` writes the file at that path.
    Raises SaveError when the file cannot be written.
    """
    with WholeFiles() as files:
        files.write(target, fill)


def clear_leftovers(folder: Path) -> None:
    """Remove the unfinished files of killed processes: ours by name and owner, and locked by nobody.

    folder: where to look; not in the folders inside it.
    Raises OSError when there is no such folder, or it cannot be read.
    """
    with os.scandir(folder) as entries:
        found = [Path(entry.path) for entry in entries if _PART.fullmatch(entry.name)]
    for path in found:
        with contextlib.suppress(OSError):
            about = path.lstat()
            if not stat.S_ISREG(about.st_mode) or (fcntl is not None and about.st_uid != os.geteuid()):
                continue
            if fcntl is None:
                path.unlink()  # refused while its process has it open
                continue
            handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
            finally:
                os.close(handle)


def _locked(target: Path) -> tuple[Path, int]:
    """Make an empty file beside the target, and hold it."""
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
        except BlockingIOError:  # another process looks for leftovers, and found it before it was locked
            pass
        except FileNotFoundError:  # and has removed it
            pass
        except OSError:  # a file system without locks: then leftovers stay
            return path, handle
        os.close(handle)


def _refused(target: Path, error: OSError | ValueError) -> SaveError:
    words = getattr(error, "strerror", None) or str(error)
    return SaveError(f"{target}: cannot be written ({words})")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
