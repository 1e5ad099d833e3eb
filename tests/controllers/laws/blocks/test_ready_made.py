"""Ready-made blocks: their outputs in runs and replays, and their linear forms."""

from typing import Any

import numpy as np
import pytest
from scipy import signal

from polhode import controllers, plant, sim
from polhode.controllers import Block, Signal, blocks

T = 0.1 * np.arange(80)
STEP = np.where(T > 0.35, 1.0, 0.0)[:, None] * np.array([1.0, -2.0, 0.5])


def run_of(block, y=STEP, **more) -> Any:
    return block.replay(T, y, compiled=False, **more)


def recursion(form, y) -> Any:
    """Return the output of the linear form for a record."""
    A, B, C, D = (np.asarray(each) for each in (form.A, form.B, form.C, form.D))
    z, rows = np.zeros(len(A)), []
    for row in y:
        rows.append(C @ z + D @ row)
        z = A @ z + B @ row
    return np.array(rows)


MADE = {
    "lag": blocks.low_pass(frequency=2.0, reads="rate", sample=0.1),
    "second order": blocks.low_pass(frequency=3.0, order=2, damping_ratio=0.4, reads="rate", sample=0.1),
    "transfer function": blocks.transfer_function([1.0, 0.2, 3.0], [2.0, 1.0, 4.0, 3.0], reads="rate", sample=0.1),
    "straight through": blocks.transfer_function([3.0, 1.0], [1.0, 2.0], reads="rate", sample=0.1),
    "a number": blocks.transfer_function([2.0], [4.0], reads="rate", sample=0.1),
    "state-space": blocks.state_space([[0.5, 0.1], [0, 0.2]], [1, 2], C=[1, 0], D=0.3, reads="rate", sample=0.1),
    "delay": blocks.delay(reads="rate", sample=0.1),
}


@pytest.mark.parametrize("name", MADE)
def test_linear_blocks_match_their_linear_form(name):
    block = MADE[name]
    form = block.small_signal(np.zeros(3), width=3)
    np.testing.assert_allclose(run_of(block), recursion(form, STEP), rtol=0, atol=1e-14)
    noise = np.random.default_rng(1).normal(size=STEP.shape)
    np.testing.assert_allclose(run_of(block, noise), recursion(form, noise), rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("name", "top", "bottom"),
    [
        ("lag", [2.0], [1.0, 2.0]),
        ("second order", [9.0], [1.0, 2.4, 9.0]),
        ("transfer function", [1.0, 0.2, 3.0], [2.0, 1.0, 4.0, 3.0]),
        ("straight through", [3.0, 1.0], [1.0, 2.0]),
    ],
)
def test_linear_blocks_match_step_response_of_continuous_system(name, top, bottom):
    """Compared with scipy's continuous step response at the samples."""
    _, answer = signal.step((top, bottom), T=np.arange(76) * 0.1)
    np.testing.assert_allclose(run_of(MADE[name])[4:, 0], answer, rtol=0, atol=1e-9)


def test_quantiser_and_rate_limit_values():
    ramp = np.linspace(-1.0, 1.0, 80)[:, None] * np.array([1.0, 2.0, 3.0])
    rounded = run_of(blocks.quantizer((0.5, 0.1, 1e-9), reads="rate", sample=0.1), ramp)
    assert np.abs(rounded - ramp).max(axis=0) == pytest.approx([0.25, 0.05, 5e-10], rel=0.1)
    np.testing.assert_allclose(rounded[:, 0] / 0.5, np.round(rounded[:, 0] / 0.5), atol=1e-12)
    slow = run_of(blocks.rate_limiter(2.0, reads="rate", sample=0.1))
    assert np.abs(np.diff(slow, axis=0)).max() == pytest.approx(0.2)
    np.testing.assert_allclose(slow[-1], STEP[-1])


