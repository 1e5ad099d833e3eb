"""Checks of the values returned by a plain Python block or law, and of output times."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.errors import InputError

CRAFT = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
LAW = controllers.RateDamping(gain=0.1, sample=0.1)
MASKED = np.ma.masked_array([0.1, 0.2, 0.3], mask=[0, 1, 0])


def flown(law, **more):
    settings = {"rate": (0.1, 0.0, 0.0), "duration": 0.3, "integrator": "rk4", "step": 0.1, "compiled": False}
    return sim.simulate(CRAFT, law, **{**settings, **more})


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (np.zeros((1, 3)), r"returned an array of shape \(1, 3\) at t = 0 s, but writes 3"),
        (np.zeros((3, 1)), r"returned an array of shape \(3, 1\)"),
        (0.0, "returned 1 numbers"),
        (MASKED, "returned masked numbers at t = 0 s"),
    ],
)
def test_block_returns_one_row_of_numbers(answer, words):
    block = controllers.Block(
        lambda t, y: answer,
        reads=["rate"],
        writes={"rate": 3},
        clock=controllers.Clock(0.1),
        compiled=False,
        name="gyro",
    )
    with pytest.raises(InputError, match=words):
        flown(LAW, blocks=[block])


def test_block_with_masked_numbers_is_rejected():
    """numpy would use the number behind the mask."""
    law = controllers.CustomLaw(lambda t, y, r: MASKED, sample=0.1, compiled=False)
    with pytest.raises(InputError, match=r"command of the law at t = 0 s must be numbers .* without masked entries"):
        flown(law)
    with pytest.raises(InputError, match=r"rate must be numbers .* without masked entries"):
        flown(None, rate=MASKED)
    assert flown(None, rate=np.ma.masked_array([0.1, 0.0, 0.0])).status == "completed"


def test_empty_output_times_are_rejected():
    with pytest.raises(InputError, match="there are none, so the run has no rows"):
        flown(None, output_times=[])
    assert flown(None, output_times=[], output_step=0.1).t.size == 4
