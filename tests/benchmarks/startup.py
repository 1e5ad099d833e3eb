"""Times of whole command-line processes, cold and warm, and the parts of a warm start.

python tests/benchmarks/startup.py [--repetitions N] [--cold N] [--json]

They are compared, in turn and in one session, with `python -c "import numpy, scipy.linalg"` and `python -c "import
control"`. The minimum of the repetitions counts. Cold starts have an empty cache folder. Every process keeps bytecode,
whatever the environment says: without it, compiling the source files takes a third of a start.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from machine import machine

POLHODE = "from polhode.scenarios.entry import main; main()"
WARM = {
    "python -c pass": ["-c", "pass"],
    'python -c "import numpy, scipy.linalg"': ["-c", "import numpy, scipy.linalg"],
    'python -c "import control"': ["-c", "import control"],
    "polhode run torque-free --json": ["-c", POLHODE, "run", "torque-free", "--json"],
    "polhode run slew-lqr --json": ["-c", POLHODE, "run", "slew-lqr", "--json"],
}
WATCHED = (
    "numpy",
    "scipy.linalg",
    "control",
    "pydantic",
    "typer",
    "rich",
    "polhode",
    "matplotlib",
)


def _with_bytecode() -> dict[str, str]:
    """Environment in which Python keeps bytecode, outside the folders of the sources."""
    told = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {"PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir(), "polhode-bytecode")), **told}


def seconds(arguments: list[str], *, cache: str | None = None) -> float:
    """Wall time of one process, s."""
    environment = _with_bytecode() | ({} if cache is None else {"POLHODE_CACHE_DIR": cache})
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)
    return time.perf_counter() - began


def imports(arguments: list[str]) -> dict[str, float]:
    """Import time of each watched package including its own imports, s, by `-X importtime`."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments],
        check=True,
        capture_output=True,
        text=True,
        env=_with_bytecode(),
    )
    found: dict[str, float] = {}
    for line in done.stderr.splitlines():
        match = re.fullmatch(r"import time:\s+\d+ \|\s+(\d+) \|(\s+)([\w.]+)", line)
        if match and match[3] in (*WATCHED, "polhode.scenarios.commands.cli"):
            found.setdefault(match[3], int(match[1]) * 1e-6)
    return found


def starts(*, repetitions: int, cold: int) -> dict[str, Any]:
    """Warm and cold starts, and the parts of a warm start."""
    for arguments in WARM.values():
        seconds(arguments)  # fills the disk cache
    warm: dict[str, list[float]] = {name: [] for name in WARM}
    for _ in range(repetitions):
        for name, arguments in WARM.items():
            warm[name].append(seconds(arguments))
    compiled: dict[str, list[float]] = {}
    for name in [name for name in WARM if name.startswith("polhode")]:
        for _ in range(cold):
            with tempfile.TemporaryDirectory() as folder:
                compiled.setdefault(name, []).append(seconds(WARM[name], cache=folder))
    best = {name: min(times) for name, times in warm.items()}
    free, slew = best["polhode run torque-free --json"], best["polhode run slew-lqr --json"]
    return {
        "warm_best_s": best,
        "cold_best_s": {name: min(times) for name, times in compiled.items()},
        "torque_free_over_scipy": free / best['python -c "import numpy, scipy.linalg"'],
        "slew_above_control_s": slew - best['python -c "import control"'],
        "imports_s": {name: imports(arguments) for name, arguments in WARM.items() if name.startswith("polhode")},
    }


def main() -> int:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--cold", type=int, default=1, help="how many cold starts to time")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    found = {"machine": machine(), **starts(repetitions=options.repetitions, cold=options.cold)}
    if options.json:
        print(json.dumps(found))
        return 0
    for name, value in found["machine"].items():
        print(f"{name}: {value}")
    print("\nwarm, best of", options.repetitions)
    for name, value in found["warm_best_s"].items():
        print(f"  {name:34s} {value:6.2f} s")
    for name, value in found["cold_best_s"].items():
        print(f"  {name:34s} {value:6.2f} s  cold")
    print(f"torque-free over numpy and scipy.linalg: {found['torque_free_over_scipy']:.2f}")
    print(f"slew-lqr above control: {found['slew_above_control_s']:+.2f} s")
    for name, times in found["imports_s"].items():
        print(
            f"{name}: imports, each with its own: " + ", ".join(f"{key} {value:.2f} s" for key, value in times.items())
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
