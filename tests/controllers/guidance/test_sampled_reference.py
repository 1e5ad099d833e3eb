"""Sampled reference: order of convergence, ends, and rejected input."""

import numpy as np
import pytest

from polhode import controllers
from polhode.plant import InputError

SLEW = controllers.EigenaxisSlew(
    (1, 0, 0, 0), (0.6, 0.0, 0.48, 0.64), rate_limit=0.05, acceleration_limit=0.01, profile="smooth"
)


def off(n):
    """Return the largest differences of attitude and rate between a slew and its interpolation by n attitudes."""
    t = np.linspace(0.0, 40.0, n)
    found = controllers.SampledReference(t, [SLEW.at(each)[:4] for each in t])
    when = np.linspace(10.0, 30.0, 1013)  # away from the ends and from the nodes, where it is more accurate
    a, b = (np.array([each.at(s) for s in when.tolist()]) for each in (found, SLEW))
    return np.abs(a[:, :4] - b[:, :4]).max(), np.abs(a[:, 4:7] - b[:, 4:7]).max()


def test_sampled_reference_converges_as_cubic_spline():
    coarse, fine = off(81), off(161)
    assert 12.0 < coarse[0] / fine[0] < 20.0  # h^4
    assert 6.0 < coarse[1] / fine[1] < 10.0  # h^3
    assert fine[0] < 1e-7


def test_sampled_reference_ignores_quaternion_signs():
    t = np.linspace(0.0, 4.0, 9)
    e = np.array([SLEW.at(each)[:4] for each in t])
    flipped = e * np.where(np.arange(9) % 3 == 1, -1.0, 1.0)[:, None]
    one, other = controllers.SampledReference(t, e), controllers.SampledReference(t, flipped)
    np.testing.assert_array_equal(one.parameters, other.parameters)


def test_sampled_reference_with_rates_follows_a_switched_torque():
    """Bang-bang about z at 2 rad/s^2 with a sample at the switch: Hermite cubics err by h^2 in the acceleration."""
    t = np.linspace(0.0, 2.0, 81)
    slew = controllers.EigenaxisSlew((1, 0, 0, 0), (np.cos(1), 0, 0, np.sin(1)), acceleration_limit=2.0)
    assert slew.duration == pytest.approx(2.0)
    rows = np.array([slew.at(each) for each in t])
    found = controllers.SampledReference(t, rows[:, :4], rate=rows[:, 4:7])
    for when in (0.513, 0.99, 1.01, 1.7):
        np.testing.assert_allclose(found.at(when)[:7], slew.at(when)[:7], atol=5e-6)
        np.testing.assert_allclose(found.at(when)[9], 2.0 if when < 1.0 else -2.0, atol=1e-3)
    np.testing.assert_allclose(found.at(5.0), [np.cos(1), 0, 0, np.sin(1), 0, 0, 0, 0, 0, 0], atol=1e-12)


def test_sampled_reference_rejects_rates_of_another_size():
    with pytest.raises(InputError, match=r"three numbers \(rad/s\) for each of 2 times; got shape \(3,\)"):
        controllers.SampledReference([0, 1], [[1, 0, 0, 0]] * 2, rate=(0, 0, 1))


@pytest.mark.parametrize(
    ("t", "e", "words"),
    [
        ([0.0], [[1, 0, 0, 0]], "two attitudes or more"),
        ([0.0, 0.0], [[1, 0, 0, 0]] * 2, "times of attitudes must ascend; got 0 and then 0 s"),
        ([0.0, 1.0], [[1, 0, 0, 0], [1, 0.1, 0, 0]], "at 1 s must be of unit norm"),
        ([0.0, 1.0], [[1, 0, 0, 0], [0, 1, 0, 0]], "are 180 degrees apart"),
    ],
)
def test_sampled_reference_rejects_bad_input(t, e, words):
    with pytest.raises(InputError, match=words):
        controllers.SampledReference(t, e)
