"""Pointing budgets compared with closed forms and with simulated errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Block, BlockForm, Clock, ShapedNoise, blocks
from polhode.controllers.sensing.estimators import MEKF, farrenkopf
from polhode.controllers.sensing.sensors import RateGyro, StarTracker
from polhode.plant.errors import DesignError, InputError

J = np.array([[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]])
SPIN = np.array([0.0, 0.0, 0.5])


def craft_of(inertia: Any = J) -> Any:
    return plant.Spacecraft(plant.RigidBody(inertia), torques=plant.TorqueBasis("body", limit=100.0))


@pytest.fixture(scope="module")
def craft():
    return craft_of((10.0, 10.0, 10.0))


def law_on(craft, sample=0.1, frequency=0.5) -> Any:
    return controllers.quaternion_feedback(craft, frequency=frequency, damping_ratio=0.7, sample=sample)


def on_sensors(*, tracker_every=0.1, latency=0.2, noise=3e-5, walk=3e-6, field=1.5e-5) -> Any:
    gyro = RateGyro(angle_random_walk=noise, rate_random_walk=walk, bias=1e-5)
    tracker = StarTracker(
        noise=4e-5, roll_noise=3e-4, delay=latency, field_noise=field, field_roll_noise=3.0 * field,
        field_time=20.0 if field else None, mounting=(0.5, 0.5, 0.5, 0.5),
    )  # fmt: skip
    first, other = gyro.block(sample=0.1), tracker.block(sample=tracker_every)
    mekf = MEKF(noise, walk).block(
        first, [(tracker, other)], attitude=(1, 0, 0, 0), attitude_sigma=1e-3, bias_sigma=1e-5
    )
    return [first, other, mekf]


def test_budget_of_white_torque_matches_closed_form(craft):
    """J theta'' + PD: variance q^2/(J^2 4 zeta wn^3)."""
    budget = controllers.pointing_budget(
        law_on(craft, sample=1e-3), craft.linearize(craft.at_rest()), window=5.0, torque_noise=(1e-4, 2e-4, 0.0)
    )
    closed = 1e-4 / np.sqrt(100.0 * 4.0 * 0.7 * 0.5**3)
    # 2e-4: half a sample of delay reduces the damping by 1 part in 1,400
    np.testing.assert_allclose(budget.pointing.absolute[0], (closed, 2.0 * closed, 0.0), rtol=2e-4 * 5)
    total = budget.pointing.total()
    np.testing.assert_allclose(total[0] ** 2, total[1] ** 2 + total[2] ** 2, rtol=1e-12)
    assert budget.sources == ("torque",)


def test_budget_warns_when_noise_saturates_the_torque():
    """The command of the linear loop equals that of a run, within the accuracy of 2,800 samples. With a limit below
    3 sigma the budget warns, and the run saturates as often as predicted."""
    told = []
    for limit in (100.0, 0.05):
        craft = plant.Spacecraft(plant.RigidBody((10.0, 10.0, 10.0)), torques=plant.TorqueBasis("body", limit=limit))
        law, around = law_on(craft), [blocks.noise(5e-3, reads="rate", sample=0.1)]
        budget = controllers.pointing_budget(law, craft.linearize(craft.at_rest()), window=1.0, blocks=around)
        run = sim.simulate(
            craft, law, blocks=around, duration=300.0, output_step=0.1, integrator="rk4", step=0.1, seed=1
        )
        told.append((budget, run, sim.pointing_errors(run, window=1.0, start=20.0)))
    (free, run, flown), (cut, _, often) = told
    late = run.t >= 20.0
    np.testing.assert_allclose(np.std(run.values("command")[late], axis=0), free.command, rtol=0.05)
    assert not free.words
    assert flown.limited == 0.0
    np.testing.assert_array_equal(cut.command, free.command)
    assert any(
        "N m (1 sigma) of torque component" in each and "above the 0.05 available: it saturates" in each
        for each in cut.words
    )
    # one of three components exceeds its limit, each with the Gaussian probability
    beyond = 1.0 - (1.0 - 2.0 * (1.0 - normal(0.05 / free.command[0]))) ** 3
    assert often.limited == pytest.approx(beyond, rel=0.2)
    assert str(cut).count("left out: noise demands") == 1


def normal(x: float) -> float:
    return 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))


def test_budget_of_gauss_markov_error_over_its_window(craft):
    """If time constant and window are equal the mean keeps 0.735758882 of the variance."""
    tracker = StarTracker(noise=1e-14, roll_noise=1e-14, field_noise=1e-5, field_roll_noise=1e-5, field_time=20.0)
    budget = controllers.pointing_budget(
        law_on(craft), craft.linearize(craft.at_rest()), window=20.0, blocks=[tracker.block(sample=0.1, shadows=True)]
    )
    n, p = 200, np.exp(-0.1 / 20.0)
    k = np.arange(1, n)
    sampled = (n + 2.0 * ((n - k) * p**k).sum()) / n**2
    assert sampled == pytest.approx(0.735758882, rel=1e-4)
    shares = budget.knowledge.mean**2 / 1e-10
    np.testing.assert_allclose(shares[list(budget.sources).index("star_tracker: errors of the field")], sampled)


def test_budget_knowledge_error_is_farrenkopf_steady_state(craft):
    gyro, tracker = RateGyro(angle_random_walk=1e-4, rate_random_walk=1e-5), StarTracker(noise=1e-3, roll_noise=1e-3)
    first, other = gyro.block(sample=0.1), tracker.block(sample=0.1)
    mekf = MEKF(1e-4, 1e-5).block(
        first, [(tracker, other)], attitude=(1, 0, 0, 0), attitude_sigma=1e-3, bias_sigma=1e-5
    )
    budget = controllers.pointing_budget(
        law_on(craft), craft.linearize(craft.at_rest()), window=5.0, blocks=[first, other, mekf]
    )
    steady = farrenkopf(angle_noise=1e-3, gyro_noise=1e-4, gyro_walk=1e-5, sample=0.1)
    np.testing.assert_allclose(budget.knowledge.total()[0], steady.angle_after, rtol=1e-9)


def test_budget_density_integrates_to_the_variance(craft):
    blocks_ = on_sensors(tracker_every=0.5)
    budget = controllers.pointing_budget(law_on(craft), craft.linearize(craft.at_rest()), window=5.0, blocks=blocks_)
    random = [n for n, name in enumerate(budget.sources) if "switch-on" not in name]
    held = np.trapezoid(budget.density[random], budget.frequency, axis=2)
    held += budget.density[random][:, :, 0] * budget.frequency[0]
    np.testing.assert_allclose(held, budget.pointing.absolute[random] ** 2, rtol=5e-3, atol=1e-17)


def test_budget_bias_is_removed_by_filter_and_grows_without(craft):
    model = craft.linearize(craft.at_rest())
    found = controllers.pointing_budget(law_on(craft), model, window=5.0, blocks=on_sensors())
    bias = found.sources.index("gyro: bias at switch-on")
    assert not found.pointing.absolute[bias].any()
    bare = RateGyro(angle_random_walk=1e-5, rate_random_walk=1e-7, bias=1e-5).block(sample=0.1, shadows=True)
    budget = controllers.pointing_budget(law_on(craft), model, window=5.0, blocks=[bare])
    walk, bias = (budget.sources.index(f"gyro: {name}") for name in ("rate random walk", "bias at switch-on"))
    assert np.isinf(budget.pointing.absolute[walk]).all()
    # a law with gains kp and kd responds to a rate bias b with an error of b kd/kp = b 2 zeta/wn
    np.testing.assert_allclose(budget.pointing.absolute[bias], 1e-5 * 2.8, rtol=1e-9)
    np.testing.assert_allclose(budget.pointing.mean[bias], 1e-5 * 2.8, rtol=1e-9)
    assert not budget.pointing.relative[bias].any()


def test_budget_includes_rounding_and_command_noise(craft):
    model = craft.linearize(craft.at_rest())
    step = blocks.quantizer(1e-3, reads="command", sample=0.1)
    noise = blocks.noise(1e-3 / np.sqrt(12.0), reads="command", sample=0.1)
    one, other = (
        controllers.pointing_budget(law_on(craft), model, window=5.0, blocks=[each]).pointing.total()
        for each in (step, noise)
    )
    np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "the loop has no noise source"),
        ({"torque_noise": -1.0}, "torque_noise"),
        ({"torque_noise": 1e-4, "confidence": 95.0}, "per cent"),
        ({"torque_noise": 1e-4, "window": 0.0}, "window"),
        ({"torque_noise": 1e-4, "window": 1e6}, "periods of the loop"),
    ],
)
def test_budget_rejects_bad_input(craft, more, words):
    with pytest.raises(InputError, match=words):
        controllers.pointing_budget(law_on(craft), craft.linearize(craft.at_rest()), **{"window": 5.0, **more})


def test_budget_rejects_random_block_without_stated_noise(craft):
    def drawing(t, y, q, z, v):
        v[:3] = y[:3]

    secret = Block(
        drawing, reads="rate", writes="rate", clock=Clock(0.1), random=True, linear=BlockForm(D=np.eye(3)), name="mine"
    )
    with pytest.raises(DesignError, match="'mine' draws random numbers, and its linear form does not state"):
        controllers.pointing_budget(law_on(craft), craft.linearize(craft.at_rest()), window=5.0, blocks=[secret])
    with pytest.raises(InputError, match="must be ShapedNoise of 3 numbers"):
        BlockForm(D=np.eye(3), noise=[ShapedNoise(source="two", D=np.eye(2))])


def test_budget_rejects_law_without_attitude(craft):
    law = controllers.RateDamping(gain=(1.0, 1.0, 1.0), sample=0.1)
    with pytest.raises(DesignError, match="does not control attitude"):
        controllers.pointing_budget(law, craft.linearize(craft.at_rest()), window=5.0, torque_noise=1e-4)


def test_budget_rejects_attitude_held_about_a_spin():
    craft = craft_of((8.0, 7.0, 10.0))
    model = craft.linearize(craft.state(attitude=(1, 0, 0, 0), rate=SPIN))
    late = StarTracker(noise=1e-5, roll_noise=1e-4, delay=0.2).block(sample=0.1, shadows=True)
    with pytest.raises(DesignError, match=r"'star_tracker' writes is 0.2 s old or held"):
        controllers.pointing_budget(law_on(craft), model, window=5.0, blocks=[late])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spin", "tracker_every", "latency"), [(0.0, 0.1, 0.2), (0.0, 1.0, 0.25), (0.5, 0.1, 0.2), (0.5, 1.0, 0.25)]
)
def test_simulated_errors_match_budget_within_3_per_cent(spin, tracker_every, latency):
    """RMS over the axes and 30,000 s: the slowest error of the filter lasts 10 s, so 0.3 % uncertainty remains."""
    craft = craft_of((8.0, 7.0, 10.0)) if spin else craft_of()
    rate = spin * np.array([0.0, 0.0, 1.0])
    state = craft.state(attitude=(1, 0, 0, 0), rate=rate)
    law = law_on(craft)
    chain = on_sensors(tracker_every=tracker_every, latency=latency)
    budget = controllers.pointing_budget(law, craft.linearize(state), window=10.0, blocks=chain)
    reference = controllers.SpinReference(attitude=(1, 0, 0, 0), rate=rate) if spin else None
    run = sim.simulate(
        craft, law, blocks=chain, state=state, reference=reference or controllers.FixedReference((1, 0, 0, 0)),
        duration=30000.0, output_step=0.1, integrator="rk4", step=0.1 if not spin else 0.05, seed=5,
    )  # fmt: skip
    flown = sim.pointing_errors(run, window=10.0, start=300.0)
    assert flown.knowledge is not None
    for predicted, measured in ((budget.pointing, flown.pointing), (budget.knowledge, flown.knowledge)):
        np.testing.assert_allclose(measured, predicted.total(), rtol=0.03)
    for name, value in flown.figures().items():
        assert value == pytest.approx(budget.figures()[name], rel=0.03)


@pytest.mark.parametrize(("friction", "noise", "says"), [(1e-3, 1e-4, True), (0.0, 1e-4, False)])
def test_budget_warns_of_drifting_wheel_momentum(friction, noise, says):
    wheels = plant.wheel_array(np.eye(3), inertia=0.05, torque_limit=1.0, friction=friction)
    craft = plant.Spacecraft(plant.RigidBody((40.0, 30.0, 20.0)), elements=wheels)
    model = craft.linearize(craft.at_rest())
    law = controllers.lqr(model, attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    budget = controllers.pointing_budget(law, model, window=1.0, torque_noise=noise)
    assert any("unloaded" in words for words in budget.words) == says
