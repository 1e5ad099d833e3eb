"""Run the commands of users and the tests at the lowest versions that pyproject.toml admits, and at the newest.

python .ci/versions.py [--python 3.11 3.13] [--at lowest newest] [--tests tests/sim ...]
                       [--commands-only] [--folder DIR]

Each combination gets an environment, a cache and a log of its own in a temporary folder, or in DIR. Lowest are the
direct dependencies, as wheels (the lowest that has one for this Python); what they bring along is new and tells them
that they are out of date, so deprecations count at the newest only. Needs uv (`pip install uv`). A Python that is not
on this machine is named and left out. Prints the versions, the commands that failed and pytest's last line of each
combination; exit code 1 if anything failed in one.
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

COMMANDS = [  # each reaches libraries that the others do not; exit code 1 is a requirement that the case does not meet
    "run slew-lqr --out run",
    "run run/run.nc",
    "run star-tracker-pointing",
    "design slew-lqr --out design",
    "linearize flexible-slew --json",
    "analyse slew-lqr",
    *(f"campaign slew-dispersed --runs 16 --plan {plan}" for plan in ("random", "latin-hypercube", "sobol")),
    "campaign slew-dispersed --runs 48 --plan saltelli",
    "campaign slew-dispersed --worst disk_margin_inputs",
    "export slew-lqr --law law.c",
    "fmu slew-lqr -o slew.fmu",
    "convert run/run.nc -o attitude.aem --epoch 2026-03-20T12:00:00",
    "schema",
    "verify --documents",
]


def said(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run and listen."""
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def failed_commands(python: Path, folder: Path, environment: dict[str, str]) -> list[str]:
    """Run COMMANDS one after the other in an empty folder and return the last line of each that failed."""
    failed: list[str] = []
    folder.mkdir(parents=True, exist_ok=True)
    for command in COMMANDS:
        words = (python, "-m", "polhode", *command.split())
        done = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        if done.returncode not in {0, 1} or "Traceback" in done.stderr:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            failed.append(f"polhode {command}: exit code {done.returncode}: {last}")
    return failed


def run(python: str, at: str, tests: list[str], folder: Path) -> tuple[bool, str]:
    """Install one combination, run the commands and the tests; return whether all passed, and the summary."""
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
    environment = os.environ | {"POLHODE_CACHE_DIR": str(place / "cache"), "MPLBACKEND": "Agg"}
    failures = failed_commands(inside, place / "commands", environment)
    if not tests:
        return not failures, "\n    ".join([versions, *failures, f"{len(COMMANDS) - len(failures)} commands passed"])
    lenient = ("-W", "ignore::DeprecationWarning") if at == "lowest" else ()
    words = (inside, "-m", "pytest", "-q", "-n", "auto", *lenient, *tests)
    log = folder / f"{place.name}.log"
    with log.open("w", encoding="utf-8") as file:  # to be read while it grows
        code = subprocess.run(words, cwd=ROOT, env=environment, stdout=file, stderr=file, check=False).returncode
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines() or ["pytest said nothing"]
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    summary = [versions, *failures, *(failed or lines[-4:-1] * (code != 0)), lines[-1]]
    return code == 0 and not failures, "\n    ".join(summary)


def main() -> int:
    """Print what every combination did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--python", nargs="+", default=PYTHONS, metavar="VERSION|PATH", help=f"default: {' '.join(PYTHONS)}"
    )
    parser.add_argument("--at", nargs="+", default=list(RESOLUTION), choices=RESOLUTION)
    parser.add_argument("--tests", nargs="+", default=["tests"], metavar="PATH", help="what pytest is given")
    parser.add_argument("--commands-only", action="store_true", help="run the commands of users and no tests")
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
                well, words = run(python, at, [] if options.commands_only else options.tests, folder.resolve())
                print(f"{python} {at}: {'' if well else 'FAILED '}{words}", flush=True)
                passed = passed and well
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
