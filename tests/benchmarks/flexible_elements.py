"""How the cost of a step of the flexible satellite grows with its elements, and what each method costs.

    python tests/benchmarks/flexible_elements.py [--json] [--repetitions N]

003's satellite (case 2) with 2 to 64 elements in each of two arms: wall time of a step of "gauss4" at 2 ms and of one
evaluation of the explicit right-hand side, and the slope of either curve: 1 is linear.
"""

import argparse
import json
import time

import numpy as np
from machine import machine

from polhode.plant import RigidBody
from polhode.plant.flexible import Arm, BeamSection, FlexibleSatellite
from polhode.sim.flexible import raised_cosine_torque, simulate_flexible, stable_step
from polhode.sim.flexible.advance import DONE
from polhode.sim.flexible.stretch import Stepper

SECTION = BeamSection(
    area=2.5e-3,
    second_moment_m=5.2e-7,
    second_moment_n=5.2e-7,
    elastic_modulus=7.17e10,
    shear_modulus=2.68e10,
    density=2.8e3,
)
PULSE = raised_cosine_torque((0, 7.5, 0), duration=1.0)


def craft(elements):
    """003's satellite."""
    arms = [
        Arm(section=SECTION, length=2.0, elements=elements, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1, -1)
    ]
    return FlexibleSatellite(RigidBody(0.149 * np.eye(3), mass=22.4), arms=arms)


def seconds(satellite, *, method, step, steps, repetitions):
    """Best wall time of a step."""
    times = []
    for _ in range(repetitions):
        stepper = Stepper(
            satellite,
            x=satellite.state(rate=(0.1, 0.1, 0.1)),
            method=method,
            torque=PULSE.function,
            torque_parameters=PULSE.parameters,
            tolerance=1e-12,
            rows=4,
            compiled=True,
        )
        stepper.run(0.0, 2 * step, steps=2, every=2)
        began = time.perf_counter()
        ended = stepper.run(2 * step, (2 + steps) * step, steps=steps, every=steps)
        times.append(time.perf_counter() - began)
        assert ended == DONE
    return min(times) / steps


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
        implicit = seconds(satellite, method="gauss4", step=2e-3, steps=300, repetitions=given.repetitions)
        h = 0.9 * stable_step(satellite, "rk4")
        explicit = seconds(satellite, method="rk4", step=h, steps=300, repetitions=given.repetitions) / 4
        rows.append(
            {"elements": elements, "gauss4_us": implicit * 1e6, "rhs_us": explicit * 1e6, "rk4_step_us": h * 1e6}
        )
    x = np.log([row["elements"] for row in rows])
    slopes = {name: float(np.polyfit(x, np.log([row[name] for row in rows]), 1)[0]) for name in ("gauss4_us", "rhs_us")}
    whole = time.perf_counter()
    simulate_flexible(craft(2), rate=(0.1, 0.1, 0.1), torque=PULSE, duration=10.0, step=2e-3, output=0.1)
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
