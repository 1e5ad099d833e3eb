"""Sensors and actuators in another process: results equal to internal ones, and no margins."""

import sys
from pathlib import Path

import numpy as np
import pytest

from polhode import controllers, sim
from polhode.controllers import Clock, Signal
from polhode.plant import DesignError, InputError
from polhode.sim import ExternalBlock, Process

RATE, COMMAND = {"rate": Signal(3, "rad/s")}, {"command": Signal(3, "N m")}
FLIGHT = {"attitude": (0.8, 0.4, -0.4, 0.2), "duration": 20.0, "integrator": "rk4", "step": 0.1}
LAG = """
import json, random, sys
for line in sys.stdin:
    told = json.loads(line)
    if "polhode" in told:
        z = [0.0] * 3
        draw = random.Random((told["seed"] or 0) * 1000 + told["run"]).gauss if told["name"] == "gyro" else None
        print(json.dumps({k: told[k] for k in ("polhode", "reads", "writes", "sample_s")}), flush=True)
    elif "n" in told:
        v = told["y"][-3:]
        z = [y + draw(0.0, 1e-4) for y in v] if draw else [0.5 * a + 0.5 * b for a, b in zip(z, v)]
        print(json.dumps({"n": told["n"], "v": z}), flush=True)
"""


@pytest.fixture
def process(tmp_path):
    (tmp_path / "block.py").write_text(LAG)
    return Process(command=[sys.executable, "-S", "block.py"], folder=tmp_path)


def law(craft):
    return controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.9, sample=0.1)


def test_actuator_is_that_of_same_block_inside(craft, process, children):
    lag = ExternalBlock(process, reads=RATE | COMMAND, writes=COMMAND, clock=Clock(0.05, delay=0.02), name="motor")
    held = np.zeros(3)

    def smooth(t, y):
        held[:] = 0.5 * held + 0.5 * y[-3:]
        return held

    keys = {"reads": ["rate", "command"], "writes": "command", "clock": Clock(0.05, delay=0.02), "compiled": False}
    inside = controllers.Block(smooth, **keys)
    own, its = (sim.simulate(craft, law(craft), blocks=[block], **FLIGHT) for block in (inside, lag))
    assert np.array_equal(own.states, its.states)
    assert np.array_equal(own.values("command_of_law"), its.values("command_of_law"))
    assert its.blocks == (lag,)
    assert its.quantity("command_after_motor").unit == "N m"
    assert children[0].returncode == 0


def test_sensor_draws_by_seed_and_run_and_begins_each_run_anew(craft, process):
    gyro = ExternalBlock(process, reads=RATE, writes=RATE, clock=Clock(0.1), name="gyro")
    told = ({"seed": 1}, {"seed": 1}, {"seed": 1, "run_index": 4}, {"seed": 2})
    runs = [sim.simulate(craft, law(craft), blocks=[gyro], **FLIGHT, **each) for each in told]
    seen = [run.values("rate_for_law") for run in runs]
    assert np.array_equal(seen[0], seen[1])
    assert not np.array_equal(seen[0], seen[2])
    assert not np.array_equal(seen[0], seen[3])
    late = runs[0].t > 5.0
    assert np.abs(seen[0] - runs[0].values("rate"))[late].max() > 1e-5


def test_external_block_replays_records(process):
    lag = ExternalBlock(process, reads=RATE, writes={"smooth": Signal(3, "rad/s")}, clock=Clock(0.1))
    found = lag.replay([0.0, 0.1], [[1.0, 2.0, 3.0], [0.0, 0.0, 1.0]])
    assert found.tolist() == [[0.5, 1.0, 1.5], [0.25, 0.5, 1.25]]
    with pytest.raises(
        InputError, match="is declared to read 3 numbers, but its signals have 2: correct the declared sizes"
    ):
        lag.replay([0.0], [[1.0, 2.0]])


def test_external_block_has_no_margins(craft, process):
    lag = ExternalBlock(process, reads=COMMAND, writes=COMMAND, clock=Clock(0.1), name="motor")
    model = craft.linearize(craft.at_rest())
    with pytest.raises(
        DesignError, match=r"the dynamics of the block 'motor' in its external process are unknown.*no margins"
    ):
        law(craft).margins(model, blocks=[lag])


def test_block_that_goes_wrong_is_named(craft, children):
    liar = Process(command=[sys.executable, "-S", str(Path(__file__).with_name("liar.py")), "short"])
    block = ExternalBlock(liar, reads=RATE, writes=COMMAND, clock=Clock(0.1), name="motor")
    run = sim.simulate(craft, law(craft), blocks=[block], **FLIGHT)
    assert run.status == "failed"
    assert "short' of the block 'motor' answered 2 numbers instead of 3" in run.reason
    assert run.t[-1] == pytest.approx(0.3)
    with pytest.raises(InputError, match=r"reads must be .*Signal"):
        ExternalBlock(liar, reads=["rate"], writes=COMMAND, clock=Clock(0.1))
