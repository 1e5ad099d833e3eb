"""Store of the engine's WebAssembly module: from a wheel, or built from the current sources.

Most wheels contain the module. In a checkout, or a wheel without the module, zig builds it when a page first needs it
and after a kernel has changed. The module is stored next to the engine's library or, if that folder is not writable, in
the user's cache folder.
"""

import hashlib
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from ....plant.errors import InputError, SaveError
from ...runs.messages import say
from ..cache_folder import base_folder, is_private, private_folder
from ..file_lock import held
from ..library_record import is_whole, present_sources, read_record, source_stamp, write_record
from ..trusted_files import MistrustError
from .module_build import MODULE, build_module, module_digest

FOLDER = Path(__file__).parents[1] / "compiled" / "browser"
IN_CACHE = "polhode-browser"


class MissingModuleError(InputError):
    """The engine has no WebAssembly module on this machine."""


def built_module() -> bytes | None:
    """Return the module if it was built from the current sources or came with a wheel; None otherwise."""
    for folder in (FOLDER, _cache_folder()):
        try:
            if folder != FOLDER and not is_private(folder):
                continue
            if _is_current(folder):
                return (folder / MODULE).read_bytes()
        except (OSError, MistrustError):
            continue
    return None


def engine_module() -> bytes:
    """Return the module; zig builds it if it is missing or a kernel has changed.

    Raises MissingModuleError when the module is missing and cannot be built.
    """
    found = built_module()
    if found is not None:
        return found
    if find_spec("ziglang") is None:
        raise MissingModuleError(
            "this installation of polhode has no engine for pages (engine.wasm), and zig, which builds it, is not "
            "installed; pip install 'polhode[cross]' brings zig"
        )
    try:
        return _rebuilt(FOLDER if _is_writable(FOLDER) else private_folder(_cache_folder()))
    except (InputError, SaveError, OSError, MistrustError) as error:
        raise MissingModuleError(f"the engine for pages cannot be built here: {error}") from None


def _is_current(folder: Path) -> bool:
    """Return whether the module in a folder is complete and comes from a wheel or the current sources."""
    record = read_record(folder)
    if not record or not (folder / MODULE).is_file() or not is_whole(folder / MODULE):
        return False
    if record.get("wheel") is True or record.get("stamp") == source_stamp():
        return True
    sources = present_sources()
    if record.get("sources") != sources.digest:
        return False
    with suppress(SaveError, OSError):  # on failure the contents are compared again next time
        write_record(folder, build=str(record.get("build")), sources=sources, files=[folder / MODULE])
    return True


def _rebuilt(folder: Path) -> bytes:
    """Build the module in one process while others wait."""
    from ..library_text import library_text

    with held(
        folder / "build.lock", lambda: say("polhode: waiting for another process that builds the engine for pages")
    ):
        if not _is_current(folder):
            say("polhode: building the engine for pages, which takes about a minute and happens once")
            sources, text = present_sources(), library_text(simd=False)
            digest, path = module_digest(text), folder / MODULE
            if read_record(folder).get("build") != digest or not path.is_file() or not is_whole(path):
                build_module(folder, text=text)
            write_record(folder, build=digest, sources=sources, files=[path])
        return (folder / MODULE).read_bytes()


def _cache_folder() -> Path:
    """Return the folder in the user's cache for the module of this installation."""
    key = repr((str(FOLDER), sys.version_info[:2]))
    return base_folder().absolute() / IN_CACHE / hashlib.sha256(key.encode(errors="replace")).hexdigest()[:16]


def _is_writable(folder: Path) -> bool:
    """Return whether the module may be written to a folder.

    Always False if polhode was installed from a Python wheel, because installed files are not changed.
    """
    from ..library_store import is_wheel

    if is_wheel():
        return False
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "build.lock").touch()
    except OSError:
        return False
    return True
