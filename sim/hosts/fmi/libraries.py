"""Compiled libraries of an FMU, by this machine's own compiler or, for other machines, by zig."""

import platform
import sys
from collections.abc import Sequence

from ....plant.checks import choice
from ....plant.errors import InputError
from ...codegen.toolchain import build, build_for, c_compiler, require_zig
from ..process.scratch_folder import scratch_folder
from .model_c import Model, headers

PLATFORMS: dict[str, tuple[str, str, str]] = {
    "x86_64-linux": ("x86_64-linux-gnu.2.17", ".so", "linux64"),
    "aarch64-linux": ("aarch64-linux-gnu.2.17", ".so", ""),
    "x86_64-windows": ("x86_64-windows-gnu", ".dll", "win64"),
    "x86_64-darwin": ("x86_64-macos.11.0", ".dylib", "darwin64"),
    "aarch64-darwin": ("aarch64-macos.11.0", ".dylib", ""),
}
"""Target of zig (with oldest system), file extension and FMI 2.0 name, by FMI 3.0 platform name."""

_MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
_SYSTEMS = {"linux": "linux", "darwin": "darwin", "win32": "windows"}


def require_platforms(platforms: Sequence[str], *, fmi: int) -> None:
    """Raise InputError if a platform is unknown or has no name in FMI 2.0, or zig is not installed."""
    for each in platforms:
        choice("platform", each, tuple(PLATFORMS))
        if fmi == 2 and not PLATFORMS[each][2]:
            raise InputError(f"FMI 2.0 has no name for {each}; export as FMI 3.0, or omit the platform")
    if platforms:
        require_zig()


def libraries(model: Model, *, fmi: int, identifier: str, platforms: Sequence[str]) -> dict[str, bytes]:
    """Return compiled libraries by their paths in the archive.

    platforms: requested platforms, by FMI 3.0 name. If empty, this machine's library is compiled, provided that the
    machine has a compiler and a platform name. Raises InputError as in `require_platforms`, and when a compilation
    fails.
    """
    require_platforms(platforms, fmi=fmi)
    own = f"{_MACHINES.get(platform.machine().lower(), '')}-{_SYSTEMS.get(sys.platform, '')}"
    wanted = list(dict.fromkeys(platforms))
    if not wanted and own in PLATFORMS and c_compiler() is not None and (fmi == 3 or PLATFORMS[own][2]):
        wanted = [own]
    found: dict[str, bytes] = {}
    with scratch_folder() as work:
        for file, text in {**headers(), "fmu.c": model.text}.items():
            (work / file).write_text(text, encoding="utf-8")
        for each in wanted:
            target, suffix, second = PLATFORMS[each]
            out = work / f"{identifier}{suffix}"
            if platforms:
                build_for(target, work / "fmu.c", out)
            else:
                build([work / "fmu.c"], out, options=("-O2", "-fvisibility=hidden", "-shared", "-fPIC"))
            found[f"binaries/{each if fmi == 3 else second}/{out.name}"] = out.read_bytes()
    return found
