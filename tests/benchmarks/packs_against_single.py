"""Batches in vector registers against the same runs one by one: processor time of a run, and their ratio.

python tests/benchmarks/packs_against_single.py [--runs N] [--repetitions N] [--plant NAME ...] [--json]

Both ways are taken in turn within one process, and the least of some repetitions counts. `whole` is `simulate_batch` on
one thread: building, simulating, observables. `engine` is the compiled advance alone. The states of both must be equal
to the bit. A ratio of 1 means that the kind of run has no vector code on this machine.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import numpy as np
from machine import machine

from polhode import controllers, plant, sim
from polhode.controllers.sensing.estimators import MEKF
from polhode.controllers.sensing.sensors import RateGyro, StarTracker
from polhode.sim.engine import packs
from polhode.sim.engine.batch import Batch

__all__ = ["compared"]

INERTIA = np.array(((6.0, 0.1, 0.2), (0.1, 5.0, 0.3), (0.2, 0.3, 4.0)))
AXES = ((1, 1, 1), (-1, 1, 1), (-1, -1, 1), (1, -1, 1))


def ring(s: float) -> Any:
    """Return a ring damper whose friction and mass are scaled by s."""
    return plant.RingDamper(axis=(0, 0, 1), mass=0.05 * s, radius=0.5, friction=0.2 * s, fill=2.0, center=(0, 0, 0.3))


def pendulum(s: float) -> Any:
    """Return a planar pendulum whose mass is scaled by s."""
    return plant.Pendulum(
        hinge=(0, 0, 0.2), length=0.3, mass=2.0 * s, direction=(0, 0, -1), axis=(1, 0, 0),
        stiffness=1.5, damping=0.05, angle=0.2,
    )  # fmt: skip


def wheels(s: float) -> Any:
    """Return four wheels with limits whose rates are scaled by s."""
    rates = [100.0 * s, -50.0 * s, 20.0 * s, 30.0 * s]
    return plant.wheel_array(axes=AXES, inertia=0.002, relative_rates=rates, torque_limit=0.02, speed_limit=180.0)


PLANTS: dict[str, Callable[[float], list[Any]]] = {
    "wheels": wheels,
    "ring": lambda s: [ring(s)],
    "pendulum": lambda s: [pendulum(s)],
    "wheels, ring and pendulum": lambda s: [*wheels(s), ring(s), pendulum(s)],
    "filter": lambda s: [],
    "wheels and filter": wheels,
}
SENSORS = ("wheels and filter", "filter")
"""Plants that a gyro, a star tracker and a filter observe."""


def filtered() -> list[Any]:
    """Return a gyro and a star tracker at 10 Hz, 0.2 s late, and a MEKF."""
    gyro = RateGyro(angle_random_walk=3e-6, rate_random_walk=4e-9, bias=1e-5).block(sample=0.1)
    tracker = StarTracker(noise=4e-5, roll_noise=3e-4, delay=0.2)
    fixes = tracker.block(sample=0.1)
    mekf = MEKF(angle_random_walk=3e-6, rate_random_walk=4e-9, gate=0.9999)
    start = {"attitude": (1, 0, 0, 0), "attitude_sigma": 1e-3, "bias_sigma": 1e-5}
    return [gyro, fixes, mekf.block(gyro, [(tracker, fixes)], **start)]


LAW = controllers.QuaternionFeedback(inertia=INERTIA, stiffness=0.4, damping=2.0, sample=0.1)
SETTINGS: dict[str, dict[str, Any]] = {
    "dop853": {"law": None},
    "dop853, law": {"law": LAW},
    "rk4, law": {"law": LAW, "integrator": "rk4", "step": 0.05},
}


def compared(name: str, setting: str, *, runs: int, repetitions: int) -> dict[str, Any]:
    """Return a row: microseconds of processor time of a run in packs and one by one, and ratios."""
    rng = np.random.default_rng(1)
    sizes = 1.0 + 0.1 * rng.random(runs)
    crafts = [plant.Spacecraft(plant.RigidBody(s * INERTIA, mass=10.0 * s), elements=PLANTS[name](s)) for s in sizes]
    given: dict[str, Any] = {"duration": 20.0, "output_step": 0.5, "workers": 1}
    given["rate"] = (0.001 if name in SENSORS else 0.3) * rng.standard_normal((runs, 3))
    if name in SENSORS:
        given |= {"blocks": filtered(), "seed": 1}
    best = {"packs": [np.inf, np.inf], "single": [np.inf, np.inf]}
    states: dict[str, bytes] = {}
    for _ in range(repetitions + 1):
        for way, least in best.items():
            with ExitStack() as stack:
                if way == "single":
                    stack.enter_context(patch.object(packs, "simd_width", lambda: 0))
                spent, advance = [0.0], Batch.advance

                def timed(self: Any, *arguments: Any, spent: Any = spent, advance: Any = advance) -> Any:
                    start = time.process_time()
                    codes = advance(self, *arguments)
                    spent[0] += time.process_time() - start
                    return codes

                stack.enter_context(patch.object(Batch, "advance", timed))
                start = time.process_time()
                found = sim.simulate_batch(crafts, **given, **SETTINGS[setting])
                whole = time.process_time() - start
            states[way] = found.states.tobytes()
            least[:] = [min(least[0], whole), min(least[1], spent[0])]
    assert states["packs"] == states["single"]
    micro = {way: [1e6 * each / runs for each in least] for way, least in best.items()}
    return {
        "plant": name,
        "setting": setting,
        "whole_us": {way: each[0] for way, each in micro.items()},
        "engine_us": {way: each[1] for way, each in micro.items()},
        "whole_ratio": micro["single"][0] / micro["packs"][0],
        "engine_ratio": micro["single"][1] / micro["packs"][1],
    }


def main() -> int:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=128)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--plant", choices=list(PLANTS), nargs="+", default=list(PLANTS))
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    rows = [
        compared(name, setting, runs=arguments.runs, repetitions=arguments.repetitions)
        for name in arguments.plant
        for setting in (SETTINGS if name not in SENSORS else ("rk4, law",))
    ]
    if arguments.json:
        sys.stdout.write(json.dumps({"machine": machine(), "width": packs.simd_width(), "rows": rows}) + "\n")
        return 0
    sys.stdout.write("\n".join(f"{key}: {value}" for key, value in machine().items()) + "\n")
    sys.stdout.write(f"runs in a vector: {packs.simd_width()}\n\n")
    sys.stdout.write(f"{'us of processor time a run':40} {'one by one':>16} {'in packs':>16} {'ratio':>12}\n")
    sys.stdout.write(f"{'':40} " + f"{'whole':>8}{'engine':>8} " * 2 + f"{'whole':>6}{'engine':>7}\n")
    for row in rows:
        numbers = "".join(f"{row['whole_us'][way]:8.0f}{row['engine_us'][way]:8.0f} " for way in ("single", "packs"))
        title = f"{row['plant']}, {row['setting']}"
        sys.stdout.write(f"{title:40} {numbers}{row['whole_ratio']:6.2f}{row['engine_ratio']:7.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
