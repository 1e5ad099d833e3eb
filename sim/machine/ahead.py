"""The engine compiled by a process of its own, once, so that who can do without it need not wait.

That process holds a lock for as long as it lives, on a file that stays: where the file is there, the lock is free and
the engine is not there, it came to nothing, and whoever wants the engine compiles it as ever. What it compiles it
compiles under the lock of each piece, so nothing is compiled twice.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from .code_cache import say
from .code_digest import covers
from .code_lock import LOCK
from .compiler import address_of, engine_to_come, entry_function

__all__ = ["compiled_ahead"]

_ENTRIES = ("advance_entry", "observe_entry")
_NICENESS = 5  # a long run may come to wait for it


def compiled_ahead(pieces: Sequence[tuple[str, Callable[..., Any]]]) -> bool:
    """Return whether another process is compiling the engine, which is begun here where it was not tried before.

    pieces: what a run needs besides, kind and function as `polhode.sim.machine.compiler.address_of` takes them ->
    False where the engine stands on disk already, nothing can be kept there, or something is the user's own, which only
    this process knows.
    """
    engine = engine_to_come()
    if engine is None or not all(covers(function) for _, function in pieces):
        return False
    python = Path(sys.executable or "")
    if os.name != "posix" or not python.name.startswith("python"):  # a program that has Python within it
        return False
    words = [f"{kind}:{function.__module__}:{function.__qualname__}" for kind, function in pieces]
    comes = _comes(engine.with_name(f"ahead{LOCK}"), [str(python), "-P", "-m", __name__, *words])
    if comes:
        say("polhode: flying as plain Python, while the engine is compiled for later runs; this happens once")
    return comes


def _comes(lock: Path, command: list[str]) -> bool:
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
    with suppress(OSError):
        try:
            handle, first = os.open(lock, flags | os.O_CREAT | os.O_EXCL, 0o600), True
        except FileExistsError:
            handle, first = os.open(lock, flags), False
        try:
            if _is_held(handle):
                return True
            if first:
                _begin(command, handle)
            return first
        finally:
            os.close(handle)
    return False


def _is_held(handle: int) -> bool:
    """Whether another process holds the lock, which is taken if not. Raises OSError where there are no locks."""
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _begin(command: list[str], lock: int) -> None:
    """Begin a process to which the lock belongs from here on, and nothing else of this one."""
    none = subprocess.DEVNULL
    begun = subprocess.Popen(command, stdin=none, stdout=none, stderr=none, start_new_session=True, pass_fds=(lock,))
    begun.returncode = 0  # nobody waits for it, which Python would complain of


def _compile(words: Sequence[str]) -> None:
    os.nice(_NICENESS)
    for name in _ENTRIES:
        entry_function(name)
    for word in words:
        kind, module, name = word.split(":")
        address_of(kind, getattr(import_module(module), name))


if __name__ == "__main__":
    _compile(sys.argv[1:])
