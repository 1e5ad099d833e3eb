"""Names of signals: refused ones and their messages."""

import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Block, Clock


def copy(t, y, q, z, v):
    for n in range(v.size):
        v[n] = y[n]


def block(reads, writes, **more):
    return Block(copy, reads=reads, writes=writes, clock=Clock(more.pop("sample", 0.1), **more))


RATE = block("rate", "rate")
COMMAND = block("command", "command")


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        ([block("rtae", "rate")], "signal that block 1 \\('copy'\\) reads: 'rtae' is unknown; did you mean 'rate'"),
        ([block("gyro", "rate"), block("rate", {"gyro": 3})], "block 1 .*reads: 'gyro' is unknown"),
        ([block("rate", "gyro")], "writes 'gyro', which does not exist before it; .*writes={'gyro': 3}"),
        ([block("rate", {"gyro": 3})], "writes 'gyro', which nothing behind it reads"),
        ([block("rate", {"rate": 4})], "writes 4 components for 'rate', which has 3"),
        ([block("rate", {"command": 2})], "writes 2 components for 'command', which has 3"),
        ([block("rate", "applied")], "writes 'applied', the command in force, which only the plant writes"),
        ([block("command", "rate")], "writes 'rate' behind the law, which has read it already: .*'applied'"),
        ([COMMAND, RATE], r"block 2 \('copy'\) writes 'rate' behind the law"),
        ([block("rate", "rate", sample=0.0314159265358979)], r"sample of block 1 .*no tick of 1e-9 s or longer"),
        ([block("rate", "rate", offset=1e-9 / 3)], r"offset of block 1 .*no tick of 1e-9 s or longer"),
    ],
)
def test_wiring_refuses_signals_that_do_not_fit(blocks, words):
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    law = controllers.RateDamping(gain=1.0, sample=0.1)
    with pytest.raises(plant.InputError, match=words):
        sim.simulate(craft, law, duration=1.0, blocks=blocks)


def test_blocks_want_a_law_and_are_blocks():
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    with pytest.raises(plant.InputError, match="blocks need a law, but this run has none"):
        sim.simulate(craft, duration=1.0, blocks=[RATE])
    with pytest.raises(plant.InputError, match="each of blocks"):
        sim.simulate(craft, controllers.RateDamping(gain=1.0, sample=0.1), duration=1.0, blocks=[copy])  # pyright: ignore[reportArgumentType]
