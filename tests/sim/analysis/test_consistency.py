"""NEES and NIS of runs against those of the same filter on recorded data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.sensing.estimators import MEKF, chi_square_band
from polhode.controllers.sensing.sensors import RateGyro, StarTracker
from polhode.plant.errors import InputError

GYRO, TRACKER = (
    RateGyro(angle_random_walk=1e-4, rate_random_walk=1e-5, bias=1e-4),
    StarTracker(noise=1e-4, roll_noise=4e-4, delay=0.2),
)


def flown(run: int, **more: Any) -> Any:
    craft = plant.Spacecraft(plant.RigidBody((10.0, 8.0, 6.0)))
    law = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.7, sample=0.1)
    first, other = GYRO.block(sample=0.1), TRACKER.block(sample=0.5)
    claimed = more.pop("claimed", 1.0)
    mekf = MEKF(claimed * GYRO.angle_random_walk, GYRO.rate_random_walk).block(
        first, [(TRACKER, other)], attitude=(1, 0, 0, 0), attitude_sigma=1e-4, bias_sigma=1e-4
    )
    return sim.simulate(
        craft, law, attitude=(1, 0, 0, 0), duration=60.0, output_step=0.1, integrator="rk4", step=0.1, seed=4,
        run_index=run,
        blocks=[first, other, mekf], **more,
    )  # fmt: skip


@pytest.fixture(scope="module")
def runs():
    return [flown(n) for n in range(25)]


def test_consistency_of_one_run_and_many(runs):
    one, many = sim.consistency(runs[0]), sim.consistency(runs, start=10.0)
    assert one.runs == 1
    assert one.nis["star_tracker"].t.size == 120  # a message every half second, the first at 0.2 s, none repeated
    assert one.nis["star_tracker"].band == chi_square_band(3)
    nis, nees = many.nis["star_tracker"], many.nees
    assert nees.band == chi_square_band(3, runs=25)
    low, high = chi_square_band(3, runs=25 * nis.t.size, probability=0.9999)
    assert low < nis.overall < high
    assert nees.overall == pytest.approx(3.0, rel=0.15)  # errors are correlated over 5 s: some 250 independent ones
    assert nees.inside > 0.85
    assert "NIS star_tracker" in str(many)
    assert many.to_dict()["nis"]["star_tracker"]["degrees"] == 3


def test_filter_that_claims_too_much_is_seen():
    bold = sim.consistency([flown(n, claimed=0.2) for n in range(5)], start=10.0)
    assert bold.nees.overall > 6.0
    assert bold.nees.inside < 0.5
    nis = bold.nis["star_tracker"]
    assert nis.overall_band is not None
    assert nis.overall > nis.overall_band[1]


def test_picture_has_panel_for_each(runs):
    found = sim.consistency(runs, start=10.0)
    panels = found.plot().axes
    assert [each.get_title().split(":")[0] for each in panels] == ["NEES of the attitude", "NIS of star_tracker"]
    assert f"mean {found.nees.overall:.3f}" in panels[0].get_title()
    np.testing.assert_array_equal(panels[1].lines[-1].get_ydata(), found.nis["star_tracker"].values)


def test_consistency_rejects_bad_input(runs):
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
    bare = sim.simulate(craft, rate=(0, 0, 0.1), duration=1.0, compiled=False)
    for given, words in (
        ([], "no run"), (bare, "no 'knowledge_error'"), ([runs[0], flown(1, output_times=[0.05])],
        "rows at different times")
    ):  # fmt: skip
        with pytest.raises(InputError, match=words):
            sim.consistency(given)
    with pytest.raises(InputError, match="no estimate in all runs from 99 s on"):
        sim.consistency(runs, start=99.0)
