"""Campaigns of slews: sim.campaign, C with one run and eight runs at a time, MuJoCo's rollout; also on threads."""

import os
from typing import Any

import numpy as np
from problems import PROBLEMS, apart

__all__ = ["campaign", "drawn_by"]

SLEW = {key: PROBLEMS["slew"][key] for key in ("inertia", "attitude", "rate", "sample")}
GIVEN: dict[str, Any] = SLEW | {"limit": 1.0, "at": [300.0]}


def drawn_by(found: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The problem with the inertias, rates and gain of sim.campaign, for contestants that draw no random numbers."""
    columns = found["dispersed"]
    inertia = np.array([columns[f"inertia[{i}, {j}]"] for i in range(3) for j in range(3)]).T.reshape(-1, 3, 3)
    rate = np.array([columns[f"rate[{n}]"] for n in range(3)]).T
    return given | {"inertias": inertia.tolist(), "rates": rate.tolist(), "gain": found["gain"]}


def halfway(workers: dict[str, Any], name: str, setting: dict[str, Any], middle: dict[str, Any]) -> float:
    """Largest distance of some runs from those of sim.campaign, at the given time."""
    few = {"runs": 8 + 1}  # one pack of lanes, and one run of the next pack
    ours = workers["ours"].ask("campaign", middle, few)["found"]
    theirs = workers[name].ask("campaign", middle if name == "ours" else drawn_by(ours, middle), setting | few)["found"]
    return apart(theirs["ends"] if name == "ours" else theirs, ours["ends"])


def campaign(workers: dict[str, Any], *, brief: bool) -> list[dict[str, Any]]:
    """One row for each way to simulate the same runs.

    `apart` is the distance from sim.campaign in the middle of the slew: at its end all runs are at rest, right or
    wrong.
    """
    given = GIVEN | {"at": [1.0]} if brief else GIVEN
    middle = GIVEN | {"at": [30.0]}
    few, many, most = (8, 24, 48) if brief else (200, 2000, 20_000)
    cores = os.cpu_count() or 1
    if "ours" not in workers:
        return []
    ours = workers["ours"]
    first = ours.ask("campaign", given, {"runs": many})
    if "failed" in first:
        return [{"who": "polhode", "failed": first["failed"]}]
    drawn = drawn_by(first["found"], given)
    ways: list[tuple[str, str, dict[str, Any]]] = [
        ("polhode, sim.campaign", "ours", {"runs": most}),
        (f"polhode, {cores} threads", "ours", {"runs": most, "workers": cores}),
        ("C, one lane", "c", {"runs": many, "lanes": 1}),
        ("C, 8 lanes", "c", {"runs": many, "lanes": 8}),
        ("MuJoCo, rollout", "mujoco", {"runs": few, "threads": 1}),
        ("MuJoCo, rollout, as many threads as cores", "mujoco", {"runs": few, "threads": cores}),
    ]
    rows: list[dict[str, Any]] = []
    for who, name, setting in ways:
        if name not in workers:
            continue
        answers = [workers[name].ask("campaign", given if name == "ours" else drawn, setting) for _ in range(2)]
        if "failed" in answers[-1]:
            rows.append({"who": who, "failed": answers[-1]["failed"]})
            continue
        best = {key: min(answer[key] for answer in answers) for key in ("processor_s", "wall_s")}
        runs = setting["runs"]
        rows.append(
            {"who": who, "runs": runs, **best, "peak_MB": answers[-1]["peak_MB"]}
            | {f"runs_a_{key}": runs / best[key] for key in best}
            | {"apart": halfway(workers, name, setting, middle)}
        )
    return rows
