"""The keeper: a program that removes the sessions and scratch folders of a killed parent process.

The keeper runs as a script, uses only the standard library, and reads lines from its standard input:
`+session [123, "4567"]` and `-session 123`, `+folder "/tmp/polhode-x"` and `-folder ...`. The input ends when the
parent has ended in any way, since even SIGKILL closes the pipe. The keeper then kills every session and removes every
folder that remains.

The PID of an ended process may be reused. A session is therefore identified by the PID and the start time of its
leader. If the PID now belongs to a process with a different start time, the session has ended and nothing is killed:
the system does not reuse a PID while a process of that session runs.

The parent-death signal of Linux (PR_SET_PDEATHSIG) is not used: it reaches only the child, not the processes that the
child started, and is sent as soon as the *thread* that started the child ends.
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
    """Return a process's start time, in clock ticks since boot or as ps reports it; empty if it is gone."""
    if Path("/proc/self/stat").exists():
        fields = _stat(number)
        return fields[STARTED] if fields else ""
    with suppress(OSError, subprocess.SubprocessError):
        command = ["ps", "-o", "lstart=", "-p", str(number)]
        return subprocess.run(command, capture_output=True, text=True, timeout=5.0, check=False).stdout.strip()
    return ""


def _stat(number: int | str) -> list[str]:
    """Return the fields of /proc/PID/stat after the process name; empty if there is no such process."""
    with suppress(OSError):
        return Path(f"/proc/{number}/stat").read_text(errors="replace").rpartition(")")[2].split()
    return []


def signal_session(leader: int, number: int) -> bool:
    """Signal every process of a session, and return whether there were any besides the leader.

    leader: PID of the process that created the session, not yet reaped. number: the signal. The process groups of the
    session are found in /proc; on systems without /proc only the leader's group is reached.
    """
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)
    others = [each for each in _members(leader) if each != leader]
    for each in others:
        with suppress(ProcessLookupError, PermissionError):
            _signal_member(leader, each, number)
    return bool(others)


def _signal_member(session: int, member: int, number: int) -> None:
    """Signal a process of a session, unless its PID now belongs to a different process. Raises OSError."""
    if not hasattr(os, "pidfd_open"):
        os.kill(member, number)
        return
    handle = os.pidfd_open(member)
    try:
        if _is_member(_stat(member), session):  # the handle's process is the one that was found
            signal.pidfd_send_signal(handle, number)
    finally:
        os.close(handle)


def kill_session(leader: int, started: str = "") -> None:
    """Kill every process of a session, including processes that are just being started.

    leader: PID of the process that created the session. started: the leader's `start_time`; nothing is killed if the
    PID now has a different start time. Empty if the leader is a child that has not been reaped, so that its PID is
    unique.
    """
    for _ in range(ROUNDS):
        if started and start_time(leader) not in {"", started}:
            return
        if not signal_session(leader, signal.SIGKILL):
            return
        time.sleep(PAUSE)


def _members(session: int) -> list[int]:
    """Return the PIDs of the running processes of a session."""
    found: list[int] = []
    with suppress(OSError), os.scandir("/proc") as entries:
        found.extend(
            int(entry.name) for entry in entries if entry.name.isdigit() and _is_member(_stat(entry.name), session)
        )
    return found


def _is_member(fields: list[str], session: int) -> bool:
    return bool(fields) and fields[SESSION] == str(session) and fields[0] not in "ZX"


def keep(lines: Iterable[str]) -> None:
    """Process the lines until the input ends, then kill remaining sessions and remove remaining folders."""
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
    """Run the keeper, which ignores the signals that end its parent."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    keep(lines)


if __name__ == "__main__":
    main(sys.stdin)
