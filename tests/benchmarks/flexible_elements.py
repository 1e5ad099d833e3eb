"""How the cost of a step of a craft with flexible arms grows with its elements, and what each method costs.

    python tests/benchmarks/flexible_elements.py [--json] [--repetitions N]

003's satellite (case 2) with 2 to 64 elements in each of two arms: wall time of a step of "gauss4" at 2 ms and of one
evaluation of the explicit right-hand side, and the slope of either curve: 1 is linear.
"""

import argparse
import json
import time

import numpy as np
from machine import machine

from polhode import plant, sim
from polhode.plant.flexible import Arm, BeamSection
from polhode.sim.steppers.longest_step import stable_step

SECTION = BeamSection(
    area=2.5e-3,
    second_moment_m=5.2e-7,
    second_moment_n=5.2e-7,
    elastic_modulus=7.17e10,
    shear_modulus=2.68e10,
    density=2.8e3,
)
PULSE = plant.TorquePulse((0, 15, 0), start=0.0, stop=1.0, shape="raised-cosine")
GIVEN = {"rate": (0.1, 0.1, 0.1), "torques": [PULSE]}


def craft(elements):
    """003's satellite."""
    arms = [
        Arm(section=SECTION, length=2.0, elements=elements, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1, -1)
    ]
    return plant.Spacecraft(plant.RigidBody(0.149 * np.eye(3), mass=22.4), elements=arms)


def seconds(satellite, *, integrator, step, repetitions):
    """Wall time of a step: what 450 more of them take."""

    def once(steps):
        began = time.perf_counter()
        given = {"duration": steps * step, "at": [steps * step], "integrator": integrator, "step": step}
        assert sim.simulate(satellite, **GIVEN, **given, ledger=False).status == "completed"
        return time.perf_counter() - began

    once(1)
    few, many = (min(once(steps) for _ in range(repetitions)) for steps in (50, 500))
    return (many - few) / 450


def main():
    """Print or emit the curve."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--repetitions", type=int, default=5)
    given = parser.parse_args()
    counts = (2, 4, 8, 16, 32, 64)
    rows = []
    for elements in counts:
        satellite = craft(elements)
        implicit = seconds(satellite, integrator="gauss4", step=2e-3, repetitions=given.repetitions)
        h = 0.9 * stable_step(satellite, "rk4")
        explicit = seconds(satellite, integrator="rk4", step=h, repetitions=given.repetitions) / 4
        rows.append(
            {"elements": elements, "gauss4_us": implicit * 1e6, "rhs_us": explicit * 1e6, "rk4_step_us": h * 1e6}
        )
    x = np.log([row["elements"] for row in rows])
    slopes = {name: float(np.polyfit(x, np.log([row[name] for row in rows]), 1)[0]) for name in ("gauss4_us", "rhs_us")}
    whole = time.perf_counter()
    sim.simulate(craft(2), **GIVEN, duration=10.0, integrator="gauss4", step=2e-3, output=0.1)
    whole = time.perf_counter() - whole
    found = {"machine": machine(), "rows": rows, "slopes": slopes, "case_2_s": whole}
    if given.json:
        print(json.dumps(found))
        return
    print(found["machine"])
    print("elements an arm   gauss4 step   explicit rhs   largest rk4 step")
    for row in rows:
        print(
            f"{row['elements']:15d} {row['gauss4_us']:10.1f} us {row['rhs_us']:11.1f} us {row['rk4_step_us']:12.2f} us"
        )
    print(f"slopes of the curves: {slopes['gauss4_us']:.2f}, {slopes['rhs_us']:.2f}")
    print(f"case 2, 10 s, two elements an arm, gauss4 at 2 ms: {whole:.3f} s")


if __name__ == "__main__":
    main()
