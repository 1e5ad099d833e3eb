"""Central force, oblateness, drag and thrust on a translating spacecraft, against closed forms and scipy."""

import re

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import plant, sim
from polhode.plant.attitude import from_rotation_vector, rotation_matrix
from polhode.plant.errors import InputError

MU, J2, RADIUS = 3.986004418e14, 1.08262668e-3, 6378137.0
EARTH = {"mu": MU, "j2": J2, "radius": RADIUS}
J = (3.0, 2.0, 4.0)


def craft(*potentials, mass=7.0, **more):
    return plant.Spacecraft(plant.RigidBody(J, mass=mass), translation=True, potentials=potentials, **more)


def circular(height, tilt, fraction=1.0):
    r = RADIUS + height
    v = fraction * np.sqrt(MU / r)
    return np.array((r, 0.0, 0.0)), v * np.array((0.0, np.cos(tilt), np.sin(tilt)))


def simulated(made, place, *, duration, **more):
    return sim.simulate(
        made, position=place[0], velocity=place[1], duration=duration, **{"integrator": "dop853", "rtol": 1e-13, **more}
    )


def test_oblate_orbit_is_that_of_scipy():
    """a = 3/2 J2 mu R^2/r^5 (x (5u - 1), y (5u - 1), z (5u - 3)), u = (z/r)^2, integrated by itself."""

    def rates(t, y):
        x, v = y[:3], y[3:]
        r = np.linalg.norm(x)
        u = (x[2] / r) ** 2
        a = -MU / r**3 * x + 1.5 * J2 * MU * RADIUS**2 / r**5 * x * (5.0 * u - np.array((1.0, 1.0, 3.0)))
        return np.concatenate((v, a))

    place = circular(500e3, 1.1, 1.02)
    run = simulated(craft(plant.PointGravity(mu=MU), plant.Oblateness(**EARTH)), place, duration=20000.0)
    other = solve_ivp(rates, (0.0, 20000.0), np.concatenate(place), method="DOP853", rtol=1e-13, atol=1e-6)
    np.testing.assert_allclose(run.values("position")[-1], other.y[:3, -1], atol=1e-3)
    np.testing.assert_allclose(run.values("velocity")[-1], other.y[3:, -1], atol=1e-6)
    np.testing.assert_array_equal(run.values("rate"), 0.0)
    x, v = run.values("position"), run.values("velocity")
    along = np.cross(x, v)[:, 2]  # the pole is an axis of symmetry
    assert np.abs(along - along[0]).max() < 1e-12 * along[0]
    assert np.abs(run.values("energy_balance")).max() < 1e-12 * 7.0 * MU / RADIUS


def test_node_drifts_at_the_secular_rate():
    """-3/2 n J2 (R/a)^2 cos i with the mean a, over one day; the square of J2 is left out, 0.1 %."""
    tilt = np.radians(60.0)
    place = circular(700e3, tilt)
    run = simulated(
        craft(plant.PointGravity(mu=MU), plant.Oblateness(**EARTH)), place, duration=86400.0, output_step=600.0
    )
    h = np.cross(run.values("position"), run.values("velocity"))
    node = np.unwrap(np.arctan2(h[:, 0], -h[:, 1]))
    a = RADIUS + 700e3
    a -= 1.5 * J2 * RADIUS**2 / a * np.sin(tilt) ** 2  # at the node the osculating a is larger by its short-period part
    expected = -1.5 * np.sqrt(MU / a**3) * J2 * (RADIUS / a) ** 2 * np.cos(tilt)
    assert np.polyfit(run.t, node, 1)[0] == pytest.approx(expected, rel=1.2e-3)


def test_pole_of_any_direction_is_a_rotation_of_the_whole():
    turn = rotation_matrix(from_rotation_vector((0.7, -0.4, 1.1)))
    place = circular(500e3, 1.1, 1.02)
    first = simulated(craft(plant.PointGravity(mu=MU), plant.Oblateness(**EARTH)), place, duration=3000.0)
    tilted = plant.Oblateness(**EARTH, pole=3.0 * turn[:, 2])
    second = simulated(craft(plant.PointGravity(mu=MU), tilted), [turn @ each for each in place], duration=3000.0)
    np.testing.assert_allclose(second.values("position")[-1], turn @ first.values("position")[-1], atol=1e-6)


