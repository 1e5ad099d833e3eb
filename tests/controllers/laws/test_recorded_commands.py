"""Playback of recorded commands: the run that they came from again, in batches and without a library."""

import numpy as np
import pytest

from polhode.controllers import RateDamping
from polhode.controllers.laws.recorded_commands import RecordedCommands
from polhode.plant import RigidBody, Spacecraft
from polhode.plant.errors import DesignError, InputError
from polhode.sim import simulate, simulate_batch

CRAFT = Spacecraft(RigidBody((10.0, 12.0, 15.0)))
SETTINGS = {"rate": (0.1, -0.2, 0.05), "duration": 10.0, "integrator": "rk4", "step": 0.05, "output_step": 0.1}


def damped():
    return simulate(CRAFT, RateDamping(gain=2.0, sample=0.1), **SETTINGS)


def test_recorded_commands_repeat_closed_loop_run():
    run = damped()
    again = simulate(CRAFT, RecordedCommands(run.values("command"), sample=0.1), **SETTINGS)
    np.testing.assert_array_equal(again.states, run.states)


@pytest.mark.parametrize("runs", [1, 3])
def test_recorded_commands_in_batch_equal_single_run(runs):
    law = RecordedCommands(damped().values("command"), sample=0.1)
    settings = {key: value for key, value in SETTINGS.items() if key != "rate"}
    rates = np.array([(0.1, -0.2, 0.05 + 0.01 * n) for n in range(runs)])
    batch = simulate_batch(CRAFT, law, rate=rates, **settings)
    single = simulate(CRAFT, law, rate=rates[-1], **settings)
    np.testing.assert_array_equal(batch.values("rate")[-1], single.values("rate"))


def test_recorded_commands_plain_python_equals_compiled():
    law = RecordedCommands([(1.0, 0.0, -1.0), (0.0, 2.0, 0.5)], sample=0.5)
    settings = {**SETTINGS, "duration": 2.0}
    one, other = (simulate(CRAFT, law, **settings, compiled=each) for each in (True, False))
    np.testing.assert_allclose(one.values("rate"), other.values("rate"), rtol=0.0, atol=1e-15)


def test_last_recorded_command_remains():
    """One command of 2 N m about x for 3 s turns a body of 10 kg m^2 by 0.6 rad/s."""
    law = RecordedCommands([(2.0, 0.0, 0.0)], sample=0.5)
    run = simulate(CRAFT, law, duration=3.0, integrator="rk4", step=0.1)
    assert run.values("rate")[-1, 0] == pytest.approx(0.6, rel=1e-12)


def test_recorded_commands_have_no_margins():
    law = RecordedCommands([(2.0, 0.0, 0.0)], sample=0.5)
    with pytest.raises(DesignError, match="open loop"):
        law.margins(CRAFT.linearize(CRAFT.state()))


@pytest.mark.parametrize("commands", [np.zeros((0, 3)), np.zeros((4, 2)), np.zeros(3)])
def test_recorded_commands_of_wrong_shape_are_refused(commands):
    with pytest.raises(InputError, match="three numbers per sample"):
        RecordedCommands(commands, sample=0.1)
