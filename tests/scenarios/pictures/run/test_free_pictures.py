"""Figures of free motion come with the run of a free rigid body only."""

import numpy as np
import pytest

from polhode import plant
from polhode.scenarios.pictures.run.free_pictures import free_pictures
from polhode.sim import simulate


def pictures(inertia, rate, **more):
    craft = plant.Spacecraft(plant.RigidBody(inertia), **more)
    return free_pictures(simulate(craft, rate=rate, duration=2.0, integrator="elliptic"), title="x")


def test_free_body_has_polhode_and_herpolhode():
    found = pictures((4.0, 3.0, 2.0), (0.3, 0.1, 1.0))
    assert set(found) == {"polhode", "herpolhode"}
    circles = [line for line in found["herpolhode"].axes[0].lines if len(line.get_xdata()) > 1000]
    assert circles


def test_axisymmetric_body_has_cones_with_their_angles():
    """Body cone: from the symmetry axis to the rate, atan(0.3 / 1); space cone: from the momentum to the rate."""
    found = pictures((3.0, 3.0, 5.0), (0.3, 0.0, 1.0))
    assert set(found) == {"polhode", "herpolhode", "cones"}
    words = " ".join(text.get_text() for text in found["cones"].texts)
    body = np.degrees(np.arctan(0.3))
    lean = np.degrees(np.arctan(0.3 * 3.0 / 5.0))
    assert f"body cone, half angle {body:.4g}" in words
    assert f"space cone, half angle {body - lean:.4g}" in words


@pytest.mark.parametrize(
    ("inertia", "rate", "more"),
    [
        ((2.0, 2.0, 2.0), (0.1, 0.2, 0.3), {}),
        ((4.0, 3.0, 2.0), (0.0, 0.0, 0.0), {}),
    ],
    ids=["sphere", "rest"],
)
def test_body_without_polhodes_has_no_such_picture(inertia, rate, more):
    assert pictures(inertia, rate, **more) == {}
