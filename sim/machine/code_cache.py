"""Machine code kept on disk for the next process.

The code lies in a folder of polhode's own in the user's cache folder (POLHODE_CACHE_DIR overrides it), under a digest
of every source that can go into it, the compiler's version and settings, and the processor: a changed file, an
upgrade, another numba or another machine never meets old code. Nobody else can write there, or it is not used.

What is cleared away are polhode's own files, by their names, in folders that carry polhode's mark; whatever else lies
there stays.
"""

import hashlib
import os
import re
import sys
import tempfile
import time
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path

from .code_digest import SourcesChangedError, digest
from .code_lock import LOCK, held
from .code_trust import PART, MistrustError, check_folder, read_trusted, write_private

__all__ = ["base_folder", "cache_folder", "kept", "made_folder", "say", "say_waiting"]

_OWN = "polhode-code"
_DIGEST = re.compile(r"[0-9a-f]{16}")
_MARK = "CACHEDIR.TAG"
_MARKED = (  # the first line is that of the cache directory tagging standard: backups pass such folders over
    b"Signature: 8a477f597d28d172789f06886806bc55\n# Machine code that polhode has compiled; it may be deleted.\n"
)
_KEEP_DIGESTS = 8
_HOUR = 3600.0  # s

WAITING = "polhode: another process is compiling what is wanted here; waiting for its code"


def say(message: str) -> None:
    """Tell the user something that stdout is not for.

    message: one line.
    """
    sys.stderr.write(message + "\n")
    sys.stderr.flush()


@cache
def say_waiting() -> None:
    """Say, once, that another process compiles what is wanted."""
    say(WAITING)


def base_folder() -> Path:
    """Return the folder that the folders of polhode's own are in; it need not exist."""
    if os.environ.get("POLHODE_CACHE_DIR"):
        return Path(os.environ["POLHODE_CACHE_DIR"]).expanduser()  # no shell does it in a file of settings
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "polhode"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "polhode"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "polhode"


@cache
def cache_folder() -> Path | None:
    """Return the folder that keeps the code of these very sources, or None where nothing can be kept.

    It exists; of the older ones beside it all but a few are removed. When None, the user has been told why.
    """
    try:
        base = base_folder().absolute()
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        check_folder(base, outermost=True)
        own = made_folder(base / _OWN)
        folder = made_folder(own / digest(own), mark=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)  # those used last are kept
    except (OSError, RuntimeError):
        say(
            "polhode: compiled code cannot be kept (no writable cache folder), so every process compiles anew; "
            "set POLHODE_CACHE_DIR to a writable folder"
        )
        return None
    except MistrustError as reason:
        say(
            f"polhode: no machine code is taken from the cache folder: {reason}; this process compiles its own and "
            "keeps none; POLHODE_CACHE_DIR may name a folder of your own"
        )
        return None
    except SourcesChangedError:
        say(
            "polhode: its sources have changed since this process began, so this process compiles its own machine "
            "code and keeps none; start it anew to run the new ones"
        )
        return None
    _tidy(own, folder)
    return folder


def made_folder(folder: Path, *, mark: bool = False) -> Path:
    """Make a folder for the user alone, if it is not there, and see that it is."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        pass
    else:
        if mark:  # only what was made here is ever removed
            write_private(folder / _MARK, _MARKED)
    check_folder(folder)
    return folder


def _is_ours(folder: Path) -> bool:
    try:
        return not folder.is_symlink() and (folder / _MARK).read_bytes() == _MARKED
    except OSError:
        return False


def _tidy(own: Path, current: Path) -> None:
    """Remove the code of old sources, and what processes that were killed left half written."""
    try:
        others = [path for path in own.iterdir() if _DIGEST.fullmatch(path.name) and path != current]
        others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for old in others[_KEEP_DIGESTS - 1 :]:
            if _is_ours(old):
                _remove(old)
        for part in [*own.glob(f".*{PART}"), *current.glob(f".*{PART}")]:
            if part.stat().st_mtime < time.time() - _HOUR:
                part.unlink()
    except OSError:  # another process is tidying up too
        return


def _remove(folder: Path) -> None:
    """Remove polhode's files from a folder, and the folder when nothing else is left."""
    for path in folder.iterdir():
        if path.suffix in {".o", LOCK, PART} and not path.is_dir():
            path.unlink()
    if [path.name for path in folder.iterdir()] == [_MARK]:
        (folder / _MARK).unlink()
        folder.rmdir()


def _checksum(symbols: list[str], code: bytes) -> str:
    return hashlib.sha256(" ".join(symbols).encode() + code).hexdigest()


def kept(name: str) -> "Kept":
    """Return the place of one piece of code.

    name: the full name of the function -> to read from or write to.
    """
    folder = cache_folder()
    return Kept(None if folder is None else folder / f"{name}.o")


class Kept:
    """One piece of code on disk: a first line with a checksum and the names of its symbols, then an object file.

    path: where it is; None where nothing can be kept.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def alone(self) -> AbstractContextManager[None]:
        """While this lasts, no other process makes the same piece: who comes second waits, and finds it made."""
        if self.path is None:
            return nullcontext()
        return held(self.path.with_suffix(LOCK), say_waiting)

    def read(self) -> tuple[list[str], bytes] | None:
        """Return the symbols and the object file.

        The symbol of the function and those it needs; the bytes. None when there is nothing, or not the whole (a linker
        does not survive a damaged file), or written by others.
        """
        if self.path is None:
            return None
        try:
            head, _, code = read_trusted(self.path).partition(b"\n")
        except OSError:
            return None
        except MistrustError as reason:
            say(f"polhode: machine code is not taken from disk: {reason}; it is compiled anew")
            return None
        checksum, *symbols = head.decode(errors="replace").split() or [""]
        return (symbols, code) if symbols and checksum == _checksum(symbols, code) else None

    def write(self, symbols: list[str], code: bytes) -> None:
        """Keep a piece of code, whole or not at all.

        symbols: the symbol of the function and those it needs; code: the object file.
        """
        if self.path is None:
            return
        try:
            write_private(self.path, " ".join([_checksum(symbols, code), *symbols]).encode() + b"\n" + code)
        except OSError as error:
            say(f"polhode: compiled code could not be kept: {error}")
