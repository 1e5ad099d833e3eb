"""Faults of wheels, against closed forms and an independent integration."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import controllers, sim
from polhode.plant import InputError, RigidBody, Spacecraft, TorquePulse, Wheel, WheelFault, wheel_array

TILT = np.arctan(np.sqrt(2.0))
PYRAMID = [
    (np.sin(TILT) * np.cos(a), np.sin(TILT) * np.sin(a), np.cos(TILT)) for a in np.radians([0.0, 90.0, 180.0, 270.0])
]
J = np.diag((10.0, 8.0, 6.0))
HEAVY = np.diag((1e9, 1e9, 1e9))


def pair(**more):
    """A spacecraft with two wheels that have motors, friction and limits."""
    one = {"axis": (1.0, 0.2, 0.0), "inertia": 0.05, "friction": 2e-4, "coulomb": 1e-3, "motor_torque": 0.02}
    other = {"axis": (0.0, 0.3, 1.0), "inertia": 0.04, "friction": 1e-4, "motor_torque": -0.015, "torque_limit": 0.012}
    return Spacecraft(RigidBody(J), elements=[Wheel(**one, relative_rate=30.0), Wheel(**other, **more)])


def oracle(times, faults, *, rate):
    """Return body rate and wheel rates by Euler's equation of `pair`; faults: (wheel, start, stop, share, c, tc)."""
    axes = np.array([(1.0, 0.2, 0.0), (0.0, 0.3, 1.0)])
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    inertia, c, tc, motor = np.array([0.05, 0.04]), np.array([2e-4, 1e-4]), (1e-3, 0.0), (0.02, -0.012)
    hub = J + sum(i * np.outer(a, a) for i, a in zip(inertia, axes, strict=True))

    def slope(_, y, on):
        w, spin = y[:3], y[3:]
        torque = np.zeros(2)
        for k in range(2):
            share, viscous, coulomb = 1.0, c[k], 0.0
            for wheel, _, _, factor, more, dry in on:
                if wheel == k:
                    share, viscous, coulomb = share * factor, viscous + more, coulomb + dry
            torque[k] = share * motor[k] - viscous * spin[k] - (tc[k] + coulomb) * np.tanh(spin[k] / 0.1)
        h = hub @ w + axes.T @ (inertia * spin)
        # h' = -w x h, and inertia (spin' + a . w') = torque
        body = np.linalg.solve(hub - axes.T @ (inertia[:, None] * axes), -np.cross(w, h) - axes.T @ torque)
        return np.concatenate((body, torque / inertia - axes @ body))

    marks = sorted({0.0, times[-1], *(t for f in faults for t in f[1:3] if 0.0 < t < times[-1])})
    y, rows = np.array([*rate, 30.0, 0.0]), {0.0: np.array([*rate, 30.0, 0.0])}
    for begin, end in pairwise(marks):
        on = [f for f in faults if f[1] <= begin < f[2]]
        here = [t for t in times if begin < t <= end]
        flown = solve_ivp(slope, (begin, end), y, "DOP853", sorted({*here, end}), args=(on,), rtol=1e-12, atol=1e-13)
        rows |= dict(zip(flown.t.tolist(), flown.y.T, strict=True))
        y = flown.y[:, -1]
    return np.array([rows[t] for t in times])


def test_dead_wheel_spins_down_by_its_friction():
    wheel = Wheel(axis=(0, 0, 1), inertia=0.02, friction=1e-3, motor_torque=0.05, relative_rate=100.0)
    craft = Spacecraft(RigidBody(HEAVY), elements=[wheel])
    run = sim.simulate(craft, torques=[WheelFault("dead", start=5.0)], duration=40.0, output_step=0.5, rtol=1e-12)
    rate, after = run.values("internal_rate")[:, 0], run.t >= 5.0
    np.testing.assert_allclose(rate[after], rate[after][0] * np.exp(-(run.t[after] - 5.0) / 20.0), rtol=1e-9)
    np.testing.assert_allclose(rate[~after], 50.0 + 50.0 * np.exp(-run.t[~after] / 20.0), rtol=1e-9)
    assert run.counters["faults"] == 1
    assert any("wheel: motor dead from 5 s on" in each for each in run.warnings)
    assert run.values("motor_torque")[run.t > 5.0].max() == 0.0


