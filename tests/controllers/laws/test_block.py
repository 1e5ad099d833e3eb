"""Checks of a block's arguments."""

import pytest

from polhode.controllers import Block
from polhode.plant import InputError


def copy(t, y, q, z, v):
    v[0] = y[0]


GOOD = {"reads": "rate", "writes": "rate", "sample": 0.1}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"sample": 0.0}, "sample"),
        ({"sample": float("nan")}, "sample"),
        ({"offset": -0.1}, "offset must not be negative"),
        ({"delay": -0.1}, "delay must not be negative"),
        ({"delay": 200.0}, "more than 1000 samples"),
        ({"reads": ()}, r"the block 'copy' reads \(\); give the name of a signal"),
        ({"reads": ("rate", "rate")}, "reads a signal twice: rate, rate"),
        ({"writes": ()}, r"the block 'copy' writes \(\)"),
        ({"writes": {"gyro": 0}}, "writes 'gyro' of width 0; a width is 1 or more"),
        ({"writes": {"gyro": 2.5}}, "of width 2.5"),
        ({"parameters": ("a",)}, "block parameters must be numbers"),
        ({"memory": (float("inf"),)}, "block memory must be finite"),
        ({"compiled": False, "memory": (1.0,)}, "parameters and memory belong to a compiled block"),
        ({"compiled": 1}, "compiled"),
        ({"name": 3}, "name"),
        ({"linear": 1.0}, "linear of the block 'copy' must be a BlockForm"),
        ({"units": 3}, "units"),
        ({"units": {"gyro": "rad/s"}}, "gives a unit: 'gyro' is unknown"),
    ],
)
def test_block_rejects_bad_arguments(wrong, words):
    with pytest.raises(InputError, match=words):
        Block(copy, **{**GOOD, **wrong})


def test_block_has_a_name():
    with pytest.raises(InputError, match=r"must be callable as function\(t, y, q, z, v\); got 3"):
        Block(3, **GOOD)  # pyright: ignore[reportArgumentType]


def test_block_units_are_those_of_its_output():
    assert Block(copy, **GOOD, units="rad/s").units == {"rate": "rad/s"}
    two = Block(copy, reads="rate", writes={"gyro": 3, "ok": 1}, sample=0.1, units={"gyro": "rad/s"})
    assert two.units == {"gyro": "rad/s", "ok": ""}


def test_block_beside_is_a_monitor():
    block = Block(
        lambda t, y: [*y, 1.0, t], reads="rate", writes={"gyro": 5, "spare": 1}, sample=0.1, compiled=False,
        units={"gyro": "rad/s"}, estimates="spare", stamped="gyro",
    )  # fmt: skip
    found = block.beside({"gyro": "copy", "spare": "other"})
    assert (found.recorded, block.recorded) == (True, False)
    assert dict(found.writes) == {"copy": 5, "other": 1}
    assert (found.units["copy"], found.estimates, found.stamped) == ("rad/s", "other", "copy")
    assert dict(block.writes) == {"gyro": 5, "spare": 1}
    with pytest.raises(InputError, match="'gyr'"):
        block.beside({"gyr": "copy"})
    with pytest.raises(InputError, match="would write one signal twice: spare, spare"):
        block.beside({"gyro": "spare"})
    with pytest.raises(InputError, match="estimates"):
        Block(lambda t, y: y, reads="rate", writes={"a": 3}, sample=0.1, compiled=False, estimates="b")
