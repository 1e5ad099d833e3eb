"""Outputs of blocks in the rows of a run: names distinct from the true quantities, on time, in files, in parts."""

from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Block, Clock, Signal

CRAFT = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)), torques=plant.TorqueBasis("body", limit=0.3))
START = {"attitude": (0.8, 0.0, 0.6, 0.0), "rate": (0.1, -0.2, 0.3)}


def copy(t, y, q, z, v):
    for n in range(v.size):
        v[n] = y[n]


def double(t, y, q, z, v):
    for n in range(v.size):
        v[n] = 2.0 * y[n]


def stamp(t, y, q, z, v):
    for n in range(v.size):
        v[n] = t


BLOCKS = (
    Block(double, reads="rate", writes={"gyro": Signal(3, "rad/s")}, clock=Clock(0.05), name="gyro"),
    Block(copy, reads="gyro", writes="rate", clock=Clock(0.1, delay=0.05), name="to rate"),
    Block(double, reads="rate", writes="rate", clock=Clock(0.1), name="again"),
    Block(copy, reads="command", writes="command", clock=Clock(0.1, delay=0.03), name="lag"),
)


def fly(blocks: Any = BLOCKS, **more) -> Any:
    law = controllers.quaternion_feedback(CRAFT, frequency=0.4, damping_ratio=0.7, sample=0.1)
    settings = {"duration": 2.0, "output_step": 0.01, "integrator": "rk8", "step": 0.05, **START, **more}
    return sim.simulate(CRAFT, law, blocks=blocks, **settings)


def test_names_units_and_values():
    run = fly()
    ours = ("command_of_law", "gyro", "rate_after_to_rate", "rate_for_law", "command_after_lag")
    assert run.names[-5:] == ours
    assert [run.components(name) for name in ours[:3]] == [
        (("x", "y", "z"), "N m"),
        (("x", "y", "z"), "rad/s"),
        (("x", "y", "z"), "rad/s"),
    ]
    t, rate = run.t, run.values("rate")
    at = np.round(np.floor(t / 0.05 + 1e-9) * 0.05 / 0.01).astype(int)
    np.testing.assert_allclose(run.values("gyro")[:-1], 2.0 * rate[at][:-1], rtol=0, atol=1e-14)
    # 0.05 s after each tenth, of the gyro at the tenth
    told = np.maximum(np.floor((t - 0.05) / 0.1 + 1e-9), 0.0) * 0.1
    expected = 2.0 * rate[np.round(told / 0.01).astype(int)]
    late = t >= 0.05 - 1e-12
    np.testing.assert_allclose(run.values("rate_after_to_rate")[late], expected[late], rtol=0, atol=1e-14)
    np.testing.assert_allclose(
        run.values("command"), np.clip(run.values("command_after_lag"), -0.3, 0.3), rtol=0, atol=1e-15
    )
    assert np.abs(run.values("command_of_law")).max() > 0.3  # before any limit
    assert run["rate_for_law"].attrs == {
        "units": "rad/s",
        "long_name": "rate as read by the law, written by again",
        "frame": "body",
    }
    assert run["gyro"].attrs["long_name"] == "written by gyro"


@pytest.mark.parametrize("integrator", ["rk4", "dop853", "gauss4"])
def test_rows_do_not_depend_on_how_it_is_integrated_or_run(integrator):
    scheme = {"integrator": integrator} | ({} if integrator == "dop853" else {"step": 0.02})
    fast, slow, exact = fly(**scheme), fly(**scheme, compiled=False), fly()
    for name in fast.written:
        np.testing.assert_allclose(slow.values(name), fast.values(name), rtol=0, atol=1e-13)
        np.testing.assert_allclose(fast.values(name), exact.values(name), rtol=0, atol=1e-6)  # the steps of rk4


def test_block_quantities_are_empty_without_blocks():
    run = fly(())
    assert (run.block_signals, run.written) == (None, {})
    assert "command_of_law" not in run.names


