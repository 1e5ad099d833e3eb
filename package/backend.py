"""Build backend of polhode: setuptools, the compiled engine, and editable installs by a path entry.

The kernels are translated to C and compiled with the C compiler of the machine. If no compiler works, pip fetches zig
for the build. A wheel contains the compiled library and suits every Python version on its platform. If zig is not
available either, the wheel is built without the library, and everything runs as plain Python. If there is a compiler
and the engine cannot be built, the installation fails; the setting engine=none leaves the engine out on purpose.

The four packages are folders at the top of the repository and are installed as polhode.plant and so on. For such a
layout, setuptools creates an editable install with an import hook, which type checkers cannot follow, and over which
any folder named polhode in the current directory takes precedence. This backend uses a plain path entry instead: the
four folders are linked into package/polhode/ (as folder links, or as junctions on Windows, which need no privileges),
and a .pth file names package/. Files added later are found without a new install. Wheels and sdists need no links.
tests/design/editable_install.py compares the alternatives.
"""

import contextlib
import locale
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import backend_compilers as compilers
from backend_wheels import with_libraries, write_wheel
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
COMPILED = FOLDER.parent / "sim" / "codegen" / "compiled"


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return the build requirements in addition to pyproject.toml: zig if no C compiler works here.

    Nothing is required if zig is not available either, or if the setting engine=none is given; the engine is then left
    out.
    """
    own = build_meta.get_requires_for_build_wheel(config_settings)
    if _leaves_engine_out(config_settings) or compilers.working() is not None:
        return own
    if compilers.zig_is_obtainable():
        return [*own, compilers.ZIG]
    sys.stderr.write("polhode: no C compiler works here, and ziglang is not obtainable either\n")
    return own


def _leaves_engine_out(config_settings: dict[str, Any] | None) -> bool:
    """Return whether the settings contain engine=none, as for wheels to which libraries are added later."""
    return (config_settings or {}).get("engine") == "none"


def get_requires_for_build_editable(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return the additional build requirements of an editable install, which are those of a wheel."""
    return get_requires_for_build_wheel(config_settings)


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """Build a wheel for every Python version on this platform, or on any if the engine is left out."""
    name = build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    with TemporaryDirectory() as folder:
        if not _leaves_engine_out(config_settings) and build_engine(Path(folder)):
            return with_libraries(Path(wheel_directory) / name, list(Path(folder).glob("engine-*")), tag()).name
    return name


def build_engine(folder: Path) -> bool:
    """Compile the engine into a folder, report the result in one line, and return whether it succeeded.

    Returns False if no C compiler works here. Raises SystemExit, which an installer shows without a traceback, if one
    does and the engine cannot be translated or compiled.
    """
    compiler = compilers.chosen()
    with TemporaryDirectory() as temporary:
        rooms = Path(temporary, "polhode")
        for room in ROOMS[:3]:
            shutil.copytree(
                FOLDER.parent / room, rooms / room, ignore=shutil.ignore_patterns("__pycache__", "compiled")
            )
        shutil.copy(FOLDER / "polhode" / "__init__.py", rooms)
        command = [sys.executable, "-m", "polhode.sim.codegen.library_build", str(folder)]
        environment = {**os.environ, **compiler, "PYTHONPATH": os.pathsep.join([temporary, *sys.path])}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=temporary)
    if done.returncode == 0:
        sys.stderr.write(f"polhode: the engine is {done.stdout.strip()}\n")
        return True
    lines = done.stderr.strip().splitlines() or [f"its process ended with {done.returncode}"]
    reason = lines[-1].removeprefix("polhode: ")
    if compiler:
        sys.stderr.write("".join(f"{line}\n" for line in lines[:-1]))
        raise SystemExit(
            f"polhode: the engine cannot be built although a C compiler works here ({compiler['CC']}): {reason}; "
            "to install without the engine, which is slow, add -C engine=none"
        )
    sys.stderr.write(f"polhode: installed without the compiled engine: {reason}\n")
    return False


def tag() -> str:
    """Return the platform tag of a wheel whose library runs on this processor family only."""
    name = sysconfig.get_platform().replace("universal2", platform.machine())
    return re.sub(r"[-.]", "_", name)


def build_editable(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """Build the wheel of an editable install (PEP 660) with a path entry instead of an import hook."""
    if not _leaves_engine_out(config_settings):
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
    """Create a link (on Windows a junction) at `place` that leads to the folder `room`."""
    if place.exists() and place.samefile(room):
        return
    with contextlib.suppress(FileNotFoundError):
        place.unlink()  # a link to an earlier location of this checkout, never a folder
    if sys.platform == "win32":
        import _winapi

        _winapi.CreateJunction(str(room), str(place))
    else:
        place.symlink_to(os.path.relpath(room, place.parent), target_is_directory=True)


def lead_by_path(wheel: Path) -> None:
    """Replace setuptools' editable files in a wheel by one .pth file that names this folder."""
    with zipfile.ZipFile(wheel) as archive:
        kept = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" in name}
    encoding = "utf-8" if sys.version_info >= (3, 13) else locale.getencoding()  # as Python reads .pth
    write_wheel(wheel, {"__editable__.polhode.pth": f"{FOLDER}\n".encode(encoding), **kept})
