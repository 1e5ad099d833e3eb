"""Memory and open files of a process that calls the same function repeatedly."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BOUND = 3000  # kB of growth: less than the rows of the runs here
SCRIPT = """
import gc, json, os, sys
from polhode import controllers, plant, sim
from polhode.scenarios import run_case

craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.7, sample=0.1)
settings = {"duration": 1.0, "integrator": "rk4", "step": 0.1}
run = sim.simulate(craft, law, rate=(0.1, 0, 0), **settings)

def save_and_load():
    run.save("run.nc")
    sim.load("run.nc")

entries = {
    "save and load": save_and_load,
    "run_case": lambda: run_case("slew-lqr", overrides=["run.duration_s=2"]),
    "simulate_batch": lambda: sim.simulate_batch(craft, law, rate=[(0.1, 0, 0)] * 8, **settings),
}
entry, warm_up, calls = entries[sys.argv[1]], int(sys.argv[2]), int(sys.argv[3])

def measure():
    gc.collect()
    pages = int(open("/proc/self/statm").read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024, len(os.listdir("/proc/self/fd"))

for _ in range(warm_up):
    entry()
before = measure()
for _ in range(calls):
    entry()
print(json.dumps([before, measure()]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")
@pytest.mark.parametrize(("entry", "calls"), [("save and load", 60), ("run_case", 300), ("simulate_batch", 300)])
def test_repeated_calls_keep_memory_and_open_files(entry, calls, tmp_path):
    words = [sys.executable, "-c", SCRIPT, entry, str(calls // 3), str(calls)]
    said = subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, text=True, timeout=300).stdout
    (memory, files), (memory_after, files_after) = json.loads(said)
    assert files_after == files
    assert memory_after - memory < BOUND
