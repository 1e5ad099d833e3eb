"""States of a linear model that act on the attitude, and their indices in a law's measurement."""

from dataclasses import replace

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.designs.design_plant import locked_model
from polhode.controllers.loop.acting_model import acting_model, is_rigid, measurement, operating_rate, seen_at

J = np.array([[12.0, -1, 0.5], [-1, 10, 0.2], [0.5, 0.2, 8]])
VISCOUS = plant.elements.Wheel(axis=(0, 0, 1), inertia=1.0, friction=0.1)
FAST = plant.elements.Wheel(axis=(0, 1, 0), inertia=0.1, relative_rate=100.0)
RING = plant.elements.RingDamper(axis=(1, 0, 0), mass=2, radius=1, friction=0.2, fill=1.0)


def craft(*elements, **more):
    return plant.Spacecraft(plant.RigidBody(J, mass=100.0), elements=elements, **more)


def at_rest(body, **more):
    return body.linearize(body.at_rest(), **more)


def test_acting_model_omits_position_and_constants_of_motion():
    body = craft(VISCOUS, FAST, translation=True)
    inner = acting_model(at_rest(body))
    assert inner.states[6:] == ("wheel_1_angle_momentum",)
    assert acting_model(at_rest(craft())).states == at_rest(craft()).states
    assert is_rigid(acting_model(at_rest(craft(translation=True))))
    assert not is_rigid(acting_model(at_rest(craft(FAST))))  # six states, but the wheel does not turn with the hub


def test_measurement_matrix_needs_no_rate_output():
    body = craft(VISCOUS, FAST, RING)
    with_rate, without = acting_model(at_rest(body)), acting_model(at_rest(body, outputs=("attitude",)))
    # one derivative taken twice, rates of order 0.1 rad/s per N m s
    np.testing.assert_allclose(measurement(without), measurement(with_rate)[:, : len(without.states)], atol=1e-15)


@pytest.mark.parametrize("rate", [(0, 0, 0), (0.3, -0.1, 0.2)])
def test_acting_model_rate_of_operating_point(rate):
    body = craft(VISCOUS, FAST)
    model = body.linearize(body.spinning(rate), allow_nonequilibrium=True)
    np.testing.assert_allclose(operating_rate(model), rate, rtol=0, atol=1e-14)
    if not any(rate):
        assert not operating_rate(model).any()  # not even rounding of the wheel's 10 N m s


def test_acting_model_indices_match_law_measurement():
    body = craft(VISCOUS, RING, translation=True)
    model = at_rest(body)
    names = ("ring_angle", "wheel_angle_momentum", "ring_angle_momentum", "position_y", "linear_momentum_z")
    places, _ = seen_at(model, names)
    # y = [pi, e, omega, then the state from its eighth entry on]
    assert [body.layout.names[int(place) - 3] for place in places] == list(names)
    with pytest.raises(plant.InputError, match="internal state 'ring' is unknown"):
        seen_at(model, ("ring",))
    with pytest.raises(plant.InputError, match="needs the model as returned by craft"):
        seen_at(acting_model(model), ("wheel_angle_momentum",))


def test_locked_model_is_rigid_craft_with_total_inertia():
    body = craft(VISCOUS, RING)
    locked = locked_model(acting_model(at_rest(body), constants=True))
    rigid = plant.Spacecraft(plant.RigidBody(body.locked_inertia(body.at_rest())))
    expected = at_rest(rigid)
    np.testing.assert_allclose(locked.A, expected.A, rtol=0, atol=1e-14)
    np.testing.assert_allclose(locked.C, expected.C, rtol=0, atol=1e-14)


def test_locked_model_keeps_gyroscopic_torque():
    """A locked wheel with momentum h is a body with pi = J omega + h: pi' = (h) x J^-1 pi."""
    body = craft(VISCOUS, FAST)
    locked = locked_model(acting_model(at_rest(body), constants=True))
    inverse = np.linalg.inv(body.locked_inertia(body.at_rest()))
    h = np.array([0.0, 10.0, 0.0])
    cross = np.array([[0, -h[2], h[1]], [h[2], 0, -h[0]], [-h[1], h[0], 0]])
    np.testing.assert_allclose(locked.A[3:, 3:], cross @ inverse, rtol=0, atol=1e-12)


def test_acting_model_rejects_model_without_attitude():
    model = at_rest(craft())
    with pytest.raises(plant.DesignError, match="the model lacks momentum_z"):
        acting_model(replace(model, states=(*model.states[:5], "other")))


@pytest.mark.parametrize("momentum", [0.0, 3.0])
def test_wheel_torque_design_equals_external_torque_design(momentum):
    """Attitude and rate respond equally; the total momentum, which wheels cannot change, is not part of a design."""
    axes = np.array([[1, 1, 1], [-1, 1, 1], [-1, -1, 1], [1, -1, 1]]) / np.sqrt(3.0)
    wheels = plant.elements.wheel_array(axes, inertia=0.02)
    body = plant.RigidBody((60.0, 50.0, 40.0))
    inside, outside = (
        plant.Spacecraft(body, elements=wheels, torques=plant.TorqueBasis("body", limit=0.1, internal=internal))
        for internal in (True, False)
    )
    spins = momentum * np.array([1.0, -1.0, 1.0, 1.5]) / 0.02
    models = [craft.linearize(craft.state(internal_rate=spins)) for craft in (inside, outside)]
    weights = {"attitude": 25.0, "rate": 1.0, "effort": 1.0, "sample": 0.1}
    designs = {
        "lqr": lambda model: controllers.lqr(model, **weights).gain,
        "lqi": lambda model: controllers.lqi(model, **weights, integral=0.1).compensator.D,
        "pid": lambda model: controllers.pid(model, frequency=0.1, damping_ratio=0.7, sample=0.1).compensator.D,
        "lqg": lambda model: controllers.lqg(model, **weights, torque_noise=1e-3, attitude_noise=1e-4).compensator.A,
    }
    for name, design in designs.items():
        np.testing.assert_array_equal(*(design(model) for model in models), err_msg=name)
    laws = [controllers.lqr(model, **weights) for model in models]
    assert laws[0].margins().to_dict() == laws[1].margins().to_dict()
    run = sim.simulate(inside, laws[0], state=inside.state(rate=(0.001, 0, 0)), duration=120.0)
    assert np.abs(run.values("rate")[-1]).max() < 1e-6


def test_wheels_cannot_hold_a_spin():
    wheels = plant.elements.wheel_array(np.eye(3), inertia=0.02)
    craft = plant.Spacecraft(
        plant.RigidBody((60.0, 50.0, 40.0)), elements=wheels, torques=plant.TorqueBasis("body", internal=True)
    )
    model = craft.linearize(craft.spinning((0.0, 0.0, 0.1)), allow_nonequilibrium=True)
    with pytest.raises(plant.DesignError, match="wheels provide the torque, and about a spin"):
        controllers.lqr(model, attitude=1, rate=1, effort=1, sample=0.1)
