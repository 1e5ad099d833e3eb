"""Messages omitted by an attitude filter are counted in its signals, and a run warns of them."""

from __future__ import annotations

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Block, Clock
from polhode.controllers.sensing.estimators import MEKF, USQUE
from polhode.controllers.sensing.estimators.complementary import ComplementaryFilter
from polhode.controllers.sensing.estimators.filter_layout import FILTER_MEMORY
from polhode.controllers.sensing.estimators.filter_start import start_of
from polhode.controllers.sensing.estimators.filter_window import Window
from polhode.controllers.sensing.estimators.filter_window_kernel import accept, begin
from polhode.controllers.sensing.estimators.mekf_kernel import SIGHTING
from polhode.controllers.sensing.sensors import RateGyro, StarTracker

START = {"attitude": (1.0, 0.0, 0.0, 0.0), "attitude_sigma": 1e-3, "bias": (0.0, 0.0, 0.0), "bias_sigma": 1e-5}
TRACKER = StarTracker(noise=1e-4, roll_noise=1e-3, delay=0.4)
GYRO = RateGyro(angle_random_walk=1e-5, rate_random_walk=1e-8)
FILTERS = [MEKF(1e-5, 1e-8), USQUE(1e-5, 1e-8), ComplementaryFilter(attitude_gain=0.1, bias_gain=0.001)]


def hold(t, y):
    return y


def simulated(kind, *, late=None, outages=()):
    """Simulate a star tracker each 0.5 s, 0.4 s late, and a link that samples its messages at `late` each 0.5 s."""
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)))
    tracker = StarTracker(noise=1e-4, roll_noise=1e-3, delay=0.4, outages=outages)
    gyro, sensor = GYRO.block(sample=0.1), tracker.block(sample=0.5)
    start = {"attitude": START["attitude"]} if isinstance(kind, ComplementaryFilter) else START
    estimator = kind.block(gyro, [(tracker, sensor)], **start)
    blocks = [gyro, sensor, estimator]
    if late is not None:
        link = Block(
            hold, reads=sensor.name, writes=sensor.name, clock=Clock(0.5, offset=late), compiled=False, name="link"
        )
        blocks.insert(2, link)
    law = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.7, sample=0.1)
    return sim.simulate(craft, law, blocks=blocks, duration=5.0, seed=1, output_step=0.1)


def missed(run):
    return run.values("missed")[-1]


@pytest.mark.parametrize("kind", FILTERS, ids=lambda each: type(each).__name__)
def test_messages_later_than_their_delay_are_counted_with_warning(kind):
    run = simulated(kind, late=0.3)
    # those of 0.5, 1.0, .., 4.0 s arrive at 1.3, 1.8, .., 4.8 s, and are compared at 1.4, 1.9, .., 4.9 s
    assert missed(run) == 8.0
    assert sum("omitted 8 messages later than the delay" in words for words in run.warnings) == 1


@pytest.mark.parametrize("kind", FILTERS, ids=lambda each: type(each).__name__)
def test_prompt_messages_and_lost_exposures_are_not_missed(kind):
    run = simulated(kind, outages=[(1.2, 2.7)])
    assert missed(run) == 0.0
    assert not any("omitted" in words for words in run.warnings)


def window(messages):
    """Return parameters and memory of a filter with room for some messages, started at 0."""
    room = Window(late=1.0, readings=20, messages=messages, innovations=1, period=0.1, ages=(1.0,))
    gates = np.full(2, 1e9)
    numbers = np.array(room.numbers(kind=0, noise=1e-5, walk=1e-8, gates=gates, restart=0, start=START))
    memory = room.memory(*start_of(**START), lost=False)
    begin(memory, 0.0)
    return numbers, memory


def test_messages_without_room_in_the_window_are_counted():
    q, z = window(3)
    row = np.zeros(SIGHTING.size)
    row[0] = 1.0
    for k in range(5):
        accept(q, z, 0.1 * (k + 1), 0, 0, row, 0)
    assert z[FILTER_MEMORY.messages] == 3.0
    assert z[FILTER_MEMORY.missed] == 2.0


def test_messages_older_than_base_count_unless_before_start():
    q, z = window(3)
    row = np.zeros(SIGHTING.size)
    z[FILTER_MEMORY.started], z[FILTER_MEMORY.base_time] = 2.0, 5.0
    for seen in (1.0, 4.0, 5.0):
        accept(q, z, seen, 0, 0, row, 0)
    assert z[FILTER_MEMORY.messages] == 1.0
    assert z[FILTER_MEMORY.missed] == 1.0
