"""The keeper: a program that ends what a killed process leaves behind: sessions of children, and scratch folders.

It runs as a script, uses only the standard library, and reads lines from its standard input: `+session [123, "4567"]`
and `-session 123`, `+folder "/tmp/polhode-x"` and `-folder ...`. When that input ends its parent is gone, whatever
ended it: even SIGKILL closes the pipe. It then kills every session and removes every folder that remains.

The number of a process that has ended may be reused. A session is therefore identified by the number and
the start time of its leader, and one whose number now belongs to a process with another start time is left alone: the
system does not reuse a number while a process of its session runs.

The parent-death signal of Linux (PR_SET_PDEATHSIG) reaches the child only, not the processes that it started, and is
sent when the *thread* that started it ends.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

ROUNDS = 20
PAUSE = 0.005  # s
SESSION, STARTED = 3, 19  # fields of /proc/PID/stat after the name


def start_time(number: int) -> str:
    """Return the start time of a process, in clock ticks since boot or as reported by ps; empty if there is none."""
    if Path("/proc/self/stat").exists():
        fields = _stat(number)
        return fields[STARTED] if fields else ""
    with suppress(OSError, subprocess.SubprocessError):
        command = ["ps", "-o", "lstart=", "-p", str(number)]
        return subprocess.run(command, capture_output=True, text=True, timeout=5.0, check=False).stdout.strip()
    return ""


def _stat(number: int | str) -> list[str]:
    """The fields of /proc/NUMBER/stat after the name of the process; empty if there is none."""
    with suppress(OSError):
        return Path(f"/proc/{number}/stat").read_text(errors="replace").rpartition(")")[2].split()
    return []


def signal_session(leader: int, number: int) -> bool:
    """Send a signal to every process of a session, and return whether there were any besides the leader.

    leader: the process that began the session, not yet reaped. Process groups of the session are found in /proc;
    without it only the group of the leader is reached.
    """
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)
    others = [each for each in _members(leader) if each != leader]
    for each in others:
        with suppress(ProcessLookupError, PermissionError):
            _signal_member(leader, each, number)
    return bool(others)


def _signal_member(session: int, member: int, number: int) -> None:
    """Send a signal to a process found in a session, unless its number now belongs to another one. Raises OSError."""
    if not hasattr(os, "pidfd_open"):
        os.kill(member, number)
        return
    handle = os.pidfd_open(member)
    try:
        if _is_member(_stat(member), session):  # of the process of the handle
            signal.pidfd_send_signal(handle, number)
    finally:
        os.close(handle)


def kill_session(leader: int, started: str = "") -> None:
    """Kill every process of a session, including those that are just being started.

    leader: the process that began the session. started: its `start_time`; a process with that number and another start
    time is left alone. Empty: the leader is a child that has not been reaped, so that its number is unique.
    """
    for _ in range(ROUNDS):
        if started and start_time(leader) not in {"", started}:
            return
        if not signal_session(leader, signal.SIGKILL):
            return
        time.sleep(PAUSE)


def _members(session: int) -> list[int]:
    """The running processes of a session."""
    found: list[int] = []
    with suppress(OSError), os.scandir("/proc") as entries:
        found.extend(
            int(entry.name) for entry in entries if entry.name.isdigit() and _is_member(_stat(entry.name), session)
        )
    return found


def _is_member(fields: list[str], session: int) -> bool:
    return bool(fields) and fields[SESSION] == str(session) and fields[0] not in "ZX"


def keep(lines: Iterable[str]) -> None:
    """Process the lines to their end, then end what remains."""
    sessions: dict[int, str] = {}
    folders: set[str] = set()
    for line in lines:
        word, _, text = line.partition(" ")
        value = json.loads(text)
        match word:
            case "+session":
                leader, started = value
                sessions[leader] = started
            case "-session":
                sessions.pop(value, None)
            case "+folder":
                folders.add(value)
            case _:
                folders.discard(value)
    for leader, started in sessions.items():
        kill_session(leader, started)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def main(lines: TextIO) -> None:
    """Ignore the signals that end the parent."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    keep(lines)


if __name__ == "__main__":
    main(sys.stdin)
