"""Opened loops, peaks, modes and responses against closed forms, python-control and the simulated plant."""

import control as ct
import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.errors import DesignError, InputError

INERTIA = np.array([[12.0, -1, 0.5], [-1, 10, 0.2], [0.5, 0.2, 8]])


@pytest.fixture(scope="module")
def craft():
    return plant.Spacecraft(plant.RigidBody(INERTIA))


@pytest.fixture(scope="module")
def model(craft):
    return craft.linearize(craft.at_rest())


@pytest.fixture(scope="module")
def laws(model):
    weights = {"attitude": 1.0, "rate": 1.0, "effort": 1.0, "sample": 0.1, "delay": 0.13}
    return {
        "lqr": controllers.lqr(model, **weights),
        "lqi": controllers.lqi(model, **weights, integral=0.1),
        "lqg": controllers.lqg(model, **weights, torque_noise=1e-3, attitude_noise=1e-4),
    }


@pytest.mark.parametrize("name", ["lqr", "lqi", "lqg"])
def test_openings_share_one_closed_loop(laws, name):
    loop = laws[name].loop()
    poles = np.sort_complex(loop.poles())
    for at in ("input", "output", "both"):
        opened = controllers.open_loop(loop, at)
        closed = opened.closed_poles()
        # the six-state loop has the law's past commands in addition to the plant's: more poles at zero
        closed = closed[np.argsort(-np.abs(closed))][: len(poles)]
        kept = np.abs(poles) > 1e-3
        distance = np.abs(poles[kept][:, None] - closed[None, :]).min(axis=1)
        assert distance.max() < 1e-7
        assert np.abs(closed).max() == pytest.approx(np.abs(poles).max(), abs=1e-9)


@pytest.mark.parametrize("name", ["lqr", "lqi", "lqg"])
def test_input_opening_equals_the_broken_loop(laws, name):
    loop = laws[name].loop()
    w = np.geomspace(0.01, 31.0, 50)
    mine = controllers.open_loop(loop).response(w)
    other = loop.broken((0, 1, 2)).response(w * loop.sample)
    np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["lqr", "lqi", "lqg"])
def test_return_difference_determinant_is_equal_at_all_openings(laws, name):
    """det(I + L) is the ratio of closed to open characteristic polynomials; with both ends open, so is the plant."""
    loop = laws[name].loop()
    w = np.array([0.05, 0.4, 3.0])
    there, here = (
        np.linalg.det(np.eye(len(opened.channels)) + opened.response(w))
        for opened in (controllers.open_loop(loop, "both"), controllers.open_loop(loop, "input"))
    )
    z = np.exp(1j * w * loop.sample)
    ratio = [
        np.linalg.det(q * np.eye(len(A)) - A)
        / np.linalg.det(q * np.eye(len(B)) - B)
        for q in z
        for A, B in [(controllers.open_loop(loop, "input").A, controllers.open_loop(loop, "both").A)]
    ]  # fmt: skip
    np.testing.assert_allclose(there, here * ratio, rtol=1e-7)


def test_opened_loop_response_matches_python_control(laws):
    opened = controllers.open_loop(laws["lqg"].loop(), "output")
    w = np.geomspace(0.05, 30.0, 40)
    other = ct.frequency_response(opened.to_control(), w).complex.transpose(2, 0, 1)
    np.testing.assert_allclose(opened.response(w), other, rtol=1e-7, atol=1e-10)


def test_sensitivity_peaks_of_double_integrator():
    for zeta in (0.3, 0.7, 1.0):
        L = controllers.OpenedLoop.from_control(ct.tf([2.0 * zeta, 1.0], [1.0, 0.0, 0.0]))
        S, T = controllers.sensitivity_peaks(L)
        w = np.geomspace(0.01, 100.0, 400001)
        sizes = 1.0 / np.abs(1.0 + (1.0 + 2j * zeta * w) / (1j * w) ** 2)
        assert S.peak == pytest.approx(sizes.max(), rel=1e-4)
        # |T|^2 = (1 + 4 z^2 x) / ((1 - x)^2 + 4 z^2 x), greatest where 2 z^2 x^2 + x - 1 = 0
        x = (-1.0 + np.sqrt(1.0 + 8.0 * zeta**2)) / (4.0 * zeta**2)
        peak = np.sqrt((1.0 + 4.0 * zeta**2 * x) / ((1.0 - x) ** 2 + 4.0 * zeta**2 * x))
        assert T.peak == pytest.approx(peak, rel=1e-9)
        assert T.frequency_rad_s == pytest.approx(np.sqrt(x), rel=1e-3)


