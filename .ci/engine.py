"""Check that wheels built here contain the compiled engine, and compile the variants that an installation leaves out.

python .ci/engine.py [WHEEL ...]

A wheel that was built where a C compiler works must contain the engine for this processor and be tagged for this
platform. Then the variants for other processors of this family, which users' installations compile, are compiled and
searched for products fused with sums. Ends with one sentence for each fault and exit code 1.
"""

import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from polhode.plant.errors import InputError
from polhode.sim.codegen.fusion_check import refuse_fused
from polhode.sim.codegen.library_build import OPTIONS, variants_here
from polhode.sim.codegen.library_text import library_text
from polhode.sim.codegen.library_variants import VARIANTS, best_variant, library_name, machine, runs_here
from polhode.sim.codegen.toolchain import build

IN_WHEEL = "polhode/sim/codegen/compiled"


def wheel_faults(wheel: Path) -> list[str]:
    """Return a sentence for each fault of the engine in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        present = set(archive.namelist())
    expected = [f"{IN_WHEEL}/{name}" for name in (*map(library_name, variants_here()), "sources.json")]
    faults = [f"{wheel.name} lacks {name}" for name in dict.fromkeys(expected) if name not in present]
    return [*faults, *([f"{wheel.name} is tagged for any platform"] if wheel.stem.endswith("-any") else [])]


def variant_faults() -> list[str]:
    """Return a sentence for each variant that the C compiler of this machine cannot compile without fused products."""
    others = {each: VARIANTS[machine()][each] for each in VARIANTS.get(machine(), {})}
    for built in ("baseline", best_variant()):
        others.pop(built, None)
    faults: list[str] = []
    with TemporaryDirectory() as folder:
        source = Path(folder, "engine.c")
        source.write_text(library_text(), encoding="ascii")
        for variant, options in others.items():
            library = source.with_name(library_name(variant))
            try:
                build([source], library, options=(*OPTIONS, *options))
                refuse_fused(library, runs_here=runs_here(variant))
            except InputError as error:
                faults.append(str(error))
    return faults


def main(arguments: Sequence[str]) -> int:
    """Check the wheels and compile the variants; return the exit code."""
    faults = [fault for wheel in arguments for fault in wheel_faults(Path(wheel))] + variant_faults()
    for fault in faults:
        print(f".ci/engine.py: {fault}", file=sys.stderr)  # read by people
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
