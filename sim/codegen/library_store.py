"""The store of the engine's library: its folder, and the check that it was built from the present sources.

A record is kept with the library. That of a wheel says so, and nothing is checked. That of a checkout names the sources
that the library was built from: when one of them changes, the C text is written again, and compiled if text or compiler
options differ.
"""

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, cast

from ...controllers.files.whole_file import write_whole
from ...plant.errors import InputError, SaveError
from ..machine.code_lock import held
from .library_variants import best_variant, library_name

__all__ = ["forget_sources", "library_path", "record_sources"]

FOLDER = Path(__file__).with_name("compiled")
RECORD = "sources.json"
ROOMS = ("plant", "controllers", "sim")
_ROOT = Path(__file__).resolve().parents[2]


@cache
def library_path() -> Path | None:
    """Return the library of the engine for this processor; None where there is none and none can be built."""
    if _recorded().get("wheel") is True or _is_current():
        return _here()
    return _rebuilt()


def record_sources(folder: Path, build_sha256: str) -> None:
    """Record the sources that a library was built from.

    folder: where the library is; build_sha256: the digest of its C text and compiler options.
    """
    _write(folder, {"stamp": _stamp(), "sources": _digest(), "build": build_sha256})


def forget_sources(folder: Path) -> None:
    """Make the record of a library empty: its files are about to be replaced."""
    _write(folder, {})


def _write(folder: Path, record: dict[str, str]) -> None:
    write_whole(folder / RECORD, lambda path: path.write_text(json.dumps(record), encoding="ascii"))


def _here() -> Path | None:
    for variant in (best_variant(), "baseline"):
        path = FOLDER / library_name(variant)
        if path.exists():
            return path
    return None


def _recorded() -> dict[str, Any]:
    try:
        found: Any = json.loads((FOLDER / RECORD).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _is_current() -> bool:
    record = _recorded()
    if _here() is None or not record:
        return False
    if record.get("stamp") == _stamp():
        return True
    if record.get("sources") != _digest():
        return False
    with suppress(SaveError):
        record_sources(FOLDER, str(record.get("build")))
    return True


def _rebuilt() -> Path | None:
    """Rebuild the library in one process while others wait; None where that is impossible."""
    from ..exchange.toolchain import require_compiler
    from .library_build import build_digest, build_library
    from .library_text import library_text

    try:
        FOLDER.mkdir(exist_ok=True)
        with held(
            FOLDER / "build.lock", lambda: _say("waiting for another process, which builds the engine's library")
        ):
            if _is_current():
                return _here()
            require_compiler()  # before seconds are spent on the text
            text = library_text()
            if _recorded().get("build") != build_digest(text) or _here() is None:
                _say("building the engine's library, since its sources changed")
                build_library(FOLDER, text=text)
            record_sources(FOLDER, build_digest(text))
    except (InputError, SaveError, OSError) as error:
        _say(f"the engine's library cannot be built here: {error}")
        return None
    return _here()


def _say(words: str) -> None:
    print(f"polhode: {words}", file=sys.stderr)  # noqa: T201 # a person waits


def _files(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _files(entry.path)
            elif entry.name.endswith(".py"):
                yield entry


def _sources() -> list[os.DirEntry[str]]:
    return sorted((each for room in ROOMS for each in _files(str(_ROOT / room))), key=lambda each: each.path)


def _stamp() -> str:
    """Digest of names, sizes and modification times of all sources."""
    found = hashlib.sha256()
    for each in _sources():
        about = each.stat()
        name = os.path.relpath(each.path, _ROOT)
        found.update(f"{name}\0{about.st_size}\0{about.st_mtime_ns}\0".encode(errors="surrogateescape"))
    return found.hexdigest()


def _digest() -> str:
    """Digest of the content of all sources."""
    found = hashlib.sha256()
    for each in _sources():
        found.update(os.path.relpath(each.path, _ROOT).encode(errors="surrogateescape"))
        found.update(hashlib.sha256(Path(each.path).read_bytes()).digest())
    return found.hexdigest()
