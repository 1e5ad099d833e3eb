"""Labelled arrays, and files that are complete or absent."""

import os
import subprocess
import sys

import numpy as np
import pytest
import xarray

from polhode import controllers, plant, sim

HOLD = "resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes_left}, resource.RLIM_INFINITY))"
"""What a full disk is like: no file may be longer. Python ignores the signal, and writing fails with an error."""

BASIS = plant.TorqueBasis("dual-euler", "3-2-1", limit=1.0)
CRAFT = plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=5.0), torques=BASIS, translation=True)


@pytest.fixture(scope="module")
def run():
    law = controllers.quaternion_feedback(CRAFT, frequency=0.3, damping_ratio=0.8, sample=0.1)
    return sim.simulate(CRAFT, law, rate=(0.1, 0.05, 0.2), duration=5.0)


def test_every_array_carries_unit_frame_and_meaning(run):
    rate = run["rate"]
    assert isinstance(rate, xarray.DataArray)
    assert rate.dims == ("time", "axis")
    assert list(rate["axis"].values) == ["x", "y", "z"]
    assert rate.attrs["units"] == "rad/s"
    assert rate.attrs["frame"] == "body"
    assert rate["time"].attrs["units"] == "s"
    np.testing.assert_array_equal(rate.values, run.values("rate"))
    np.testing.assert_array_equal(rate["time"].values, run.t)
    attitude = run["attitude"]
    assert attitude.attrs["quaternion_order"] == "scalar first"
    assert list(attitude["euler_parameter"].values) == ["e0", "e1", "e2", "e3"]
    assert run["command"].attrs["frame"] == "dual-euler 3-2-1"
    assert run["energy"].dims == ("time",)
    assert run["inertial_momentum"].attrs["frame"] == "inertial"
    assert float(rate.sel(time=2.0, axis="z")) == run.values("rate")[200, 2]
    for name in run.names:
        assert run[name].attrs["units"] == sim.QUANTITIES[name].unit
        assert run[name].attrs["long_name"]


def test_file_gives_back_everything(run, tmp_path):
    path = run.save(tmp_path / "run.nc")
    assert path == tmp_path / "run.nc"
    with xarray.open_dataset(path, engine="h5netcdf") as found:
        wanted = run.to_dataset()
        assert set(found.data_vars) == {*run.names, "state_vector", "input_vector"}
        for name in run.names:
            np.testing.assert_array_equal(found[name].values, wanted[name].values)  # every bit
            assert found[name].attrs == wanted[name].attrs
        assert found.attrs["status"] == "completed"
        assert found.attrs["reason"] == ""
        assert found.attrs["integrator"] == "dop853"
        assert found.attrs["quaternion_order"].startswith("scalar first")
        assert found.attrs["source"].startswith("polhode ")
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.nc"]  # no temporary file remains


def test_run_that_failed_is_saved_with_its_reason(tmp_path):
    def effort(t, e, omega, c, v):
        return (np.nan if t > 0.5 else 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)), user_forces=[plant.UserForce(effort)])
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


@pytest.mark.parametrize(
    "bytes_left", [3_000, *(pytest.param(n, marks=pytest.mark.slow) for n in (0, 100, 20_000, 60_000))]
)
def test_full_disk_leaves_old_file_and_process(run, tmp_path, bytes_left):
    path = tmp_path / "run.nc"
    path.write_text("what was here before")
    code = f"""
import resource
from polhode import plant, sim
craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
run = sim.simulate(craft, rate=(0.1, 2, 0.1), duration=10.0)
{HOLD.format(bytes_left=bytes_left)}
try:
    run.save({str(path)!r})
except plant.SaveError as error:
    message = str(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(message)
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")  # h5py used to crash here with a segmentation fault
    assert done.stdout == f"{path}: cannot be written (File too large)\n"
    assert path.read_text() == "what was here before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.nc"]


@pytest.mark.parametrize("where", ["missing/run.nc", "file/run.nc", "."])
def test_save_error_names_unwritable_place(run, tmp_path, where):
    (tmp_path / "file").touch()
    with pytest.raises(plant.SaveError, match="cannot be written"):
        run.save(tmp_path / where)
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kill -9 of POSIX")
def test_killed_process_leaves_old_file(tmp_path):
    path = tmp_path / "run.nc"
    path.write_text("what was here before")
    code = f"""
import os
from polhode import plant, sim
from polhode.sim.results import recording
recording.Recording.finish = lambda *_: os.kill(os.getpid(), 9)
sim.simulate(plant.Spacecraft(plant.RigidBody((3, 2, 1))), duration=1.0).save({str(path)!r})
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert done.returncode == -9
    assert path.read_text() == "what was here before"


def test_products_of_vectors_go_axis_by_axis(run):
    power = run["torque"] * run["rate"]
    assert power.dims == ("time", "axis")
    np.testing.assert_array_equal(power.values, run.values("torque") * run.values("rate"))
    lost = (run["position"] * run.to_dataset()["velocity"]).sum("axis")
    assert lost.dims == ("time",)
    assert run["command"].dims == ("time", "command_component")  # vectors of an Euler basis are not axes


def test_file_follows_conventions(run, tmp_path):
    import h5py

    path = run.save(tmp_path / "run.nc")
    with h5py.File(path) as file:
        assert file.attrs["Conventions"] == "CF-1.11"
        assert file["time"].attrs["axis"] == "T"
        for name, variable in file.items():
            if variable.shape[:1] == (run.t.size,):
                assert variable.compression == "gzip"
                assert variable.attrs["long_name"]
                assert name in {"state_vector", "input_vector"} or variable.attrs["units"] is not None


def test_file_says_where_it_comes_from(run, tmp_path):
    import importlib.metadata

    with xarray.open_dataset(run.save(tmp_path / "run.nc"), engine="h5netcdf") as found:
        about = found.attrs
    assert about["polhode"] == importlib.metadata.version("polhode")
    assert about["date"].endswith("+00:00")
    for name in ("command", "platform", "python", "numpy"):
        assert about[name]
    assert len(about["plant_fingerprint"]) == 16
    assert about["law"] == "QuaternionFeedback"
