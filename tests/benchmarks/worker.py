"""Process of one contestant: a line of JSON in, a line of JSON out. It needs only the library of the contestant.

python tests/benchmarks/worker.py NAME

The race starts it with any interpreter that has the contestant's library; polhode need not be installed there.
"""

import gc
import importlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

NAME = sys.argv[1]
TURNS = 8  # in immediate succession, so that other processes do not empty the cache of a short run
ENOUGH = 0.2  # s, divided by the number of rounds


def peak_MB() -> float:
    """Largest resident memory of this process so far."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if "VmHWM" in line) / 1024
    resource = importlib.import_module("resource")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 1024)


def answer(contestant: Any, asked: dict[str, Any]) -> dict[str, Any]:
    """Set up the problem, simulate it, and return the minimum time: over several rounds if they are short."""
    least: dict[str, float] = {}
    found, spent = None, 0.0
    for turn in range(TURNS):
        began = time.process_time()
        fly = contestant.PROBLEMS[asked["problem"]](asked["numbers"], **asked["setting"])
        ready = time.process_time()
        gc.collect()
        gc.disable()
        wall, processor = time.perf_counter(), time.process_time()
        found = fly()
        processor, wall = time.process_time() - processor, time.perf_counter() - wall
        gc.enable()
        taken = {"set_up_s": ready - began, "processor_s": processor, "wall_s": wall}
        least = {key: min(taken[key], least.get(key, taken[key])) for key in taken}
        spent += processor
        if spent > ENOUGH / (turn + 1):  # only a short run needs a second round
            break
    read = found() if callable(found) else found  # reading a finished run is not timed
    return {**least, "found": read, "peak_MB": peak_MB()}


def main() -> None:
    """Serve until the input ends."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # output of a library goes to stderr: among the replies it would be noise

    def say(what: dict[str, Any]) -> None:
        out.write(json.dumps(what) + "\n")
        out.flush()

    began, before = time.process_time(), peak_MB()
    try:
        contestant = importlib.import_module(f"contestants.{NAME}")
    except ImportError as error:
        say({"missing": str(error)})
        return
    taken = time.process_time() - began
    facts = {"version": contestant.version(), "how": contestant.HOW, "problems": contestant.LADDERS}
    if hasattr(contestant, "COMPILED_S"):
        facts["compiled_s"] = contestant.COMPILED_S
    say(facts | {"import_s": taken, "bare_MB": before, "peak_MB": peak_MB()})
    for line in sys.stdin:
        try:
            say(answer(contestant, json.loads(line)))
        except Exception as error:  # noqa: BLE001  (whatever a library raises is its answer)
            say({"failed": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main()
