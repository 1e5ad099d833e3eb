"""Sampling jitter compared with the exact motion at the random times, and in margins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Block, Clock, blocks, draw_uniforms
from polhode.plant.attitude import attitude_error, to_rotation_vector
from polhode.plant.errors import InputError

RATE = (0.3, -0.4, 0.9)


def copy(t, y, q, z, v):
    for n in range(v.size):
        v[n] = y[n]


def tumbling() -> Any:
    return plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))


def seen(T: float, **run: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return attitude and rate read by a block with jitter, and the lead before its samples."""
    inner = Block(copy, reads=("attitude", "rate"), writes={"told": 7}, clock=Clock(T), name="eye")
    taking, echo = blocks.jitter(inner, 0.8 * T)
    law = controllers.CustomLaw(lambda t, y, r: np.zeros(3), compiled=False, sample=T)
    flown = sim.simulate(
        tumbling(), law, rate=RATE, duration=20 * T, output_step=T, integrator="rk8", step=T / 4.0,
        blocks=[taking, echo.as_monitor()], compiled=False, **{"seed": 3, **run},
    )  # fmt: skip
    numbers = taking.seeded(seed=run.get("seed", 3), run_index=run.get("run_index") or 0).parameters
    early = np.array([0.8 * T * draw_uniforms(numbers, float(k), 0)[0] for k in range(21)])
    return flown.t, flown.values("told"), early


def exactly(t: np.ndarray, T: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the exact motion at any times."""
    flown = sim.simulate(
        tumbling(), rate=RATE, duration=20 * T, output_times=np.sort(t), integrator="rk8", step=T / 4.0, compiled=False
    )
    at = np.searchsorted(flown.t, t - 1e-12)
    return flown.values("attitude")[at], flown.values("rate")[at]


def test_jitter_interpolates_the_state_to_second_order():
    off = []
    for T in (0.1, 0.05):
        t, told, early = seen(T)
        e, w = exactly(t[1:] - early[1:], T)
        turn = np.abs(to_rotation_vector(attitude_error(told[1:, :4], e)))[:6].max()
        off.append((turn, np.abs(told[1:, 4:] - w)[:6].max()))  # near the start, where both motions agree
        late, _ = exactly(t[1:], T)  # a sensitive check: the motion at the samples differs
        assert np.abs(to_rotation_vector(attitude_error(told[1:, :4], late))).max() > 0.02 * T / 0.1
    ratios = np.array(off[0]) / np.array(off[1])
    assert (np.abs(ratios - 4.0) < 0.3).all()
    assert off[1][1] < 0.05**2 / 8.0 * 1.0  # u (T - u) |w''|/2, |w''| below 1 rad/s^3 here


def test_jitter_is_random_per_sample_and_run_and_reproducible():
    _, told, early = seen(0.1)
    _, again, _ = seen(0.1)
    _, other, _ = seen(0.1, run_index=1)
    assert np.array_equal(told, again)
    assert not np.array_equal(told, other)
    assert early.std() == pytest.approx(0.08 / np.sqrt(12.0), rel=0.4)


def test_jitter_counts_as_mean_delay_in_margins():
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)))
    model = craft.linearize(craft.at_rest())
    law: Any = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.7, sample=0.1)
    inner = Block(copy, reads=("attitude", "rate"), writes={"attitude": 4, "rate": 3}, clock=Clock(0.1), name="eye")
    pair = blocks.jitter(inner, 0.08)
    found, bare = law.margins(model, blocks=pair), law.margins(model)
    assert found.delay_s == pytest.approx(bare.delay_s - 0.04, rel=2e-3)
    assert "its jitter is treated as the mean delay of 0.04 s" in str(found)
    rest = np.concatenate(((1.0, 0.0, 0.0, 0.0), np.zeros(3)))
    quiet = pair[0].linear_equivalent(rest)  # as in runs that verify margins: the mean delay at each sample
    t = np.arange(5) * 0.1
    rows = np.hstack((np.tile(rest[:4], (5, 1)), np.outer(t**2, (1.0, 2.0, 3.0))))
    before = np.vstack((rows[:1], rows[:-1]))
    np.testing.assert_allclose(quiet.replay(t, rows)[:, 4:], (0.6 * rows + 0.4 * before)[:, 4:], atol=1e-15)


@pytest.mark.parametrize(
    ("reads", "width", "words"),
    [
        ("command", 0.01, "'command', which is held between samples"),
        ("rate", 0.2, "beyond its period of 0.1 s"),
        ("rate", -1.0, "width"),
    ],
)
def test_jitter_rejects_bad_input(reads, width, words):
    inner = Block(copy, reads=reads, writes={reads: 3}, clock=Clock(0.1), name="eye")
    with pytest.raises(InputError, match=words):
        blocks.jitter(inner, width)
