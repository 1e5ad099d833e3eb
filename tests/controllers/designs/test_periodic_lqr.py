"""Periodic regulator of magnetorquers against separately built matrices, held dipoles and the simulated orbit map."""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from polhode import controllers, plant, sim
from polhode.plant import DesignError, InputError
from polhode.plant.attitude import rotation_matrix
from polhode.plant.environment import AxialDipoleField, DipoleField, EnvironmentLoads, Epoch, MeanOrbit, fields_along
from polhode.plant.environment.magnetorquers import MagneticPointing

MU, RADIUS = 3.986004418e14, 6878137.0
N = np.sqrt(MU / RADIUS**3)
PERIOD = 2.0 * np.pi / N
J = np.array((0.035, 0.037, 0.007))
FIELD, TILT = 2.4278096063416e-5, np.radians(97.4)
SAMPLES = 120
H = PERIOD / SAMPLES
WEIGHTS = {"attitude": 1.0, "rate": 1.0 / N**2, "effort": 5.0}
DIPOLE = AxialDipoleField(FIELD * (RADIUS / 6371.2e3) ** 3)


@cache
def orbit(tilt=97.4, radius=RADIUS):
    return MeanOrbit(
        epoch=Epoch("2026-03-20T12:00:00Z"), semi_major_axis=radius, inclination=np.radians(tilt), oblate=False
    )


@cache
def spacecraft(tilt=97.4, *, radius=RADIUS, inertia=tuple(J), magnetic=DIPOLE, orbits=1.1, law=None):
    path = orbit(tilt, radius)
    fields = fields_along(path, orbits * path.period, magnetic=magnetic)
    loads = EnvironmentLoads(fields=fields, gravity_gradient=True, magnetic_pointing=law)
    return plant.Spacecraft(plant.RigidBody(inertia), potentials=[loads])


def nadir(path=None):
    position, velocity = (path or orbit()).state(0.0)
    return controllers.NadirPointing(position, velocity, mu=MU, boresight=(0, 0, 1), clock=(0, -1, 0))


def regulator(craft=None, **keys):
    keys = {"reference": nadir(), "dipole_limit": 0.2, "sample": H, **WEIGHTS, **keys}
    return controllers.periodic_lqr(craft or spacecraft(), **keys)


def separate_matrices():
    """Transition and dipole matrices of a sample, from the textbook equations of roll, pitch and yaw.

    States: angles and body rate deviations (roll' - n yaw, pitch', yaw' + n roll).
    """
    k = J[0] - J[1] + J[2]
    angles = np.zeros((6, 6))  # states: angles and their rates
    angles[:3, 3:] = np.eye(3)
    angles[3, 0], angles[3, 5] = -4.0 * N**2 * (J[1] - J[2]) / J[0], N * k / J[0]
    angles[4, 1] = -3.0 * N**2 * (J[0] - J[2]) / J[1]
    angles[5, 2], angles[5, 3] = -(N**2) * (J[1] - J[0]) / J[2], -N * k / J[2]
    T = np.eye(6)
    T[3, 2], T[5, 0] = -N, N
    A = T @ angles @ np.linalg.inv(T)
    F, G = [], []
    for n in range(SAMPLES):
        u = N * H * (n + 0.5)
        b = FIELD * np.array((np.cos(u) * np.sin(TILT), -np.cos(TILT), 2.0 * np.sin(u) * np.sin(TILT)))
        block = np.zeros((9, 9))
        block[:6, :6] = A
        block[3:6, 6:] = np.array([np.cross(e, b) / J for e in np.eye(3)]).T
        whole = expm(block * H)
        F.append(whole[:6, :6])
        G.append(whole[:6, 6:])
    return np.array(F), np.array(G)


def test_gains_are_those_of_a_recursion_on_textbook_equations():
    """Tolerance: the field is interpolated to 3e-5."""
    F, G = separate_matrices()
    Q, R = np.diag([1.0] * 3 + [1.0 / N**2] * 3), 5.0 * np.eye(3)
    cost, gains = np.zeros((6, 6)), np.zeros((SAMPLES, 3, 6))
    for k in reversed(range(30 * SAMPLES)):
        f, g = F[k % SAMPLES], G[k % SAMPLES]
        K = np.linalg.solve(R + g.T @ cost @ g, g.T @ cost @ f)
        cost = Q + f.T @ cost @ (f - g @ K)
        gains[k % SAMPLES] = K
    law = regulator()
    size = np.abs(gains).max(axis=(0, 1))
    np.testing.assert_allclose(law.gain_table / size, gains / size, rtol=0, atol=2e-4)
    closed = np.linalg.multi_dot([F[k] - G[k] @ law.gain_at(k * H) for k in reversed(range(SAMPLES))])
    expected = np.linalg.eigvals(closed)
    for value in law.multipliers[:4]:
        assert np.abs(expected - value).min() < 1e-5
    assert 0.05 < np.abs(law.multipliers).max() < 0.1


