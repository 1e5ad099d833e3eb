"""The user's cache folder for compiled libraries, accessible to the user only."""

import os
import sys
from functools import cache
from pathlib import Path

from ..runs.messages import say
from .trusted_files import check_folder, write_private

_MARK = "CACHEDIR.TAG"
_MARKED = (  # the first line follows the cache directory tagging standard, so that backups skip such folders
    b"Signature: 8a477f597d28d172789f06886806bc55\n# Machine code that polhode has compiled; it may be deleted.\n"
)

WAITING = "polhode: another process is compiling the same function; waiting for it"


@cache
def say_waiting() -> None:
    """Write on stderr, once, that another process is compiling the same function."""
    say(WAITING)


def base_folder() -> Path:
    """Return the parent folder of polhode's cache folders, which need not exist."""
    if os.environ.get("POLHODE_CACHE_DIR"):
        return Path(os.environ["POLHODE_CACHE_DIR"]).expanduser()  # "~" in a settings file is not expanded by a shell
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "polhode"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "polhode"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "polhode"


def made_folder(folder: Path, *, mark: bool = False) -> Path:
    """Create a private folder if it is missing, and check that nobody else can write there.

    mark: whether to write the tag file that makes backups skip a new folder. Returns the folder. Raises OSError when
    the folder cannot be created, MistrustError when others could have written to it.
    """
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        pass
    else:
        if mark:
            write_private(folder / _MARK, _MARKED)
    check_folder(folder)
    return folder


def is_private(folder: Path) -> bool:
    """Return whether a folder two levels below the cache exists. Raises MistrustError if others can write to it."""
    if not folder.is_dir():
        return False
    check_folder(folder.parents[1], outermost=True)
    check_folder(folder.parent)
    check_folder(folder)
    return True


def private_folder(folder: Path) -> Path:
    """Create a folder two levels below the cache, with access for the user only."""
    base = folder.parents[1]
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    check_folder(base, outermost=True)
    made_folder(folder.parent)
    return made_folder(folder)
