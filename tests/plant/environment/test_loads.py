"""Torques and forces of the environment against closed forms and the numbers of other programs."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.special import erf, erfc

from polhode import plant, sim
from polhode.plant import InputError
from polhode.plant.attitude import rotation_matrix
from polhode.plant.environment.budget import torque_budget
from polhode.plant.environment.constants import ASTRONOMICAL_UNIT, SOLAR_FLUX, SPEED_OF_LIGHT
from polhode.plant.environment.epoch import Epoch
from polhode.plant.environment.face_kernels import gas_torque, light_torque
from polhode.plant.environment.faces import FACE, Face, box_faces, packed_faces
from polhode.plant.environment.fields_along_orbit import FieldsAlongOrbit
from polhode.plant.environment.gas_curve import gas_curve, pressure_and_flux
from polhode.plant.environment.load_kernels import environment_load
from polhode.plant.environment.loads import EnvironmentLoads, Molecules
from polhode.plant.environment.magnetorquers import MagneticDamping, MagneticUnloading
from polhode.plant.environment.spline_table import COLUMNS, local_polynomials, spline_coefficients, spline_weights
from polhode.plant.environment.sun_moon import sun_position
from polhode.plant.hub.parameters import AT_POTENTIALS

PRESSURE = SOLAR_FLUX / SPEED_OF_LIGHT
E = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)
BODY = plant.RigidBody((0.035, 0.037, 0.007))


def constant_fields(
    *, position=(7e6, 0, 0), sun=(0.0, ASTRONOMICAL_UNIT, 0.0), field=(0, 0, 0), wind=(7.6e3, 0, 0), density=1e-12
):
    """Table whose columns do not change."""
    row = np.concatenate([position, sun, field, wind, [np.log(density)]])
    return FieldsAlongOrbit(
        orbit=None, duration=100.0, coefficients=np.tile(row, (10, 1)), contacts=(), magnetic=True, dense=True
    )


def torque(loads, *, attitude=E, rate=(0, 0, 0), t=3.0, body=BODY):
    craft = plant.Spacecraft(body, potentials=[loads])
    x = craft.state(attitude=attitude, rate=rate)
    return craft.derivative(t, x)[:3] - plant.Spacecraft(body).derivative(t, x)[:3]


def test_spline_reproduces_a_quintic_and_its_slope():
    polynomial = np.polynomial.Polynomial((1.0, -2.0, 0.5, 0.3, -0.1, 0.02))
    c = spline_coefficients(lambda t: polynomial(t)[:, None], 1.0, 4.0, 6)[:, 0]
    for t in (1.0, 1.3, 2.5, 3.99, 4.0):
        row = min(int((t - 1.0) / 0.5), 5)
        u = (t - 1.0) / 0.5 - row
        assert np.dot(spline_weights(u), c[row : row + 6]) == pytest.approx(polynomial(t), abs=1e-11)
        local = np.polynomial.Polynomial(local_polynomials(c[:, None])[row, :, 0])
        assert local(u) == pytest.approx(polynomial(t), abs=1e-11)
        assert local.deriv()(u) / 0.5 == pytest.approx(polynomial.deriv()(t), abs=1e-10)


def torque_on(face, kernel, *arguments):
    """Torque of sunlight (pressure, direction) or gas (dynamic pressure, speed ratio, wall temperature, direction)."""
    if kernel is light_torque:
        return np.array(kernel(face.row(), 0, 1, *arguments))
    pressure, ratio, wall, *v = arguments
    p = np.concatenate([face.row(wall), gas_curve()])
    return np.array(kernel(p, 0, 1, FACE.size, pressure / ratio**2, ratio, *v))


def force(face, kernel, *arguments):
    """Force on one face, from its torques about two points."""
    (_, minus_z, y), (_, _, minus_x) = (torque_on(replace(face, centre=c), kernel, *arguments) for c in np.eye(3)[:2])
    return np.array((-minus_x, y, -minus_z))


def test_plate_pressure_of_black_mirror_and_white():
    n = np.array((0.0, 0.0, 1.0))
    plate = {"area": 2.0, "normal": n, "centre": (0, 0, 0)}
    for specular, diffuse, factor in ((0, 0, 1), (1, 0, 2), (0, 1, 5 / 3)):
        found = force(Face(**plate, specular=specular, diffuse=diffuse), light_torque, PRESSURE, 0.0, 0.0, 1.0)
        np.testing.assert_allclose(found, -PRESSURE * 2.0 * factor * n, rtol=1e-14)
    assert pytest.approx(4.53980733564685e-6, rel=1e-14) == PRESSURE
    assert not force(Face(**plate), light_torque, PRESSURE, 0.0, 0.0, -1.0).any()


def summed(forces):
    return np.sum(list(forces), axis=0)


def sphere(radius, count=48, **coefficients):
    """Faces that make a sphere: Gauss points in z, uniform in longitude."""
    z, weight = leggauss(count)
    phi = np.linspace(0, 2 * np.pi, 2 * count, endpoint=False)
    return [
        Face(area=radius**2 * w * np.pi / count, normal=n, centre=radius * np.asarray(n), **coefficients)
        for a, w in zip(z, weight, strict=True)
        for n in ((np.sqrt(1 - a * a) * np.cos(b), np.sqrt(1 - a * a) * np.sin(b), a) for b in phi)
    ]


def test_sphere_of_faces_feels_the_pressure_of_a_sphere():
    for specular, diffuse in ((0.2, 0.5), (1.0, 0.0)):
        total = summed(
            force(each, light_torque, 1.0, 0.0, 0.0, 1.0) for each in sphere(1.3, specular=specular, diffuse=diffuse)
        )
        # the terminator z = 0 is between two Gauss points: error of order 1/count^2
        assert -total[2] == pytest.approx(np.pi * 1.3**2 * (1 + 4 / 9 * diffuse), rel=2e-3)
        np.testing.assert_allclose(total[:2], 0, atol=1e-12)


def test_ball_pressure_is_that_of_basilisk():
    # printed by test_radiationPressure.py: cannonball, coefficient 1.2 on 4 m^2, here as plates that absorb
    craft = np.array((-16937711153.5, -138435806556.0, -60051616256.6))
    sun = np.array((507128401.716, 22652490.9092, -14854379.6232))
    d = sun - craft
    r = np.linalg.norm(d)
    face = Face(area=1.2 * 4.0, normal=d / r, centre=(0, 0, 0))
    pressure = 1361.0 / 299792458.0 * (149597870693.0 / r) ** 2
    found = force(face, light_torque, pressure, *(d / r))
    printed = (-2.4263722557462318e-6, -1.9257945167191118e-5, -8.3504083188649253e-6)
    np.testing.assert_allclose(found, printed, rtol=1e-14)


def test_pressure_and_sun_lift_a_geostationary_orbit_as_in_basilisk():
    """Out of plane within 0.05 m after a day; without the pressure 6 m and without the Sun's gravity 747 m off."""
    mu, mu_sun, end = 3.986004415e14, 1.32712440018e20, 85660.0
    a, e, anomaly, longitude = 42000e3, 1e-5, np.radians(85.3), np.radians(85.3 + 347.8 + 48.2)
    p, away = a * (1 - e * e), np.array((np.cos(longitude), np.sin(longitude), 0.0))
    ahead = np.array((-away[1], away[0], 0.0))
    speed = np.sqrt(mu / p) * (e * np.sin(anomaly) * away + (1 + e * np.cos(anomaly)) * ahead)
    days = np.linspace(0.0, 9e4, 31)
    sun_at = CubicSpline(days, sun_position(Epoch("2021-05-04T07:47:49.965Z"), days, apparent=False))

    def slope(t, y):
        r, sun = y[:3], sun_at(t)
        d = sun - r
        size = np.linalg.norm(d)
        ball = Face(area=1.3, normal=d / size, centre=(0, 0, 0))
        push = force(ball, light_torque, PRESSURE * (149597870693.0 / size) ** 2, *(d / size))  # 1 kg
        tide = mu_sun * (d / size**3 - sun / np.linalg.norm(sun) ** 3)
        return np.concatenate((y[3:], push + tide - mu * r / np.linalg.norm(r) ** 3))

    times = np.floor(np.array((1, 3, 5, 7, 9)) * 9517.928 / 10.0) * 10.0
    start = np.concatenate((p / (1 + e * np.cos(anomaly)) * away, speed))
    z = solve_ivp(slope, (0.0, end), start, "DOP853", rtol=1e-10, atol=1e-6, t_eval=times).y[2]
    printed = (-72.7348185, -633.981582, -952.91767, -138.342155, 740.921837)
    np.testing.assert_allclose(z, printed, rtol=0, atol=0.05)


