"""C compilers for a build: the compiler of this machine if it works, otherwise zig if it is available."""

import os
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["ZIG", "chosen", "working", "zig_is_obtainable"]

ZIG = "ziglang>=0.13"
NAMES = ("cc", "gcc", "clang")
LIMIT_S = 60.0
PROGRAM = "#include <math.h>\n#include <string.h>\ndouble f(double x) { return sin(x); }\n"


def working() -> tuple[str, ...] | None:
    """Return the first command of CC, cc, gcc and clang that can compile a library; None if none can.

    An installed compiler may lack the headers of the C library, or be a stub that only prompts for an installation.
    """
    own = tuple(shlex.split(os.environ.get("CC", "")))
    commands = [own, *((name,) for name in NAMES)]
    return next((each for each in commands if each and shutil.which(each[0]) and _compiles(each)), None)


def _compiles(command: tuple[str, ...]) -> bool:
    with TemporaryDirectory() as folder:
        source = Path(folder, "trial.c")
        source.write_text(PROGRAM, encoding="ascii")
        return _succeeds([*command, "-shared", "-fPIC", str(source), "-o", str(Path(folder, "trial.so")), "-lm"])


def chosen() -> dict[str, str]:
    """Return the environment variable CC with the compiler for a build; empty if there is no compiler."""
    command = working()
    if command is None and find_spec("ziglang") is not None:
        command = (sys.executable, "-m", "ziglang", "cc")
    return {} if command is None else {"CC": shlex.join(command)}


def zig_is_obtainable() -> bool:
    """Return whether pip or uv finds ziglang, in the network or among wheels in their configuration.

    pip and uv run outside the build environment, with the user's settings. If neither is installed, zig is assumed to
    be available, and the installer reports an error if it is not.
    """
    if find_spec("ziglang") is not None:
        return True
    pip = [sys.executable, "-I", "-m", "pip"]
    if _succeeds([*pip, "--version"]):
        options = ["--retries", "0", "--timeout", "15", "--only-binary", ":all:"]
        return _succeeds([*pip, "index", "versions", "ziglang", *options])
    uv = shutil.which("uv")
    if uv is None:
        return True
    with TemporaryDirectory() as folder:
        return _succeeds([uv, "pip", "install", "--dry-run", "--no-deps", "--target", folder, ZIG])


def _succeeds(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=LIMIT_S)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
