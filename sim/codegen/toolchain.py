"""Detection of the machine's C compiler, and options that keep results bitwise identical to the kernels'."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from ...plant.errors import InputError
from ..hosts.process.children import end_child, start_child

EXACT = ("-std=c99", "-ffp-contract=off")
"""Options that forbid FMA contraction, so that results are bitwise identical to those of the engine."""

GCC_ONLY = ("-fno-tree-slp-vectorize",)
"""Option for gcc, which fuses products with sums in spite of EXACT when it vectorises scalars."""

NEUTRAL = (
    "-fno-fast-math",
    "-fno-unsafe-math-optimizations",
    "-fno-associative-math",
    "-fno-reciprocal-math",
    "-fno-finite-math-only",
    "-fsigned-zeros",
)
"""Options that cancel options set in CC, such as -ffast-math; they follow the contents of CC."""

LIMIT_S = 600.0
ANSWER_S = 60.0
"""Time limit for a compiler to print its version, s."""


def c_compiler() -> tuple[str, ...] | None:
    """Return the command of a C compiler: CC, else cc, gcc, clang or tcc, else ziglang's, else None."""
    chosen = shlex.split(os.environ.get("CC", ""))
    if chosen and shutil.which(chosen[0]):
        return tuple(chosen)
    found = next((path for name in ("cc", "gcc", "clang", "tcc") if (path := shutil.which(name))), None)
    if found is None and find_spec("ziglang") is not None:
        return (sys.executable, "-m", "ziglang", "cc")
    return None if found is None else (found,)


def require_compiler() -> tuple[str, ...]:
    """Return the command of a C compiler. Raises InputError when there is none."""
    command = c_compiler()
    if command is None:
        raise InputError("no C compiler was found (cc, gcc, clang, or the one that CC names); install one")
    return command


def build(sources: Sequence[Path], out: Path, *, options: Sequence[str] = ("-O2", "-shared", "-fPIC")) -> str:
    """Compile sources into one file and return the output of the compiler.

    options: compiler options in gcc's spelling; processor options (-march) are rewritten for zig. Raises InputError
    when the machine has no compiler, or the compilation fails.
    """
    command = require_compiler()
    line = [*command, *NEUTRAL, *EXACT, *options_for(command, options), *map(str, sources), "-o", str(out), "-lm"]
    return _done(line, sources[0])


def options_for(command: Sequence[str], options: Sequence[str]) -> list[str]:
    """Return options in the spelling of a given compiler.

    zig compiles for the processor of this machine unless a different one is stated, spells x86-64-v4 as x86_64_v4, and
    keeps debug information unless it is stripped.
    """
    if not _is_zig(command):
        return [*(GCC_ONLY if _is_gcc(tuple(command)) else ()), *options]
    named = [each.removeprefix("-march=") for each in options if each.startswith("-march=")]
    others = [each for each in options if not each.startswith(("-march=", "-fno-tree-", "-ftree-"))]
    return [f"-mcpu={(named or ['baseline'])[-1].replace('-', '_')}", "-s", *others]


def _is_zig(command: Sequence[str]) -> bool:
    """Return whether a command calls zig: "zig cc" or "python -m ziglang cc", after any prefix."""
    return "cc" in command and any(Path(each).stem.removeprefix("python-") in {"zig", "ziglang"} for each in command)


def require_zig() -> None:
    """Raise InputError when the package ziglang is not installed."""
    if find_spec("ziglang") is None:
        raise InputError("libraries for other machines are compiled by zig; pip install 'polhode[cross]' brings it")


def build_for(target: str, source: Path, out: Path) -> str:
    """Compile a library for a different machine with zig's C compiler, and return the compiler's output.

    target: in zig's spelling. Raises InputError when the package ziglang is not installed, or the compilation fails.
    """
    options = [*EXACT, "-O2", "-fvisibility=hidden", "-shared", "-fPIC", "-s"]
    options += [f"-Wl,-install_name,@rpath/{out.name}"] if "macos" in target else []
    return compile_by_zig(target, source, out, options=options)


def compile_by_zig(target: str, source: Path, out: Path, *, options: Sequence[str]) -> str:
    """Compile a source for a zig target with the given options, and return the output of the compiler.

    Raises InputError when the package ziglang is not installed, or the compilation fails.
    """
    require_zig()
    line = [sys.executable, "-m", "ziglang", "cc", "-target", target, *options, str(source), "-o", str(out), "-lm"]
    return _done(line, source)


def _name(command: Sequence[str]) -> str:
    return "zig" if _is_zig(command) else Path(command[0]).name


def _done(line: Sequence[str], source: Path) -> str:
    try:
        process = start_child(line, stderr=subprocess.PIPE)
    except OSError as error:
        raise InputError(f"{_name(line)}, the C compiler, cannot be started: {error.strerror}") from None
    try:
        _, answer = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        raise InputError(f"{source.name}: {_name(line)} took more than {LIMIT_S:g} s to compile it") from None
    finally:
        end_child(process)
        if process.stderr is not None:
            process.stderr.close()
    text = answer.decode(errors="replace")
    if process.returncode:
        first = next((each for each in text.splitlines() if "error" in each), text[:200])
        raise InputError(f"{source.name} cannot be compiled by {_name(line)}: {first}")
    return text


def _is_gcc(command: tuple[str, ...]) -> bool:
    """Return whether a command is really gcc: clang installed as gcc would warn about gcc's own options."""
    return "clang" not in compiler_version(command)


@cache
def compiler_version(command: tuple[str, ...]) -> str:
    """Return what a compiler prints for --version.

    Raises InputError when the compiler cannot be started or does not reply in time.
    """
    name = _name(command)
    try:
        done = subprocess.run(
            [*command, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=ANSWER_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"{name}, the C compiler, did not print its version within {ANSWER_S:g} s") from None
    except OSError as error:
        raise InputError(f"{name}, the C compiler, cannot be started: {error.strerror}") from None
    return done.stdout
