"""Margins of a law that holds no attitude, with a gyro that measures it; and simultaneous crossings of all axes."""

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers import Block, BlockForm, Clock
from polhode.controllers.sensing.sensors import RateGyro
from polhode.plant import DesignError

J = np.array((400.0, 300.0, 200.0))
CRAFT = plant.Spacecraft(plant.RigidBody(J))
MODEL = CRAFT.linearize(CRAFT.at_rest())
GYRO = RateGyro(angle_random_walk=1e-5, rate_random_walk=1e-8, bias=1e-4)


def damping(**more):
    return controllers.RateDamping(gain=60.0, sample=0.1, **more)


def test_gyro_delays_by_half_its_interval():
    """With held torque the mean over an interval is the mean of its ends: the poles are those of the delay."""
    gyro = GYRO.block(sample=0.1, shadows=True)
    seen, late = damping().loop(MODEL, blocks=[gyro]), damping(delay=0.05).loop(MODEL)
    assert not seen.attitude
    for factor in (1.0, 10.0, 66.0, 80.0):
        assert seen.radius(factor=(factor,) * 3) == pytest.approx(late.radius(factor=(factor,) * 3), abs=1e-12)
    on_gyro, alone = (damping().margins(MODEL, blocks=blocks) for blocks in ([gyro], ()))
    # a mean also reduces the gain by 1 - cos(w T/2), 1.1e-4 at w = k/J: the crossover of 5.1 s of margin is lower
    assert alone.delay_s - on_gyro.delay_s == pytest.approx(0.05, abs=1.2e-4 * alone.delay_s)


@pytest.mark.parametrize("blocks", [(), (GYRO.block(sample=0.1, shadows=True),)], ids=["delay", "gyro"])
def test_simultaneous_crossings_use_the_first(blocks):
    """z^2 - (1 - a/2) z + a/2, a = k T / J: all axes leave at z = i, where a = 2, the smallest inertia first."""
    margins = damping(delay=0.0 if blocks else 0.05).margins(MODEL, blocks=blocks)
    assert margins.gain_up == pytest.approx(2.0 * J.min() / (60.0 * 0.1), rel=1e-9)
    assert margins.gain_up == pytest.approx(min(axis.gain_up for axis in margins.axes), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("sample", [0.05, 0.2, 0.3])
def test_gyros_of_other_periods_in_loop(sample):
    """Also slower gyros, with a loop period of several samples of the law."""
    gyro = GYRO.block(sample=sample, shadows=True)
    loop = damping().loop(MODEL, blocks=[gyro])
    assert not loop.attitude
    assert np.abs(loop.poles()).max() < 1.0
    margins = damping().margins(MODEL, blocks=[gyro])
    off = 1.0 + 1e-4
    assert loop.radius(factor=(margins.gain_up * off,) * 3) > 1.0 > loop.radius(factor=(margins.gain_up / off,) * 3)


def test_measured_attitude_is_part_of_the_loop():
    """A block that differentiates the attitude: a rotation is then measured, and nothing is removed."""
    odd = Block(
        lambda t, y: y[4:7] + 0.1 * y[1:4], reads=["attitude", "rate"], writes="rate", clock=Clock(0.1), compiled=False,
        linear=BlockForm(D=np.hstack((np.zeros((3, 1)), 0.1 * np.eye(3), np.eye(3)))),
    )  # fmt: skip
    loop = damping().loop(MODEL, blocks=[odd])
    assert loop.attitude
    assert np.abs(loop.poles()).max() < 1.0
    # and one that should hold the attitude but does not measure all of it is not stable
    blind = Block(
        lambda t, y: np.array((1.0, y[1], y[2], 0.0)),
        reads="attitude",
        writes="attitude",
        clock=Clock(0.1),
        compiled=False,
        linear=BlockForm(D=np.diag((0.0, 1.0, 1.0, 0.0)), rests=np.array((1.0, 0, 0, 0))),
    )
    law = controllers.quaternion_feedback(CRAFT, frequency=0.3, damping_ratio=0.8, sample=0.1)
    with pytest.raises(DesignError, match="something is left where it is, such as a turn about an axis"):
        law.margins(MODEL, blocks=[blind])