def test_gravity_gradient_with_oblateness_adds_only_the_oblateness():
    place = circular(500e3, 1.1)
    plain = craft(plant.GravityGradient(mu=MU), plant.Oblateness(**EARTH))
    still = craft(plant.PointGravity(mu=MU), plant.Oblateness(**EARTH))
    x = [each.state(position=place[0], velocity=place[1], attitude=(0.8, 0, 0, 0.6)) for each in (plain, still)]
    rates = [each.derivative(0.0, state) for each, state in zip((plain, still), x, strict=True)]
    np.testing.assert_allclose(rates[0][10:], rates[1][10:], atol=1e-11)  # N of 59; the gradient adds 1e-13
    assert rates[0][:3].any()
    assert not rates[1][:3].any()
    with pytest.raises(InputError, match="includes the central force"):
        craft(plant.GravityGradient(mu=MU), plant.PointGravity(mu=MU))


def test_drag_lowers_a_circular_orbit_by_closed_form():
    """a' = -rho Cd A/m sqrt(mu a) (1 - rotation/n)^2 in the plane of the equator; rho grows on the way down."""
    height, scale, density = 400e3, 58e3, 4e-12
    drag = plant.Drag(
        density=density, coefficient=2.2, area=1.5, scale_height=scale, reference_radius=RADIUS + height - 30e3
    )
    made = craft(plant.PointGravity(mu=MU), drag)
    place = circular(height, 0.0)
    a = RADIUS + height
    n = np.sqrt(MU / a**3)
    orbits = 3 * 2.0 * np.pi / n
    run = simulated(made, place, duration=orbits, rtol=1e-12)
    r, v = run.values("position")[-1], run.values("velocity")[-1]
    end = 1.0 / (2.0 / float(np.linalg.norm(r)) - float(v @ v) / MU)
    slow = (1.0 - 7.292115146706e-5 / n) ** 2
    rate = -density * np.exp(-30e3 / scale) * 2.2 * 1.5 / 7.0 * np.sqrt(MU * a) * slow
    # a' = rate exp(-(a - a0)/H); a itself, and the rotation over n, change by 1e-4
    assert end - a == pytest.approx(scale * np.log1p(rate * orbits / scale), rel=5e-4)
    assert np.abs(run.values("energy_balance")).max() < 5e-12 * 7.0 * MU / RADIUS


def test_drag_and_thrust_off_the_mass_centre_turn_the_spacecraft():
    centre, point, force = np.array((0.2, -0.1, 0.3)), np.array((0.1, 0.4, 0.0)), np.array((0.0, 0.3, -0.2))
    drag = plant.Drag(density=1e-3, coefficient=2.0, area=0.5, rotation=(0, 0, 0.01), centre=centre)
    made = craft(drag, plant.Thrust(force=force, point=point, start=1.0, stop=2.0))
    e = from_rotation_vector((0.3, -0.8, 0.5))
    x = made.state(attitude=e, position=(10.0, 0.0, 0.0), velocity=(3.0, 5.0, -2.0))
    flow = np.array((3.0, 5.0 - 0.1, -2.0))
    push = -0.5 * 1e-3 * 2.0 * 0.5 * np.linalg.norm(flow) * flow
    for t, on in ((0.5, 0.0), (1.0, 1.0), (1.5, 1.0), (2.0, 0.0)):
        dx = made.derivative(t, x)
        torque = np.cross(centre, rotation_matrix(e).T @ push) + on * np.cross(point, force)
        np.testing.assert_allclose(dx[:3], torque, atol=1e-15)
        np.testing.assert_allclose(dx[10:13], push + on * rotation_matrix(e) @ force, atol=1e-15)


