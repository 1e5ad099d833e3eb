"""Rows for a figure: extremes of every part, since a plain selection of rows would show a different motion."""

import itertools

import numpy as np

from polhode import plant, sim
from polhode.sim.results.rows import extremes


def test_rows_of_fast_oscillation_keep_their_envelope(tmp_path):
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 2)))
    settings = {"rate": (1.0, 0.2, 0.0), "duration": 5000.0, "output_step": 0.1, "integrator": "rk4", "step": 0.1}
    run = sim.simulate(craft, **settings)
    few = extremes(run, bins=100)  # the transverse rate makes 4 revolutions in each
    assert few.t.size < 100 * 2 * 25
    assert few.t[0] == 0.0
    assert few.t[-1] == 5000.0
    edges = np.linspace(0.0, 5000.0, 51)  # each contains a whole part
    for rows in (few, extremes(sim.load(run.save(tmp_path / "run.nc")), bins=100)):
        rate = rows.values("rate")[:, 1]
        for first, last in itertools.pairwise(edges):
            here = rate[(rows.t >= first) & (rows.t <= last)]
            assert here.max() > 0.199
            assert here.min() < -0.199
    np.testing.assert_array_equal(few.values("rate"), run.values("rate")[np.searchsorted(run.t, few.t)])
    np.testing.assert_array_equal(
        few.values("energy_balance"), run.values("energy_balance")[np.searchsorted(run.t, few.t)]
    )
