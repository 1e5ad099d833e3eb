"""Libraries of user-defined kernels, compiled on first use and stored for later processes.

They are stored in the user's cache folder (POLHODE_CACHE_DIR overrides it), under a digest of the C text, the compiler
and the compiler options. Nothing is loaded from a folder in which others can write. A library is written first, then
its seal, a file with the library's digest; a library that has no matching seal is compiled again.
"""

import ctypes
import hashlib
import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from ...plant.errors import InputError
from ..runs.messages import say
from .cache_folder import base_folder, made_folder, say_waiting
from .file_lock import LOCK, held
from .toolchain import EXACT, build, require_compiler
from .trusted_files import PART, MistrustError, check_folder, read_trusted, write_private

OPTIONS = (
    *("-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-fno-math-errno", "-fno-trapping-math"),
    "-frounding-math",  # otherwise gcc 12 turns 0.0 - (double)n into -0.0 when n is 0
)
FOLDER = "polhode-kernels"
SEAL = ".seal"
SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
MOST = 400
"""Number of libraries kept; the least recently used are removed."""

_HOUR = 3600.0  # s


def load_library(text: str) -> ctypes.CDLL:
    """Return the library of a C text, compiling it unless it is stored.

    Raises InputError when there is no C compiler, or the compilation fails.
    """
    command = require_compiler()
    key = hashlib.sha256(repr((text, command, _fingerprint(command), EXACT, OPTIONS)).encode()).hexdigest()[:32]
    folder = kernel_folder()
    if folder is not None:
        try:
            return ctypes.CDLL(str(_kept(folder, key, text)))
        except OSError as error:  # such as a file system mounted without execution
            say(f"polhode: a compiled kernel cannot be loaded from the cache folder: {error}")
    with tempfile.TemporaryDirectory(prefix="polhode-", ignore_cleanup_errors=True) as temporary:
        try:
            return ctypes.CDLL(str(_compiled(Path(temporary), text)))
        except OSError as error:
            raise InputError(f"a compiled kernel cannot be loaded: {error}; run it with compiled=False") from error


@cache
def _fingerprint(command: tuple[str, ...]) -> tuple[str, int, int]:
    """Return a compiler's identity without starting it: path, size and modification time of its file."""
    file = Path(shutil.which(command[0]) or command[0]).resolve()
    try:
        about = file.stat()
    except OSError:
        return str(file), 0, 0
    return str(file), about.st_size, about.st_mtime_ns


@cache
def kernel_folder() -> Path | None:
    """Return the folder for the libraries, or None after a warning if nothing can be stored."""
    try:
        base = base_folder().absolute()
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        check_folder(base, outermost=True)
        folder = made_folder(base / FOLDER, mark=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError):
        say(
            "polhode: compiled kernels cannot be stored (no writable cache folder), so every process compiles them; "
            "set POLHODE_CACHE_DIR to a writable folder"
        )
        return None
    except MistrustError as reason:
        say(
            f"polhode: compiled kernels are not loaded from the cache folder: {reason}; this process compiles them "
            "without storing them; set POLHODE_CACHE_DIR to a private folder"
        )
        return None
    _tidy(folder)
    return folder


def _kept(folder: Path, key: str, text: str) -> Path:
    """Return the library of a key; one process compiles it while others wait."""
    found = _sealed(folder, key)
    if found is None:
        with held(folder / f"{key}{LOCK}", say_waiting):
            found = _sealed(folder, key)
            if found is None:
                found = _made(folder, key, text)
    with suppress(OSError):
        os.utime(folder / f"{key}{SEAL}")
    return found


def _sealed(folder: Path, key: str) -> Path | None:
    """Return the library of a key if it is complete and cannot have been written by others."""
    try:
        digest = read_trusted(folder / f"{key}{SEAL}").decode("ascii")
        path = folder / f"{key}-{digest[:16]}{SUFFIX}"
        content = read_trusted(path)
    except (OSError, ValueError):
        return None
    except MistrustError as reason:
        say(f"polhode: a compiled kernel is not loaded from disk: {reason}; it is compiled again")
        return None
    return path if hashlib.sha256(content).hexdigest() == digest else None


def _made(folder: Path, key: str, text: str) -> Path:
    with tempfile.TemporaryDirectory(prefix=".", suffix=PART, dir=folder, ignore_cleanup_errors=True) as temporary:
        content = _compiled(Path(temporary), text).read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    path = folder / f"{key}-{digest[:16]}{SUFFIX}"
    write_private(path, content)
    write_private(folder / f"{key}{SEAL}", digest.encode("ascii"))
    return path


def _compiled(folder: Path, text: str) -> Path:
    """Compile C text into a folder that nobody else can write to."""
    source, out = folder / "kernel.c", folder / f"kernel{SUFFIX}"
    source.write_text(text, encoding="ascii")
    build([source], out, options=OPTIONS)
    return out


def _tidy(folder: Path) -> None:
    """Remove the least recently used libraries, and incomplete libraries that killed processes left."""
    try:
        seals = sorted(folder.glob(f"*{SEAL}"), key=lambda path: path.stat().st_mtime, reverse=True)
        for seal in seals[MOST:]:
            for path in (seal, *folder.glob(f"{seal.stem}-*{SUFFIX}"), seal.with_suffix(LOCK)):
                path.unlink(missing_ok=True)
        for part in folder.glob(f".*{PART}"):
            if part.lstat().st_mtime < time.time() - _HOUR:
                if part.is_dir() and not part.is_symlink():
                    shutil.rmtree(part, ignore_errors=True)
                else:
                    part.unlink()
    except OSError:  # another process is cleaning up
        return
