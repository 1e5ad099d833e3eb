"""Only regular text files of bounded size are read, without blocking."""

import os
import socket

import pytest

from polhode.controllers.laws.files.text_file import LARGEST, read_text
from polhode.plant.errors import InputError


def test_read_text_returns_content(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text("title = 'é'", encoding="utf-8")
    assert read_text(path, what="a case") == "title = 'é'"
    (tmp_path / "link").symlink_to(path)
    assert read_text(tmp_path / "link", what="a case") == "title = 'é'"


def test_read_text_rejects_irregular_files(tmp_path, monkeypatch):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="is a pipe, not a file"):
        read_text(pipe, what="a case")
    with pytest.raises(InputError, match="is a directory; give the file inside it"):
        read_text(tmp_path, what="a case")
    with pytest.raises(InputError, match="is a device, not a file"):
        read_text("/dev/zero", what="a case")
    with socket.socket(socket.AF_UNIX) as made:
        monkeypatch.chdir(tmp_path)  # the path of a socket must be short
        made.bind("socket")
        with pytest.raises(InputError, match="cannot be read"):
            read_text(tmp_path / "socket", what="a case")


def test_read_text_rejects_invalid_encoding(tmp_path):
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(InputError, match="is larger than 16 MiB, too large for a law"):
        read_text(huge, what="a law")
    huge.write_bytes(b"title = '\xff'")
    with pytest.raises(InputError, match=r"not UTF-8 text \(byte 9 is wrong\)"):
        read_text(huge, what="a case")
    with pytest.raises(InputError, match="cannot be read"):
        read_text("a\0b", what="a case")
    with pytest.raises(InputError, match="File name too long"):
        read_text("a" * 300, what="a case")
    with pytest.raises(FileNotFoundError):
        read_text(tmp_path / "nowhere", what="a case")
