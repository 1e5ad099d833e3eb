"""Contestants in their own processes, each tuned to the required accuracy, then timed in turn."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from problems import PROBLEMS, apart, reference, shortened

__all__ = ["CONTESTANTS", "Worker", "in_turn", "raced", "started"]

CONTESTANTS = {
    "ours": ("polhode", "pip install -e ."),
    "c": ("C, one lane", "install gcc"),
    "mujoco": ("MuJoCo", "pip install mujoco"),
    "exudyn": ("Exudyn", "pip install exudyn"),
    "basilisk": ("Basilisk", "pip install bsk"),
    "drake": ("Drake", "pip install drake"),
    "control": ("python-control", "pip install control"),
    "scipy": ("scipy and numba", "pip install scipy numba"),
}
"""From the name of the file to that of the tool, and how to install it."""

PATIENCE = 300.0  # s, for one reply
LONGEST = 3.0  # s, of processor time: after a run of this length no finer setting is tried


class Worker:
    """A contestant's process, and its description of itself."""

    def __init__(self, name: str, python: str) -> None:
        """Start it."""
        script = Path(__file__).with_name("worker.py")
        single = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        self.name, self.python = name, python
        self.process = subprocess.Popen(
            [python, str(script), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=os.environ | single,
        )  # fmt: skip
        self.facts = self._answer()
        self.facts["end_MB"] = self.facts.get("peak_MB", 0.0)

    def _answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        if not ready:
            self.process.kill()
            return {"failed": f"no answer within {PATIENCE:g} s"}
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"failed": "the process ended", "missing": "the process ended"}

    def ask(self, problem: str, numbers: dict[str, Any], setting: dict[str, Any]) -> dict[str, Any]:
        """Simulate a problem once: its time and final state, or `failed`."""
        assert self.process.stdin is not None
        if self.process.poll() is not None:
            return {"failed": "the process ended"}
        asked = {"problem": problem, "numbers": numbers, "setting": setting}
        self.process.stdin.write(json.dumps(asked).encode() + b"\n")
        self.process.stdin.flush()
        found = self._answer()
        self.facts["end_MB"] = max(found.get("peak_MB", 0.0), self.facts["end_MB"])
        return found

    def stop(self) -> None:
        """End it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process.stdout.close()


def started(names: Sequence[str], pythons: Sequence[str]) -> tuple[dict[str, Worker], dict[str, str]]:
    """The contestants that are installed in one of the interpreters, and the reasons why others are not available."""
    found: dict[str, Worker] = {}
    missing: dict[str, str] = {}
    for name in names:
        for python in dict.fromkeys((sys.executable, *pythons)):
            worker = Worker(name, python)
            if "missing" not in worker.facts:
                found[name] = worker
                missing.pop(name, None)
                break
            missing.setdefault(name, worker.facts["missing"])
            worker.stop()
    return found, missing


def tuned(worker: Worker, problem: str, numbers: dict[str, Any], expected: Any, *, brief: bool) -> dict[str, Any]:
    """The fastest setting of a contestant that reaches the required accuracy, or its most accurate one."""
    tried: list[dict[str, Any]] = []
    failures: list[str] = []
    for method, ladder in worker.facts["problems"][problem].items():
        for setting in ladder:
            answer = worker.ask(problem, numbers, setting)
            if "failed" in answer:
                failures.append(f"{method}: {answer['failed']}")
                break
            error = apart(answer["found"], expected)
            row = {"method": method, "setting": setting, "error": error, "processor_s": answer["processor_s"]}
            tried.append(row)
            if not error > numbers["target"] or answer["processor_s"] > LONGEST:
                break
        if brief and tried:
            break
    if not tried:
        return {"failed": "; ".join(failures)}
    right = [row for row in tried if row["error"] <= numbers["target"]]
    for row in right:  # the first setting also paid for the first run of the process
        row["processor_s"] = worker.ask(problem, numbers, row["setting"])["processor_s"]
    finite = [row for row in tried if np.isfinite(row["error"])]
    best = min(right, key=lambda row: row["processor_s"]) if right else min(finite, key=lambda row: row["error"])
    return {"contestant": worker.name, "problem": problem, **best, "reached": bool(right)}


def in_turn(calls: dict[str, tuple[Worker, str, dict[str, Any], dict[str, Any]]], repetitions: int) -> dict[str, Any]:
    """Minimum time of each contestant, run in turn; fewer repetitions of a long run."""
    least: dict[str, dict[str, Any]] = {}
    for n in range(repetitions):
        for name, (worker, problem, numbers, setting) in calls.items():
            if n >= 3 and least[name]["processor_s"] > 0.3 / n:
                continue
            answer = worker.ask(problem, numbers, setting)
            if "failed" in answer:
                raise RuntimeError(f"{name}: {answer['failed']}")
            times = {key: answer[key] for key in ("processor_s", "wall_s", "set_up_s", "peak_MB")}
            before = least.get(name, times)
            least[name] = {key: (max if key == "peak_MB" else min)(times[key], before[key]) for key in times}
            least[name]["found"] = answer["found"]
    return least


def raced(workers: dict[str, Worker], name: str, *, brief: bool, repetitions: int) -> list[dict[str, Any]]:
    """One problem: a row for each contestant that supports it, fastest first."""
    numbers = shortened(PROBLEMS[name]) if brief else PROBLEMS[name]
    expected = reference(name, numbers)
    rows: dict[str, dict[str, Any]] = {}
    for worker in workers.values():
        if name in worker.facts["problems"]:
            rows[worker.name] = tuned(worker, name, numbers, expected, brief=brief)
    flying = {key: row for key, row in rows.items() if "failed" not in row}
    calls = {key: (workers[key], name, numbers, row["setting"]) for key, row in flying.items()}
    for key, times in in_turn(calls, repetitions).items():
        rows[key] |= {what: value for what, value in times.items() if what != "found"}
    if "c" in flying:
        for row in flying.values():
            row["over_c"] = row["processor_s"] / rows["c"]["processor_s"]
    return sorted(rows.values(), key=lambda row: row.get("processor_s", 1e9))
