"""Filters: their frequency responses, and the loop of a filtered law."""

import control
import numpy as np
import pytest

from polhode import controllers, plant


def law_of(rigid, **timing):
    model = rigid.linearize(rigid.at_rest())
    return controllers.lqr(model, attitude=1.0, rate=9.0, effort=5.0, **{"sample": 0.1, "delay": 0.03, **timing})


def test_notch_has_its_depth_and_width():
    filter_ = controllers.notch(3.0, width=0.2, depth=0.1)
    assert abs(filter_(3j)) == pytest.approx(0.1, rel=1e-12)
    assert abs(filter_(0j)) == pytest.approx(1.0, rel=1e-12)
    assert abs(filter_(1e6j)) == pytest.approx(1.0, rel=1e-6)
    # half power of the rejected band: s^2 + wn^2 = +-2 width wn s
    edge = 3.0 * (0.2 + np.sqrt(1 + 0.04))
    assert abs(1 - filter_(1j * edge)) == pytest.approx(0.9 * np.sqrt(0.5), rel=1e-9)


def test_dipole_has_its_gain_and_inverse_is_a_notch():
    filter_ = controllers.dipole(3.0, width=0.02, gain=10.0)
    assert filter_(3j) == pytest.approx(10.0, rel=1e-12)
    assert abs(filter_(0j)) == pytest.approx(1.0, rel=1e-12)
    assert abs(filter_(1e6j)) == pytest.approx(1.0, rel=1e-6)
    w = np.array((1.0, 2.8, 2.99, 3.05, 7.0))
    inverse = 1.0 / controllers.notch(3.0, width=0.2, depth=0.1)(1j * w)
    np.testing.assert_allclose(filter_(1j * w), inverse, rtol=1e-12)
    turns = np.angle(filter_(1j * np.geomspace(2.0, 4.5, 200_001)))
    np.testing.assert_allclose((turns.min(), turns.max()), np.arcsin(9.0 / 11.0) * np.array((-1.0, 1.0)), rtol=1e-6)


def test_dipole_divides_the_sensitivity_by_its_gain(rigid):
    """Where the loop gain is large, 1/(1 + N L) is close to 1/(N L)."""
    law = law_of(rigid)
    at = 0.02
    shaped = controllers.filtered(law, controllers.dipole(at, width=0.01, gain=8.0))
    plain, raised = (each.loop().broken((0, 1, 2)).response([at * 0.1])[0] for each in (law, shaped))
    assert np.linalg.svd(plain)[1].min() > 20.0
    ratio = np.linalg.norm(np.linalg.inv(np.eye(3) + plain), 2) / np.linalg.norm(np.linalg.inv(np.eye(3) + raised), 2)
    assert ratio == pytest.approx(8.0, rel=0.02)


@pytest.mark.parametrize("order", [1, 2, 3, 8])
def test_roll_off_is_butterworth(order):
    filter_ = controllers.roll_off(2.0, order=order)
    for w in (0.5, 2.0, 9.0):
        assert abs(filter_(1j * w)) ** 2 == pytest.approx(1.0 / (1.0 + (w / 2.0) ** (2 * order)), rel=1e-9)


def test_filtered_loop_is_loop_times_filter(rigid):
    """Opened at all inputs, L filtered = N L at every frequency, N sampled by Tustin, exact at its own frequency."""
    law = law_of(rigid)
    filtered = controllers.filtered(law, controllers.notch(6.0, width=0.3, depth=0.2))
    angles = np.array([0.02, 0.1, 0.6, 1.5, 3.0])
    plain = law.loop().broken((0, 1, 2)).response(angles)
    found = filtered.loop().broken((0, 1, 2)).response(angles)
    # Tustin: s = wn / tan(wn h / 2) (z - 1)/(z + 1) is exact at wn
    s = 1j * 6.0 / np.tan(0.3) * np.tan(angles / 2)
    N = controllers.notch(6.0, width=0.3, depth=0.2)(s)
    np.testing.assert_allclose(found, N[:, None, None] * plain, rtol=1e-8, atol=1e-12 * np.abs(plain).max())
    assert abs(N[2]) == pytest.approx(0.2, rel=1e-12)  # 6 rad/s * 0.1 s


def test_discrete_filter_is_used_unchanged(rigid):
    law = law_of(rigid, delay=0.0)
    average = control.tf([0.5, 0.5], [1.0, 0.0], 0.1)
    found = controllers.filtered(law, average).loop().broken((0, 1, 2)).response([0.5])
    plain = law.loop().broken((0, 1, 2)).response([0.5])
    np.testing.assert_allclose(found, 0.5 * (1 + np.exp(-0.5j)) * plain, rtol=1e-10)


def test_filtered_accepts_every_linear_law(rigid):
    model = rigid.linearize(rigid.at_rest())
    law = controllers.pid(model, frequency=0.3, damping_ratio=0.8, integral_time=20.0, sample=0.1)
    found = controllers.filtered(law, controllers.roll_off(6.0), controllers.roll_off(8.0, order=1))
    assert found.compensator.order == 3 + 6 + 3
    assert found.design["kind"] == "pid"
    assert len(found.design["filters"]) == 2
    assert abs(found.closed_loop_poles()[0]) < 1.0


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ([lambda: controllers.notch(0.0, width=1.0)], "notch frequency must be greater than 0"),
        ([lambda: controllers.notch(1.0, width=1.0, depth=1.0)], "notch depth must be at least 0 and below 1"),
        ([lambda: controllers.dipole(1.0, width=0.1, gain=1.0)], "dipole gain must be above 1; got 1 .a notch has"),
        ([lambda: controllers.dipole(1.0, width=0.0, gain=2.0)], "dipole width must be greater than 0"),
        ([lambda: controllers.roll_off(1.0, order=9)], "roll-off order must be a whole number from 1 to 8"),
        ([lambda: controllers.roll_off(40.0)], r"sample 0.1 s is too slow for a filter at 40 rad/s"),
        ([lambda: controllers.roll_off(0.1)], "the filtered law does not stabilise the sampled loop.*phase lag"),
        ([lambda: control.tf([1.0, 0.0], [1.0])], "improper"),
        ([lambda: control.tf([1.0], [1.0, 0.5], 0.2)], r"sampling period of 0.2 s, but the law samples every 0.1 s"),
        ([lambda: control.ss([], [], [], np.eye(2))], "a filter has one input and one output; got 2 and 2"),
        ([lambda: 3.0], "a system must be a control.StateSpace or control.TransferFunction"),
    ],
)
def test_filters_reject_bad_input(rigid, filters, message):
    with pytest.raises(plant.InputError, match=message):
        controllers.filtered(law_of(rigid), *(make() for make in filters))