def test_loop_modes_give_frequency_and_damping():
    s = np.array([-0.3 + 0.4j, -0.3 - 0.4j, -2.0])
    for poles, sample in ((s, 0.0), (np.exp(0.1 * s), 0.1)):
        slow, fast = controllers.loop_modes(poles, sample=sample)
        assert slow.frequency_rad_s == pytest.approx(0.5)
        assert slow.damping_ratio == pytest.approx(0.6)
        assert slow.time_constant_s == pytest.approx(1.0 / 0.3)
        assert (fast.frequency_rad_s, fast.damping_ratio) == pytest.approx((2.0, 1.0))


@pytest.mark.parametrize("name", ["lqr", "lqi", "lqg"])
def test_step_response_matches_nonlinear_plant(craft, laws, name):
    angle = 1e-6
    axis = np.array([0.0, 1.0, 0.0])
    target = np.concatenate(([np.cos(angle / 2)], np.sin(angle / 2) * axis))
    law = laws[name]
    run = sim.simulate(craft, law, reference=controllers.FixedReference(target), duration=30.0, output_step=0.1)
    found = controllers.step_response(law.loop(), duration=30.0)
    attitude = 2.0 * run.values("attitude")[:, 1:] / angle
    # at 0.2 s the command of the first sample, with 0.13 s delay, is in force
    np.testing.assert_allclose(attitude, found.attitude[1][: len(attitude)], atol=2e-6)
    np.testing.assert_allclose(run.values("command")[2] / angle, found.torque[1][0], rtol=1e-5, atol=1e-9)


def test_disturbance_response_is_inverse_stiffness(model):
    law = controllers.pid(model, frequency=0.3, damping_ratio=0.8, sample=0.1)
    found = controllers.disturbance_response(law.loop())
    stiffness = -np.asarray(law.compensator.D)[:, :3]
    np.testing.assert_allclose(found.final, np.linalg.inv(stiffness).T, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.attitude[:, -1], found.final, atol=2e-3 * np.abs(found.final).max())


def test_disturbance_response_is_zero_with_integral_action(laws):
    for figures in controllers.disturbance_response(laws["lqi"].loop()).figures():
        assert figures["final"] == 0.0
        assert figures["peak"] > 0.1


@pytest.mark.slow
def test_analysis_report_contains_margins_and_plain_numbers(laws):
    found = controllers.analyse(laws["lqi"])
    text = str(found)
    assert str(found.margins) in text
    assert found.disk_both is not None
    assert f"{found.disk_both.simultaneous.alpha:.3f}" in text
    assert len(found.to_dict()["step"]) == 3


class Torque:
    """A law that is not part of the project."""


@pytest.mark.slow
def test_analyse_needs_a_model_for_nonlinear_law(craft, model):
    law = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.8, sample=0.1)
    with pytest.raises(InputError, match="has no plant model"):
        controllers.analyse(law)
    disk = controllers.analyse(law, model).disk_input
    assert disk is not None
    assert disk.simultaneous.alpha > 1.0
    with pytest.raises(InputError, match="Torque has no linear loop"):
        controllers.analyse(Torque(), model)


def test_analyse_rejects_unstable_loop(model):
    gains = {"inertia": INERTIA, "stiffness": 1.0, "damping": 5.0}
    law = controllers.QuaternionFeedback(**gains, sample=0.1, delay=20.0)
    with pytest.raises(DesignError, match="not stable"):
        controllers.analyse(law, model)
