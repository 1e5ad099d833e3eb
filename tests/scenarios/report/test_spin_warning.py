"""The warning of an unstable spin, and the limit of its search."""

from types import SimpleNamespace

import pytest

from polhode import plant
from polhode.scenarios.report.spin_warning import unstable_spin


def started(rings, momentum=(1.0, 0.0, 0.0)):
    """A run of a spacecraft with ring dampers that starts with a momentum."""
    elements = [
        plant.RingDamper(axis=(0, 0, 1), mass=0.05, radius=0.5, center=(0, 0, 0.3 + 0.1 * k), fill=2.0, friction=0.2)
        for k in range(rings)
    ]
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.5, 2.0), mass=50.0), elements=elements)
    return SimpleNamespace(craft=craft, start=[*momentum, *[0.0] * 20], law=None)


def test_spin_about_the_minor_axis_is_said():
    assert "unstable" in unstable_spin(started(1, momentum=(0.0, 0.0, 1.0)))[0]
    assert unstable_spin(started(1)) == []  # the major axis


def test_search_for_a_warning_has_a_limit(monkeypatch):
    def search(*_, **__):
        pytest.fail("75 starts with eight coordinates take ten seconds")

    monkeypatch.setattr(plant, "spin_equilibria", search)
    assert unstable_spin(started(8, momentum=(0.0, 0.0, 1.0))) == []
