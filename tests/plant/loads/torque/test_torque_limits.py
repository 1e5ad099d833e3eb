"""Torque limits: cut off by component, or shortened in the command's own direction."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polhode import controllers, plant, sim
from polhode.plant.loads.torque.torque_limits import saturate

FINITE = st.floats(-1e6, 1e6)
LIMITS = st.floats(1e-3, 1e3)


@given(st.tuples(FINITE, FINITE, FINITE), st.tuples(LIMITS, LIMITS, LIMITS))
def test_shortened_keeps_its_direction_and_fills_one_limit(command, limits):
    c, most = np.array(command), np.array(limits)
    got = np.array(saturate(*c, plant.TorqueBasis(limit=most, keep_direction=True).saturation()))
    share = min(1.0, *(most / np.maximum(np.abs(c), 1e-300)))
    np.testing.assert_allclose(got, share * c, rtol=1e-15)
    assert (np.abs(got) <= most).all()


@given(st.tuples(FINITE, FINITE, FINITE), st.tuples(LIMITS, LIMITS, LIMITS))
def test_cut_off_by_component(command, limits):
    got = saturate(*command, plant.TorqueBasis(limit=limits).saturation())
    np.testing.assert_array_equal(got, np.clip(command, -np.array(limits), limits))


def test_no_limit_changes_nothing():
    for keep in (False, True):
        assert saturate(1e300, -2.0, 3.0, plant.TorqueBasis(keep_direction=keep).saturation()) == (1e300, -2.0, 3.0)


@pytest.mark.parametrize("compiled", [True, False])
def test_the_engine_shortens_what_it_is_told_to(compiled):
    wish = controllers.CustomLaw(lambda t, y, r: (2.0, 1.0, -0.5), sample=0.5, compiled=False)
    rates = {}
    for keep in (False, True):
        torques = plant.TorqueBasis(limit=(0.5, 0.5, 0.5), keep_direction=keep)
        craft = plant.Spacecraft(plant.RigidBody((10.0, 10.0, 10.0)), torques=torques)
        run = sim.simulate(craft, wish, duration=1.0, compiled=compiled)
        rates[keep] = run.values("rate")[-1]
    np.testing.assert_allclose(rates[False], (0.05, 0.05, -0.05), rtol=1e-12)
    np.testing.assert_allclose(rates[True], (0.05, 0.025, -0.0125), rtol=1e-12)
