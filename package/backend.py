"""Build backend of polhode: setuptools, the compiled engine, and editable installs by a path.

The engine is written as C from the kernels and compiled with the C compiler of the machine, or with zig, which pip then
fetches for the build. A wheel holds the library and fits every Python on its platform. Where neither compiler can be
had, the wheel is built without the library, and everything runs as plain Python.

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
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_sdist,
    get_requires_for_build_sdist,
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
IN_WHEEL = "polhode/sim/codegen/compiled"
COMPILED = FOLDER.parent / "sim" / "codegen" / "compiled"
COMPILERS = ("cc", "gcc", "clang")


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return the requirements of a build beyond those of pyproject.toml: zig, where the machine has no C compiler."""
    own = os.environ.get("CC", "").split()[:1]
    there = any(shutil.which(name) for name in (*own, *COMPILERS))
    return [*build_meta.get_requires_for_build_wheel(config_settings), *([] if there else ["ziglang>=0.13"])]


def get_requires_for_build_editable(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return the same for an editable install."""
    return get_requires_for_build_wheel(config_settings)


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """Build a wheel for this platform and every Python; where the engine cannot be compiled, for every platform."""
    name = build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    with TemporaryDirectory() as folder:
        if build_engine(Path(folder)):
            return for_platform(Path(wheel_directory) / name, list(Path(folder).glob("engine-*"))).name
    return name


def build_engine(folder: Path) -> bool:
    """Compile the engine into a folder, report that in one line, and return whether it succeeded."""
    with TemporaryDirectory() as temporary:
        rooms = Path(temporary, "polhode")
        for room in ROOMS[:3]:
            shutil.copytree(
                FOLDER.parent / room, rooms / room, ignore=shutil.ignore_patterns("__pycache__", "compiled")
            )
        shutil.copy(FOLDER / "polhode" / "__init__.py", rooms)
        command = [sys.executable, "-m", "polhode.sim.codegen.library_build", str(folder)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([temporary, *sys.path])}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=temporary)
    last = (done.stderr.strip().splitlines() or [""])[-1]
    checks = done.stdout.strip()
    built = f"polhode: compiled the engine, {checks}\n"
    sys.stderr.write(built if done.returncode == 0 else f"no compiled engine: {last}\n")
    return done.returncode == 0


def for_platform(wheel: Path, libraries: list[Path]) -> Path:
    """Put libraries into a wheel of pure Python and rename it to one of this platform."""
    tag = re.sub(r"[-.]", "_", sysconfig.get_platform())
    with zipfile.ZipFile(wheel) as archive:
        files = {each: archive.read(each) for each in archive.namelist()}
    files |= {f"{IN_WHEEL}/{each.name}": each.read_bytes() for each in libraries}
    files[f"{IN_WHEEL}/sources.json"] = b'{"wheel": true}\n'  # its sources are never looked at again
    about = next(each for each in files if each.endswith(".dist-info/WHEEL"))
    text = files[about].decode().replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
    files[about] = text.replace("Tag: py3-none-any", f"Tag: py3-none-{tag}").encode()
    named = wheel.with_name(wheel.name.replace("-py3-none-any", f"-py3-none-{tag}"))
    wheel.unlink()
    write_wheel(named, files)
    return named


def build_editable(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """Build the wheel of an editable install (PEP 660): setuptools' own, its import hook replaced by a path."""
    build_engine(COMPILED)
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
    encoding = "utf-8" if sys.version_info >= (3, 13) else locale.getencoding()  # what Python reads .pth files in
    write_wheel(wheel, {"__editable__.polhode.pth": f"{FOLDER}\n".encode(encoding), **kept})


def write_wheel(wheel: Path, files: dict[str, bytes]) -> None:
    """Write a wheel with its list of files made anew."""
    record = next(name for name in files if name.endswith(".dist-info/RECORD"))
    kept = {name: content for name, content in files.items() if name != record}
    rows = [f"{name},sha256={digest(content)},{len(content)}\n" for name, content in kept.items()]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in kept.items():
            archive.writestr(name, content)
        archive.writestr(record, "".join([*rows, f"{record},,\n"]))


def digest(content: bytes) -> str:
    """The sha256 of a file as a wheel's RECORD has it."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
