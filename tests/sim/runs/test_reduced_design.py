"""Laws designed on hub and modes, simulated on the whole nonlinear mesh."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.attitude import from_rotation_vector
from polhode.plant.errors import DesignError
from polhode.plant.flexible import Arm, BeamSection, reduce_craft

SAMPLE = 0.005
LATE = 2 * SAMPLE
SAMPLE_OF_SIX = 0.0015  # resolves 6 modes, up to 272 Hz in free flight
WEIGHTS = {"attitude": 100.0, "rate": 0.0, "effort": 1.0, "sample": SAMPLE, "delay": LATE}
TURN = from_rotation_vector((0.02, 0.3, -0.2))


@pytest.fixture(scope="module")
def craft():
    """Satellite of Choi (2014), with half a per cent of damping at 40 Hz."""
    section = BeamSection(
        area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, youngs_modulus=7.17e10, shear_modulus=2.68e10,
        density=2.8e3, damping_time=4e-5,
    )  # fmt: skip
    arms = [Arm(section=section, length=2.0, elements=4, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1, -1)]
    return plant.Spacecraft(plant.RigidBody(0.149 * np.eye(3), mass=22.4), elements=arms)


@pytest.fixture(scope="module")
def reduced(craft):
    found = reduce_craft(craft, modes=6)
    assert found.valid_up_to() > 2 * np.pi * 100
    return found


def at_rest(craft):
    return craft.linearize(craft.at_rest())


def rigid(reduced):
    return plant.Spacecraft(plant.RigidBody(reduced.modes.inertia, mass=reduced.modes.mass))


def fly(craft, law, duration, attitude, *, step=1e-3, output_step=0.05):
    return sim.simulate(
        craft, law, attitude=attitude, duration=duration, integrator="gauss4", step=step, output_step=output_step
    )


def strain(run):
    return run.values("strain_energy").sum(axis=1)


def on(model, law):
    """The same law in the loop of a different model."""
    return controllers.LinearFeedback(law.compensator, model, sample=law.sample, delay=law.delay)


def slowest(law):
    return np.log(law.closed_loop_poles()[0]) / SAMPLE


def test_regulator_from_reduced_model_flies_mesh(craft, reduced):
    """With a delay of one sample the modes are damped; the mesh rotates like hub and modes, and comes to rest."""
    flown = reduced.spacecraft()
    law = controllers.lqr(at_rest(flown), **{**WEIGHTS, "delay": SAMPLE})
    run = fly(craft, law, 6.0, TURN)
    angle = 2 * np.abs(run.values("attitude")[:, 1:]).max(axis=1)
    assert run.status == "completed"
    assert angle[-1] < 0.2 * angle[0]
    assert strain(run)[-20:].max() < 0.15 * strain(run).max()
    small = sim.simulate(flown, law, attitude=TURN, duration=6.0, integrator="rk4", step=1e-3, output_step=0.05)
    gap = np.abs(small["attitude"].values - run.values("attitude"))
    assert gap.max() < 1e-5 * angle[0]


def test_instability_is_foretold_and_seen(craft, reduced):
    """With a delay of two samples a regulator for the rigid spacecraft excites the arms at 40 Hz; the reduced model
    predicts the growth.
    """
    law = controllers.lqr(at_rest(rigid(reduced)), **WEIGHTS)
    assert abs(law.closed_loop_poles()[0]) < 1  # the rigid model does not show it
    model = at_rest(reduced.spacecraft())
    with pytest.raises(DesignError, match="does not stabilise the sampled loop with every state"):
        controllers.lqr(model, **WEIGHTS)
    foretold = slowest(on(model, controllers.LinearFeedback(law.compensator, law.model, sample=SAMPLE, delay=LATE)))
    assert abs(foretold.imag) / (2 * np.pi) == pytest.approx(40.0, abs=0.1)
    assert foretold.real > 1.5
    run = fly(craft, law, 4.0, from_rotation_vector((0, 1e-3, 0)))
    energy = strain(run)
    window = (run.t > 1.5) & (run.t < 3.9)
    growth = 0.5 * np.polyfit(run.t[window], np.log(energy[window]), 1)[0]
    assert growth == pytest.approx(foretold.real, rel=0.04)
    exact = at_rest(craft)
    mesh = controllers.LinearFeedback.from_gain(law.gain, exact, sample=SAMPLE, delay=LATE)
    assert growth == pytest.approx(slowest(mesh).real, rel=0.01)


def test_notch_on_reduced_model_cures_it(craft, reduced):
    law = controllers.lqr(at_rest(rigid(reduced)), **WEIGHTS)
    model = at_rest(reduced.spacecraft())
    bare = controllers.LinearFeedback(law.compensator, model, sample=SAMPLE, delay=LATE)
    notched = controllers.filtered(bare, controllers.notch(reduced.free_frequencies[0], width=0.5, depth=0.05))
    assert on(at_rest(craft), notched).margins().axes[1].gain_up > 3.0
    run = fly(craft, notched, 6.0, TURN)
    angle = 2 * np.abs(run.values("attitude")[:, 1:]).max(axis=1)
    assert angle[-1] < 0.2 * angle[0]
    assert strain(run)[-20:].max() < 0.15 * strain(run).max()


def test_estimator_of_modes_flies_mesh(craft, reduced):
    """LQG includes 6 modes; the loop with all of them is equally stable, and its run comes to rest."""
    noise = {"torque_noise": 0.1, "attitude_noise": 1e-4, "rate_noise": 1e-4}
    timing = {"sample": SAMPLE_OF_SIX, "delay": SAMPLE_OF_SIX}
    law = controllers.lqg(at_rest(reduced.spacecraft()), **{**WEIGHTS, **noise, **timing})
    exact = at_rest(craft)
    poles, alone = on(exact, law).closed_loop_poles(), np.exp(SAMPLE_OF_SIX * exact.eigenvalues())
    fed_back = np.abs(poles[:, None] - alone).min(axis=1) > 1e-7  # not if both arms bend the same way
    assert np.abs(poles).max() < 1.0
    assert np.abs(poles[fed_back]).max() == pytest.approx(np.abs(law.closed_loop_poles()[0]), abs=1e-6)
    run = fly(craft, law, 3.0, TURN, step=law.sample, output_step=law.sample)
    predicted = sim.simulate(reduced.spacecraft(), law, attitude=TURN, duration=3.0, output_step=law.sample)
    gap = np.abs(predicted["attitude"].values - run.values("attitude"))
    assert gap.max() < 1e-4 * 0.3
    vibration = strain(run)
    assert vibration[run.t > 2.5].max() < 0.3 * vibration.max()
