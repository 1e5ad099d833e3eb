"""A loop is built once for a spacecraft, a law and its blocks, and anew for any other."""

import gc
import weakref

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers import blocks
from polhode.controllers.loop.shared_loop import shared_loop

MOMENTS = np.array([400.0, 307.8, 200.0])


@pytest.fixture
def craft():
    return plant.Spacecraft(plant.RigidBody(MOMENTS), torques=plant.TorqueBasis("body", limit=1.0))


def law_of(craft, **more):
    model = craft.linearize(craft.at_rest())
    return controllers.lqr(model, attitude=25.0, rate=1.0, effort=1.0, sample=0.1, **more)


def test_shared_loop_is_built_once(craft):
    law = law_of(craft)
    model, again = (craft.linearize(craft.at_rest()) for _ in range(2))
    assert model is not again
    loop = shared_loop(craft, law, model)
    assert shared_loop(craft, law, again) is loop
    assert np.array_equal(loop.poles(), law.loop(model).poles())


def test_shared_loop_differs_with_law_model_and_blocks(craft):
    law, model = law_of(craft), craft.linearize(craft.at_rest())
    loop = shared_loop(craft, law, model)
    heavy = plant.Spacecraft(plant.RigidBody(1.1 * MOMENTS), torques=craft.torques)
    late = blocks.low_pass(frequency=2.0, reads="rate", sample=0.1)
    others = [
        (shared_loop(craft, law_of(craft, delay=0.05), model), law_of(craft, delay=0.05).loop(model)),
        (shared_loop(craft, law, heavy.linearize(heavy.at_rest())), law.loop(heavy.linearize(heavy.at_rest()))),
        (shared_loop(craft, law, model, (late,)), law.loop(model, blocks=(late,))),
    ]
    for shared, own in others:
        assert shared is not loop
        assert np.array_equal(shared.poles(), own.poles())
        assert not np.array_equal(shared.poles(), loop.poles())


def test_shared_loop_evaluates_plain_python_every_time(craft):
    model = craft.linearize(craft.at_rest())
    gains = [1.0]

    def command(t, y, r):
        return -gains[0] * (20.0 * y[4:7] + 200.0 * y[7:10])

    law = controllers.CustomLaw(command, sample=0.1, compiled=False)
    before = shared_loop(craft, law, model).poles()
    gains[0] = 2.0
    assert not np.array_equal(shared_loop(craft, law, model).poles(), before)


def test_shared_loop_ends_with_the_spacecraft():
    craft = plant.Spacecraft(plant.RigidBody(MOMENTS), torques=plant.TorqueBasis("body", limit=1.0))
    law = law_of(craft)
    loop = weakref.ref(shared_loop(craft, law, craft.linearize(craft.at_rest())))
    assert loop() is not None
    del craft
    gc.collect()
    assert loop() is None
