"""Saturation with some or all bounds infinite: unlimited components are unchanged."""

import itertools

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.laws.saturation import SATURATIONS, saturated

COMMAND = np.array([3.0, -2.0, 0.5])
TETRAHEDRON = ((1, 1, 1), (-1, 1, 1), (-1, -1, 1), (1, -1, 1))
ENVELOPE = controllers.WheelAllocation(TETRAHEDRON, limit=0.2).envelope
START = {"attitude": (0.9, 0.3, -0.3, 0.1), "duration": 0.4, "integrator": "rk4", "step": 0.1}


@pytest.mark.parametrize("bounds", list(itertools.product((1.0, np.inf), repeat=3)))
@pytest.mark.parametrize("number", [float, complex])
def test_saturation_with_infinite_bounds(bounds, number):
    by_component = saturated(SATURATIONS["component"], *map(number, bounds), *map(number, COMMAND))
    np.testing.assert_array_equal(by_component, np.clip(COMMAND, -np.array(bounds), bounds))
    shortened = saturated(SATURATIONS["direction"], *map(number, bounds), *map(number, COMMAND))
    np.testing.assert_allclose(shortened, COMMAND / max(1.0, *(np.abs(COMMAND) / bounds)), rtol=1e-15)


def design(kind, craft, saturation):
    model = craft.linearize(craft.at_rest())
    options = {"sample": 0.1, "delay": 0.03, "saturation": saturation}
    if kind == "pid":
        return controllers.pid(model, frequency=0.1, damping_ratio=0.7, **options)
    weights = {"attitude": 25.0, "rate": 1.0, "effort": 1.0}
    if kind == "lqr":
        return controllers.lqr(model, **weights, **options)
    return controllers.lqi(model, **weights, integral=1.0, **options)


@pytest.mark.thinned(5)
@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("kind", ["lqr", "lqi", "pid"])
@pytest.mark.parametrize(
    ("wheels", "envelope"),
    [(False, None), (False, ENVELOPE), (True, None), (True, ENVELOPE)],
    ids=["body", "envelope", "wheels", "wheels in an envelope"],
)
def test_unlimited_craft_saturates_in_neither_mode(kind, wheels, envelope, compiled):
    """The envelope reduces a command in its own direction in either mode, so both runs are equal."""
    torques = plant.TorqueBasis(envelope=envelope, internal=wheels)
    elements = plant.wheel_array(TETRAHEDRON, inertia=0.05) if wheels else ()
    craft = plant.Spacecraft(plant.RigidBody((40.0, 30.0, 20.0)), torques=torques, elements=elements)
    rates = {
        word: sim.simulate(craft, design(kind, craft, word), **START, compiled=compiled).values("rate")
        for word in SATURATIONS
    }
    assert np.isfinite(rates["direction"]).all()
    np.testing.assert_allclose(rates["direction"], rates["component"], rtol=1e-12)
    assert np.abs(rates["component"][-1]).max() > 1e-5  # it did turn


def test_unlimited_batch_saturates_in_neither_mode():
    """Nine free bodies fill a vector register and leave one run for the scalar loop."""
    craft = plant.Spacecraft(plant.RigidBody((40.0, 30.0, 20.0)))
    rates = [(0.001 * n, 0.0, 0.0) for n in range(9)]
    ends = {}
    for word in SATURATIONS:
        runs = sim.simulate_batch(craft, design("lqi", craft, word), rate=rates, **START, output_times=[0.4])
        assert list(runs.status) == ["completed"] * 9
        ends[word] = runs.values("rate")
    np.testing.assert_allclose(ends["direction"], ends["component"], rtol=1e-12)
