"""Damaged or forged run files: one sentence each, and none of their claims is accepted."""

import json
import re
import shutil

import h5py
import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant import InputError
from polhode.sim.results.seal import SEAL, seal
from polhode.sim.results.stored_run import read_run

CRAFT = plant.Spacecraft(plant.RigidBody((4, 3, 2)))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    run = sim.simulate(
        CRAFT, rate=(0.1, 0.2, 1.0), duration=0.2, integrator="rk4", step=0.05, compiled=False, output_step=0.05
    )
    return run.save(tmp_path_factory.mktemp("stored") / "run.nc")


@pytest.fixture
def forged(path, tmp_path):
    """Return a function that changes a copy of the file, and the message of its refusal."""

    def refuse(change):
        copy = tmp_path / "forged.nc"
        shutil.copy(path, copy)
        with h5py.File(copy, "r+") as file:
            change(file)
            del file.attrs[SEAL]
        with pytest.raises(InputError) as caught:
            sim.load(copy)
        assert str(caught.value).startswith(f"{copy}: ")
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return refuse


COUNTERS = {"steps": 1, "rejected_steps": 0, "longest_adaptive_step": 0.5, "samples": 0, "norm_drift_per_step": 0.0}
DEEP = "[" * 50_000 + "]" * 50_000


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("status", "completed\nand well", "status must be one of"),
        ("status", 3, "status must be text"),
        ("status", ["completed"] * 2, "not a single string or number"),
        ("integrator", "rk44", "integrator 'rk44' is unknown"),
        ("step_s", np.nan, "step_s must be a finite number"),
        ("step_s", "fast", "step_s must be a finite number"),
        ("rtol", 3.0, "rtol must be between"),
        ("ledger", "yes", "ledger must be a finite number"),
        ("counters", DEEP, "counters: is nested more than"),
        ("counters", "{", "counters: is not JSON"),
        ("counters", "[]", "counters must be an object"),
        ("counters", json.dumps({**COUNTERS, "steps": {"deep": {}}}), "steps must be a number"),
        ("counters", json.dumps({**COUNTERS, "steps": True}), "steps must be a number"),
        ("counters", json.dumps({**COUNTERS, "steps": 10**400}), "steps of a completed run must be finite"),
        ("counters", json.dumps({**COUNTERS, "samples": float("nan")}), "samples of a completed run must be finite"),
        ("counters", "{}", "steps must be a number; got None"),
        ("start", "[]", "start must be 11 finite numbers"),
        ("start", DEEP, "start: is nested more than"),
        ("start", json.dumps([0.0] * 10 + [float("inf")]), "start must be 11 finite numbers"),
        ("start", json.dumps([[0.0]] * 11), "start must be 11 finite numbers"),
        ("seed", "-1", "seed must be a whole number"),
        ("seed", "9" * 5000, "seed must be a whole number"),
        ("seed", "\u0663", "seed must be a whole number"),
        ("run_number", -1, "run_number must be a whole number"),
        ("run_number", 0.5, "run_number must be a whole number"),
        ("law", 1.0, "law must be text"),
        ("warnings", 7, "warnings must be text"),
        ("reason", h5py.Empty("f8"), "not a single string or number"),
    ],
)
def test_forged_attributes_are_refused(forged, name, value, words):
    def change(file):
        file.attrs[name] = value

    assert re.search(words, forged(change))


@pytest.mark.parametrize("name", ["status", "integrator", "counters", "start", "ledger", "reason", "law", "step_s"])
def test_missing_attributes_are_refused(forged, name):
    assert name in forged(lambda file: file.attrs.__delitem__(name))


def linked(link):
    def change(file):
        del file["rate"]
        file["rate"] = link(file)

    return change


def times(values, **more):
    def change(file):
        for name in list(file):
            if name != "time" and "time" in [
                scale.name.strip("/") for axis in file[name].dims for scale in axis.values()
            ]:
                del file[name]
        del file["time"]
        file.create_dataset("time", data=values, **more)
        for name, width in (("state_vector", 11), ("input_vector", 3)):
            file[name] = np.zeros((5, width))

    return change


def claimed(file):
    del file["time"]
    file.create_dataset("time", shape=(10**11,), chunks=(4096,), dtype="f8", compression="gzip")


def virtual(file):
    layout = h5py.VirtualLayout(shape=(5, 3), dtype="f8")
    layout[...] = h5py.VirtualSource("elsewhere.nc", "rate", shape=(5, 3))
    del file["rate"]
    file.create_virtual_dataset("rate", layout)


def external(file):
    del file["rate"]
    file.create_dataset("rate", shape=(5, 3), dtype="f8", external=[("/etc/passwd", 0, 120)])


def grouped(file):
    file.create_group("more")["again"] = file["/"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (linked(lambda file: h5py.SoftLink("/time")), "'rate' is a link"),
        (linked(lambda file: h5py.SoftLink("/nowhere")), "'rate' is a link"),
        (linked(lambda file: h5py.ExternalLink("other.nc", "/rate")), "'rate' is a link"),
        (virtual, "'rate' is stored in other files"),
        (external, "'rate' is stored in other files"),
        (grouped, "'more' is not a variable"),
        (claimed, "'time' declares 800000000000 bytes"),
        (times([b"a", b"b"]), "time is not a column of numbers"),
        (times(np.zeros((5, 2))), "time is not a column of numbers"),
        (times([0.0, 1.0, np.nan, 2.0, 3.0]), "times must be finite and ascending"),
        (times([0.0, 1.0, 0.5, 2.0, 3.0]), "times must be finite and ascending"),
        (times([0.0, 1.0]), "does not have a number at each of the 2 times"),
        (lambda file: file.__delitem__("state_vector"), "has no state_vector"),
        (lambda file: file.__delitem__("time"), "cannot be read|has no time"),
    ],
)
def test_forged_structures_are_refused(forged, change, words):
    assert re.search(words, forged(change))


def test_stored_run_is_read_as_it_was(path):
    run, found = sim.load(path), read_run(path)
    assert found.states.shape == (run.t.size, 11)
    assert run.status == found.ended.status == "completed"
    assert run.counters["steps"] > 0


def test_failed_runs_may_have_counters_that_are_no_numbers(path, tmp_path):
    copy = tmp_path / "failed.nc"
    shutil.copy(path, copy)
    with h5py.File(copy, "r+") as file:
        file.attrs["status"] = "failed"
        file.attrs["counters"] = json.dumps({**COUNTERS, "wheel_peak": float("nan")})
        file.attrs[SEAL] = seal(file)
    assert np.isnan(sim.load(copy).counters["wheel_peak"])


def test_damage_found_later_is_one_sentence(path, tmp_path):
    copy = tmp_path / "damaged.nc"
    shutil.copy(path, copy)
    with h5py.File(copy, "r") as file:
        chunk = file["rate"].id.get_chunk_info(0)
    with copy.open("r+b") as file:
        file.seek(chunk.byte_offset)
        file.write(b"\xff" * chunk.size)
    run = sim.load(copy)
    for use in (lambda: run.values("rate"), lambda: run["rate"], lambda: list(run.pieces("rate"))):
        with pytest.raises(InputError, match="cannot be read, it is damaged"):
            use()
