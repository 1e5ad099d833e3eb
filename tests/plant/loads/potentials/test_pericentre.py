"""The pericentre of a conic against closed forms and against the orbit."""

from itertools import product

import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant.loads.potentials.kepler import kepler_position
from polhode.plant.loads.potentials.pericentre import pericentre

MU = 3.986004418e14


def test_pericentre_time_of_a_fall_from_rest():
    # pi sqrt(r^3 / 8 mu)
    nearest, when = pericentre(np.array((7e6, 0, 0)), np.zeros(3), MU)
    assert nearest == 0.0
    assert when == pytest.approx(np.pi * np.sqrt(7e6**3 / (8 * MU)), rel=1e-12)


@pytest.mark.parametrize("speed", [5e3, 9e3, np.sqrt(2 * MU / 7e6), 12e3])
@pytest.mark.parametrize("along", [-0.6, 0.3])
def test_pericentre_is_the_nearest_point_of_the_orbit(speed, along):
    r = np.array((7e6, 0.0, 0.0))
    v = speed * np.array((along, np.sqrt(1 - along**2), 0.0))
    nearest, when = pericentre(r, v, MU)
    if not np.isfinite(when):
        assert along > 0  # moving outward without limit
        assert speed >= np.sqrt(2 * MU / 7e6)
        return
    there = [np.linalg.norm(kepler_position(t, MU, *r, *v)) for t in (when - 1.0, when, when + 1.0)]
    assert there[1] == pytest.approx(nearest, rel=1e-9)
    assert min(there) == there[1]


def test_orbit_through_the_centre_within_the_run_is_rejected():
    gravity = plant.GravityGradient(mu=3.9e14, position=(7e6, 0, 0), velocity=(0, 10.0, 0))  # of no known body
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)), potentials=[gravity])
    with pytest.raises(plant.InputError, match=r"orbit comes within .* m of the centre at t = 10\d\d"):
        sim.simulate(craft, duration=2000.0, compiled=False)
    assert sim.simulate(craft, duration=10.0, output_times=[10.0], compiled=False).status == "completed"


@pytest.mark.parametrize("ratio", [1e4, 1e20, 1e60])
def test_pericentre_of_a_fast_flight_is_the_nearest_point_of_the_line(ratio):
    r, v = np.array((1.0, 0.0, 0.0)), ratio * np.array((-0.6, 0.8, 0.0))
    nearest, when = pericentre(r, v, 1.0)
    assert nearest == pytest.approx(0.8, rel=1e-7)
    assert when * ratio == pytest.approx(0.6, rel=1e-7)
    assert pericentre(r, -v, 1.0)[1] == np.inf


SIZES = (0.0, 5e-324, 1e-300, 1e-160, 1e-100, 1e-30, 1e-10, 7e3, 1e30, 1e100, 1e160, 1e300, np.nan, np.inf)
DIRECTIONS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (-0.6, 0.8, 0.0))


@pytest.mark.parametrize("mu", [5e-324, 1e-150, 1e-40, 4e14, 1e40, 1e150, 1e300])
def test_orbits_of_any_size_are_computed_or_rejected(mu):
    accepted, refusals = 0, []
    body = plant.RigidBody((3, 2, 1))
    with np.errstate(all="raise", under="ignore"):
        for r, v, along in product(SIZES, SIZES, DIRECTIONS):
            try:
                velocity = [v * component if component else 0.0 for component in along]
                gravity = plant.GravityGradient(mu=mu, position=(r, 0, 0), velocity=velocity)
                gravity.check_duration(10.0)
            except plant.InputError as error:
                refusals.append(("finite" in str(error), not np.isfinite((r, v)).all()))
                continue
            craft = plant.Spacecraft(body, potentials=[gravity])
            assert np.isfinite([craft.derivative(t, craft.at_rest()) for t in (0.0, 10.0)]).all()
            accepted += 1
    assert all(not said or so for said, so in refusals)
    assert bool(accepted) == (1e-40 <= mu <= 1e40)
