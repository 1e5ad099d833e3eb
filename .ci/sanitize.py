"""Run the engine with AddressSanitizer and UBSan: every shipped case, and the batteries of the tests.

python .ci/sanitize.py [--keep DIR] [PYTEST ARGUMENT ...]

The library and the functions of users are compiled with both sanitizers, which end the process at the first fault,
with a report. pytest then runs with the plugin `sanitized_engine`, by default on the shipped cases and on the batteries
of elements, laws, steppers, formulations and sensing. Needs gcc on Linux, whose libasan and libubsan are loaded before
Python.
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SANITIZED = [
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-recover=all",
    "-g1",
    "-fno-omit-frame-pointer",
]
BUILD = """\
import sys
from pathlib import Path
from polhode.sim.codegen.library_text import library_text
from polhode.sim.codegen.toolchain import build
source = Path(sys.argv[1]) / "engine.c"
source.write_text(library_text(), encoding="ascii")
build([source], Path(sys.argv[1]) / "engine.so", options=("-O1", "-shared", "-fPIC", "-fvisibility=hidden"))
"""
TESTS = [
    "tests/scenarios/test_cases.py",
    "tests/battery/elements",
    "tests/battery/steppers",
    "tests/battery/laws",
    "tests/battery/formulations",
    "tests/battery/companies",
    "tests/battery/sensing",
    "tests/sim/engine",
]


def main() -> int:
    """Build the library, run the tests on it and return pytest's exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, help="folder in which the library is kept, and found if it is there")
    given, tests = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (given.keep or Path(temporary)).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        run = environment(folder)
        build(folder)
        arguments = tests or [*TESTS, "-m", "slow or not slow", "-q"]
        command = [sys.executable, "-m", "pytest", "-p", "sanitized_engine", "-p", "no:randomly", *arguments]
        return subprocess.run(command, env=run, cwd=ROOT, check=False).returncode


def build(folder: Path) -> None:
    """Compile the library into a folder unless it is there."""
    if not (folder / "engine.so").exists():
        compiler = {"CC": environment(folder)["CC"]}
        subprocess.run([sys.executable, "-c", BUILD, str(folder)], check=True, env=os.environ | compiler, cwd=ROOT)


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a process that runs the sanitized library in a folder."""
    found = (
        subprocess.run(["gcc", f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    )
    return os.environ | {
        "CC": shlex.join(["gcc", *SANITIZED]),
        "LD_PRELOAD": " ".join(found),
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",  # leaks: Python frees nothing at its end
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "POLHODE_SANITIZED": str(folder / "engine.so"),
        "POLHODE_CACHE_DIR": str(folder / "functions of users"),
        "PYTHONPATH": os.pathsep.join([str(ROOT / ".ci"), os.environ.get("PYTHONPATH", "")]),
    }


if __name__ == "__main__":
    sys.exit(main())
