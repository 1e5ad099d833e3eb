"""Run the tests at the lowest versions that pyproject.toml admits and at the newest, on every Python.

python .ci/versions.py [--python 3.11 3.13] [--at lowest newest] [--tests tests/sim ...]
                       [--folder DIR]

Each combination gets an environment, a cache and a log of its own in a temporary folder, or in DIR. Lowest are the
direct dependencies, as wheels (the lowest that has one for this Python); what they bring along is new and tells them
that they are out of date, so deprecations count at the newest only. Needs uv (`pip install uv`). A Python that is not
on this machine is named and left out. Prints the versions and pytest's last line of each combination; exit code 1 if
tests failed in one.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
DIRECT = [
    re.split(r"[\[<>=~!; ]", line, maxsplit=1)[0]
    for line in (*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"])
]
RESOLUTION = {"lowest": "lowest-direct", "newest": "highest"}


def said(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run and listen."""
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def run(python: str, at: str, tests: list[str], folder: Path) -> tuple[bool, str]:
    """Install and test one combination; whether it passed, and what there is to say of it."""
    place = folder / (re.sub(r"[^\w.]+", "-", python).strip("-") + f"-{at}")
    made = said("uv", "venv", "-q", "--clear", "-p", python, "--no-python-downloads", place)
    if made.returncode != 0:
        return True, "not run: uv finds no such Python here (give its path, if there is one)"
    inside = place / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    wheels = ("--only-binary", ":all:", "--no-binary", "polhode")
    words = ("uv", "pip", "install", "-q", "-p", inside, "--resolution", RESOLUTION[at], *wheels, "-e", ".[test]")
    installed = said(*words)
    if installed.returncode != 0:
        return False, f"cannot be installed:\n{installed.stderr}"
    listed = dict(line.split("==") for line in said("uv", "pip", "freeze", "-p", inside).stdout.split() if "==" in line)
    versions = " ".join(f"{name} {listed[name]}" for name in DIRECT if name in listed)
    lenient = ("-W", "ignore::DeprecationWarning") if at == "lowest" else ()
    words = (inside, "-m", "pytest", "-q", "-n", "auto", *lenient, *tests)
    environment = os.environ | {"POLHODE_CACHE_DIR": str(place / "cache"), "MPLBACKEND": "Agg"}
    log = folder / f"{place.name}.log"
    with log.open("w", encoding="utf-8") as file:  # to be read while it grows
        code = subprocess.run(words, cwd=ROOT, env=environment, stdout=file, stderr=file, check=False).returncode
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines() or ["pytest said nothing"]
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    return code == 0, "\n    ".join([versions, *(failed or lines[-4:-1] * (code != 0)), lines[-1]])


def main() -> int:
    """Print what every combination did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--python", nargs="+", default=PYTHONS, metavar="VERSION|PATH", help=f"default: {' '.join(PYTHONS)}"
    )
    parser.add_argument("--at", nargs="+", default=list(RESOLUTION), choices=RESOLUTION)
    parser.add_argument("--tests", nargs="+", default=["tests"], metavar="PATH", help="what pytest is given")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="keep environments, caches and logs here")
    options = parser.parse_args()
    if shutil.which("uv") is None:
        print("uv makes these environments and is not here: pip install uv", file=sys.stderr)
        return 2
    passed = True
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        for python in options.python:
            for at in options.at:
                well, words = run(python, at, options.tests, folder.resolve())
                print(f"{python} {at}: {'' if well else 'FAILED '}{words}", flush=True)
                passed = passed and well
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
