"""The cache folder of the user, with compiled libraries and access for the user only."""

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
    """Write on stderr, once, that another process compiles the same function."""
    say(WAITING)


def base_folder() -> Path:
    """Return the parent of the cache folders of polhode; it need not exist."""
    if os.environ.get("POLHODE_CACHE_DIR"):
        return Path(os.environ["POLHODE_CACHE_DIR"]).expanduser()  # a shell does not expand it in a settings file
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "polhode"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "polhode"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "polhode"


def made_folder(folder: Path, *, mark: bool = False) -> Path:
    """Create a folder for the user only if it is missing, and check that nobody else can write there.

    mark: whether a new folder gets the file by which backups skip it. Returns the folder. Raises OSError when it cannot
    be created, MistrustError when others could have written there.
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
