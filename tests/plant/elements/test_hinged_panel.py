"""Hinged panels against independent codes and closed forms: springs, forces, a drive, deployment and latch.

The hub has 750 kg and diag(900, 800, 600) kg m^2. In tests named "two codes", a Kane code of rigid bodies and Basilisk
2.12.1 agree on the numbers to 1e-11; the geometry is that of Basilisk's tests.
"""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant.attitude import rotation_matrix, to_mrp, to_rotation_vector
from polhode.plant.errors import EquilibriumError, InputError

HUB = plant.RigidBody((900.0, 800.0, 600.0), mass=750.0)
EXACT = {"integrator": "dop853", "rtol": 1e-13}
FIRST = {"hinge": (0.5, 1, 0), "axis": (0, 0, 1), "mass": 100.0, "centre": (1.5, 0, 0), "inertia": (100, 50, 50)}
SECOND = {**FIRST, "hinge": (-0.5, 1, 0), "axis": (0, 0, -1), "centre": (-1.5, 0, 0)}


def panel(**more):
    return plant.HingedPanel(**{**FIRST, **more})


def at(run, times):
    return [int(np.flatnonzero(run.t == each)[-1]) for each in times]


def test_released_panel_moves_as_in_two_codes():
    pair = [panel(stiffness=100.0, angle=np.radians(5.0)), plant.HingedPanel(**SECOND, stiffness=100.0)]
    craft = plant.Spacecraft(HUB, elements=pair)
    run = sim.simulate(craft, rate=(0.1, -0.1, 0.1), duration=10.0, output_times=[1.0, 10.0], **EXACT)
    rows = at(run, (1.0, 10.0))
    mrp = [to_mrp(e) for e in run.values("attitude")[rows]]
    printed = (
        (0.02495088072003, -0.02481485351791, 0.02651040996358),
        (0.25288410373665, -0.24519282826785, 0.31141395103146),
    )
    np.testing.assert_allclose(mrp, printed, atol=1e-12)
    angles = (0.07175649527698, 0.00651648263198), (0.03126220511159, 0.06095447013648)
    np.testing.assert_allclose(run.values("internal")[rows], angles, atol=1e-12)
    np.testing.assert_allclose(
        run.values("rate")[rows[0]], (0.09969037312789, -0.09838131200492, 0.11135605041485), atol=1e-12
    )
    assert np.abs(run.values("energy_balance")).max() < 1e-12


def test_forced_hub_moves_panels_as_in_two_codes():
    """Forces at points of the hub in body axes, 0 to 5 s and 11 to 18 s; position of the hub from its start."""

    def push(t, e, omega, c, v):
        f, x = ((0.2, 0.7, 0.0), 0.05) if t < 5.0 else ((0.0, 1.0 if 11.0 <= t < 18.0 else 0.0, 0.0), -0.03)
        return (0.0, 0.0, x * f[1], *(rotation_matrix(e) @ np.array(f)))

    craft = plant.Spacecraft(
        HUB, elements=[plant.HingedPanel(**each, stiffness=5000.0, damping=75.0) for each in (FIRST, SECOND)],
        user_forces=[plant.UserForce(push, breakpoints=(5.0, 11.0, 18.0))], translation=True,
    )  # fmt: skip
    times = [0.0, 2.5, 7.5, 12.5, 17.5]
    run = sim.simulate(craft, duration=18.0, output_times=times, **EXACT)
    rows = at(run, times)[1:]
    hub = run.values("hub_position")
    moved = hub[rows] - hub[0]
    printed = np.array((
        (6.8885958768e-4, 2.30672601735e-3), (5.50511795283e-3, 1.842661689715e-2),
        (1.100259286742e-2, 3.803131412818e-2), (1.637954420801e-2, 7.751119614299e-2),
    ))  # fmt: skip
    np.testing.assert_allclose(moved[:, :2], printed, atol=1e-12)
    turned = [to_rotation_vector(e)[2] for e in run.values("attitude")[rows]]
    np.testing.assert_allclose(
        turned, (1.473654144845e-4, 1.162173402376e-3, 2.304011336132e-3, 3.105145321906e-3), atol=1e-13
    )
    angles = (
        (-1.77124121e-5, -8.09804608e-6), (-1.35243497e-5, -1.592810702e-5), (-6.02248761e-6, -1.072249459e-5),
        (-2.199286491e-5, -2.501536370e-5),
    )  # fmt: skip
    np.testing.assert_allclose(run.values("internal")[rows], angles, atol=1e-13)


