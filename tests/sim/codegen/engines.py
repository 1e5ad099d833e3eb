"""Runs of shipped cases by either engine, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

SCRIPT = """
import sys
import numpy as np
from polhode import scenarios

for case in sys.argv[2:]:
    run = scenarios.run_case(case).run
    rows = [run.x, run.observables, *(run.values(name) for name in run.names)]
    np.save(f"{sys.argv[1]}/{case}.npy", np.concatenate([np.asarray(each, float).ravel() for each in rows]))
"""


def rows_of(cases: list[str], folder: Path, *, engine: str) -> dict[str, np.ndarray]:
    """Run cases and return all their numbers; engine: "jit" or "library"."""
    folder.mkdir()
    environment = {**os.environ, "POLHODE_ENGINE": engine}
    command = [sys.executable, "-c", SCRIPT, str(folder), *cases]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return {case: np.load(folder / f"{case}.npy") for case in cases}
