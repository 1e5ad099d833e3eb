"""Build of the engine's library: translates the kernels to C and compiles them for this machine.

The build backend of the package runs `python -m polhode.sim.codegen.library_build FOLDER`.
"""

import hashlib
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

from ...plant.errors import InputError, SaveError
from .fusion_check import refuse_fused
from .library_record import Sources, clear_record, is_whole, present_sources, read_record, write_record
from .library_text import DUAL_NUMBER, REAL_OR_DUAL, TANGENTS, library_text
from .library_variants import VARIANTS, best_variant, library_name, machine, runs_here, tangents_of
from .toolchain import EXACT, build, c_compiler, compiler_version, require_compiler

OPTIONS = ("-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-fno-math-errno", "-fno-trapping-math")

UNFINISHED = ".build-"
"""Prefix of the folders in which libraries are built."""

HOUR_S = 3600.0

TANGENT_OPTIONS = (
    *("-x", "c++", "-std=c++17", "-fno-exceptions", "-fno-rtti", "-O1", "-fno-tree-vectorize", "-Wno-psabi"),
    f"-D{TANGENTS}",
)
"""Compiler options of a variant with tangents: the same C text, as C++ with dual numbers in place of doubles."""

TRIAL = f"{REAL_OR_DUAL}\nreal f(real x) {{ return x * x; }}\n"

AT_ONCE = 3
"""Number of variants that are compiled in parallel, which are all of them; each compiler takes some 200 MB."""


def build_digest(text: str) -> str:
    """Return the SHA-256 of a C text and of the compiler options for this machine."""
    return hashlib.sha256(repr((text, _dual_number(), EXACT, OPTIONS, variants_here())).encode()).hexdigest()


def _dual_number() -> str:
    return Path(__file__).with_name(DUAL_NUMBER).read_text(encoding="ascii")


def variants_here() -> dict[str, tuple[str, ...]]:
    """Return the compiler options of each variant that is built here.

    These are the baseline, which a copy on another processor can run, and the fastest variant for this processor if
    the compiler has its options (gcc has those of x86-64-v3 and -v4 since release 11). If the compiler also compiles
    C++, the fastest variant with tangents follows.
    """
    options = VARIANTS.get(machine(), {"baseline": ()})
    found = {
        variant: each
        for variant, each in options.items()
        if variant == "baseline" or (variant == best_variant() and _accepts(c_compiler(), each))
    }
    fastest, of_fastest = list(found.items())[-1]
    with_tangents = (*of_fastest, *TANGENT_OPTIONS)
    if _accepts(c_compiler(), with_tangents):
        found[tangents_of(fastest)] = with_tangents
    return found


@cache
def _accepts(compiler: tuple[str, ...] | None, options: tuple[str, ...]) -> bool:
    """Return whether a C compiler compiles a trivial library with the options; with tangents, of the dual number."""
    if compiler is None:
        return False
    with TemporaryDirectory() as folder:
        source = Path(folder, "trial.c")
        source.write_text(TRIAL, encoding="ascii")
        source.with_name(DUAL_NUMBER).write_text(_dual_number(), encoding="ascii")
        try:
            build([source], Path(folder, "trial.so"), options=(*OPTIONS, *options))
        except InputError:
            return False
    return True


def compiler_digest() -> str:
    """Return the SHA-256 of the compiler's command and version. Raises InputError when there is no C compiler."""
    command = require_compiler()
    return hashlib.sha256(repr((command, compiler_version(command))).encode()).hexdigest()


def kept_libraries(folder: Path, sources: Sources) -> list[Path]:
    """Return a folder's libraries if all are intact and from this compiler and these sources; else none.

    The digest of the sources covers the compiler options, which are part of the sources.
    """
    record = read_record(folder)
    if record.get("sources") != sources.digest or record.get("compiler") != compiler_digest():
        return []
    libraries = [folder / library_name(variant) for variant in variants_here()]
    return libraries if all(is_whole(path) for path in libraries) else []


def build_library(folder: Path, *, text: str | None = None) -> dict[Path, str]:
    """Compile the variants of the library for this processor into a folder, replacing each file atomically.

    The source record is emptied before the first file is replaced, so that a build killed halfway leaves no record that
    declares the files current. Variants of earlier builds, whose kernels are those of old sources, are removed.

    folder: destination of the libraries, created if missing. text: the C text; None to generate it from the kernels.
    Returns the files, each with a description of its check for FMA contractions. Raises InputError when there is no C
    compiler or the compilation fails, FusedError when the compiler fused products with sums.
    """
    text = library_text() if text is None else text
    folder.mkdir(parents=True, exist_ok=True)
    _tidy(folder)
    with TemporaryDirectory(prefix=UNFINISHED, dir=folder, ignore_cleanup_errors=True) as temporary:
        source = Path(temporary, "engine.c")
        source.write_text(text, encoding="ascii")
        source.with_name(DUAL_NUMBER).write_text(_dual_number(), encoding="ascii")
        with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:  # each thread waits for a compiler process
            checks = dict(pool.map(partial(_built, source), variants_here()))
        clear_record(folder)
        files = {part.replace(folder / part.name): check for part, check in checks.items()}
        for old in set(folder.glob(library_name("*"))) - set(files):
            with suppress(OSError):  # loaded by a process on Windows; a file without record is not loaded again
                old.unlink()
        return files


def _built(source: Path, variant: str) -> tuple[Path, str]:
    """Compile a variant into its source's folder, and return the file and the description of its check."""
    part = source.with_name(library_name(variant))
    build([source], part, options=(*OPTIONS, *variants_here()[variant]))
    return part, refuse_fused(part, runs_here=runs_here(variant))  # a variant with tangents is checked when loaded


def _tidy(folder: Path) -> None:
    """Remove the unfinished builds of processes that were killed over an hour ago."""
    for part in folder.glob(f"{UNFINISHED}*"):
        with suppress(OSError):
            if part.stat().st_mtime < time.time() - HOUR_S:
                shutil.rmtree(part, ignore_errors=True)


def checks_in_words(files: dict[Path, str]) -> str:
    """Return one sentence that says how the files of a build were checked."""
    return "checked for fused products: " + "; ".join(f"{path.name} {check}" for path, check in files.items())


def main() -> int:
    """Build the library into the folder given on the command line, and record its sources there.

    A library that the same compiler built from the same sources is kept, so reinstallation takes a second.
    """
    folder = Path(*sys.argv[1:])
    try:
        sources = present_sources()
        if kept := kept_libraries(folder, sources):
            words = f"kept, with its sources and compiler unchanged: {', '.join(path.name for path in kept)}"
        else:
            text = library_text()
            files = build_library(folder, text=text)
            compiler = compiler_digest()
            write_record(folder, build=build_digest(text), sources=sources, files=files, compiler=compiler)
            words = f"compiled, {checks_in_words(files)}"
    except (InputError, SaveError, OSError) as error:
        print(f"polhode: {error}", file=sys.stderr)  # noqa: T201 # the build backend passes it on
        return 1
    print(words)  # noqa: T201 # the build backend passes it on
    return 0


if __name__ == "__main__":
    sys.exit(main())
