"""Flexible modes: free vibration of the whole against its closed form, and rejected input."""

import numpy as np
import pytest

from polhode import plant, sim

PANELS = {"frequencies": (1.2, 4.0), "damping_ratios": 0.01, "rotation": ((0.8, 0), (0, 0.3), (0, 0))}


def test_rotational_mode_on_free_hub_matches_closed_form():
    """w_free = w / sqrt(1 - delta^2/J), zeta_free = zeta / sqrt(1 - delta^2/J)."""
    modes = plant.FlexibleModes(frequencies=[2.0], damping_ratios=[0.02], rotation=[[0], [0], [1.5]])
    craft = plant.Spacecraft(plant.RigidBody((5, 4, 3.0)), elements=[modes])
    values = craft.linearize(craft.at_rest()).eigenvalues()
    share = np.sqrt(1 - 1.5**2 / 3.0)
    w, zeta = 2.0 / share, 0.02 / share
    expected = w * (-zeta + 1j * np.sqrt(1 - zeta**2))
    assert np.abs(values - expected).min() < 1e-13


def test_translational_mode_on_free_hub_matches_closed_form():
    """Like the rotational mode with L^2/m; the hub recoils so that the total mass centre stays at rest."""
    modes = plant.FlexibleModes(
        frequencies=[2.0],
        damping_ratios=[0.0],
        rotation=np.zeros((3, 1)),
        translation=[[1.2], [0], [0]],
        displacements=0.3,
    )
    craft = plant.Spacecraft(plant.RigidBody((5, 4, 3.0), mass=4.0), elements=[modes], translation=True)
    run = sim.simulate(craft, duration=2.0, output_times=[2.0], rtol=1e-13)
    w = 2.0 / np.sqrt(1 - 1.2**2 / 4.0)
    assert run.states[0][7] == pytest.approx(0.3 * np.cos(w * 2.0), abs=1e-12)
    np.testing.assert_allclose(run.states[0][9:15], 0.0, atol=1e-14)


def test_flexible_modes_change_gravity_torque_about_a_pivot():
    modes = plant.FlexibleModes(
        frequencies=[2.0],
        damping_ratios=[0.0],
        rotation=np.zeros((3, 1)),
        translation=[[1.2], [0], [0]],
        displacements=0.3,
    )
    body = plant.RigidBody((5, 4, 3.0), mass=4.0, pivot=(0, 0, 1.0))
    craft = plant.Spacecraft(body, elements=[modes], potentials=[plant.UniformGravity((2.0, 0, -9.81))])
    rates = craft.derivative(0.0, craft.at_rest())
    moment = np.array((1.2 * 0.3, 0, -4.0))
    np.testing.assert_allclose(rates[:3], np.cross(moment, (2.0, 0, -9.81)), rtol=0, atol=1e-13)
    assert rates[8] == pytest.approx(1.2 * 2.0 - 4.0 * 0.3)


def test_flexible_modes_coordinate_names_and_initial_values():
    modes = plant.FlexibleModes(**PANELS, displacements=0.1, rates=(0.2, 0.3))
    assert modes.coordinates == ("mode_1", "mode_2")
    assert modes.initial == ([0.1, 0.1], [0.2, 0.3])
    craft = plant.Spacecraft(plant.RigidBody((5, 4, 3.0)), elements=[modes, modes])
    assert craft.layout.names[7:11] == ("mode_1_1", "mode_1_2", "mode_2_1", "mode_2_2")
    assert craft.layout.units[7:] == ("kg^0.5 m",) * 4 + ("kg^0.5 m/s",) * 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"frequencies": (0.0, 1.0)}, r"frequencies of modes must be greater than 0 \(rad/s\); got 0"),
        ({"frequencies": ()}, r"frequencies of modes must be one number or a sequence of numbers; got shape \(0,\)"),
        ({"damping_ratios": (0.1, -0.1)}, "damping ratios of modes must not be negative"),
        ({"damping_ratios": (0.1, 0.1, 0.1)}, "damping ratios of modes must be 2 numbers"),
        ({"rotation": (1, 2, 3)}, r"rotation of modes must be 3 rows, one column per entry; got shape \(3,\)"),
        ({"translation": np.zeros((2, 3))}, "translation of modes must be 3 rows"),
        ({"rotation": np.zeros((3, 1))}, "rotation of modes must have one vector for each of the 2 frequencies; got 1"),
        ({"displacements": (0.1,)}, "displacements of modes must be 2 numbers"),
        ({"rates": np.nan}, "rates of modes must be finite"),
    ],
)
def test_flexible_modes_reject_bad_input(change, message):
    with pytest.raises(plant.InputError, match=message):
        plant.FlexibleModes(**{**PANELS, **change})


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"rotation": ((3.0, 0), (0, 0.3), (0, 0))}, "omega_x and mode_1|mode_1 and omega_x"),
        ({"translation": ((3.0, 0), (0, 0.3), (0, 0))}, "the entry of mode_1 is -1.25"),
    ],
)
def test_flexible_modes_with_excess_inertia_or_mass_are_rejected(change, names):
    with pytest.raises(plant.InputError, match=f"not positive definite.*({names})"):
        plant.Spacecraft(plant.RigidBody((5, 4, 3.0), mass=4.0), elements=[plant.FlexibleModes(**{**PANELS, **change})])
