"""Warnings of completed runs: limits of actuators, accuracy, efforts between steps."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.sim.results import invariants, kinetic_energy, run_warnings
from polhode.sim.results.run_warnings import _reads_time

BODY = plant.RigidBody((3.0, 2.0, 1.0))
CRAFT = plant.Spacecraft(BODY)
TUMBLE = {"rate": (0.1, 1.0, 0.1)}


def apart(run, other):
    """Angle between the final attitudes, rad."""
    one, two = run.values("attitude")[-1], other.values("attitude")[-1]
    return 2.0 * np.arccos(min(1.0, abs(one @ two)))


def told(run):
    """Attitude error that a run predicts for itself, rad; 0 without a warning."""
    found = [warning for warning in run.warnings if "attitude at the end may have an error" in warning]
    return float(found[0].split("an error of ")[1].split(" ")[0]) if found else 0.0


@pytest.mark.parametrize("ledger", [True, False])
def test_long_run_at_default_tolerance_tells_its_error(ledger):
    run = sim.simulate(CRAFT, **TUMBLE, duration=2e5, output_times=[2e5], ledger=ledger)
    true = apart(run, sim.simulate(CRAFT, **TUMBLE, duration=2e5, output_times=[2e5], integrator="elliptic"))
    assert true > 5e-3
    assert true / 5.0 < told(run) < 5.0 * true
    assert "smaller rtol" in run.warnings[0]


@pytest.mark.parametrize(("step", "duration"), [(0.2, 1000.0), (0.3, 100.0), (0.05, 1e4)])
def test_coarse_steps_of_rk4_tell_their_error(step, duration):
    fixed = sim.simulate(CRAFT, **TUMBLE, duration=duration, output_times=[duration], integrator="rk4", step=step)
    true = apart(fixed, sim.simulate(CRAFT, **TUMBLE, duration=duration, output_times=[duration], rtol=1e-13))
    assert true > 1e-3
    assert true / 6.0 < told(fixed) < 6.0 * true
    assert "shorter step" in fixed.warnings[0]


def test_phase_of_mode_is_told_though_nothing_drifts():
    # w h = 0.4: a step of RK4 lags by (w h)^5/120 = 8.5e-5 rad, 0.085 rad in 1000 steps
    modes = plant.FlexibleModes(
        frequencies=(4.0,), damping_ratios=(0.0,), rotation=[[0.1], [0], [0]], displacements=(1e-3,)
    )
    craft = plant.Spacecraft(BODY, elements=[modes])
    run = sim.simulate(craft, duration=100.0, output_times=[100.0], integrator="rk4", step=0.1)
    exact = sim.simulate(craft, duration=100.0, output_times=[100.0], rtol=1e-13)
    behind = abs(run.values("internal")[-1, 0] - exact.values("internal")[-1, 0]) / 1e-3
    assert behind > 0.02
    assert told(run) == pytest.approx(1000 * 0.4**5 / 120, rel=0.1)


@pytest.mark.parametrize("scheme", [{}, {"integrator": "rk4", "step": 0.02}, {"integrator": "rk8", "step": 0.1}])
def test_good_run_says_nothing(scheme):
    assert sim.simulate(CRAFT, **TUMBLE, duration=100.0, **scheme).warnings == ()
    slow = sim.simulate(CRAFT, duration=10.0, output_times=[10.0], **scheme)  # at rest there is no error
    assert slow.warnings == ()


def kick(t, e, omega, c, v):
    return (1.0 if 50.0 < t < 50.01 else 0.0), 0.0, 0.0, 0.0, 0.0, 0.0


def drag(t, e, omega, c, v):
    return -1e-3 * omega[0], -1e-3 * omega[1], -1e-3 * omega[2], 0.0, 0.0, 0.0


def test_effort_that_may_have_been_stepped_over_is_told():
    run = sim.simulate(
        plant.Spacecraft(BODY, user_forces=[plant.UserForce(kick)]), duration=1000.0, output_times=[1000.0]
    )
    (warning,) = run.warnings
    for words in ("'kick'", "no breakpoints", "steps of up to", "breakpoints=", "`step`"):
        assert words in warning
    assert not run.values("momentum").any()  # a step passed over it


@pytest.mark.parametrize(
    ("effort", "scheme"),
    [
        (plant.UserForce(kick, breakpoints=(50.0, 50.01)), {}),
        (plant.UserForce(kick), {"step": 0.005}),
        (plant.UserForce(drag), {}),
    ],
)
def test_effort_that_is_looked_at_says_nothing(effort, scheme):
    craft = plant.Spacecraft(BODY, user_forces=[effort])
    assert sim.simulate(craft, **TUMBLE, duration=100.0, output_times=[100.0], **scheme).warnings == ()


def test_warnings_of_time_dependent_efforts():
    assert _reads_time(kick)
    assert not _reads_time(drag)
    assert _reads_time(lambda t, e, w, c, v: [t for _ in range(6)])  # from inside the effort
    assert _reads_time(print)  # without source code


def test_time_at_the_limits_of_motors_is_told():
    # one row, at the end: the time is counted at every step. w' = 0.4 (1/0.5 + 1/2.0) rad/s^2: 9.9 rad/s after 9.9 s
    wheels = [plant.Wheel(axis=a, inertia=0.5, torque_limit=0.4, speed_limit=10.0, command=a) for a in np.eye(3)]
    basis = plant.TorqueBasis(internal=True)
    craft = plant.Spacecraft(plant.RigidBody((4.0, 4.0, 2.0)), elements=wheels, torques=basis)
    law = controllers.CustomLaw(lambda t, x, r: (0.0, 0.0, -2.0), sample=1.0, compiled=False)
    run = sim.simulate(craft, law, duration=60.0, output_times=[60.0])
    first, second = run.warnings
    assert first == "wheel 3 was at its torque limit of 0.4 N m for 60 of 60 s"
    assert second.startswith("wheel 3 was at its speed limit of 10 rad/s for 50")
    assert run.counters["wheel_3_at_speed_limit_s"] == pytest.approx(60.0 - 9.9, abs=0.5)
    assert run.counters["wheel_3_motor_torque_peak"] == 0.4


def test_rotor_that_is_meant_to_end_at_its_speed_is_no_news():
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.5, motor_torque=0.4, speed_limit=10.0)
    run = sim.simulate(
        plant.Spacecraft(plant.RigidBody((4.0, 4.0, 2.0)), elements=[wheel]), duration=60.0, output_times=[60.0]
    )
    assert run.warnings == ()
    assert run.counters["wheel_at_speed_limit_s"] == pytest.approx(60.0 - 9.9, abs=0.5)


def test_energy_of_a_steady_run_is_not_computed_again(monkeypatch):
    """If the balance is small relative to the energy itself, no kinetic energy is needed; otherwise it is."""
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1, relative_rate=20.0)
    craft = plant.Spacecraft(BODY, elements=[wheel])
    given = {**TUMBLE, "duration": 100.0, "integrator": "rk4"}
    computed = []
    whole = kinetic_energy.largest_kinetic_energy
    monkeypatch.setattr(invariants, "largest_kinetic_energy", lambda *a, **k: computed.append(a) or whole(*a, **k))
    assert not told(sim.simulate(craft, **given, step=0.01))
    assert not computed
    assert told(sim.simulate(craft, **given, step=0.4))
    assert computed


def test_energy_of_a_large_run_is_said_not_to_be_checked(monkeypatch):
    """Implicit steps conserve momentum; the energy shows that they are too long for the pendulum."""
    pendulum = plant.Pendulum(mass=0.5, length=0.5, hinge=(0.1, 0.2, -0.3), direction=(0, 0, -1))
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0), mass=10.0), elements=[pendulum])
    given = {"rate": (0.1, 2.0, 0.1), "duration": 100.0, "integrator": "gauss4", "step": 0.5}
    checked = sim.simulate(craft, **given)
    assert "momentum or energy drifted" in checked.warnings[-1]
    monkeypatch.setattr(run_warnings, "MOST_WORK", 1e3)
    run = sim.simulate(craft, **given)
    (words,) = (each for each in run.warnings if "whether energy drifted was not checked" in each)
    assert f"for {run.t.size} rows of {craft.layout.size} states" in words
    assert not any("drifted by" in each for each in run.warnings)
