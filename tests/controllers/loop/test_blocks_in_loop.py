"""Blocks in the loop compared with the loop without them, with laws that contain them, and with runs."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Block, BlockForm, Clock

INERTIA = np.array([[3.0, 0.1, 0.0], [0.1, 2.0, -0.2], [0.0, -0.2, 1.5]])
GAINS = np.array([3.0, 2.5, 2.0])


def copy(t, y, q, z, v):
    for n in range(v.size):
        v[n] = y[n]


def smooth(t, y, q, z, v):
    """First order: z = q[0] z + (1 - q[0]) y."""
    for n in range(v.size):
        z[n] = q[0] * z[n] + (1.0 - q[0]) * y[n]
        v[n] = z[n]


def kept(t, y, q, z, v):
    """Output the last input."""
    for n in range(v.size):
        v[n] = z[n]
        z[n] = y[n]


def ahead(t, y, q, z, v):
    """Output the rate a little later under the torque in force."""
    for n in range(3):
        v[n] = y[n] + q[0] * y[3 + n]


def with_momentum(t, y, r, q, z, u):
    """Torque from rate and momentum, which a filter of the rate makes inconsistent."""
    for n in range(3):
        u[n] = -0.5 * y[4 + n] * 4.0 - 0.8 * y[n] - 0.4 * y[7 + n]


@pytest.fixture(scope="module")
def craft():
    return plant.Spacecraft(plant.RigidBody(INERTIA), torques=plant.TorqueBasis("body", limit=50.0))


@pytest.fixture(scope="module")
def model(craft):
    return craft.linearize(craft.at_rest())


def law_of(craft, **timing) -> Any:
    return controllers.quaternion_feedback(craft, **{"frequency": 0.8, "damping_ratio": 0.7, "sample": 0.1, **timing})


def lag(signal="rate", share=0.7, **more) -> Any:
    clock = Clock(more.pop("sample", 0.1), offset=more.pop("offset", 0.0), delay=more.pop("delay", 0.0))
    width = 4 if signal == "attitude" else 3
    rests = (1, 0, 0, 0) if signal == "attitude" else (0, 0, 0)
    assert len(rests) == width
    return Block(smooth, reads=signal, writes=signal, parameters=(share,), memory=rests, clock=clock, **more)


def figures(margins) -> Any:
    found = margins.to_dict()
    rows = [[axis[name] for name in axis if name != "input"] for axis in found["axes"]]
    rows.append(list(found["all_inputs"].values()))
    return [np.nan if each is None else each for row in rows for each in row]


@pytest.mark.thinned(4)
@pytest.mark.parametrize("delay", [0.0, 0.13, 0.2])
@pytest.mark.parametrize("signal", ["attitude", "rate", "momentum", "reference", "command"])
def test_copy_block_changes_no_margin(model, delay, signal):
    law = controllers.lqr(
        model, attitude=25.0, rate=1.0, effort=1.0, sample=0.1, delay=0.0 if signal == "command" else delay
    )
    block = Block(copy, reads=signal, writes=signal, clock=Clock(0.1))
    alone, beside = law.margins(model), law.margins(model, blocks=[block])
    if signal == "command":  # a later command waits for the next sample of the block: see the delay below
        alone, beside = (replace(each, axes=(), delay_s=0.0) for each in (alone, beside))
    # 1e-9: crossings are refined to 1e-13 of frequency, on loops of different size
    np.testing.assert_allclose(figures(beside), figures(alone), rtol=1e-9)
    ours, theirs = (np.abs(each.closed_loop_poles) for each in (beside, alone))
    slow = theirs > 1e-3  # several dead-beat poles at zero: rounding moves them far
    np.testing.assert_allclose(ours[: slow.sum()], theirs[slow], rtol=0, atol=1e-9)
    assert (ours[slow.sum() :] < 1e-3).all()


@pytest.mark.parametrize("wait", [0.04, 0.1, 0.27])
def test_delay_of_block_equals_delay_of_law(craft, model, wait):
    late = Block(copy, reads="command", writes="command", clock=Clock(0.1, delay=wait))
    block, law = law_of(craft).loop(model, blocks=[late]), replace(law_of(craft), delay=wait).loop(model)
    angles = np.geomspace(1e-3, np.pi, 50)
    responses = [loop.broken((0, 1, 2)).response(angles) for loop in (block, law)]
    np.testing.assert_allclose(*responses, rtol=1e-11, atol=1e-11 * np.abs(responses[1]).max())
    assert block.radius() == pytest.approx(law.radius(), abs=1e-13)


def test_delay_of_measurement_equals_delay_of_command(craft, model):
    """A delay before a linear law equals one after it."""
    both = [Block(copy, reads=name, writes=name, clock=Clock(0.1, delay=0.1)) for name in ("attitude", "rate")]
    angles = np.geomspace(1e-3, np.pi, 50)
    front = law_of(craft).loop(model, blocks=both).broken((0, 1, 2)).response(angles)
    behind = replace(law_of(craft), delay=0.1).loop(model).broken((0, 1, 2)).response(angles)
    np.testing.assert_allclose(front, behind, rtol=1e-11, atol=1e-11 * np.abs(behind).max())


def test_filter_block_on_command_equals_filtered_law(model):
    """A low-pass after the law, discretised as in `filtered`."""
    law = controllers.lqr(model, attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    folded = controllers.filtered(law, controllers.roll_off(30.0))
    import control as ct

    analog = ct.ss(controllers.roll_off(30.0).to_control())
    one = ct.sample_system(analog, 0.1, method="bilinear", prewarp_frequency=30.0)
    A, B, C, D = (np.kron(np.eye(3), np.asarray(each)) for each in (one.A, one.B, one.C, one.D))
    block = Block(copy, reads="command", writes="command", clock=Clock(0.1), linear=BlockForm(A=A, B=B, C=C, D=D))
    np.testing.assert_allclose(
        figures(replace(law.margins(model, blocks=[block]), axes=(), delay_s=0.0)),
        figures(replace(folded.margins(model), axes=(), delay_s=0.0)),
        rtol=1e-9,
    )


def test_filter_block_on_measurement_equals_law_with_filter(model):
    share, one, none = 0.7, np.eye(3), np.zeros((3, 3))
    turn, rate = -np.diag(GAINS), -2.0 * np.diag(GAINS)
    bare = controllers.LinearFeedback(controllers.Compensator.static(np.hstack((turn, rate))), model, sample=0.1)
    folded = controllers.LinearFeedback(
        controllers.Compensator(
            A=share * one,
            B=np.hstack((none, (1.0 - share) * one)),
            C=share * rate,
            D=np.hstack((turn, (1.0 - share) * rate)),
            tracking=none,
        ),
        model,
        sample=0.1,
    )
    np.testing.assert_allclose(figures(bare.margins(model, blocks=[lag()])), figures(folded.margins(model)), rtol=1e-9)


def flown(craft, law, blocks, samples, every=1) -> Any:
    """Return states of a small motion at the law's samples: momentum, Euler parameters."""
    run = sim.simulate(
        craft, law, blocks=blocks, attitude=(1.0, 1e-7, -2e-7, 1.5e-7), rate=(2e-7, -1e-7, 1e-7), integrator="rk8",
        step=0.01, output_times=np.arange(samples + 1) * law.sample * every, duration=samples * law.sample * every,
        ledger=False,
        seed=1,
    )  # fmt: skip
    return np.hstack((2.0 * run["attitude"].values[:, 1:], run["momentum"].values))


