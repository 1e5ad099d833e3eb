"""Floquet multipliers along an orbit against computed cases, the nonlinear orbit map and closed forms."""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import controllers, plant, sim
from polhode.plant import InputError
from polhode.plant.attitude import rotation_matrix
from polhode.plant.environment import AxialDipoleField, EnvironmentLoads, Epoch, MeanOrbit, fields_along
from polhode.plant.environment.magnetorquers import MagneticPointing
from polhode.sim.analysis.orbit_margins import at_limits

MU, RADIUS = 3.986004418e14, 6878137.0
N = np.sqrt(MU / RADIUS**3)
PERIOD = 2.0 * np.pi / N
J = (0.035, 0.037, 0.007)
FIELD = 2.4278096063416e-5
NADIR = {"boresight": (0, 0, 1), "clock": (0, -1, 0)}


@cache
def orbit(inclination=97.4, radius=RADIUS):
    return MeanOrbit(
        epoch=Epoch("2026-03-20T12:00:00Z"),
        semi_major_axis=radius,
        inclination=np.radians(inclination),
        oblate=False,
    )


@cache
def fields(inclination=97.4, radius=RADIUS):
    path = orbit(inclination, radius)
    dipole = AxialDipoleField(FIELD * (RADIUS / 6371.2e3) ** 3)
    return fields_along(path, 1.001 * path.period, magnetic=dipole)


def reference(path):
    position, velocity = path.state(0.0)
    return controllers.NadirPointing(position, velocity, mu=MU, **NADIR)


def pointing(*, stiffness, damping, limit=1e6, **keys):
    return MagneticPointing(stiffness=stiffness, damping=damping, limit=limit, **keys)


def spacecraft(law=None, *, inertia=J, inclination=97.4, radius=RADIUS):
    loads = EnvironmentLoads(fields=fields(inclination, radius), gravity_gradient=True, magnetic_pointing=law)
    return plant.Spacecraft(plant.RigidBody(inertia), potentials=[loads])


def test_axial_dipole_has_the_field_of_the_orbit_frame():
    """b(u) = B0 (cos u sin i, -cos i, 2 sin u sin i): x forward, y minus normal, z to nadir."""
    path, u = orbit(), np.linspace(0.0, 2.0 * np.pi, 7)
    r, v = path.state(u / N)
    z = -r / RADIUS
    y = -np.cross(r, v) / np.linalg.norm(np.cross(r, v), axis=1)[:, None]
    frame = np.stack([np.cross(y, z), y, z], axis=1)
    field = AxialDipoleField(FIELD * (RADIUS / 6371.2e3) ** 3).along(path.epoch, u / N, position=r)
    s, c = np.sin(np.radians(97.4)), np.cos(np.radians(97.4))
    expected = FIELD * np.stack([np.cos(u) * s, np.full_like(u, -c), 2.0 * np.sin(u) * s], axis=1)
    np.testing.assert_allclose(np.einsum("nij,nj->ni", frame, field), expected, rtol=0, atol=1e-12 * FIELD)
    with pytest.raises(InputError, match="strength"):
        AxialDipoleField(0.0)


def test_magnetic_pointing_is_the_projected_law():
    """tau = -(I - b b')(kp theta + kd omega_rel), from rotation matrices, for a large error and an attitude offset."""
    kp, kd, t = 3e-6, 2e-5, 1234.5
    offset, attitude = np.array((0.8, 0.36, -0.48, 0.0)), np.array((0.3, -0.5, 0.7, 0.4)) / np.sqrt(0.99)
    rate = np.array((0.002, -0.001, 0.003))
    law = pointing(stiffness=kp, damping=kd, attitude=offset)
    loads = EnvironmentLoads(fields=fields(), magnetic_pointing=law)
    craft = plant.Spacecraft(plant.RigidBody(J), potentials=[loads])
    x = craft.state(attitude=attitude, rate=rate)
    torque = craft.derivative(t, x)[:3] - plant.Spacecraft(plant.RigidBody(J)).derivative(t, x)[:3]
    r, v = orbit().state(t)
    normal = np.cross(r, v) / np.linalg.norm(np.cross(r, v))
    frame = np.column_stack([np.cross(-normal, -r / RADIUS), -normal, -r / RADIUS])
    body = rotation_matrix(attitude)
    error = (frame @ rotation_matrix(offset)).T @ body
    angle = np.arccos((np.trace(error) - 1.0) / 2.0)
    axis = np.array((error[2, 1] - error[1, 2], error[0, 2] - error[2, 0], error[1, 0] - error[0, 1]))
    theta = 2.0 * np.sin(0.5 * angle) * axis / (2.0 * np.sin(angle))
    b = body.T @ AxialDipoleField(FIELD).along(orbit().epoch, np.array([t]), position=r[None])[0]
    b = b / np.linalg.norm(b)
    desired = -kp * theta - kd * (rate - body.T @ (N * normal))
    np.testing.assert_allclose(torque, desired - b * (b @ desired), rtol=0, atol=2e-7 * np.abs(desired).max())


