"""Build of the engine's library: translate the kernels to C and compile that for this machine.

`python -m polhode.sim.codegen.library_build FOLDER` is the command that the build backend of the package runs.
"""

import hashlib
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from ...plant.errors import InputError, SaveError
from ..exchange.toolchain import EXACT, build
from .fusion_check import refuse_fused
from .library_record import clear_record, present_sources, write_record
from .library_text import library_text
from .library_variants import VARIANTS, library_name, machine, runs_here

__all__ = ["build_digest", "build_library", "checks_in_words"]

OPTIONS = ("-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-fno-math-errno", "-fno-trapping-math")

UNFINISHED = ".build-"
"""Prefix of the folders in which libraries are built."""

HOUR_S = 3600.0


def build_digest(text: str) -> str:
    """Return the SHA-256 of a C text and of the compiler options for this machine."""
    return hashlib.sha256(repr((text, EXACT, OPTIONS, _variants())).encode()).hexdigest()


def _variants() -> dict[str, tuple[str, ...]]:
    """The options of each variant for this machine."""
    return VARIANTS.get(machine(), {"baseline": ()})


def build_library(folder: Path, *, text: str | None = None) -> dict[Path, str]:
    """Compile every variant of the library for this machine into a folder, each file replaced whole.

    The record of the sources becomes empty before the first file is replaced: after a build that was killed halfway no
    record says that the files are current.

    folder: where the libraries go; made if it is missing. text: the C text if it is known, else it is written from the
    kernels. Returns the files, each with how it was checked for fused products. Raises InputError where there is no C
    compiler or it refuses, FusedError where it fused products with sums.
    """
    text = library_text() if text is None else text
    folder.mkdir(parents=True, exist_ok=True)
    _tidy(folder)
    checks: dict[Path, str] = {}
    with TemporaryDirectory(prefix=UNFINISHED, dir=folder, ignore_cleanup_errors=True) as temporary:
        source = Path(temporary, "engine.c")
        source.write_text(text, encoding="ascii")
        for variant, own in _variants().items():
            part = Path(temporary, library_name(variant))
            build([source], part, options=(*OPTIONS, *own))
            checks[part] = refuse_fused(part, runs_here=runs_here(variant))
        clear_record(folder)
        return {part.replace(folder / part.name): check for part, check in checks.items()}


def _tidy(folder: Path) -> None:
    """Remove the unfinished builds of processes that were killed over an hour ago."""
    for part in folder.glob(f"{UNFINISHED}*"):
        with suppress(OSError):
            if part.stat().st_mtime < time.time() - HOUR_S:
                shutil.rmtree(part, ignore_errors=True)


def checks_in_words(files: dict[Path, str]) -> str:
    """Return one sentence on how the files of a build were checked."""
    return "checked for fused products: " + "; ".join(f"{path.name} {check}" for path, check in files.items())


def main() -> int:
    """Build the library into the folder of the command line, and record its sources there."""
    folder = Path(*sys.argv[1:])
    try:
        sources, text = present_sources(), library_text()
        files = build_library(folder, text=text)
        write_record(folder, build=build_digest(text), sources=sources, files=files)
    except (InputError, SaveError, OSError) as error:
        print(f"polhode: {error}", file=sys.stderr)  # noqa: T201 # the same
        return 1
    print(checks_in_words(files))  # noqa: T201 # the build backend passes it on
    return 0


if __name__ == "__main__":
    sys.exit(main())