def test_multipliers_match_floquet_analysis_and_simulated_orbit():
    law = regulator()
    found = sim.floquet(spacecraft(), law, reference=nadir())
    assert found.samples == SAMPLES
    assert found.difference < 4e-5  # second order in the sample over the orbit, 5 % of a radian
    assert [(row.kind, row.input, row.confirmed) for row in found.margins] == [("gain up", "all", None)]
    for value in law.multipliers[:4]:
        assert np.abs(found.multipliers - value).min() < 2e-6
    assert found.stable


def field(t):
    return DIPOLE.along(orbit().epoch, np.array([t]), position=orbit().state(np.array([t]))[0])[0]


def held_dipole(start, x, m):
    """Attitude and rate after a sample with the dipole m, from Euler's equations."""

    def slope(t, x):
        e, w = x[:4], x[4:]
        body = rotation_matrix(e / np.linalg.norm(e))
        up = body.T @ orbit().state(np.array([t]))[0][0]
        torque = 3.0 * MU / np.linalg.norm(up) ** 5 * np.cross(up, J * up) + np.cross(m, body.T @ field(t))
        rates = 0.5 * np.concatenate(([-e[1:] @ w], e[0] * w + np.cross(e[1:], w)))
        return np.concatenate((rates, (torque - np.cross(w, J * w)) / J))

    return solve_ivp(slope, (start, start + H), x, rtol=1e-8, atol=1e-12).y[:, -1]


def test_held_torque_acts_as_the_held_dipole():
    """Against Euler's equations with the dipole held and the field rotating past the body, with limits reached.

    The torque at the start of a sample instead of its middle would be off by n h, 5 %, not by (n h)^2.
    """
    law, craft = regulator(dipole_limit=(0.002, 0.001, 0.0015)), spacecraft()
    follow = nadir()
    r0 = follow.at(0.0)
    turn = np.array((0.999, 0.02, -0.03, 0.025))
    start = plant.attitude.quaternion_product(r0[:4], turn / np.linalg.norm(turn))
    state = craft.state(attitude=start, rate=r0[4:7] + np.array((1e-4, -2e-4, 1e-4)))
    count = 40
    run = sim.simulate(
        craft, law, state=state, reference=follow, duration=count * H, output_times=[count * H], integrator="dop853",
        rtol=1e-11,
    )  # fmt: skip

    e, w = np.array(start), r0[4:7] + np.array((1e-4, -2e-4, 1e-4))
    limited, effect = 0, np.zeros(3)
    for n in range(count):
        t = n * H
        r = follow.at(t)
        body, wanted = rotation_matrix(e), rotation_matrix(r[:4])
        error = wanted.T @ body
        axis = np.array((error[2, 1] - error[1, 2], error[0, 2] - error[2, 0], error[1, 0] - error[0, 1]))
        delta = axis / np.sqrt(1.0 + np.trace(error))
        m = -law.gain_at(t) @ np.concatenate((delta, w - r[4:7]))
        limited += int((np.abs(m) > law.dipole_limit).any())
        m = np.clip(m, -law.dipole_limit, law.dipole_limit)

        x = held_dipole(t, np.concatenate((e, w)), m)
        effect += np.abs(np.cross(m, body.T @ field(t)) / J) * H
        e, w = x[:4] / np.linalg.norm(x[:4]), x[4:]
    assert 3 < limited < count
    off = np.abs(run.values("rate")[-1] - w).max()
    assert off < 1e-2 * effect.max()
    apart = 2.0 * np.arccos(min(1.0, abs(float(run.values("attitude")[-1] @ e))))
    moved = 2.0 * np.arccos(abs(float(turn[0] / np.linalg.norm(turn))))
    assert apart < 5e-3 * moved