def ten_facets(angle_1, angle_2):
    """Box and two turned round panels of Basilisk's facet test."""
    cube = {"specular": 0.9, "diffuse": 0.1}
    faces = [
        Face(area=2.25, normal=sign * np.eye(3)[k], centre=sign * 0.75 * np.eye(3)[k], **cube)
        for k in range(3) for sign in (1.0, -1.0)
    ]  # fmt: skip
    for side, angle in ((1.0, angle_1), (-1.0, -angle_2)):
        a = np.radians(angle)
        normal = np.array((0.0, np.cos(a), np.sin(a)))
        panel = {"area": np.pi * 3.75**2, "centre": (4.5 * side, 0.0, 0.75), **cube}
        faces += [Face(normal=normal, **panel), Face(normal=-normal, **panel)]
    return faces


def test_ten_facets_feel_the_force_and_torque_of_the_sheet():
    s = np.array((0.6, 0.48, 0.64))
    loads = EnvironmentLoads(
        fields=constant_fields(sun=ASTRONOMICAL_UNIT * s), faces=tuple(ten_facets(-10.4, -28.0)), solar_pressure=True
    )
    found = summed(force(each, light_torque, PRESSURE, *s) for each in loads.faces)
    np.testing.assert_allclose(found, (-2.108855124808e-5, -2.414123307623e-4, -1.072724855508e-4), rtol=1e-9)
    turning = torque(loads, attitude=(1, 0, 0, 0))
    np.testing.assert_allclose(turning, (1.77004473752e-4, -4.92700400942e-4, 5.82586101848e-4), rtol=1e-9)


def drag_coefficients(face, g, ratio, wall):
    """Coefficients along -n and along the tangent of the flow, from the force of unit pressure."""
    v = np.array((np.sqrt(1 - g * g), 0.0, g))
    found = force(face, gas_torque, 1.0, ratio, wall, *v) / face.area
    return -found[2], -found[0]


