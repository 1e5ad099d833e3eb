"""The record of a library: which changes of the sources count, and which files are complete."""

from __future__ import annotations

import json
import os

import pytest

from polhode.sim.codegen import library_record
from polhode.sim.codegen.library_record import (
    clear_record,
    is_whole,
    present_sources,
    read_record,
    source_digest,
    source_stamp,
    write_record,
)


@pytest.fixture
def rooms(tmp_path, monkeypatch):
    """A checkout with one source in each room."""
    monkeypatch.setattr(library_record, "_ROOT", tmp_path)
    for room in library_record.ROOMS:
        (tmp_path / room / "inner").mkdir(parents=True)
        (tmp_path / room / "inner" / "kernel.py").write_text("x = 1\n", encoding="utf-8")
    return tmp_path


def test_content_decides_whatever_the_times(rooms):
    stamp, digest = source_stamp(), source_digest()
    path = rooms / "plant" / "inner" / "kernel.py"
    os.utime(path, (1e9, 1e9))  # a clock that was set back
    assert source_stamp() != stamp
    assert source_digest() == digest
    path.write_text("x = 2\n", encoding="utf-8")
    assert source_digest() != digest


@pytest.mark.skipif(os.name != "posix", reason="Windows has no time of the last change of an entry")
def test_copy_that_keeps_size_and_time_changes_the_stamp(rooms):
    path = rooms / "sim" / "inner" / "kernel.py"
    about, stamp = path.stat(), source_stamp()
    path.write_text("x = 2\n", encoding="utf-8")
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (about.st_size, about.st_mtime_ns)
    assert source_stamp() != stamp


def test_other_files_do_not_count(rooms):
    stamp, digest = source_stamp(), source_digest()
    (rooms / "plant" / "inner" / "__pycache__").mkdir()
    (rooms / "plant" / "inner" / "__pycache__" / "kernel.py").touch()
    (rooms / "plant" / "inner" / "notes.txt").touch()
    assert (source_stamp(), source_digest()) == (stamp, digest)
    (rooms / "plant" / "inner" / "later.py").touch()
    assert source_stamp() != stamp
    assert source_digest() != digest


def test_record_names_the_checksum_of_each_file(rooms):
    path = rooms / "engine-some.so"
    path.write_bytes(b"code")
    write_record(rooms, build="text", sources=present_sources(), files=[path])
    assert set(read_record(rooms)) == {"stamp", "sources", "build", "compiler", "files"}
    assert is_whole(path)
    path.write_bytes(b"cod")
    assert not is_whole(path)
    path.unlink()
    assert not is_whole(path)
    clear_record(rooms)
    assert read_record(rooms) == {}


@pytest.mark.parametrize("record", ["", "[]", "{}", '{"files": 3}', '{"files": {"engine-some.so": 3}}', "\x00"])
def test_file_of_a_damaged_record_is_not_whole(rooms, record):
    (rooms / "engine-some.so").write_bytes(b"code")
    (rooms / "sources.json").write_text(record)
    assert not is_whole(rooms / "engine-some.so")


def test_wheel_without_checksums_is_taken_as_it_is(rooms):
    (rooms / "engine-some.so").write_bytes(b"code")
    (rooms / "sources.json").write_text(json.dumps({"wheel": True}))
    assert is_whole(rooms / "engine-some.so")
