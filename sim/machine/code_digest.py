"""The name of what machine code is made from: sources, compiler, processor, and the settings that change code.

Every Python file of the three rooms that have kernels counts. Which of them end up in compiled code cannot be told
from their text: a constant imported by a kernel is compiled into it.

To read them all takes longer than a warm start should, so their digest is kept beside the code with what the file
system says of each (size, times, inode). As with git's index, a file changed in the last two seconds is not
trusted to look different when it is changed again.
"""

import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ...plant.kernels.kernel import BEGAN
from .code_trust import MistrustError, read_trusted, write_private

__all__ = ["SourcesChangedError", "covers", "digest"]

ROOMS = ("plant", "controllers", "sim")
"""Whose functions may be kept as machine code."""

_PACKAGE = __name__.rpartition(".sim.")[0]
_ROOT = Path(__file__).resolve().parents[2]
_SETTLED = 2_000_000_000  # ns; the coarsest clock of a file system in use
_SETTINGS_APART = {
    "NUMBA_CACHE_DIR",
    "NUMBA_NUM_THREADS",
    "NUMBA_THREADING_LAYER",
    "NUMBA_THREADING_LAYER_PRIORITY",
}  # of numba's settings those that differ by job or machine and change no code


class SourcesChangedError(Exception):
    """The sources on disk are no longer those that this process runs."""


def covers(function: Callable[..., Any]) -> bool:
    """Return whether the digest covers a function: one at the top of a module of the three rooms.

    function: to be compiled -> False for whatever the user wrote.
    """
    own = tuple(f"{_PACKAGE}.{room}." for room in ROOMS)
    return function.__module__.startswith(own) and "<locals>" not in function.__qualname__


def digest(memo: Path) -> str:
    """Return the digest of sources, compiler, processor and settings.

    memo: a trusted folder, where the digest of the sources is kept -> 16 hexadecimal digits. Raises SourcesChangedError
    when a source was changed after this process began: what it would compile is not what stands there; OSError when a
    source cannot be read.
    """
    found = hashlib.sha256("\n".join([*_compiler(), *_settings()]).encode())
    found.update(_numba_file())
    found.update(_sources(memo).encode())
    return found.hexdigest()[:16]


@cache
def _compiler() -> list[str]:
    import importlib.metadata

    import llvmlite.binding as llvm

    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("numba", "llvmlite", "numpy")]
    return [
        sys.version,
        *versions,
        llvm.get_process_triple(),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
    ]


def _settings() -> list[str]:
    """Whatever numba is told by the environment; which of it changes code differs by version of numba."""
    found = os.environ.items()
    return sorted(
        f"{name}={value}" for name, value in found if name.startswith("NUMBA_") and name not in _SETTINGS_APART
    )


def _numba_file() -> bytes:
    try:
        return Path(".numba_config.yaml").read_bytes()  # numba reads it from the current folder
    except OSError:
        return b""


def _files(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _files(entry.path)
            elif entry.name.endswith(".py"):
                yield entry.path, os.stat(entry.path)  # noqa: PTH116 # of Windows' stale entry.stat()


def _sources(memo: Path) -> str:
    """Return the digest of what the files hold, from the memo when they look as they did."""
    files = sorted(found for room in ROOMS for found in _files(str(_ROOT / room)))
    newest = max(found.st_ctime_ns if os.name == "posix" else found.st_mtime_ns for _, found in files)
    if newest > BEGAN:
        raise SourcesChangedError
    looks = [(path, s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino) for path, s in files]
    seal = hashlib.sha256(repr(looks).encode()).hexdigest()
    kept = memo / f"sources-{hashlib.sha256(os.fsencode(_ROOT)).hexdigest()[:16]}"
    try:
        known, _, content = read_trusted(kept).decode().partition(" ")
    except (OSError, MistrustError, ValueError):
        known = content = ""
    if known == seal and len(content) == len(seal):
        return content
    found = hashlib.sha256()
    for path, _ in files:
        source = Path(path).read_bytes()
        found.update(f"{Path(path).relative_to(_ROOT).as_posix()} {len(source)}\n".encode())
        found.update(source)
    content = found.hexdigest()
    if newest < time.time_ns() - _SETTLED:
        with suppress(OSError):  # read again next time
            write_private(kept, f"{seal} {content}".encode())
    return content
