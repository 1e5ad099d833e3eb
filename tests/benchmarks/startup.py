"""Whole-process times of the command line, cold and warm, beside the imports they are measured against.

python tests/benchmarks/startup.py [--repetitions N]

Cold is a cache folder with nothing compiled in it. Every row is the best of some runs, taken in turn.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

from machine import machine

RUN = "from polhode.scenarios.cli import main; main()"
ROWS = {
    "import numpy, numba": ["-c", "import numpy, numba"],
    "import control": ["-c", "import control"],
    "polhode --version": ["-c", RUN, "--version"],
    "polhode run torque-free --json": ["-c", RUN, "run", "torque-free", "--json"],
    "polhode run slew-lqr --json": ["-c", RUN, "run", "slew-lqr", "--json"],
}


def seconds(arguments: list[str], cache: str) -> float:
    """The time of one process, start to end."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"POLHODE_CACHE_DIR": cache},
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode())
    return time.perf_counter() - began


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=5)
    repetitions = parser.parse_args().repetitions
    for name, value in machine().items():
        print(f"{name}: {value}")
    with tempfile.TemporaryDirectory() as cache:
        cold = seconds(ROWS["polhode run torque-free --json"], cache)
        print(f"\npolhode run torque-free --json, nothing compiled yet: {cold:.1f} s")
        best = dict.fromkeys(ROWS, float("inf"))
        for _ in range(repetitions):
            for name, arguments in ROWS.items():
                best[name] = min(best[name], seconds(arguments, cache))
    for name, value in best.items():
        print(f"{name:32s} {value:6.2f} s")
    ratio = best["polhode run torque-free --json"] / best["import numpy, numba"]
    above = best["polhode run slew-lqr --json"] - best["import control"]
    print(f"torque-free / import numpy, numba: {ratio:.2f};  slew-lqr above import control: {above:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
