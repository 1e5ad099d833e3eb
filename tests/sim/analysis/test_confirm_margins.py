"""Margins of many laws, each applied in the nonlinear simulation, which becomes unstable just beyond them."""

from types import SimpleNamespace

import numpy as np
import pytest

from polhode import controllers, plant, sim

INERTIA = np.array([[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]])
WEIGHTS = {"attitude": 25.0, "rate": 1.0, "effort": 1.0, "sample": 0.1}


@pytest.fixture(scope="module")
def craft():
    return plant.Spacecraft(plant.RigidBody(INERTIA), torques=plant.TorqueBasis("body", limit=1.0))


def lqr(craft, model):
    return controllers.lqr(model, **WEIGHTS)


def late_lqr(craft, model):
    return controllers.lqr(model, **WEIGHTS, delay=0.13)


def lqg(craft, model):
    return controllers.lqg(model, **WEIGHTS, torque_noise=1e-3, attitude_noise=1e-4, delay=0.05)


def lqi(craft, model):
    return controllers.lqi(model, **WEIGHTS, integral=0.3)


def quaternion_feedback(craft, model):
    return controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=1.0, sample=0.1)


def fast_and_late(craft, model):
    return controllers.quaternion_feedback(craft, frequency=2.0, damping_ratio=1.0, sample=0.1, delay=0.1)


@pytest.mark.parametrize(
    "design",
    [fast_and_late, *(pytest.param(d, marks=pytest.mark.slow) for d in (lqr, late_lqr, lqg, lqi, quaternion_feedback))],
)
def test_every_margin_is_met_within_a_thousandth(craft, design):
    law = design(craft, craft.linearize(craft.at_rest()))
    found = sim.confirm_margins(craft, law)
    kinds = [(row.input, row.kind) for row in found.rows]
    assert kinds.count(("all", "delay")) == 1
    assert sum(kind == "gain up" for _, kind in kinds) == 3
    assert sum(kind == "gain down" for _, kind in kinds) == (3 if design is lqi else 0)
    assert found.worst < 1e-3, str(found)


def test_gain_that_double_integrator_bears(craft):
    """Sampled and held, J theta'' = -f (k theta + c theta') leaves the unit circle at z = -1, f = 2 J / (c h)."""
    law = controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=1.0, sample=0.1)
    found = sim.confirm_margins(craft, law)
    assert [row.observed for row in found.rows if row.kind == "gain up"] == pytest.approx([100.0] * 3, rel=1e-3)


@pytest.mark.slow
def test_prediction_for_another_loop_is_found_out(craft, monkeypatch):
    """A linear loop with half the inertia: its gain margin is half of that of the spacecraft."""
    law = lqr(craft, craft.linearize(craft.at_rest()))
    other = plant.Spacecraft(plant.RigidBody(0.8 * INERTIA))

    def wrong(law):
        return SimpleNamespace(loop=lambda model, blocks=(): law.loop(other.linearize(other.at_rest())))

    monkeypatch.setitem(sim.confirm_margins.__globals__, "with_defaults", wrong)
    found = sim.confirm_margins(craft, law)
    assert [row.ratio for row in found.rows if row.kind == "gain up"] == pytest.approx([1.25] * 3, rel=1e-3)
    assert found.worst > 0.2


@pytest.mark.slow
def test_about_a_spin_and_with_a_wheel():
    wheel = plant.Wheel(axis=(0.0, 1.0, 0.0), inertia=0.5, friction=0.0, relative_rate=20.0)
    craft = plant.Spacecraft(plant.RigidBody((40.0, 30.0, 25.0)), elements=[wheel])
    model = craft.linearize(craft.at_rest())
    law = controllers.lqr(model, attitude=1.0, rate=1.0, effort=1.0, sample=0.25)
    assert sim.confirm_margins(craft, law).worst < 1e-3
    spinner = plant.Spacecraft(plant.RigidBody((400.0, 307.8, 200.0)))
    spin = spinner.linearize(spinner.spinning((0.0, 0.0, 0.1)))
    law = controllers.lqr(spin, **WEIGHTS)
    assert sim.confirm_margins(spinner, law).worst < 1e-3


def test_late_computer_delays_all_inputs():
    """Spinning at 4 rad/s: 1.6 s of delay at one input, 0.378 s at all inputs; computing time delays all inputs."""
    spinner = plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)))
    at = spinner.state(rate=(0.0, 0.0, 4.0))
    law = controllers.lqr(spinner.linearize(at), attitude=25.0, rate=100.0, effort=1.0, sample=0.05)
    spin = controllers.SpinReference(rate=(0.0, 0.0, 4.0))
    margins = law.margins()
    assert min(axis.delay_s for axis in margins.axes) > 1.6

    def grows(late, on):
        change = sim.ChangedLaw(law, late=late * np.array(on), ticks=10)
        return sim.growth(spinner, change, duration=1000.0, state=at, reference=spin) > 0.0

    assert not grows(0.97 * margins.delay_s, (1, 1, 1))
    assert grows(1.03 * margins.delay_s, (1, 1, 1))
    assert not grows(1.02 * margins.delay_s, (1, 0, 0))


def test_progress_and_json(craft):
    shares = []
    law = quaternion_feedback(craft, None)
    found = sim.confirm_margins(craft, law, progress=shares.append).to_dict()
    assert shares[-1] == 1.0
    assert shares == sorted(shares)
    assert found["rows"][0]["input"] == "torque_1"
    assert found["rows"][0]["ratio"] == found["rows"][0]["observed"] / found["rows"][0]["predicted"]


def test_unstable_loop_has_no_margins(craft):
    law = quaternion_feedback(craft, None)
    backwards = controllers.QuaternionFeedback(
        inertia=INERTIA, stiffness=law.stiffness, damping=110.0 * law.damping, sample=0.1, torques=craft.torques
    )
    with pytest.raises(plant.DesignError, match="not stable"):
        sim.confirm_margins(craft, backwards)