def test_stuck_wheel_gives_its_momentum_to_hub():
    """Plastic capture: closed form, to the digits of an independent computation."""
    wheel = Wheel(axis=PYRAMID[0], inertia=0.002, relative_rate=200.0)
    craft = Spacecraft(RigidBody(J), elements=[wheel])
    fault = WheelFault("stuck", start=1.0, seizing_time=1e-7)
    end = 1.0 + 4e-6
    run = sim.simulate(craft, torques=[fault], duration=end, output_times=[end], rtol=1e-12)
    np.testing.assert_allclose(run.values("rate")[-1], (0.032651881666, 0.0, 0.038480611574), rtol=0, atol=1e-8)
    assert abs(run.values("internal_rate")[-1, 0]) < 1e-5
    long = sim.simulate(craft, torques=[WheelFault("stuck", start=1.0)], duration=60.0)
    np.testing.assert_allclose(
        long.values("inertial_momentum"), np.broadcast_to(0.4 * np.array(PYRAMID[0]), (501, 3)), rtol=0, atol=1e-10
    )
    assert np.abs(long.values("energy_balance")).max() < 1e-8
    # the remaining slip is the seizing time times the acceleration of the hub
    late = long.t > 5.0
    accelerations = np.abs(np.gradient(long.values("rate") @ np.array(PYRAMID[0]), long.t))[late]
    assert np.abs(long.values("internal_rate")[late, 0]).max() < 1.1 * 0.1 * accelerations.max()


def test_dead_wheel_of_pyramid_leaves_part_of_torque():
    wheels = wheel_array(PYRAMID, inertia=0.01)
    craft = Spacecraft(RigidBody(J), elements=wheels)
    obtained = []
    for axis in np.eye(3):
        law = controllers.CustomLaw(lambda t, y, r, d=axis: d, sample=1.0, compiled=False)
        run = sim.simulate(
            craft, law, torques=[WheelFault("dead", wheel="wheel_1", start=0.5)], duration=0.7, integrator="rk4",
            step=0.1, output_step=0.1,
        )  # fmt: skip
        np.testing.assert_allclose(run.values("hub_torque")[2], axis, atol=1e-15)
        obtained.append(run.values("hub_torque")[-1])
    third = 0.353553390593
    np.testing.assert_allclose(np.array(obtained).T, [[0.5, 0, -third], [0, 1, 0], [-third, 0, 0.75]], atol=1e-11)


