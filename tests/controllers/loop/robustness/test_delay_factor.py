"""Robust delay margins: closed forms, aliasing, and never above those of any loop."""

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers.loop.robustness.delay_factor import folded, samples_late
from polhode.controllers.loop.robustness.shapes import SHAPES, Shape

MOMENTS = np.array([4.0, 5.0, 6.0])
FREQUENCY, SAMPLE = 0.3, 0.05


def rigid(moments, rate=(0.0, 0.0, 0.0)):
    craft = plant.Spacecraft(plant.RigidBody(moments))
    return craft.linearize(craft.at_rest() if not np.any(rate) else craft.state(rate=rate))


def proportional_and_rate(sample=SAMPLE):
    """On every axis (w^2 + 1.4 w s) / s^2."""
    craft = plant.Spacecraft(plant.RigidBody(MOMENTS))
    return controllers.quaternion_feedback(craft, frequency=FREQUENCY, damping_ratio=0.7, sample=sample)


def phase_over_frequency(heavier):
    """Phase margin over crossover of (w^2 + 1.4 w s) / (r s^2), s."""
    k, c = FREQUENCY**2 / heavier, 1.4 * FREQUENCY / heavier
    crossover = np.sqrt(0.5 * (c**2 + np.sqrt(c**4 + 4.0 * k**2)))
    return np.arctan(c * crossover / k) / crossover


@pytest.mark.parametrize(
    ("margin", "spread"),
    [("delay_margin_s", 0.0), pytest.param("one_input_delay_margin_s", 0.2, marks=pytest.mark.slow)],
)
def test_delay_margin_of_double_integrator_is_phase_over_frequency(margin, spread):
    law = proportional_and_rate()
    # a held command already has half a sample of delay; the next term of the phase of a hold is (w h)^3
    closed = min(phase_over_frequency(1.0 + r) for r in np.linspace(-spread, spread, 41)) - 0.5 * SAMPLE
    found = controllers.robust_margin_bound(
        lambda x: law.loop(rigid(MOMENTS * (1.0 + spread * x[0]))),
        numbers=1, margin=margin, found=closed, within=0.01,
    )  # fmt: skip
    assert found.exact
    assert found.value == pytest.approx(0.99 * closed)
    assert "effect of a fractional delay" in found.explanation
    beyond = controllers.robust_margin_bound(
        lambda x: law.loop(rigid(MOMENTS * (1.0 + spread * x[0]))),
        numbers=1, margin=margin, found=1.02 * closed, within=0.001, boxes=1,
    )  # fmt: skip
    assert beyond.value is not None
    assert beyond.value < closed


def test_aliasing_of_delay_is_sum_over_images():
    """T_f = 1/h sum over n of (exp(-2 pi j n f) - 1) P(s_n) (1 - exp(-j theta)) / s_n, s_n = j (theta + 2 pi n) / h.

    The sum is truncated at 20,000 images, an error of at most 1e-4; of the fractions tested, 1/2 is the largest.
    """
    sample = 1.0
    found = folded([proportional_and_rate(sample).loop(rigid(MOMENTS))])
    n = np.arange(-20_000, 20_001)
    n = n[n != 0]
    for place in (20, 40, 55, 62):
        theta = found.tops[place]
        s = 1j * (theta + 2.0 * np.pi * n) / sample
        images = (FREQUENCY**2 + 1.4 * FREQUENCY * s) / s**2 * (1.0 - np.exp(-1j * theta)) / s / sample
        T = abs(np.sum((np.exp(-1j * np.pi * n) - 1.0) * images))
        # measured also a little below this angle, and covered 1.25 times
        assert np.diag(found.sizes[place]) == pytest.approx(1.25 * T, rel=1e-3)
    assert found.between(0.5, 1.0).max() >= found.sizes[np.searchsorted(found.tops, 0.8)].max()


def test_delay_factor_covers_all_its_phases():
    for size, top in ((3.0, 0.2), (10.0, 0.5), (1.0, 3.0)):
        factor, (block, *_) = Shape((0,), "delay").factor(size, top)
        d = np.linspace(-1.0, 1.0, 21)
        values = factor.start + factor.slope * d / (1.0 - factor.bend * d)
        assert block.kind == "real"
        assert np.abs(values) == pytest.approx(1.0)
        lags = np.mod(-np.angle(values) + 1e-9, 2.0 * np.pi)
        assert lags.min() == pytest.approx(0.0, abs=1e-6)
        assert lags.max() == pytest.approx(size * top, rel=1e-6)
        assert np.all(np.diff(np.sort(lags)) > 0.0)
    _, (whole, *_) = Shape((0,), "delay").factor(30.0, 0.5)
    assert whole.kind == "complex"


@pytest.mark.slow
@pytest.mark.parametrize("sample", [0.3, pytest.param(0.8, marks=pytest.mark.slow)])
def test_no_delay_within_robust_margin_destabilises(sample):
    """Fast loops relative to their sampling, where a fraction of a sample is more than a phase."""
    law = controllers.lqr(rigid(MOMENTS), attitude=1.0, rate=1.0, effort=1.0, sample=sample, delay=0.4 * sample)

    def loop_at(x):
        return law.loop(rigid(MOMENTS * (1.0 + 0.2 * np.array([x[0], -x[0], 0.5 * x[0]]))))

    worst = min(controllers.loop_margin(loop_at((x,)), "delay_margin_s") for x in np.linspace(-1.0, 1.0, 5))
    found = controllers.robust_margin_bound(loop_at, numbers=1, margin="delay_margin_s", found=1.1 * worst, boxes=4)
    assert found.value is not None
    assert 0.7 * worst < found.value < worst
    for x in (-1.0, 0.3, 1.0):
        loop = loop_at((x,))
        for late in np.linspace(0.0, found.value, 9):
            for inputs in ((1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)):
                assert loop.radius(late * np.array(inputs)) < 1.0


def test_waiting_commands_delay_until_they_take_effect():
    def copy(t, s, p, z, u):
        u[:] = s

    shift = controllers.Block(
        copy, reads="command", writes="command", clock=controllers.Clock(SAMPLE, offset=0.6 * SAMPLE)
    )
    law = proportional_and_rate()
    loop = law.loop(rigid(MOMENTS), blocks=(shift,))
    assert loop.taken_up
    assert [samples_late(loop, late * SAMPLE) for late in (0.0, 0.5, 0.6, 0.7, 1.6, 2.0)] == pytest.approx(
        [0.6, 0.6, 0.6, 1.6, 1.6, 2.6]
    )
    assert samples_late(law.loop(rigid(MOMENTS)), 0.7 * SAMPLE) == pytest.approx(0.7)
    margin = controllers.loop_margin(loop, "one_input_delay_margin_s")
    found = controllers.robust_margin_bound(
        lambda x: law.loop(rigid(MOMENTS * (1.0 + 1e-6 * x[0])), blocks=(shift,)),
        numbers=1, margin="one_input_delay_margin_s", found=margin, within=0.05, boxes=1,
    )  # fmt: skip
    assert found.value is not None
    assert 0.9 * margin < found.value < margin


def test_delay_margin_shapes_are_all_and_each_input():
    assert [shape.inputs for shape in SHAPES["delay_margin_s"]] == [(0, 1, 2), (0,), (1,), (2,)]
