"""Flight code of every kind builds without a warning in gcc and clang, as C and as C++, with unchanged results."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from polhode import sim

from .exports import EXPORTS

WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Werror", "-O2", "-ffp-contract=off")
COMPILERS = {
    "gcc": ("gcc", "-std=c99"),
    "clang": ("clang", "-std=c99"),
    "g++": ("g++", "-x", "c++", "-std=c++11"),
    "clang++": ("clang++", "-x", "c++", "-std=c++11"),
}
ALL_KINDS = [pytest.param(name, marks=[] if name == "law lqi" else [pytest.mark.slow]) for name in EXPORTS]


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_flight_code_builds_without_warnings(kind: str, tmp_path: Path) -> None:
    maker, name = EXPORTS[kind]
    craft, law, flight, block = maker(name)
    sim.export_code(craft, law, path=tmp_path / "code.c", flight=flight, block=block, samples=20)
    present = {name: line for name, line in COMPILERS.items() if shutil.which(line[0])}
    if not present:
        pytest.skip("no C compiler on this machine")
    for compiler, line in present.items():
        built = subprocess.run(
            [*line, *WARNINGS, "code.c", "code_test.c", "-lm", "-o", "replay"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert built.returncode == 0, f"{compiler}: {built.stderr}"
        run = subprocess.run([str(tmp_path / "replay")], capture_output=True, text=True, check=False)
        assert (run.returncode, run.stdout) == (0, "code: 20 samples, bitwise identical\n"), compiler