SETS: dict[str, Any] = {
    "in front, faster": [lag(sample=0.05, offset=0.01, delay=0.013)],
    "on both sides": [lag(sample=0.02), lag("command", 0.5, sample=0.05, offset=0.03, delay=0.27)],
    "attitude and rate": [lag("attitude", 0.4, delay=0.04), lag(sample=0.1, offset=0.03)],
    "one behind the other": [
        Block(copy, reads="rate", writes={"gyro": 3}, clock=Clock(0.025, delay=0.01)),
        Block(kept, reads="gyro", writes="rate", clock=Clock(0.05), memory=(0, 0, 0)),
        Block(copy, reads="command", writes={"wheel": 3}, clock=Clock(0.1)),
        lag("command", 0.3, sample=0.02),
    ],
    "what is in force": [
        Block(ahead, reads=("rate", "applied"), writes="rate", clock=Clock(0.1), parameters=(0.05,)),
        lag(sample=0.05),
    ],
}
SETS["one behind the other"][3] = Block(
    smooth, reads="wheel", writes="command", clock=Clock(0.02), parameters=(0.3,), memory=(0, 0, 0)
)
SLOWER: dict[str, Any] = {
    "slower": [lag(sample=0.2, delay=0.03)],
    "no multiple": [lag(sample=0.03, offset=0.01)],
    "slower, on both sides": [lag("attitude", 0.3, sample=0.25), lag("command", 0.5, sample=0.15, delay=0.05)],
}


