"""Every element under every law by every stepper: all final states equal that of dop853.

`.ci/sanitize.py` runs this on a library with AddressSanitizer and UBSan.
"""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.sim import INTEGRATORS
from tests.battery.laws.test_laws import LAWS

SAMPLE = 0.05
SECONDS = 0.2
STEPPERS = [name for name, stepper in INTEGRATORS.items() if not stepper.exact]
LAWS_IN_C = [name for name in LAWS if name != "own plain"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", LAWS_IN_C)
def test_steppers_agree_for_each_element_and_law(make_kit, one_kind, kind):
    kit = make_kit([one_kind], "free", seed=5)
    craft, bare = kit.craft, plant.Spacecraft(kit.craft.body)
    # designed for the hub only: a torque does not control every state of a ring
    law = LAWS[kind](bare, bare.linearize(bare.at_rest()), sample=SAMPLE, delay=0.02)
    rows = [0.07, 0.1, SECONDS]  # one event within a step
    given = {"state": kit.x, "duration": SECONDS, "output_times": rows}
    exact = sim.simulate(craft, law, **given, rtol=1e-12)
    assert exact.status == "completed"
    scale = np.maximum(1.0, np.abs(exact.states).max(axis=0))
    for name in STEPPERS:
        step = {1: 2e-4, 2: 1e-3}.get(INTEGRATORS[name].order, 5e-3)
        run = sim.simulate(craft, law, **given, integrator=name, step=step)
        assert run.status == "completed", (name, run.reason)
        # local error of each method at its step, for modes of up to 10 rad/s and wheels at 20 rad/s
        assert (np.abs(run.states - exact.states) < 1e-3 * scale).all(), name
