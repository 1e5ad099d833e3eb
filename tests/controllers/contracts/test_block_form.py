"""Linear form of a block: exact, by differences, user-defined, or rejected with the reason."""

import math
from typing import Any

import numpy as np
import pytest

from polhode.controllers import Block, BlockForm, Clock
from polhode.plant import DesignError, InputError


def bent(t, y, q, z, v):
    """A smooth nonlinear kernel with a memory at rest at q[1]."""
    z[0] = 0.9 * z[0] + 0.1 * q[1] * math.cos(0.0 * t) + 0.2 * y[0]
    v[0] = q[0] * y[0] + y[0] * y[0] + z[0] * z[0]


def smooth(t, y, q, z, v):
    z[0] = 0.8 * z[0] + 0.2 * y[0]
    v[0] = 3.0 * z[0] + y[1] / (1.0 + y[1] * y[1])


def rounds(t, y, q, z, v):
    v[0] = q[0] * math.floor(y[0].real / q[0] + 0.5)


def counts(t, y, q, z, v):
    z[0] += 1.0
    v[0] = y[0]


def kinked(t, y, q, z, v):
    v[0] = y[0] if y[0].real > 0.0 else 2.0 * y[0]


def block(function, reads="momentum", writes="one", **more) -> Any:
    return Block(function, reads=reads, writes={writes: 1}, clock=Clock(0.1), **more)


def matrices(form) -> Any:
    return [np.asarray(getattr(form, name)) for name in "ABCD"]


def test_block_form_of_kernel_is_exact_to_round_off():
    form = block(smooth, memory=(0.0,)).small_signal([0.0, 0.5], width=1)
    expected = [0.8], [0.2, 0.0], [2.4], [0.6, (1.0 - 0.25) / 1.25**2]
    for found, wanted in zip(matrices(form), expected, strict=True):
        np.testing.assert_allclose(found.ravel(), wanted, rtol=0, atol=1e-15)
    assert form.at(np.array([0.0, 0.5])) == pytest.approx(0.4)


def test_block_form_uses_memory_at_rest():
    form = block(bent, parameters=(2.0, 5.0), memory=(0.0,)).small_signal([0.0], width=1)
    for found, wanted in zip(matrices(form), (0.9, 0.2, 9.0, 2.0 + 2.0 * 5.0 * 0.2), strict=True):
        assert found.item() == pytest.approx(wanted, abs=1e-9)
    assert form.at(np.zeros(1)) == pytest.approx(25.0)


def test_block_form_of_plain_python_is_by_differences():
    form = block(lambda t, y: [math.sin(y[0]) * 3.0], compiled=False).small_signal([0.4], width=1)
    assert pytest.approx(3.0 * math.cos(0.4), rel=1e-8) == form.D


def hidden() -> Any:
    kept = [0.0]

    def remembers(t, y):
        kept[0] = 0.5 * kept[0] + 0.5 * y[0]
        return [kept[0]]

    return remembers


@pytest.mark.parametrize("step", [1.0, 1e-2, 7e-5, 3e-6])
@pytest.mark.parametrize("compiled", [True, False])
def test_block_form_of_rounding_is_rejected(step, compiled):
    """For any step: the zero gain within a step is not used."""
    rounding = (
        block(rounds, parameters=(step,))
        if compiled
        else block(lambda t, y: [step * round(y[0] / step)], compiled=False)
    )
    with pytest.raises(DesignError, match=r"it rounds or has a dead zone|changes abruptly"):
        rounding.small_signal([0.0], width=1)
    told = block(rounds, parameters=(step,), linear=BlockForm(D=[[1.0]], words="rounding is treated as unity gain"))
    assert told.small_signal([0.0], width=1).D == 1.0


def test_block_form_of_fine_rounding_is_gain_of_one():
    assert pytest.approx(1.0, rel=1e-4) == block(rounds, parameters=(1e-13,)).small_signal([0.0], width=1).D


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (block(counts, memory=(0.0,)), "the memory of the block 'counts' does not settle"),
        (block(kinked), "the block 'kinked' changes abruptly"),
        (
            block(lambda t, y: [t + y[0]], compiled=False, name="clock"),
            "the block 'clock' changes its output at constant input",
        ),
        (block(hidden(), compiled=False), "the block 'remembers' returns different outputs for the same input"),
        (block(lambda t, y: [1 / float(y[0])], compiled=False, name="pole"), "'pole' raised ZeroDivisionError at the"),
        (block(lambda t, y: [1 / y[0]], compiled=False, name="pole"), "the block 'pole' returns no finite value"),
        (block(counts, memory=(0.0,), random=True), "the block 'counts' draws random numbers"),
    ],
    ids=["counts", "kinked", "time", "hidden memory", "raises", "not finite", "random"],
)
def test_block_without_form_gives_the_reason(made, words):
    with pytest.raises(DesignError, match=words):
        made.small_signal([0.0], width=1)


def test_block_form_can_depend_on_operating_point():
    made = block(rounds, parameters=(1.0,), linear=lambda y: BlockForm(D=[[2.0 * y[0]]], rests=[7.0]))
    form = made.small_signal([3.0], width=1)
    assert (form.D, form.at(np.zeros(1))) == (6.0, 7.0)
    for wrong in (BlockForm(D=np.eye(2)), 1.0):
        bad: Any = lambda y, wrong=wrong: wrong  # noqa: E731 # one line each
        with pytest.raises(InputError, match="linear form of the block 'rounds' must be a BlockForm with D of 1 x 1"):
            block(rounds, parameters=(1.0,), linear=bad).small_signal([0.0], width=1)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"D": np.eye(3), "A": np.eye(2)}, "B of a block's linear form must be 2 x 3"),
        ({"D": [[np.inf]]}, "D of a block's linear form"),
        ({"D": np.eye(2), "rests": [1.0]}, "rests must be 2 numbers"),
        ({"D": [[1.0]], "A": [[np.nan]], "B": [[1.0]], "C": [[1.0]]}, "A of a block's linear form must be finite"),
    ],
)
def test_block_form_rejects_bad_matrices(wrong, words):
    with pytest.raises(InputError, match=words):
        BlockForm(**wrong)
