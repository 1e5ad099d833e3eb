"""Child processes that do not outlive this process: each has a session, which is ended as a whole."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired

from ....controllers.laws.files.uninterrupted import uninterrupted
from . import session_keeper
from .session_keeper import kill_session, signal_session, start_time

KILLED = 2.0  # s within which a killed child must be gone


def start_child(
    command: Sequence[str],
    *,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
    stderr: int = subprocess.DEVNULL,
    cwd: str | Path | None = None,
    bufsize: int = -1,
) -> "Popen[bytes]":
    """Start a program in a separate session that ends with this process, even if this process is killed.

    command: the program and its arguments, without a shell. stdin, stdout, stderr, cwd, bufsize: as in
    `subprocess.Popen`. Raises OSError or ValueError as `subprocess.Popen` does. End the program with `end_child`.
    """
    with uninterrupted():  # defers Ctrl-C until the started child is recorded
        process = subprocess.Popen(
            list(command), stdin=stdin, stdout=stdout, stderr=stderr, cwd=cwd, bufsize=bufsize, start_new_session=True
        )
        tell_keeper("+session", [process.pid, start_time(process.pid)])
    return process


def has_ended(process: "Popen[bytes]") -> bool:
    """Return whether a child has ended, without reaping it, so that its PID still identifies its session."""
    if process.returncode is not None:
        return True
    if hasattr(os, "waitid"):
        with suppress(ChildProcessError):
            return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    ended = process.poll() is not None  # macOS before Python 3.13
    if ended and os.name == "posix":
        kill_session(process.pid)
    return ended


def terminate_child(process: "Popen[bytes]") -> None:
    """Send SIGTERM to a child and all processes that it started."""
    if os.name == "posix" and process.returncode is None:
        signal_session(process.pid, signal.SIGTERM)


def end_child(process: "Popen[bytes]") -> int | None:
    """Kill a child and its whole session, and return its exit code; None if it cannot be killed."""
    with uninterrupted():
        if os.name != "posix":  # pragma: no cover
            process.kill()
        elif process.returncode is None:
            kill_session(process.pid)
        with suppress(TimeoutExpired):
            process.wait(KILLED)
        tell_keeper("-session", process.pid)
    return process.returncode


class _Keeper:
    """Pipe to the keeper, the program that cleans up after a killed process; see `session_keeper`."""

    def __init__(self) -> None:
        self.pipe: int | None = None
        self.forget()

    def tell(self, line: bytes) -> None:
        with self.lock:
            if not self.tried:
                self.tried = True
                self._begin()
            if self.pipe is not None:
                with suppress(OSError):  # the keeper was killed: nothing more can be done
                    os.write(self.pipe, line)

    def _begin(self) -> None:
        python = Path(sys.executable or "")
        if os.name != "posix" or not python.name.startswith("python"):  # an application that embeds Python
            return
        command = [str(python), "-I", "-S", str(session_keeper.__file__)]
        with suppress(OSError):
            begun = Popen(command, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True, cwd="/")
            assert begun.stdin is not None  # noqa: S101 # a pipe was requested
            self.pipe = os.dup(begun.stdin.fileno())
            begun.stdin.close()
            begun.returncode = 0  # keeps Python from warning: the keeper outlives this process

    def forget(self) -> None:
        """Drop the pipe in a forked process: pipe and keeper belong to the parent."""
        if self.pipe is not None:
            os.close(self.pipe)
        self.lock, self.pipe, self.tried = threading.Lock(), None, False


_keeper = _Keeper()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_keeper.forget)


def tell_keeper(word: str, value: int | str | list[int | str]) -> None:
    """Report a session or a folder to the keeper. word: such as "+session" (created) or "-session" (gone)."""
    _keeper.tell(f"{word} {json.dumps(value)}\n".encode())