def test_dropout_holds_the_last_sample():
    y = np.cumsum(np.ones((80, 3)), axis=0)
    at = run_of(blocks.dropout(times=[0.0, 0.5, 0.61], reads="rate", sample=0.1), y)[:, 0]
    assert at.tolist() == [1, 2, 3, 4, 5, 5, 5, *range(8, 81)]
    many = np.tile(np.arange(4000.0)[:, None], (1, 3))
    block = blocks.dropout(probability=0.2, reads="rate", sample=0.1, name="radio")
    told = block.replay(0.1 * np.arange(4000), many, seed=4, compiled=False)[:, 0]
    lost = told != many[:, 0]
    assert lost.mean() == pytest.approx(0.2, abs=4.0 * np.sqrt(0.16 / 4000))
    assert (told[lost] < many[lost, 0]).all()
    other = block.replay(0.1 * np.arange(4000), many, seed=5, compiled=False)[:, 0]
    assert (other != told).any()


@pytest.mark.thinned(4)
@pytest.mark.parametrize("name", [*MADE, "quantised", "rate-limited", "dropout"])
def test_ready_made_blocks_are_equal_compiled_and_in_python(name):
    block = {
        **MADE,
        "quantised": blocks.quantizer(0.03, reads="rate", sample=0.1),
        "rate-limited": blocks.rate_limiter(0.5, reads="rate", sample=0.1),
        "dropout": blocks.dropout(probability=0.3, reads="rate", sample=0.1),
    }[name]
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)))
    law = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.7, sample=0.1)
    fast, slow = (
        sim.simulate(
            craft, law, blocks=[block], attitude=(0.8, 0, 0.6, 0), rate=(0.1, -0.2, 0.3), duration=3.0, seed=3,
            integrator="rk8", step=0.1, compiled=compiled,
        )
        for compiled in (True, False)
    )  # fmt: skip
    np.testing.assert_allclose(slow.states, fast.states, rtol=0, atol=1e-13)


def test_ready_made_blocks_names_and_widths():
    wide = blocks.delay(reads=("rate", "momentum"), writes="both", sample=0.1)
    assert wide.widths == {"both": 6}
    assert blocks.quantizer(1.0, reads="gyro", width=2, sample=0.1, unit="V").writes == {"gyro": Signal(2, "V")}
    assert isinstance(blocks.low_pass(frequency=1.0, reads="command", sample=0.1, name="mine", delay=0.1), Block)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: blocks.delay(reads="gyro", sample=0.1), "the width of 'gyro' is unknown; give width"),
        (lambda: blocks.delay(reads=("rate", "momentum"), sample=0.1), "needs a name for its output; give writes"),
        (lambda: blocks.delay(reads=(), sample=0.1), "a block reads a signal"),
        (lambda: blocks.low_pass(frequency=1.0, reads="attitude", sample=0.1), "Euler parameters have two signs"),
        (lambda: blocks.rate_limiter(1.0, reads="attitude", sample=0.1), "Euler parameters have two signs"),
        (
            lambda: blocks.low_pass(frequency=1.0, order=3, reads="rate", sample=0.1),
            "order must be at most 2; got 3 .a",
        ),
        (lambda: blocks.low_pass(frequency=0.0, reads="rate", sample=0.1), "frequency must be greater than 0"),
        (lambda: blocks.transfer_function([1, 0, 0], [1, 1], reads="rate", sample=0.1), "the numerator has degree 2"),
        (lambda: blocks.transfer_function([1], [0.0], reads="rate", sample=0.1), "but the denominator only"),
        (
            lambda: blocks.state_space([[1.0]], [1, 2], C=[1], D=0, reads="rate", sample=0.1),
            "B and C must have 1 numbers",
        ),
        (lambda: blocks.quantizer(0.0, reads="rate", sample=0.1), "step must be greater than 0"),
        (lambda: blocks.rate_limiter(-1.0, reads="rate", sample=0.1), "rate must be greater than 0"),
        (lambda: blocks.dropout(reads="rate", sample=0.1), "a dropout needs either probability or times"),
        (
            lambda: blocks.dropout(probability=1.0, reads="rate", sample=0.1),
            "probability must be below 1; got 1",
        ),
    ],
)
def test_ready_made_blocks_reject_bad_input(make, words):
    with pytest.raises(plant.InputError, match=words):
        make()
