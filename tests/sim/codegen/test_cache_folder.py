"""The user's cache folder: its location, its permissions, and runs without one."""

import os
import subprocess
import sys

import pytest

from polhode.sim.codegen import cache_folder
from polhode.sim.codegen.kernel_store import FOLDER

LOOK = "from polhode.sim.codegen.kernel_store import kernel_folder as f; print(f()); f()"


def python(code, **environment):
    """A process with its own environment."""
    env = os.environ | {name: str(value) for name, value in environment.items()}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env)


@pytest.mark.parametrize("blocked", ["a file", "no rights"])
def test_folder_that_cannot_be_written_is_reported_once(tmp_path, blocked):
    place = tmp_path / "place"
    if blocked == "a file":
        place.write_text("not a folder")
    else:
        place.mkdir()
        place.chmod(0o500)
        if os.access(place, os.W_OK):
            pytest.skip("this user may write anywhere")
    done = python(LOOK, POLHODE_CACHE_DIR=place)
    assert done.stdout.split() == ["None"]
    assert done.stderr.count("cannot be stored") == 1
    assert "POLHODE_CACHE_DIR" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps no modes")
def test_folders_are_made_for_the_user_alone(tmp_path):
    place = tmp_path / "new" / "place"
    done = python(f"import os; os.umask(0)\n{LOOK}", POLHODE_CACHE_DIR=place)
    assert (done.stdout, done.stderr) == (f"{place / FOLDER}\n", "")
    for path in (place, *place.rglob("*")):
        assert path.stat().st_mode & 0o022 == 0, path


@pytest.mark.thinned(3)
@pytest.mark.skipif(os.name != "posix", reason="Windows keeps no modes")
@pytest.mark.parametrize("where", ["base", "own"])
@pytest.mark.parametrize("open_to", [0o020, 0o002, 0o1002])
def test_folder_that_others_can_write_is_refused(tmp_path, where, open_to):
    base = tmp_path / "base"
    (base / FOLDER).mkdir(parents=True)
    path = {"base": base, "own": base / FOLDER}[where]
    base.chmod(0o700)
    path.chmod(0o700 | open_to)
    done = python(LOOK, POLHODE_CACHE_DIR=base)
    if where == "base" and open_to == 0o1002:  # like /tmp
        assert (done.stdout.strip(), done.stderr) == (str(base / FOLDER), "")
    else:
        assert done.stdout.split() == ["None"]
        assert done.stderr.count("\n") == 1
        assert f"others can write to {path} (mode {0o700 | open_to:o}" in done.stderr
        assert "POLHODE_CACHE_DIR" in done.stderr


def test_link_to_another_folder_is_refused(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / FOLDER).symlink_to(elsewhere)
    done = python(LOOK, POLHODE_CACHE_DIR=tmp_path / "base")
    assert done.stdout.split() == ["None"]
    assert "is not a folder" in done.stderr
    assert not list(elsewhere.iterdir())


def test_folder_may_begin_at_the_home_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("POLHODE_CACHE_DIR", "~/kept")
    monkeypatch.chdir(tmp_path)
    assert cache_folder.base_folder() == tmp_path / "kept"
