"""003's two cases against two independent codes, conservation laws, and how runs are asked for."""

import numpy as np
import pytest
from scipy import integrate

from polhode.plant import InputError, RigidBody, attitude
from polhode.plant.flexible import Arm, BeamSection, FlexibleSatellite, static_shape
from polhode.sim.flexible import raised_cosine_torque, simulate_flexible, stable_step
from polhode.sim.flexible.run import FLEXIBLE_QUANTITIES
from polhode.sim.flexible.torque import HubTorque

PULSE = raised_cosine_torque((0, 7.5, 0), duration=1.0)


def at_time(run, t):
    row = int(np.abs(run.t - t).argmin())
    assert run.t[row] == pytest.approx(t, abs=1e-9)
    return row


def peak(t, values):
    """Place and height of the highest sample's parabola."""
    k = int(values.argmax())
    a, b, c = np.polyfit(t[k - 1 : k + 2] - t[k], values[k - 1 : k + 2], 2)
    return t[k] - b / (2 * a), c - b * b / (4 * a)


def drift(values):
    return np.abs(values - values[0]).max() / np.abs(values[0]).max()


def beam_angle_crossings(run, degrees):
    """When the angle of the arms from the inertial x axis, counted on in one sense, passes a value."""
    R = attitude.rotation_matrix(run.values("attitude"))
    angle = np.degrees(np.unwrap(np.arctan2(-R[:, 2, 0], R[:, 0, 0])))
    k = int(np.flatnonzero(np.abs(angle) >= degrees)[0])
    x, y = run.t[k - 2 : k + 2], np.abs(angle[k - 2 : k + 2])
    return float(np.interp(degrees, y, x))


def test_case_1_free(satellite):
    run = simulate_flexible(satellite(), rate=(0.1, 0.5, 0.1), duration=10.0, step=2.5e-3, output=0.01)
    assert run.status == "completed"
    assert run.values("energy")[0] == pytest.approx(5.638663693331157, rel=1e-12)
    assert run.values("angular_momentum")[0] == pytest.approx((0.016064800, 21.6840787, 4.33681573), rel=2e-9)
    angles = np.degrees(run.euler_angles("1-2-3"))
    assert angles[at_time(run, 2.5)] == pytest.approx((21.497399, 72.783884, -9.710439), abs=1e-4)
    assert peak(run.t, angles[:, 1]) == pytest.approx((3.040, 83.8017), abs=1e-3)
    # the arms' axis square to where it was: rows 10 ms apart, interpolated
    assert beam_angle_crossings(run, 90.0) == pytest.approx(3.08058, abs=2e-4)
    assert beam_angle_crossings(run, 270.0) == pytest.approx(9.24175, abs=2e-4)
    assert np.abs(run.values("tip_deflection")[:, :, 1:]).max() < 1e-6  # no bending to see
    assert drift(run.values("energy")) < 1e-9
    assert drift(run.values("angular_momentum")) < 1e-9
    assert np.abs(run.values("linear_momentum")).max() < 1e-9
    assert np.abs(run.values("mass_centre")).max() < 1e-12


def test_case_2_torque(satellite):
    run = simulate_flexible(satellite(), rate=(0.1, 0.1, 0.1), torque=PULSE, duration=10.0, step=2e-3, output=0.01)
    angles = np.degrees(run.euler_angles("1-2-3"))
    assert angles[at_time(run, 3.0)] == pytest.approx((13.713539, 45.372325, 6.886417), abs=1e-4)
    assert run.values("rate")[at_time(run, 1.0)] == pytest.approx((0.100000035, 0.282143898, 0.080948646), abs=5e-6)
    when, highest = peak(run.t, angles[:, 1])
    assert highest == pytest.approx(81.5531, abs=1e-3)
    assert when == pytest.approx(5.467, abs=2e-3)
    tip = np.abs(run.values("tip_deflection")[:, 0, 2])
    assert tip.max() == pytest.approx(2.0355e-4, rel=0.005)
    assert run.t[tip.argmax()] == pytest.approx(0.5, abs=0.011)
    after = run.t > 1.0 + 1e-9
    assert tip[after].max() < 1e-3 * tip.max()
    assert drift(run.values("energy")[after]) < 1e-9
    assert drift(run.values("angular_momentum")[after]) < 1e-9


def test_work_of_the_torque_is_what_the_energy_gains(satellite):
    run = simulate_flexible(satellite(), torque=PULSE, duration=1.0, step=1e-3, output=1e-3)
    power = (run.values("torque") * run.values("rate")).sum(axis=1)
    work = integrate.trapezoid(power, run.t)
    energy = run.values("energy")
    assert energy[-1] - energy[0] == pytest.approx(work, rel=1e-6)