def test_plate_drag_matches_schaaf_and_chambre():
    face = Face(area=1.7, normal=(0, 0, 1), centre=(0, 0, 0))
    assert drag_coefficients(face, 0.6, 8.0, 0.3) == pytest.approx((0.808435971721, 0.96), abs=1e-12)
    assert drag_coefficients(face, 0.0, 8.0, 0.3)[1] == pytest.approx(1 / (8 * np.sqrt(np.pi)), rel=1e-12)
    for g, sn, st in ((-0.7, 0.6, 0.9), (-0.05, 1.0, 0.3), (0.02, 0.8, 0.8), (1.0, 0.9, 1.0)):
        S, tr = 2.3, 0.4
        face = Face(area=1.7, normal=(0, 0, 1), centre=(0, 0, 0), normal_accommodation=sn, tangential_accommodation=st)
        gs, root = g * S, np.sqrt(np.pi)
        x, both = np.exp(-(gs**2)), 1 + erf(gs)
        cp = ((2 - sn) * gs / root + sn / 2 * np.sqrt(tr)) * x + (
            (2 - sn) * (0.5 + gs**2) + sn / 2 * np.sqrt(np.pi * tr) * gs
        ) * both
        ct = st * S * np.sqrt(1 - g * g) / root * (x + root * gs * both)
        assert drag_coefficients(face, g, S, tr) == pytest.approx((cp / S**2, ct / S**2), rel=1e-12, abs=1e-13)


def test_plate_drag_is_that_of_counted_molecules():
    # momentum of a drifting Maxwellian on one side of a plate, by quadrature over the velocities (sn = st = 1)
    S, g, wall = 3.0, 0.4, 0.5
    x, w = leggauss(400)
    u = 0.5 * (x + 1) * 12.0  # normal velocity towards the plate over the most probable speed
    flux = 6.0 * w * u * np.exp(-((u - g * S) ** 2)) / np.sqrt(np.pi)
    incident = (flux * u).sum()  # normal momentum brought, over rho c^2
    number = flux.sum()
    leaving = number * np.sqrt(np.pi * wall) / 2  # diffuse emission at the wall temperature
    face = Face(area=1.0, normal=(0, 0, 1), centre=(0, 0, 0))
    cp, ct = drag_coefficients(face, g, S, wall)
    assert cp == pytest.approx(2 * (incident + leaving) / S**2, rel=1e-10)
    assert ct == pytest.approx(2 * number * S * np.sqrt(1 - g * g) / S**2, rel=1e-10)


def test_facet_drag_is_that_of_basilisk_in_a_cold_beam():
    """Its coefficient of 2 (test_unitFacetDrag) is the limit of a fast flow on a cold wall; other values have no gas.

    Density 1.217 exp(-200/8.5) kg/m^3, speed 7788 m/s along y; the face +x, along the flow, has no force.
    """
    dynamic = 0.5 * 1.217 * np.exp(-200.0 / 8.5) * 7788.0**2
    plate = Face(area=1.0, normal=(0, 1, 0), centre=(0, 0, 0.1))
    torque = torque_on(plate, gas_torque, dynamic, 1e8, 0.0, 0.0, 1.0, 0.0)
    np.testing.assert_allclose(torque, (0.000446116999018, 0.0, 0.0), rtol=1e-11, atol=1e-14)
    drag = force(plate, gas_torque, dynamic, 1e8, 0.0, 0.0, 1.0, 0.0)
    np.testing.assert_allclose(drag, (0.0, -0.004461169990178, 0.0), rtol=1e-11, atol=1e-13)
    along = force(Face(area=1.0, normal=(1, 0, 0), centre=(0, 0, 0)), gas_torque, dynamic, 1e8, 0.0, 0.0, 1.0, 0.0)
    np.testing.assert_allclose(along, 0.0, atol=1e-9)


def test_drag_of_a_sphere_of_faces_matches_the_closed_form():
    S, wall = 5.0, 0.3
    total = summed(force(each, gas_torque, 1.0, S, wall, 0.0, 0.0, 1.0) for each in sphere(1.0))
    cd = (2 * S**2 + 1) / (np.sqrt(np.pi) * S**3) * np.exp(-(S**2)) + (4 * S**4 + 4 * S**2 - 1) / (2 * S**4) * erf(S)
    cd += 2 * np.sqrt(np.pi * wall) / (3 * S)  # Schaaf & Chambre 1961, diffuse reflection
    assert -total[2] / np.pi == pytest.approx(cd, rel=1e-6)


def test_dipole_torque_is_the_cross_product():
    b, m = np.array((2e-5, -1e-5, 3e-5)), np.array((0.1, 0.2, -0.3))
    loads = EnvironmentLoads(fields=constant_fields(field=b), residual_dipole=m)
    np.testing.assert_allclose(torque(loads), np.cross(m, rotation_matrix(E).T @ b), rtol=1e-12)


def test_dipole_torque_has_the_sign_of_basilisk():
    """mtbFeedforward feeds back the negative of (19, -2, -5)e-5 N m."""
    fields = constant_fields(field=np.array((1.0, -3.0, 5.0)) * 1e-5)
    loads = EnvironmentLoads(fields=fields, residual_dipole=(1, 2, 3))
    found = torque(loads, attitude=(1, 0, 0, 0))
    np.testing.assert_allclose(found, np.array((19.0, -2.0, -5.0)) * 1e-5, rtol=1e-12)


def test_eddy_currents_take_the_power_of_the_closed_form():
    b, omega, ke = np.array((2e-5, -1e-5, 3e-5)), np.array((0.3, -0.2, 0.4)), 50.0
    loads = EnvironmentLoads(fields=constant_fields(field=b), eddy_coefficient=ke)
    in_body = rotation_matrix(E).T @ b
    power = torque(loads, rate=omega) @ omega
    assert power == pytest.approx(-ke * np.linalg.norm(np.cross(omega, in_body)) ** 2, rel=1e-12)


