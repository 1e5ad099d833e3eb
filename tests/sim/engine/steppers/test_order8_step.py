"""The written-out step of order 8 against the tableau of the method."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.hub.dynamics import derivative, no_user_loads
from polhode.sim.engine.steppers.explicit import explicit_step
from polhode.sim.engine.steppers.kinds import INTEGRATORS

TABLEAU = INTEGRATORS["rk8"]
H, T = 0.37, 2.0


def craft_with(elements, body):
    wheels = [plant.Wheel(axis=(0, 0.6, 0.8), inertia=0.02, friction=0.003, motor_torque=0.1, relative_rate=20.0)]
    return plant.Spacecraft(body, elements=wheels if elements else ())


def step_of(craft, x, u, table, ledger):
    """The state after a step by `explicit_step`."""
    p, w, y = craft.pack(ledger=ledger), craft.work_space(), np.zeros(x.size)
    stages = np.zeros((table.shape[1], x.size))
    derivative(T, x, u, p, stages[0], no_user_loads, w)
    explicit_step(T, H, x, u, p, no_user_loads, w, y, stages, table)
    return y


@pytest.mark.parametrize("elements", [False, True])
@pytest.mark.parametrize("ledger", [False, True])
def test_written_out_step_follows_the_tableau(skew_body, elements, ledger):
    craft, u = craft_with(elements, skew_body), np.array((0.1, -0.2, 0.3))
    x = craft.state(attitude=(0.1, 0.7, 0.5, 0.5), rate=(0.3, 2.0, -0.4))
    x = np.concatenate([x, np.zeros(4 if ledger else 0)])
    a, b, c = (np.asarray(part) for part in (TABLEAU.a, TABLEAU.b, TABLEAU.c))
    table = np.vstack([a, b, c])
    found = step_of(craft, x, u, table, ledger)

    p, w, k = craft.pack(ledger=ledger), craft.work_space(), np.zeros((12, x.size))
    for stage in range(12):  # the definition of a Runge-Kutta step
        derivative(T + c[stage] * H, x + H * (a[stage] @ k), u, p, k[stage], no_user_loads, w)
    np.testing.assert_allclose(found, x + H * (b @ k), rtol=0, atol=4e-15 * np.abs(x).max())

    longer = np.zeros((15, 13))  # a further stage without weight: the loop over the tableau
    longer[:12, :12], longer[13, :12], longer[14, :12] = a, b, c
    np.testing.assert_array_equal(found, step_of(craft, x, u, longer, ledger))
