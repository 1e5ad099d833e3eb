"""Engine cost of a step with the whole environment, relative to the same spacecraft without it.

python tests/benchmarks/environment_cost.py [--repetitions N] [--json]

The environment: gravity gradient, residual dipole in IGRF-14, sunlight with eclipses and free-molecular drag on the six
faces of a box, on a sun-synchronous orbit at 500 km. The plants: a bare body, and the body with three wheels. Only the
compiled advance is timed, in turn within one process, and the least processor time counts. A bare body without loads
takes a step of its own, in registers. `pulsed`, a bare body under a scheduled torque, takes the general step, as the
body in the environment does.
"""

import argparse
import json
import sys
import time
from typing import Any

import numpy as np
from machine import machine

from polhode import plant
from polhode.controllers import FixedReference
from polhode.plant.environment import (
    EnvironmentLoads,
    Epoch,
    ExponentialDensity,
    IGRFField,
    MeanOrbit,
    box_faces,
    fields_along,
    sun_synchronous_inclination,
)
from polhode.plant.environment.constants import EARTH_RADIUS
from polhode.plant.environment.loads import Molecules
from polhode.sim import Scheme
from polhode.sim.engine.indices import STEPS
from polhode.sim.engine.loop import Loop

DURATION = 2000.0  # s
BODY = plant.RigidBody(((42.0, 0.4, -0.6), (0.4, 38.0, 0.5), (-0.6, 0.5, 25.0)))
SCHEMES = {"rk4": Scheme("rk4", step=0.1), "rk8": Scheme("rk8", step=0.5), "dop853": Scheme("dop853", step=0.8)}
PULSE = plant.TorquePulse((1e-3, 0.0, 0.0), start=0.0, stop=1.0)


def environment() -> EnvironmentLoads:
    """Return all torques of a low orbit."""
    epoch, radius = Epoch("2026-03-20T12:00:00Z"), EARTH_RADIUS + 500e3
    orbit = MeanOrbit(
        epoch=epoch, semi_major_axis=radius, eccentricity=0.0, inclination=sun_synchronous_inclination(radius),
        raan=0.4, argument_of_perigee=0.0, mean_anomaly=0.0, oblate=True,
    )  # fmt: skip
    return EnvironmentLoads(
        fields=fields_along(orbit, DURATION, magnetic=IGRFField(), density=ExponentialDensity()),
        gravity_gradient=True,
        residual_dipole=(0.1, 0.05, -0.1),
        faces=box_faces((1.0, 0.8, 1.0), centre=(0.0, 0.005, -0.02), specular=0.2, diffuse=0.3),
        solar_pressure=True,
        molecules=Molecules(temperature=1000.0, molar_mass=0.016, wall_temperature=300.0),
    )


def step_time(craft: plant.Spacecraft, scheme: Scheme, pulses: tuple[Any, ...]) -> tuple[float, int]:
    """Return the processor time of a step, s, and the number of steps."""
    x = craft.state(attitude=(0.5, -0.1, -0.7, -0.5), rate=(0.001, -0.0011, 0.002))
    loop = Loop(
        craft, x, None, FixedReference((1.0, 0.0, 0.0, 0.0)), pulses=pulses, scheme=scheme, duration=DURATION,
        times=np.array([DURATION]), ledger=False, compiled=True, max_steps=10**9, pose_limit=1e-4,
    )  # fmt: skip
    loop.advance(0)  # creates the table of addresses
    began = time.process_time()
    loop.advance(10**9)
    spent, steps = time.process_time() - began, int(loop.arrays.count[STEPS])
    return spent / steps, steps


def compared(repetitions: int) -> list[dict[str, Any]]:
    """Return a row for each plant and integrator: ns of a step, and ratios."""
    loads = environment()
    wheels = plant.wheel_array(axes=np.eye(3), inertia=1e-3, relative_rates=[100.0, -100.0, 50.0])
    rows: list[dict[str, Any]] = []
    for name, elements in (("bare body", []), ("three wheels", wheels)):
        without = plant.Spacecraft(BODY, elements=elements)
        whole = plant.Spacecraft(BODY, elements=elements, potentials=[loads])
        for integrator, scheme in SCHEMES.items():
            ways = {"without": (without, ()), "pulsed": (without, (PULSE,)), "whole": (whole, ())}
            least = dict.fromkeys(ways, np.inf)
            steps = 0
            for _ in range(repetitions):
                for way, (craft, pulses) in ways.items():
                    seconds, steps = step_time(craft, scheme, pulses)
                    least[way] = min(least[way], 1e9 * seconds)
            ratios = {"ratio": least["whole"] / least["without"], "pulsed_ratio": least["whole"] / least["pulsed"]}
            rows.append({"plant": name, "integrator": integrator, "steps": steps, "step_ns": least, **ratios})
    return rows


def main() -> int:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=30)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    rows = compared(options.repetitions)
    if options.json:
        sys.stdout.write(json.dumps({"machine": machine(), "rows": rows}) + "\n")
        return 0
    sys.stdout.write("\n".join(f"{key}: {value}" for key, value in machine().items()) + "\n\n")
    sys.stdout.write(
        f"{'ns of processor time a step':28}{'without':>9}{'pulsed':>9}{'whole':>9}{'ratio':>8}{'pulsed':>8}\n"
    )
    for row in rows:
        numbers = "".join(f"{row['step_ns'][way]:9.0f}" for way in ("without", "pulsed", "whole"))
        title = f"{row['plant']}, {row['integrator']}"
        sys.stdout.write(f"{title:28}{numbers}{row['ratio']:8.2f}{row['pulsed_ratio']:8.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
