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
from ...plant.errors import InputError, PolhodeError, SaveError
from ..machine.code_lock import held
from .library_variants import best_variant, library_name, machine

__all__ = ["MissingLibraryError", "can_build", "forget_sources", "library_path", "record_sources"]

FOLDER = Path(__file__).with_name("compiled")
RECORD = "sources.json"
ROOMS = ("plant", "controllers", "sim")
_ROOT = Path(__file__).resolve().parents[2]


class MissingLibraryError(PolhodeError):
    """The engine has no library on this machine."""


@cache
def library_path() -> Path:
    """Return the library of the engine for this processor, built if its sources changed.

    Raises MissingLibraryError where there is none and none can be built.
    """
    path = _here() if _is_wheel() or _is_current() else _rebuilt()
    if path is None:
        raise MissingLibraryError(
            f"this installation of polhode has no engine library for this machine ({sys.platform}, {machine()}); "
            "an installation from source builds one"
        )
    return path


def can_build() -> bool:
    """Return whether a missing library would be built: not in a wheel that brings its own, or without C compiler."""
    from ..exchange.toolchain import c_compiler

    return not _is_wheel() and c_compiler() is not None


def _is_wheel() -> bool:
    return _recorded().get("wheel") is True


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
    """Rebuild the library in one process while others wait. Raises MissingLibraryError where that is impossible."""
    from ..exchange.toolchain import require_compiler
    from .library_build import build_digest, build_library, checks_in_words
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
                _say(checks_in_words(build_library(FOLDER, text=text)))
            record_sources(FOLDER, build_digest(text))
    except (InputError, SaveError, OSError) as error:
        raise MissingLibraryError(f"the engine's library cannot be built here: {error}") from None
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
    below = len(str(_ROOT)) + 1
    for each in _sources():
        about = each.stat()
        name = each.path[below:]  # a relative path, without the time that os.path.relpath takes for some 700 of them
        found.update(f"{name}\0{about.st_size}\0{about.st_mtime_ns}\0".encode(errors="surrogateescape"))
    return found.hexdigest()


def _digest() -> str:
    """Digest of the content of all sources."""
    found = hashlib.sha256()
    for each in _sources():
        found.update(os.path.relpath(each.path, _ROOT).encode(errors="surrogateescape"))
        found.update(hashlib.sha256(Path(each.path).read_bytes()).digest())
    return found.hexdigest()