@pytest.mark.parametrize(("method", "step", "energy"), [("rk8", 5e-4, 1e-10), ("gauss4", 5e-4, 1e-7)])
def test_visible_bending_keeps_energy_and_momentum(soft, method, step, energy):
    """Arms released from a bend of a third of their length while the satellite tumbles."""
    craft = soft()
    q = static_shape(craft, force=(0, 8, 15.0), moment=(5.0, 0, 0), increments=4)
    run = simulate_flexible(
        craft, craft.state_of(q, craft.rigid_rates(q, (0.3, 0.5, -0.4))), duration=2.0, method=method, step=step
    )
    assert run.values("tip_deflection")[0, 0, 1:].max() > 0.5
    assert drift(run.values("energy")) < energy
    assert drift(run.values("angular_momentum")) < 1e-11
    assert np.ptp(run.values("linear_momentum"), axis=0).max() < 1e-11


def test_methods_agree_and_converge_with_their_order(soft):
    craft = soft()
    q = static_shape(craft, force=(0, 2, 4.0))
    start = craft.state_of(q, craft.rigid_rates(q, (0.3, 0.5, -0.4)))

    def end(method, step):
        return simulate_flexible(craft, start, duration=0.04, method=method, step=step).x[-1][: craft.positions]

    exact = end("rk8", 5e-5)
    for method, step, order in (("midpoint", 1e-4, 2), ("gauss4", 2e-4, 4), ("rk4", 2e-4, 4)):
        coarse, fine = (np.abs(end(method, h) - exact).max() for h in (step, step / 2))
        assert np.log2(coarse / fine) == pytest.approx(order, abs=0.3)


def test_damping_dissipates_and_momentum_stays(soft):
    craft = soft(damping_time=2e-3)
    q = static_shape(craft, force=(0, 8, 15.0), increments=4)
    run = simulate_flexible(craft, craft.state_of(q, craft.rigid_rates(q, (0.3, 0, 0))), duration=2.0, step=2e-3)
    energy = run.values("energy")
    assert energy[-1] < 0.9 * energy[0]
    assert np.diff(energy).max() < 1e-6 * energy[0]
    assert drift(run.values("angular_momentum")) < 1e-9


def test_spin_up_of_a_flexible_beam():
    """Spin-up manoeuvre: 6 rad/s in 15 s; the stretch in steady spin is rho A w^2 L^3/(3 EA) = 5.14e-4 m.

    The prescribed rate 6/15 (t - 15/2pi sin(2 pi t/15)) is that of a heavy hub under a raised cosine.
    """
    section = BeamSection(  # EA 2.8e7 N, EI 1.4e4 N m^2, rho A 1.2 kg/m, rho I 6e-4 kg m
        area=1e-2, second_moment_m=5e-6, second_moment_n=5e-6, elastic_modulus=2.8e9, shear_modulus=1e9, density=120.0
    )
    arm = Arm(section=section, length=10.0, elements=4, direction=(1, 0, 0))
    craft = FlexibleSatellite(RigidBody(1e8 * np.eye(3), mass=1e8), arms=[arm])
    torque = raised_cosine_torque((0, 0, 1e8 * 6 / 15), duration=15.0)
    run = simulate_flexible(craft, torque=torque, duration=20.0, step=5e-3, output=0.02)
    tip = run.values("tip_deflection")[:, 0]
    assert run.values("rate")[-1, 2] == pytest.approx(6.0, rel=1e-5)
    assert np.abs(tip[:, 1]).max() > 0.5  # it lags by half a metre on the way
    steady = tip[run.t > 15.5]
    assert np.abs(steady[:, 1]).max() < 5e-3
    assert steady[:, 0].mean() == pytest.approx(5.142857e-4, rel=0.01)


def test_a_sampled_law_holds_its_torque(satellite):
    craft = satellite()
    asked = []

    def law(t, e, rate):
        asked.append(t)
        return (0.0, 2.0 if t < 0.3 - 1e-9 else -2.0, 0.0)

    run = simulate_flexible(craft, law=law, sample=0.1, duration=0.6, step=5e-3, output=0.1)
    assert asked == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert run.t == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    assert run.values("angular_momentum")[:, 1] == pytest.approx([0, 0.2, 0.4, 0.6, 0.4, 0.2, 0], abs=1e-10)
    wide = simulate_flexible(craft, law=law, sample=0.1, duration=0.6, step=5e-3, output=0.3)
    assert wide.t == pytest.approx([0, 0.3, 0.6])
    fine = simulate_flexible(craft, law=law, sample=0.005, duration=0.6, step=5e-3, output=0.05)
    assert fine.t == pytest.approx(np.arange(13) * 0.05)  # sums of 0.005 fall a hair short of some of these


def failing(t, e, rate):
    if t > 0.25:
        raise ValueError("no star in sight")
    return (0.0, 0.1, 0.0)