def test_eddy_currents_follow_a_field_that_turns():
    # a field that turns about z with the body leaves it in peace; columns of the table are sampled from it
    n, b = 0.02, 3e-5
    still = np.tile((7e6, 0, 0, 0, ASTRONOMICAL_UNIT, 0, 0, 0, 0, 1, 1, 1, 1), (1, 1))

    def rows(t):
        table = np.repeat(still, t.size, axis=0)
        table[:, COLUMNS.field : COLUMNS.wind] = b * np.stack([np.cos(n * t), np.sin(n * t), 0 * t], 1)
        return table

    coefficients = spline_coefficients(rows, 0, 100, 40)
    fields = FieldsAlongOrbit(orbit=None, duration=100.0, coefficients=coefficients, contacts=(), magnetic=True)
    loads = EnvironmentLoads(fields=fields, eddy_coefficient=50.0)
    turned = np.array((np.cos(0.5 * n * 30), 0, 0, np.sin(0.5 * n * 30)))
    carried = torque(loads, attitude=turned, rate=(0, 0, 0), t=30.0)
    np.testing.assert_allclose(carried, (0, 0, 50.0 * n * b * b), rtol=1e-6, atol=1e-18)
    moving = torque(loads, attitude=turned, rate=(0, 0, n), t=30.0)
    np.testing.assert_allclose(moving, 0, atol=1e-6 * 50.0 * n * b * b)


def test_magnetic_damping_saturates_each_torquer():
    b, omega = np.array((2e-5, -1e-5, 3e-5)), np.array((0.03, -0.02, 0.04))
    in_body = rotation_matrix(E).T @ b
    dipole = 5e4 * np.cross(omega, in_body)
    for limit in (10.0, (0.01, 10.0, 0.001)):
        loads = EnvironmentLoads(
            fields=constant_fields(field=b), magnetic_damping=MagneticDamping(gain=5e4, limit=limit)
        )
        m = np.clip(dipole, -np.asarray(limit), limit)
        np.testing.assert_allclose(torque(loads, rate=omega), np.cross(m, in_body), rtol=1e-11)


def test_faulty_magnetorquers_act_from_their_times_on():
    """Wrong polarity of x, dead y: dipoles of the law, changed by the factors; z is healthy."""
    b, omega = np.array((2e-5, -1e-5, 3e-5)), np.array((0.03, -0.02, 0.04))
    in_body = rotation_matrix(E).T @ b
    dipole = np.clip(5e4 * np.cross(omega, in_body), -0.03, 0.03)
    damping = MagneticDamping(gain=5e4, limit=0.03, fault_factors=(-1.0, 0.0, 1.0), fault_times=(10.0, 20.0, 0.0))
    loads = EnvironmentLoads(fields=constant_fields(field=b), magnetic_damping=damping)
    assert loads.breakpoints == (10.0, 20.0)
    for t, factors in ((3.0, (1, 1, 1)), (10.0, (-1, 1, 1)), (25.0, (-1, 0, 1))):
        expected = np.cross(np.array(factors) * dipole, in_body)
        np.testing.assert_allclose(torque(loads, rate=omega, t=t), expected, rtol=1e-11)


def test_polarity_fault_in_a_run_matches_independent_integration():
    b, body = np.array((2e-5, -1e-5, 3e-5)), plant.RigidBody((0.02, 0.03, 0.025))
    damping = MagneticDamping(gain=2e4, limit=100.0, fault_factors=(1.0, -1.0, 0.3), fault_times=(0, 21.7, 50.3))
    loads = EnvironmentLoads(fields=constant_fields(field=b), magnetic_damping=damping)
    craft, rate = plant.Spacecraft(body, potentials=[loads]), (0.03, -0.05, 0.04)
    run = sim.simulate(craft, attitude=E, rate=rate, duration=90.0, output_step=10.0, rtol=1e-12)
    J = np.array((0.02, 0.03, 0.025))

    def slope(_, y, factors):
        w, field = y[:3], y[3:]  # the field is fixed in space
        m = np.array(factors) * 2e4 * np.cross(w, field)
        return np.concatenate(((np.cross(m, field) - np.cross(w, J * w)) / J, np.cross(field, w)))

    y = np.concatenate((rate, rotation_matrix(E).T @ b))
    for begin, end, factors in ((0, 21.7, (1, 1, 1)), (21.7, 50.3, (1, -1, 1)), (50.3, 90.0, (1, -1, 0.3))):
        y = solve_ivp(slope, (begin, end), y, "DOP853", args=(factors,), rtol=1e-12, atol=1e-15).y[:, -1]
    np.testing.assert_allclose(run.values("rate")[-1], y[:3], rtol=0, atol=1e-11)
    assert run.counters["faults"] == 2
    assert any("magnetorquer y: dipole times -1 from 21.7 s on" in each for each in run.warnings)


def polar_orbit(*, b0, n, duration, inclination=0.5 * np.pi):
    """Fields on a circular orbit about the x axis, of the dipole B0 (z - 3 (z.r) r)."""

    def rows(t):
        u = n * np.asarray(t)
        r = np.stack((np.cos(u), np.sin(u) * np.cos(inclination), np.sin(u) * np.sin(inclination)), axis=1)
        table = np.tile((0.0, 0, 0, 0, ASTRONOMICAL_UNIT, 0, 0, 0, 0, 1, 1, 1, 1), (u.size, 1))
        table[:, :3] = 7e6 * r
        table[:, COLUMNS.field : COLUMNS.wind] = b0 * (np.array((0.0, 0.0, 1.0)) - 3.0 * r[:, 2:] * r)
        return table

    intervals = int(np.ceil(duration * n / 2e-2))
    coefficients = spline_coefficients(rows, 0.0, duration, intervals)
    return FieldsAlongOrbit(orbit=None, duration=duration, coefficients=coefficients, contacts=(), magnetic=True), rows


