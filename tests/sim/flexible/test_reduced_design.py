"""Laws designed on hub and modes, flown on the whole nonlinear mesh."""

from dataclasses import replace

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.attitude import from_rotation_vector
from polhode.plant.errors import DesignError
from polhode.plant.flexible import FlexibleSatellite
from polhode.sim.flexible import law_on_hub, simulate_flexible

SAMPLE = 0.005
LATE = 2 * SAMPLE
WEIGHTS = {"attitude": 100.0, "rate": 0.0, "effort": 1.0, "sample": SAMPLE, "delay": LATE}
TURN = from_rotation_vector((0.02, 0.3, -0.2))


@pytest.fixture
def craft(satellite):
    """The document's, with half a per cent of damping at 40 Hz."""
    bare = satellite(4)
    arms = [replace(arm, section=replace(arm.section, damping_time=4e-5)) for arm in bare.arms]
    return FlexibleSatellite(bare.hub, arms=arms)


@pytest.fixture
def reduced(craft):
    found = craft.reduce(modes=6)
    assert found.valid_up_to() > 2 * np.pi * 100
    return found


def at_rest(craft):
    return craft.linearize(craft.at_rest())


def rigid(reduced):
    return plant.Spacecraft(plant.RigidBody(reduced.modes.inertia, mass=reduced.modes.mass))


def fly(craft, law, reduced, duration, attitude):
    hub = law_on_hub(law, controllers.FixedReference(), body=rigid(reduced).body)
    return simulate_flexible(
        craft, law=hub, sample=law.sample, attitude=attitude, duration=duration, step=1e-3, output=0.05
    )


def on(model, law):
    """The same law in the loop of another model."""
    return controllers.DynamicFeedback(law.compensator, model, sample=law.sample, delay=law.delay)


def slowest(law):
    return np.log(law.closed_loop_poles()[0]) / SAMPLE


def test_a_regulator_from_the_reduced_model_flies_the_mesh(craft, reduced):
    """Late by one sample the modes are damped; the mesh turns as hub and modes do, and comes to rest."""
    flown = reduced.spacecraft()
    law = controllers.lqr(at_rest(flown), **{**WEIGHTS, "delay": SAMPLE})
    run = fly(craft, law, reduced, 6.0, TURN)
    angle = 2 * np.abs(run.values("attitude")[:, 1:]).max(axis=1)
    assert run.status == "completed"
    assert angle[-1] < 0.2 * angle[0]
    assert run.values("strain_energy")[-20:].max() < 0.15 * run.values("strain_energy").max()
    small = sim.simulate(flown, law, attitude=TURN, duration=6.0, integrator="rk4", step=1e-3, output=0.05)
    rows = np.abs(run.t[:, None] - small["attitude"]["time"].values).argmin(axis=0)
    gap = np.abs(small["attitude"].values - run.values("attitude")[rows])
    assert gap.max() < 1e-5 * angle[0]


def test_an_instability_is_foretold_and_seen(craft, reduced):
    """Late by two samples a regulator for the rigid craft shakes the arms at 40 Hz; the reduced model says how fast."""
    law = controllers.lqr(at_rest(rigid(reduced)), **WEIGHTS)
    assert abs(law.closed_loop_poles()[0]) < 1  # the rigid model sees nothing
    model = at_rest(reduced.spacecraft())
    with pytest.raises(DesignError, match="does not stabilise the sampled loop with every state"):
        controllers.lqr(model, **WEIGHTS)
    foretold = slowest(on(model, controllers.DynamicFeedback(law.compensator(), law.model, sample=SAMPLE, delay=LATE)))
    assert abs(foretold.imag) / (2 * np.pi) == pytest.approx(40.0, abs=0.1)
    assert foretold.real > 1.5
    run = fly(craft, law, reduced, 4.0, from_rotation_vector((0, 1e-3, 0)))
    energy = run.values("strain_energy")
    window = (run.t > 1.5) & (run.t < 3.9)
    growth = 0.5 * np.polyfit(run.t[window], np.log(energy[window]), 1)[0]
    assert growth == pytest.approx(foretold.real, rel=0.04)
    exact = craft.linearize()
    mesh = controllers.LinearFeedback(law.gain, exact, sample=SAMPLE, delay=LATE)
    assert growth == pytest.approx(slowest(mesh).real, rel=0.01)


def test_a_notch_on_the_reduced_model_cures_it(craft, reduced):
    law = controllers.lqr(at_rest(rigid(reduced)), **WEIGHTS)
    model = at_rest(reduced.spacecraft())
    bare = controllers.DynamicFeedback(law.compensator(), model, sample=SAMPLE, delay=LATE)
    notched = controllers.filtered(bare, controllers.notch(reduced.free_frequencies[0], width=0.5, depth=0.05))
    assert on(craft.linearize(), notched).margins().axes[1].gain_up > 3.0
    run = fly(craft, notched, reduced, 6.0, TURN)
    angle = 2 * np.abs(run.values("attitude")[:, 1:]).max(axis=1)
    assert angle[-1] < 0.2 * angle[0]
    assert run.values("strain_energy")[-20:].max() < 0.15 * run.values("strain_energy").max()


def test_an_estimator_of_the_modes_flies_the_mesh(craft, reduced):
    """LQG knows 6 of the 58 modes; the loop with all of them is as stable, and what it flies comes to rest."""
    noise = {"torque_noise": 0.1, "attitude_noise": 1e-4, "rate_noise": 1e-4}
    timing = {"sample": 0.0015, "delay": 0.0015}  # 6 modes, up to 272 Hz in free flight
    law = controllers.lqg(at_rest(reduced.spacecraft()), **{**WEIGHTS, **noise, **timing})
    mesh = on(craft.linearize(), law)
    assert np.abs(mesh.closed_loop_poles()[0]) == pytest.approx(np.abs(law.closed_loop_poles()[0]), abs=1e-6)
    hub = law_on_hub(law, controllers.FixedReference(), body=rigid(reduced).body)
    run = simulate_flexible(
        craft, law=hub, sample=law.sample, attitude=TURN, duration=3.0, step=law.sample, output=law.sample
    )
    predicted = sim.simulate(reduced.spacecraft(), law, attitude=TURN, duration=3.0, output=law.sample)
    rows = np.abs(run.t[:, None] - predicted["attitude"]["time"].values).argmin(axis=0)
    gap = np.abs(predicted["attitude"].values - run.values("attitude")[rows])
    assert gap.max() < 1e-4 * 0.3
    vibration = run.values("strain_energy")
    assert vibration[run.t > 2.5].max() < 0.3 * vibration.max()
