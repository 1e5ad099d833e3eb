"""Build of the engine's WebAssembly module: the C text of the library, compiled by zig for web pages.

The build of a wheel runs `python -m polhode.sim.codegen.browser.module_build FOLDER`.
"""

import hashlib
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from ....plant.errors import InputError, SaveError
from ..library_record import clear_record, present_sources, write_record
from ..library_text import exported_names, library_text
from ..toolchain import EXACT, NEUTRAL, compile_by_zig, require_zig

MODULE = "engine.wasm"
TARGET = "wasm32-wasi"
OPTIONS = ("-mexec-model=reactor", "-O2", "-fvisibility=hidden", "-fno-math-errno", "-fno-trapping-math", "-s")
LINKED = ("-Wl,--gc-sections", "-Wl,--export-table", "-Wl,--growable-table")
"""Linker options: a page can add kernels to the function table; unused functions are removed."""

MAGIC = b"\0asm\1\0\0\0"


def module_digest(text: str) -> str:
    """Return the SHA-256 of a C text and of the compiler options."""
    return hashlib.sha256(repr((text, NEUTRAL, EXACT, OPTIONS, LINKED)).encode()).hexdigest()


def build_module(folder: Path, *, text: str | None = None) -> Path:
    """Compile the module into a folder, replacing it atomically, and return its file.

    The source record is emptied before the file is replaced, as for the library.

    folder: destination of the module, created if missing. text: the C text; None to generate it from the kernels.
    Raises InputError when the package ziglang is not installed, or the compilation fails.
    """
    require_zig()
    text = library_text(simd=False) if text is None else text
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".build-", dir=folder, ignore_cleanup_errors=True) as temporary:
        source, part = Path(temporary, "engine.c"), Path(temporary, MODULE)
        source.write_text(text, encoding="ascii")
        exports = [f"-Wl,--export={name}" for name in exported_names(text)]
        compile_by_zig(TARGET, source, part, options=(*NEUTRAL, *EXACT, *OPTIONS, *LINKED, *exports))
        if part.read_bytes()[: len(MAGIC)] != MAGIC:
            raise InputError("zig wrote no WebAssembly module")
        clear_record(folder)
        return part.replace(folder / MODULE)


def main() -> int:
    """Build the module into the folder given on the command line, and record its sources there."""
    folder = Path(*sys.argv[1:])
    try:
        sources, text = present_sources(), library_text(simd=False)
        path = build_module(folder, text=text)
        write_record(folder, build=module_digest(text), sources=sources, files=[path])
    except (InputError, SaveError, OSError) as error:
        print(f"polhode: {error}", file=sys.stderr)  # noqa: T201 # the build backend passes it on
        return 1
    print(f"the engine for pages has {path.stat().st_size} bytes")  # noqa: T201 # the build backend passes it on
    return 0


if __name__ == "__main__":
    sys.exit(main())
