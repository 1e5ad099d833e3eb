"""Coasting coordinates: a loop with a constant in place of the coordinate is the loop of a rigid body."""

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers.loop.coasting import with_coasting_constants

HUB = plant.RigidBody((30.0, 20.0, 10.0))


def damped_wheel():
    """A wheel with friction alone is not a coasting coordinate: its angle is not a state."""
    return plant.Wheel(axis=(0, 0, 1), inertia=0.5, friction=0.1)


def slider(stiffness):
    """A mass on a line through the mass centre of a held hub."""
    return plant.MassSpringDamper(point=(0, 0, 0), axis=(1, 0, 0), mass=0.5, damping=0.2, stiffness=stiffness)


def model_of(element):
    craft = plant.Spacecraft(plant.RigidBody((30.0, 20.0, 10.0), mass=40.0), elements=[element])
    return craft.linearize(craft.at_rest())


def test_slider_without_spring_coasts_with_the_constant_p_plus_c_s():
    model = model_of(slider(0.0))
    found = with_coasting_constants(model)
    s, p = (model.states.index(name) for name in ("slider_displacement", "slider_displacement_momentum"))
    assert not found.A[s].any()
    constant = np.zeros(len(model.A))
    constant[s], constant[p] = 0.2, 1.0
    np.testing.assert_allclose(constant @ model.A, 0.0, atol=1e-15)  # p' + c s' = 0
    row = found.C[found.outputs.index("slider_displacement")]
    np.testing.assert_allclose((row[s], row[p]), (5.0, -5.0), rtol=1e-12)  # s = (constant - p)/c
    values = [np.sort_complex(np.linalg.eigvals(each.A)) for each in (model, found)]
    np.testing.assert_allclose(*values, atol=1e-9)


@pytest.mark.parametrize("element", [slider(3.0), damped_wheel()])
def test_model_without_coasting_coordinates_is_unchanged(element):
    model = model_of(element)
    assert with_coasting_constants(model) is model


def test_loop_with_held_gimbals_has_the_margins_of_the_rigid_body():
    """Momentum times lag, 5e-4 kg m^2, adds to the inertia, since the loops miss the acceleration of the hub."""
    gyros = plant.gyro_array(
        *plant.pyramid_axes(0.9), momentum=0.5, rotor_inertia=1e-4, gimbal_inertia=1e-4, time_constant=1e-3
    )
    craft = plant.Spacecraft(HUB, elements=gyros, torques=plant.TorqueBasis("body"))
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    with_gyros = law.margins(craft.linearize(craft.at_rest()))
    rigid = plant.Spacecraft(HUB)
    alone = law.margins(rigid.linearize(rigid.at_rest()))
    assert with_gyros.gain_up == pytest.approx(alone.gain_up, rel=5e-4)
    assert with_gyros.phase_deg == pytest.approx(alone.phase_deg, abs=1e-2)
    assert np.abs(with_gyros.closed_loop_poles).max() < 1.0 - 1e-6
