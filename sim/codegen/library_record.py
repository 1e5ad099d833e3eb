"""The record of an engine library: its sources, and the checksum of each of its files.

The record of a checkout holds the stamp of the sources (names, sizes and times); if the stamp differs, the contents of
the sources are compared. The record of a Python wheel is marked, and its sources are not checked. A library is loaded
only if its checksum matches, since damaged machine code can end a process without a message.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ...controllers.laws.files.whole_file import write_whole

RECORD = "sources.json"
ROOMS = ("plant", "controllers", "sim")
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Sources:
    """State of the sources at one time: stamp of names, sizes and times, and digest of the contents."""

    stamp: str
    digest: str


def present_sources() -> Sources:
    """Return the current state of the sources; call it before the translation to notice later changes."""
    stamp = source_stamp()
    return Sources(stamp, source_digest())


def read_record(folder: Path) -> dict[str, Any]:
    """Return the record of a folder; empty if there is no record or it cannot be read."""
    try:
        found: Any = json.loads((folder / RECORD).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def write_record(folder: Path, *, build: str, sources: Sources, files: Iterable[Path], compiler: str = "") -> None:
    """Record what the libraries in a folder were built from.

    build: digest of the C text and compiler options. sources: state of the sources. files: the libraries. compiler:
    digest of the compiler; empty if unknown. Raises SaveError if the record cannot be written.
    """
    checksums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    made = {"stamp": sources.stamp, "sources": sources.digest, "build": build, "compiler": compiler}
    _write(folder, {**made, "files": checksums})


def clear_record(folder: Path) -> None:
    """Empty the record of a folder before its libraries are replaced."""
    _write(folder, {})


def is_whole(path: Path) -> bool:
    """Return whether a library matches the checksum in its record; a wheel's record may lack the checksum."""
    record = read_record(path.parent)
    checksums: Any = record.get("files")
    if checksums is None and record.get("wheel") is True:
        return True
    try:
        content = path.read_bytes()
    except OSError:
        return False
    expected = cast("dict[str, Any]", checksums).get(path.name) if isinstance(checksums, dict) else None
    return expected == hashlib.sha256(content).hexdigest()


def _write(folder: Path, record: dict[str, Any]) -> None:
    write_whole(folder / RECORD, lambda path: path.write_text(json.dumps(record), encoding="ascii"))


def _files(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _files(entry.path)
            elif entry.name.endswith((".py", ".hpp")):
                yield entry


def _sources() -> list[os.DirEntry[str]]:
    return sorted((each for room in ROOMS for each in _files(str(_ROOT / room))), key=lambda each: each.path)


def source_stamp() -> str:
    """Return the digest of names, sizes and times of all sources.

    The status change time (ctime) is included, so that a change is noticed even if a copy kept the modification time
    or the clock was set back.
    """
    found = hashlib.sha256()
    below = len(str(_ROOT)) + 1  # os.path.relpath of some 700 files takes longer than the rest
    for each in _sources():
        about = each.stat()
        name = each.path[below:]
        times = f"{about.st_mtime_ns}\0{about.st_ctime_ns}"
        found.update(f"{name}\0{about.st_size}\0{times}\0".encode(errors="surrogateescape"))
    return found.hexdigest()


def source_digest() -> str:
    """Return the digest of names and contents of all sources."""
    found = hashlib.sha256()
    for each in _sources():
        found.update(os.path.relpath(each.path, _ROOT).encode(errors="surrogateescape"))
        found.update(hashlib.sha256(Path(each.path).read_bytes()).digest())
    return found.hexdigest()
