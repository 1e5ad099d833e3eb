"""A free body after 10^6 revolutions by every stepper at equal cost: energy, momentum, phase.

A body that tumbles near its middle axis (Shivarama & Fahrenthold 2004, Table 2) is simulated by each stepper with the
step, or tolerance, at which a revolution costs the same processor time; the closed form is the reference. The exact
solution costs one row only, and is drawn to show rounding.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine

from polhode import plant, sim
from polhode.plant.attitude import attitude_error, rotation_angle
from polhode.plant.attitude.free_motion import FreeMotion
from polhode.sim import INTEGRATORS

MOMENTS = (400.0, 307.808385, 200.0)
START = (346.4101616, 0.0, -200.0)
CRAFT = plant.Spacecraft(plant.RigidBody(MOMENTS))
EXACT = FreeMotion(MOMENTS, momentum=START)
REVOLUTION = 2.0 * np.pi / float(np.linalg.norm(EXACT.rate(np.linspace(0.0, EXACT.period, 1000)), axis=1).mean())
COARSEST = 0.1  # of a revolution: longer steps resolve nothing, and implicit equations have no solution
FINEST = 1e-15  # below, round-off rejects every step of an adaptive method
PARTS = {"energy": "energy, |E - E0| / E0", "momentum": "momentum, |R h - R0 h0| / |h0|", "phase": "attitude, rad"}


def flown(name: str, size: float, revolutions: Any) -> sim.Run:
    """A run with a step (s) or tolerance, with rows after given numbers of revolutions."""
    given: dict[str, Any] = {} if INTEGRATORS[name].exact else {"step": size}
    if INTEGRATORS[name].adaptive:
        given = {"rtol": size}
    at = REVOLUTION * np.asarray(revolutions)
    run = sim.simulate(
        CRAFT,
        momentum=START,
        duration=float(at[-1]),
        output_times=at,
        integrator=name,
        ledger=False,
        max_steps=10**12,
        **given,
    )
    assert run.status == "completed", run.reason
    return run


def cost(name: str, size: float, revolutions: int) -> float:
    """Processor time per revolution, us: minimum of three."""
    taken: list[float] = []
    for _ in range(3):
        began = time.process_time()
        flown(name, size, [revolutions])
        taken.append(time.process_time() - began)
    return 1e6 * min(taken) / revolutions


def size_for(name: str, wanted: float, trial: int) -> float:
    """Step or tolerance for a given cost per revolution, us, within bounds."""
    adaptive = INTEGRATORS[name].adaptive
    size, low, high = (1e-9, FINEST, 1e-4) if adaptive else (0.05 * REVOLUTION, 0.0, COARSEST * REVOLUTION)
    for _ in range(4):
        share = cost(name, size, trial) / wanted
        size = float(np.clip(size * share ** (8.0 if adaptive else 1.0), low, high))
    return size


def errors(run: sim.Run) -> dict[str, list[float]]:
    """Energy, inertial momentum and attitude of each row."""
    e, h = run.values("attitude"), run.values("momentum")
    inertial = np.array([plant.attitude.rotation_matrix(q) @ each for q, each in zip(e, h, strict=True)])
    energy = 0.5 * np.sum(h * h / np.array(MOMENTS), axis=1)
    return {
        "energy": (np.abs(energy / EXACT.energy - 1.0)).tolist(),
        "momentum": (np.linalg.norm(inertial - START, axis=1) / np.linalg.norm(START)).tolist(),
        "phase": rotation_angle(attitude_error(e, EXACT.attitude(run.t))).tolist(),
    }


def measured(revolutions: int, wanted: float) -> dict[str, Any]:
    """The table: for each stepper its step, cost per revolution in us, and errors after the listed revolutions."""
    after = np.unique(np.geomspace(1, revolutions, 80).round()) if revolutions > 80 else np.arange(1, revolutions + 1)
    trial = max(min(revolutions // 10, 500), 2)
    found: dict[str, Any] = {}
    for name, stepper in INTEGRATORS.items():
        size = 0.0 if stepper.exact else size_for(name, wanted, trial)
        began = time.process_time()
        run = flown(name, size, after)
        taken = 1e6 * (time.process_time() - began) / revolutions
        found[name] = {"size": size, "us": taken, "steps": run.counters["steps"] / revolutions, **errors(run)}
    return {"machine": machine(), "after": after.tolist(), "revolution_s": REVOLUTION, "steppers": found}


def draw(found: dict[str, Any], place: Path) -> None:
    """Three panels, one line for each stepper."""
    from polhode.scenarios.pictures.palette import stroke
    from polhode.sim.results.page import new_page

    figure = new_page((14.0, 6.2), dpi=110)
    axes = figure.subplots(1, 3, sharex=True)
    after = np.array(found["after"])
    for panel, (part, words) in zip(axes, PARTS.items(), strict=True):
        for number, (name, row) in enumerate(found["steppers"].items()):
            worst = np.maximum.accumulate(np.maximum(row[part], 1e-17))
            label = f"{name}: {_size(name, row)}"
            panel.loglog(after, worst, label=label, **stroke(number))
        panel.set_title(words, fontsize="medium")
        panel.set_xlabel("revolutions")
        panel.grid(alpha=0.3)
        panel.set_ylim(1e-17, 10.0)
    axes[0].set_ylabel("largest so far")
    figure.suptitle(
        f"A tumbling free body, {after[-1]:,.0f} revolutions of {found['revolution_s']:.3g} s at equal cost, "
        f"about {found['wanted_us']:g} us each"
    )
    lines, labels = axes[0].get_legend_handles_labels()
    figure.legend(lines, labels, ncols=4, fontsize="small", loc="outside lower center")
    figure.savefig(place)


def _size(name: str, row: dict[str, Any]) -> str:
    if INTEGRATORS[name].exact:
        return "no step"
    setting = f"rtol {row['size']:.1g}" if INTEGRATORS[name].adaptive else f"{row['steps']:.3g} steps a revolution"
    return f"{setting}, {row['us']:.0f} us"


def main() -> None:
    """Print the table, and draw it if a file is given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--revolutions", type=int, default=1_000_000)
    parser.add_argument("--cost", type=float, default=100.0, help="processor time of a revolution, us")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--picture", type=Path, help="where to draw it, a PNG")
    chosen = parser.parse_args()
    found = {**measured(chosen.revolutions, chosen.cost), "wanted_us": chosen.cost}
    if chosen.picture:
        draw(found, chosen.picture)
    if chosen.json:
        print(json.dumps(found))
        return
    print(found["machine"])
    for name, row in found["steppers"].items():
        ends = ", ".join(f"{part} {max(row[part]):.1e}" for part in PARTS)
        print(f"{name:10} {_size(name, row):32} {ends}")


if __name__ == "__main__":
    main()
