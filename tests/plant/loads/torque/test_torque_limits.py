"""Torque limits: saturation by component, or scaling that keeps the direction of the command."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polhode import controllers, plant, sim
from polhode.plant.loads.torque.torque_limits import saturate

FINITE = st.floats(-1e6, 1e6)
LIMITS = st.floats(1e-3, 1e3)


@given(st.tuples(FINITE, FINITE, FINITE), st.tuples(LIMITS, LIMITS, LIMITS))
def test_scaled_torque_keeps_direction_and_reaches_one_limit(command, limits):
    c, limit = np.array(command), np.array(limits)
    limited = np.array(saturate(*c, plant.TorqueBasis(limit=limit, keep_direction=True).saturation()))
    factor = min(1.0, *(limit / np.maximum(np.abs(c), 1e-300)))
    np.testing.assert_allclose(limited, factor * c, rtol=1e-15)
    assert (np.abs(limited) <= limit).all()


@given(st.tuples(FINITE, FINITE, FINITE), st.tuples(LIMITS, LIMITS, LIMITS))
def test_torque_saturates_by_component(command, limits):
    limited = saturate(*command, plant.TorqueBasis(limit=limits).saturation())
    np.testing.assert_array_equal(limited, np.clip(command, -np.array(limits), limits))


def test_torque_without_limit_is_unchanged():
    for keep_direction in (False, True):
        assert saturate(1e300, -2.0, 3.0, plant.TorqueBasis(keep_direction=keep_direction).saturation()) == (
            1e300,
            -2.0,
            3.0,
        )


@pytest.mark.parametrize("compiled", [True, False])
def test_run_scales_or_saturates_the_torque_as_requested(compiled):
    law = controllers.CustomLaw(lambda t, y, r: (2.0, 1.0, -0.5), sample=0.5, compiled=False)
    rates = {}
    for keep_direction in (False, True):
        torques = plant.TorqueBasis(limit=(0.5, 0.5, 0.5), keep_direction=keep_direction)
        craft = plant.Spacecraft(plant.RigidBody((10.0, 10.0, 10.0)), torques=torques)
        run = sim.simulate(craft, law, duration=1.0, compiled=compiled)
        rates[keep_direction] = run.values("rate")[-1]
    np.testing.assert_allclose(rates[False], (0.05, 0.05, -0.05), rtol=1e-12)
    np.testing.assert_allclose(rates[True], (0.05, 0.025, -0.0125), rtol=1e-12)