def test_skew_body_spins_on_its_hinge_as_in_two_codes():
    axes = np.array(((0.0, -1.0, 0.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0)))  # of the body, in those of the hub
    body = plant.HingedPanel(
        hinge=(0.5, -1.5, -1.5), axis=(0, 0, 1), mass=50.0, centre=axes.T @ (1.0, 0.0, -1.0),
        inertia=axes.T @ np.diag((50.0, 30.0, 40.0)) @ axes, stiffness=100.0, angle=np.radians(5.0),
        rate=np.radians(-1.0),
    )  # fmt: skip
    run = sim.simulate(
        plant.Spacecraft(HUB, elements=[body]), rate=(0.1, -0.1, 0.1), duration=25.0, output_times=[1.0, 10.0, 25.0],
        **EXACT,
    )  # fmt: skip
    rows = at(run, (1.0, 10.0, 25.0))
    printed = (
        (0.02456510914273, -0.02589931229072, 0.02609872210048), (0.27828595651898, -0.29792308080415, 0.217711974801),
        (-0.47201115076048, 0.26106220540231, -0.15739444481512),
    )  # fmt: skip
    np.testing.assert_allclose([to_mrp(e) for e in run.values("attitude")[rows]], printed, atol=1e-12)
    np.testing.assert_allclose(run.values("internal")[rows[::2], 0], (0.0389291819189, -0.0300132165020), atol=1e-11)
    np.testing.assert_allclose(
        run.values("internal_rate")[rows[::2], 0], (-0.0692702804891, -0.0541026759264), atol=1e-11
    )


def test_deployed_panel_reaches_its_latch_as_in_another_code():
    end = 12.6878183227
    run = sim.simulate(plant.Spacecraft(HUB, elements=[panel(stiffness=2.0, angle=np.pi / 2)]), duration=end, **EXACT)
    assert run.values("internal")[-1, 0] == pytest.approx(0.0, abs=1e-10)
    assert run.values("internal_rate")[-1, 0] == pytest.approx(-0.176859867003, abs=1e-11)
    assert run.values("rate")[-1, 2] == pytest.approx(0.0510081018041, abs=1e-11)
    assert to_rotation_vector(run.values("attitude")[-1])[2] == pytest.approx(0.485597860466, abs=1e-11)


@pytest.mark.parametrize("scheme", [{"integrator": "dop853", "rtol": 1e-11}, {"integrator": "rk4", "step": 0.002}])
@pytest.mark.parametrize("spin", [0.0, 0.02])
def test_latch_leaves_hub_and_panel_one_rigid_body(scheme, spin):
    """Plastic: the momentum about z stays, and all rotates as one; at rest the hub stops at 0.485597860466 rad."""
    latched = panel(stiffness=2.0, angle=np.pi / 2, latch_angle=0.0, latch_from="above", latch_time=0.03)
    craft = plant.Spacecraft(HUB, elements=[latched])
    run = sim.simulate(craft, rate=(0.0, 0.0, spin), duration=30.0, **scheme)
    momentum = run.values("inertial_momentum")
    np.testing.assert_allclose(momentum[-1], momentum[0], atol=1e-9)
    assert np.abs(run.values("internal")[-1]).max() < 1e-4  # what the spin pulls against the latch
    assert np.abs(run.values("internal_rate")[-1]).max() < 1e-9
    # about the mass centre of both: hub, panel, and the reduced mass at the distance of their centres
    offset = np.array((0.5 + 1.5, 1.0))
    whole = 600.0 + 50.0 + 750.0 * 100.0 / 850.0 * float(offset @ offset)
    assert run.values("rate")[-1, 2] == pytest.approx(momentum[0, 2] / whole, rel=1e-4, abs=1e-9)
    if spin == 0.0:
        assert to_rotation_vector(run.values("attitude")[-1])[2] == pytest.approx(0.485597860466, abs=1e-6)


