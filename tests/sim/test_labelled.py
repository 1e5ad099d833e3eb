"""Labelled arrays, and files that are whole or not there."""

import os
import subprocess
import sys

import numpy as np
import pytest
import xarray

from polhode import controllers, plant, sim

BASIS = plant.TorqueBasis("dual-euler", "3-2-1", limit=1.0)
CRAFT = plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=5.0), torques=BASIS, translation=True)


@pytest.fixture(scope="module")
def run():
    law = controllers.quaternion_feedback(CRAFT, frequency=0.3, damping_ratio=0.8, sample=0.1)
    return sim.simulate(CRAFT, law, rate=(0.1, 0.05, 0.2), duration=5.0)


def test_every_array_carries_unit_frame_and_meaning(run):
    rate = run["rate"]
    assert isinstance(rate, xarray.DataArray)
    assert rate.dims == ("time", "rate_component")
    assert list(rate["rate_component"].values) == ["x", "y", "z"]
    assert rate.attrs["units"] == "rad/s"
    assert rate.attrs["frame"] == "body"
    assert rate["time"].attrs["units"] == "s"
    np.testing.assert_array_equal(rate.values, run.values("rate"))
    np.testing.assert_array_equal(rate["time"].values, run.t)
    attitude = run["attitude"]
    assert attitude.attrs["quaternion_order"] == "scalar first"
    assert list(attitude["attitude_component"].values) == ["e0", "e1", "e2", "e3"]
    assert run["command"].attrs["frame"] == "dual-euler 3-2-1"
    assert run["energy"].dims == ("time",)
    assert run["inertial_momentum"].attrs["frame"] == "inertial"
    assert float(rate.sel(time=2.0, rate_component="z")) == run.values("rate")[200, 2]
    for name in run.names:
        assert run[name].attrs["units"] == sim.QUANTITIES[name].unit
        assert run[name].attrs["long_name"]


def test_a_file_gives_back_everything(run, tmp_path):
    path = run.save(tmp_path / "run.nc")
    assert path == tmp_path / "run.nc"
    with xarray.open_dataset(path, engine="h5netcdf") as found:
        wanted = run.to_dataset()
        assert set(found.data_vars) == set(run.names)
        for name in run.names:
            np.testing.assert_array_equal(found[name].values, wanted[name].values)  # every bit
            assert found[name].attrs == wanted[name].attrs
        assert found.attrs["status"] == "completed"
        assert found.attrs["reason"] == ""
        assert found.attrs["integrator"] == "dop853"
        assert found.attrs["quaternion_order"].startswith("scalar first")
        assert found.attrs["source"].startswith("polhode ")
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.nc"]  # nothing left lying about


def test_a_run_that_failed_is_saved_with_its_reason(tmp_path):
    def effort(t, e, omega, c, v):
        return (np.nan if t > 0.5 else 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)), efforts=[plant.Effort(effort)])
    failed = sim.simulate(craft, duration=1.0, integrator="rk4", step=0.1)
    with xarray.open_dataset(failed.save(tmp_path / "failed.nc"), engine="h5netcdf") as found:
        assert found.attrs["status"] == "failed"
        assert found.attrs["reason"] == failed.reason != ""


def test_saving_replaces_a_file_whole_and_with_the_usual_rights(run, tmp_path):
    path = tmp_path / "run.nc"
    path.write_text("what was here before")
    run.save(path)
    run.save(str(path))
    with xarray.open_dataset(path, engine="h5netcdf") as found:
        assert found.sizes["time"] == run.t.size
    if os.name == "posix":
        plain = tmp_path / "plain"
        plain.touch()
        assert path.stat().st_mode == plain.stat().st_mode


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), RuntimeError("the library gave up")])
def test_a_failure_half_way_leaves_the_old_file(run, tmp_path, monkeypatch, failure):
    path = tmp_path / "run.nc"
    path.write_text("what was here before")
    original = xarray.Dataset.to_netcdf

    def half(self, target, **more):
        original(self, target, **more)
        with open(target, "r+b") as file:  # noqa: PTH123 # half of it on disk
            file.truncate(os.path.getsize(target) // 2)  # noqa: PTH202
        raise failure

    monkeypatch.setattr(xarray.Dataset, "to_netcdf", half)
    with pytest.raises((plant.SaveError, RuntimeError), match=r"No space left|gave up"):
        run.save(path)
    assert path.read_text() == "what was here before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.nc"]


@pytest.mark.parametrize("where", ["missing/run.nc", "file/run.nc", "."])
def test_where_nothing_can_be_written_the_error_says_so(run, tmp_path, where):
    (tmp_path / "file").touch()
    with pytest.raises(plant.SaveError, match="cannot write"):
        run.save(tmp_path / where)
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_killed_process_leaves_the_old_file(tmp_path):
    path = tmp_path / "run.nc"
    path.write_text("what was here before")
    code = f"""
import os, xarray
from polhode import plant, sim
original = xarray.Dataset.to_netcdf
def killed(self, target, **more):
    original(self, target, **more)
    os._exit(9)
xarray.Dataset.to_netcdf = killed
sim.simulate(plant.Spacecraft(plant.RigidBody((3, 2, 1))), duration=1.0).save({str(path)!r})
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert done.returncode == 9
    assert path.read_text() == "what was here before"
