"""Thrusters and tank against closed forms, published numbers and the accelerations of an open system."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import controllers, plant, sim
from polhode.plant.attitude import from_mrp, rotation_matrix, to_mrp
from polhode.plant.errors import InputError

EXACT = {"integrator": "dop853", "rtol": 1e-12}
G0 = 9.80665


def burn(force, stop, thruster=1, start=0.0):
    return plant.TorquePulse(force, start=start, stop=stop, coordinate=f"thruster_{thruster}_impulse")


def test_axial_burn_gives_the_rocket_equation():
    tank = plant.Propulsion([(0, 0, -1)], [(0, 0, 2)], specific_impulse=300.0, propellant=400.0, tank=(0, 0, 0.7))
    craft = plant.Spacecraft(plant.RigidBody((90, 80, 60), mass=600.0), elements=[tank], translation=True)
    force, burned = 500.0, 350.0
    stop = burned * G0 * 300.0 / force
    run = sim.simulate(
        craft, duration=stop + 100.0, torques=[burn(force, stop)], output_times=[0.0, stop, stop + 100.0], **EXACT
    )
    row = int(np.flatnonzero(run.t == stop)[-1])
    speed = G0 * 300.0 * np.log(1000.0 / 650.0)
    np.testing.assert_allclose(run.states[-1][craft.layout.linear_momentum] / 650.0, (0, 0, speed), rtol=1e-11)
    # distance of the hub: v0 = 0, mass flow k, z = c/k [m ln(m / m0) + m0 - m], c the exhaust velocity
    flow, velocity = force / (G0 * 300.0), G0 * 300.0
    distance = velocity / flow * (650.0 * np.log(650.0 / 1000.0) + 350.0)
    hub = run.values("hub_position")
    np.testing.assert_allclose(hub[row] - hub[0], (0, 0, distance), rtol=1e-11)
    # the mass centre moves within the spacecraft as the tank empties, without moving the hub
    np.testing.assert_allclose(run.values("position")[0] - hub[0], (0, 0, 0.28), atol=1e-12)
    np.testing.assert_allclose((run.values("position") - hub)[row], (0, 0, 0.7 * 50.0 / 650.0), atol=1e-7)
    np.testing.assert_allclose(run.values("propellant_left")[-1], 50.0, rtol=1e-12)


@pytest.mark.parametrize(("shape", "power"), [("uniform", 1.0), ("sphere", 5.0 / 3.0)])
def test_jet_damping_of_a_spinner_has_the_closed_form(shape, power):
    """Two exits at the distance L from the spin axis: J w' = -mu L^2 w - J_t' w with J_t = J_0 (m/m_0)^n.

    For n = 1, w = w0 (J/J0)^((L^2 - k^2)/k^2); in general the integral of mu (J_t'(m) - L^2)/J.
    """
    full, radius, arm = 120.0, 0.9, 0.75
    moment = 0.4 * full * radius**2
    tank = plant.Propulsion(
        [(arm, 0, 0), (-arm, 0, 0)], [(0, 0, 1), (0, 0, -1)], specific_impulse=220.0, propellant=full,
        inertia=[moment] * 3, shape=shape,
    )  # fmt: skip
    craft = plant.Spacecraft(plant.RigidBody((40, 40, 50), mass=100.0), elements=[tank])
    stop = 100.0 * G0 * 220.0 / 2000.0  # burns 100 kg, as two opposite forces along the axis
    torques = [burn(1000.0, stop), burn(1000.0, stop, 2), plant.TorquePulse((0, 2000.0 * arm, 0), start=0, stop=stop)]
    run = sim.simulate(craft, rate=(0, 0, 1.0), duration=stop, torques=torques, output_step=stop, **EXACT)
    left = 20.0

    def slope(m):
        return (arm**2 - power * moment / full * (m / full) ** (power - 1.0)) / (50.0 + moment * (m / full) ** power)

    nodes, weights = np.polynomial.legendre.leggauss(40)
    masses = 0.5 * (full + left) + 0.5 * (full - left) * nodes
    expected = np.exp(-0.5 * (full - left) * weights @ slope(masses))
    if shape == "uniform":
        closed = ((50.0 + moment * left / full) / (50.0 + moment)) ** (arm**2 / (0.4 * radius**2) - 1.0)
        np.testing.assert_allclose(expected, closed, rtol=1e-13)
    np.testing.assert_allclose(run.values("rate")[-1], (0, 0, expected), rtol=1e-10, atol=1e-12)
    assert np.abs(run.values("energy_balance")).max() < 1e-9 * run.values("energy")[0]


def test_burn_in_orbit_agrees_with_basilisk():
    """Basilisk's thruster and tank (test_thruster_integrated_sim), whose thrust lasts 9.9 s + 0.1 s/6.

    Its model omits the momentum of the flow. Printed sigma is 6e-8 off: their mass lags by a stage of Runge-Kutta.
    """
    radius = 46.0 / 2.0 / 3.2808399 / 12.0
    tank = plant.Propulsion(
        [(1, 0, 0)], [(0, 1, 0)], specific_impulse=227.5, propellant=40.0, inertia=[0.4 * 40.0 * radius**2] * 3,
        flow_momentum=False,
    )  # fmt: skip
    assert tank.flow * 0.9 == pytest.approx(4.034042161231e-4, rel=1e-12)
    craft = plant.Spacecraft(
        plant.RigidBody((900, 800, 600), mass=750.0), elements=[tank], translation=True,
        potentials=[plant.PointGravity(mu=3.986004415e14)],
    )  # fmt: skip
    run = sim.simulate(
        craft, attitude=from_mrp((0.1, 0.2, -0.3)), rate=(0.001, -0.01, 0.03), duration=600.0,
        position=(-4020338.690396649, 7490566.741852513, 5248299.211589362),
        velocity=(-5199.77710904224, -3436.681645356935, 1041.576797498721),
        torques=[burn(0.9, 9.9 + 0.1 / 6.0)], output_step=600.0, **EXACT,
    )  # fmt: skip
    mrp = to_mrp(run.values("attitude")[-1])
    np.testing.assert_allclose(mrp, (0.1440178078746, -0.0641686737524, 0.3016607997998), atol=2e-11)
    np.testing.assert_allclose(mrp, (0.14401781243854, -0.06416870202136, 0.30166086824901), atol=1e-7)
    place = run.values("position")[-1]
    np.testing.assert_allclose(place, (-6781593.393537, 4946868.597984, 5486741.669680), rtol=0, atol=1e-5)
    np.testing.assert_allclose(place, (-6781593.393533828, 4946868.597981589, 5486741.66967767), rtol=0, atol=2e-5)


# A hub, a tank off its mass centre, and a mass that slides on the hub, as accelerations of their points
HUB_MASS, HUB_INERTIA = 80.0, np.array([[30.0, 2.0, -1.0], [2.0, 25.0, 1.5], [-1.0, 1.5, 20.0]])
TANK, FULL, FULL_INERTIA = (
    np.array([0.4, -0.3, 0.6]),
    60.0,
    np.array([[4.0, 0.3, 0.1], [0.3, 5.0, -0.2], [0.1, -0.2, 6.0]]),
)
EXITS = np.array([[0.9, 0.2, -1.1], [-0.8, 0.5, -1.0]])
WAYS = (
    np.array([[0.1, -0.2, 1.0], [0.3, 0.1, 1.0]]) / np.linalg.norm([[0.1, -0.2, 1.0], [0.3, 0.1, 1.0]], axis=1)[:, None]
)
FORCES, FLOW = np.array([300.0, 450.0]), 1.0 / (G0 * 50.0)
SLIDE, PLACE, SLIDING, SPRING, DAMPER = np.array([0.6, 0.0, 0.8]), np.array([0.5, 1.0, 0.2]), 12.0, 30.0, 4.0


def accelerations(t, y, *, flow_momentum):
    """State: attitude, rate, displacement and its rate, velocity of the hub (body axes) and its position."""
    e, w, s, v, u = y[:4], y[4:7], y[7], y[8], y[9:12]
    flows = FORCES * FLOW
    left = FULL - flows.sum() * t
    inertia, thinning = FULL_INERTIA * left / FULL, -FULL_INERTIA * flows.sum() / FULL
    skew = lambda a: np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])  # noqa: E731 # short
    matrix, b = np.zeros((7, 7)), np.zeros(7)  # unknown: acceleration of the hub, angular acceleration, s''
    b[:3], b[3:6] = FORCES @ WAYS, np.cross(EXITS, FORCES[:, None] * WAYS).sum(axis=0)
    for tensor in (HUB_INERTIA, inertia):
        matrix[3:6, 3:6] += tensor
        b[3:6] -= np.cross(w, tensor @ w)
    r = PLACE + s * SLIDE
    for mass, place, slide, rate in (
        (HUB_MASS, np.zeros(3), np.zeros(3), 0),
        (left, TANK, np.zeros(3), 0),
        (SLIDING, r, SLIDE, v),
    ):
        rows = np.hstack((np.eye(3), -skew(place), slide[:, None]))  # acceleration = rows @ unknowns + rest
        rest = np.cross(w, np.cross(w, place)) + 2.0 * np.cross(w, slide) * rate
        matrix += mass * rows.T @ rows
        b -= mass * rows.T @ rest
    b[6] -= SPRING * s + DAMPER * v
    if flow_momentum:  # Coriolis force of the propellant that flows along a straight line
        for mu, exit_ in zip(flows, EXITS, strict=True):
            coriolis = 2.0 * mu * np.cross(w, exit_ - TANK)
            b[:3] -= coriolis
            b[3:6] -= np.cross(0.5 * (TANK + exit_), coriolis)
        b[3:6] -= thinning @ w  # and within the tank
    a = np.linalg.solve(matrix, b)
    de = 0.5 * np.array([-e[1:] @ w, *(e[0] * w + np.cross(e[1:], w))])
    return np.concatenate((de, a[3:6], [v, a[6]], a[:3] - np.cross(w, u), rotation_matrix(e / np.linalg.norm(e)) @ u))


@pytest.mark.parametrize("flow_momentum", [True, False])
def test_open_system_agrees_with_accelerations_of_its_points(flow_momentum):
    """Off-centre tank, two exits, a sliding mass and translation; the accelerations use no momentum balance."""
    tank = plant.Propulsion(
        EXITS, WAYS, specific_impulse=50.0, propellant=FULL, tank=TANK, inertia=FULL_INERTIA,
        flow_momentum=flow_momentum,
    )  # fmt: skip
    slide = plant.MassSpringDamper(point=PLACE, axis=SLIDE, mass=SLIDING, stiffness=SPRING, damping=DAMPER)
    craft = plant.Spacecraft(plant.RigidBody(HUB_INERTIA, mass=HUB_MASS), elements=[slide, tank], translation=True)
    rate, duration = np.array([0.3, -0.5, 0.8]), 5.0
    x = craft.state(rate=rate)
    torques = [burn(force, duration, n) for n, force in enumerate(FORCES, 1)]
    run = sim.simulate(craft, state=x, duration=duration, torques=torques, output_step=duration, **EXACT)
    assert run.values("propellant_left")[-1] < 0.9 * FULL
    w = run.values("rate")[0]
    v = -np.cross(w, (FULL * TANK + SLIDING * PLACE) / craft.mass)  # the mass centre is at rest
    np.testing.assert_allclose(w, rate, atol=1e-14)
    start = np.concatenate(([1, 0, 0, 0], rate, [0, 0], v, run.values("hub_position")[0]))
    points = solve_ivp(
        lambda t, y: accelerations(t, y, flow_momentum=flow_momentum), (0.0, duration), start, method="DOP853",
        rtol=1e-12, atol=1e-12,
    ).y[:, -1]  # fmt: skip
    np.testing.assert_allclose(run.values("attitude")[-1], points[:4], atol=2e-9)
    np.testing.assert_allclose(run.values("rate")[-1], points[4:7], atol=2e-9)
    np.testing.assert_allclose(run.values("internal")[-1], points[7:8], atol=2e-9)
    np.testing.assert_allclose(run.values("hub_position")[-1], points[12:], atol=1e-7)
    assert np.abs(run.values("energy_balance")).max() < 1e-8 * run.values("energy").max()


def single(propellant=0.1):
    tank = plant.Propulsion([(0, 0, -1)], [(0, 0, 1)], specific_impulse=30.0, propellant=propellant)
    return plant.Spacecraft(plant.RigidBody((9, 8, 6), mass=50.0), elements=[tank], translation=True)


def test_thrust_is_never_negative():
    with pytest.raises(InputError, match="thrust of 'thruster_1_impulse' must be at least 0 N; got -10 N"):
        sim.simulate(single(), duration=10.0, torques=[burn(-10.0, 5.0)])
    thrust = controllers.Signal(role="torque", coordinates=("thruster_1_impulse",))
    for force, warned in ((-2.0, True), (2.0, False)):
        pull = controllers.Block(
            lambda t, y, force=force: [force], reads="rate", writes={"thrust": thrust}, clock=controllers.Clock(1.0),
            compiled=False,
        )  # fmt: skip
        run = sim.simulate(single(9.0), duration=5.0, blocks=[pull])
        assert any("a thruster pushes only" in words for words in run.warnings) is warned
        assert bool(run.craft.mass_at(run.states[-1]) > run.craft.mass) is warned


def test_steps_past_an_empty_tank_are_reported():
    """Rocket equation: all of the propellant gives g0 Isp ln(m0/m); a fixed step that uses more gives more."""
    speed = G0 * 30.0 * np.log(50.1 / 50.0)
    for settings, warned in (({"integrator": "rk4", "step": 0.01}, True), (EXACT, False)):
        run = sim.simulate(single(), duration=5.0, torques=[burn(100.0, 4.0)], **settings)
        assert abs(run.values("velocity")[-1, 2] / speed - 1.0) < 1e-7 or warned
        assert any("more propellant than the 0.1 kg in the tank" in words for words in run.warnings) is warned


def test_each_of_two_propulsions_has_its_own_torque():
    """Only thrusters whose torque is that of a command need a law to fire."""
    own = plant.Propulsion([(0, 1, 0)], [(0, 0, 1)])
    commanded = plant.Propulsion([(0, 0, -1)], [(0, 0, 1)], applies_torque=False)
    craft = plant.Spacecraft(plant.RigidBody((9, 8, 6), mass=50.0), elements=[commanded, own], translation=True)
    run = sim.simulate(craft, duration=6.0, torques=[burn(3.0, 2.0, "2_1")], **EXACT)
    np.testing.assert_allclose(run.values("rate")[-1], (3.0 * 2.0 / 9.0, 0, 0), rtol=1e-12)
    with pytest.raises(InputError, match="'thruster_1_1_impulse' has no torque of its own"):
        sim.simulate(craft, duration=6.0, torques=[burn(3.0, 2.0, "1_1")])


def test_batches_check_the_thrusters_of_every_spacecraft():
    fleet = [
        plant.Spacecraft(
            plant.RigidBody((9, 8, 6), mass=50.0),
            elements=[plant.Propulsion([(0, 1, 0)], [(0, 0, 1)], applies_torque=applies)],
        )
        for applies in (True, False)
    ]
    runs = sim.simulate_batch(fleet, duration=2.0, torques=[burn(3.0, 1.0)])
    assert "has no torque of its own" in runs.reasons[1]
    assert 0 not in runs.reasons


@pytest.mark.parametrize("used", [-5.0, 41.0, 95.0])
def test_state_with_impossible_impulses_is_refused(used):
    """A tank of 40 kg holds neither 45 kg nor -1 kg after earlier burns."""
    tank = plant.Propulsion([(0, 0, -1)], [(0, 0, 1)], specific_impulse=300.0, propellant=40.0)
    craft = plant.Spacecraft(plant.RigidBody((90, 80, 60), mass=600.0), elements=[tank], translation=True)
    x = craft.state()
    x[craft.layout.levels] = used * G0 * 300.0
    with pytest.raises(InputError, match=f"leave {40.0 - used:g} kg of 40 kg of propellant"):
        sim.simulate(craft, state=x, duration=1.0)
    x[craft.layout.levels] = 15.0 * G0 * 300.0
    assert sim.simulate(craft, state=x, duration=1.0).values("propellant_left")[-1] == pytest.approx(25.0)