def test_files_and_streams_keep_them(tmp_path):
    run = fly()
    path = run.save(tmp_path / "run.nc")
    again, given = sim.load(path), sim.load(path, craft=CRAFT, law=run.law, blocks=BLOCKS)
    streamed = fly(stream=tmp_path / "stream.nc")
    for other in (again, given, streamed):
        for name in run.written:
            assert other.components(name) == run.components(name)
            np.testing.assert_array_equal(other.values(name), run.values(name))
            assert other[name].attrs == run[name].attrs
    assert set(run.written) < set(run.to_dataset())
    assert given.quantity("gyro") == run.quantity("gyro")


def test_many_rows_in_portions(tmp_path, monkeypatch):
    monkeypatch.setattr("polhode.sim.runs.drive.ROOM", 7)
    streamed, run = fly(stream=tmp_path / "stream.nc"), fly()
    np.testing.assert_array_equal(streamed.values("rate_for_law"), run.values("rate_for_law"))


def test_run_that_ends_early_has_its_last_signals():
    def stop(t, y):
        if t > 1.0:
            raise KeyboardInterrupt
        return y

    run = fly([Block(stop, reads="rate", writes="rate", clock=Clock(0.1), compiled=False)], output_step=0.3)
    assert run.status == "stopped"
    assert run.values("rate_for_law").shape == (run.t.size, 3)
    assert np.isfinite(run.values("rate_for_law")).all()


def test_single_numbers_attitudes_and_times():
    blocks = [
        Block(stamp, reads="rate", writes={"clock": Signal(1, "s")}, clock=Clock(0.1), name="watch"),
        Block(copy, reads=("clock", "attitude"), writes={"both": 5}, clock=Clock(0.1)),
        Block(lambda t, y: y[1:], reads="both", writes="attitude", clock=Clock(0.1), compiled=False, name="back again"),
        Block(copy, reads="reference", writes="reference", clock=Clock(0.1)),
    ]
    run = fly(blocks, output_times=[0.55], output_step=None)
    assert run.values("clock").tolist() == pytest.approx([0.5])
    assert run.components("clock") == ((), "s")
    assert run.components("both")[0] == ("1", "2", "3", "4", "5")
    assert run.components("attitude_for_law") == (("e0", "e1", "e2", "e3"), "1")
    assert run.components("reference_for_law")[0][4] == "rate_x"
    np.testing.assert_array_equal(run.values("both")[:, 1:], run.values("attitude_for_law"))


def test_block_quantities_with_equal_names_are_distinct():
    twins = [Block(copy, reads="rate", writes="rate", clock=Clock(0.1))] * 3
    assert list(fly(twins).written) == ["rate_after_copy", "rate_after_copy_2", "rate_for_law"]


@pytest.mark.parametrize("name", ["energy", "torque", "command_of_law"])
def test_name_that_is_taken_is_refused(name):
    blocks = [
        Block(copy, reads="rate", writes={name: 3}, clock=Clock(0.1)),
        Block(copy, reads=name, writes="rate", clock=Clock(0.1)),
        Block(copy, reads="command", writes="command", clock=Clock(0.1)),
    ]
    if name == "command_of_law":
        assert "command_of_law_2" in fly(blocks).written
        return
    with pytest.raises(
        plant.InputError, match=f"the signal '{name}' of the block 'copy' has the name of an existing qua"
    ):
        fly(blocks)


def test_names_in_files_have_no_spaces(tmp_path):
    blocks = [
        Block(copy, reads="rate", writes={"gyro a/b": 3}, clock=Clock(0.1)),
        Block(copy, reads="gyro a/b", writes="rate", clock=Clock(0.1)),
    ]
    run = fly(blocks)
    assert list(run.written) == ["gyro_a_b", "rate_for_law"]
    assert "gyro_a_b" in sim.load(run.save(tmp_path / "run.nc")).names
