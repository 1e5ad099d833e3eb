"""Drift of the formulations: its powers of t follow from the quantities that each form conserves exactly."""

import numpy as np
import pytest

from polhode.plant import InputError, RigidBody, Spacecraft
from polhode.plant.formulations import FORMULATIONS, Load
from polhode.sim import formulation_drift

J = (400.0, 307.808385, 200.0)  # Shivarama & Fahrenthold (2004), Table 2
RATE = (1.0, 0.4, 0.3)
H = np.array(J) * RATE / np.linalg.norm(np.array(J) * RATE)
UPRIGHT = np.array([1.0 + H[2], H[1], -H[0], 0.0]) / np.sqrt(2.0 + 2.0 * H[2])


def drift(name: str, **options):
    angles = FORMULATIONS[name].has_angles
    given = {"duration": 400.0, "step": 0.05, "timed": False, **options}
    return formulation_drift(name, J, rate=RATE, attitude=UPRIGHT, sequence="3-1-3" if angles else None, **given)


@pytest.mark.parametrize("name", ["hamilton-7", "newton-euler", "hamilton-8-canonical"])
def test_first_order_forms_drift_like_t(name: str) -> None:
    last, power = drift(name).growth("norm")
    assert power == pytest.approx(1.0, abs=0.3)  # the variation within one oscillation is still visible
    assert 1e-9 < last < 1e-6


@pytest.mark.parametrize("name", ["lagrange-23", "lagrange-25", "lagrange-29", "lagrange-82", "schwab-42"])
def test_second_order_forms_drift_like_t_squared(name: str) -> None:
    found = drift(name)
    for quantity in ("norm", "energy", "momentum"):
        assert found.growth(quantity)[1] == pytest.approx(2.0, abs=0.15)
    # the rate of e / |e| scales as 1/|e|^4 in free motion of (23): twice the drift of |e|^2 in momentum, and so on
    assert found.energy[-1] / found.momentum[-1] == pytest.approx(2.0, rel=0.01)


def test_energy_of_36_drifts_like_t_squared_though_its_norm_does_not() -> None:
    found = drift("hamilton-8")
    assert found.growth("norm")[1] < 1.3
    assert found.growth("energy")[1] == pytest.approx(2.0, abs=0.1)
    assert drift("hamilton-8-canonical").growth("energy")[1] == pytest.approx(1.0, abs=0.15)


@pytest.mark.parametrize("name", FORMULATIONS)
def test_projection(name: str) -> None:
    """No drift off the constraint; energy and momentum far below the drift of the second-order forms without
    projection.
    """
    found = drift(name, project=True)
    assert found.norm.max() < 1e-14
    assert found.energy.max() < 1e-6
    assert found.momentum.max() < 1e-6
    assert np.isnan(found.growth("norm")[1])


def test_forms_that_coincide() -> None:
    one, other = drift("lagrange-23"), drift("lagrange-25")
    assert other.norm == pytest.approx(one.norm, rel=1e-5)
    assert drift("schwab-42").norm == pytest.approx(drift("lagrange-29").norm, rel=1e-5, abs=1e-13)
    assert drift("lagrange-29").norm[-1] < 0.5 * one.norm[-1]


def test_under_a_force() -> None:
    load = Load(force=(0, 0, 20.0), point=(0.5, 1.0, 1.0))
    found = drift("hamilton-7", load=load, duration=50.0)
    assert found.energy.max() < 1e-7
    assert found.momentum.max() < 1e-7
    plain = drift("lagrange-82", load=load).norm[-1]
    assert plain != pytest.approx(drift("lagrange-23", load=load).norm[-1], rel=0.01)  # a force distinguishes them


def test_cost_is_measured() -> None:
    found = drift("newton-euler", duration=5.0, timed=True)
    assert 0.0 < found.cost < 1e-3
    assert np.isnan(drift("newton-euler", duration=5.0).cost)


def test_refused() -> None:
    with pytest.raises(InputError, match="under a torque"):
        drift("newton-euler", load=Load(body_torque=(1, 0, 0)))
    with pytest.raises(InputError, match="at rest"):
        formulation_drift("newton-euler", J, rate=(0, 0, 0), duration=1.0, step=0.1, timed=False)
    with pytest.raises(InputError, match="inertia must be 3 numbers"):
        formulation_drift("newton-euler", Spacecraft(RigidBody(J)), rate=RATE, duration=1.0, step=0.1)


def test_attitude_for_the_angles_is_free_of_lock() -> None:
    assert drift("euler-angles").run.counters["nearest_gimbal_lock_rad"] > 1.0


def test_energy_under_a_force_is_constant_about_a_pivot() -> None:
    """The force acts at a point of the body; its lever arm is measured from the pivot."""
    body = RigidBody(J, mass=10.0, pivot=(0.3, -0.2, 0.5))
    load = Load(force=(20.0, -10.0, 30.0), point=(0.4, 0.1, -0.3))
    given = {"rate": RATE, "duration": 5.0, "step": 0.01, "load": load, "timed": False}
    assert formulation_drift("hamilton-7", body, **given).energy.max() < 1e-9