def gyrostat(loads):
    wheels = plant.wheel_array([(1, 1, 1), (-1, 1, 1), (-1, -1, 1), (1, -1, 1)], inertia=1e-4, friction=1e-7)
    return plant.Spacecraft(plant.RigidBody((0.035, 0.037, 0.02)), elements=wheels, potentials=[loads])


def test_unloading_takes_momentum_across_the_field_only():
    """Constant field, without limits: h across it decays at the gain, h along it stays, however the body turns."""
    b, gain = np.array((2e-5, -1e-5, 3e-5)), 0.05
    loads = EnvironmentLoads(
        fields=constant_fields(field=b), magnetic_unloading=MagneticUnloading(gain=gain, limit=1e6)
    )
    craft = gyrostat(loads)
    run = sim.simulate(craft, attitude=E, rate=(0.3, -0.2, 0.1), duration=80.0, output_step=2.0, rtol=1e-12)
    along = b / np.linalg.norm(b)
    h = run.values("inertial_momentum")
    start = h[0] - (h[0] @ along) * along
    expected = (h[0] @ along) * along + np.exp(-gain * run.t)[:, None] * start
    np.testing.assert_allclose(h, expected, rtol=0, atol=1e-12)
    assert np.abs(run.values("momentum_balance")).max() < 1e-11 * np.linalg.norm(h[0])


def test_unloading_respects_limits_target_and_faults():
    b, h = np.array((2e-5, -1e-5, 3e-5)), np.array((4e-4, -3e-4, 2e-4))
    in_body, target = rotation_matrix(E).T @ b, np.array((1e-4, 0.0, 0.0))
    keys = {"gain": 0.02, "target": target, "fault_factors": (1.0, -1.0, 1.0), "fault_times": (0.0, 50.0, 0.0)}
    dipole = 0.02 * np.cross(h - target, in_body) / (b @ b)
    for limit in (10.0, (10.0, 0.01, 0.02)):
        loads = EnvironmentLoads(
            fields=constant_fields(field=b), magnetic_unloading=MagneticUnloading(limit=limit, **keys)
        )
        m = np.clip(dipole, -np.asarray(limit), limit)
        rate = np.linalg.solve(np.diag((0.035, 0.037, 0.007)), h)
        np.testing.assert_allclose(torque(loads, rate=rate), np.cross(m, in_body), rtol=1e-10)
        faulty = np.cross(m * np.array((1, -1, 1)), in_body)
        np.testing.assert_allclose(torque(loads, rate=rate, t=60.0), faulty, rtol=1e-10)
    assert np.abs(dipole).max() > 0.02  # the second limits act


def test_unloading_stops_at_its_deadband_as_the_closed_form():
    """Momentum across a constant field: |h|' = -k (|h| - d), and none inside the deadband."""
    b, gain, deadband = np.array((2e-5, -1e-5, 3e-5)), 0.05, 1e-3
    unloading = MagneticUnloading(gain=gain, limit=1e6, deadband=deadband)
    craft = gyrostat(EnvironmentLoads(fields=constant_fields(field=b), magnetic_unloading=unloading))
    across = rotation_matrix(E).T @ np.cross(b, (1.0, 0.5, 0.2)) * 80.0
    state = craft.state(attitude=E, rate=np.linalg.solve(craft.locked_inertia(craft.at_rest()), across))
    run = sim.simulate(craft, state=state, duration=80.0, output_step=2.0, rtol=1e-12)
    size = np.linalg.norm(run.values("inertial_momentum"), axis=1)
    assert size[0] > 2.5 * deadband
    np.testing.assert_allclose(size, deadband + np.exp(-gain * run.t) * (size[0] - deadband), rtol=0, atol=1e-12)
    small = np.array((2e-4, -3e-4, 4e-4))
    loads = EnvironmentLoads(fields=constant_fields(field=b), magnetic_unloading=unloading)
    assert not torque(loads, rate=np.linalg.solve(BODY.inertia, small)).any()


def test_unloading_with_deadband_dumps_the_excess_of_basilisk():
    """thrMomentumManagement of Basilisk: wheels x, y, z, (1, 1, 1), down to 100/60 N m s, and nothing below 1000/60."""
    h = np.array((6.773502691896258, 3.273502691896258, 10.773502691896258))
    excess = np.array((5.914369484146579, 2.858300248464629, 9.407020039211664))
    b = np.array((2e-5, -1e-5, 3e-5))
    along = rotation_matrix(E).T @ b / np.linalg.norm(b)
    given = {"rate": np.linalg.solve(BODY.inertia, h)}
    for deadband, expected in ((100.0 / 60.0, excess), (1000.0 / 60.0, 0.0 * excess)):
        unloading = MagneticUnloading(gain=0.01, limit=1e9, deadband=deadband)
        found = torque(EnvironmentLoads(fields=constant_fields(field=b), magnetic_unloading=unloading), **given)
        np.testing.assert_allclose(found, -0.01 * (expected - (expected @ along) * along), rtol=1e-9, atol=1e-15)


