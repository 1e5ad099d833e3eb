"""Machine code kept on disk for the next process.

The code lies in the user's cache folder (POLHODE_CACHE_DIR overrides it) under a digest of every source file that
goes into it, the compiler's version and the processor: a changed file, an upgrade, another numba or another machine
never meets old code.
"""

import hashlib
import os
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

__all__ = ["cache_folder", "kept", "say"]

_KEEP_DIGESTS = 4
_MARKS = (b"@kernel", b"compiled into the kernels", b"numba")  # what a file that goes into compiled code contains


def say(message: str) -> None:
    """Tell the user something that stdout is not for.

    Parameters
    ----------
    message : str
        One line.
    """
    sys.stderr.write(message + "\n")
    sys.stderr.flush()


def _base_folder() -> Path:
    if os.environ.get("POLHODE_CACHE_DIR"):
        return Path(os.environ["POLHODE_CACHE_DIR"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "polhode"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "polhode"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "polhode"


@cache
def _digest() -> str:
    import importlib.metadata

    import llvmlite.binding as llvm

    versions = [sys.version, *(importlib.metadata.version(name) for name in ("numba", "llvmlite"))]
    processor = [llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()]
    found = hashlib.sha256("\n".join(versions + processor).encode())
    root = Path(__file__).resolve().parent.parent
    for room in ("plant", "controllers", "sim"):
        for path in sorted((root / room).rglob("*.py")):
            source = path.read_bytes()
            if any(mark in source for mark in _MARKS):
                found.update(str(path.relative_to(root)).encode())
                found.update(source)
    return found.hexdigest()[:16]


@cache
def cache_folder() -> Path | None:
    """Return the folder that keeps the code of these very sources, or None where nothing can be written.

    Returns
    -------
    pathlib.Path or None
        It exists; older ones beside it are removed but for a few.
    """
    try:
        folder = _base_folder() / _digest()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError):
        say(
            "polhode: compiled code cannot be kept (no writable cache folder), so every process compiles anew; "
            "set POLHODE_CACHE_DIR to a writable folder"
        )
        return None
    try:
        others = [path for path in folder.parent.iterdir() if path.is_dir() and path != folder]
        others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:  # another process is tidying up too
        return folder
    for old in others[_KEEP_DIGESTS - 1 :]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def _checksum(symbols: list[str], code: bytes) -> str:
    return hashlib.sha256(" ".join(symbols).encode() + code).hexdigest()


def kept(name: str) -> "Kept":
    """Return the place of one piece of code.

    Parameters
    ----------
    name : str
        The full name of the function.

    Returns
    -------
    Kept
        To read from or write to.
    """
    folder = cache_folder()
    return Kept(None if folder is None else folder / f"{name}.o")


class Kept:
    """One piece of code on disk: a first line with a checksum and the names of its symbols, then an object file.

    Parameters
    ----------
    path : pathlib.Path or None
        Where it is; None where nothing can be kept.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def exists(self) -> bool:
        """Return whether there is something to read.

        Returns
        -------
        bool
            Never True where nothing can be kept.
        """
        return self.path is not None and self.path.exists()

    def read(self) -> tuple[list[str], bytes] | None:
        """Return the symbols and the object file.

        Returns
        -------
        tuple or None
            The symbol of the function and those it needs; the bytes. None when there is nothing, or not the
            whole: a linker does not survive a damaged file.
        """
        if self.path is None:
            return None
        try:
            head, _, code = self.path.read_bytes().partition(b"\n")
        except OSError:
            return None
        checksum, *symbols = head.decode(errors="replace").split() or [""]
        return (symbols, code) if symbols and checksum == _checksum(symbols, code) else None

    def write(self, symbols: list[str], code: bytes) -> None:
        """Keep a piece of code, whole or not at all.

        Parameters
        ----------
        symbols : list of str
            The symbol of the function and those it needs.
        code : bytes
            The object file.
        """
        if self.path is None:
            return
        part = None
        try:
            handle, part = tempfile.mkstemp(dir=self.path.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(" ".join([_checksum(symbols, code), *symbols]).encode() + b"\n" + code)
            Path(part).replace(self.path)
        except OSError as error:
            say(f"polhode: compiled code could not be kept: {error}")
        finally:
            if part is not None:
                Path(part).unlink(missing_ok=True)
