"""Checks of a block's arguments."""

import pytest

from polhode.controllers import Block, Clock, Signal
from polhode.plant import InputError


def copy(t, y, q, z, v):
    v[0] = y[0]


GOOD = {"reads": "rate", "writes": "rate", "clock": Clock(0.1)}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"clock": 0.1}, r"clock must be .*Clock\(0.1\)"),
        ({"reads": ()}, r"the block 'copy' reads \(\); give one or more names of signals"),
        ({"reads": ("rate", "rate")}, "reads a signal twice: rate, rate"),
        ({"writes": ()}, r"the block 'copy' writes \(\)"),
        ({"writes": {"gyro": 0}}, "writes 'gyro' of width 0; a width must be 1 or more"),
        ({"writes": {"gyro": 2.5}}, "of width 2.5"),
        ({"parameters": ("a",)}, "block parameters must be numbers"),
        ({"memory": (float("inf"),)}, "block memory must be finite"),
        ({"compiled": False, "memory": (1.0,)}, "parameters and memory belong to a compiled block"),
        ({"compiled": 1}, "compiled"),
        ({"name": 3}, "name"),
        ({"linear": 1.0}, "linear=... of the block 'copy' must be a BlockForm"),
        (
            {"writes": {"a": Signal(role="torque"), "b": Signal(role="torque")}},
            "the block 'copy' writes a and b with the role 'torque'",
        ),
    ],
)
def test_block_rejects_bad_arguments(wrong, words):
    with pytest.raises(InputError, match=words):
        Block(copy, **{**GOOD, **wrong})


def test_block_has_a_name():
    with pytest.raises(InputError, match=r"must be callable as kernel\(t, y, q, z, v\); got 3"):
        Block(3, **GOOD)  # pyright: ignore[reportArgumentType]


def test_block_units_are_those_of_its_output():
    two = Block(copy, reads="rate", writes={"gyro": Signal(3, "rad/s"), "ok": 1}, clock=Clock(0.1))
    assert two.writes == {"gyro": Signal(3, "rad/s"), "ok": Signal(1)}
    assert two.widths == {"gyro": 3, "ok": 1}


def test_block_beside_is_a_monitor():
    block = Block(
        lambda t, y: [*y, 1.0, t],
        reads="rate",
        writes={"gyro": Signal(5, "rad/s", role="timestamped"), "spare": Signal(1, role="attitude estimate")},
        clock=Clock(0.1),
        compiled=False,
    )
    found = block.as_monitor({"gyro": "copy", "spare": "other"})
    assert (found.recorded, block.recorded) == (True, False)
    assert found.widths == {"copy": 5, "other": 1}
    assert (found.writes["copy"].unit, found.attitude_estimate, found.timestamped) == ("rad/s", "other", "copy")
    assert block.widths == {"gyro": 5, "spare": 1}
    with pytest.raises(InputError, match="'gyr'"):
        block.as_monitor({"gyr": "copy"})
    with pytest.raises(InputError, match="would write one signal twice: spare, spare"):
        block.as_monitor({"gyro": "spare"})
