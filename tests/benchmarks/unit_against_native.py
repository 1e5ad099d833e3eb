"""A closed loop as an FMU against the native engine: nanoseconds per sample.

python tests/benchmarks/unit_against_native.py [--repetitions N] [--json]

The slew of `slew_against_c.py`, with one RK4 step and one communication step per sample. A host in C without Python
(`tests/sim/hosts/fmi/host.c`) steps the FMU, and FMPy, which also reads the attitude after each step. The final state
of the C host must equal that of the native run. Without a C compiler or FMPy the script says so and exits with 0.
"""

import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from asked import asked
from machine import machine
from slew_against_c import DURATION, SAMPLE, engine_call, problem

from polhode import sim

AGREE = 1e-12  # of the largest; usually bitwise equal, since the native engine contracts no products either
SAMPLES = round(DURATION / SAMPLE)
HOST = Path(__file__).parents[1] / "sim" / "hosts" / "fmi" / "host.c"
STATES = 1_000_000  # the value reference of the first state


def unpacked(folder: Path) -> tuple[Path, str]:
    """Library of the FMU and its token; the sources are in `unit/sources`."""
    from fmpy import extract, read_model_description

    craft, law, reference, x = problem()
    path = folder / "craft.fmu"
    flight = {"duration": DURATION, "integrator": "rk4", "step": SAMPLE, "reference": reference, "state": x}
    sim.export_fmu(craft, law, path=path, flight={**flight, "ledger": False})
    extract(str(path), unzipdir=str(folder / "unit"))
    (library,) = (folder / "unit" / "binaries").rglob("craft.*")
    return library, str(read_model_description(str(path)).guid)


def c_host(words: list[str], samples: int) -> tuple[float, list[float]]:
    """Processor time of a whole process, s, and its final states."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    line = [*words, "7", str(samples), repr(SAMPLE)]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return seconds, [float(line) for line in done.stdout.splitlines()]


def fmpy_host(folder: Path, token: str) -> float:
    """Time of the steps in FMPy, s."""
    from fmpy import fmi3

    slave = fmi3.FMU3Slave(guid=token, unzipDirectory=str(folder), modelIdentifier="craft", instanceName="one")
    slave.instantiate()
    slave.enterInitializationMode(startTime=0.0)
    slave.exitInitializationMode()
    attitude = [STATES + 3 + n for n in range(4)]
    began = time.process_time()
    for k in range(SAMPLES):
        slave.doStep(currentCommunicationPoint=k * SAMPLE, communicationStepSize=SAMPLE)
        slave.getFloat64(attitude)
    seconds = time.process_time() - began
    slave.freeInstance()
    return seconds


def compare(folder: Path, repetitions: int) -> dict[str, Any]:
    """Nanoseconds per sample of each, taken in turn, and the distance of the states."""
    library, token = unpacked(folder)
    command = shutil.which("gcc") or shutil.which("cc")
    assert command is not None
    host = folder / "host"
    subprocess.run([command, "-O2", HOST, f"-I{folder / 'unit' / 'sources'}", "-ldl", "-o", host], check=True)
    words = [str(host), str(library), token]
    ends = engine_call(ledger=False, steps=1)[1]
    found = np.array(c_host(words, SAMPLES)[1])
    apart = float(np.abs(found - ends[:7]).max() / np.abs(ends).max())
    many = 100 * SAMPLES  # the start of the process is negligible against this number
    best = {"native": np.inf, "C host": np.inf, "FMPy": np.inf}
    for _ in range(repetitions):
        best["native"] = min(best["native"], *(engine_call(ledger=False, steps=1)[0] / SAMPLES for _ in range(20)))
        best["C host"] = min(best["C host"], c_host(words, many)[0] / many)
        best["FMPy"] = min(best["FMPy"], fmpy_host(folder / "unit", token) / SAMPLES)
    return {
        "ns_a_sample": {name: 1e9 * seconds for name, seconds in best.items()},
        "ratio": {name: best[name] / best["native"] for name in ("C host", "FMPy")},
        "states_apart": apart,
    }


def main() -> int:
    """Print the comparison."""
    options = asked(__doc__, repetitions=20)
    if find_spec("fmpy") is None:
        print("skipped: FMPy is not installed; pip install 'polhode[fmi]'")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        found: dict[str, Any] = {"machine": machine(), **compare(Path(folder), options.repetitions)}
    if options.json:
        print(json.dumps(found))
    else:
        for name, each in found["ns_a_sample"].items():
            print(f"{name:8s} {each:8.0f} ns a sample, {found['ratio'].get(name, 1.0):.2f} of the native engine")
        print(f"states apart by {found['states_apart']:.1e}")
    return 0 if found["states_apart"] <= AGREE else 1


if __name__ == "__main__":
    sys.exit(main())
