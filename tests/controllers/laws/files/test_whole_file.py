"""Atomic writing of single files and of groups."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from polhode.controllers.laws.files.uninterrupted import uninterrupted
from polhode.controllers.laws.files.whole_file import WholeFiles, clear_leftovers, write_whole
from polhode.plant import SaveError

posix = pytest.mark.skipif(os.name != "posix", reason="locks and signals of POSIX")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_failed_write_leaves_the_old_file(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")

    def half(path):
        path.write_text("ha")
        raise OSError(28, "No space left on device")

    with pytest.raises(SaveError, match=r"a\.txt: cannot be written \(No space left on device\)"):
        write_whole(target, half)
    assert target.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_files_written_together_wait_for_the_last(tmp_path):
    (tmp_path / "a.txt").write_text("old a")
    (tmp_path / "b.txt").write_text("old b")

    def fails(path):
        raise OSError(28, "No space left on device")

    with pytest.raises(SaveError, match=r"b\.txt"), WholeFiles() as files:  # noqa: PT012 # both belong to one context
        files.write(tmp_path / "a.txt", lambda path: path.write_text("new a"))
        files.write(tmp_path / "b.txt", fails)
    assert (tmp_path / "a.txt").read_text() == "old a"
    assert (tmp_path / "b.txt").read_text() == "old b"
    assert names(tmp_path) == ["a.txt", "b.txt"]
    with WholeFiles() as files:
        files.write(tmp_path / "a.txt", lambda path: path.write_text("new a"))
        assert (tmp_path / "a.txt").read_text() == "old a"
        files.write(tmp_path / "b.txt", lambda path: path.write_text("new b"))
    assert (tmp_path / "a.txt").read_text() == "new a"
    assert names(tmp_path) == ["a.txt", "b.txt"]


def test_written_file_has_default_permissions(tmp_path):
    write_whole(tmp_path / "a.txt", lambda path: path.write_text("a"))
    (tmp_path / "b.txt").touch()
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "b.txt").stat().st_mode


@pytest.mark.parametrize("where", ["missing/a.txt", "file/a.txt", "."])
def test_write_to_impossible_target_is_rejected(tmp_path, where):
    (tmp_path / "file").touch()
    with pytest.raises(SaveError, match="cannot be written"):
        write_whole(tmp_path / where, lambda path: path.write_text("a"))
    assert names(tmp_path) == ["file"]
    assert not [path for path in tmp_path.parent.iterdir() if path.name.endswith(".part")]


def test_long_file_names_are_written(tmp_path):
    target = tmp_path / ("n" * 250)
    write_whole(target, lambda path: path.write_text("a"))
    assert target.read_text() == "a"


@posix
def test_only_leftovers_of_killed_processes_are_removed(tmp_path):
    code = f"""
    import os
    from pathlib import Path
    from polhode.controllers.laws.files.whole_file import WholeFiles
    WholeFiles().part(Path({str(tmp_path)!r}, "run.nc")).write_text("half")
    os.kill(os.getpid(), 9)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False)
    assert done.returncode == -signal.SIGKILL
    (left,) = names(tmp_path)
    assert left.startswith(".run.nc.polhode-")
    assert left.endswith(".part")
    strangers = [".run.nc.part", ".run.nc.polhode-xyz.part", "run.nc.polhode-01234567.part", ".run.nc-01234567"]
    for name in strangers:
        (tmp_path / name).write_text("somebody's")
    (tmp_path / ".dir.polhode-01234567.part").mkdir()
    (tmp_path / ".link.polhode-01234567.part").symlink_to(tmp_path / ".run.nc.part")
    with WholeFiles() as others:  # of a live process
        held = others.part(tmp_path / "b.txt")
        write_whole(tmp_path / "c.txt", lambda path: path.write_text("c"))
        found = set(names(tmp_path))
        assert left not in found
        assert held.name in found
    kept = {*strangers, ".dir.polhode-01234567.part", ".link.polhode-01234567.part", "b.txt", "c.txt"}
    assert set(names(tmp_path)) == kept
    clear_leftovers(tmp_path)
    assert set(names(tmp_path)) == kept


@posix
def test_interruption_waits_until_files_are_in_place(tmp_path):
    order = []
    with pytest.raises(KeyboardInterrupt), WholeFiles() as files:  # noqa: PT012 # both belong to one context
        files.write(tmp_path / "a.txt", lambda path: path.write_text("a"))
        with uninterrupted():
            os.kill(os.getpid(), signal.SIGINT)
            order.append("the rest of the body")
        order.append("never")
    assert order == ["the rest of the body"]
    assert names(tmp_path) == []

    old_replace = Path.replace

    def replace(self, target):
        os.kill(os.getpid(), signal.SIGINT)
        return old_replace(self, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", replace)
        with pytest.raises(KeyboardInterrupt), WholeFiles() as files:  # noqa: PT012 # the end of it is what raises
            files.write(tmp_path / "a.txt", lambda path: path.write_text("a"))
            files.write(tmp_path / "b.txt", lambda path: path.write_text("b"))
    assert names(tmp_path) == ["a.txt", "b.txt"]
