"""Cost of a right-hand side with elements, against C written by hand for that plant: RK4, nothing else.

python tests/benchmarks/elements_against_c.py [--repetitions N] [--json]

A body, a body with a ring damper, a body with four wheels and six flexible modes. Both programs are called in turn in
this process, and the minimum over many calls counts. Without a C compiler the script says so and exits with 0.
"""

import ctypes
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from asked import asked
from machine import machine

from polhode import plant
from polhode.controllers import FixedReference
from polhode.plant.hub.packing import mass_matrix
from polhode.sim import Scheme
from polhode.sim.engine.loop import Loop

STEPS = 2000
H = 0.005  # s
AGREE = 1e-11  # of the largest momentum; 8,000 evaluations added up in different orders
INERTIA = np.array(((4.0, 0.06, -0.05), (0.06, 3.1, 0.04), (-0.05, 0.04, 2.0)))
FRICTION = (0.01, 0.02, 0.03, 0.04)  # N m s/rad
AXES = ((1, 1, 1), (1, -1, 1), (-1, 1, 1), (-1, -1, 1))
FREQUENCIES = np.array((1.1, 1.7, 2.9, 4.3, 6.1, 8.3))  # rad/s
RING: dict[str, Any] = {
    "axis": (0, 0, 1),
    "mass": 0.3,
    "radius": 0.5,
    "friction": 0.2,
    "center": (0, 0, 0.3),
    "fill": 2.0,
}


def crafts() -> dict[str, plant.Spacecraft]:
    """The three plants."""
    wheels = [
        plant.Wheel(axis=axis, inertia=0.05, friction=friction, relative_rate=20.0 * friction)
        for axis, friction in zip(AXES, FRICTION, strict=True)
    ]
    rotation = np.random.default_rng(1).normal(scale=0.3, size=(3, 6))
    modes = plant.FlexibleModes(
        frequencies=FREQUENCIES, damping_ratios=0.01, rotation=rotation, displacements=0.1, rates=0.2
    )
    body = plant.RigidBody(INERTIA)
    held = plant.RigidBody(INERTIA, pivot=(0, 0, 0))
    return {
        "body": plant.Spacecraft(body),
        "ring": plant.Spacecraft(held, elements=[plant.RingDamper(**RING, angle=0.4, relative_rate=1.0)]),
        "wheels_and_modes": plant.Spacecraft(body, elements=[*wheels, modes]),
    }


def numbers(name: str, craft: plant.Spacecraft) -> Any:
    """Input of the C program for that plant."""
    if name == "body":
        return np.linalg.inv(INERTIA).ravel()
    if name == "ring":
        m, r, fill = RING["mass"], RING["radius"], RING["fill"]
        rho = r * np.sin(fill / 2) / (fill / 2)
        return np.array([*INERTIA.ravel(), m, r, 0.3, rho, np.sin(fill) / fill, RING["friction"] * r**2])
    whole = mass_matrix(craft, craft.pack(), craft.initial_coordinates)
    springs = np.array([FREQUENCIES**2, 2 * 0.01 * FREQUENCIES]).T
    return np.concatenate([np.linalg.inv(whole).ravel(), FRICTION, springs.ravel()])


def build(folder: Path) -> Any:
    """The C program as a loaded library."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None
    library, source = folder / "elements.so", Path(__file__).with_name("elements.c")
    subprocess.run([compiler, "-O3", "-shared", "-fPIC", source, "-o", library, "-lm"], check=True)
    return ctypes.CDLL(str(library))


def engine_call(craft: plant.Spacecraft, x: Any) -> tuple[float, Any]:
    """Time of one engine call for all steps, s, and its final state."""
    duration = STEPS * H
    loop = Loop(
        craft, x, None, FixedReference(), pulses=(), scheme=Scheme("rk4", step=H), duration=duration,
        times=np.array([duration]), ledger=False, compiled=True, max_steps=10**9, pose_limit=1e-4,
    )  # fmt: skip
    loop.advance(0)  # its table of addresses is created, 45 us
    began = time.perf_counter()
    loop.advance(10**9)
    return time.perf_counter() - began, loop.arrays.x


def c_call(function: Any, start: Any, q: Any) -> tuple[float, Any]:
    """Time and final state of the C program."""
    x = start.copy()
    began = time.perf_counter()
    function(ctypes.c_long(STEPS), ctypes.c_double(H), ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(q.ctypes.data))
    return time.perf_counter() - began, x


def compare(library: Any, name: str, craft: plant.Spacecraft, *, repetitions: int) -> dict[str, Any]:
    """Minimum and median time of a right-hand side in both, run in turn, and the distance of the final states."""
    x = craft.state(attitude=(0.8, 0.4, 0.2, -0.4), rate=(0.3, -0.2, 0.8))
    q = np.ascontiguousarray(numbers(name, craft), dtype=np.float64)
    calls = {"engine": lambda: engine_call(craft, x), "gcc -O3": lambda: c_call(getattr(library, f"{name}_run"), x, q)}
    times: dict[str, list[float]] = {call: [] for call in calls}
    states: dict[str, Any] = {}
    for _ in range(repetitions):
        for call, function in calls.items():
            seconds, states[call] = function()
            times[call].append(seconds)
    each = 1e9 / (4 * STEPS)
    best = {call: each * min(seconds) for call, seconds in times.items()}
    ends = states["engine"]
    return {
        "plant": name,
        "states": len(x),
        "best_ns": best,
        "median_ns": {call: each * statistics.median(seconds) for call, seconds in times.items()},
        "ratio_of_best": best["engine"] / best["gcc -O3"],
        "states_apart": float(np.abs(states["gcc -O3"] - ends).max() / np.abs(ends).max()),
    }


def main() -> int:
    """Print the comparison."""
    options = asked(__doc__, repetitions=200)
    with tempfile.TemporaryDirectory() as folder:
        library = build(Path(folder))
        rows = [compare(library, name, craft, repetitions=options.repetitions) for name, craft in crafts().items()]
    if options.json:
        print(json.dumps({"machine": machine(), "rows": rows}))
    else:
        for name, value in machine().items():
            print(f"{name}: {value}")
        print(f"\n{STEPS} RK4 steps, four right-hand sides each; ns for one of them, with its share of the step\n")
        for row in rows:
            engine, c = row["best_ns"]["engine"], row["best_ns"]["gcc -O3"]
            print(f"  {row['plant']:18s} {row['states']:3d} states  engine {engine:7.1f}  gcc -O3 {c:7.1f}", end="")
            print(f"  ratio {row['ratio_of_best']:.2f}; final states apart by {row['states_apart']:.1e}")
    return 0 if all(row["states_apart"] <= AGREE for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
