"""Runs per second of campaigns of cases on one core, in processor time, with the time outside the engine.

python tests/benchmarks/case_campaigns.py [--runs N] [--repetitions N] [--case NAME ...] [--json]

Each campaign disperses the inertia. `whole` is `run_campaign` with one worker, after a first campaign: drawing,
building, simulating, metrics, margins, warnings. `build`, `engine`, `metrics`, `margins` and `warnings` are these
stages of the same runs, evaluated in this order; a result that a later stage reuses counts for the earlier stage. The
minimum of several repetitions counts.
"""

import argparse
import copy
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from machine import machine

from polhode.scenarios.case.campaigns.case_campaign import run_campaign
from polhode.scenarios.case.campaigns.dispersions import dispersions_of
from polhode.scenarios.case.campaigns.flyer import CaseFlyer
from polhode.scenarios.case.loader import checked_case, load_case
from polhode.scenarios.case_run import measure_as, run_problems
from polhode.scenarios.report.margin_metrics import required_margins
from polhode.sim.runs.campaigns.draws import draws_of

__all__ = ["case_campaigns"]

INERTIA = "plant.inertia_kg_m2"
TENSOR = {"distribution": "inertia", "relative_sigma": 0.03, "axes_sigma_deg": 1.0}
MARGINS = [{"metric": name, "min": 0.0} for name in ("gain_margin_dB", "phase_margin_deg", "delay_margin_s")]
CASES: dict[str, tuple[str, dict[str, Any], list[dict[str, Any]]]] = {
    "four-wheel-pyramid": ("four-wheel-pyramid", {"relative_sigma": 0.03}, []),
    "four-wheel-pyramid, margins": ("four-wheel-pyramid", {"relative_sigma": 0.03}, MARGINS),
    "star-tracker-pointing": ("star-tracker-pointing", TENSOR, []),
}
"""Shipped case, dispersion of the inertia, and further requirements."""
TOGETHER = 32  # runs


def case_with(name: str, inertia: dict[str, Any], require: list[dict[str, Any]]) -> Any:
    """Return a shipped case with a dispersed inertia and more requirements."""
    document = copy.deepcopy(dict(load_case(name).document))
    document |= {"dispersions": {INERTIA: inertia}, "require": [*document.get("require", []), *require]}
    return checked_case(name, name, document)


def taken(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor time of a function, s, and its result."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def stages(loaded: Any, runs: int) -> dict[str, float]:
    """Return the processor time of each stage of a run, s."""
    flyer = CaseFlyer(loaded, dispersions_of(loaded.case))
    draw = draws_of(flyer.dispersions, (), plan="random", runs=runs, seed=1)
    total: dict[str, float] = dict.fromkeys(("build", "engine", "metrics", "margins", "warnings"), 0.0)
    for first in range(-TOGETHER, runs, TOGETHER):
        numbers = range(max(first, 0), min(max(first, 0) + TOGETHER, runs))
        build_s, made = taken(lambda numbers=numbers: [flyer.problem(draw(n), f"run {n}") for n in numbers])
        engine_s, found = taken(lambda made=made: run_problems([problem for _, problem in made]))
        spent = [build_s, engine_s, 0.0, 0.0, 0.0]
        for (each, problem), run in zip(made, found, strict=True):
            args = each.case, problem.craft, problem.law, problem.blocks
            spent[2] += taken(lambda each=each, run=run: measure_as(each.case, run))[0]
            spent[3] += taken(lambda args=args: required_margins(*args))[0]
            spent[4] += taken(lambda run=run: run.warned)[0]
        if first >= 0:  # the first ones warm up
            for name, seconds in zip(total, spent, strict=True):
                total[name] += seconds / runs
    return total


def case_campaigns(names: list[str], *, runs: int, repetitions: int) -> list[dict[str, Any]]:
    """Return a row for each campaign."""
    rows: list[dict[str, Any]] = []
    for name in names:
        loaded = case_with(*CASES[name])
        run_campaign(loaded, runs=min(runs, 2 * TOGETHER), seed=2, workers=1)
        whole, parts = float("inf"), list[dict[str, float]]()
        for _ in range(repetitions):
            whole = min(whole, taken(lambda loaded=loaded: run_campaign(loaded, runs=runs, seed=1, workers=1))[0])
            parts.append(stages(loaded, runs))
        least = {f"{stage}_ms": 1e3 * min(part[stage] for part in parts) for stage in parts[0]}
        rows.append(
            {"case": name, "runs": runs, "runs_a_second": runs / whole, "whole_ms": 1e3 * whole / runs}
            | least
            | {"times_engine": 1e3 * whole / runs / least["engine_ms"]}
        )
    return rows


def main() -> int:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=192)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--case", choices=list(CASES), nargs="+", default=list(CASES))
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    rows = case_campaigns(arguments.case, runs=arguments.runs, repetitions=arguments.repetitions)
    if arguments.json:
        sys.stdout.write(json.dumps({"machine": machine(), "rows": rows}) + "\n")
        return 0
    sys.stdout.write("\n".join(f"{key}: {value}" for key, value in machine().items()) + "\n\n")
    names = ("whole", "build", "engine", "metrics", "margins", "warnings")
    sys.stdout.write(f"{'ms of processor time a run':28} {'runs/s':>8} " + " ".join(f"{n:>8}" for n in names))
    sys.stdout.write("  times engine\n")
    for row in rows:
        numbers = " ".join(f"{row[f'{name}_ms']:8.2f}" for name in names)
        sys.stdout.write(f"{row['case']:28} {row['runs_a_second']:8.1f} {numbers} {row['times_engine']:13.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