FAULTS = {
    "dead": ([{"kind": "dead", "wheel": "wheel_2", "start": 3.3}], [(1, 3.3, 1e9, 0.0, 0.0, 0.0)]),
    "weak": ([{"kind": "weak", "wheel": "wheel_1", "start": 3.3, "stop": 7.7, "share": 0.4}],
             [(0, 3.3, 7.7, 0.4, 0.0, 0.0)]),
    "reversed": ([{"kind": "weak", "wheel": "wheel_1", "start": 2.0, "share": -1.0}], [(0, 2.0, 1e9, -1.0, 0.0, 0.0)]),
    "friction": ([{"kind": "friction", "wheel": "wheel_1", "start": 1.0, "viscous": 3e-3, "coulomb": 4e-3}],
                 [(0, 1.0, 1e9, 1.0, 3e-3, 4e-3)]),
    "stuck": ([{"kind": "stuck", "wheel": "wheel_1", "start": 4.0, "seizing_time": 0.5}],
              [(0, 4.0, 1e9, 0.0, 0.1, 0.0)]),
    "several": ([{"kind": "weak", "wheel": "wheel_1", "start": 2.0, "share": 0.5},
                 {"kind": "weak", "wheel": "wheel_1", "start": 4.0, "stop": 6.0, "share": 0.5},
                 {"kind": "friction", "wheel": "wheel_2", "start": 4.0, "viscous": 1e-3}],
                [(0, 2.0, 1e9, 0.5, 0, 0), (0, 4.0, 6.0, 0.5, 0, 0), (1, 4.0, 1e9, 1.0, 1e-3, 0)]),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_faults_match_independent_integration(name):
    given, expected = FAULTS[name]
    rate, times = (0.02, -0.01, 0.03), [float(n) for n in range(11)]
    run = sim.simulate(
        pair(), torques=[WheelFault(**each) for each in given], rate=rate, duration=10.0, output_step=1.0, rtol=1e-12
    )
    wanted = oracle(times, expected, rate=rate)
    np.testing.assert_allclose(run.values("rate"), wanted[:, :3], rtol=0, atol=1e-11)
    np.testing.assert_allclose(run.values("internal_rate"), wanted[:, 3:], rtol=0, atol=2e-8)
    assert np.abs(run.values("energy_balance")).max() < 1e-7
    assert run.counters["faults"] == len(given)


@pytest.mark.parametrize("integrator", ["rk4", "rk8", "gauss4", "gauss6"])
def test_fixed_steps_end_at_faults(integrator):
    """The starts are between steps; a step across one would have an error of first order."""
    faults = [WheelFault("dead", wheel="wheel_2", start=3.3137), WheelFault("stuck", wheel="wheel_1", start=6.01)]
    exact, run = (
        sim.simulate(pair(), torques=faults, rate=(0.02, -0.01, 0.03), duration=10.0, output_step=1.0, **scheme)
        for scheme in ({"rtol": 1e-12}, {"integrator": integrator, "step": 0.01})
    )
    np.testing.assert_allclose(run.values("rate"), exact.values("rate"), rtol=0, atol=2e-8)


def test_plain_engine_and_batch_equal_single_run():
    faults = [WheelFault("weak", wheel="wheel_1", start=1.05, share=0.3), WheelFault("stuck", wheel="wheel_2", start=2)]
    keys = {"torques": faults, "duration": 3.0, "output_step": 0.5, "integrator": "rk4", "step": 0.05}
    run = sim.simulate(pair(), rate=(0.02, 0, 0), **keys)
    plain = sim.simulate(pair(), rate=(0.02, 0, 0), compiled=False, **keys)
    np.testing.assert_allclose(plain.states, run.states, rtol=0, atol=1e-13)
    rates = np.array([(0.02, 0, 0), (0.0, 0.01, 0), (0, 0, -0.02)])
    runs = sim.simulate_batch(pair(), rate=rates, **keys)
    for n, rate in enumerate(rates):
        np.testing.assert_array_equal(runs[n].states, sim.simulate(pair(), rate=rate, **keys).states)


def test_dead_motor_exerts_no_scheduled_torque_either():
    wheel = Wheel(axis=(0, 0, 1), inertia=0.02, torque_limit=1.0)
    craft = Spacecraft(RigidBody(J), elements=[wheel])
    pulse = TorquePulse(0.1, start=0.0, stop=10.0, coordinate="wheel_angle")
    run = sim.simulate(craft, torques=[pulse, WheelFault("dead", start=2.0)], duration=4.0, output_step=1.0)
    rates = run.values("internal_rate")[:, 0]
    assert rates[2] > 1.0
    np.testing.assert_allclose(rates[2:], rates[2], rtol=1e-12)
    assert np.abs(run.values("energy_balance")).max() < 1e-12


def test_fault_in_the_future_changes_nothing():
    keys = {"rate": (0.02, 0, 0), "duration": 3.0, "integrator": "rk4", "step": 0.05}
    run = sim.simulate(pair(), torques=[WheelFault("dead", wheel="wheel_2", start=50.0)], **keys)
    np.testing.assert_array_equal(run.states, sim.simulate(pair(), **keys).states)
    assert "faults" not in run.counters


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"kind": "broken", "start": 1.0}, "dead"),
        ({"kind": "weak", "start": 1.0}, "share"),
        ({"kind": "friction", "start": 1.0}, "viscous or coulomb"),
        ({"kind": "dead", "start": 1.0, "share": 0.5}, "share belongs to the wheel fault 'weak'"),
        ({"kind": "stuck", "start": 1.0, "viscous": 0.5}, "viscous belongs to the wheel fault 'friction'"),
        ({"kind": "stuck", "start": 1.0, "seizing_time": 0.0}, "seizing time"),
        ({"kind": "dead", "start": 2.0, "stop": 1.0}, "stop after it starts"),
    ],
)
def test_wrong_faults_are_refused(keys, message):
    with pytest.raises(InputError, match=message):
        WheelFault(**keys)


def test_faults_that_do_not_fit_the_spacecraft_are_refused():
    bare, free = Spacecraft(RigidBody(J)), Spacecraft(RigidBody(J), elements=[Wheel(axis=(0, 0, 1), inertia=0.1)])
    keys = {"duration": 3.0}
    for craft, fault, message in (
        (bare, WheelFault("dead", start=1.0), "no wheels"),
        (pair(), WheelFault("dead", wheel="wheel_3", start=1.0), "wheel_2"),
        (free, WheelFault("dead", start=1.0), "has no motor"),
    ):
        with pytest.raises(InputError, match=message):
            sim.simulate(craft, torques=[fault], **keys)
    stuck = WheelFault("stuck", wheel="wheel_1", start=1.0)
    with pytest.raises(InputError, match=r"time constant of 0\.09"):
        sim.simulate(pair(), torques=[stuck], duration=3.0, integrator="rk4", step=0.2)
    assert sim.simulate(pair(), torques=[stuck], duration=3.0, integrator="gauss4", step=0.2).status == "completed"
    with pytest.raises(InputError, match="cannot include the torque or force on"):
        sim.simulate(pair(), torques=[stuck], duration=1.0, formulation="newton-euler")
