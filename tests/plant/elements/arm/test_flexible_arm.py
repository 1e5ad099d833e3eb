"""Flexible arm as an element: mechanics with other elements and on any hub."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant import InputError
from polhode.plant.flexible import Arm, BeamSection, appendage_modes, modes_of
from polhode.plant.hub.dynamics import derivative, energy
from polhode.plant.linear.vibration.rigid_twin import rigid_twin

from ....crafts import ATTITUDE, CRAFTS, FREE, GRAVITY, HELD, INERTIA, arms, somewhere

TINY = 1e-30


def rates(craft, x, u=(0.1, 0.2, 0.3)):
    full, w = np.concatenate([x, np.zeros(4)]), craft.work_space()
    dx = np.zeros_like(full)
    derivative(0.0, full, np.array(u), craft.pack(ledger=True), dx, craft.user_loads(), w)
    return dx, w


@pytest.mark.thinned(4)
@pytest.mark.parametrize("name", CRAFTS)
def test_flexible_arm_power_balance(name):
    """dH/dt along the motion is the power of torques, forces, friction and arm damping."""
    craft = CRAFTS[name]()
    for seed in range(3):
        x = somewhere(craft, seed=seed)
        dx, _ = rates(craft, x)
        z = np.concatenate([x, np.zeros(4)]) + 1j * TINY * dx
        p, u = craft.pack(ledger=True), np.array((0.1, 0.2, 0.3), dtype=complex)
        computed = energy(0.0, z, u, p, craft.work_space(dtype=complex)).imag / TINY
        # terms of a kilowatt nearly cancel; tolerance 5e-13 of that
        assert computed == pytest.approx(dx[-4], rel=0, abs=5e-13 * max(1e3, abs(computed)))


def test_flexible_arm_rigid_rotation_matches_rigid_inertia():
    craft = plant.Spacecraft(FREE, elements=arms())
    rate = np.array((0.3, -0.2, 0.4))
    x = craft.state(attitude=ATTITUDE, rate=rate)
    np.testing.assert_allclose(craft.rate(x), rate, rtol=0, atol=1e-13)
    inertia = appendage_modes(craft).inertia
    np.testing.assert_allclose(craft.locked_inertia(x), inertia, rtol=0, atol=1e-12 * np.abs(inertia).max())
    np.testing.assert_allclose(x[:3], inertia @ rate, rtol=0, atol=1e-12)
    assert craft.energy(x) == pytest.approx(0.5 * rate @ inertia @ rate, rel=1e-12)
    same = craft.state(attitude=ATTITUDE, momentum=x[:3])
    np.testing.assert_allclose(same, x, rtol=0, atol=1e-12)


def test_flexible_arm_weight_about_a_pivot():
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


def test_flexible_arm_linear_model_has_all_mesh_modes():
    craft = plant.Spacecraft(FREE, elements=arms(damping_time=0.0)[:2])
    modes = modes_of(craft)
    model = craft.linearize(craft.at_rest(ATTITUDE))
    computed = np.sort(np.linalg.eigvals(model.A).imag)[-modes.frequencies.size :]
    # eigenvalues of 80 states with entries up to 1e8
    np.testing.assert_allclose(computed, np.sort(modes.frequencies), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(model.B[3:6], np.eye(3), atol=1e-14)
    assert model.states[6] == "arm_1_strain_0"
    assert "arm_2_node_3_attitude_error_z" in model.states


def test_flexible_arm_state_names_are_numbered():
    alone, two = (plant.Spacecraft(FREE, elements=arms()[:n]).layout for n in (1, 2))
    assert alone.own_names[:2] == ("arm_strain_0", "arm_node_1_x")
    assert two.own_names[0] == "arm_1_strain_0"
    assert len(set(two.names)) == two.size == len(two.units) == 7 + 2 + 15 * 2 + 2 + 15 * 3


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: plant.Spacecraft(plant.RigidBody(INERTIA), elements=arms()), "mass of the hub"),
        (
            lambda: plant.spin_equilibria(plant.Spacecraft(FREE, elements=arms()), rate=1.0),
            "steady_spin finds one",
        ),
    ],
)
def test_flexible_arm_unsupported_analysis_is_rejected(build, words):
    with pytest.raises(InputError, match=words):
        build()


MU = 3.986e14
RADIUS = 7e6
ORBIT_RATE = np.sqrt(MU / RADIUS**3)


def winged(**orbit):
    """Two wide, stiff wings, whose width dominates the gradient torque about their length."""
    section = BeamSection(
        area=0.06, second_moment_m=4.5e-6, second_moment_n=0.02, youngs_modulus=1e11, shear_modulus=4e10, density=25.0
    )
    wings = [
        Arm(section=section, length=8.0, elements=1, direction=(0, side, 0), root=(0, 0.5 * side, 0),
            section_axis=(1, 0, 0), tip_mass=0.5)
        for side in (1, -1)
    ]  # fmt: skip
    return plant.Spacecraft(
        plant.RigidBody((12, 10, 12), mass=100.0),
        elements=wings,
        potentials=[plant.GravityGradient(mu=MU, **orbit)],
        translation=not orbit,
    )


def test_gravity_gradient_torque_on_wide_wings():
    craft = winged(position=(0, 0, RADIUS), velocity=(ORBIT_RATE * RADIUS, 0, 0))
    half = np.radians(30.0) / 2
    dx = craft.derivative(0.0, craft.at_rest((np.cos(half), 0, np.sin(half), 0)))
    wings = 25.0 * 8.0 * 2 * (0.02 - 4.5e-6)  # Jz - Jx: rho A L (width^2 - thickness^2) / 12, times two
    np.testing.assert_allclose(
        dx[:3], (0, 1.5 * ORBIT_RATE**2 * wings * np.sin(np.radians(60.0)), 0), rtol=1e-9, atol=1e-17
    )


@pytest.mark.parametrize("translation", [False, True])
def test_gravity_gradient_on_straight_arms_matches_rigid_craft(translation):
    place = {"position": (RADIUS, 0, 3e5), "velocity": (0, 7.5e3, 0)}
    craft = winged(**({} if translation else place))
    rigid = rigid_twin(craft)
    start = {"attitude": ATTITUDE, **(place if translation else {})}
    x, twin = craft.state(**start), rigid.state(**start)
    np.testing.assert_allclose(craft.derivative(0.0, x)[:3], rigid.derivative(0.0, twin)[:3], rtol=1e-9)
    assert craft.energy(x) == pytest.approx(rigid.energy(twin), rel=1e-9)


def test_gravity_gradient_libration_of_wide_wings_matches_rigid_craft():
    orbit = {"position": (RADIUS, 0, 0), "velocity": (0, ORBIT_RATE * RADIUS, 0)}
    craft = winged(**orbit)
    slow = [
        np.sort_complex(each.linearize(each.spinning((0, 0, ORBIT_RATE)), allow_nonequilibrium=True).eigenvalues())
        for each in (craft, rigid_twin(craft))
    ]
    for expected in slow[1]:
        assert np.abs(slow[0] - expected).min() < 1e-5 * ORBIT_RATE  # the wings deform by 1e-6