def off_the_loop(craft, law, blocks, loop) -> Any:
    """Return the relative distance of a simulated motion from all motions of the linear loop."""
    if loop.repeats > 1:
        closed = loop._monodromy((0.0, 0.0, 0.0), np.ones(3))
    else:
        F, G, K = loop.matrices()
        closed = F - G @ K
    n = len(closed)
    rows = [np.hstack((np.diag(loop.T), np.zeros((6, n - 6))))]  # attitude error and momentum
    for _ in range(n + 10):
        rows.append(rows[-1] @ closed)
    start = 3  # before that blocks pass on initial values
    motion = flown(craft, law, blocks, start + len(rows), loop.repeats)[start : start + len(rows)].ravel()
    all_rows = np.vstack(rows)
    best = np.linalg.lstsq(all_rows, motion, rcond=1e-13)[0]
    return float(np.abs(motion - all_rows @ best).max() / np.abs(motion).max())


@pytest.mark.parametrize("name", [*SETS, *SLOWER])
@pytest.mark.parametrize("delay", [0.0, 0.13])
def test_small_motion_with_blocks_follows_the_poles(craft, model, name, delay):
    """Compares all states of the loop, not only the slowest mode."""
    blocks = {**SETS, **SLOWER}[name]
    law = law_of(craft, delay=delay)
    loop = law.loop(model, blocks=blocks)
    assert (loop.repeats > 1) == (name in SLOWER)
    assert off_the_loop(craft, law, blocks, loop) < 2e-6  # products of angles of 1e-7


@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", ["in front, faster", "on both sides"])
def test_predicted_loop_with_blocks_matches_simulation(craft, model, name):
    law = law_of(craft, delay=0.07)
    found = sim.confirm_margins(craft, law, model=model, blocks=SETS[name])
    assert len(found.rows) >= 7
    assert found.worst < 5e-3, str(found)  # a delay with blocks behind the law steps, on a grid of a two-hundredth


def test_rounding_block_simulates_as_its_form(craft, model):
    """An error of 1e-6 rad is within a step: it would neither grow nor decay."""
    rounding = controllers.blocks.quantizer(0.01, reads="command", sample=0.1)
    found = sim.confirm_margins(craft, law_of(craft), model=model, blocks=[rounding])
    assert found.worst < 5e-3, str(found)
    odd = controllers.Block(
        copy, reads="rate", writes="rate", clock=controllers.Clock(0.1), linear=BlockForm(D=2 * np.eye(3), words="x")
    )
    with pytest.raises(plant.DesignError, match="the block 'copy' differs from its linear form in the margins"):
        sim.confirm_margins(craft, law_of(craft), model=model, blocks=[odd])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["slower", "no multiple"])
def test_margins_with_other_block_periods_are_confirmed_by_runs(craft, model, name):
    law = law_of(craft)
    margins = law.margins(model, blocks=SLOWER[name])
    assert 0.0 < margins.phase_deg < 90.0
    assert "have a common sample only after" in margins.periodic
    assert margins.periodic in str(margins)
    assert margins.to_dict()["axes"][0]["crossover_rad_s"] is None
    found = sim.confirm_margins(craft, law, model=model, blocks=SLOWER[name])
    assert found.worst < 5e-3, str(found)


@pytest.mark.parametrize(
    ("period", "offset", "delay", "waits"), [(0.1, 0.0, 0.0, 0.0), (0.05, 0.02, 0.0, 0.02), (0.1, 0.03, 0.05, 0.08)]
)
def test_later_command_waits_for_the_block(craft, model, period, offset, delay, waits):
    """Its delay margin is a whole wait: just below the loop is as stable as before, just above it is not."""
    law = law_of(craft, delay=delay)
    loop = law.loop(model, blocks=[Block(copy, reads="command", writes="command", clock=Clock(period, offset=offset))])
    margin = loop.margins().delay_s
    left = (margin - waits) / period
    assert left == pytest.approx(round(left), abs=1e-9)
    assert loop.radius([margin] * 3) < 1.0 < loop.radius([margin + 1e-6] * 3)
    assert all(loop.radius([share * margin] * 3) < 1.0 for share in np.linspace(0.0, 1.0, 40))