@pytest.mark.parametrize("scheme", [{"integrator": "rk4", "step": 0.7}, {"integrator": "dop853", "rtol": 1e-10}])
def test_thrust_impulse_is_exact_for_any_step(scheme):
    made = craft(plant.Thrust(force=(0.0, 3.0, 0.0), start=1.234, stop=3.456))
    run = sim.simulate(made, duration=10.0, **scheme)
    assert run.values("linear_momentum")[-1][1] == pytest.approx(3.0 * 2.222, rel=1e-13)
    still = plant.Spacecraft(
        plant.RigidBody(J), potentials=[plant.Thrust(force=(0, 3, 0), point=(1, 0, 0), start=1.234, stop=3.456)]
    )
    turned = sim.simulate(still, duration=10.0, **scheme)  # the mass centre is not simulated, the torque acts
    assert turned.values("inertial_momentum")[-1][2] == pytest.approx(3.0 * 2.222, rel=1e-12)


def test_leak_loses_its_closed_form_impulse():
    """From 3 s on, 0.2 N falling to 37 % in 4 s; the impulse to 10 s is F tau (1 - exp(-7/4)), before 3 s nothing."""
    force, point = np.array((0.2, 0.0, 0.0)), np.array((0.0, 0.3, 0.0))
    made = craft(plant.Leak(force=force, point=(0, 0, 0), start=3.0, decay_time=4.0))
    run = sim.simulate(made, duration=10.0, rtol=1e-12, output_times=[0.0, 3.0, 10.0])
    momentum = run.values("linear_momentum")[:, 0]
    assert momentum[1] == momentum[0]
    assert momentum[-1] == pytest.approx(0.2 * 4.0 * -np.expm1(-7.0 / 4.0), rel=1e-11)
    still = plant.Spacecraft(plant.RigidBody(J), potentials=[plant.Leak(force=force, point=point)])
    turned = sim.simulate(still, duration=10.0, rtol=1e-12)  # constant by default; about a principal axis of inertia
    np.testing.assert_allclose(turned.values("inertial_momentum")[-1], 10.0 * np.cross(point, force), atol=1e-12)


@pytest.mark.parametrize("scheme", [{"integrator": "rk4", "step": 0.7}, {"integrator": "dop853", "rtol": 1e-10}])
def test_steps_end_where_a_leak_starts(scheme):
    """A constant leak: any step that ends at its start gives the exact impulse."""
    run = sim.simulate(craft(plant.Leak(force=(0.0, 3.0, 0.0), start=1.234)), duration=10.0, **scheme)
    assert run.values("linear_momentum")[-1][1] == pytest.approx(3.0 * 8.766, rel=1e-13)