def test_regulator_stabilises_what_constant_gains_do_not():
    """A case of the literature, unstable under the gravity gradient: the projected law has a multiplier of 5.5."""
    place = {"radius": 6378137.0 + 657e3, "inertia": (250.0, 150.0, 100.0)}
    path = orbit(57.0, place["radius"])
    projected = MagneticPointing(stiffness=2e-4, damping=0.3, limit=1e6)
    constant = sim.floquet(spacecraft(57.0, **place, law=projected), reference=nadir(path), simulated=False)
    assert abs(constant.multipliers[0]) > 5.0
    craft, n = spacecraft(57.0, **place), 2.0 * np.pi / path.period
    law = regulator(
        craft, reference=nadir(path), rate=1.0 / n**2, effort=1e-4, dipole_limit=1e3, sample=path.period / 200
    )
    found = sim.floquet(craft, law, reference=nadir(path), simulated=False)
    assert np.abs(law.multipliers).max() == pytest.approx(abs(found.multipliers[0]), rel=1e-3)
    assert abs(found.multipliers[0]) < 0.5


def test_stored_gains_are_interpolated_with_fourth_order():
    full = regulator()
    errors = []
    for points in (30, 60):
        law = regulator(points=points)
        assert law.gain_table.shape == (points, 3, 6)
        np.testing.assert_allclose(law.gain_at(3 * PERIOD / points), law.gain_table[3], rtol=0, atol=1e-9)
        np.testing.assert_allclose(law.gain_at(3.5 * H + 7 * PERIOD), law.gain_at(3.5 * H), rtol=1e-6, atol=1e-9)
        off = [np.abs(law.gain_at(k * H) - full.gain_at(k * H)).max() for k in range(SAMPLES)]
        errors.append(max(off) / np.abs(full.gain_table).max())
    assert errors[0] < 0.03
    assert errors[1] < errors[0] / 8.0


@pytest.mark.parametrize("delay", [0.0, 0.4 * H])
def test_frozen_gains_are_the_slopes_of_the_kernel(delay):
    """Difference quotients of the command at a sample; the attitude of the model is that in the middle of it."""
    law, t = regulator(delay=delay), 17.0 * H
    early, middle = nadir().at(t), nadir().at(t + 0.5 * H)
    model = spacecraft().linearize(spacecraft().state(attitude=middle[:4], rate=middle[4:7]), allow_nonequilibrium=True)
    found = law.frozen_at(t + 0.5 * H).small_signal(model).compensator.D
    slopes = np.zeros((3, 6))
    for n, step in enumerate([1e-6] * 3 + [1e-8] * 3):
        sides = []
        for sign in (1.0, -1.0):
            turn, rate = np.zeros(3), np.array(early[4:7])
            turn[n % 3] = 0.5 * sign * step * (n < 3)
            rate[n % 3] += sign * step * (n >= 3)
            attitude = plant.attitude.quaternion_product(early[:4], np.append(np.sqrt(1.0 - turn @ turn), turn))
            u = np.zeros(3)
            y = np.concatenate((J * rate, attitude, rate))
            law.kernel(t, y, early, law.parameters, np.zeros(0), u)
            sides.append(u)
        slopes[:, n] = (sides[0] - sides[1]) / (2.0 * step)
    np.testing.assert_allclose(found, slopes, rtol=0, atol=1e-5 * np.abs(slopes).max(axis=0).max())


def test_fixed_attitude_with_a_rotating_gravity_gradient_has_a_design():
    """The model changes along the orbit: two routes to its multipliers, with a delay of half a sample."""
    craft, still = spacecraft(), controllers.FixedReference((1.0, 0.0, 0.0, 0.0))  # the field passes along z
    law = regulator(craft, reference=still, delay=0.25 * H, sample=0.5 * H)
    found = sim.floquet(craft, law, reference=still, simulated=False)
    assert np.abs(law.multipliers).max() < 0.5
    assert abs(found.multipliers[0]) == pytest.approx(np.abs(law.multipliers).max(), rel=1e-3)


def test_field_of_the_rotating_earth_is_reported_and_used():
    craft = spacecraft(magnetic=DipoleField(), orbits=3.01)
    law = regulator(craft, sample=47.0)
    assert any("the field is not periodic" in each for each in law.notes)
    assert any("samples; the gains between" in each for each in law.notes)
    longer = regulator(craft, orbits=3)
    assert longer.period == pytest.approx(3.0 * PERIOD)
    assert len(longer.gain_table) == 3 * SAMPLES
    r0 = nadir().at(0.0)
    turn = np.array((1.0, 0.02, -0.02, 0.02)) / np.sqrt(1.0012)
    state = craft.state(attitude=plant.attitude.quaternion_product(r0[:4], turn), rate=r0[4:7])
    for each in (law, longer):
        run = sim.simulate(
            craft, each, state=state, reference=nadir(), duration=3.0 * PERIOD, output_step=H, integrator="rk8", step=H
        )
        error = run.values("attitude_error")
        assert error[-SAMPLES:].max() < 0.02 * error[0]


