"""Bound on a pointing error over the inertia, against a loop written down by hand."""

import numpy as np
import pytest
from scipy import linalg

from polhode import controllers, plant
from polhode.controllers.loop.analysis.pointing_budget import budget_figures
from polhode.controllers.sensing.estimators import MEKF
from polhode.controllers.sensing.sensors import RateGyro, StarTracker
from polhode.plant.errors import DesignError, InputError

STEP, WALK, NOISE = 0.5, 1e-4, 2e-4


def _model(J):
    craft = plant.Spacecraft(plant.RigidBody(J))
    return craft.linearize(craft.at_rest())


LAW = controllers.lqr(_model((3.0, 3.0, 3.0)), attitude=1.0, rate=1.0, effort=1.0, sample=STEP)
SENSORS = [
    RateGyro(angle_random_walk=WALK).block(sample=STEP, shadows=True),
    StarTracker(noise=NOISE, roll_noise=NOISE).block(sample=STEP, shadows=True),
]


def _loop(x, half=0.2):
    return LAW.loop(_model((3.0 * (1.0 + half * x[0]),) * 3), blocks=SENSORS)


def _variance(J):
    """Variance of one axis: a double integrator under -k (theta + n) - c ((theta - last theta)/h + m), held."""
    k, c = LAW.gain[0, 0], 3.0 * LAW.gain[0, 3]  # the gain of the momentum, designed for 3 kg m^2
    A = np.array([[1.0, STEP, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    B = np.array([[STEP**2 / 2.0], [STEP], [0.0]]) / J
    F = A - B @ np.array([[k + c / STEP, 0.0, -c / STEP]])
    G = B @ np.array([[k * NOISE, c * WALK / np.sqrt(STEP)]])
    return linalg.solve_discrete_lyapunov(F, G @ G.T)[0, 0]


WORST = np.sqrt(3.0 * max(_variance(3.0 * (1.0 + 0.2 * x)) for x in np.linspace(-1.0, 1.0, 81)))


def test_budget_bound_covers_the_double_integrator():
    """With a lighter spacecraft the loop is faster and passes more noise; the answer is by hand."""
    found = controllers.robust_budget_bound(_loop, numbers=1, error="ape", found=WORST, within=0.004)
    assert WORST <= found.value <= 1.004 * WORST
    nominal = budget_figures(_loop((0.0,)), window=1.0)["ape"]
    assert nominal == pytest.approx(np.sqrt(3.0 * _variance(3.0)), rel=1e-9)
    assert nominal < 0.995 * WORST  # a bound on the nominal spacecraft only would fail


def test_requirement_is_established_with_one_box():
    found = controllers.robust_budget_bound(_loop, numbers=1, error="ape", found=WORST, requested=1.5 * WORST)
    assert found.boxes == 1
    assert found.value <= 1.5 * WORST
    assert found.to_dict()["requested"] == pytest.approx(1.5 * WORST)
    assert "over 1 box," in found.explanation


def test_filter_errors_are_covered_over_random_inertias():
    """With a Kalman filter, biases of the gyro are states that never decay: they must not spoil the model."""
    gyro, tracker = (
        RateGyro(angle_random_walk=WALK, rate_random_walk=1e-6, bias=1e-5),
        StarTracker(noise=NOISE, roll_noise=NOISE),
    )
    first, other = gyro.block(sample=STEP), tracker.block(sample=STEP)
    mekf = MEKF(WALK, 1e-6).block(
        first, [(tracker, other)], attitude=(1, 0, 0, 0), attitude_sigma=1e-3, bias_sigma=1e-5
    )

    def loop_at(x):
        J = [[3.0 + 0.2 * x[0], 0.1 * x[1], 0.0], [0.1 * x[1], 3.0, 0.0], [0.0, 0.0, 3.0]]
        return LAW.loop(_model(J), blocks=[first, other, mekf])

    rng = np.random.default_rng(5)
    points = [*((a, b) for a in (-1.0, 1.0) for b in (-1.0, 1.0)), *map(tuple, rng.uniform(-1.0, 1.0, (8, 2)))]
    for error in ("ape", "ake"):
        values = [budget_figures(loop_at(x), window=1.0)[error] for x in points]
        found = controllers.robust_budget_bound(loop_at, numbers=2, error=error, found=max(values), within=0.05)
        assert found.value is not None
        assert max(values) <= found.value <= 1.05 * max(values)


@pytest.mark.parametrize("centre", [3.0, 0.3])
def test_unstable_spacecraft_leave_no_bound(centre):
    """A tenth of the inertia is unstable at this sampling period; it is at one end of the box, or in its middle."""

    def loop_at(x):
        return LAW.loop(_model((centre * 10.0 ** -abs(x[0]),) * 3), blocks=SENSORS)

    assert not loop_at((1.0,)).stable
    assert controllers.robust_budget_bound(loop_at, numbers=1, error="ape", found=1e-3, boxes=9).value is None


def test_loops_of_different_size_are_refused():
    def loop_at(x):
        law = controllers.lqr(
            _model((3.0, 3.0, 3.0)), attitude=1.0, rate=1.0, effort=1.0, sample=STEP, delay=0.0 if x[0] < 0.5 else 0.25
        )
        return law.loop(_model((3.0, 3.0, 3.0)), blocks=SENSORS)

    with pytest.raises(DesignError, match="omit the dispersion that changes it, such as a delay"):
        controllers.robust_budget_bound(loop_at, numbers=1, error="ape", found=1e-3)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"error": "rpe"}, "ape"),
        ({"found": 0.0}, "found"),
        ({"within": 1.5}, "within must be between 0 and 1"),
        ({"requested": 0.5e-3}, "below the largest ape found, 0.001; use at least this"),
    ],
)
def test_bad_arguments_are_named(given, words):
    with pytest.raises(InputError, match=words):
        controllers.robust_budget_bound(_loop, **{"numbers": 1, "error": "ape", "found": 1e-3, **given})