def test_linear_model_states_that_it_holds_the_magnetic_field():
    b = np.array((2e-5, -1e-5, 3e-5))
    damped = EnvironmentLoads(fields=constant_fields(field=b), magnetic_damping=MagneticDamping(gain=1e3, limit=1.0))
    craft = plant.Spacecraft(BODY, potentials=[damped])
    model = craft.linearize(craft.at_rest(), allow_nonequilibrium=True)
    assert any("magnetic damping is taken in the magnetic field at t = 0" in words for words in model.left_out)
    damping = -1e3 * (b @ b * np.eye(3) - np.outer(b, b))
    np.testing.assert_allclose(model.A[3:6, 3:6] @ BODY.inertia, damping, rtol=0, atol=1e-15)
    plain = plant.Spacecraft(BODY, potentials=[EnvironmentLoads(fields=constant_fields(), gravity_gradient=True)])
    assert not plain.linearize(plain.at_rest(), allow_nonequilibrium=True).left_out


def test_unloading_on_a_polar_orbit_decays_at_the_mean_rates():
    """In-plane momentum decays at k/2, that along the normal at k (small gain); exactly as h' = -k (1 - b b') h."""
    n, gain, duration = 0.0011, 2e-5, 6 * 2 * np.pi / 0.0011
    fields, rows = polar_orbit(b0=2.5e-5, n=n, duration=duration)
    loads = EnvironmentLoads(fields=fields, magnetic_unloading=MagneticUnloading(gain=gain, limit=1e6))
    craft = plant.Spacecraft(plant.RigidBody((0.035, 0.037, 0.02)), potentials=[loads])
    h0 = np.array((3e-4, 4e-4, -2e-4))
    run = sim.simulate(craft, momentum=h0, duration=duration, output_times=[duration], rtol=1e-11)

    def slope(t, h):
        b = rows(np.array([t]))[0, COLUMNS.field : COLUMNS.wind]
        return -gain * (h - (h @ b) * b / (b @ b))

    exact = solve_ivp(slope, (0, duration), h0, "DOP853", rtol=1e-12, atol=1e-18).y[:, -1]
    np.testing.assert_allclose(run.values("inertial_momentum")[-1], exact, rtol=0, atol=2e-12)
    means = np.exp(-gain * duration * np.array((0.5, 1.0, 0.5)))
    np.testing.assert_allclose(exact, means * h0, rtol=0.02)


@pytest.mark.parametrize(
    ("inclination", "matrix"),
    [
        (90.0, np.diag((11 / 8, 5 / 2, 9 / 8))),
        (60.0, [[1.28125, 0, 0], [0, 1.4921875, -0.446544348826], [0, -0.446544348826, 1.4765625]]),
    ],
)
def test_b_dot_decays_as_the_averaged_theory(inclination, matrix):
    """Mean decay matrix in units of k B0^2/J, inertial axes along node, 90 degrees on in the equator plane, and pole.

    Small gain, and rates far above those of the field, which the averaged theory neglects.
    """
    n, b0, inertia, orbits = 0.0011, 2.5e-5, 0.03, 3
    duration = orbits * 2 * np.pi / n
    gain = 0.1 * inertia / (b0**2 * duration)
    fields, _ = polar_orbit(b0=b0, n=n, duration=duration, inclination=np.radians(inclination))
    loads = EnvironmentLoads(fields=fields, magnetic_damping=MagneticDamping(gain=gain, limit=1e9))
    craft = plant.Spacecraft(plant.RigidBody((inertia, inertia, inertia)), potentials=[loads])
    rate = np.array((0.3, -0.2, 0.25))
    run = sim.simulate(craft, rate=rate, duration=duration, output_times=[duration], rtol=1e-10)
    h = run.values("inertial_momentum")[-1] / inertia
    values, vectors = np.linalg.eigh(np.asarray(matrix))
    expected = vectors @ (np.exp(-0.1 * values) * (vectors.T @ rate))
    np.testing.assert_allclose(h - rate, expected - rate, rtol=0.04, atol=2e-4)


@pytest.mark.slow
def test_b_dot_ends_at_the_mean_rate_of_the_averaged_theory():
    """Mean of the last orbit at 60 degrees: -1.777631092 n and 0.605263158 n; first order in the gain."""
    n, b0, inertia, orbits = 0.0011, 2.5e-5, 0.03, 40
    duration = orbits * 2 * np.pi / n
    gain = 0.25 * n / (2.0 * np.pi) * inertia / b0**2
    fields, _ = polar_orbit(b0=b0, n=n, duration=duration, inclination=np.radians(60.0))
    loads = EnvironmentLoads(fields=fields, magnetic_damping=MagneticDamping(gain=gain, limit=1e9))
    craft = plant.Spacecraft(plant.RigidBody((inertia, inertia, inertia)), potentials=[loads])
    times = duration - 2 * np.pi / n * (1.0 - np.arange(64) / 64)
    run = sim.simulate(craft, rate=(0.001, -0.001, 0.002), duration=duration, output_times=times, rtol=1e-9)
    mean = run.values("inertial_momentum").mean(axis=0) / inertia / n
    np.testing.assert_allclose(mean, (0.0, -1.777631092, 0.605263158), rtol=0, atol=0.02)


