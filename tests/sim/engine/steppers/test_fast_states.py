"""Steps too long for fast states of elements: closed-form stability limits, and runs that grow beyond them."""

import math

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.errors import InputError
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
