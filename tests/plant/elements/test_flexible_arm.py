"""A flexible arm as an element: its mechanics are those of the satellite of arms, in any company and on any hub."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant import InputError
from polhode.plant.dynamics import derivative, energy
from polhode.plant.flexible import Arm, BeamSection, FlexibleSatellite, appendage_modes
from polhode.plant.flexible.quantities import angular_momentum, linear_momentum, mass_centre
from polhode.plant.parameters import HUB_V, W_HUB, W_V

INERTIA = np.array(((14.0, 0.5, 0.2), (0.5, 11.0, -0.3), (0.2, -0.3, 9.0)))
ATTITUDE = np.array((0.7, 0.1, 0.5, 0.5))
TINY = 1e-30


def arms(*, modulus=7e8, damping_time=1e-5):
    section = BeamSection(
        area=1e-3,
        second_moment_m=8e-9,
        second_moment_n=2e-8,
        elastic_modulus=modulus,
        shear_modulus=0.37 * modulus,
        density=2700.0,
        damping_time=damping_time,
    )
    return [
        Arm(section=section, length=2.0, elements=2, direction=(1, 0.2, 0.1), root=(0.4, 0, 0.1), tip_mass=0.5),
        Arm(section=section, length=1.5, elements=3, direction=(-1, 0.3, 0.2), root=(-0.3, 0.1, 0)),
        Arm(section=section, length=0.5, elements=1, direction=(0, 1, 0.2), section_axis=(1, 0, 1)),
    ]


def company():
    return [
        plant.RingDamper(axis=(0, 0, 1), mass=2.0, radius=0.3, friction=0.1, center=(0, 0, 0.3), fill=3.0),
        plant.Wheel(axis=(1, 0, 0), inertia=0.06, friction=0.01, relative_rate=200.0),
        plant.Pendulum(mass=4.0, length=0.5, hinge=(0.1, 0.2, -0.3), direction=(0, 0, -1)),
        plant.MassSpringDamper(mass=1.0, point=(0.1, 0.2, 0.3), axis=(1, 1, 0), stiffness=10.0, damping=0.3),
    ]


def push(t, e, omega, c, v):
    return (0.1, 0.2, 0.3, 1.0, 2.0, -3.0)


GRAVITY = plant.UniformGravity((0.0, 1.0, -9.81))
ORBIT = plant.GravityGradient(mu=5e3, position=(20.0, 1.0, 3.0), velocity=(0.0, 16.0, 0.0))  # so near that it tells
HELD = plant.RigidBody(INERTIA + 20.0 * np.eye(3), mass=60.0, pivot=(0.1, -0.2, 0.3))
FREE = plant.RigidBody(INERTIA, mass=60.0)
CRAFTS = {
    "alone": lambda: plant.Spacecraft(FREE, elements=arms()),
    "free": lambda: plant.Spacecraft(FREE, elements=[*arms(), *company()]),
    "in another order": lambda: plant.Spacecraft(FREE, elements=[*company()[:2], *arms(), *company()[2:]]),
    "pivoted": lambda: plant.Spacecraft(HELD, elements=[*company(), *arms()]),
    "pivoted under gravity": lambda: plant.Spacecraft(HELD, elements=[*company(), *arms()], potentials=[GRAVITY]),
    "translating": lambda: plant.Spacecraft(
        FREE, elements=[*arms(), *company()], potentials=[GRAVITY], translation=True
    ),
    "pushed": lambda: plant.Spacecraft(
        FREE, elements=[*arms(), *company()], efforts=[plant.Effort(push)], translation=True
    ),
    "in a prescribed orbit": lambda: plant.Spacecraft(FREE, elements=[*arms(), *company()], potentials=[ORBIT]),
    "in orbit": lambda: plant.Spacecraft(
        FREE, elements=[*arms(), *company()], potentials=[plant.GravityGradient(mu=5e3)], translation=True
    ),
    "in orbit without arms": lambda: plant.Spacecraft(
        FREE, elements=company(), potentials=[plant.GravityGradient(mu=5e3)], translation=True
    ),
    "inertial torque": lambda: plant.Spacecraft(
        FREE, elements=[*arms(), *company()], torques=plant.TorqueBasis("inertial")
    ),
    "Euler torque": lambda: plant.Spacecraft(
        FREE, elements=[*arms(), *company()], torques=plant.TorqueBasis("euler", sequence="3-1-3")
    ),
}


def somewhere(craft, *, seed=1, size=1e-3):
    rng = np.random.default_rng(seed)
    x = craft.state(attitude=ATTITUDE, rate=(0.3, -0.2, 0.4))
    own = craft.layout.own
    x[own] += size * rng.standard_normal(own.stop - own.start)
    for at in craft.layout.own_units_at:
        x[at : at + 4] /= np.linalg.norm(x[at : at + 4])
    x[7 : own.start] += 0.05 * rng.standard_normal(own.start - 7)
    if craft.translation:
        x[craft.layout.position] += (20.0, 1.0, 3.0)
    x[:3] += 0.1 * rng.standard_normal(3)
    return x


def rates(craft, x, u=(0.1, 0.2, 0.3)):
    full, w = np.concatenate([x, np.zeros(4)]), craft.work_space()
    dx = np.zeros_like(full)
    derivative(0.0, full, np.array(u), craft.pack(ledger=True), dx, craft.user_loads(), w)
    return dx, w


@pytest.mark.parametrize("name", CRAFTS)
def test_power_balance(name):
    """dH/dt along the flow is the power of torques, forces, friction and the arms' damping."""
    craft = CRAFTS[name]()
    for seed in range(3):
        x = somewhere(craft, seed=seed)
        dx, _ = rates(craft, x)
        z = np.concatenate([x, np.zeros(4)]) + 1j * TINY * dx
        p, u = craft.pack(ledger=True), np.array((0.1, 0.2, 0.3), dtype=complex)
        found = energy(0.0, z, u, p, craft.work_space(dtype=complex)).imag / TINY
        # a kilowatt in strings that nearly cancel: 5e-13 of it
        assert found == pytest.approx(dx[-4], rel=0, abs=5e-13 * max(1e3, abs(found)))


