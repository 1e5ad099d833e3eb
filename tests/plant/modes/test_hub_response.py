"""Frequency response of hub and modes against the dynamic stiffness of the whole mesh, and against closed form."""

import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.plant.flexible import appendage_modes, hub_response, modes_of, reduce_craft
from polhode.plant.modes.hub_response import disagreement
from polhode.plant.modes.mesh import mesh_of

TWO_PI = 2 * np.pi


def dynamic_stiffness(craft, w, damping=0.0):
    """Rate of the hub by torque on it: i w (K + i w C - w^2 M)^-1 of a free satellite, every place, turn and strain."""
    held, mesh = modes_of(craft, clamped=True), mesh_of(craft, locked=True)
    m = held.matrices
    modal = m.M @ held.shapes @ np.diag(2 * damping * held.frequencies) @ held.shapes.T @ m.M
    # it acts on the arms' motion against the hub, so not on rigid motion
    rigid = np.column_stack([mesh.rigid_rates(a, velocity=b) for a, b in zip(*_units(), strict=True)])
    onto_hub = np.zeros((6, mesh.degrees))
    onto_hub[:, :6] = np.linalg.inv(rigid[:6])
    against = np.eye(mesh.degrees) - rigid @ onto_hub
    damper = m.C + against.T @ modal @ against
    force = np.zeros((mesh.degrees, 3))
    force[3:6] = np.eye(3)
    scale = 1 / np.sqrt(m.M.diagonal())
    found = []
    for x in w:
        dynamic = m.K + 1j * x * damper - x**2 * m.M
        solution = scale[:, None] * np.linalg.solve(scale[:, None] * dynamic * scale, scale[:, None] * force)
        found.append(1j * x * solution[3:6])
    return np.array(found)


def _units():
    zero = np.zeros((3, 3))
    return np.vstack((np.eye(3), zero)), np.vstack((zero, np.eye(3)))


def test_all_modes_respond_as_the_mesh(satellite, crooked):
    for craft, damping in ((satellite(2), 0.01), (crooked(1e-5), 0.0), (crooked(1e-5), 0.02)):
        w = TWO_PI * np.geomspace(0.3, 3000, 60)
        exact = dynamic_stiffness(craft, w, damping)
        found = hub_response(appendage_modes(craft), w, damping=damping)
        size = np.linalg.norm(exact, axis=(1, 2))
        assert (np.linalg.norm(found - exact, axis=(1, 2)) / size).max() < 1e-6


def test_the_linear_model_responds_alike(crooked):
    craft = crooked(1e-5)
    whole = reduce_craft(craft).spacecraft(damping=0.01)
    model = whole.linearize(whole.at_rest(), outputs=("rate",)).to_control()
    w = TWO_PI * np.geomspace(0.3, 300, 20)
    found = np.moveaxis(model.frequency_response(w).complex, 2, 0)
    assert found == pytest.approx(hub_response(appendage_modes(craft), w, damping=0.01), rel=1e-7, abs=1e-12)


def test_rigid_below_and_hub_alone_above(satellite):
    """1/(J w) far below all modes; far above, the cube and what the mesh fixes to it."""
    modes = appendage_modes(satellite(4))
    low = hub_response(modes, (0.01,))[0] * 0.01j
    assert low == pytest.approx(np.linalg.inv(modes.inertia), rel=1e-6, abs=1e-9)
    high = 1 / (hub_response(modes, (1e8,))[0] * 1e8j).diagonal().real
    assert 0.149 < high[1] < 0.3


@pytest.mark.parametrize(("count", "hertz"), [(2, 19.2), (4, 35.9), (6, 99.5)])
def test_agreement_is_up_to_a_stated_frequency(satellite, count, hertz):
    """Below it the mesh itself says so; just above it no more."""
    craft = satellite(8)
    reduced = reduce_craft(craft, modes=count)
    bound = reduced.valid_up_to()
    assert bound / TWO_PI == pytest.approx(hertz, rel=5e-3)
    w = np.geomspace(1.0, bound, 300)
    exact, found = dynamic_stiffness(craft, w, 0.005), hub_response(reduced.modes, w, damping=0.005)
    rigid = 1 / (reduced.modes.inertia[1, 1] * w)
    gap = np.abs(found - exact)[:, 1, 1] / np.maximum(np.abs(exact)[:, 1, 1], rigid)
    assert gap.max() < 0.0101
    assert gap[-1] > 0.0099
    assert disagreement(reduced, (1.02 * bound,))[0] > 0.01


def test_more_modes_are_valid_further(satellite):
    craft = satellite(4)
    bounds = [reduce_craft(craft, modes=n).valid_up_to() for n in (2, 4, 6, 10)]
    assert bounds == sorted(bounds)
    assert reduce_craft(craft).valid_up_to() == np.inf
    assert reduce_craft(craft, modes=4).valid_up_to(tolerance=0.1) > bounds[1]


def test_refusals(satellite):
    reduced = reduce_craft(satellite(1))
    with pytest.raises(InputError, match="frequencies must be a list of numbers above 0"):
        hub_response(reduced.modes, (0.0,))
    with pytest.raises(InputError, match="tolerance must be greater than 0"):
        reduced.valid_up_to(tolerance=0.0)
