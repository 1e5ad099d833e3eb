"""The name under which machine code is kept: it changes with whatever can change the code."""

import os
import shutil
import time
from pathlib import Path

import pytest

import polhode.sim
from polhode.plant.kernels.kernel import KERNELS
from polhode.sim.machine import code_cache, code_digest

pytestmark = pytest.mark.slow  # only functions of users are compiled just in time

ROOT = Path(polhode.sim.__file__).resolve().parent.parent


@pytest.fixture
def memo(tmp_path):
    folder = tmp_path / "memo"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def rooms(tmp_path, monkeypatch):
    """A copy of the rooms that the digest is taken of; its files count as settled at once."""
    for room in code_digest.ROOMS:
        shutil.copytree(ROOT / room, tmp_path / "tree" / room, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(code_digest, "_ROOT", tmp_path / "tree")
    monkeypatch.setattr(code_digest, "BEGAN", time.time_ns() + 10**12)
    monkeypatch.setattr(code_digest, "_SETTLED", -(10**12))
    return tmp_path / "tree"


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.slow), 9])
def test_the_digest_follows_every_source_of_the_rooms(rooms, memo, every):
    sources = sorted(path for path in rooms.rglob("*.py"))
    assert len(sources) > 200
    sources = sources[::every]
    seen = {code_digest.digest(memo)}
    for source in sources:
        with source.open("a") as file:
            file.write("\n# changed\n")
        seen.add(code_digest.digest(memo))
    assert len(seen) == len(sources) + 1


def test_every_kernel_lies_in_a_source_of_the_digest():
    own = [kernel for kernel in KERNELS if kernel.__module__.startswith("polhode.")]
    assert len(own) > 100
    assert all(code_digest.covers(kernel) for kernel in own)


@pytest.mark.parametrize(
    ("module", "name", "expected"),
    [
        ("polhode.sim.engine.advance", "advance", True),
        ("polhode.sim.engine.advance", "make.<locals>.law", False),  # made by a call, with whatever it was given
        ("polhode.scenarios.commands.cli", "law", False),
        ("polhode.extras.laws", "law", False),  # another distribution in the same namespace
        ("__main__", "law", False),
    ],
)
def test_only_functions_of_the_rooms_are_covered(module, name, expected):
    def law():
        pass

    law.__module__, law.__qualname__ = module, name
    assert code_digest.covers(law) is expected


def test_a_change_of_the_same_size_and_time_is_seen(rooms, memo):
    source = rooms / "plant" / "elements" / "arm" / "arm_layout.py"
    before, look = code_digest.digest(memo), source.stat()
    text = source.read_text()
    swapped = text.replace("LENGTH, AXIAL, TORSION", "AXIAL, LENGTH, TORSION")  # other code, and a wrong energy
    assert len(swapped) == len(text)
    assert swapped != text
    source.write_text(swapped)
    os.utime(source, ns=(look.st_atime_ns, look.st_mtime_ns))
    assert code_digest.digest(memo) != before
    source.write_text(text)
    assert code_digest.digest(memo) == before  # of what is there, not of when it was written


def test_files_are_read_once_and_looked_at_afterwards(rooms, memo, monkeypatch):
    before = code_digest.digest(memo)
    (kept,) = memo.iterdir()
    read = []
    original = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path) or original(path))
    assert code_digest.digest(memo) == before
    assert [path for path in read if path.suffix == ".py"] == []
    for damaged in (b"", b"x", kept.read_bytes()[:-1], b"\xff\xfe"):
        kept.write_bytes(damaged)
        read.clear()
        assert code_digest.digest(memo) == before
        assert len([path for path in read if path.suffix == ".py"]) > 200


def test_what_is_said_of_fresh_files_is_not_kept(rooms, memo, monkeypatch):
    monkeypatch.setattr(code_digest, "_SETTLED", 10**12)  # they were copied a moment ago
    code_digest.digest(memo)
    assert list(memo.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps no modes")
def test_a_memo_that_others_can_write_is_not_believed(rooms, memo):
    before = code_digest.digest(memo)
    (kept,) = memo.iterdir()
    seal, _, _ = kept.read_text().partition(" ")
    kept.write_text(f"{seal} {'0' * 64}")
    assert code_digest.digest(memo) != before  # what it says counts ...
    kept.chmod(0o666)
    assert code_digest.digest(memo) == before  # ... where only the user can have said it


@pytest.mark.parametrize(
    "name", ["NUMBA_OPT", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_LOOP_VECTORIZE", "NUMBA_NEW"]
)
def test_a_setting_of_numba_changes_the_digest(rooms, memo, monkeypatch, name):
    monkeypatch.delenv(name, raising=False)
    before = code_digest.digest(memo)
    monkeypatch.setenv(name, "1")
    once = code_digest.digest(memo)
    monkeypatch.setenv(name, "2")
    assert len({before, once, code_digest.digest(memo)}) == 3


def test_numbas_file_of_settings_changes_the_digest(rooms, memo, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    before = code_digest.digest(memo)
    (tmp_path / ".numba_config.yaml").write_text("opt: 0\n")
    assert code_digest.digest(memo) != before


def test_a_setting_that_differs_by_job_and_changes_no_code_does_not(rooms, memo, monkeypatch):
    before = code_digest.digest(memo)
    for name in ("NUMBA_NUM_THREADS", "NUMBA_CACHE_DIR"):
        monkeypatch.setenv(name, "3")
    assert code_digest.digest(memo) == before


def test_a_process_older_than_its_sources_keeps_and_takes_nothing(rooms, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("POLHODE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(code_digest, "BEGAN", time.time_ns() - 10**12)
    assert code_cache.cache_folder.__wrapped__() is None
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "sources have changed since this process began" in told
    assert not list((tmp_path / "cache").rglob("*.o"))