@pytest.mark.parametrize(("wheel_rate", "rests"), [(10.0, True), (80.0, False)])
def test_linear_model_reports_the_deadband_of_unloading(wheel_rate, rests):
    """Momentum 0.01 N m s per rad/s of the wheel, deadband 0.5: no slope inside; outside -k along h, less across."""
    unloading = MagneticUnloading(gain=0.05, limit=1e9, deadband=0.5)
    loads = EnvironmentLoads(fields=constant_fields(field=(0.0, 0.0, 3e-5)), magnetic_unloading=unloading)
    wheel = plant.Wheel(axis=(1, 0, 0), inertia=0.01, relative_rate=wheel_rate)
    craft = plant.Spacecraft(BODY, elements=[wheel], potentials=[loads])
    model = craft.linearize(craft.at_rest(), allow_nonequilibrium=True)
    rows = [model.states.index(f"momentum_{axis}") for axis in "xyz"]
    bare = plant.Spacecraft(BODY, elements=[wheel])
    slope = (model.A - bare.linearize(bare.at_rest(), allow_nonequilibrium=True).A)[np.ix_(rows, rows)]
    expected = np.zeros((3, 3)) if rests else -0.05 * np.diag((1.0, 1.0 - 0.5 / 0.8, 0.0))
    np.testing.assert_allclose(slope, expected, atol=1e-9)
    assert any("the deadband of 0.5 N m s is evaluated at the operating point" in words for words in model.left_out)


@pytest.mark.parametrize("integrator", ["gauss4", "gauss6", "midpoint"])
@pytest.mark.parametrize("what", ["body", "wheels", "gyros"])
def test_implicit_steps_unload_the_total_momentum(integrator, what):
    """As the explicit dop853: h of hub, wheels and gyros decays normal to the field, and turns with the body."""
    loads = EnvironmentLoads(
        fields=constant_fields(field=(1e-5, 2e-5, -3e-5)), magnetic_unloading=MagneticUnloading(gain=0.05, limit=1e9)
    )
    wheels = plant.wheel_array(np.eye(3), inertia=0.01, relative_rates=[50.0, -30.0, 20.0])
    gyros = plant.gyro_array(
        *plant.pyramid_axes(0.9553), momentum=0.5, rotor_inertia=0.02, gimbal_inertia=0.03, time_constant=0.02
    )
    more = {
        "body": {},
        "wheels": {"elements": wheels},
        "gyros": {"elements": (*wheels, *gyros)},
    }[what]
    hub = plant.RigidBody((4.0, 3.0, 2.0), mass=20.0)
    craft = plant.Spacecraft(hub, potentials=[loads], **more)
    given = {"rate": (0.05, -0.03, 0.04), "duration": 8.0, "output_step": 2.0}
    exact = sim.simulate(craft, **given, rtol=1e-11)
    run = sim.simulate(craft, **given, integrator=integrator, step=0.01 if integrator == "midpoint" else 0.05)
    assert abs(exact.values("inertial_momentum")[-1] - exact.values("inertial_momentum")[0]).max() > 0.02
    np.testing.assert_allclose(run.values("inertial_momentum"), exact.values("inertial_momentum"), atol=4e-6)
    np.testing.assert_allclose(run.values("rate"), exact.values("rate"), atol=4e-6)


def test_torque_budget_has_the_gravity_gradient_of_gyros():
    """3 mu / r^3 b x J b with the inertia of hub and gyros; the element changes inertia without moving mass."""
    gyros = plant.gyro_array(
        *plant.pyramid_axes(0.9553), momentum=10.0, rotor_inertia=0.02, gimbal_inertia=0.03, time_constant=0.02
    )
    loads = EnvironmentLoads(fields=constant_fields(), gravity_gradient=True)
    craft = plant.Spacecraft(plant.RigidBody((40.0, 50.0, 60.0), mass=100.0), elements=gyros, potentials=[loads])
    x, t = craft.state(attitude=E), np.linspace(0.0, 10.0, 11)
    found = torque_budget(craft, t, states=np.tile(x, (11, 1)), rate=np.zeros((11, 3)), period=np.nan)
    b = rotation_matrix(E).T @ (1.0, 0.0, 0.0)
    inertia = craft.initial_mass_matrix[:3, :3]
    expected = 3.0 * 3.986004415e14 / 7e6**3 * np.cross(b, inertia @ b)
    np.testing.assert_allclose(found.mean[0], expected, rtol=1e-6)


def test_torquers_either_damp_or_unload():
    fields = constant_fields(field=(1e-5, 0, 0))
    with pytest.raises(InputError, match="give either magnetic damping or magnetic unloading"):
        EnvironmentLoads(
            fields=fields, magnetic_damping=MagneticDamping(gain=1.0, limit=1.0),
            magnetic_unloading=MagneticUnloading(gain=1.0, limit=1.0),
        )  # fmt: skip
    with pytest.raises(InputError, match="magnetic unloading needs a magnetic field"):
        EnvironmentLoads(
            fields=FieldsAlongOrbit(orbit=None, duration=1.0, coefficients=np.zeros((10, 13)), contacts=()),
            magnetic_unloading=MagneticUnloading(gain=1.0, limit=1.0),
        )
    for keys, message in (({"gain": -1.0}, "gain"), ({"limit": 0.0}, "dipole limit"), ({"target": (1, 2)}, "momentum")):
        with pytest.raises(InputError, match=message):
            MagneticUnloading(**{"gain": 1.0, "limit": 1.0, **keys})


def test_gravity_gradient_is_that_of_the_potential():
    position = (5e6, -3e6, 4e6)
    loads = EnvironmentLoads(fields=constant_fields(position=position), gravity_gradient=True)
    other = plant.GravityGradient(mu=3.986004418e14, position=position, velocity=(0, 1e3, 0))
    np.testing.assert_allclose(torque(loads, t=0.0), torque(other, t=0.0), rtol=1e-12)


