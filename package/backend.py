"""How polhode is built: setuptools, but for editable installs.

The four rooms lie at the top of the repository and are installed as polhode.plant and so on. setuptools makes such an
editable install by an import hook, which type checkers cannot follow and which any folder named polhode in the current
directory beats. Here it is a plain path instead: the rooms are linked into package/polhode/ (folder links, or junctions
on Windows, which need no rights), and a .pth file names package/. Files added later are seen at once. Wheels and
sdists need no links. tests/design/editable_install.py has what the alternatives do.
"""

import base64
import contextlib
import hashlib
import locale
import os
import sys
import zipfile
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ROOMS = ("plant", "controllers", "sim", "scenarios")
FOLDER = Path(__file__).resolve().parent


def build_editable(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """Build the wheel of an editable install (PEP 660): setuptools' own, its import hook replaced by a path."""
    name = build_meta.build_editable(wheel_directory, config_settings, metadata_directory)
    try:
        for room in ROOMS:
            link(FOLDER / "polhode" / room, FOLDER.parent / room)
    except OSError as error:
        sys.stderr.write(f"polhode: no folder links here ({error}), so type checkers will not follow this install\n")
        return name
    lead_by_path(Path(wheel_directory) / name)
    return name


def link(place: Path, room: Path) -> None:
    """Make `place` lead to the folder `room`."""
    if place.exists() and place.samefile(room):
        return
    with contextlib.suppress(FileNotFoundError):
        place.unlink()  # a link to where this checkout once was; never a folder
    if sys.platform == "win32":
        import _winapi

        _winapi.CreateJunction(str(room), str(place))
    else:
        place.symlink_to(os.path.relpath(room, place.parent), target_is_directory=True)


def lead_by_path(wheel: Path) -> None:
    """Replace whatever makes this wheel editable by one .pth file that names this folder."""
    with zipfile.ZipFile(wheel) as archive:
        kept = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" in name}
    record = next(name for name in kept if name.endswith(".dist-info/RECORD"))
    del kept[record]
    encoding = "utf-8" if sys.version_info >= (3, 13) else locale.getencoding()  # what Python reads .pth files in
    files = {"__editable__.polhode.pth": f"{FOLDER}\n".encode(encoding), **kept}
    rows = [f"{name},sha256={digest(content)},{len(content)}\n" for name, content in files.items()]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        archive.writestr(record, "".join([*rows, f"{record},,\n"]))


def digest(content: bytes) -> str:
    """The sha256 of a file as a wheel's RECORD has it."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
