"""PID: closed form of the gains, closed-loop poles, and rejected input."""

import numpy as np
import pytest

from polhode import controllers, plant


def test_pid_gains_match_closed_form(inertia, rigid):
    model = rigid.linearize(rigid.at_rest())
    wn, zeta, T = np.array([0.2, 0.3, 0.4]), np.array([0.7, 0.8, 1.0]), np.array([20.0, 30.0, 40.0])
    law = controllers.pid(model, frequency=wn, damping_ratio=zeta, integral_time=T, sample=0.1)
    c = law.compensator
    np.testing.assert_allclose(c.D[:, :3], -inertia @ np.diag(wn**2 + 2 * zeta * wn / T), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(c.D[:, 3:], -inertia @ np.diag(2 * zeta * wn + 1 / T), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(c.C, -inertia @ np.diag(wn**2 / T), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("integral_time", [None, 25.0])
def test_pid_poles_match_design_at_fast_sampling(rigid, integral_time):
    model = rigid.linearize(rigid.at_rest())
    wn, zeta = 0.3, 0.6
    wanted = [complex(-zeta * wn, s * wn * np.sqrt(1 - zeta**2)) for s in (1, -1)] * 3
    wanted += [] if integral_time is None else [complex(-1 / integral_time)] * 3
    errors = []
    for sample in (0.04, 0.02):
        law = controllers.pid(model, frequency=wn, damping_ratio=zeta, sample=sample, integral_time=integral_time)
        poles = np.log(law.closed_loop_poles()) / sample
        errors.append(max(np.abs(poles - w).min() for w in wanted))
    assert errors[1] < 5e-3
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.1)  # first order in the sampling period


def test_pid_names_the_longest_stable_period(rigid):
    """PD on a double integrator without delay is stable until a pole reaches z = -1 at h = 1 / (zeta wn), or a pair
    leaves the unit circle at h = 4 zeta / wn, whichever comes first."""
    model = rigid.linearize(rigid.at_rest())
    wn, zeta = 2.0, 0.9
    with pytest.raises(plant.DesignError, match=r"too slow for a frequency of 2 rad/s") as refusal:
        controllers.pid(model, frequency=wn, damping_ratio=zeta, sample=3.0)
    bound = float(str(refusal.value).split("samples below ")[1].split(" s")[0])
    # z^2 + (a + b - 2) z + (1 + a - b), a = (wn h)^2 / 2, b = 2 zeta wn h; Jury: 4 - 2 b > 0 at z = -1, and a < b
    expected = min(1.0 / (zeta * wn), 4.0 * zeta / wn)
    assert bound == pytest.approx(expected, rel=2e-3)  # printed to three digits
    assert (
        abs(controllers.pid(model, frequency=wn, damping_ratio=zeta, sample=0.99 * expected).closed_loop_poles()[0]) < 1
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"frequency": 0.0}, r"frequency must be greater than 0 \(rad/s\)"),
        ({"frequency": (1.0, -1.0, 1.0)}, "on every axis; got"),
        ({"damping_ratio": -0.1}, "damping_ratio must be greater than 0"),
        ({"integral_time": 0.0}, r"integral_time must be greater than 0 \(s\)"),
        ({"integral_time": 0.2}, "too slow|does not stabilise"),
        ({"sample": 0.0}, "sample must be greater than 0"),
    ],
)
def test_pid_rejects_bad_input(rigid, change, message):
    arguments = {"frequency": 0.5, "damping_ratio": 0.7, "sample": 1.0, **change}
    with pytest.raises(plant.InputError, match=message):
        controllers.pid(rigid.linearize(rigid.at_rest()), **arguments)


def test_pid_names_a_delay_that_sampling_cannot_remedy(rigid):
    model = rigid.linearize(rigid.at_rest())
    with pytest.raises(plant.DesignError, match=r"delay 8 s; with this delay no faster sampling helps: shorten it"):
        controllers.pid(model, frequency=1.0, damping_ratio=0.7, sample=0.1, delay=8.0)