def test_magnetic_pointing_limits_each_torquer():
    b0 = np.linalg.norm(FIELD * np.array((1.0, 0.13, 0.0)))
    law = pointing(stiffness=1.0, damping=0.0, limit=0.1)
    craft = spacecraft(law)
    x = craft.state(attitude=(0.6, 0.48, 0.0, 0.64))
    free = plant.Spacecraft(
        plant.RigidBody(J), potentials=[EnvironmentLoads(fields=fields(), gravity_gradient=True)]
    ).derivative(0.0, x)[:3]
    torque = craft.derivative(0.0, x)[:3] - free
    assert 0.5 * 0.1 * b0 < np.linalg.norm(torque) < np.sqrt(3.0) * 0.1 * 2.0 * b0
    for keys, message in (
        ({"stiffness": -1.0, "damping": 1.0}, "stiffness"),
        ({"stiffness": 0.0, "damping": 0.0}, "got 0 for both"),
        ({"stiffness": 1.0, "damping": 1.0, "attitude": (1, 1, 0, 0)}, "attitude in the orbit frame"),
    ):
        with pytest.raises(InputError, match=message):
            pointing(**keys)


def test_open_loop_librates_at_the_closed_form_frequencies():
    """Multipliers exp(+-2 pi i w/n), w from the linear equations of a nadir-pointing rigid body on a circular orbit."""
    found = sim.floquet(spacecraft(), reference=reference(orbit()), simulated=False)
    sigma = [(J[1] - J[2]) / J[0], (J[0] - J[2]) / J[1], (J[1] - J[0]) / J[2]]
    b, c = 1.0 + 3.0 * sigma[0] + sigma[0] * sigma[2], 4.0 * sigma[0] * sigma[2]
    roots = [0.5 * (b - np.sqrt(b * b - 4.0 * c)), 3.0 * sigma[1], 0.5 * (b + np.sqrt(b * b - 4.0 * c))]
    w = np.sqrt(roots)
    np.testing.assert_allclose(np.sort(w), (0.526074424903, 1.506741607002, 1.881375090213), rtol=1e-11)
    expected = np.concatenate([np.exp(2j * np.pi * w), np.exp(-2j * np.pi * w)])
    order = np.argsort(np.angle(expected))
    np.testing.assert_allclose(
        found.multipliers[np.argsort(np.angle(found.multipliers))], expected[order], rtol=0, atol=2e-8
    )
    model = spacecraft().linearize(
        spacecraft().state(attitude=reference(orbit()).at(0.0)[:4], rate=(0.0, -N, 0.0)), allow_nonequilibrium=True
    )
    np.testing.assert_allclose(np.sort(model.eigenvalues().imag)[3:] / N, np.sort(w), rtol=1e-8)


def test_projection_law_has_the_computed_multipliers():
    """Multipliers, determinant and the nonlinear orbit map by differences, for the 3U CubeSat at 500 km."""
    law = pointing(stiffness=2 * 0.035 * N**2, damping=0.035 * N)
    found = sim.floquet(spacecraft(law), reference=reference(orbit()))
    expected = (
        0.165945960009,
        0.053706548351 + 0.005356236103j,
        0.053706548351 - 0.005356236103j,
        0.048874468376 + 0.003647736743j,
        0.048874468376 - 0.003647736743j,
        0.000870639767,
    )
    np.testing.assert_allclose(found.multipliers, expected, rtol=0, atol=2e-8)
    assert np.prod(found.multipliers).real == pytest.approx(1.01096131556e-9, rel=1e-7)
    assert found.difference < 1e-8
    assert found.stable
    assert found.words == ()


@pytest.mark.parametrize(("stiffness", "largest"), [(2e-4, 5.50), (2e-3, 220.0)])
def test_more_gain_does_not_help_an_unstable_gravity_gradient(stiffness, largest):
    """A case of the literature: J (250, 150, 100), 57 degrees, 657 km."""
    radius = 6378137.0 + 657e3
    law = pointing(stiffness=stiffness, damping=0.3)
    craft = spacecraft(law, inertia=(250.0, 150.0, 100.0), inclination=57.0, radius=radius)
    found = sim.floquet(craft, reference=reference(orbit(57.0, radius)), simulated=False)
    assert not found.stable
    assert abs(found.multipliers[0]) == pytest.approx(largest, rel=2e-2)


def test_sampled_loop_matches_the_simulated_orbit_map():
    """Law and magnetorquers: a period of 567.7 samples is rounded to 568, also for the simulated map."""
    craft = spacecraft(pointing(stiffness=2 * 0.035 * N**2, damping=0.035 * N))
    law = controllers.quaternion_feedback(craft, frequency=0.001, damping_ratio=0.2, sample=10.0)
    found = sim.floquet(craft, law, reference=reference(orbit()))
    assert found.samples == 568
    assert any("takes 567.698 samples of the law; the multipliers are for 568" in each for each in found.words)
    assert found.difference < 6e-5  # second order in the sample over the orbit
    assert found.stable
    assert {row.kind for row in found.margins} == {"gain up"}
    late = [each for each in found.words if "and the limit is 48, since each sample of delay" in each]
    assert all("delay margin of torque_" in each or "delay margin of all" in each for each in late)
    assert late
    assert all(row.confirmed is not False for row in found.margins)
    assert any(row.confirmed for row in found.margins)


