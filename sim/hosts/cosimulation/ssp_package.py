"""Reading of an SSP archive and the archives inside it; nothing is unpacked to files."""

import zipfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from tempfile import TemporaryFile
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from ....plant.errors import InputError
from ..fmi.unpacked import LARGE, MOST_BYTES, PIECE, RATIO

NAMESPACES = {
    name: f"http://ssp-standard.org/SSP1/SystemStructure{part}"
    for name, part in (
        ("ssd", "Description"),
        ("ssc", "Common"),
        ("ssv", "ParameterValues"),
        ("ssm", "ParameterMapping"),
    )
}
PARTS = {name: f"{{{address}}}" for name, address in NAMESPACES.items()}
INSIDE = "!/"
"""Separator between the path of an archive and the path of an entry in that archive."""
LONGEST = 16 << 20  # bytes of a description
MOST_TEXT = 64 << 20  # total bytes, including nested archives; an archive that is read twice counts twice
BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


@dataclass(frozen=True)
class Package:
    """An archive, and the folder in the archive to which the paths of a description are relative.

    place: path of this archive in the outermost archive; empty for the outermost archive itself. left: total number of
    bytes of text and nested archives that may still be read.
    """

    archive: zipfile.ZipFile
    base: str = ""
    place: str = ""
    left: dict[str, int] = field(default_factory=lambda: {"text": MOST_TEXT, "archives": MOST_BYTES})

    def parsed(self, name: str, part: str, wanted: str) -> ET.Element:
        """Return the root of an XML file of the archive."""
        try:
            entry = self.archive.getinfo(name)
        except KeyError:
            raise InputError(f"{self.place or 'the archive'} contains no {name}") from None
        if entry.file_size > LONGEST:
            raise InputError(f"{name} has more than {LONGEST} bytes")
        self._take("text", entry.file_size, MOST_TEXT)
        with self.archive.open(entry) as source:
            text = source.read(LONGEST + 1)
        if len(text) > LONGEST or b"<!DOCTYPE" in text or b"<!ENTITY" in text:
            raise InputError(f"{name} declares entities or is too long, which is not allowed in a system structure")
        try:
            root = ET.fromstring(text)
        except ET.ParseError as error:
            raise InputError(f"{name} is not XML: {error}") from None
        if root.tag != PARTS[part] + wanted:
            raise InputError(f"{name} is a {root.tag} instead of a {wanted} of SSP 1")
        return root

    def resource(self, source: str, name: str) -> str:
        """Return the archive path of a resource named in a description. name: element that uses the resource."""
        path = PurePosixPath(unquote(source))
        if not source or any(sign in source for sign in ":#") or path.is_absolute() or ".." in path.parts:
            raise InputError(f"{name!r} is at {source!r}; only files in the archive are read, such as resources/a.fmu")
        found = str(PurePosixPath(self.base) / path)
        if found not in self.archive.namelist():
            raise InputError(f"{name!r} is at {source!r}, which is not in the archive")
        return found

    def placed(self, path: str) -> str:
        """Return the path of an entry, beginning at the outermost archive."""
        return f"{self.place}{INSIDE}{path}" if self.place else path

    @contextmanager
    def package(self, path: str) -> "Generator[Package]":
        """Open an archive that is nested in this one."""
        entry = self.archive.getinfo(path)
        large = entry.file_size > LARGE and entry.file_size > RATIO * entry.compress_size
        if entry.file_size > MOST_BYTES or large:
            raise InputError(f"{path} would unpack to {entry.file_size} bytes, which is more than the limit")
        with TemporaryFile() as file:
            with self.archive.open(entry) as source:
                while piece := source.read(PIECE):
                    self._take("archives", len(piece), MOST_BYTES)
                    file.write(piece)
            with zipfile.ZipFile(file) as archive:
                yield Package(archive, place=self.placed(path), left=self.left)

    def _take(self, what: str, size: int, most: int) -> None:
        self.left[what] -= size
        if self.left[what] < 0:
            raise InputError(f"exceeds the limit of {most} bytes of {what}")


def local(element: Any) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def inside(element: ET.Element, part: str, name: str) -> Iterator[ET.Element]:
    """Iterate over the children of the child element with a given name, if there is one."""
    held = element.find(PARTS[part] + name)
    yield from () if held is None else held


def one(element: ET.Element, part: str, name: str) -> ET.Element:
    """Return the child element with a given name. Raises InputError if there is none."""
    found = element.find(PARTS[part] + name)
    if found is None:
        raise InputError(f"a {local(element)} in it has no {name}")
    return found


def true_or_false(text: str, words: str) -> bool:
    """Return the truth value of a string. words: description for the error message."""
    if text not in BOOLEANS:
        raise InputError(f"{words} must be true or false; got {text!r}")
    return BOOLEANS[text]
