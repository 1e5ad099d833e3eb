"""The lock between processes: one holder at a time, and a holder that has ended does not block others."""

import os
import subprocess
import sys
import time

import pytest

from polhode.sim.codegen import file_lock
from polhode.sim.codegen.file_lock import held

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="there is no such lock elsewhere"),
    pytest.mark.slow,
]

HOLD = """
import sys, time
from pathlib import Path
from polhode.sim.codegen.file_lock import held
with held(Path(sys.argv[1]), lambda: None):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def holder(path, seconds):
    """A process that holds the lock from now on for the given time."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path), str(seconds)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_second_process_waits_and_reports_it_once(tmp_path):
    path, told = tmp_path / "f.lock", []
    with holder(path, 1.0):
        began = time.monotonic()
        with held(path, lambda: told.append(1)):
            assert time.monotonic() - began > 0.7
    assert told == [1]


def test_lock_that_is_free_is_taken_in_silence(tmp_path):
    told = []
    for _ in range(2):
        with held(tmp_path / "f.lock", lambda: told.append(1)):
            pass
    assert not told
    assert (tmp_path / "f.lock").stat().st_mode & 0o777 == 0o600


def test_dead_holder_keeps_nobody_waiting(tmp_path):
    path = tmp_path / "f.lock"
    with holder(path, 60.0) as process:
        process.kill()
        process.wait()
        began = time.monotonic()
        with held(path, lambda: None):
            assert time.monotonic() - began < 5.0


def test_holder_that_is_stopped_is_waited_for_only_so_long(tmp_path, monkeypatch):
    monkeypatch.setattr(file_lock, "LONGEST", 0.3)
    path = tmp_path / "f.lock"
    with holder(path, 60.0) as process:
        began = time.monotonic()
        with held(path, lambda: None):
            assert time.monotonic() - began < 5.0
        process.kill()


def test_file_lock_is_skipped_without_lock_support(tmp_path):
    with held(tmp_path / "no such folder" / "f.lock", lambda: None):
        pass
