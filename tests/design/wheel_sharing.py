"""Wheels distribute a torque by looking up a facet: benefit and cost of minimising the largest motor torque.

Reach is the ratio of the largest torque in a direction to that of the pseudo-inverse: minimum, mean and maximum over
2000 directions. `bytes` is the size of the table of each wheel. The time is that of a run of 100 s with DOP853,
relative to the pseudo-inverse:

    wheels              facets  reach least, mean, largest      bytes  time
    three on the axes        3  1.000  1.000  1.000               520   1.0
    pyramid                  6  1.000  1.162  1.479              1096   1.5
    hexagon                 15  1.017  1.274  1.333              3304   1.4
    eight at random         28  1.045  1.378  1.686              7400   1.5

(two cores of an AMD EPYC, busy). Each wheel looks up the facet independently, which repeats the search m times in every
evaluation, so that a wheel remains a separate element with its own limits. Half as much time again is a small price.

A torque beyond the envelope of the wheels is scaled before that, once per sample, so that its direction is kept. A law
with memory therefore receives the torque that the wheels exert. Thrusters, whose forces do not depend on the state,
need nothing else.
"""

import time

import numpy as np

from polhode import controllers, plant, sim

A = 3**-0.5
SETS = {
    "three on the axes": np.eye(3),
    "pyramid": [(A, A, A), (-A, A, A), (-A, -A, A), (A, -A, A)],
    "hexagon": [(0.8 * np.cos(a), 0.8 * np.sin(a), 0.6) for a in np.arange(6) * np.pi / 3],
    "eight at random": np.random.default_rng(8).normal(size=(8, 3)),
}


def seconds(axes, method):
    """The quickest of five runs, s."""
    elements = plant.wheel_array(axes, inertia=0.02, torque_limit=0.1, allocation=method)
    craft = plant.Spacecraft(
        plant.RigidBody((60.0, 50.0, 40.0)), elements=elements, torques=plant.TorqueBasis("body", internal=True)
    )
    law = controllers.quaternion_feedback(craft, frequency=0.12, damping_ratio=0.9, sample=0.1)
    start = plant.attitude.from_rotation_vector((0.5, 0.3, -0.4))
    found = []
    for _ in range(5):
        begin = time.perf_counter()
        sim.simulate(craft, law, attitude=start, duration=100.0, output_step=10.0)
        found.append(time.perf_counter() - begin)
    return min(found)


def main() -> None:
    """Print facets, reach, size and time of each set."""
    directions = np.random.default_rng(1).normal(size=(2000, 3))
    for name, axes in SETS.items():
        least = controllers.WheelAllocation(axes, limit=1.0)
        most = controllers.WheelAllocation(axes, limit=1.0, method="min-max")
        gain = (directions @ least.envelope.T).max(axis=1) / (directions @ most.envelope.T).max(axis=1)
        size = plant.wheel_array(axes, inertia=0.02, allocation="min-max")[0].sharing.nbytes - 8
        ratio = seconds(axes, "min-max") / seconds(axes, "pseudo-inverse")
        reach = f"{gain.min():.3f}  {gain.mean():.3f}  {gain.max():.3f}"
        print(f"{name:18s} {len(most.envelope) // 2:7d}  {reach}  {size:16d}  {ratio:4.1f}")


if __name__ == "__main__":
    main()
