"""Scratch folders: removed at the end, and swept after a killed process."""

from __future__ import annotations

import os
import tempfile

import pytest

from polhode.sim.hosts.process import scratch_folder as module
from polhode.sim.hosts.process.scratch_folder import scratch_folder, sweep


@pytest.fixture(autouse=True)
def parent(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def left(parent, name):
    """A folder left by a killed process."""
    folder = parent / name
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "file").touch()
    (folder / module.LOCK).touch()
    return folder


def test_scratch_folder_is_private_and_removed(parent):
    with pytest.raises(KeyError), scratch_folder() as folder:  # noqa: PT012 # that it is removed in spite of it
        assert list(folder.iterdir()) == []
        assert folder.parent.stat().st_mode & 0o77 == 0
        raise KeyError
    assert list(parent.iterdir()) == []


def test_first_scratch_folder_sweeps_what_was_left(parent):
    stale = left(parent, "polhode-abcd1234")
    with scratch_folder() as folder:
        assert not stale.exists()
        assert folder.exists()


def test_sweep_takes_only_what_nobody_holds(parent):
    with scratch_folder() as held:
        (held / "mine").touch()
        unlocked = parent / "polhode-abcdefgh"
        unlocked.mkdir()  # another process is about to create its lock
        other = left(parent, "polhode-of-a-user")
        sweep(parent)
        assert (held / "mine").exists()
        assert unlocked.exists()
        assert (other / "data" / "file").exists()


def test_sweep_follows_no_link(parent, tmp_path_factory):
    elsewhere = left(tmp_path_factory.mktemp("elsewhere"), "polhode-abcd1234")
    (parent / "polhode-linklink").symlink_to(elsewhere)
    inside = left(parent, "polhode-withlink")
    (inside / "data" / "link").symlink_to(elsewhere)
    lock = left(parent, "polhode-linklock")
    (lock / module.LOCK).unlink()
    (lock / module.LOCK).symlink_to(elsewhere / module.LOCK)
    sweep(parent)
    assert not inside.exists()
    assert (parent / "polhode-linklink").is_symlink()
    assert lock.exists()
    assert (elsewhere / "data" / "file").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives a folder to somebody else")
def test_sweep_leaves_the_folders_of_other_users(parent):
    theirs = left(parent, "polhode-abcd1234")
    os.chown(theirs, 12345, 12345)
    sweep(parent)
    assert (theirs / "data" / "file").exists()
