"""The program that ends what a killed process leaves behind: sessions of children, and scratch folders.

It runs as a script, of the standard library only, and reads lines from its standard input: `+session 123` and
`-session 123`, `+folder "/tmp/polhode-x"` and `-folder ...`. When that input ends its parent is gone, however it ended:
even SIGKILL closes the pipe. It then kills every session and removes every folder that is left.

The parent-death signal of Linux (PR_SET_PDEATHSIG) would reach the child only and not what that started, and it comes
when the *thread* ends that started it.
"""

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

__all__ = ["kill_session", "signal_session"]

ROUNDS = 20
PAUSE = 0.005  # s


def signal_session(leader: int, number: int) -> bool:
    """Send a signal to every process of a session, and return whether there was one besides the leader.

    leader: the process that began the session, not waited for yet. Process groups of the session are found in /proc;
    without it only the group of the leader is reached.
    """
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)
    others = [each for each in _members(leader) if each != leader]
    for each in others:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(each, number)
    return bool(others)


def kill_session(leader: int) -> None:
    """Kill every process of a session, also those that are being started."""
    for _ in range(ROUNDS):
        if not signal_session(leader, signal.SIGKILL):
            return
        time.sleep(PAUSE)


def _members(session: int) -> list[int]:
    """The processes of a session that run."""
    found: list[int] = []
    with suppress(OSError), os.scandir("/proc") as entries:
        for entry in entries:
            if entry.name.isdigit():
                with suppress(OSError, ValueError, IndexError):
                    fields = Path(entry.path, "stat").read_text(errors="replace").rpartition(")")[2].split()
                    if int(fields[3]) == session and fields[0] not in "ZX":
                        found.append(int(entry.name))
    return found


def keep(lines: Iterable[str]) -> None:
    """Follow the lines to their end, then end what is left."""
    sessions: set[int] = set()
    folders: set[str] = set()
    for line in lines:
        word, _, text = line.partition(" ")
        value = json.loads(text)
        match word:
            case "+session":
                sessions.add(value)
            case "-session":
                sessions.discard(value)
            case "+folder":
                folders.add(value)
            case _:
                folders.discard(value)
    for session in sessions:
        kill_session(session)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def main(lines: TextIO) -> None:
    """Outlive what ends the parent."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    keep(lines)


if __name__ == "__main__":
    main(sys.stdin)
