"""The run of the tests with AddressSanitizer detects an access beyond an array of the engine into the next one."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[3] / ".ci"
SCRIPT = """\
import sys
import sanitized_engine
from polhode import plant, sim
from polhode.sim.engine import arena

of_run = arena.Arena.table


def table(self, functions):
    found, at = of_run(self, functions), self.pattern.functions
    for name, cut in self.pattern.cuts.items():
        if name == sys.argv[1]:
            self._whole[at + 1] = cut.shape[0] + 1
        at += 1 + len(cut.shape)
    return found


arena.Arena.table = table
craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
sim.simulate(craft, rate=(0.1, 0.2, 0.3), duration=1.0, integrator="rk4", step=0.05, output_times=[1.0])
print("completed")
"""


@pytest.fixture(scope="module")
def sanitize():
    spec = importlib.util.spec_from_file_location("sanitize", CI / "sanitize.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or shutil.which("gcc") is None, reason="needs gcc on Linux")
def test_sanitizer_reports_an_array_that_is_exceeded(sanitize, tmp_path):
    built = Path(os.environ.get("POLHODE_SANITIZED_FOLDER", tmp_path))  # .ci/run has built it
    sanitize.build(built)
    ends = {}
    for name in ("x", "none of them"):
        command = [sys.executable, "-c", SCRIPT, name]
        ends[name] = subprocess.run(
            command, env=sanitize.environment(built), capture_output=True, text=True, check=False, cwd=CI.parent
        )
    assert ends["none of them"].stdout.strip() == "completed", ends["none of them"].stderr
    assert ends["x"].returncode != 0
    assert "use-after-poison" in ends["x"].stderr
