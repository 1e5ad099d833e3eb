"""A run restored from its file: bitwise equal, and continued from its end."""

import numpy as np
import pytest

from polhode import controllers, plant, sim

CRAFT = plant.Spacecraft(
    plant.RigidBody((4, 3, 2), mass=5.0), torques=plant.TorqueBasis("body", limit=1.0), translation=True
)
LAW = controllers.quaternion_feedback(CRAFT, frequency=0.3, damping_ratio=0.8, sample=0.1)


@pytest.fixture(scope="module")
def run():
    pulse = plant.TorquePulse((0.1, 0.0, 0.0), start=1.0, stop=2.0)
    return sim.simulate(CRAFT, LAW, rate=(0.1, 0.05, 0.2), velocity=(1, 2, 3), torques=[pulse], duration=5.0)


@pytest.fixture(scope="module")
def path(run, tmp_path_factory):
    return run.save(tmp_path_factory.mktemp("load") / "run.nc")


def test_load_restores_everything_recorded(run, path):
    found = sim.load(path)
    assert set(found.names) == set(run.names)
    np.testing.assert_array_equal(found.t, run.t)
    np.testing.assert_array_equal(found.states[:], run.states)
    np.testing.assert_array_equal(found.inputs[:], run.inputs)
    np.testing.assert_array_equal(found.x[-1], run.x[-1])
    for name in run.names:
        np.testing.assert_array_equal(found.values(name), run.values(name))
        assert found.components(name) == run.components(name)
        assert found[name].identical(run[name])
    assert (found.status, found.reason, found.warnings) == (run.status, run.reason, run.warnings)
    assert found.counters == run.counters
    assert found.scheme == run.scheme
    assert found.invariants() == run.invariants()
    assert repr(found) == repr(run)
    assert found.about["polhode"] == run.about["polhode"]


def test_loaded_run_is_drawn_again(run, path):
    drawn = sim.load(path).plot("rate", "attitude_error")
    wanted = run.plot("rate", "attitude_error")
    for one, other in zip(drawn.axes, wanted.axes, strict=True):
        for line, same in zip(one.lines, other.lines, strict=True):
            np.testing.assert_array_equal(line.get_xydata(), same.get_xydata())


def test_loaded_run_resumes_from_its_end(run, path):
    found = sim.load(path)
    for state in (found.states[-1], found.x[-1]):
        more = sim.simulate(CRAFT, LAW, state=state, duration=1.0)
        np.testing.assert_array_equal(more.x[0], run.x[-1])  # not rounded again


@pytest.mark.parametrize("row", [1, 7, 100, 333])
def test_recorded_state_is_not_rounded_again(run, row):
    more = sim.simulate(CRAFT, state=run.states[row], duration=1.0)
    np.testing.assert_array_equal(more.x[0], run.x[row])


def test_two_halves_of_a_free_motion_are_the_whole():
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    settings = {"integrator": "rk4", "step": 0.01}
    whole = sim.simulate(craft, rate=(0.1, 2, 0.1), duration=10.0, output_times=[5.0, 10.0], **settings)
    half = sim.simulate(craft, rate=(0.1, 2, 0.1), duration=5.0, **settings)
    rest = sim.simulate(craft, state=half.states[-1], duration=5.0, **settings)
    np.testing.assert_allclose(rest.x[-1], whole.x[-1], rtol=0, atol=1e-13)  # times of steps differ in the last place


def test_saved_again_it_is_the_same_file(run, path, tmp_path):
    found = sim.load(sim.load(path).save(tmp_path / "again.nc"))
    for name in run.names:
        np.testing.assert_array_equal(found.values(name), run.values(name))
    assert found.about == sim.load(path).about


def test_loaded_run_needs_what_the_file_lacks(path):
    found = sim.load(path)
    with pytest.raises(
        plant.InputError, match=r"the craft of the run .* is not in the file: pass it with sim\.load\(path, craft="
    ):
        _ = found.craft.layout
    with pytest.raises(plant.InputError, match="the QuaternionFeedback of the run"):
        _ = getattr(found.law, "sample")  # noqa: B009 # the type says None is possible
    given = sim.load(path, craft=CRAFT, law=LAW, reference=controllers.FixedReference())
    assert given.craft is CRAFT
    assert given.law is LAW
    with pytest.raises(plant.InputError, match="has 13 states, but the given spacecraft has 7"):
        sim.load(path, craft=plant.Spacecraft(plant.RigidBody((3, 2, 1))))


def test_files_that_are_no_runs(path, tmp_path):
    (tmp_path / "text.nc").write_text("text")
    (tmp_path / "cut.nc").write_bytes(path.read_bytes()[:5000])
    whole = sim.load(path).to_dataset()
    whole.drop_attrs().to_netcdf(tmp_path / "other.nc", engine="h5netcdf")
    cases = {
        "none": "no such file",
        "text": "is not a NetCDF-4 file",
        "cut": "cannot be read, it is damaged",
        "other": "is not the run",
    }
    for name, words in cases.items():
        with pytest.raises(plant.InputError, match=f"{name}.nc: .*{words}"):
            sim.load(tmp_path / f"{name}.nc")
    with pytest.raises(plant.InputError, match="is a folder"):
        sim.load(tmp_path)


def test_ring_and_wheel_come_back(tmp_path):
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1)
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)), elements=[wheel])
    run = sim.simulate(craft, rate=(0.1, 0.2, 1.0), duration=2.0, compiled=False, output_step=0.5)
    found = sim.load(run.save(tmp_path / "run.nc"))
    for name in run.names:
        assert found[name].identical(run[name])
    assert run["internal"].dims == run["internal_rate"].dims == ("time", "coordinate")


def test_load_counts_rows_from_the_start_of_the_run(run):
    from polhode.sim.results.rows import rows_of

    for part in (slice(100, 200), np.array([3, 50, 499])):
        few = rows_of(run, part)
        for name in run.names:
            np.testing.assert_array_equal(few.values(name), run.values(name)[part])