PENDULUM = plant.Pendulum(hinge=(0, 0, 0.5), length=0.3, mass=0.4, direction=(0, 0, -1), axis=(1, 0, 0), stiffness=1.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: plant.Spacecraft(plant.RigidBody(J, mass=1.0), potentials=[plant.PointGravity(mu=MU)]), "translation"),
        (lambda: craft(plant.Thrust(force=(1, 0, 0), start=0.0, stop=1.0), elements=[PENDULUM]), "mass cent"),
        (lambda: craft(plant.Drag(density=1.0, coefficient=1.0, area=1.0), elements=[PENDULUM]), "mass cent"),
        (
            lambda: plant.Spacecraft(
                plant.RigidBody(J, mass=1.0, pivot=(0, 0, 0)), potentials=[plant.Oblateness(**EARTH)]
            ).pack(),
            "acts on the spacecraft's own orbit",
        ),
        (
            lambda: plant.Spacecraft(
                plant.RigidBody(J, mass=1.0, pivot=(0, 0, 1)),
                potentials=[plant.Thrust(force=(1, 0, 0), start=0.0, stop=1.0)],
            ).pack(),
            "omit the pivot",
        ),
        (lambda: craft(plant.Leak(force=(1, 0, 0)), elements=[PENDULUM]), "mass cent"),
        (
            lambda: plant.Spacecraft(
                plant.RigidBody(J, mass=1.0, pivot=(0, 0, 1)), potentials=[plant.Leak(force=(1, 0, 0))]
            ).pack(),
            "omit the pivot",
        ),
        (lambda: plant.Leak(force=(1, 0, 0), decay_time=0.0), "decay time of leak"),
        (lambda: plant.Thrust(force=(1, 0, 0), start=2.0, stop=1.0), "must stop after it starts"),
        (lambda: plant.Drag(density=1.0, coefficient=1.0, area=1.0, scale_height=1e3), "belong together"),
        (lambda: plant.Drag(density=-1.0, coefficient=1.0, area=1.0), "density"),
        (lambda: plant.Oblateness(**EARTH, pole=(0, 0, 0)), "pole of the oblateness"),
        (lambda: plant.PointGravity(mu=0.0), "mu"),
        (lambda: plant.PointGravity(mu=398600.4418), "mu 398600.442 .* of the Earth in km.3/s.2; give 3.986004418e.14"),
        (lambda: plant.GravityGradient(mu=4902.8), "of the Moon in km"),
        (
            lambda: plant.Oblateness(**{**EARTH, "radius": 6378.137}),
            "radius of the oblateness, 6378.14 m, does not match",
        ),
        (lambda: plant.Oblateness(**{**EARTH, "j2": 1082.6}), "j2 of the oblateness must be below 0.5"),
        (lambda: plant.Oblateness(**{**EARTH, "j2": -0.5}), "j2 of the oblateness must be below 0.5"),
        (
            lambda: plant.Drag(density=1.0, coefficient=1.0, area=1.0, scale_height=6e4, reference_radius=6778.0),
            "reference_radius 6778 m must be at least the scale_height, 60000 m",
        ),
        (
            lambda: plant.GravityGradient(mu=MU, position=(7e3, 0, 0), velocity=(0, 7.5, 0)),
            "position is 7000 m from the centre, inside the Earth",
        ),
    ],
)
def test_unsuitable_spacecraft_and_values_are_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_elements_with_constant_mass_centre_are_allowed():
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.01, relative_rate=100.0)
    made = craft(plant.Thrust(force=(1, 0, 0), start=0.0, stop=1.0), elements=[wheel])
    run = sim.simulate(made, duration=2.0)
    assert run.values("linear_momentum")[-1][0] == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(
    ("potentials", "distance", "message"),
    [
        ([plant.PointGravity(mu=MU)], 7e3, "position at t = 0 is 7000 m from the centre, inside the Earth"),
        ([plant.GravityGradient(mu=MU)], 4e5, "inside the Earth"),
        ([plant.Oblateness(mu=1e10, j2=0.01, radius=1e5)], 5e4, "inside the oblate body"),
        (
            [plant.Drag(density=1e-3, coefficient=1.0, area=1.0, scale_height=8e3, reference_radius=7e6)], 6.5e6,
            "62.5 scale heights below the reference_radius",
        ),
    ],
)  # fmt: skip
def test_start_inside_the_central_body_is_refused(potentials, distance, message):
    made = craft(*potentials)
    with pytest.raises(InputError, match=message):
        sim.simulate(made, position=(distance, 0, 0), duration=1.0)
    runs = sim.simulate_batch(made, position=[(1e8, 0, 0), (distance, 0, 0)], duration=1.0)
    assert runs.status[0] == "completed"
    assert re.search(message, runs.reasons[1])


def test_prescribed_orbit_that_enters_the_earth_is_refused():
    """A fall from rest at R to r takes sqrt(R^3/(2 mu)) (sqrt(u (1 - u)) + acos(sqrt(u))), u = r/R: 391 s."""
    falling = plant.GravityGradient(mu=MU, position=(7e6, 0, 0), velocity=(0, 7.5, 0))
    made = plant.Spacecraft(plant.RigidBody(J), potentials=[falling])
    sim.simulate(made, duration=390.0)
    with pytest.raises(InputError, match="prescribed orbit enters the Earth"):
        sim.simulate(made, duration=393.0)
