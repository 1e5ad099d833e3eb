"""Wheels that minimise the largest torque, in rows of any order: each follows the allocation of its own array."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

from polhode import controllers, plant, sim

A = 3**-0.5
PYRAMID = np.array([(A, A, A), (-A, A, A), (-A, -A, A), (A, -A, A)])
FLAT = np.array([(0.8, 0.0, 0.6), (0.0, 0.8, 0.6), (-0.8, 0.0, 0.6), (0.0, -0.8, 0.6)])
BODY = plant.RigidBody([[120.0, 5.0, -3.0], [5.0, 100.0, 2.0], [-3.0, 2.0, 80.0]])
ORDERS = {
    "arrays one after the other": [0, 1, 2, 3, 4, 5, 6, 7],
    "arrays that alternate": [0, 4, 1, 5, 2, 6, 3, 7],
    "reversed": [7, 6, 5, 4, 3, 2, 1, 0],
    "second array first": [4, 5, 6, 7, 2, 0, 1, 3],
}


def least_largest(axes, demand):
    """Motor torques of least maximum that react with the demanded torque: a linear programme."""
    n = len(axes)
    bounds = np.hstack([np.vstack([np.eye(n), -np.eye(n)]), -np.ones((2 * n, 1))])
    equal = np.hstack([axes.T, np.zeros((3, 1))])
    found = linprog([*np.zeros(n), 1.0], bounds, np.zeros(2 * n), equal, -demand, (None, None))
    return found.x[:n]


def half_of_an_array(axes):
    """Wheels that together exert half of the demand: the matrices of all cells are halved."""
    wheels = plant.wheel_array(axes, inertia=0.05, allocation="min-max")
    halved = []
    for wheel in wheels:
        sharing = wheel.sharing.copy()
        table = sharing[1:]
        width = 3 + 3 * int(table[0])
        for start in range(2 + 5 * int(table[1]), table.size, width):
            table[start + 3 : start + width] *= 0.5
        halved.append(replace(wheel, sharing=sharing))
    return halved


def both(demand):
    return np.concatenate([0.5 * least_largest(axes, demand) for axes in (PYRAMID, FLAT)])


def craft_of(order):
    arrays = [half_of_an_array(axes) for axes in (PYRAMID, FLAT)]
    between = [plant.Wheel(axis=(0, 0, 1), inertia=0.01, friction=1e-4, relative_rate=10.0)]
    wheels = [[*arrays[0], *arrays[1]][k] for k in order]
    basis = plant.TorqueBasis("body", internal=True)
    return plant.Spacecraft(BODY, elements=[*wheels[:3], *between, *wheels[3:]], torques=basis)


@pytest.mark.parametrize("order", ORDERS.values(), ids=list(ORDERS))
@pytest.mark.parametrize("compiled", [True, False])
def test_wheel_follows_the_allocation_of_its_array(order, compiled):
    craft, law = craft_of(order), controllers.RateDamping(gain=3.0, sample=0.1)
    duration = 2.0 if compiled else 0.3
    starts = np.random.default_rng(5).uniform(-0.02, 0.02, (8 if compiled else 1, 3))
    scheme = {"duration": duration, "output_step": 0.1, "integrator": "rk4", "step": 0.1, "compiled": compiled}
    runs = [sim.simulate(craft, law, rate=rate, **scheme) for rate in starts]
    if compiled:
        batch = sim.simulate_batch(craft, law, rate=starts, **scheme)
        for k, run in enumerate(runs):
            np.testing.assert_array_equal(batch.states[k], run.states)
    for run in runs[:2]:
        demand = run.values("motor_demand").reshape(len(run.t), -1)
        for row in range(0, len(run.t), 3):
            command = run.inputs[row, :3]
            np.testing.assert_allclose(demand[row], both(command)[order], rtol=0, atol=1e-9 * np.abs(command).max())


def test_slope_of_momenta_follows_the_allocation_of_each_array():
    """The forces of the wheels, in plain Python: p' is the motor torque without friction."""
    craft = craft_of(ORDERS["arrays that alternate"])
    for demand in np.random.default_rng(3).uniform(-0.05, 0.05, (8, 3)):
        slopes = craft.derivative(0.0, craft.at_rest(), u=demand)[craft.layout.internal_momentum]
        expected = both(demand)[ORDERS["arrays that alternate"]]
        np.testing.assert_allclose(np.delete(slopes, 3), expected, rtol=0, atol=1e-10)