def test_sunlight_ends_in_the_shadow():
    faces = box_faces((0.1, 0.1, 0.3), centre=(0.01, 0, 0))
    lit = EnvironmentLoads(fields=constant_fields(), faces=faces, solar_pressure=True)
    dark = EnvironmentLoads(fields=constant_fields(sun=(-ASTRONOMICAL_UNIT, 0, 0)), faces=faces, solar_pressure=True)
    assert np.abs(torque(lit)).max() > 1e-10
    assert not torque(dark).any()


def test_loads_reject_what_they_cannot_act_on():
    fields = constant_fields()
    bare = FieldsAlongOrbit(orbit=None, duration=100.0, coefficients=fields.coefficients, contacts=())
    molecules = Molecules(temperature=900.0, molar_mass=0.016, wall_temperature=300.0)
    box = box_faces((1, 1, 1))
    for arguments, message in (
        ({"fields": bare, "residual_dipole": (0, 0, 1)}, "residual dipole needs a magnetic field"),
        ({"fields": bare, "magnetic_damping": MagneticDamping(gain=1, limit=1)}, "magnetic damping needs a magnetic"),
        ({"fields": bare, "faces": box, "molecules": molecules}, "drag needs an atmosphere"),
        ({"fields": fields, "solar_pressure": True}, "the spacecraft has none: give faces"),
        ({"fields": fields, "faces": box[:5]}, r"the faces do not close: .* \(0, 0, 1\) m\^2, of 5 m\^2"),
        ({"fields": fields, "eddy_coefficient": -1.0}, "symmetric and positive semidefinite"),
    ):
        with pytest.raises(plant.InputError, match=message):
            EnvironmentLoads(**arguments)
    with pytest.raises(plant.InputError, match="the sum must be at most 1"):
        Face(area=1, normal=(1, 0, 0), centre=(0, 0, 0), specular=0.7, diffuse=0.5)
    with pytest.raises(plant.InputError, match="in kg/mol"):
        Molecules(temperature=900.0, molar_mass=16.0, wall_temperature=300.0)
    loads = EnvironmentLoads(fields=fields, gravity_gradient=True)
    with pytest.raises(plant.InputError, match="translation=True would leave"):
        plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=1.0), potentials=[loads], translation=True)
    with pytest.raises(plant.InputError, match="remove the pivot"):
        plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=1.0, pivot=(0, 0, 1)), potentials=[loads])


def test_faces_of_a_box_close_and_enclose_its_volume():
    faces = box_faces((0.1, 0.2, 0.3), centre=(1, 2, 3))
    volume = sum(each.area * (each.normal @ each.centre) for each in faces) / 3  # divergence theorem
    assert volume == pytest.approx(0.006)
    assert len(faces[0].row()) == FACE.size
    assert COLUMNS.size == 13


def test_merged_and_paired_faces_feel_what_single_faces_feel():
    # a box whose +x side is three faces of two materials, each alone against all together
    faces = list(box_faces((0.2, 0.3, 0.4), centre=(0.02, -0.01, 0.03), specular=0.3, diffuse=0.1))
    first = faces.pop(0)
    faces += [replace(first, area=0.05, centre=(0.12, 0.1, 0.0)), replace(first, area=0.04, centre=(0.12, -0.1, 0.1))]
    faces += [replace(first, area=0.03, specular=0.8, tangential_accommodation=0.5)]
    rows = packed_faces(faces, wall=0.3)
    assert len(rows) == 7
    assert rows[:, FACE.paired].tolist().count(1.0) == 3
    v = np.array((0.48, -0.6, 0.64))
    light = light_torque(rows.ravel(), 0, 7, 0.7, *v)
    gas = gas_torque(np.concatenate([rows.ravel(), gas_curve()]), 0, 7, rows.size, 0.7 / 6.3**2, 6.3, *v)
    for found, kernel, arguments in ((light, light_torque, (0.7, *v)), (gas, gas_torque, (0.7, 6.3, 0.3, *v))):
        single = summed(torque_on(each, kernel, *arguments) for each in faces)
        np.testing.assert_allclose(found, single, rtol=1e-12, atol=1e-16)


def test_gas_curve_matches_the_error_function():
    for a in (*np.linspace(-5.97, 5.97, 41), 6.5, 12.0):
        p, q = pressure_and_flux(gas_curve(), 0, float(a))
        x, both = np.exp(-a * a), erfc(-a)
        assert p == pytest.approx(a / np.sqrt(np.pi) * x + (0.5 + a * a) * both, rel=1e-13, abs=2e-14)
        assert q == pytest.approx(x + np.sqrt(np.pi) * a * both, rel=1e-13, abs=1e-13)
    assert pressure_and_flux(gas_curve(), 0, -6.5) == (0.0, 0.0)


def test_work_space_of_another_table_is_not_reused():
    # two tables in one work space: the torque at the same time is that of each
    one, other = (EnvironmentLoads(fields=constant_fields(field=b), residual_dipole=(0, 0, 1)) for b in np.eye(3)[:2])
    crafts = [plant.Spacecraft(BODY, potentials=[each]) for each in (one, other)]
    w, x = crafts[0].work_space(), crafts[0].state(attitude=(1, 0, 0, 0))
    found = []
    for craft in (*crafts, crafts[0]):
        p = craft.pack()
        found.append(environment_load(3.0, x, p, int(p[AT_POTENTIALS]) + 1, w)[:3])
    np.testing.assert_allclose(found, ((0, 1, 0), (-1, 0, 0), (0, 1, 0)), rtol=1e-14, atol=1e-15)
