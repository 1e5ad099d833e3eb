"""Pointing errors of a run: means over windows, and refused input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import blocks
from polhode.plant.errors import InputError


@pytest.fixture(scope="module")
def craft() -> Any:
    return plant.Spacecraft(plant.RigidBody((10.0, 8.0, 6.0)), torques=plant.TorqueBasis("body", limit=1.0))


@pytest.fixture(scope="module")
def law(craft) -> Any:
    return controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.7, sample=0.1)


def flown(craft, law, **more) -> Any:
    given = {
        "duration": 200.0,
        "output_step": 0.1,
        "integrator": "rk4",
        "step": 0.1,
        "seed": 1,
        "attitude": (1, 0, 0, 0),
    }
    shaking = blocks.noise(1e-3, reads="command", sample=0.1)
    return sim.simulate(craft, law, blocks=[shaking], **{**given, **more})


def test_pointing_errors_match_the_rows(craft, law):
    run = flown(craft, law)
    found = sim.pointing_errors(run, window=5.0, start=50.0)
    e = run.values("error_vector")[500:2000]
    assert (found.windows, found.window, found.start) == (30, pytest.approx(5.0), pytest.approx(50.0))
    mean = np.array([e[50 * k : 50 * k + 50].mean(axis=0) for k in range(30)])
    np.testing.assert_allclose(found.pointing[1], np.sqrt((mean**2).mean(axis=0)), rtol=1e-12)
    np.testing.assert_allclose(found.pointing[0] ** 2, (found.pointing[1:] ** 2).sum(axis=0), rtol=1e-12)
    assert found.knowledge is None
    assert list(found.figures()) == ["ape", "mpe", "rpe"]
    assert found.to_dict()["windows"] == 30
    budget = controllers.pointing_budget(
        law, craft.linearize(craft.at_rest()), window=5.0, blocks=[blocks.noise(1e-3, reads="command", sample=0.1)]
    )
    # 150 s with a correlation time of 2 s: 10 % of a root mean square
    np.testing.assert_allclose(found.pointing, budget.pointing.total(), rtol=0.3)


@pytest.mark.parametrize(
    ("more", "asked", "words"),
    [
        ({"output_step": 0.3}, {}, r"rows are 0.3 s apart, but the law samples every 0.1 s"),
        ({}, {"start": 199.0}, "no window of 5 s fits"),
        ({}, {"window": -1.0}, "window"),
    ],
)
def test_pointing_errors_reject_bad_input(craft, law, more, asked, words):
    with pytest.raises(InputError, match=words):
        sim.pointing_errors(flown(craft, law, **more), **{"window": 5.0, **asked})


def test_run_without_reference_has_no_pointing_error(craft):
    with pytest.raises(InputError, match="no reference"):
        sim.pointing_errors(sim.simulate(craft, rate=(0, 0, 0.1), duration=10.0, compiled=False), window=1.0)