@pytest.mark.parametrize("delay", [0.0, 0.07])
def test_margins_of_law_on_raw_measurements(craft, model, delay):
    """A gyro measures the mean rate of its interval; a tracker is late. Without noise both run as their forms."""
    gyro = controllers.sensors.RateGyro(
        angle_random_walk=0.0, errors=np.diag((0.02, -0.01, 0.03)), mounting=(0.8, 0.0, 0.6, 0.0)
    )
    tracker = controllers.sensors.StarTracker(noise=1e-18, roll_noise=1e-18, delay=delay)
    made = [gyro.block(sample=0.05, shadows=True), tracker.block(sample=0.1, shadows=True)]
    law = law_of(craft)
    assert off_the_loop(craft, law, made, law.loop(model, blocks=made)) < 2e-6
    assert off_the_loop(craft, law, made, law.loop(model)) > 1e-3
    margins = law.margins(model, blocks=made)
    assert margins.phase_deg < law.margins(model).phase_deg - 1.0
    own = gyro.block(sample=0.05).small_signal([1, 0, 0, 0, 0, 0, 0], width=5)
    assert np.shape(own.D) == (5, 7)


def test_loop_separates_momentum_and_filtered_rate(craft, model):
    law = controllers.CustomLaw(with_momentum, sample=0.1)
    blocks = [lag(share=0.9)]
    assert off_the_loop(craft, law, blocks, law.loop(model, blocks=blocks)) < 2e-6
    assert off_the_loop(craft, law, blocks, law.loop(model)) > 1e-3


@pytest.mark.slow
def test_delay_margin_of_slow_loop_with_block(craft, model):
    """A hundred samples of delay: estimated from the phase where possible, tracked otherwise."""
    law = law_of(craft, frequency=0.05)
    within = law.margins(model, blocks=[Block(copy, reads="command", writes="command", clock=Clock(0.1))]).delay_s
    alone = law.margins(model).delay_s
    assert 80 * 0.1 < alone < 190 * 0.1
    assert alone - 0.1 <= within <= alone


@pytest.mark.slow  # poles of loops with hundreds of commands under way
def test_slow_loop_of_another_period_is_computed_to_its_limit(craft, model):
    slower = [Block(copy, reads="rate", writes="rate", clock=Clock(0.2))]
    law = law_of(craft, frequency=0.05)
    assert law.margins(model, blocks=slower).delay_s == pytest.approx(law.margins(model).delay_s, abs=0.2)
    far = law_of(craft, frequency=0.005).margins(model, blocks=slower)
    assert np.isnan(far.delay_s)
    assert "a delay margin of more than 200 samples was not looked for" in far.periodic


@pytest.mark.slow
def test_analyse_accepts_blocks(craft, model):
    law = law_of(craft)
    blocks = [lag(sample=0.05), lag("command", 0.5)]
    found: Any = controllers.analyse(law, model, blocks=blocks)
    alone: Any = controllers.analyse(law, model)
    assert found.disk_both.simultaneous.alpha < alone.disk_both.simultaneous.alpha
    assert found.margins.axes[0].disk == pytest.approx(found.disk_input.channels[0].alpha, rel=1e-6)
    ends = [[row["final"] for row in one.step.figures()] for one in (found, alone) if one.step is not None]
    np.testing.assert_allclose(*ends, rtol=1e-9)  # a filter of gain 1 does not change a steady state
    pushed = [[row["final"] for row in one.disturbance.figures()] for one in (found, alone) if one.disturbance]
    np.testing.assert_allclose(*pushed, rtol=1e-9)
    slower = controllers.analyse(law, model, blocks=[lag(sample=0.2)])
    assert "have a common sample only after 2 samples of the law" in str(slower)
    assert slower.step is slower.disturbance is None
    assert slower.disk_input is not None
    assert slower.to_dict()["disk_margins"]["both"]["simultaneous"]["alpha"] < slower.disk_input.simultaneous.alpha
    slow, its = controllers.analyse(law, model, blocks=[lag(sample=0.1)]).modes[0], slower.modes[0]
    assert its.frequency_rad_s == pytest.approx(slow.frequency_rad_s, rel=0.3)


def test_loop_of_spin_with_attitude(craft):
    spinner = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)))
    spin = spinner.linearize(spinner.state(rate=(0.0, 0.0, 0.5)))
    law = law_of(spinner)
    filtered = lag(linear=BlockForm(A=0.7 * np.eye(3), B=0.3 * np.eye(3), C=0.7 * np.eye(3), D=0.3 * np.eye(3)))
    assert law.loop(spin, blocks=[filtered]).radius() < 1.0
    with pytest.raises(plant.DesignError, match="'smooth' processes its attitude, which is not constant there"):
        law.loop(spin, blocks=[lag("attitude")])


def test_loops_without_common_period_are_rejected(craft, model):
    with pytest.raises(plant.DesignError, match="have a common sample only after 99,999 samples"):
        law_of(craft).loop(model, blocks=[lag(sample=0.099999)])
