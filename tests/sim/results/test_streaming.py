"""Rows streamed to a file: the same run in little memory, and nothing lost when it ends early."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
import xarray

from polhode import controllers, plant, sim
from polhode.sim.runs import drive

CRAFT = plant.Spacecraft(plant.RigidBody((3, 2, 1)), torques=plant.TorqueBasis("body", limit=1.0))
LAW = controllers.quaternion_feedback(CRAFT, frequency=0.3, damping_ratio=0.8, sample=0.1)


def flown(law, compiled, stream=None, **settings):
    start = {"rate": (0.1, 0.5, 0.1), "duration": 3.0}
    return sim.simulate(CRAFT, law, **start, output_step=0.053, compiled=compiled, stream=stream, **settings)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("compiled", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize("law", [pytest.param(None, marks=pytest.mark.slow), LAW])
@pytest.mark.parametrize(
    "settings",
    [{}, {"integrator": "rk4", "step": 0.05}, {"integrator": "rk8", "step": 0.3}],
    ids=["dop853", "rk4", "rk8"],
)
@pytest.mark.parametrize("room", [pytest.param(1, marks=pytest.mark.slow), 23])
def test_stream_is_same_run(tmp_path, monkeypatch, compiled, law, settings, room):
    monkeypatch.setattr(drive, "ROOM", room)
    wanted = flown(law, compiled, **settings)
    run = flown(law, compiled, tmp_path / "run.nc", **settings)
    assert run.counters == wanted.counters  # steps and rejected steps too
    np.testing.assert_array_equal(run.t, wanted.t)
    np.testing.assert_array_equal(run.states[:], wanted.states)
    for name in wanted.names:
        np.testing.assert_array_equal(run.values(name), wanted.values(name))
        np.testing.assert_array_equal(np.concatenate(list(run.pieces(name))), wanted.values(name))
        assert run[name].identical(wanted[name])
    assert run.invariants() == wanted.invariants()
    assert repr(run) == repr(wanted)
    assert [path.name for path in tmp_path.iterdir()] == ["run.nc"]
    assert sim.load(tmp_path / "run.nc").about["status"] == "completed"


def test_run_that_ends_at_pose_between_two_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(drive, "ROOM", 3)
    pulse = plant.TorquePulse((0, 0, 0.001), start=0, stop=10, basis=plant.TorqueBasis("dual-euler", "1-2-3"))
    settings = {"rate": (0, 1, 0), "torques": [pulse], "duration": 3.0, "output_step": 0.25, "amplification_limit": 100}
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)))
    wanted = sim.simulate(craft, **settings)
    run = sim.simulate(craft, **settings, stream=tmp_path / "run.nc")
    assert run.status == wanted.status == "singular"
    assert run.reason == wanted.reason
    np.testing.assert_array_equal(run.t, wanted.t)
    np.testing.assert_array_equal(run.states[:], wanted.states)


def test_interruption_keeps_rows_so_far(tmp_path, monkeypatch):
    monkeypatch.setattr(drive, "ROOM", 50)
    shares = []

    def interrupt(share):
        shares.append(share)
        if share > 0.4:
            raise KeyboardInterrupt

    run = sim.simulate(CRAFT, rate=(0.1, 2, 0.1), duration=2000.0, output_step=1.0, integrator="rk4", step=0.001,
                       progress=interrupt, stream=tmp_path / "run.nc")  # fmt: skip
    assert run.status == "stopped"
    assert 0.4 < run.t[-1] / 2000.0 < 1.0
    found = sim.load(tmp_path / "run.nc")
    assert found.status == "stopped"
    assert found.t[-1] == run.t[-1]
    assert found.states.shape[0] == found.t.size > 100


CODE = """
import os, resource, sys
from polhode import plant, sim
from polhode.sim.runs import drive
from polhode.sim.results import recording
drive.ROOM = 4096
craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
def fly(**more):
    return sim.simulate(craft, rate=(0.1, 2, 0.1), duration=400.0, output_step=0.01, integrator="rk4", step=0.01,
    **more)
"""


@pytest.mark.parametrize(
    "bytes_left", [pytest.param(n, marks=pytest.mark.slow) for n in (0, 5_000, 400_000, 3_000_000)]
)
def test_full_disk_stops_run_and_loses_no_row(tmp_path, bytes_left):
    path = tmp_path / "run.nc"
    path.write_text("what was here before")
    code = (
        CODE
        + f"""
resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes_left}, resource.RLIM_INFINITY))
run = fly(stream={str(path)!r})
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
whole = fly()
n = run.t.size
assert run.status == "stopped" and (run.states[:] == whole.states[:n]).all() and (run.t == whole.t[:n]).all()
assert (run.values("rate") == whole.values("rate")[:n]).all() and run["energy"].shape == (n,)
run.save({str(tmp_path / "elsewhere.nc")!r})
print(n, run.reason)
"""
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    rows, reason = done.stdout.strip().split(" ", 1)
    assert reason.startswith("run.nc could not be written (File too large); there are rows until t = ")
    assert 4096 <= int(rows) < 40_000
    assert path.read_text() == "what was here before"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["elsewhere.nc", "run.nc"]
    assert sim.load(tmp_path / "elsewhere.nc").t.size == int(rows)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kill -9 of POSIX")
def test_killed_stream_can_be_read_and_is_cleared_by_next(tmp_path):
    path = tmp_path / "run.nc"
    code = (
        CODE
        + f"""
class Killed(recording.Recording):
    def append(self, data):
        super().append(data)
        if self.rows >= 12_288:
            os.kill(os.getpid(), 9)
from polhode.sim.results import streaming
streaming.Recording = Killed
fly(stream={str(path)!r})
"""
    )
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".run.nc.polhode-")
    with xarray.open_dataset(left, engine="h5netcdf") as found:
        assert found.sizes["time"] == 12_288
        assert np.isfinite(found["rate"].values).all()
    flown(None, True, path)
    assert [each.name for each in tmp_path.iterdir()] == ["run.nc"]


def test_stream_to_unwritable_place_is_refused(tmp_path):
    with pytest.raises(plant.SaveError, match=r"missing/run\.nc: cannot be written"):
        flown(None, True, tmp_path / "missing" / "run.nc")


@pytest.mark.slow
def test_memory_does_not_grow_with_the_rows(tmp_path):
    code = (
        CODE
        + f"""
fly()
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
def streamed(duration):
    sim.simulate(craft, rate=(0.1, 2, 0.1), duration=duration, output_step=0.01, integrator="rk4", step=0.01,
                 stream={str(tmp_path / "run.nc")!r})
    return peak()
print(streamed(400.0), streamed(4000.0))
"""
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    few, many = (int(word) / 1024 for word in done.stdout.split())
    # 360,000 rows more: 3 MB of times thrice; in memory they would be 100 MB of states, inputs and observables
    assert many - few < 40.0


@pytest.mark.parametrize("stream", [7, 1.5, True, ["run.nc"], b"run.nc"])
def test_streams_that_are_no_paths_are_refused(stream):
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    with pytest.raises(plant.InputError, match="stream must be"):
        sim.simulate(craft, duration=0.1, compiled=False, stream=stream)
