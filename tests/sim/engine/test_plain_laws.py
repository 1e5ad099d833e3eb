"""Arguments of a law in plain Python are copies, in the compiled engine and in the plain one."""

import numpy as np
import pytest

from polhode import controllers, plant, sim


@pytest.mark.parametrize("compiled", [True, False])
def test_plain_law_may_keep_what_it_is_shown(compiled):
    kept = []

    def law(t, y, r):
        kept.append((y, r))
        return (0.0, 0.0, 0.0)

    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    turning = controllers.SpinReference(rate=(0.0, 0.0, 0.5))
    plain = controllers.CustomLaw(law, sample=0.5, compiled=False)
    run = sim.simulate(
        craft,
        plain,
        reference=turning,
        rate=(0.1, 1.0, 0.1),
        duration=1.5,
        output_times=[0.0, 0.5, 1.0],
        compiled=compiled,
    )
    for (y, r), t in zip(kept, (0.0, 0.5, 1.0), strict=True):
        row = int(np.flatnonzero(run.t == t)[0])
        np.testing.assert_array_equal(y[:7], run.x[row, :7])
        np.testing.assert_array_equal(r, turning.at(t))


class Asked:
    """A law that cannot be compiled and counts the calls of its kernel."""

    sample, delay = 0.1, 0.0
    parameters = memory = np.zeros(0)

    def __init__(self):
        self.count = 0

    @property
    def kernel(self):
        self.count += 1

        def law(t, y, r, q, z, u):
            u[0] = u[1] = u[2] = 0.0

        return law


def test_plain_engine_runs_kernel_itself():
    """Looked up when a run is prepared, not at every sample, as in the compiled engine."""
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    counts = []
    for duration in (1.0, 2.0):
        law = Asked()
        assert sim.simulate(craft, law, rate=(0.1, 0, 0), duration=duration, compiled=False).status == "completed"
        counts.append(law.count)
    assert counts[0] == counts[1]
