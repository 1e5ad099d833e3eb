"""Regulators on estimated states under a constant torque: no error with integral action, else the closed form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.designs.design_plant import design_plant
from polhode.controllers.loop.analysis import disturbance_response
from polhode.plant.attitude import from_rotation_vector

J = np.array([[40.0, 1.0, -0.5], [1.0, 30.0, 0.8], [-0.5, 0.8, 25.0]])
TORQUE = np.array([0.02, -0.03, 0.01])
WEIGHTS = {"attitude": 4.0, "rate": 4.0, "effort": 1.0, "sample": 0.2}
NOISE = {"torque_noise": 1e-2, "attitude_noise": 1e-4}


@pytest.fixture(scope="module")
def craft() -> Any:
    return plant.Spacecraft(plant.RigidBody(J), torques=plant.TorqueBasis("body", limit=0.5))


@pytest.fixture(scope="module")
def model(craft) -> Any:
    return craft.linearize(craft.at_rest())


def made(kind, model, **more) -> Any:
    own = {"lqgi": {"integral": 0.04}, "disturbance_observer": {"torque_walk": 5e-3}, "lqg": {}}[kind]
    return getattr(controllers, kind)(model, **WEIGHTS, **NOISE, **own, **more)


def flown(craft, law, torque, **more) -> Any:
    constant = plant.TorquePulse(torque, start=0.0, stop=1e6)
    given = {"attitude": (1, 0, 0, 0), "duration": 200.0, "output_step": 0.2, "integrator": "rk4", "step": 0.1}
    return sim.simulate(craft, law, torques=[constant], reference=controllers.FixedReference(), **{**given, **more})


@pytest.mark.parametrize("rate_noise", [None, 1e-4])
@pytest.mark.parametrize("delay", [0.0, 0.3])
@pytest.mark.parametrize("kind", ["lqgi", "disturbance_observer"])
def test_integral_designs_leave_no_error_under_constant_torque(craft, model, kind, delay, rate_noise):
    law = made(kind, model, delay=delay, rate_noise=rate_noise)
    loop = law.loop(model)
    final = disturbance_response(loop).final
    assert np.abs(final).max() < 1e-12  # rad per N m
    run = flown(craft, law, TORQUE)
    assert run.values("attitude_error")[-1] < 1e-8
    assert np.abs(run.values("error_vector")).max() > 1e-4
    np.testing.assert_allclose(run.values("command")[-1], -TORQUE, atol=1e-8)


def test_designs_without_integral_leave_closed_form_error(craft, model):
    """The steady state of the loop is solved as a whole, and simulated."""
    law = made("lqg", model)
    predicted = disturbance_response(law.loop(model)).final.T @ TORQUE
    run = flown(craft, law, TORQUE)
    assert np.abs(predicted).max() > 1e-3
    np.testing.assert_allclose(run.values("error_vector")[-1], predicted, rtol=2e-3)


def test_disturbance_observer_estimates_the_torque(craft, model):
    law = made("disturbance_observer", model)
    run = flown(craft, law, TORQUE)
    c = law.compensator
    z = np.zeros(c.order)
    for e, w in zip(run.values("error_vector"), run.values("rate"), strict=True):  # repeats the law's computation
        z = c.A @ z + c.B @ np.concatenate((e, w))
    np.testing.assert_allclose(z[6:9] * design_plant(model, internal="estimated").scale, TORQUE, rtol=1e-4)


def test_disturbance_designs_poles_separate_regulator_and_estimator(model):
    """Separation: the poles of lqi and of lqg's estimator; of lqr and of an estimator with a torque in addition."""
    law, regulator = made("lqgi", model), controllers.lqi(model, **WEIGHTS, integral=0.04)
    lqg = made("lqg", model)
    lqr = controllers.lqr(model, **WEIGHTS)
    poles = law.closed_loop_poles()
    estimator = [p for p in lqg.closed_loop_poles() if np.abs(lqr.closed_loop_poles() - p).min() > 1e-6]
    for pole in [*regulator.closed_loop_poles(), *estimator]:
        assert np.abs(poles - pole).min() < 1e-6
    observer = made("disturbance_observer", model).closed_loop_poles()
    for pole in lqr.closed_loop_poles():
        assert np.abs(observer - pole).min() < 1e-6


@pytest.mark.parametrize("kind", ["lqgi", "disturbance_observer"])
def test_disturbance_designs_do_not_wind_up_at_torque_limit(craft, model, kind):
    """A slew of 60 deg at the limit: with windup the overshoot is three times as large."""
    start = from_rotation_vector(np.radians(60.0) * np.array((0.6, 0.0, 0.8)))
    run = flown(craft, made(kind, model), 0.0 * TORQUE, attitude=start)
    axis = run.values("error_vector") @ np.array((0.6, 0.0, 0.8))
    over = -np.degrees(axis.min())
    assert run.values("attitude_error")[-1] < 1e-6
    assert np.abs(run.values("command")).max() == 0.5
    if kind == "lqgi":
        wound = flown(craft, made(kind, model, anti_windup=False), 0.0 * TORQUE, attitude=start)
        winding = -np.degrees((wound.values("error_vector") @ np.array((0.6, 0.0, 0.8))).min())
        assert winding > 2.0 * over
    assert over < 15.0


@pytest.mark.parametrize("kind", ["lqgi", "disturbance_observer"])
def test_disturbance_designs_follow_a_moving_reference(craft, model, kind):
    """With a spin of 1 deg/s the torque turns with the body, and no error remains."""
    spin = np.radians((0.0, 0.0, 1.0))
    reference = controllers.SpinReference(rate=spin)
    constant = plant.TorquePulse(TORQUE, start=0.0, stop=1e6)
    state = craft.state(attitude=(1, 0, 0, 0), rate=spin)
    run = sim.simulate(
        craft, made(kind, model), state=state, reference=reference, torques=[constant], duration=250.0, output_step=1.0,
        integrator="rk4", step=0.1,
    )  # fmt: skip
    assert run.values("attitude_error")[-1] < 1e-7


@pytest.mark.parametrize("kind", ["lqgi", "disturbance_observer"])
def test_disturbance_designs_are_equal_after_saving(model, kind, tmp_path):
    law = made(kind, model, delay=0.1)
    controllers.save_law(law, tmp_path / "law.toml", model=model)
    again = controllers.load_law(tmp_path / "law.toml", model=model)
    for name in "ABCD":
        np.testing.assert_array_equal(getattr(again.compensator, name), getattr(law.compensator, name))
    assert again.design["kind"] == law.design["kind"]