def test_sampled_loop_on_an_ellipse_has_the_multipliers_of_its_equations():
    """Quaternion feedback about an elliptic orbit, against an independent integration of the pitch equation.

    J theta'' + 3 mu/r^3 (Jx - Jz) theta = -k theta - c theta' with the command held for a sample.
    """
    body = (0.035, 0.037, 0.007)
    a, e = 9e6, 0.2
    position, velocity = np.array((a * (1 - e), 0, 0)), np.array((0, np.sqrt(MU / a * (1 + e) / (1 - e)), 0))
    follow = controllers.NadirPointing(position, velocity, mu=MU, **NADIR)
    gradient = plant.GravityGradient(mu=MU, position=position, velocity=velocity)
    craft = plant.Spacecraft(plant.RigidBody(body), potentials=[gradient])
    h = follow.period / 400.0
    law = controllers.quaternion_feedback(craft, frequency=0.0008, damping_ratio=0.3, sample=h)
    found = sim.floquet(craft, law, reference=follow, simulated=False)
    assert found.samples == 400
    gain = law.loop(craft.linearize(craft.at_rest(), allow_nonequilibrium=True)).matrices()[2]
    k, c = gain[1, 1] * np.trace(np.diag(body)) / 3.0, gain[1, 4] * body[1]

    def radius(t):
        mean = np.sqrt(MU / a**3) * t
        anomaly = mean
        for _ in range(60):
            anomaly = mean + e * np.sin(anomaly)
        return a * (1.0 - e * np.cos(anomaly))

    whole = np.eye(2)
    for n in range(400):
        held = -(k * whole[0] + c * whole[1]) / body[1]

        def slope(t, y, held=held):
            angle, rate = y.reshape(2, 2)
            return np.concatenate([rate, held - 3.0 * MU / radius(t) ** 3 * (body[0] - body[2]) / body[1] * angle])

        whole = solve_ivp(slope, (n * h, (n + 1) * h), whole.ravel(), rtol=1e-10, atol=1e-13).y[:, -1].reshape(2, 2)
    pitch = np.linalg.eigvals(whole)
    for value in pitch:
        assert np.abs(found.multipliers - value).min() < 2e-3 * np.abs(value)


def test_rotating_field_is_reported_as_not_periodic():
    path = orbit()
    table = fields_along(path, 1.001 * path.period, magnetic=plant.environment.DipoleField())
    loads = EnvironmentLoads(
        fields=table,
        gravity_gradient=True,
        magnetic_pointing=pointing(stiffness=2 * 0.035 * N**2, damping=0.035 * N),
    )
    craft = plant.Spacecraft(plant.RigidBody(J), potentials=[loads])
    found = sim.floquet(craft, reference=reference(path), simulated=False)
    assert any("the environment is not periodic" in each for each in found.words)


def test_orbit_is_required():
    craft = plant.Spacecraft(plant.RigidBody(J))
    with pytest.raises(InputError, match="no closed orbit whose period"):
        sim.floquet(craft, reference=reference(orbit()))
    table = fields_along(orbit(), 100.0)
    short = plant.Spacecraft(plant.RigidBody(J), potentials=[EnvironmentLoads(fields=table, gravity_gradient=True)])
    with pytest.raises(InputError, match="computed for 100 s"):
        sim.floquet(short, reference=reference(orbit()))


@pytest.mark.parametrize(("torque", "limited"), [(0.05, False), (0.2, True)])
def test_growth_that_actuators_bound_is_recognised(torque, limited):
    """At 0.1 N m a growing deviation stays as large as the limits allow, and no longer grows."""
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.05, motor_torque=torque, torque_limit=0.1)
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)), elements=[wheel])
    assert at_limits(sim.simulate(craft, duration=1.0)) == limited


@pytest.mark.slow
def test_reference_that_is_no_motion_is_reported():
    """Under the gravity gradient a principal axis 10 deg from nadir does not stay there without a law."""
    offset = np.array((np.cos(np.radians(5.0)), 0.0, np.sin(np.radians(5.0)), 0.0))
    path = orbit()
    position, velocity = path.state(0.0)
    tilted = controllers.NadirPointing(
        position, velocity, mu=MU, boresight=rotation_matrix(offset).T @ (0, 0, 1), clock=(0, -1, 0)
    )
    law = controllers.quaternion_feedback(spacecraft(), frequency=0.0012, damping_ratio=0.1, sample=40.0)
    found = sim.floquet(spacecraft(), law, reference=tilted)
    assert found.difference > 1e-3
    assert any("the reference is not a motion of the spacecraft" in each for each in found.words)
    aligned = sim.floquet(spacecraft(), law, reference=reference(path))
    assert not any("is not a motion" in each for each in aligned.words)