@pytest.mark.parametrize(
    ("law", "words"),
    [
        (lambda t, e, rate: (np.nan if t > 0.25 else 0.0, 0, 0), "the law's torque must be finite (N m)"),
        (failing, "it raised ValueError: no star in sight"),
    ],
    ids=["nan", "raises"],
)
def test_a_law_that_goes_wrong_ends_the_run_and_loses_nothing(satellite, law, words):
    run = simulate_flexible(satellite(), law=law, sample=0.1, duration=0.6, step=5e-3, output=0.1)
    assert run.status == "failed"
    assert run.reason.startswith("the law failed at t = 0.3 s: ")
    assert words in run.reason
    assert run.t[-1] == pytest.approx(0.3)
    assert np.isfinite(run.x).all()
    with pytest.raises(InputError, match="the law failed at t = 0 s: "):  # with nothing to keep
        simulate_flexible(satellite(), law=lambda t, e, rate: law(1.0, e, rate), sample=0.1, duration=0.6, step=5e-3)


def broken_table(t, q, u):
    u[0] = 0.0
    u[1] = q[int(20.0 * t)]  # three entries, the last for 0.1 s <= t < 0.15 s
    u[2] = 0.0


def test_a_torque_that_reads_beyond_its_numbers_ends_the_run(satellite):
    torque = HubTorque(function=broken_table, parameters=(0.0, 0.1, 0.2))
    run = simulate_flexible(satellite(), torque=torque, duration=0.4, step=5e-3, output=0.05)
    assert run.status == "failed"
    assert "the torque 'broken_table' raised IndexError" in run.reason
    assert 0.1 <= run.t[-1] <= 0.16
    assert np.isfinite(run.x).all()


def test_plain_python_is_the_same(soft):
    craft = soft(damping_time=1e-4)
    for method in ("gauss4", "rk4"):
        given = {"rate": (0.3, 0.5, -0.4), "duration": 0.004, "step": 1e-3, "method": method, "torque": PULSE}
        plain, fast = (simulate_flexible(craft, compiled=c, **given) for c in (False, True))
        assert plain.x == pytest.approx(fast.x, rel=1e-11, abs=1e-12)


def test_labels(satellite):
    run = simulate_flexible(satellite(1), rate=(0, 0, 0.1), duration=0.1)
    data = run.dataset()
    assert set(data) == set(FLEXIBLE_QUANTITIES)
    assert data["tip_deflection"].sel(arm=1, tip_deflection_component="n").attrs["units"] == "m"
    assert run["rate"].sel(rate_component="z")[-1] == pytest.approx(0.1, rel=1e-6)
    with pytest.raises(InputError, match="quantity 'rates' is unknown; did you mean 'rate'"):
        run["rates"]


def test_refusals(satellite):
    craft = satellite()
    with pytest.raises(
        InputError, match=r"too large for 'rk4': the fastest mode .* Hz, and the largest stable step is"
    ):
        simulate_flexible(craft, duration=1.0, method="rk4", step=1e-3)
    with pytest.raises(InputError, match="a law needs its sample period"):
        simulate_flexible(craft, duration=1.0, law=lambda t, e, w: (0, 0, 0))
    with pytest.raises(InputError, match="duration must be greater than 0"):
        simulate_flexible(craft, duration=0.0)
    with pytest.raises(InputError, match="state must be 77 numbers"):
        simulate_flexible(craft, np.zeros(3), duration=1.0)
    with pytest.raises(InputError, match="method 'gaus4' is unknown; did you mean 'gauss4'"):
        simulate_flexible(craft, duration=1.0, method="gaus4")


def test_the_stable_step_is_the_largest(satellite):
    """At 0.97 of it nothing grows; at 1.03, allowed by no one, the state runs away."""
    from polhode.sim.flexible import simulate as module

    craft = satellite()
    limit = stable_step(craft, "rk4")
    calm = simulate_flexible(craft, rate=(0.1, 0.5, 0.1), duration=2000 * limit, method="rk4", step=0.97 * limit)
    assert calm.status == "completed"
    assert drift(calm.values("energy")) < 1e-3
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "stable_step", lambda *_: 1.0)
        wild = simulate_flexible(craft, rate=(0.1, 0.5, 0.1), duration=4000 * limit, method="rk4", step=1.03 * limit)
    assert wild.status == "failed" or drift(wild.values("energy")) > 1.0


def test_a_step_that_finds_no_solution_says_so(soft):
    craft = soft()
    q = static_shape(craft, force=(0, 8, 15.0), increments=4)
    start = craft.state_of(q, craft.rigid_rates(q, (30, 50, -40)))
    run = simulate_flexible(craft, start, duration=1.0, step=0.2)
    assert run.status == "failed"
    assert "take one of 0.08 s or less" in run.reason
