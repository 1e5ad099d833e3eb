"""The largest stable step: near it a mode of the mesh neither grows nor is refused."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.flexible import Arm, BeamSection
from polhode.sim.engine.steppers import longest_step
from polhode.sim.engine.steppers.longest_step import stability_limit, stable_step


def craft(**more):
    section = BeamSection(
        area=1e-3,
        second_moment_m=8e-9,
        second_moment_n=2e-8,
        youngs_modulus=7e6,
        shear_modulus=2.6e6,
        density=2700.0,
        **more,
    )
    arm = Arm(section=section, length=2.0, elements=1, direction=(1, 0.2, 0.1), root=(0.4, 0, 0.1))
    wheel = plant.Wheel(axis=(1, 0, 0), inertia=0.1, friction=0.01, relative_rate=5.0)
    return plant.Spacecraft(plant.RigidBody((14, 11, 9), mass=60.0), elements=[wheel, arm])


@pytest.mark.parametrize("damping_time", [0.0, 1e-4])
def test_longest_step_is_the_largest_stable_one(damping_time, monkeypatch):
    """Beyond it the fastest mode grows without bound, below it does not."""
    flexible = craft(damping_time=damping_time)
    limit = stable_step(flexible, "rk4")
    start = {"rate": (0.0, 0.3, 0.1), "integrator": "rk4", "ledger": False, "output_step": 1.0}
    good = sim.simulate(flexible, step=0.98 * limit, duration=4000 * limit, **start)
    assert good.status == "completed"
    assert good.counters["arm_strain_energy_peak"] < 1.0
    with pytest.raises(
        plant.InputError, match=r"is too large for 'rk4': the fastest mode of this mesh has \d+\.?\d* Hz"
    ):
        sim.simulate(flexible, step=1.02 * limit, duration=4000 * limit, **start)
    monkeypatch.setattr(longest_step, "stable_step", lambda *_: np.inf)
    bad = sim.simulate(flexible, step=1.02 * limit, duration=4000 * limit, **start)
    assert bad.status == "failed"


def test_rk4_on_an_oscillator():
    assert stability_limit("rk4") == pytest.approx(2.0 * np.sqrt(2.0), abs=2e-4)  # closed form
    assert stability_limit("rk4", damping_ratio=1.0) == pytest.approx(2.7852936, abs=2e-4)  # of the real axis


def test_craft_without_arms_has_none():
    assert stable_step(plant.Spacecraft(plant.RigidBody((3, 2, 1)))) == np.inf
    assert sim.simulate(craft(), duration=0.01, output_step=0.005).status == "completed"  # dop853 chooses its own steps


def test_arms_that_vibrate_a_little_late_are_no_warning():
    """A step near the limit has phase errors in the axial modes without effect on the hub; errors of the hub are
    reported.
    """
    limit = stable_step(craft(), "rk4")
    given = {"integrator": "rk4", "step": 0.9 * limit, "duration": 3000 * limit, "output_step": 100 * limit}
    assert sim.simulate(craft(), rate=(0.0, 0.02, 0.01), **given).warnings == ()
    rough = sim.simulate(craft(), rate=(0.2, 0.4, 0.1), duration=30.0, rtol=1e-2)
    assert any("the attitude at the end may have an error of" in told for told in rough.warnings)


@pytest.mark.slow
def test_law_that_shakes_arms_is_told():
    """Choi's satellite under the plain regulator of its rigid equivalent: at 50 Hz it excites the arms."""
    section = BeamSection(
        area=2.5e-3,
        second_moment_m=5.2e-7,
        second_moment_n=5.2e-7,
        youngs_modulus=7.17e10,
        shear_modulus=2.68e10,
        density=2.8e3,
        damping_time=1e-5,
    )
    arms = [Arm(section=section, length=2.0, elements=1, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1, -1)]
    flexible = plant.Spacecraft(plant.RigidBody(0.149 * np.eye(3), mass=22.4), elements=arms)
    rigid = plant.Spacecraft(plant.RigidBody(flexible.locked_inertia(flexible.at_rest())))
    model = rigid.linearize(rigid.at_rest())
    law = controllers.lqr(model, attitude=(0.01, 15.0, 15.0), rate=(0.01, 1.0, 1.0), effort=1.0, sample=0.02)
    run = sim.simulate(flexible, law, duration=0.1, integrator="rk8", step=5e-5, output_step=0.02)
    assert any("the law does not stabilise this spacecraft about its reference" in told for told in run.warnings)
