"""A field acts once: potentials that would double a torque or a force are refused; two bodies are not."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant import environment
from polhode.plant.errors import InputError

MU, RADIUS = 3.986004418e14, 6378137.0
EARTH = {"mu": MU, "j2": 1.08262668e-3, "radius": RADIUS}
PLACE = {"position": (7e6, 0.0, 0.0), "velocity": (0.0, 7546.0, 0.0)}
AIR = {"density": 1e-12, "coefficient": 2.2, "area": 1.0}


def craft(*potentials, translation=True):
    return plant.Spacecraft(plant.RigidBody((3.0, 2.0, 4.0), mass=7.0), translation=translation, potentials=potentials)


@pytest.fixture(scope="module")
def loads():
    orbit = environment.MeanOrbit(epoch=environment.Epoch("2026-03-20T12:00:00Z"), semi_major_axis=7e6)
    fields = environment.fields_along(orbit, 600.0, magnetic=environment.DipoleField())

    def of(**more):
        return environment.EnvironmentLoads(fields=fields, **more)

    return of


GRADIENT = plant.GravityGradient(mu=MU, **PLACE)


@pytest.mark.parametrize(
    ("potentials", "translation", "message"),
    [
        ((plant.PointGravity(mu=MU), plant.PointGravity(mu=3.986e14)), True, "gravity of a point mass .* acts twice"),
        ((plant.PointGravity(mu=MU), plant.GravityGradient(mu=MU)), True, "omit point gravity"),
        ((plant.GravityGradient(mu=MU), plant.GravityGradient(mu=4.9e12)), True, "gravity gradient .* acts twice"),
        ((plant.Oblateness(**EARTH), plant.Oblateness(**EARTH)), True, "oblateness .* acts twice"),
        ((plant.Drag(**AIR), plant.Drag(**AIR)), True, "drag acts twice"),
        ((GRADIENT, GRADIENT), False, "the same GravityGradient twice"),
        ((GRADIENT, plant.GravityGradient(mu=3.986e14, **PLACE)), False, "gravity gradient of one body acts twice"),
        ((plant.PointGravity(mu=4.9028e12), plant.Oblateness(**EARTH)), True, "mu 3.986e.14 .* of the oblateness"),
        (
            (
                plant.PointGravity(mu=MU),
                plant.Drag(**AIR, scale_height=8e3, reference_radius=4e5),
            ),
            True,
            "reference_radius 400000 m of the drag is inside the Earth",
        ),
    ],
)  # fmt: skip
def test_repeated_or_contradicting_fields_are_refused(potentials, translation, message):
    with pytest.raises(InputError, match=message):
        craft(*potentials, translation=translation)


def test_sources_of_two_environments_are_counted_once(loads):
    dipole = (1.0, 0.0, 0.0)
    for pair, message in (
        ((loads(gravity_gradient=True), GRADIENT), "of the Earth acts twice"),
        ((loads(gravity_gradient=True), loads(gravity_gradient=True)), "gravity gradient acts twice"),
        ((loads(residual_dipole=dipole), loads(residual_dipole=dipole)), "residual dipole acts twice"),
    ):
        with pytest.raises(InputError, match=message):
            craft(*pair, translation=False)
    both = craft(loads(gravity_gradient=True), loads(residual_dipole=dipole), translation=False)
    one = craft(loads(gravity_gradient=True, residual_dipole=dipole), translation=False)
    x = one.at_rest((0.8, 0.6, 0.0, 0.0))
    np.testing.assert_allclose(both.derivative(10.0, x), one.derivative(10.0, x), rtol=1e-12)


def test_gradients_of_two_bodies_add():
    """3 mu/r^3 rhat x J rhat of each body."""
    moon = plant.GravityGradient(mu=4.9028e12, position=(0.0, 2e6, 2e6), velocity=(1.0, 0.0, 0.0))
    made = craft(GRADIENT, moon, translation=False)
    attitude = np.array((0.8, 0.36, 0.48, 0.0))
    turn = plant.attitude.rotation_matrix(attitude)
    torque = np.zeros(3)
    for mu, place in ((MU, (7e6, 0.0, 0.0)), (4.9028e12, (0.0, 2e6, 2e6))):
        r = float(np.linalg.norm(place))
        b = turn.T @ np.array(place) / r
        torque += 3 * mu / r**3 * np.cross(b, np.diag((3.0, 2.0, 4.0)) @ b)
    np.testing.assert_allclose(made.derivative(0.0, made.at_rest(attitude))[:3], torque, rtol=1e-12)
