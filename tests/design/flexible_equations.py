"""The equations of a flexible arm are Hamilton's, in terms of angular velocities, instead of Choi's augmented ones.

Choi (2014) writes M(q), V(q, q') and K(q) of the eight coordinates of a node with tensors of third order and appends
one multiplier per node (57). Here the momenta p = M nu and the forces dL/dq come from one sweep over each element,
and the attitude of a node follows from its rate, so that no constraint remains. The reasons:

- one sweep gives momenta, forces and energies: an implicit step needs the mass matrix only in its iteration, an
explicit step   needs a solve along the arms, whose cost is linear in the elements; a dense solve with 9 rows per node
is cubic; - total momentum and |e| are quadratic in this state, so Gauss methods conserve them to round-off, without
projection; - derivatives are gradients of one scalar: they agree with complex steps of the energy itself to 1e-15.

The script compares one evaluation of the accelerations along the chain with the dense solve of Choi's (57) of the
same size. Measured on two cores of an Intel Xeon at 2.5 GHz, busy with other work: 15 and 38 us with two elements per
arm as in the document, 0.66 and 96 ms with 64.
"""

import time

import numpy as np

from polhode import plant, sim
from polhode.plant.flexible import Arm, BeamSection

SECTION = BeamSection(
    area=2.5e-3,
    second_moment_m=5.2e-7,
    second_moment_n=5.2e-7,
    youngs_modulus=7.17e10,
    shear_modulus=2.68e10,
    density=2.8e3,
)


def by_the_chain(elements: int) -> float:
    """Seconds for one right-hand side, everything in it."""
    arms = [
        Arm(section=SECTION, length=2.0, elements=elements, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1, -1)
    ]
    craft = plant.Spacecraft(plant.RigidBody(0.149 * np.eye(3), mass=22.4), elements=arms)
    h = 5e-7  # below the stable step of the finest mesh

    def once(steps: int) -> float:
        began = time.perf_counter()
        sim.simulate(
            craft,
            rate=(0.1, 0.1, 0.1),
            duration=steps * h,
            integrator="rk4",
            step=h,
            output_times=[steps * h],
            ledger=False,
        )
        return time.perf_counter() - began

    once(1)
    few, many = (min(once(steps) for _ in range(5)) for steps in (100, 600))
    return (many - few) / (4 * 500)


def by_the_augmented_matrix(elements: int) -> float:
    """Seconds for the dense solve of (57) alone: 8 coordinates and a multiplier for each of 2 elements + 1 nodes."""
    n = 9 * (2 * elements + 1)
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(n, n)) + n * np.eye(n)
    right = rng.normal(size=n)
    best = np.inf
    for _ in range(5):
        began = time.perf_counter()
        np.linalg.solve(matrix, right)
        best = min(best, time.perf_counter() - began)
    return best


def main() -> None:
    """Print both times from 2 to 64 elements an arm."""
    for elements in (2, 4, 8, 16, 32, 64):
        chain, dense = by_the_chain(elements), by_the_augmented_matrix(elements)
        print(f"{elements:3d} elements an arm: chain {chain * 1e6:7.1f} us, augmented solve {dense * 1e6:9.1f} us")


if __name__ == "__main__":
    main()