def test_compiled_law_is_the_python_law():
    craft = spacecraft()
    for law in (regulator(), regulator(delay=0.3 * H, points=25, dipole_limit=1e-3)):
        runs = [
            sim.simulate(
                craft, law, attitude=(0.8, 0.0, 0.6, 0.0), rate=(1e-3, -2e-3, 0.0), reference=nadir(), duration=5 * H,
                output_step=H, integrator="rk4", step=H / 4, compiled=compiled,
            )
            for compiled in (True, False)
        ]  # fmt: skip
        np.testing.assert_array_equal(runs[0].states, runs[1].states)


def test_unsuitable_orbits_and_values_are_refused():
    equator = orbit(0.0)
    with pytest.raises(DesignError, match="field of constant direction"):
        regulator(spacecraft(0.0), reference=nadir(equator))
    for keys, message in (
        ({"sample": PERIOD / 10.0}, "too long for a design along an orbit"),
        ({"orbits": 2}, "needs the magnetic field over 2 orbits"),
        ({"orbits": 0}, "must be 1 or more"),
        ({"points": 3}, "number of stored gains"),
        ({"points": 500}, "4 to 120"),
        ({"dipole_limit": 0.0}, "dipole limit"),
    ):
        with pytest.raises(InputError, match=message):
            regulator(**keys)
    with pytest.raises(InputError, match="need the magnetic field along the orbit"):
        regulator(plant.Spacecraft(plant.RigidBody(J)))
    with pytest.raises(InputError, match="commanded twice"):
        regulator(spacecraft(law=MagneticPointing(stiffness=1e-7, damping=0.0, limit=1.0)))
    law = MagneticPointing(stiffness=1e-7, damping=0.0, limit=1.0)
    other = EnvironmentLoads(fields=spacecraft().potentials[0].fields, magnetic_pointing=law)
    both = (*spacecraft().potentials, other)
    with pytest.raises(InputError, match="commanded twice"):
        regulator(plant.Spacecraft(plant.RigidBody(J), potentials=both))
    basis = plant.Spacecraft(
        plant.RigidBody(J), potentials=spacecraft().potentials, torques=plant.TorqueBasis("inertial")
    )
    with pytest.raises(InputError, match="along the body axes"):
        regulator(basis)


def test_run_refuses_another_reference_or_field():
    law = regulator()
    with pytest.raises(DesignError, match="designed about another reference"):
        sim.simulate(spacecraft(), law, duration=10.0)
    other = spacecraft(magnetic=DipoleField())
    with pytest.raises(InputError, match="differs from that of the law"):
        sim.simulate(other, law, reference=nadir(), duration=10.0)
    with pytest.raises(DesignError, match="Floquet multipliers"):
        law.margins(spacecraft().linearize(spacecraft().state(attitude=nadir().at(0.0)[:4]), allow_nonequilibrium=True))


@pytest.mark.parametrize(("limit", "warned"), [(1e-4, 1), (0.2, 0)])
def test_dipoles_beyond_their_limit_are_warned_about(limit, warned):
    """The dipoles, cut at the limit, exert the recorded torque in the field, which turns by n h = 5 % in a sample."""
    law, reference = regulator(dipole_limit=limit), nadir()
    r0 = reference.at(0.0)
    start = plant.attitude.quaternion_product(r0[:4], (np.cos(0.02), 0.0, np.sin(0.02), 0.0))  # 2.3 deg about pitch
    run = sim.simulate(
        spacecraft(), law, reference=reference, attitude=start, rate=r0[4:7], duration=40.0 * H, output_step=H
    )
    t = np.asarray(run.t)[:-1]
    references = np.array([reference.at(float(each))[:7] for each in t])
    demanded = law.demanded_dipoles(
        t, np.hstack((run.values("attitude"), run.values("rate")))[:-1], references=references
    )
    bodies = np.swapaxes(rotation_matrix(run.values("attitude")[:-1]), 1, 2)
    exerted = np.cross(
        np.clip(demanded, -limit, limit), [C @ field(each + 0.5 * H) for C, each in zip(bodies, t, strict=True)]
    )
    torque = run.values("command")[:-1]
    assert np.abs(exerted - torque).max() < 0.06 * np.abs(torque).max()
    assert (np.abs(demanded) > limit).any() == bool(warned)
    assert sum("the demanded dipole exceeds its limit" in each for each in run.warnings) == warned
