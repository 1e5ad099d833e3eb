"""Random numbers of blocks: equal compiled or plain, whole or in pieces, in any process, with any other block."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest
from scipy import stats

from polhode import controllers, plant, sim
from polhode.controllers import Block, Clock, draw_normals, draw_uniforms
from polhode.controllers.contracts.block_draws import draw_words
from polhode.plant.kernels.philox import normal_pair
from polhode.sim.engine import indices
from polhode.sim.engine.loop import Loop
from polhode.sim.engine.seeding import seeded


def noisy(t, y, q, z, v):
    """Its input plus q[4] times a normal number for each channel; z[0] counts its samples."""
    for n in range(v.size):
        one, _ = draw_normals(q, z[0], n)
        v[n] = y[n] + q[4] * one
    z[0] += 1.0


def lost(t, y, q, z, v):
    """Its last input if a number is below q[4]."""
    u, _ = draw_uniforms(q, z[0], 0)
    for n in range(v.size):
        if u > q[4] or z[0] == 0.0:
            z[1 + n] = y[n]
        v[n] = z[1 + n]
    z[0] += 1.0


def show_rate(t, y, r, q, z, u):
    u[0], u[1], u[2] = y[7], y[8], y[9]


def noise(name="noise", **more) -> Any:
    more = {"reads": "rate", "writes": "rate", **more, "clock": Clock(more.pop("sample", 0.1))}
    return Block(noisy, parameters=(1e-2,), memory=(0,), random=True, name=name, **more)


LOST = Block(lost, reads="rate", writes="rate", clock=Clock(0.1), parameters=(0.3,), memory=(0, 0, 0, 0), random=True)
CRAFT = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)))
START = {"attitude": (0.8, 0.0, 0.6, 0.0), "rate": (0.1, -0.2, 0.3)}


def fly(blocks=None, **more) -> Any:
    law = controllers.quaternion_feedback(CRAFT, frequency=0.8, damping_ratio=0.7, sample=0.1)
    found = [noise(), LOST] if blocks is None else blocks
    return sim.simulate(
        CRAFT, law, **{"duration": 3.0, "output_step": 0.1, "blocks": found, "seed": 7, **START, **more}
    )


def end(number):
    return fly(run_index=number).states[-1]


def test_compiled_and_plain_python_draw_the_same():
    fast, slow = fly(), fly(compiled=False)
    np.testing.assert_allclose(slow.states, fast.states, rtol=0, atol=1e-14)
    assert np.abs(fast.states - fly([]).states).max() > 1e-4
    np.testing.assert_array_equal(fly().states, fast.states)


def test_each_seed_and_each_run_draws_its_own():
    ends = [fly().states[-1], fly(seed=8).states[-1], fly(run_index=1).states[-1], fly(seed=7 + 2**32).states[-1]]
    assert all(np.abs(a - b).max() > 1e-5 for n, a in enumerate(ends) for b in ends[:n])


@pytest.mark.slow
def test_another_process_draws_the_same():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(end, (3, 1)))
    np.testing.assert_array_equal(found, [end(3), end(1)])


def test_streams_and_pauses_change_nothing(tmp_path):
    whole = fly()
    np.testing.assert_array_equal(fly(stream=tmp_path / "run.nc").states[-1], whole.states[-1])
    blocks = seeded([noise(), LOST], seed=7, run_index=0)
    loop = Loop(
        CRAFT, CRAFT.state(**START), whole.law, controllers.FixedReference(), pulses=(), scheme=sim.Scheme("dop853"),
        duration=3.0, times=np.array([3.0]), ledger=True, compiled=True, max_steps=10**6, pose_limit=1e-4,
        blocks=blocks,
    )  # fmt: skip
    while (status := loop.advance(1)) == indices.PAUSED:
        pass
    assert status == indices.DONE
    np.testing.assert_array_equal(loop.arrays.out_x[-1], whole.states[-1])


def test_other_blocks_change_no_number_and_numbers_are_the_counters():
    """A spacecraft at rest shows the noise only, as the command of a law that returns the measured rate."""
    heavy = plant.Spacecraft(plant.RigidBody((3e12, 3e12, 3e12)))
    law = controllers.CustomLaw(show_rate, sample=0.1)
    alone, beside = (
        sim.simulate(
            heavy,
            law,
            blocks=blocks,
            duration=20.0,
            output_times=np.arange(200) * 0.1 + 0.05,
            seed=2**40 + 3,
            run_index=5,
        )
        for blocks in (
            [noise()],
            [noise("other", writes={"else": 3}), Block(take, reads="else", writes="rate", clock=Clock(0.1)), noise()],
        )
    )
    told = alone.values("command")[:200]
    np.testing.assert_allclose(beside.values("command")[:200], told, rtol=0, atol=1e-10)
    words = draw_words("noise", seed=2**40 + 3, run_index=5)
    assert words[:3].tolist() == [3.0, 256.0, 5.0]
    exact = [[1e-2 * normal_pair(n, k, int(words[3]), 5, 3, 256)[0] for k in range(3)] for n in range(200)]
    np.testing.assert_allclose(told, exact, rtol=0, atol=1e-10)  # 2e-2 N m for 20 s on 3e12 kg m^2
    assert stats.kstest(told.ravel() / 1e-2, "norm").pvalue > 1e-3


def take(t, y, q, z, v):
    for n in range(v.size):
        v[n] = 0.0 * y[n]


def test_file_of_run_says_what_it_drew(tmp_path):
    run = fly(seed=2**63 + 5, run_index=9)
    assert (run.seed, run.number) == (2**63 + 5, 9)
    again = sim.load(run.save(tmp_path / "run.nc"), craft=CRAFT, law=run.law, blocks=[noise(), LOST])
    assert (again.seed, again.number) == (2**63 + 5, 9)
    flown = fly(again.blocks, seed=again.seed, run_index=again.number)
    np.testing.assert_array_equal(flown.states[-1], again.states[-1])
    assert sim.load(fly([], seed=None).save(tmp_path / "none.nc")).seed is None


@pytest.mark.parametrize(
    ("blocks", "more", "words"),
    [
        (None, {"seed": None}, r"no seed for the random numbers of 'noise', 'lost'; give simulate\(\.\.\., seed=1\)"),
        (None, {"seed": -1}, "seed must be a whole number from 0 to 18446744073709551615; got -1"),
        (None, {"seed": 1.5}, r"seed must be a whole number .*got 1\.5"),
        (None, {"seed": True}, "seed must be a whole number .*got True"),
        (None, {"run_index": 2**32}, "run_index must be a whole number from 0 to 4294967295"),
        ([noise(), noise()], {}, "two blocks that draw random numbers are called 'noise'; give each a different name"),
        ([LOST] * 2, {}, "two blocks that draw random numbers are called 'lost'"),
        # two words with equal CRC-32
        ([noise("plumless"), noise("buckeroo")], {}, "'plumless' and 'buckeroo' have the same CRC-32 checksum"),
    ],
)
def test_seeding_refuses_bad_input(blocks, more, words):
    with pytest.raises(plant.InputError, match=words):
        fly(blocks, **more)


def test_plain_python_block_keeps_generator_of_its_own():
    with pytest.raises(plant.InputError, match=r"the plain Python block '<lambda>' receives no random numbers"):
        Block(lambda t, y: y, reads="rate", writes="rate", clock=Clock(0.1), compiled=False, random=True)
