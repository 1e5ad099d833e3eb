"""Children in separate sessions end with their parent, however it ends."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from polhode.sim.hosts.process import children, session_keeper

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads sessions from /proc")

FAMILY = """
import os, signal, subprocess, sys, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
wait = [sys.executable, "-S", "-c", "import time; time.sleep(60)"]
print(subprocess.Popen(wait).pid, subprocess.Popen(wait, preexec_fn=os.setpgrp).pid, flush=True)
{then}
"""


def family(then: str) -> tuple[subprocess.Popen[bytes], list[int]]:
    """A child that ignores signals, with one child in its process group and one in another of the same session."""
    child = children.start_child([sys.executable, "-S", "-c", FAMILY.format(then=then)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    return child, [int(word) for word in child.stdout.readline().split()]


def runs(number: int) -> bool:
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def ignores(number: int, signum: int) -> bool:
    words = Path(f"/proc/{number}/status").read_text().split()
    return bool(int(words[words.index("SigIgn:") + 1], 16) >> (signum - 1) & 1)


def all_gone(numbers: list[int]) -> bool:
    end = time.monotonic() + 10.0
    while any(runs(each) for each in numbers) and time.monotonic() < end:
        time.sleep(0.01)
    return not any(runs(each) for each in numbers)


@pytest.mark.parametrize("then", ["time.sleep(60)", "sys.exit(3)"])
def test_child_ends_with_all_of_its_session(then):
    child, grandchildren = family(then)
    if "exit" in then:
        while not children.has_ended(child):
            time.sleep(0.01)
        assert child.returncode is None  # not waited for, so that its PID is not reused
    assert all(runs(each) for each in grandchildren)
    assert children.end_child(child) == (3 if "exit" in then else -signal.SIGKILL)
    assert all_gone(grandchildren)
    assert child.stdout is not None
    child.stdout.close()


def test_keeper_ends_sessions_and_folders_when_its_input_ends(tmp_path):
    child, grandchildren = family("time.sleep(60)")
    kept, gone, target = tmp_path / "kept", tmp_path / "gone", tmp_path / "target"
    for folder in (kept, gone, target):
        folder.mkdir()
    (target / "file").touch()
    (gone / "link").symlink_to(target)
    (gone / "file").touch()
    keeper = subprocess.Popen([sys.executable, "-I", "-S", session_keeper.__file__], stdin=subprocess.PIPE)
    assert keeper.stdin is not None
    lines = [
        f"+session {json.dumps([child.pid, session_keeper.start_time(child.pid)])}",
        *(f"{sign}folder {json.dumps(str(kept))}" for sign in "+-"),
    ]
    keeper.stdin.write("\n".join([*lines, f"+folder {json.dumps(str(gone))}", ""]).encode())
    keeper.stdin.flush()
    while not ignores(keeper.pid, signal.SIGTERM):
        time.sleep(0.01)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        keeper.send_signal(number)
    assert keeper.poll() is None
    assert all(runs(each) for each in grandchildren)
    keeper.stdin.close()
    assert keeper.wait(10.0) == 0
    assert all_gone([*grandchildren, child.pid])
    assert kept.exists()
    assert not gone.exists()
    assert (target / "file").exists()
    children.end_child(child)
    assert child.stdout is not None
    child.stdout.close()


def keep(*sessions: list[int | str]) -> None:
    """Run the keeper on some sessions until its input ends."""
    text = "".join(f"+session {json.dumps(each)}\n" for each in sessions)
    subprocess.run([sys.executable, "-I", "-S", session_keeper.__file__], input=text.encode(), check=True)


def test_keeper_leaves_a_reused_number_alone():
    """The PID of a child that has ended, now of another process: its start time differs."""
    child, grandchildren = family("time.sleep(60)")
    started = session_keeper.start_time(child.pid)
    earlier = str(int(started) - 1)
    keep([child.pid, earlier])
    assert runs(child.pid)
    assert all(runs(each) for each in grandchildren)
    keep([child.pid, started])
    assert all_gone([child.pid, *grandchildren])
    children.end_child(child)
    assert child.stdout is not None
    child.stdout.close()


def test_keeper_ends_what_a_leader_left_that_is_gone():
    child, grandchildren = family("sys.exit(3)")
    started = session_keeper.start_time(child.pid)
    assert child.wait() == 3
    assert session_keeper.start_time(child.pid) == ""
    assert all(runs(each) for each in grandchildren)
    keep([child.pid, started])
    assert all_gone(grandchildren)
    children.tell_keeper("-session", child.pid)
    assert child.stdout is not None
    child.stdout.close()


def test_start_time_without_proc_is_that_of_ps(monkeypatch):
    monkeypatch.setattr(session_keeper, "Path", lambda _: Path("/nowhere"))
    now = session_keeper.start_time(os.getpid())
    if not shutil.which("ps"):
        assert now == ""
        pytest.skip("no ps")
    assert re.search(r"\d\d:\d\d:\d\d", now)
    assert session_keeper.start_time(os.getpid()) == now


def test_members_are_signalled_by_handle_only_while_in_the_session():
    child, grandchildren = family("time.sleep(60)")
    session_keeper._signal_member(child.pid + 1, grandchildren[0], signal.SIGKILL)  # of another session
    time.sleep(0.05)
    assert runs(grandchildren[0])
    session_keeper._signal_member(child.pid, grandchildren[0], signal.SIGKILL)
    assert all_gone([grandchildren[0]])
    children.end_child(child)
    assert child.stdout is not None
    child.stdout.close()


def test_fork_does_not_hold_the_pipe_of_the_keeper():
    children.tell_keeper("-session", 0)
    pipe = children._keeper.pipe
    assert pipe is not None
    fork = os.fork()
    if fork == 0:
        with suppress(OSError):
            os.fstat(pipe)
            os._exit(1)
        os._exit(0 if children._keeper.pipe is None else 2)
    assert os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1]) == 0


KILLED = """
import sys, time
from polhode.sim.hosts.process.children import start_child
from polhode.sim.hosts.process.scratch_folder import scratch_folder
with scratch_folder() as folder:
    start_child([sys.executable, "-S", "-c", sys.argv[1]], stdout=1)
    print(folder, flush=True)
    time.sleep(60)
"""


def test_killed_process_leaves_nothing(tmp_path):
    """Neither a child in a busy loop that ignores signals, nor its own children, nor the scratch folder."""
    command = [sys.executable, "-c", KILLED, FAMILY.format(then="while True: pass")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)}) as parent:
        assert parent.stdout is not None
        lines = [os.fsdecode(parent.stdout.readline()).strip() for _ in range(2)]  # in either order
        folder = next(Path(line) for line in lines if os.sep in line)
        numbers = [int(word) for line in lines if os.sep not in line for word in line.split()]
        assert folder.is_dir()
        parent.kill()
    assert all_gone(numbers)
    end = time.monotonic() + 10.0
    while folder.parent.exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert list(tmp_path.iterdir()) == []
