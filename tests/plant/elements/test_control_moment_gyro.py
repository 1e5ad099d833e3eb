"""Control moment gyros against a published rigid-body code, closed forms and an independent integration."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import controllers, plant, sim
from polhode.plant import ControlMomentGyro, InputError, RigidBody, Spacecraft, TorquePulse, gyro_array, pyramid_axes
from polhode.plant.attitude import rotation_matrix
from polhode.plant.environment.constants import MU
from polhode.plant.environment.fields_along_orbit import FieldsAlongOrbit
from polhode.plant.environment.loads import EnvironmentLoads

RPM = 2.0 * np.pi / 60.0
GYRO = {"axis": (0, 0, 1), "spin_axis": (1, 0, 0), "momentum": 2.0, "rotor_inertia": 0.02, "gimbal_inertia": 0.03}
HEAVY = RigidBody((1e9, 1e9, 1e9))


def vscmg_craft():
    """Basilisk's test of balanced variable-speed gyros, dynamics/VSCMGs/_UnitTest: the point masses are the hub's."""
    spin = 100.0 / (6000.0 * RPM)
    a = np.radians(54.75)
    units = [
        ((1, 0, 0), (0, 0, 1), 2000.0, 0.06, (0.1, 0.002, -0.02)),
        ((0, 1, 0), (np.cos(a), 0, np.sin(a)), 350.0, 0.011, (0, -0.05, 0)),
        ((0, -1, 0), (-np.cos(a), 0, np.sin(a)), -900.0, -0.003, (-0.1, 0.05, 0.05)),
    ]
    masses, places = [750.0, 12.0, 12.0, 12.0], np.array([(-0.0002, 0.0001, 0.1), *(unit[4] for unit in units)])
    centre = np.average(places, axis=0, weights=masses)
    inertia = np.diag((900.0, 800.0, 600.0))
    for mass, d in zip(masses, places - centre, strict=True):
        inertia = inertia + mass * (d @ d * np.eye(3) - np.outer(d, d))
    gyros = [
        ControlMomentGyro(
            axis=g, spin_axis=s, momentum=spin * speed * RPM, rotor_inertia=spin, gimbal_inertia=0.3 + spin / 2,
            spin_inertia=0.1, transverse_inertia=0.2 + spin / 2, rate=rate,
        )
        for s, g, speed, rate, _ in units
    ]  # fmt: skip
    return Spacecraft(RigidBody(inertia), elements=gyros)


def test_gyros_move_as_published_variable_speed_gyros():
    """MRP after 1 s are printed by Basilisk; rates and angles come from a Kane code of seven bodies."""
    craft = vscmg_craft()
    run = sim.simulate(
        craft, state=craft.state(rate=(0.08, 0.01, 0.0)), duration=1.0, output_times=(0.0, 0.5, 1.0), rtol=1e-13
    )
    e = run.values("attitude")
    sigma = e[:, 1:] / (1.0 + e[:, :1])
    printed = (0.0185829763256, 0.00212563436704, -0.00118728497031)
    np.testing.assert_allclose(sigma[2], printed, rtol=0, atol=2e-13)
    np.testing.assert_allclose(sigma[1], (0.009789711288247, 0.001049275723971, -0.000189744631605), atol=1e-13)
    np.testing.assert_allclose(run.values("rate")[2], (0.065758844657306, 0.013359185788187, -0.011217843604361))
    angles, rates = run.values("internal")[2], run.values("internal_rate")[2]
    np.testing.assert_allclose(angles[::2], (0.212977360510245, -0.468189099724474, -1.133400282789427), rtol=1e-11)
    np.testing.assert_allclose(rates[::2], (0.1451882701, -0.9044901592, -1.8992265368), rtol=1e-9)
    np.testing.assert_allclose(rates[1::2], (209.4524134118, 36.6228371669, -94.2093398801), rtol=1e-12)


def test_gyros_conserve_momentum_and_balance_energy_while_their_limits_act():
    gyros = gyro_array(
        *pyramid_axes(0.9), momentum=5.0, rotor_inertia=0.02, gimbal_inertia=0.03, time_constant=0.05, rate_limit=0.8,
        torque_limit=1.5, angles=(0.1, -0.4, 0.7, 1.2),
    )  # fmt: skip
    craft = Spacecraft(RigidBody((30.0, 22.0, 15.0)), elements=gyros)
    names = [name for name in craft.layout.coordinates if "gimbal" in name]
    pulses = [
        TorquePulse(rate, start=start, stop=start + 3.0, coordinate=name)
        for rate, start, name in zip((1.0, -0.7, 0.5, -2.0), (0.0, 1.0, 2.0, 2.5), names, strict=True)
    ]
    run = sim.simulate(
        craft, state=craft.state(rate=(0.3, -0.2, 0.25)), torques=pulses, duration=8.0, output_step=0.5, rtol=1e-12
    )
    total = run.values("inertial_momentum")
    assert np.abs(total - total[0]).max() < 1e-12 * 20.0  # of the sum of the gyros' momenta
    assert np.abs(run.values("energy_balance")).max() < 1e-9
    assert np.ptp(run.values("energy")) > 0.1  # the gimbal motors work
    assert np.abs(run.values("gimbal_torque")).max() == pytest.approx(1.5, abs=1e-12)
    assert any("gimbal rate limit of 0.8 rad/s" in each for each in run.warnings)
    assert any("limit of its gimbal torque of 1.5 N m" in each for each in run.warnings)


def test_gimbal_follows_commanded_rate_as_a_first_order_lag():
    gyro = ControlMomentGyro(**GYRO, time_constant=0.2, rate_limit=0.5)
    craft = Spacecraft(HEAVY, elements=[gyro])
    pulse = TorquePulse(0.8, start=0.0, stop=10.0, coordinate="cmg_gimbal_angle")
    run = sim.simulate(craft, state=craft.at_rest(), torques=[pulse], duration=2.0, output_step=0.1)
    rate, t = 0.5 * (1.0 - np.exp(-run.t / 0.2)), run.t
    np.testing.assert_allclose(run.values("internal_rate")[:, 0], rate, atol=1e-9)
    angle = 0.5 * (t - 0.2 * (1.0 - np.exp(-t / 0.2)))
    np.testing.assert_allclose(run.values("internal")[:, 0], angle, atol=1e-9)
    side = np.column_stack((-np.sin(angle), np.cos(angle), 0.0 * t))
    np.testing.assert_allclose(run.values("output_torque")[:, 0], -2.0 * rate[:, None] * side, atol=1e-9)
    np.testing.assert_allclose(run.values("hub_torque"), run.values("output_torque")[:, 0], rtol=0, atol=0)
    assert run.values("gimbal_rate_command").ravel() == pytest.approx(0.8)


def test_gimbal_yields_to_gyroscopic_torque_beyond_its_torque_limit():
    """On a heavy hub that rotates at w about y, Ig d'' = h w cos d - limit until the gimbal stops."""
    gyro = ControlMomentGyro(**GYRO, time_constant=0.05, torque_limit=0.3)
    craft = Spacecraft(HEAVY, elements=[gyro])
    run = sim.simulate(craft, state=craft.state(rate=(0.0, 0.2, 0.0)), duration=0.5, output_step=0.05, rtol=1e-12)
    found = solve_ivp(
        lambda _, s: (s[1], (2.0 * 0.2 * np.cos(s[0]) - 0.3) / 0.03), (0.0, 0.5), (0.0, 0.0), t_eval=run.t, rtol=1e-12,
        atol=1e-13,
    )  # fmt: skip
    assert found.y[0, -1] > 0.3
    # the momentum of the rotor includes Iw a . omega, which changes by 4e-3 N m s; the hub slows by 4e-10 rad/s
    np.testing.assert_allclose(run.values("internal")[:, 0], found.y[0], rtol=5e-3, atol=1e-9)


def test_gyro_with_ample_torque_holds_its_gimbal_on_a_rotating_hub():
    gyro = ControlMomentGyro(**GYRO, time_constant=0.05, torque_limit=0.5)
    craft = Spacecraft(HEAVY, elements=[gyro])
    run = sim.simulate(craft, state=craft.state(rate=(0.0, 0.2, 0.0)), duration=0.5, output_step=0.05)
    assert np.abs(run.values("internal")[:, 0]).max() < 1e-8
    np.testing.assert_allclose(run.values("gimbal_torque").ravel(), -0.4, rtol=1e-7)  # h w


def test_gravity_gradient_of_the_environment_works_on_free_gimbals():
    """In a field of fixed direction the energy and V = -mu/(2 r^3) (tr J - 3 b.J b) are constant together."""
    radius, b = 1e5, np.array((0.48, 0.6, 0.64))
    row = np.concatenate([radius * b, (0.0, 1e11, 0.0), np.zeros(7)])
    fields = FieldsAlongOrbit(orbit=None, duration=10.0, coefficients=np.tile(row, (10, 1)), contacts=())  # pyright: ignore[reportArgumentType] # no orbit is needed here
    gyro = ControlMomentGyro(**GYRO, transverse_inertia=0.4, spin_inertia=0.38, angle=0.6)
    craft = Spacecraft(
        RigidBody((3.0, 2.0, 1.5)), elements=[gyro], potentials=[EnvironmentLoads(fields=fields, gravity_gradient=True)]
    )
    run = sim.simulate(
        craft, state=craft.state(rate=(0.3, -0.2, 0.4)), duration=5.0, output_step=0.25, rtol=1e-12, ledger=True
    )
    value = []
    for e, angle in zip(run.values("attitude"), run.values("internal")[:, 0], strict=True):
        a, t = np.array((np.cos(angle), np.sin(angle), 0.0)), np.array((-np.sin(angle), np.cos(angle), 0.0))
        J = np.diag((3.0, 2.0, 1.53)) + 0.4 * np.outer(a, a) + 0.4 * np.outer(t, t)
        up = rotation_matrix(e).T @ b
        value.append(-0.5 * MU / radius**3 * (np.trace(J) - 3.0 * up @ J @ up))
    assert np.ptp(value) > 0.1
    np.testing.assert_allclose(run.values("energy") + value, run.values("energy")[0] + value[0], rtol=0, atol=1e-9)
    work = run.states[:, -4] - run.states[0, -4]
    np.testing.assert_allclose(work, run.values("energy") - run.values("energy")[0], rtol=0, atol=1e-9)


def test_pyramid_has_momentum_of_wie_bailey_heiberg():
    skew, angles = 0.7, np.array((0.3, -1.1, 2.0, 0.4))
    gimbals, spins = (np.array(each) for each in pyramid_axes(skew))
    s, c, b, d = np.sin(angles), np.cos(angles), np.sin(skew), np.cos(skew)
    total = sum(np.cos(x) * a + np.sin(x) * np.cross(g, a) for x, g, a in zip(angles, gimbals, spins, strict=True))
    expected = (
        -d * s[0] - c[1] + d * s[2] + c[3], c[0] - d * s[1] - c[2] + d * s[3], b * s.sum(),
    )  # fmt: skip
    np.testing.assert_allclose(total, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"spin_axis": (1, 0, 1)}, "right angles to its gimbal axis; their cosine is 0.707"),
        ({"momentum": 0.0}, "momentum of control moment gyro must not be 0"),
        ({"rate_limit": 1.0}, "rate_limit of control moment gyro applies to the rate loop of the gimbal"),
        ({"torque_limit": 1.0}, "torque_limit of control moment gyro applies to the rate loop"),
        ({"rotor_inertia": 0.0}, r"rotor inertia of control moment gyro must be greater than 0 \(kg m\^2\); got 0"),
        ({"time_constant": -1.0}, "time constant of control moment gyro must be greater than 0"),
    ],
)
def test_invalid_gyro_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        ControlMomentGyro(**{**GYRO, **change})


def test_gyro_heavier_than_its_hub_is_refused():
    with pytest.raises(InputError, match=r"more inertia than the hub about the spin axis: 0.02 > 0.01 kg m\^2"):
        Spacecraft(RigidBody((0.01, 0.02, 0.02)), elements=[ControlMomentGyro(**GYRO)])


def test_array_with_wrong_counts_is_refused():
    axes = pyramid_axes(0.9)
    given = {"momentum": 1.0, "rotor_inertia": 0.1, "gimbal_inertia": 0.1, "time_constant": 0.1}
    with pytest.raises(InputError, match="4 gimbal axes need 4 angles; got 2"):
        gyro_array(*axes, **given, angles=(0.0, 1.0))
    with pytest.raises(InputError, match="4 gimbal axes need 4 spin axes; got 1"):
        gyro_array(axes[0], axes[1][:1], **given)
    with pytest.raises(InputError, match=r"between 0 and 1\.5708 rad"):
        pyramid_axes(2.0)


def test_steady_spins_with_a_rate_loop_are_refused():
    craft = Spacecraft(RigidBody((3.0, 2.0, 1.0)), elements=[ControlMomentGyro(**GYRO, time_constant=0.1)])
    with pytest.raises(InputError, match="rate loop of a control moment gyro holds its gimbal"):
        plant.spin_equilibria(craft, rate=0.5)


def test_hub_torque_includes_torques_on_rotor_and_free_gimbal():
    """The impulse on a heavy hub at rest is minus the change of the momentum of the gyro, p a and Ig d' g."""
    gyro = ControlMomentGyro(**GYRO, rate=0.3)
    craft = Spacecraft(HEAVY, elements=[gyro])
    pulses = [
        TorquePulse(0.7, start=0.0, stop=4.0, coordinate="cmg_rotor_angle"),
        TorquePulse(0.01, start=0.0, stop=4.0, coordinate="cmg_gimbal_angle"),
    ]
    run = sim.simulate(craft, torques=pulses, duration=2.0, output_step=0.001, rtol=1e-12)
    torque = run.values("hub_torque")
    impulse = np.sum(0.5 * (torque[1:] + torque[:-1]) * np.diff(run.t)[:, None], axis=0)
    rate = 0.3 + 0.01 / 0.03 * 2.0
    angle = 0.3 * 2.0 + 0.5 * 0.01 / 0.03 * 4.0
    before = np.array((2.0, 0.0, 0.03 * 0.3))
    after = np.array((3.4 * np.cos(angle), 3.4 * np.sin(angle), 0.03 * rate))
    np.testing.assert_allclose(impulse, before - after, atol=1e-6)
    np.testing.assert_allclose(run.values("rate")[-1] * 1e9, impulse, atol=1e-6)  # the hub itself, at rest before