def test_drive_turns_the_panel_at_its_rate_and_energy_includes_its_work():
    """A balanced panel about the spin axis: the hub turns back by the ratio of the inertias."""
    drive = plant.HingedPanel(
        hinge=(0, 0, 0.5), axis=(0, 0, 1), mass=20.0, centre=(0, 0, 0), inertia=(5.0, 5.0, 8.0), stiffness=400.0,
        damping=80.0, drive_rate=0.01,
    )  # fmt: skip
    run = sim.simulate(plant.Spacecraft(HUB, elements=[drive]), duration=100.0, **EXACT)
    assert run.values("internal_rate")[-1, 0] == pytest.approx(0.01, rel=1e-9)
    assert run.values("internal")[-1, 0] == pytest.approx(1.0, rel=1e-9)  # c and the inertia lag nothing in the end
    assert run.values("rate")[-1, 2] == pytest.approx(-0.01 * 8.0 / 608.0, rel=1e-9)
    assert np.abs(run.values("energy_balance")).max() < 1e-11
    assert np.abs(run.values("momentum_balance")).max() < 1e-12


def test_motor_torque_acts_between_hub_and_panel():
    craft = plant.Spacecraft(HUB, elements=[panel()])
    motor = plant.TorquePulse(0.5, start=1.0, stop=2.0, coordinate="panel_angle")
    run = sim.simulate(craft, torques=[motor], duration=4.0, **EXACT)
    assert run.values("internal_rate")[-1, 0] > 1e-3
    assert np.abs(run.values("inertial_momentum")).max() < 1e-12


def test_sprung_panel_has_the_frequency_of_the_free_pair():
    """Hub and panel about parallel axes through the hinge line, at small angles."""
    one = panel(hinge=(0, 0, 0), centre=(1.5, 0, 0), stiffness=30.0)
    craft = plant.Spacecraft(HUB, elements=[one])
    model = craft.linearize(craft.at_rest())
    reduced = 750.0 * 100.0 / 850.0
    own, both = 50.0 + reduced * 1.5**2, 650.0 + reduced * 1.5**2  # panel, and both, about the mass centre
    frequency = np.sqrt(30.0 / (own - own**2 / both))
    assert np.sort(np.abs(np.linalg.eigvals(model.A).imag))[-1] == pytest.approx(frequency, rel=1e-9)


def test_moving_drive_is_no_equilibrium():
    craft = plant.Spacecraft(HUB, elements=[panel(stiffness=10.0, damping=1.0, drive_rate=0.01)])
    with pytest.raises(EquilibriumError):
        craft.linearize(craft.at_rest())


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"mass": 0.0}, "mass"),
        ({"inertia": (100.0, 20.0, 20.0)}, "inertia"),
        ({"axis": (0, 0, 0)}, "axis"),
        ({"stiffness": -1.0}, "stiffness"),
        ({"drive_rate": 0.1}, "needs stiffness or damping"),
        ({"latch_angle": 0.0, "latch_time": 0.0}, "latch_time|latch time"),
        ({"latch_angle": 0.0, "capture": -1.0}, "capture"),
        ({"latch_angle": 0.5, "angle": 1.0}, r"panel_angle at t = 0 is 1 rad, 0.5 rad beyond .*latch_from = .above"),
        ({"latch_angle": 0.5, "latch_from": "left"}, "left"),
    ],
)
def test_wrong_panels_are_refused(more, message):
    with pytest.raises(InputError, match=message):
        panel(**more)


def test_driven_panel_has_no_steady_spin():
    panel = plant.HingedPanel(
        hinge=(0.5, 0, 0), axis=(0, 1, 0), mass=10.0, centre=(1, 0, 0), inertia=(1.0, 3.0, 4.0),
        stiffness=100.0, damping=5.0, drive_rate=0.01,
    )  # fmt: skip
    craft = plant.Spacecraft(plant.RigidBody((40.0, 50.0, 60.0), mass=100.0), elements=[panel])
    with pytest.raises(plant.InputError, match="HingedPanel with a drive"):
        plant.steady_spin(craft, (0.0, 0.0, 0.1))


def test_latch_side_does_not_depend_on_the_start():
    """The latch keeps its side for every start, also from a run's state and for a moved latch in an FMU."""
    craft = plant.Spacecraft(HUB, elements=[panel(latch_angle=0.0, latch_from="above", angle=0.0005)])
    above = sim.simulate(craft, state=craft.state(internal=[0.5]), duration=1.0)
    assert not above.values("latched").any()
    assert above.values("internal")[-1, 0] == pytest.approx(0.5, abs=1e-12)  # free, at rest
    with pytest.raises(InputError, match=r"panel_angle at t = 0 is -0\.4 rad, 0\.4 rad beyond the latch_angle 0 rad"):
        sim.simulate(craft, state=craft.state(internal=[-0.4]), duration=1.0)


