"""The two ring dampers side by side, on the set 'max' of Shivarama & Fahrenthold's example 4."""

import numpy as np
import pytest

from polhode import plant, sim

RING = plant.RingDamper(
    axis=(0, 0, 1), mass=0.05, radius=0.5, friction=0.2, center=(0, 0, 0.3), fill=2 * np.pi / 3, angle=0.5
)
ROTOR = plant.RigidBody((1.0, 1.0, 1.6))
START = {"rate": (2, 0, 10), "attitude": (np.cos(0.05), np.sin(0.05), 0, 0)}


def test_what_each_says():
    found = sim.compare_published_ring(ROTOR, RING, **START, duration=5.0, at=[0.0, 1.0, 5.0], rtol=1e-13)
    good, published = found.consistent, found.published
    h = (1.91834400349152, -0.565646784016438, 16.0006960146355)
    np.testing.assert_allclose(published.rotor_momentum[1], h, rtol=0, atol=1e-9)
    np.testing.assert_allclose(published.angle[1], 0.513920292711161, rtol=0, atol=1e-9)
    np.testing.assert_allclose(published.ring_rate[1], 12.0270303192475, rtol=0, atol=1e-9)
    h = (1.75939365604163, -0.464972295424222, 15.9912364465647)
    np.testing.assert_allclose(good.rotor_momentum[1], h, rtol=0, atol=1e-9)
    np.testing.assert_allclose(good.ring_rate[1], 12.3497192208141, rtol=0, atol=1e-9)
    np.testing.assert_allclose(good.angle[1:], (0.324728931294458, 1.20316993592358), rtol=0, atol=1e-9)
    np.testing.assert_allclose(good.energy[1:], (82.4211988350476, 82.0697481701486), rtol=0, atol=1e-9)


@pytest.mark.slow
def test_only_one_of_them_is_a_damper():
    found = sim.compare_published_ring(ROTOR, RING, **START, duration=60.0)
    good, published = found.consistent, found.published
    size = np.linalg.norm(good.momentum[0])
    np.testing.assert_array_equal(good.momentum[0].round(9), published.momentum[0].round(9))
    assert size == pytest.approx(16.233428487613, abs=1e-12)
    # the consistent one: momentum stands, energy falls, nutation dies out (but for the wobble of the slug)
    assert np.abs(good.momentum - good.momentum[0]).max() < 1e-9 * size
    assert (np.diff(good.energy) < 1e-9).all()
    assert good.nutation[-50:].max() < 0.1 * good.nutation[:50].max()
    # the published one: transverse momentum of the rotor constant, so no damping; momentum drifts, energy grows
    across = np.hypot(*published.rotor_momentum.T[:2])
    np.testing.assert_allclose(across, 2.0, rtol=1e-9)
    assert published.energy[[0, -1]].round(1).tolist() == [82.5, 94.8]
    drift = np.linalg.norm(published.momentum - published.momentum[0], axis=1)
    assert drift[-1] / size == pytest.approx(0.07, abs=0.005)  # 7 % in 60 s


def test_gravity_acts_on_both():
    plain = {"duration": 1.0, "at": [1.0], "rtol": 1e-13, "compiled": False}
    found = sim.compare_published_ring(ROTOR, RING, **START, **plain, gravity=(0, 0, -9.81))
    h = (1.71183498855696, -0.462043757609153, 15.9919922632493)
    np.testing.assert_allclose(found.consistent.rotor_momentum[0], h, rtol=0, atol=1e-9)
    free = sim.compare_published_ring(ROTOR, RING, **START, **plain)
    assert np.abs(found.published.rotor_momentum - free.published.rotor_momentum).max() > 0.01


def test_times_must_fit():
    for at in ([2.0], [0.5, 0.1], []):
        with pytest.raises(plant.InputError, match="output times must rise from 0 to the duration of 1 s"):
            sim.compare_published_ring(ROTOR, RING, rate=(0, 0, 1), duration=1.0, at=at)


def test_what_does_not_come_to_its_end_is_refused_soon():
    with pytest.raises(plant.InputError, match="evaluated 20,000 times up to"):
        sim.compare_published_ring(ROTOR, RING, **START, duration=1e7, at=[1e7])
    with pytest.raises(plant.InputError, match="more than 20,000,000 rows"):
        sim.compare_published_ring(ROTOR, RING, **START, duration=1e9, output=0.05)
