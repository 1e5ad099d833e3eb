"""Growth of cost with the runs of a campaign, the elements of a spacecraft, the nodes of an arm."""

from typing import Any

import numpy as np
from campaigns import GIVEN
from problems import PROBLEMS
from race import in_turn

__all__ = ["growth"]

WHEELS = {
    "ours": {"integrator": "rk4", "step": 0.05},
    "mujoco": {"step": 0.05},
    "basilisk": {"step": 0.05},
    "drake": {"method": "runge_kutta5", "step": 0.1},
}
"""Of the settings that reach 1e-7 or nearly so on four wheels, those at a fixed step."""


def with_wheels(count: int, *, until: float) -> dict[str, Any]:
    """The hub with any number of small wheels."""
    numbers = PROBLEMS["wheels"]
    angles = 2.0 * np.pi * np.arange(count) / max(count, 1)
    axes = np.stack([np.cos(angles), np.sin(angles), np.ones(count)], axis=1) / np.sqrt(2.0)
    small = {"axial": 0.2 / max(count, 4), "transverse": 0.12 / max(count, 4)}
    each = {"axes": axes.tolist(), "friction": [0.01] * count, "wheel_rates": [0.5] * count}
    return numbers | small | each | {"at": [until]}


def slope(counts: list[int], seconds: list[float]) -> float:
    """Exponent of the power law through the last two thirds of a curve."""
    first = len(counts) // 3
    return float(np.polyfit(np.log(counts[first:]), np.log(seconds[first:]), 1)[0])


def curve(worker: Any, problem: str, asked: list[tuple[int, dict[str, Any], dict[str, Any]]], repetitions: int) -> Any:
    """Processor time by count, and the slope of the last part of the curve."""
    calls = {str(count): (worker, problem, numbers, setting) for count, numbers, setting in asked}
    seconds = [row["processor_s"] for row in in_turn(calls, repetitions).values()]
    counts = [count for count, _, _ in asked]
    return {"counts": counts, "processor_s": seconds, "slope": slope(counts, seconds)}


def growth(workers: dict[str, Any], *, brief: bool) -> dict[str, Any]:
    """The curves, by growing quantity and contestant."""
    repetitions = 2 if brief else 5
    until = 1.0 if brief else 100.0
    counts = [1, 2] if brief else [1, 2, 4, 8, 16, 32]
    found: dict[str, Any] = {"wheels": {}, "nodes": {}, "runs": {}}
    for name, setting in WHEELS.items():
        if name in workers:
            asked = [(n, with_wheels(n, until=until), setting) for n in counts]
            found["wheels"][name] = curve(workers[name], "wheels", asked, repetitions)
    arm = PROBLEMS["arm"] | {"at": [0.1 if brief else 1.0]}
    for name, most in (("ours", 64), ("exudyn", 8)):
        if name in workers:
            nodes = [n for n in ((2, 4) if brief else (2, 4, 8, 16, 32, 64)) if n <= most]
            asked = [(n, arm, {"elements": n, "step": 2e-3}) for n in nodes]
            found["nodes"][name] = curve(workers[name], "arm", asked, min(repetitions, 3))
    if "ours" in workers:
        short = GIVEN | {"at": [1.0]} if brief else GIVEN
        runs = [4, 8] if brief else [30, 100, 300, 1000]
        asked = [(n, short, {"runs": n}) for n in runs]
        found["runs"]["ours"] = curve(workers["ours"], "campaign", asked, min(repetitions, 2))
    return found
