"""Sampled blocks in series with the law: on time, and without effect on other signals."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Block, Clock
from polhode.sim.engine import indices
from polhode.sim.engine.loop import Loop

SCHEMES = {
    "rk4": {"integrator": "rk4", "step": 0.02},
    "rk8": {"integrator": "rk8", "step": 0.05},
    "dop853": {"integrator": "dop853"},
}
START = {"attitude": (0.8, 0.0, 0.6, 0.0), "rate": (0.1, -0.2, 0.3)}
GAINS = np.array([3.0, 2.5, 2.0])  # N m/rad, and twice of that in N m s/rad


def copy(t, y, q, z, v):
    for n in range(v.size):
        v[n] = y[n]


def smooth(t, y, q, z, v):
    """First order: z = q[0] z + (1 - q[0]) y."""
    for n in range(3):
        z[n] = q[0] * z[n] + (1.0 - q[0]) * y[n]
        v[n] = z[n]


def stamp(t, y, q, z, v):
    """The time of its sample in place of its input."""
    for n in range(v.size):
        v[n] = t


def show_rate(t, y, r, q, z, u):
    """The command is the rate that the law received."""
    u[0], u[1], u[2] = y[7], y[8], y[9]


def show_time(t, y, r, q, z, u):
    u[0], u[1], u[2] = t, t, t


def double(t, y, q, z, v):
    for n in range(3):
        v[n] = 2.0 * y[n] + q[0]


def broken(t, y, q, z, v):
    for n in range(3):
        v[n] = y[n] if t < 0.35 else np.nan


def beyond(t, y, q, z, v):
    v[7] = y[0]


def one_too_many(t, y, q, z, v):
    for n in range(3):
        v[n] = y[n]


def raises(t, y, q, z, v):
    if t > 0.35:
        raise ValueError("no more")
    for n in range(3):
        v[n] = y[n]


@pytest.fixture(scope="module")
def craft():
    body = plant.RigidBody(((3.0, 0.1, 0.0), (0.1, 2.0, -0.2), (0.0, -0.2, 1.5)))
    return plant.Spacecraft(body, torques=plant.TorqueBasis("body", limit=0.6))


@pytest.fixture(scope="module")
def heavy():
    """So heavy that no command moves it, and a ball, whose rate is constant."""
    return plant.Spacecraft(plant.RigidBody((3e9, 3e9, 3e9)))


def law_of(craft, **timing) -> Any:
    timing = {"sample": 0.1, **timing}
    return controllers.quaternion_feedback(craft, frequency=0.8, damping_ratio=0.7, **timing)


def fly(craft, law, blocks=(), **more) -> Any:
    return sim.simulate(craft, law, **{"duration": 3.0, "output_step": 0.1, "blocks": blocks, **START, **more})


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("signal", ["momentum", "attitude", "rate", "reference", "command"])
def test_block_that_copies_changes_nothing(craft, scheme, signal):
    law = law_of(craft, delay=0.0 if signal == "command" else 0.13)
    alone = fly(craft, law, **SCHEMES[scheme])
    copies = [Block(copy, reads=signal, writes=signal, clock=Clock(0.1))] * 3
    for blocks in (copies[:1], copies):
        run = fly(craft, law, blocks, **SCHEMES[scheme])
        np.testing.assert_array_equal(run.states, alone.states)  # bitwise
        np.testing.assert_array_equal(run.inputs, alone.inputs)
        assert run.counters == alone.counters


def test_no_blocks_are_no_blocks(craft):
    law = law_of(craft)
    np.testing.assert_array_equal(
        fly(craft, law, []).states, sim.simulate(craft, law, duration=3.0, output_step=0.1, **START).states
    )


@pytest.mark.parametrize("lag", [0.1, 0.04, 0.27])
def test_block_that_delays_command_is_law_with_more_delay(craft, lag):
    late = Block(copy, reads="command", writes="command", clock=Clock(0.1, delay=lag))
    run = fly(craft, law_of(craft), [late], **SCHEMES["rk8"])
    law = law_of(craft)
    other = fly(craft, replace(law, delay=lag), **SCHEMES["rk8"])
    # instants k T + delay are computed in two ways, which differ by a unit in the last place of the time
    np.testing.assert_allclose(run.states, other.states, rtol=0, atol=1e-13)
    assert np.abs(run.states - fly(craft, law, **SCHEMES["rk8"]).states).max() > 1e-4


def test_filter_is_law_with_filter_folded_in(craft):
    share = 0.7
    turn, rate = -np.diag(GAINS), -2.0 * np.diag(GAINS)
    one, none = np.eye(3), np.zeros((3, 3))
    model = craft.linearize(craft.at_rest())
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
    lag = Block(smooth, reads="rate", writes="rate", clock=Clock(0.1), parameters=(share,), memory=(0, 0, 0))
    run, other = fly(craft, bare, [lag], **SCHEMES["rk8"]), fly(craft, folded, **SCHEMES["rk8"])
    np.testing.assert_allclose(run.states, other.states, rtol=0, atol=1e-13)  # the sums are in a different order
    assert np.abs(run.states - fly(craft, bare, **SCHEMES["rk8"]).states).max() > 1e-3


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(("offset", "delay"), [(0.0, 0.0), (0.02, 0.0), (0.02, 0.017), (0.0, 0.2)])
def test_each_runs_at_its_own_period_offset_and_delay(heavy, compiled, offset, delay):
    law = controllers.CustomLaw(show_rate, sample=0.1)
    block = Block(stamp, reads="rate", writes="rate", clock=Clock(0.03, offset=offset, delay=delay))
    run = fly(
        heavy, law, [block], rate=(5.0, 5.0, 5.0), compiled=compiled, integrator="rk4", step=0.1, output_times=[2.95]
    )
    told, t = run.values("command")[:-1, 0], run.t[:-1]  # at the very end there is no sample
    asked = np.floor(t / 0.1 + 1e-9) * 0.1  # the law's last sample
    rank = np.floor((asked - offset - delay) / 0.03 + 1e-9)
    expected = np.where(rank >= 0.0, offset + 0.03 * rank, 5.0)  # before its first output: the initial rate
    np.testing.assert_allclose(told, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize(("offset", "delay"), [(0.0, 0.0), (0.1, 0.06)])
def test_behind_the_law_commands_act_at_the_blocks_own_instants(heavy, offset, delay):
    law = controllers.CustomLaw(show_time, sample=0.1)
    hold = Block(copy, reads="command", writes="command", clock=Clock(0.25, offset=offset, delay=delay))
    at = np.random.default_rng(3).uniform(0.0, 3.0, 80)
    run = fly(heavy, law, [hold], integrator="rk4", step=0.1, output_times=at, output_step=None)
    rank = np.floor((run.t - offset - delay) / 0.25 + 1e-9)
    sampled = np.floor((offset + 0.25 * rank) / 0.1 + 1e-9) * 0.1
    np.testing.assert_allclose(run.values("command")[:, 0], np.where(rank >= 0.0, sampled, 0.0), rtol=0, atol=1e-14)


def test_signals_of_ones_own_go_from_block_to_block(heavy):
    gyro = Block(double, reads="rate", writes={"gyro": 3}, clock=Clock(0.1), parameters=(1.0,), name="gyro")
    back = Block(copy, reads="gyro", writes="rate", clock=Clock(0.2))
    run = fly(heavy, controllers.CustomLaw(show_rate, sample=0.1), [gyro, back])
    # 1.6 N m on 3e9 kg m^2 for three seconds give 1.6e-9 rad/s, which is doubled
    np.testing.assert_allclose(run.values("command"), np.tile((1.2, 0.6, 1.6), (run.t.size, 1)), rtol=0, atol=4e-9)


def test_block_reads_what_is_in_force_and_what_is_to_be_followed(heavy):
    def told(t, y):
        seen.append((t, *y))
        return y[3:6]

    seen: list[Any] = []
    watch = Block(told, reads=("applied", "rate", "reference"), writes="rate", clock=Clock(0.1), compiled=False)
    law = controllers.CustomLaw(show_time, sample=0.1, delay=0.15)
    fly(heavy, law, [watch], duration=0.4, reference=controllers.FixedReference((0.0, 1.0, 0.0, 0.0)))
    row = np.array(seen)
    np.testing.assert_allclose(row[:, 1], [0.0, 0.0, 0.0, 0.1], atol=1e-15)  # of the sample at 0.1, active since 0.25
    np.testing.assert_array_equal(row[:, 7:11], np.tile((0.0, 1.0, 0.0, 0.0), (4, 1)))


def test_block_command_is_limited_after_the_last_block(craft):
    twice = Block(double, reads="command", writes="command", clock=Clock(0.1), parameters=(0.0,))
    run = fly(craft, controllers.CustomLaw(show_time, sample=0.1), [twice])
    told = np.floor(run.t / 0.1 + 1e-9) * 0.1
    np.testing.assert_allclose(run.values("command")[:, 0], np.minimum(2.0 * told, 0.6), atol=1e-15)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_compiled_and_plain_python_are_the_same(craft, scheme):
    law = law_of(craft, delay=0.07)

    def plain(t, y):
        return 0.9 * y

    blocks = [
        Block(smooth, reads="rate", writes="rate", clock=Clock(0.05), parameters=(0.3,), memory=(0, 0, 0)),
        Block(plain, reads="rate", writes="rate", clock=Clock(0.1, offset=0.05, delay=0.01), compiled=False),
        Block(double, reads="command", writes="command", clock=Clock(0.1, delay=0.03), parameters=(0.01,)),
    ]
    fast = fly(craft, law, blocks, **SCHEMES[scheme])
    slow = fly(craft, law, blocks, compiled=False, **SCHEMES[scheme])
    assert fast.status == slow.status == "completed"
    # the same source; powers and trigonometry may differ in the last place
    np.testing.assert_allclose(slow.states, fast.states, rtol=0, atol=1e-14)
    assert slow.counters["steps"] == fast.counters["steps"]


@pytest.mark.parametrize("budget", [1, 3])
def test_pauses_change_nothing(craft, budget):
    law = law_of(craft, delay=0.07)
    blocks = [
        Block(smooth, reads="rate", writes="rate", clock=Clock(0.03, delay=0.05), parameters=(0.3,), memory=(0, 0, 0)),
        Block(lambda t, y: 0.5 * y, reads="command", writes="command", clock=Clock(0.05, offset=0.01), compiled=False),
    ]

    def loop():
        return Loop(
            craft, craft.state(**START), law, controllers.FixedReference(), pulses=(),
            scheme=sim.Scheme("rk4", step=0.02),
            duration=1.0, times=np.linspace(0, 1, 7), ledger=True, compiled=True, max_steps=10**6, pose_limit=1e-4,
            blocks=blocks,
        )  # fmt: skip

    whole, parts = loop(), loop()
    assert whole.advance(10**6) == indices.DONE
    while (status := parts.advance(budget)) == indices.PAUSED:
        pass
    assert status == indices.DONE
    for name in ("x", "u", "out_x", "out_u", "signals", "held", "block_z"):
        np.testing.assert_array_equal(getattr(parts.arrays, name), getattr(whole.arrays, name))


def test_run_that_is_stopped_keeps_what_it_has(craft):
    def stop(t, y):
        if t > 1.0:
            raise KeyboardInterrupt
        return y

    run = fly(craft, law_of(craft), [Block(stop, reads="rate", writes="rate", clock=Clock(0.1), compiled=False)])
    assert run.status == "stopped"
    assert 1.0 <= run.t[-1] < 1.2


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (
            Block(broken, reads="rate", writes="rate", clock=Clock(0.1)),
            r"no finite answer at t = 0\.4 s: the block 'broken' returned \(nan, nan, nan\) for rate",
        ),
        (
            Block(raises, reads="rate", writes="rate", clock=Clock(0.1)),
            r"the block 'raises' raised ValueError: no more",
        ),
        (
            Block(lambda t, y: y[: 3 - (t > 0.35)], reads="rate", writes="rate", clock=Clock(0.1), compiled=False),
            r"the block '<lambda>' returned 2 numbers at t = 0\.4 s, but writes 3: rate",
        ),
        (
            Block(lambda t, y: y if t < 0.35 else "no", reads="rate", writes="rate", clock=Clock(0.1), compiled=False),
            r"the block '<lambda>' returned 'no' at t = 0\.4 s; return numbers",
        ),
        (
            Block(
                lambda t, y: y if t < 0.35 else 1 / 0,
                reads="rate", writes="rate", clock=Clock(0.1), compiled=False, name="x",
            ),
            r"the block 'x' raised ZeroDivisionError at t = 0\.4 s: division by zero",
        ),
    ],
    ids=["not finite", "raises", "too few", "no numbers", "raises in Python"],
)  # fmt: skip
def test_block_that_fails_ends_run_in_its_name(craft, block, words):
    run = fly(craft, law_of(craft), [block])
    assert run.status == "failed"
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(run.reason)
    assert 0.3 < run.t[-1] < 0.5


def test_block_that_goes_beyond_its_arrays_is_refused(craft):
    with pytest.raises(plant.InputError, match=r"the block 'beyond' exceeds its arrays .*y has 3 numbers here"):
        fly(craft, law_of(craft), [Block(beyond, reads="rate", writes="rate", clock=Clock(0.1))])


def test_block_with_fewer_outputs_than_inputs_is_tried_at_its_size(craft):
    with pytest.raises(plant.InputError, match=r"the block 'one_too_many' exceeds its arrays .*y has 3 .*, v 2"):
        fly(
            craft, law_of(craft), [Block(one_too_many, reads="rate", writes={"pair": 2}, clock=Clock(0.1)).as_monitor()]
        )


def test_run_looks_at_loop_with_its_blocks(craft):
    late = Block(copy, reads="rate", writes="rate", clock=Clock(0.1, delay=0.05))
    assert not any("margins" in words or "pole" in words for words in fly(craft, law_of(craft), [late]).warnings)
    much = [Block(copy, reads="rate", writes="rate", clock=Clock(0.1, delay=2.0), name="old news")]
    words = (
        r"the law does not stabilise this spacecraft about its reference with the other blocks \('old news'\): .*pole"
    )
    assert not any("pole" in told for told in fly(craft, law_of(craft)).warnings)
    with pytest.raises(AssertionError, match=words):
        raise AssertionError("\n".join(fly(craft, law_of(craft), much).warnings))


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (
            Block(lambda t, y: y, reads="rate", writes="rate", clock=Clock(0.1), compiled=False),
            "'<lambda>' has no linear= f",
        ),
        (
            Block(stamp, reads="rate", writes="rate", clock=Clock(0.1)),
            "the block 'stamp' changes its output at constant input",
        ),
        (
            Block(double, reads="rate", writes="rate", clock=Clock(0.1), parameters=(0.1,)),
            "the operating points of loop and model differ",
        ),
        (
            Block(copy, reads="rate", writes="rate", clock=Clock(0.0999999)),
            "margins of the loop are unknown.*after 999,99",
        ),
    ],
    ids=["plain Python", "by time", "offset", "never meets"],
)
def test_run_says_why_its_margins_are_not_known(craft, block, words):
    run = fly(craft, law_of(craft), [block], duration=0.5)
    with pytest.raises(AssertionError, match="margins of the loop are unknown, and its poles were not checked"):
        raise AssertionError("\n".join(run.warnings))
    with pytest.raises(AssertionError, match=words):
        raise AssertionError("\n".join(run.warnings))


def test_saved_run_asks_for_its_blocks(craft, tmp_path):
    block = Block(copy, reads="rate", writes="rate", clock=Clock(0.1))
    law = law_of(craft)
    run = fly(craft, law, [block])
    path = run.save(tmp_path / "run.nc")
    again = sim.load(path, craft=craft, law=law)
    np.testing.assert_array_equal(again.states[-1], run.states[-1])
    with pytest.raises(
        plant.InputError, match=r"the blocks \(copy\) of the run in .* is not in the file.*blocks=\.\.\."
    ):
        tuple(again.blocks)
    given = sim.load(path, craft=craft, law=law, blocks=[block])
    more = sim.simulate(craft, given.law, blocks=given.blocks, state=given.states[-1], duration=1.0)
    assert more.status == "completed"
    alone = sim.load(fly(craft, law).save(tmp_path / "alone.nc"), craft=craft, law=law)
    assert alone.blocks == ()
