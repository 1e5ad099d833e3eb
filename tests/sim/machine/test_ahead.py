"""The engine compiled by another process: begun once, and never in the way of who wants it compiled here."""

import json
import os
import subprocess
import sys
import time
from functools import cache

import pytest

from polhode.controllers.laws.linear_feedback_kernel import linear_feedback_kernel
from polhode.plant.hub.dynamics import no_user_loads
from polhode.sim.machine import ahead, compiler
from polhode.sim.machine.ahead import compiled_ahead
from polhode.sim.machine.code_cache import Kept

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there is no such lock elsewhere")

PIECES = (("law", linear_feedback_kernel), ("user", no_user_loads))


@pytest.fixture
def begun(monkeypatch, tmp_path):
    """An engine that is to stand in an empty folder, and what was begun to compile it: processes that never do."""
    found = []

    def begin(command, lock):
        process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=(lock,))
        found.append((command, process))

    monkeypatch.setattr(ahead, "engine_to_come", lambda: tmp_path / "engine.o")
    monkeypatch.setattr(ahead, "_begin", begin)
    yield found
    for _, process in found:
        process.communicate()


def test_it_is_begun_once_and_one_that_came_to_nothing_not_again(begun, capsys, tmp_path):
    assert [compiled_ahead(PIECES) for _ in range(2)] == [True, True]
    assert capsys.readouterr().err.count("flying as plain Python") == 2
    ((command, process),) = begun
    assert command[1:4] == ["-P", "-m", "polhode.sim.machine.ahead"]
    assert command[4] == f"law:{linear_feedback_kernel.__module__}:linear_feedback_kernel"
    assert (tmp_path / "ahead.lock").stat().st_mode & 0o777 == 0o600
    process.communicate()
    assert not compiled_ahead(PIECES)
    assert len(begun) == 1
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("why", ["own function", "engine there", "no folder", "no Python", "no process"])
def test_who_cannot_have_it_made_compiles(begun, monkeypatch, why, tmp_path, capsys):
    pieces = PIECES
    if why == "own function":
        pieces = (("law", lambda t, y, r, q, z, u: None),)
    elif why == "engine there":
        monkeypatch.setattr(ahead, "engine_to_come", lambda: None)
    elif why == "no folder":
        monkeypatch.setattr(ahead, "engine_to_come", lambda: tmp_path / "nowhere" / "engine.o")
    elif why == "no Python":
        monkeypatch.setattr(sys, "executable", "/usr/bin/freecad")
    else:

        def refuse(command, lock):
            raise BlockingIOError("no more processes")

        monkeypatch.setattr(ahead, "_begin", refuse)
    assert not compiled_ahead(pieces)
    assert not begun
    assert capsys.readouterr().err == ""


def test_the_engine_is_to_come_where_it_can_be_kept_and_is_not(monkeypatch, tmp_path):
    engine = tmp_path / "engine.o"
    place = Kept(engine)
    monkeypatch.setattr(compiler, "kept", lambda name: place)
    monkeypatch.setattr(compiler, "entry_function", cache(lambda name: name))
    assert compiler.engine_to_come() == engine
    compiler.entry_function("advance_entry")  # loaded, if not kept
    assert compiler.engine_to_come() is None
    compiler.entry_function.cache_clear()
    engine.write_bytes(b"")
    assert compiler.engine_to_come() is None
    place.path = None
    assert compiler.engine_to_come() is None


@pytest.mark.slow
def test_the_first_runs_of_all_are_those_that_come_later(tmp_path):
    import fcntl

    env = os.environ | {"POLHODE_CACHE_DIR": str(tmp_path)}
    words = [sys.executable, "-m", "polhode", "run", "slew-lqr", "--json", "--set", "run.duration_s=60"]

    def flown():
        done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
        summary = json.loads(done.stdout)
        del summary["provenance"]["date"]
        return done.stderr, summary

    began = time.monotonic()
    first, second = flown(), flown()
    took = time.monotonic() - began
    (lock,) = tmp_path.rglob("ahead.lock")
    with lock.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # until the process that compiles has ended
    compiling = time.monotonic() - began
    third = flown()
    assert "flying as plain Python" in first[0]
    assert "flying as plain Python" in second[0]
    assert "plain Python" not in third[0]
    assert "compiling" not in third[0]
    assert third[1] == first[1] == second[1]
    assert took < compiling
    names = {path.name for path in tmp_path.rglob("*.o")}
    assert len(names) == 5  # engine, rows, law, reference, no loads: whatever the third run wanted
