"""Files in the cache are read only if the user or root wrote them and nobody else can write them."""

import os

import pytest

from polhode.sim.codegen.trusted_files import MistrustError, check_folder, read_trusted, write_private

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows keeps no modes")


@pytest.fixture
def give_away(monkeypatch):
    """Give a file or folder to another user, or, if that requires rights, change this user."""

    def give(path):
        if os.geteuid() == 0:
            os.chown(path, 65534, -1)
        else:
            monkeypatch.setattr("polhode.sim.codegen.trusted_files.os.geteuid", lambda: os.getuid() + 1)

    return give


def test_trusted_file_of_the_user_is_read(tmp_path):
    path = tmp_path / "f"
    write_private(path, b"one")
    write_private(path, b"two")
    assert read_trusted(path) == b"two"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["f"]
    check_folder(tmp_path)


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_file_open_to_others_is_refused(tmp_path, mode):
    path = tmp_path / "f"
    write_private(path, b"code")
    path.chmod(mode)
    with pytest.raises(MistrustError, match=f"others can write to .*f \\(mode {mode:o}; chmod go-w"):
        read_trusted(path)


def test_somebody_elses_file_is_refused(tmp_path, give_away):
    path = tmp_path / "f"
    write_private(path, b"code")
    give_away(path)
    with pytest.raises(MistrustError, match="f belongs to another user"):
        read_trusted(path)


def test_somebody_elses_folder_is_refused(tmp_path, give_away):
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o700)
    give_away(folder)
    for outermost in (True, False):
        with pytest.raises(MistrustError, match="folder belongs to another user"):
            check_folder(folder, outermost=outermost)


def test_link_and_pipe_are_not_followed(tmp_path):
    write_private(tmp_path / "f", b"code")
    (tmp_path / "link").symlink_to(tmp_path / "f")
    with pytest.raises(OSError, match="link"):
        read_trusted(tmp_path / "link")
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(MistrustError, match="pipe is not a file"):
        read_trusted(tmp_path / "pipe")


def test_trusted_file_failed_write_changes_nothing(tmp_path, monkeypatch):
    path = tmp_path / "f"
    write_private(path, b"old")

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("polhode.sim.codegen.trusted_files.Path.replace", full)
    with pytest.raises(OSError, match="No space"):
        write_private(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["f"]
