"""Store of the engine's library: its folder, and the check that the library matches the sources.

The library of a wheel is loaded unchanged. In a checkout, the C text is generated again when a source changes, and
compiled if the text or the compiler options differ. The rebuilt library replaces the old one. If the user may not write
to the package folder, it is stored in polhode's folder of the user's cache (POLHODE_CACHE_DIR overrides it).
"""

import errno
import hashlib
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from ...plant.errors import InputError, PolhodeError, SaveError
from .cache_folder import base_folder, is_private, private_folder
from .file_lock import held
from .library_record import Sources, is_whole, present_sources, read_record, source_stamp, write_record
from .library_variants import library_name, machine, runnable_variants, tangents_of
from .trusted_files import MistrustError

FOLDER = Path(__file__).with_name("compiled")
IN_CACHE = "polhode-engine"


class MissingLibraryError(PolhodeError):
    """The engine has no library on this machine."""


@cache
def library_path() -> Path:
    """Return the path of the engine library for this processor, building it if its sources changed.

    Raises MissingLibraryError when the library is missing and cannot be built, or when the library installed from a
    Python wheel is damaged.
    """
    path = _of_wheel() if is_wheel() else _of_checkout()
    if path is None:
        raise MissingLibraryError(
            f"this installation of polhode has no engine library for this machine ({sys.platform}, {machine()}); "
            "an installation from source builds one"
        )
    return path


def tangents_path() -> Path | None:
    """Return the path of the engine library with tangents; None if there is none for this processor.

    Raises MissingLibraryError as `library_path`.
    """
    folder = library_path().parent
    paths = [folder / library_name(tangents_of(variant)) for variant in runnable_variants()]
    return next((path for path in paths if path.exists() and is_whole(path)), None)


def can_build() -> bool:
    """Return whether a missing library would be built: there is a C compiler, and no library from a wheel."""
    from .toolchain import c_compiler

    return not is_wheel() and c_compiler() is not None


def is_wheel() -> bool:
    """Return whether the library was installed from a Python wheel; installed files are not changed."""
    return read_record(FOLDER).get("wheel") is True


def _of_wheel() -> Path | None:
    path = _here(FOLDER)
    if path is not None and not is_whole(path):
        raise MissingLibraryError(f"the engine's library {path} is damaged; install polhode again")
    return path


def _of_checkout() -> Path | None:
    if _is_current(FOLDER):
        return _here(FOLDER)
    kept = _cache_folder()
    try:
        if is_private(kept) and _is_current(kept):
            return _here(kept)
        writable = _is_writable(FOLDER)
        return _rebuilt(FOLDER if writable else private_folder(kept), elsewhere=not writable)
    except (InputError, SaveError, OSError) as error:
        raise MissingLibraryError(f"the engine's library cannot be built here: {error}") from None
    except MistrustError as reason:
        raise MissingLibraryError(
            f"the engine's library can be neither replaced nor stored in the cache folder: {reason}; "
            f"set POLHODE_CACHE_DIR to a private folder"
        ) from None


def _here(folder: Path) -> Path | None:
    for variant in runnable_variants():
        path = folder / library_name(variant)
        if path.exists():
            return path
    return None


def _is_current(folder: Path) -> bool:
    """Return whether the library in a folder is complete and was built from the current sources."""
    record, path = read_record(folder), _here(folder)
    if not record or path is None or not is_whole(path):
        return False
    if record.get("stamp") == source_stamp():
        return True
    sources = present_sources()
    if record.get("sources") != sources.digest:
        return False
    _record_again(folder, record, sources)
    return True


def _record_again(folder: Path, record: dict[str, Any], sources: Sources) -> None:
    """Record changed sources that give the same library; on failure the next start checks again."""
    build, compiler = str(record.get("build")), str(record.get("compiler"))
    try:
        write_record(folder, build=build, sources=sources, files=_recorded(folder, record), compiler=compiler)
    except (SaveError, OSError):
        return


def _recorded(folder: Path, record: dict[str, Any]) -> list[Path]:
    """Return the intact libraries that a record lists; others in its folder are from other sources."""
    return [folder / name for name in record["files"] if is_whole(folder / name)]


def _cache_folder() -> Path:
    """Return the folder in the user's cache for the library of this checkout."""
    return base_folder().absolute() / IN_CACHE / hashlib.sha256(str(FOLDER).encode(errors="replace")).hexdigest()[:16]


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except PermissionError:
        return False
    except OSError as error:
        if error.errno == errno.EROFS:
            return False
        raise


def _rebuilt(folder: Path, *, elsewhere: bool) -> Path | None:
    """Rebuild the library in one process while others wait. elsewhere: whether the folder is outside the package."""
    from .library_build import build_digest, build_library, checks_in_words, compiler_digest
    from .library_text import library_text
    from .toolchain import require_compiler

    with held(folder / "build.lock", lambda: _say("waiting for another process that builds the engine's library")):
        if _is_current(folder):
            return _here(folder)
        require_compiler()  # before the translation, which takes seconds
        sources, text, path = present_sources(), library_text(), _here(folder)
        digest, record = build_digest(text), read_record(folder)
        if record.get("build") != digest or path is None or not is_whole(path):
            place = f"; it is stored in {folder}, since {FOLDER} cannot be written" if elsewhere else ""
            _say(f"building the engine's library, since its sources changed{place}")
            checks = build_library(folder, text=text)
            _say(checks_in_words(checks))
            files, compiler = list(checks), compiler_digest()
        else:
            files, compiler = _recorded(folder, record), str(record.get("compiler"))
        write_record(folder, build=digest, sources=sources, files=files, compiler=compiler)
        return _here(folder)


def _say(words: str) -> None:
    print(f"polhode: {words}", file=sys.stderr)  # noqa: T201 # a user is waiting
