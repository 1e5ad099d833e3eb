"""The state of a formulation is stored behind the standard state of the spacecraft, which is computed from it.

The engine, potentials, laws, poses and rows read momentum and Euler parameters at fixed places of the state vector. A
formulation could replace the state, so that every reader would have to distinguish formulations. Instead its states
are appended and integrated, and the standard state is computed from them at each evaluation of the rates. Only two
calls in the rates and one after each step depend on the formulation. The rates of the standard equations at the same
state are a by-product; the external torque, the error norm of dop853 and the balances of work and impulse use them.

The script prints the distance of hamilton-7, whose states are those of the spacecraft, from the standard equations
after 4,000 steps of rk4 under a spring (rounding only: the computed state does not affect the motion), and the cost
of a step relative to that of the standard equations. An earlier separate program for formulations took 0.13 us per
step, without ledger, laws, efforts and poses.
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
