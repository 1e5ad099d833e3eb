"""Hostile archives: nothing is written outside the folder, and nothing large is written at all."""

import os
import stat
import struct
import zipfile

import pytest

from polhode.plant import InputError
from polhode.sim.hosts.fmi import unpacked
from polhode.sim.hosts.fmi.unpacked import unpack


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "inside"
    made.mkdir()
    return made


def archive(tmp_path, *entries, **keys):
    path = tmp_path / "unit.fmu"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, **keys) as out:
        for name, content in entries:
            out.writestr(name, content)
    return path


def test_plain_one_is_laid_out(tmp_path, folder):
    parts = {"modelDescription.xml": b"<x/>", "binaries/linux64/a.so": os.urandom(5000), "resources/": b""}
    unpack(archive(tmp_path, *parts.items()), folder)
    assert (folder / "modelDescription.xml").read_bytes() == b"<x/>"
    assert (folder / "binaries/linux64/a.so").read_bytes() == parts["binaries/linux64/a.so"]


@pytest.mark.parametrize(
    "name", ["../outside", "a/../../outside", "/outside", "C:outside", "a\\..\\..\\outside", "..", "a/.."]
)
def test_no_name_leads_out(tmp_path, folder, name):
    with pytest.raises(InputError, match="is outside the target folder"):
        unpack(archive(tmp_path, ("fine", b"1"), (name, b"2")), folder)
    assert not list(folder.iterdir())
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_are_refused(tmp_path, folder, kind):
    link = zipfile.ZipInfo("resources/link")
    link.create_system = 3
    link.external_attr = (kind | 0o777) << 16
    with pytest.raises(InputError, match="is a link or a device"):
        unpack(archive(tmp_path, (link, b"/etc")), folder)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_names_of_one_file_are_refused(tmp_path, folder):
    for other in ("a/b", "A/B", "a//b", "a/./b"):
        with pytest.raises(InputError, match="are the same file"):
            unpack(archive(tmp_path, ("a/b", b"1"), (other, b"2")), folder)


def test_bombs_are_not_unpacked(tmp_path, folder, monkeypatch):
    monkeypatch.setattr(unpacked, "LARGE", 1 << 20)
    bomb = archive(tmp_path, ("zeros", bytes(8 << 20)))
    assert bomb.stat().st_size < 10_000
    with pytest.raises(InputError, match="would unpack to 8388608 bytes from"):
        unpack(bomb, folder)
    monkeypatch.setattr(unpacked, "MOST_FILES", 20)
    with pytest.raises(InputError, match="contains 21 files, more than the limit of 20"):
        unpack(archive(tmp_path, *((f"f{n}", b"") for n in range(21))), folder)
    monkeypatch.setattr(unpacked, "MOST_BYTES", 1000)
    with pytest.raises(InputError, match="the limits are 1000 bytes"):
        unpack(archive(tmp_path, ("a", os.urandom(600)), ("b", os.urandom(600))), folder)
    assert not list(folder.iterdir())


def test_archive_with_wrong_size_is_cut_off(tmp_path, folder, monkeypatch):
    """The directory states 10 bytes; there are 8 MiB."""
    path = archive(tmp_path, ("zeros", bytes(8 << 20)))
    text = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        place = text.index(mark)
        text[place + at : place + at + 4] = struct.pack("<L", 10)
    path.write_bytes(bytes(text))
    with pytest.raises(InputError, match="cannot be unpacked"):
        unpack(path, folder)
    assert sum(each.stat().st_size for each in folder.rglob("*") if each.is_file()) <= unpacked.PIECE


@pytest.mark.parametrize("damage", ["cut", "flipped", "encrypted", "empty"])
def test_damaged_ones_are_refused(tmp_path, folder, damage):
    path = archive(tmp_path, ("a", os.urandom(4000)))
    text = bytearray(path.read_bytes())
    if damage == "cut":
        text = text[:2000]
    if damage == "flipped":
        text[1000] ^= 255
    if damage == "encrypted":
        text[text.index(b"PK\x01\x02") + 8] |= 1
    if damage == "empty":
        text = bytearray()
    path.write_bytes(bytes(text))
    with pytest.raises(InputError, match=r"cannot be unpacked|is encrypted"):
        unpack(path, folder)


def test_units_are_compared():
    from polhode.sim.hosts.fmi.si_units import si_unit

    assert si_unit("N m") == si_unit("N.m") == si_unit("kg*m^2/s^2") == si_unit("kg.m2.s-2")
    assert si_unit("rad/s") == si_unit("1/s") == si_unit("Hz")
    assert si_unit("rad/s^2") != si_unit("rad/s")
    assert si_unit("m/s") != si_unit("m s")
    assert si_unit("deg") is None