def test_latched_panel_in_overshoot_continues_a_run():
    latched = panel(stiffness=2.0, angle=np.pi / 2, latch_angle=0.0, latch_from="above", latch_time=0.05)
    craft = plant.Spacecraft(HUB, elements=[latched])
    whole = sim.simulate(craft, duration=20.0, output_times=[12.72, 20.0], **EXACT)
    (row,) = at(whole, (12.72,))
    assert whole.values("internal")[row, 0] < -latched.capture
    rest = sim.simulate(craft, state=whole.states[row], duration=20.0 - 12.72, **EXACT)
    np.testing.assert_allclose(rest.states[-1, :9], whole.states[-1, :9], atol=1e-9)


@pytest.mark.parametrize(("share", "released"), [(0.9, False), (1.3, True)])
def test_released_latch_is_reported(share, released):
    """A slow motor torque is held up to J capture / T^2 = 275 kg m^2 x 1e-3 / 0.05^2 s^2 = 110 N m."""
    craft = plant.Spacecraft(HUB, elements=[panel(latch_angle=0.0, latch_from="above")])
    motor = plant.TorquePulse(share * 110.0, start=1.0, stop=2.0, coordinate="panel_angle")
    run = sim.simulate(craft, torques=[motor], duration=3.0, output_times=[0.5, 2.5], output_step=3.0)
    assert (run.values("internal")[-1, 0] > 0.1) == released
    assert any("released by its latch, which holds up to 110 N m" in each for each in run.warnings) == released
    assert np.abs(run.values("energy_balance")).max() < 1e-9 or released


def test_drive_started_away_from_its_angle_is_reported():
    """The angle of a drive restarts at t = 0: with the rest angle of the end, the second half continues the first."""
    whole = plant.Spacecraft(HUB, elements=[panel(stiffness=400.0, damping=200.0, drive_rate=0.01)])
    run = sim.simulate(whole, duration=100.0, output_times=[50.0, 100.0], **EXACT)
    (half,) = at(run, (50.0,))
    assert not run.warnings
    restarted = sim.simulate(whole, state=run.states[half], duration=1.0)
    assert any("spring exerts -200 N m" in each and "rest" in each for each in restarted.warnings)
    later = plant.Spacecraft(HUB, elements=[panel(stiffness=400.0, damping=200.0, drive_rate=0.01, rest=0.5)])
    rest = sim.simulate(later, state=run.states[half], duration=50.0, **EXACT)
    assert not rest.warnings
    np.testing.assert_allclose(rest.states[-1, :9], run.states[-1, :9], atol=1e-9)


def test_history_started_anew_in_its_middle_is_reported():
    """A run continued after a quarter of the history ends as the whole one only if the history moves in time."""

    def craft(delay):
        drive = {"drive_times": np.array((0.0, 40.0)) - delay, "drive_angles": (0.0, 1.0)}
        return plant.Spacecraft(HUB, elements=[panel(stiffness=5000.0, damping=500.0, **drive)])

    whole = sim.simulate(craft(0.0), duration=40.0, output_times=[10.0, 40.0], **EXACT)
    quarter, end = (x[: whole.craft.layout.size] for x in whole.states)
    (words,) = sim.simulate(craft(0.0), state=quarter, duration=30.0).warnings
    assert "rad from the rest angle of its drive at t = 0, 0 rad, so" in words
    assert words.endswith("subtract the time of its end from the drive_times")
    run = sim.simulate(craft(10.0), state=quarter, duration=30.0, **EXACT)
    np.testing.assert_allclose(run.states[-1][: end.size], end, atol=1e-8)
    assert run.warnings == whole.warnings == ()


def test_long_steps_do_not_pass_a_stiff_latch():
    """The latch acts within 1 mrad, which the panel crosses in 1 ms; adaptive steps are as long as 0.1 s before."""
    stiff = panel(stiffness=2.0, angle=np.pi / 2, latch_angle=0.0, latch_from="above", latch_time=1e-3)
    run = sim.simulate(plant.Spacecraft(HUB, elements=[stiff]), duration=20.0)
    assert run.counters["longest_adaptive_step"] > 0.1
    assert abs(run.values("internal")[-1, 0]) < 1e-6
    assert not run.warnings
