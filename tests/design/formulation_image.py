"""A formulation stands behind the state of its craft, which is its image, instead of in its place.

The engine, potentials, laws, poses and rows read momentum and Euler parameters where they are in any state of a craft.
A formulation could take their place there, so that each reader asks it first; or its states stand behind them and move,
and the craft's own are written from them whenever a rate is asked for. The second is built: nothing but two calls in
the rates and one after each step knows of it, and the rates the craft itself would have in the image come for nothing,
from which all torque from outside, the error norm of dop853 and the balances of work and impulse are read.

Printed: how far hamilton-7, whose states are those of the craft, comes from the craft's own equations in 4,000 steps of
rk4 under a spring (rounding: the image does not touch the motion), and what a step takes beside the craft's own. The
program of their own that formulations had took 0.13 us, without ledger, laws, efforts and poses.
"""

import time

import numpy as np

from polhode import plant, sim

CRAFT = plant.Spacecraft(
    plant.RigidBody((400, 307.808385, 200), mass=10.0, pivot=(0, 0, 0)),
    potentials=[plant.Spring(body_point=(0, 0, 1), inertial_point=(0, 1, 2), stiffness=50.0)],
)
GIVEN = {"rate": (1.0, 0.4, 0.3), "integrator": "rk4", "step": 0.01, "output_times": [40.0], "duration": 40.0}


def seconds(formulation: str | None) -> float:
    """The shortest of some runs."""
    best = np.inf
    for _ in range(5):
        began = time.perf_counter()
        sim.simulate(CRAFT, **GIVEN, formulation=formulation)
        best = min(best, time.perf_counter() - began)
    return best


def main() -> None:
    """Print difference and times."""
    own, other = sim.simulate(CRAFT, **GIVEN), sim.simulate(CRAFT, **GIVEN, formulation="hamilton-7")
    off = np.abs(own.states[-1] - other.states[-1]).max()
    print(f"hamilton-7 against the craft's own equations: {off:.1e} in a state of {np.abs(own.states[-1]).max():.0f}")
    alone = seconds(None)
    for name in ("hamilton-7", "hamilton-8", "lagrange-29"):
        print(f"{name}: {seconds(name) / alone:.1f} times the run of the craft's own equations ({alone * 1e3:.1f} ms)")


if __name__ == "__main__":
    main()
