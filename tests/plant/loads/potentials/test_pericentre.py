"""The pericentre of a conic against closed forms and against the orbit itself."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant.loads.potentials.kepler import kepler_position
from polhode.plant.loads.potentials.pericentre import pericentre

MU = 3.986004418e14


def test_a_fall_from_rest():
    # pi sqrt(r^3 / 8 mu)
    nearest, when = pericentre(np.array((7e6, 0, 0)), np.zeros(3), MU)
    assert nearest == 0.0
    assert when == pytest.approx(np.pi * np.sqrt(7e6**3 / (8 * MU)), rel=1e-12)


@pytest.mark.parametrize("speed", [5e3, 9e3, np.sqrt(2 * MU / 7e6), 12e3])
@pytest.mark.parametrize("along", [-0.6, 0.3])
def test_the_pericentre_is_where_the_orbit_is_nearest(speed, along):
    r = np.array((7e6, 0.0, 0.0))
    v = speed * np.array((along, np.sqrt(1 - along**2), 0.0))
    nearest, when = pericentre(r, v, MU)
    if not np.isfinite(when):
        assert along > 0  # on its way out, for ever
        assert speed >= np.sqrt(2 * MU / 7e6)
        return
    there = [np.linalg.norm(kepler_position(t, MU, *r, *v)) for t in (when - 1.0, when, when + 1.0)]
    assert there[1] == pytest.approx(nearest, rel=1e-9)
    assert min(there) == there[1]


def test_an_orbit_through_the_centre_is_refused_if_the_run_comes_there():
    gravity = plant.GravityGradient(mu=MU, position=(7e6, 0, 0), velocity=(0, 10.0, 0))
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)), potentials=[gravity])
    with pytest.raises(plant.InputError, match=r"orbit comes within .* m of the centre at t = 10\d\d"):
        sim.simulate(craft, duration=2000.0, compiled=False)
    assert sim.simulate(craft, duration=10.0, at=[10.0], compiled=False).status == "completed"
