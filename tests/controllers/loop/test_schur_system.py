"""Response of a system at many frequencies from one factorisation, compared with single solutions."""

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers.loop import schur_system
from polhode.controllers.loop.crossings import frequency_grid, neighbours
from polhode.controllers.loop.margin_search import SMALLEST, smallest_margins
from polhode.controllers.loop.schur_system import SchurSystem, on_circle, on_grid

INERTIA = np.array(((400, 12, -8), (12, 307.8, 15), (-8, 15, 200)))


def loop_of(size=1.0, **more):
    craft = plant.Spacecraft(plant.RigidBody(size * INERTIA), **more)
    model = craft.linearize(craft.at_rest())
    return controllers.lqr(model, attitude=25.0, rate=9.0, effort=0.5 / size**2, sample=0.5, delay=0.2).loop()


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e7])
@pytest.mark.parametrize("inputs", [(0,), (0, 1, 2)])
def test_schur_response_matches_single_solutions(size, inputs):
    loop = loop_of(size)
    broken = loop.broken(inputs)
    angles = frequency_grid(loop, broken)
    each = on_circle(broken.F, broken.G, broken.K, angles)
    found = SchurSystem.of(broken.F, broken.G, broken.K).response(angles)
    scale = np.maximum(np.abs(each).max(axis=(1, 2), keepdims=True), 1e-3)
    np.testing.assert_allclose(found / scale, each / scale, rtol=0.0, atol=1e-7)  # 1e-9 measured


def test_schur_grid_without_accuracy_is_solved_singly(monkeypatch):
    loop = loop_of()
    broken = loop.broken((0, 1, 2))
    angles = frequency_grid(loop, broken)
    right = SchurSystem.response

    def wrong(self, angles):
        return right(self, angles) * (1.0 + 1e-5)

    monkeypatch.setattr(schur_system.SchurSystem, "response", wrong)
    found = on_grid(broken.F, broken.G, broken.K, angles, least=1e-3)
    assert (found == on_circle(broken.F, broken.G, broken.K, angles)).all()


def test_schur_pole_on_the_grid_is_no_error():
    turn = np.array(((np.cos(0.5), -np.sin(0.5)), (np.sin(0.5), np.cos(0.5))))
    angles = np.unique(np.append(np.linspace(0.1, 3.0, 50), 0.5))
    found = on_grid(turn, np.ones((2, 1)), np.ones((1, 2)), angles, least=1e-3)
    z = np.exp(1j * angles)
    away = np.abs(angles - 0.5) > 1e-3
    expected = np.array([np.sum(np.linalg.solve(each * np.eye(2) - turn, np.ones(2))) for each in z[away]])
    np.testing.assert_allclose(found[away, 0, 0], expected, rtol=1e-6)


def test_grid_neighbours_are_beyond_coincident_points():
    angles = np.array((1.0, 2.0, 2.0 + 1e-12, 3.0))
    assert neighbours(angles, 1) == neighbours(angles, 2) == (1.0, 3.0)
    assert neighbours(angles, 0) == (1.0, 2.0)
    assert neighbours(angles, 3) == (2.0 + 1e-12, 3.0)


@pytest.mark.parametrize("names", [SMALLEST, ("delay_margin_s",), ("one_input_phase_margin_deg", "gain_margin_dB")])
def test_schur_margins_of_some_axes_equal_those_of_all(names):
    loop = loop_of()
    assert smallest_margins(loop, names) == {name: loop.margins().smallest()[name] for name in sorted(names)}
