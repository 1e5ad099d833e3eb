"""C compilers for a build: the one of this machine if it works, else zig if it can be had."""

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
    """Return the command of the first C compiler that makes a library: that of CC, cc, gcc or clang; None without.

    A compiler may be there without the headers of its library, or as a stub that asks for an installation.
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
    """Return the environment that names the compiler of a build: CC; empty where there is none."""
    command = working()
    if command is None and find_spec("ziglang") is not None:
        command = (sys.executable, "-m", "ziglang", "cc")
    return {} if command is None else {"CC": shlex.join(command)}


def zig_is_obtainable() -> bool:
    """Return whether pip or uv finds ziglang here: with a network, or among the wheels they are pointed to.

    They are asked outside the environment of the build, with the settings of the user. Without both, zig is taken to be
    obtainable, and whatever installs reports if it is not.
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
