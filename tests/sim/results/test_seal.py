"""Text in a result file is the written one, or the file is refused."""

import random
import shutil

import h5py
import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant import InputError
from polhode.sim.results.seal import SEAL

CRAFT = plant.Spacecraft(plant.RigidBody((4, 3, 2)))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    settings = {"integrator": "rk4", "step": 0.05, "compiled": False, "output_step": 0.05}
    return sim.simulate(CRAFT, rate=(0.1, 0.2, 1.0), duration=0.2, **settings).save(
        tmp_path_factory.mktemp("seal") / "run.nc"
    )


def attribute(file):
    file.attrs["warnings"] = "all is well"


def unit(file):
    file["rate"].attrs["units"] = "deg/s"


def label(file):
    file["axis"][0] = "w"


def renamed(file):
    file.move("rate", "rates")


def added(file):
    file.attrs["law"] = "LinearFeedback"


@pytest.mark.parametrize("change", [attribute, unit, label, renamed, added])
def test_changed_words_are_refused(path, tmp_path, change):
    copy = tmp_path / "changed.nc"
    shutil.copy(path, copy)
    with h5py.File(copy, "r+") as file:
        change(file)
    with pytest.raises(InputError, match="do not agree with their checksum"):
        sim.load(copy)
    with h5py.File(copy, "r+") as file:
        del file.attrs[SEAL]
    sim.load(copy)


def test_other_libraries_may_write_the_file_again(path, tmp_path):
    import xarray

    with xarray.open_dataset(path, decode_times=False) as data:
        data.assign_attrs(history=f"{data.attrs['history']}; copied").to_netcdf(
            tmp_path / "again.nc", engine="h5netcdf"
        )
        data.isel(time=slice(2)).to_netcdf(tmp_path / "part.nc", engine="h5netcdf")
    assert sim.load(tmp_path / "again.nc").t.size == sim.load(path).t.size
    assert sim.load(tmp_path / "part.nc").t.size == 2


@pytest.mark.thinned(2)
@pytest.mark.parametrize("part", ["head", "all"])
def test_flipped_bits_are_refused_or_change_nothing(path, tmp_path, part):
    run, data = sim.load(path), path.read_bytes()
    refused = 0
    for seed in range(25):
        draw = random.Random(seed)
        damaged = bytearray(data)
        damaged[draw.randrange(12_000 if part == "head" else len(data))] ^= 1 << draw.randrange(8)
        copy = tmp_path / "flipped.nc"
        copy.write_bytes(damaged)
        try:
            found = sim.load(copy)
            values = {name: found.values(name) for name in found.names}
            words = {name: found.components(name) for name in found.names}
        except InputError:
            refused += 1
            continue
        told, wanted = ({**each.about, "history": ""} for each in (found, run))  # the one text without a checksum
        assert told == wanted
        assert words == {name: run.components(name) for name in run.names}
        for name, each in values.items():
            np.testing.assert_array_equal(each, run.values(name))
    assert refused > 0