def test_momenta_are_those_of_the_satellite_of_arms():
    craft, satellite = plant.Spacecraft(FREE, elements=arms()), FlexibleSatellite(FREE, arms=arms())
    x = somewhere(craft)
    _, w = rates(craft, x)
    p, own = craft.pack(), craft.layout.own
    turn = plant.attitude.rotation_matrix(x[3:7])
    v0 = turn @ w[int(p[W_HUB]) + HUB_V :][:3]
    q, nu, at = [0.0, 0.0, 0.0, *x[3:7]], [*v0, *(turn @ w[int(p[W_V]) :][:3])], own.start
    dx, _ = rates(craft, x)
    for arm in arms():
        n = arm.elements
        q += x[at : at + 1 + 8 * n].tolist()
        places, turning = x[at + 1 : at + 1 + 8 * n].reshape(n, 8), dx[at + 1 : at + 1 + 8 * n].reshape(n, 8)
        nu.append(dx[at])
        for node, rate in zip(places, turning, strict=True):
            # omega = 2 e' o conj(e), inertial components
            e, de = node[3:7], rate[3:7]
            omega = 2.0 * (e[0] * de[1:] - de[0] * e[1:] + np.cross(e[1:], de[1:]))
            nu += [*(rate[:3] + v0), *omega, rate[7]]
        at += len(arm.states)
    whole = satellite.state_of(np.array(q), np.array(nu))
    linear, angular = linear_momentum(satellite, whole[None])[0], angular_momentum(satellite, whole[None])[0]
    np.testing.assert_allclose(linear, 0.0, atol=1e-12)  # 60 kg, and parts of 5 N s
    spin = angular - np.cross(mass_centre(satellite, whole[None])[0], linear)
    np.testing.assert_allclose(turn.T @ spin, x[:3], rtol=0, atol=1e-13)
    momenta, at, k = whole[satellite.positions :], own.start, 6
    for arm in arms():
        n = arm.elements
        np.testing.assert_allclose(x[at + 1 + 8 * n : at + len(arm.states)], momenta[k : k + 1 + 7 * n], atol=1e-13)
        at, k = at + len(arm.states), k + 1 + 7 * n


def test_a_craft_that_turns_as_one():
    craft, satellite = plant.Spacecraft(FREE, elements=arms()), FlexibleSatellite(FREE, arms=arms())
    rate = np.array((0.3, -0.2, 0.4))
    x = craft.state(attitude=ATTITUDE, rate=rate)
    np.testing.assert_allclose(craft.rate(x), rate, rtol=0, atol=1e-13)
    inertia = appendage_modes(satellite).inertia
    np.testing.assert_allclose(craft.locked_inertia(x), inertia, rtol=0, atol=1e-12 * np.abs(inertia).max())
    np.testing.assert_allclose(x[:3], inertia @ rate, rtol=0, atol=1e-12)
    assert craft.energy(x) == pytest.approx(0.5 * rate @ inertia @ rate, rel=1e-12)
    same = craft.state(attitude=ATTITUDE, momentum=x[:3])
    np.testing.assert_allclose(same, x, rtol=0, atol=1e-12)


