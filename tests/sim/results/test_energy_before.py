"""Energy at t = 0 as the reference of balances, from the first row or from the spacecraft."""

import numpy as np
import pytest

from polhode import plant, sim

AXES = ((1.0, 1.0, 1.0), (-1.0, 1.0, 1.0), (-1.0, -1.0, 1.0), (1.0, -1.0, 1.0))
BODY = plant.RigidBody(((60.0, 1.0, -2.0), (1.0, 50.0, 3.0), (-2.0, 3.0, 40.0)), mass=100.0)
CRAFTS = {
    "rigid": plant.Spacecraft(BODY),
    "translation": plant.Spacecraft(BODY, translation=True),
    "wheels": plant.Spacecraft(BODY, elements=plant.wheel_array(AXES, inertia=0.02, relative_rates=(7, 1, 2, 3))),
}


@pytest.mark.parametrize("times", [[0.0, 1.0], [1.0], []])
@pytest.mark.parametrize("craft", CRAFTS.values(), ids=CRAFTS)
def test_energy_before_is_that_of_the_start(craft, times):
    state = craft.state(attitude=(0.8, 0.4, 0.2, -0.4), rate=(0.1, -0.2, 0.3))
    run = sim.simulate(craft, state=state, duration=1.0, output_times=times or None)
    assert run.energy_before == craft.energy(run.start[: craft.layout.size])
    kept = run.values("rate")
    assert kept.flags.c_contiguous
    np.testing.assert_array_equal(kept, run.observables[:, :3])


def test_largest_kinetic_energy_of_wheels_counts_the_start():
    craft = CRAFTS["wheels"]
    run = sim.simulate(craft, state=craft.state(rate=(0.1, -0.2, 0.3)), duration=1.0, output_times=[0.5, 1.0])
    rates = np.concatenate([run.values("rate"), run.values("internal_rate")], axis=1)
    momenta = np.concatenate([run.values("momentum"), run.values("internal_momentum")], axis=1)
    before = craft.energy(run.start[: craft.layout.size])
    assert run.largest_kinetic_energy == pytest.approx(
        max(0.5 * (rates * momenta).sum(axis=1).max(), before), rel=1e-14
    )