def test_looped_gyro_with_rotor_torque_balances_the_hub():
    gyro = ControlMomentGyro(**GYRO, time_constant=0.02)
    craft = Spacecraft(HEAVY, elements=[gyro])
    pulses = [
        TorquePulse(-0.5, start=0.0, stop=4.0, coordinate="cmg_rotor_angle"),
        TorquePulse(0.4, start=0.0, stop=4.0, coordinate="cmg_gimbal_angle"),
    ]
    run = sim.simulate(craft, torques=pulses, duration=2.0, output_step=0.001, rtol=1e-12)
    torque = run.values("hub_torque")
    impulse = np.sum(0.5 * (torque[1:] + torque[:-1]) * np.diff(run.t)[:, None], axis=0)
    np.testing.assert_allclose(run.values("rate")[-1, :2] * 1e9, impulse[:2], atol=1e-5)
    assert np.linalg.norm(impulse[:2]) > 1.0


@pytest.mark.parametrize(
    ("inertias", "message"),
    [
        ({"rotor_inertia": 0.1, "gimbal_inertia": 0.03}, r"gimbal_inertia .* half the rotor_inertia, 0\.05 kg m.2"),
        ({"transverse_inertia": 0.005}, r"transverse_inertia .* half the rotor_inertia, 0\.01 kg m.2"),
        ({"transverse_inertia": 0.4, "spin_inertia": 0.1}, r"spin_inertia .* must be 0\.37 to 0\.41 kg m.2"),
        ({"transverse_inertia": 0.03, "spin_inertia": 0.05}, r"spin_inertia .* must be 0 to 0\.04 kg m.2"),
    ],
)
def test_impossible_inertias_are_refused(inertias, message):
    with pytest.raises(InputError, match=message):
        ControlMomentGyro(**{**GYRO, **inertias})