def test_weight_about_a_pivot():
    """Torque and energy of straight arms are those of their mass at its centre."""
    craft = plant.Spacecraft(HELD, elements=arms(), potentials=[GRAVITY])
    free = plant.Spacecraft(HELD, elements=arms())
    x = craft.at_rest(ATTITUDE)
    rods = [(arm.mass - arm.tip_mass, 0.5 * arm.length, arm) for arm in arms()]
    tips = [(arm.tip_mass, arm.length, arm) for arm in arms()]
    places = [(m, np.asarray(arm.root) + s * np.asarray(arm.direction)) for m, s, arm in (*rods, *tips)]
    moment = sum(m * (r - (0.1, -0.2, 0.3)) for m, r in (*places, (60.0, np.zeros(3))))
    turn = plant.attitude.rotation_matrix(ATTITUDE)
    g = np.array((0.0, 1.0, -9.81))
    torque = (rates(craft, x)[0] - rates(free, x)[0])[:3]
    np.testing.assert_allclose(torque, np.cross(moment, turn.T @ g), rtol=0, atol=1e-11)  # 500 N m
    assert craft.energy(x) - free.energy(x) == pytest.approx(-g @ turn @ moment, rel=1e-13)


def test_linear_model_at_rest_has_every_mode_of_the_mesh():
    craft = plant.Spacecraft(FREE, elements=arms(damping_time=0.0)[:2])
    modes = FlexibleSatellite(FREE, arms=arms(damping_time=0.0)[:2]).modes()
    model = craft.linearize(craft.at_rest(ATTITUDE))
    found = np.sort(np.linalg.eigvals(model.A).imag)[-modes.frequencies.size :]
    # eigenvalues of 80 states with entries up to 1e8
    np.testing.assert_allclose(found, np.sort(modes.frequencies), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(model.B[3:6], np.eye(3), atol=1e-14)
    assert model.states[6] == "arm_1_strain_0"
    assert "arm_2_node_3_attitude_error_z" in model.states


def test_names_tell_arms_apart():
    alone, two = (plant.Spacecraft(FREE, elements=arms()[:n]).layout for n in (1, 2))
    assert alone.own_names[:2] == ("arm_strain_0", "arm_node_1_x")
    assert two.own_names[0] == "arm_1_strain_0"
    assert len(set(two.names)) == two.size == len(two.units) == 7 + 2 + 15 * 2 + 2 + 15 * 3


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: plant.Spacecraft(plant.RigidBody(INERTIA), elements=arms()), "mass of the hub"),
        (lambda: plant.spin_equilibria(plant.Spacecraft(FREE, elements=arms()), rate=1.0), "flexible arms"),
    ],
)
def test_what_does_not_go_is_said(build, words):
    with pytest.raises(InputError, match=words):
        build()


def test_gravity_gradient_on_straight_arms_is_that_on_a_rigid_craft():
    section = BeamSection(
        area=1e-3,
        second_moment_m=1e-14,  # without a width, for the field takes the arm as a line
        second_moment_n=1e-14,
        elastic_modulus=7e8,
        shear_modulus=3e8,
        density=2700.0,
    )
    arm = Arm(section=section, length=2.0, elements=3, direction=(1, 0.2, 0.1), root=(0.4, 0, 0.1), tip_mass=0.5)
    orbit = plant.GravityGradient(mu=4e14, position=(7e6, 0, 3e5), velocity=(0, 7.5e3, 0))
    craft = plant.Spacecraft(FREE, elements=[arm], potentials=[orbit])
    x = craft.at_rest(ATTITUDE)
    whole = plant.Spacecraft(plant.RigidBody(craft.locked_inertia(x), mass=craft.mass), potentials=[orbit])
    expected = whole.derivative(0.0, whole.at_rest(ATTITUDE))
    np.testing.assert_allclose(craft.derivative(0.0, x)[:3], expected[:3], rtol=1e-9)
    assert craft.energy(x) == pytest.approx(whole.energy(whole.at_rest(ATTITUDE)), rel=1e-9)
