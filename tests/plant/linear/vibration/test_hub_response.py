"""Frequency response of the hub with modes against the dynamic stiffness of the full mesh, and in closed form."""

import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.plant.flexible import appendage_modes, hub_response, modes_of, reduce_craft
from polhode.plant.linear.vibration.hub_response import disagreement
from polhode.plant.linear.vibration.mesh import mesh_of

TWO_PI = 2 * np.pi


def dynamic_stiffness(craft, w, damping=0.0):
    """Hub rate per hub torque, i w (K + i w C - w^2 M)^-1, of a free satellite with all coordinates of the mesh."""
    held, mesh = modes_of(craft, clamped=True), mesh_of(craft, locked=True)
    m = held.matrices
    modal = m.M @ held.shapes @ np.diag(2 * damping * held.frequencies) @ held.shapes.T @ m.M
    # it acts on the arms' motion relative to the hub, not on rigid motion
    rigid = np.column_stack([mesh.rigid_rates(a, velocity=b) for a, b in zip(*_units(), strict=True)])
    onto_hub = np.zeros((6, mesh.degrees))
    onto_hub[:, :6] = np.linalg.inv(rigid[:6])
    against = np.eye(mesh.degrees) - rigid @ onto_hub
    damper = m.C + against.T @ modal @ against
    force = np.zeros((mesh.degrees, 3))
    force[3:6] = np.eye(3)
    scale = 1 / np.sqrt(m.M.diagonal())
    reduced_response = []
    for x in w:
        dynamic = m.K + 1j * x * damper - x**2 * m.M
        solution = scale[:, None] * np.linalg.solve(scale[:, None] * dynamic * scale, scale[:, None] * force)
        reduced_response.append(1j * x * solution[3:6])
    return np.array(reduced_response)


def _units():
    zero = np.zeros((3, 3))
    return np.vstack((np.eye(3), zero)), np.vstack((zero, np.eye(3)))


def test_hub_response_with_all_modes_matches_the_mesh(satellite, crooked):
    for craft, damping in ((satellite(2), 0.01), (crooked(1e-5), 0.0), (crooked(1e-5), 0.02)):
        w = TWO_PI * np.geomspace(0.3, 3000, 60)
        exact = dynamic_stiffness(craft, w, damping)
        reduced_response = hub_response(appendage_modes(craft), w, damping=damping)
        size = np.linalg.norm(exact, axis=(1, 2))
        assert (np.linalg.norm(reduced_response - exact, axis=(1, 2)) / size).max() < 1e-6


def test_hub_response_matches_the_linear_model(crooked):
    craft = crooked(1e-5)
    whole = reduce_craft(craft).spacecraft(damping=0.01)
    model = whole.linearize(whole.at_rest(), outputs=("rate",)).to_control()
    w = TWO_PI * np.geomspace(0.3, 300, 20)
    reduced_response = np.moveaxis(model.frequency_response(w).complex, 2, 0)
    assert reduced_response == pytest.approx(hub_response(appendage_modes(craft), w, damping=0.01), rel=1e-7, abs=1e-12)


def test_hub_response_limits_at_low_and_high_frequency(satellite):
    """1/(J w) far below all modes; far above, the rate of the cube with the mass that the mesh lumps at its roots."""
    modes = appendage_modes(satellite(4))
    low = hub_response(modes, (0.01,))[0] * 0.01j
    assert low == pytest.approx(np.linalg.inv(modes.inertia), rel=1e-6, abs=1e-9)
    high = 1 / (hub_response(modes, (1e8,))[0] * 1e8j).diagonal().real
    assert 0.149 < high[1] < 0.3


@pytest.mark.thinned(3)
@pytest.mark.parametrize(("count", "hertz"), [(2, 19.2), (4, 35.9), (6, 99.5)])
def test_reduced_hub_response_is_accurate_up_to_its_stated_limit(satellite, count, hertz):
    """The relative difference reaches the tolerance at the stated frequency."""
    craft = satellite(8)
    reduced = reduce_craft(craft, modes=count)
    bound = reduced.valid_up_to()
    assert bound / TWO_PI == pytest.approx(hertz, rel=5e-3)
    w = np.geomspace(1.0, bound, 300)
    exact, reduced_response = dynamic_stiffness(craft, w, 0.005), hub_response(reduced.modes, w, damping=0.005)
    rigid = 1 / (reduced.modes.inertia[1, 1] * w)
    difference = np.abs(reduced_response - exact)[:, 1, 1] / np.maximum(np.abs(exact)[:, 1, 1], rigid)
    assert difference.max() < 0.0101
    assert difference[-1] > 0.0099
    assert disagreement(reduced, (1.02 * bound,))[0] > 0.01


def test_validity_limit_increases_with_the_number_of_modes(satellite):
    craft = satellite(4)
    bounds = [reduce_craft(craft, modes=n).valid_up_to() for n in (2, 4, 6, 10)]
    assert bounds == sorted(bounds)
    assert reduce_craft(craft).valid_up_to() == np.inf
    assert reduce_craft(craft, modes=4).valid_up_to(tolerance=0.1) > bounds[1]


def test_hub_response_rejects_bad_input(satellite):
    reduced = reduce_craft(satellite(1))
    with pytest.raises(InputError, match="frequencies must be a list of numbers above 0"):
        hub_response(reduced.modes, (0.0,))
    with pytest.raises(InputError, match="tolerance must be greater than 0"):
        reduced.valid_up_to(tolerance=0.0)
