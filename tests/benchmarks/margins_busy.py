"""Margins of a loop on an idle machine, and with processes that use all cores.

python tests/benchmarks/margins_busy.py [--neighbours N] [--repetitions N] [--json]

Both are measured in turn, once per repetition, and their medians are compared. Processor time shows the cost of the
other processes beyond their share of the cores; wall time is compared with the fair share of all computing processes.
The minimum of the wall time is no reference if others use the machine too: the load is printed.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from typing import Any

from machine import machine

from polhode import controllers, plant

__all__ = ["margins_busy"]

BUSY = "while True: pass"


def timed(law: Any) -> tuple[float, float]:
    """Wall and processor time of the margins, s."""
    wall, processor = time.perf_counter(), time.process_time()
    law.margins()
    return time.perf_counter() - wall, time.process_time() - processor


def margins_busy(*, neighbours: int, repetitions: int) -> dict[str, Any]:
    """Medians of both, and their ratios."""
    craft = plant.Spacecraft(
        plant.RigidBody([[400, 12, -8], [12, 307.8, 15], [-8, 15, 200]]),
        elements=[plant.RingDamper(axis=(0, 0, 1), mass=2.0, radius=0.8, friction=0.1)],
    )
    model = craft.linearize(craft.at_rest())
    noise = {"torque_noise": 1e-4, "attitude_noise": 1e-4, "rate_noise": 1e-5}
    law = controllers.lqg(model, attitude=25.0, rate=1.0, effort=1.0, sample=0.1, delay=0.05, **noise)
    law.margins()
    times: dict[str, list[tuple[float, float]]] = {"quiet": [], "busy": []}
    for _ in range(repetitions):
        times["quiet"].append(timed(law))
        beside = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(neighbours)]
        try:
            time.sleep(0.2)
            times["busy"].append(timed(law))
        finally:
            for process in beside:
                process.kill()
                process.wait()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    found: dict[str, Any] = {
        f"{when}_{what}_s": statistics.median(each[n] for each in those)
        for when, those in times.items()
        for n, what in enumerate(("wall", "processor"))
    }
    share = max(1.0, (1 + neighbours) / cores)
    wall = found["busy_wall_s"] / found["quiet_wall_s"]
    return found | {
        "neighbours": neighbours,
        "cores": cores,
        "load_before": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "fair_share": share,
        "processor_ratio": found["busy_processor_s"] / found["quiet_processor_s"],
        "wall_ratio": wall,
        "wall_over_fair_share": wall / share,
    }


def main() -> int:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neighbours", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    found = {"machine": machine(), **margins_busy(neighbours=options.neighbours, repetitions=options.repetitions)}
    if options.json:
        print(json.dumps(found))
        return 0
    for name, value in found.items():
        print(f"{name}: {value:.4g}" if isinstance(value, float) else f"{name}: {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