def test_thin_ring_and_disc_are_possible():
    """A thin disc has half its axial inertia about a diameter; a gimbal is three perpendicular discs."""
    ControlMomentGyro(**{**GYRO, "rotor_inertia": 0.06, "gimbal_inertia": 0.03})
    rng = np.random.default_rng(3)
    for _ in range(20):  # points of the gimbal, moments about their axes, and a disc
        masses, places = rng.uniform(0.1, 1.0, 6), rng.normal(size=(6, 3))
        about = [float(masses @ (places**2).sum(axis=1) - masses @ places[:, k] ** 2) for k in range(3)]
        ControlMomentGyro(
            axis=(0, 0, 1), spin_axis=(1, 0, 0), momentum=1.0, rotor_inertia=0.2, spin_inertia=about[0],
            transverse_inertia=about[1] + 0.1, gimbal_inertia=about[2] + 0.1,
        )  # fmt: skip


@pytest.mark.parametrize("integrator", ["gauss4", "midpoint"])
def test_free_gimbal_that_steps_do_not_resolve_is_reported(integrator):
    """Gimbal and hub swing at h sqrt(1/(Ig J)), J across without Ig; a longer step gives a warning."""
    craft = Spacecraft(RigidBody((3.0, 2.0, 1.5)), elements=[ControlMomentGyro(**GYRO)])
    state = craft.state(rate=(0.03, -0.02, 0.04))
    rate = 2.0 / np.sqrt(0.03 * 1.5 / 1.53 * 2.0)
    exact = sim.simulate(craft, state=state, duration=10.0, rtol=1e-12)
    run = sim.simulate(craft, state=state, duration=10.0, integrator=integrator, step=0.2)
    assert np.abs(run.values("internal")[-1, 0] - exact.values("internal")[-1, 0]) > 1e-3
    (words,) = [each for each in run.warnings if "do not resolve" in each]
    assert float(words.split("period of ")[1].split(" s:")[0]) == pytest.approx(2.0 * np.pi / rate, rel=0.02)
    assert not any("do not resolve" in each for each in exact.warnings)


def test_law_without_gyro_steering_is_reported():
    gyros = gyro_array(*pyramid_axes(0.9), momentum=5.0, rotor_inertia=0.02, gimbal_inertia=0.03, time_constant=0.05)
    law = controllers.QuaternionFeedback(
        inertia=(30.0, 22.0, 15.0), stiffness=1.0, damping=np.diag((8.0, 8.0, 8.0)), sample=0.1
    )
    start = (0.99, 0.141067359796659, 0.0, 0.0)
    for torques, reported in ((None, True), (plant.TorqueBasis("body", internal=False), False)):
        craft = Spacecraft(RigidBody((30.0, 22.0, 15.0)), elements=gyros, torques=torques)
        run = sim.simulate(craft, law, attitude=start, duration=2.0)
        assert any("gyro_steering" in each and "cmg 1, cmg 2" in each for each in run.warnings) == reported
    craft = Spacecraft(RigidBody((30.0, 22.0, 15.0)), elements=gyros)
    steered = sim.simulate(
        craft, law, attitude=start, duration=2.0, blocks=[controllers.blocks.gyro_steering(craft, sample=0.1)]
    )
    assert not any("received no rate" in each for each in steered.warnings)
