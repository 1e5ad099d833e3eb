"""Steps too long for fast states of elements: closed-form stability limits, and runs that grow beyond them."""

import math

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.errors import InputError
from polhode.sim.engine.steppers import fast_states
from polhode.sim.runs import run_spec

TIME_CONSTANT = 0.02
RK4 = 2.7852935634052818  # |1 + z + z^2/2 + z^3/6 + z^4/24| = 1 on the negative real axis (Hairer & Wanner, IV.2)


def gyro_craft(time_constant=TIME_CONSTANT):
    gyro = plant.ControlMomentGyro(
        axis=(0, 0, 1), spin_axis=(1, 0, 0), momentum=10.0, rotor_inertia=0.02, gimbal_inertia=0.03,
        time_constant=time_constant,
    )  # fmt: skip
    return plant.Spacecraft(plant.RigidBody((40.0, 50.0, 60.0)), elements=[gyro])


def simulate(craft, step, law=None, **more):
    return sim.simulate(craft, law, rate=(0.01, 0.02, 0.0), duration=20.0, integrator="rk4", step=step, **more)


def test_step_beyond_the_stability_limit_of_a_rate_loop_is_refused():
    """The loop decays as exp(-t / tau), but for the reaction of the hub of 0.1 %."""
    limit = RK4 * TIME_CONSTANT
    assert simulate(gyro_craft(), 0.98 * limit).status == "completed"
    with pytest.raises(InputError, match=r"cmg_gimbal_angle_momentum .*use that step or less") as said:
        simulate(gyro_craft(), 1.05 * limit)
    stated = float(str(said.value).split("largest stable step is ")[1].split(" s")[0])
    assert stated == pytest.approx(limit, rel=2e-3)


def test_stable_step_is_stated_for_a_step_that_is_much_too_long():
    with pytest.raises(InputError, match="largest stable step") as said:
        simulate(gyro_craft(1e-5), 1.0)
    stated = float(str(said.value).split("largest stable step is ")[1].split(" s")[0])
    assert stated == pytest.approx(RK4 * 1e-5, rel=1e-2)


@pytest.mark.parametrize(("share", "grows"), [(0.98, False), (1.05, True)])
def test_refused_step_grows_in_a_run(monkeypatch, share, grows):
    """The runs themselves, without the check: the rate of the hub stays bounded or grows without bound."""
    monkeypatch.setattr(run_spec, "require_stable_states", lambda *_: None)
    rate = np.abs(simulate(gyro_craft(), share * RK4 * TIME_CONSTANT, output_times=[20.0]).values("rate")[-1]).max()
    assert (rate > 1.0) == grows


def test_samples_of_the_law_shorten_steps():
    """A step that is longer than a sampling period is as long as that period."""
    law = controllers.RateDamping(gain=1.0, sample=0.05)
    craft = plant.Spacecraft(gyro_craft().body, elements=gyro_craft().elements)
    assert simulate(craft, 1.0, law).status == "completed"
    late = controllers.RateDamping(gain=1.0, sample=0.1, delay=0.05)
    assert simulate(craft, 1.0, late).status == "completed"
    with pytest.raises(InputError, match=r"step of 0.07 s is too long"):
        simulate(craft, 1.0, controllers.RateDamping(gain=1.0, sample=0.1, delay=0.03))


def test_undamped_spring_is_refused_beyond_its_limit_on_the_imaginary_axis():
    """Two bodies of 30 and 2 kg m^2 on a torsion spring: omega = sqrt(k / J), 1/J = 1/30 + 1/2; rk4: sqrt(8)."""
    panel = plant.HingedPanel(
        hinge=(0, 0, 0), axis=(0, 1, 0), mass=1.0, centre=(0, 0, 0), inertia=(2.0, 2.0, 2.0), stiffness=500.0
    )
    craft = plant.Spacecraft(plant.RigidBody((38.0, 30.0, 36.0), mass=100.0), elements=[panel])
    limit = math.sqrt(8.0 / (500.0 * (1.0 / 30.0 + 1.0 / 2.0)))
    assert simulate(craft, 0.999 * limit).status == "completed"
    with pytest.raises(InputError, match=r"panel.* and the largest stable step is"):
        simulate(craft, 1.005 * limit)


def test_dry_friction_is_not_refused():
    """Stiction is steep at rest only, so that rk4 chatters there within a bounded rate."""
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.05, coulomb=0.002)
    craft = plant.Spacecraft(plant.RigidBody((4.0, 5.0, 6.0)), elements=[wheel])
    run = simulate(craft, 1.0)
    assert run.status == "completed"
    assert np.abs(run.values("rate")).max() < 0.03


def test_wheel_with_viscous_friction_is_refused_beyond_its_limit():
    """Two bodies of 6 and 0.05 kg m^2 about the axis: the relative rate decays at c (1/6 + 1/0.05)."""
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.05, friction=0.4, relative_rate=10.0)
    craft = plant.Spacecraft(plant.RigidBody((4.0, 5.0, 6.0)), elements=[wheel])
    limit = RK4 / (0.4 * (1.0 / 6.0 + 1.0 / 0.05))
    assert simulate(craft, 0.98 * limit).status == "completed"
    with pytest.raises(InputError, match="wheel"):
        simulate(craft, 1.05 * limit)


def test_wheels_without_steep_torques_need_no_eigenvalues(monkeypatch):
    monkeypatch.setattr(fast_states, "_fast_states", lambda *_: pytest.fail("eigenvalues of a plain array"))
    wheels = plant.wheel_array(np.eye(3), inertia=0.05, friction=1e-4, torque_limit=0.1, speed_limit=400.0)
    craft = plant.Spacecraft(plant.RigidBody((4.0, 5.0, 6.0)), elements=wheels)
    assert simulate(craft, 0.5).status == "completed"


@pytest.mark.parametrize(
    "torques",
    [
        {"friction": 1e-3},
        {"coulomb": 0.002, "coulomb_rate": 0.05},
        {"coulomb": 1e-3, "static_friction": 4e-3, "stribeck_rate": 0.5, "coulomb_rate": 0.025},
        {"motor_torque": 0.03, "speed_limit": 50.0},
        {"motor_torque": 0.03, "power_limit": 0.2},
    ],
)
def test_bound_of_wheels_covers_their_eigenvalues_at_any_rate(torques):
    """The eigenvalues by differences of the derivative, from rest to beyond the speed limit."""
    axes = ((1.0, 0.0, 0.2), (0.0, 1.0, 0.3), (0.5, 0.5, 0.5))
    wheels = [plant.Wheel(axis=axis, inertia=0.05, **torques) for axis in axes]
    craft = plant.Spacecraft(plant.RigidBody((1.0, 0.9, 0.8)), elements=wheels)
    bound = fast_states._fastest_wheel(craft)
    rates = np.concatenate([np.linspace(0.0, 1.0, 21), np.linspace(1.25, 9.0, 32), np.linspace(49.3, 50.2, 10)])
    found = [abs(each.value) for rate in rates for each in fast_states._about(craft, np.full(3, rate))]
    assert 0.3 * bound < max(found) <= bound
