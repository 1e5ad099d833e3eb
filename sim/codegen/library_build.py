"""Build of the engine's library: translate the kernels to C and compile that for this machine.

`python -m polhode.sim.codegen.library_build FOLDER` is the command that the build backend of the package runs.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from ...plant.errors import InputError
from ..exchange.toolchain import EXACT, build
from .library_store import forget_sources, record_sources
from .library_text import library_text
from .library_variants import VARIANTS, library_name, machine

__all__ = ["FusedError", "build_digest", "build_library"]

OPTIONS = ("-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-fno-math-errno", "-fno-trapping-math")

_FUSED = re.compile(r"\b(vfn?m(add|sub)\w*|fn?m(add|sub|la|ls))\b")


class FusedError(InputError):
    """The compiler fused products with sums, so results would differ in their last digits."""


def build_digest(text: str) -> str:
    """Return the SHA-256 of a C text and of the compiler options for this machine."""
    return hashlib.sha256(repr((text, EXACT, OPTIONS, _variants())).encode()).hexdigest()


def _variants() -> dict[str, tuple[str, ...]]:
    """The options of each variant for this machine."""
    return VARIANTS.get(machine(), {"baseline": ()})


def build_library(folder: Path, *, text: str | None = None) -> list[Path]:
    """Compile every variant of the library for this machine into a folder, each file replaced whole.

    The record of the sources becomes empty before the first file is replaced: after a build that was killed halfway no
    record says that the files are current.

    folder: where the libraries go; made if it is missing. text: the C text if it is known, else it is written from the
    kernels. Returns the files. Raises InputError where there is no C compiler or it refuses, FusedError where it
    fused products with sums.
    """
    text = library_text() if text is None else text
    folder.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    with TemporaryDirectory(prefix=".build-", dir=folder) as temporary:
        source = Path(temporary, "engine.c")
        source.write_text(text, encoding="ascii")
        for variant, own in _variants().items():
            part = Path(temporary, library_name(variant))
            build([source], part, options=(*OPTIONS, *own))
            _refuse_fused(part)
            made.append(part)
        forget_sources(folder)
        return [part.replace(folder / part.name) for part in made]


def _refuse_fused(library: Path) -> None:
    """Look for fused products in machine code, where the machine has objdump."""
    objdump = shutil.which("objdump")
    if objdump is None:
        return
    done = subprocess.run([objdump, "-d", str(library)], capture_output=True, text=True, check=False)
    found = _FUSED.search(done.stdout) if done.returncode == 0 else None
    if found is not None:
        raise FusedError(
            f"the C compiler fused products with sums ({found.group()}) in {library.name}; use another one (CC)"
        )


def main() -> int:
    """Build the library into the folder of the command line, and record its sources there."""
    folder = Path(*sys.argv[1:])
    try:
        text = library_text()
        build_library(folder, text=text)
        record_sources(folder, build_digest(text))
    except InputError as error:
        print(f"polhode: {error}", file=sys.stderr)  # noqa: T201 # the same
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
