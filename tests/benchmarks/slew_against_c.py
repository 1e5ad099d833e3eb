"""The engine against a C program with the same steps: 300 s slew, 10 Hz sampled law, RK4.

python tests/benchmarks/slew_against_c.py [--repetitions N] [--json]

Both are called in turn in this process, and the minimum over many calls counts, so that other work on the machine has
little influence on the ratio. Without a C compiler the script says so and exits with 0.
"""

import ctypes
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from asked import asked
from machine import machine

from polhode import controllers, plant
from polhode.sim import Scheme
from polhode.sim.engine.loop import Loop

SAMPLE = 0.1  # s
DURATION = 300.0  # s
AGREE = 1e-12  # relative; both add in a different order, 15,000 steps of round-off at 1e-16 each
FLAGS = {"-O3": ["-O3"], "-O3 -march=native": ["-O3", "-march=native"]}


def build(folder: Path, flags: list[str]) -> Any:
    """The C program as a loaded library."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None
    library = folder / f"slew{'-'.join(flags)}.so"
    source = Path(__file__).with_name("slew.c")
    subprocess.run([compiler, *flags, "-shared", "-fPIC", source, "-o", library, "-lm"], check=True)
    function = ctypes.CDLL(str(library)).slew
    counts = (ctypes.c_int, ctypes.c_int, ctypes.c_long, ctypes.c_int)
    function.argtypes = [*counts, ctypes.c_double, *[ctypes.c_void_p] * 6]
    function.restype = None
    return function


@cache
def problem() -> tuple[Any, Any, Any, Any]:
    """Spacecraft, law, reference and start: an inertia with products, a full gain, a slew that saturates.

    Every call returns the same objects, so that nothing is designed between two timed calls.
    """
    inertia = ((400.0, 6.0, -5.0), (6.0, 307.8, 4.0), (-5.0, 4.0, 200.0))
    craft = plant.Spacecraft(plant.RigidBody(inertia), torques=plant.TorqueBasis("body", limit=1.0))
    reference = controllers.FixedReference((0.6, 0.0, 0.8, 0.0))
    model = craft.linearize(craft.at_rest(reference.attitude))
    law = controllers.lqr(model, attitude=25.0, rate=1.0, effort=1.0, sample=SAMPLE)
    return craft, law, reference, craft.state(attitude=(0.8, 0.4, 0.2, -0.4), rate=(0.001, -0.002, 0.003))


def engine_call(*, ledger: bool, steps: int) -> tuple[float, Any]:
    """Time of one engine call for the whole run, s, and its final state."""
    craft, law, reference, x = problem()
    loop = Loop(
        craft, x, law, reference, pulses=(), scheme=Scheme("rk4", step=SAMPLE / steps), duration=DURATION,
        times=np.array([DURATION]), ledger=ledger, compiled=True, max_steps=10**9, pose_limit=1e-4,
    )  # fmt: skip
    loop.advance(0)  # its table of addresses is created, 45 us
    began = time.perf_counter()
    loop.advance(10**9)
    return time.perf_counter() - began, loop.arrays.x


def on_rates(law: Any, inertia: Any) -> Any:
    """Gain (3, 6) on twice the vector part and on the rate; that of a law is on the momentum."""
    return np.hstack([law.gain[:, :3], law.gain[:, 3:] @ inertia])


def c_call(function: Any, *, ledger: bool, steps: int) -> tuple[float, Any]:
    """Time and final state of the C program."""
    craft, law, reference, start = problem()
    inertia = craft.body.inertia
    x = np.concatenate([start, np.zeros(4 if ledger else 0)])
    arrays = (reference.at(0.0), inertia.ravel(), np.linalg.inv(inertia).ravel(), on_rates(law, inertia).ravel())
    rows = [np.array(row) for row in (*arrays, craft.torques.limits())]
    addresses = [row.ctypes.data for row in (x, *rows)]
    samples = round(DURATION / SAMPLE)
    began = time.perf_counter()
    function(int(ledger), 0, samples, steps, SAMPLE / steps, *addresses)
    return time.perf_counter() - began, x


def compare(functions: dict[str, Any], *, ledger: bool, steps: int, repetitions: int) -> dict[str, Any]:
    """Minimum and median time of both, run in turn, s, and the distance of their final states."""
    calls = {"engine": lambda: engine_call(ledger=ledger, steps=steps)}
    for name, function in functions.items():
        calls[f"gcc {name}"] = lambda function=function: c_call(function, ledger=ledger, steps=steps)
    times: dict[str, list[float]] = {name: [] for name in calls}
    states: dict[str, Any] = {}
    for _ in range(repetitions):
        for name, call in calls.items():
            seconds, states[name] = call()
            times[name].append(seconds)
    ends = states["engine"]
    apart = max(
        float(np.abs(state / np.abs(ends).max() - ends / np.abs(ends).max()).max()) for state in states.values()
    )
    best = {name: min(seconds) for name, seconds in times.items()}
    return {
        "steps_per_sample": steps,
        "ledger": ledger,
        "best_us": {name: 1e6 * seconds for name, seconds in best.items()},
        "median_us": {name: 1e6 * statistics.median(seconds) for name, seconds in times.items()},
        "ratio_of_best": best["engine"] / best["gcc -O3"],
        "states_apart": apart,
    }


def main() -> int:
    """Print the comparison."""
    options = asked(__doc__, repetitions=300)
    with tempfile.TemporaryDirectory() as folder:
        functions = {name: build(Path(folder), flags) for name, flags in FLAGS.items()}
        began = time.perf_counter()
        engine_call(ledger=False, steps=1)
        ready = time.perf_counter() - began
        rows = [
            compare(functions, ledger=ledger, steps=steps, repetitions=options.repetitions)
            for ledger in (False, True)
            for steps in (1, 5)
        ]
    found = {"machine": machine(), "engine_ready_s": ready, "rows": rows}
    if options.json:
        print(json.dumps(found))
    else:
        for name, value in found["machine"].items():
            print(f"{name}: {value}")
        print(f"engine loaded or compiled in {ready:.2f} s; {DURATION:g} s at {1 / SAMPLE:g} Hz\n")
        for row in rows:
            print(f"{row['steps_per_sample']} RK4 steps a sample, ledger {'on' if row['ledger'] else 'off'}:")
            for name, best in row["best_us"].items():
                steps = DURATION / SAMPLE * row["steps_per_sample"]
                median, each = row["median_us"][name], best / steps * 1e3
                print(f"  {name:22s} best {best:8.1f} us  median {median:8.1f} us  {each:6.1f} ns/step")
            print(f"  engine / gcc -O3: {row['ratio_of_best']:.2f}; final states apart by {row['states_apart']:.1e}\n")
    return 0 if all(row["states_apart"] <= AGREE for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
