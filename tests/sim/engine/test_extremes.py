"""Minimum and maximum of signals between rows: none is missed for any recording."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.sim.engine.extremes import counters_of, new_tally, spread_rows, tally_row
from polhode.sim.engine.loop_arrays import SpreadArrays
from polhode.sim.runs import drive


def on_wheels():
    axes = np.array([(1.0, 1.0, 1.0), (-1.0, 1.0, 1.0), (-1.0, -1.0, 1.0), (1.0, -1.0, 1.0)])
    wheels = plant.wheel_array(axes, inertia=0.02, torque_limit=0.05)
    basis = plant.TorqueBasis(internal=True)
    craft = plant.Spacecraft(plant.RigidBody((60.0, 50.0, 40.0)), torques=basis, elements=wheels)
    return craft, controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=0.9, sample=0.1)


def turned_back(output_step, **more):
    craft, law = on_wheels()
    turn = np.radians(15.0)
    given = {"attitude": (np.cos(turn), np.sin(turn), 0, 0), "duration": 20.0, "output_step": output_step} | more
    return sim.simulate(craft, law, **given)


def of_rows(values, times, rows):
    """Minimum and maximum of finely recorded values between consecutive times."""
    inside = [(times >= a - 1e-9) & (times <= b + 1e-9) for a, b in zip([rows[0], *rows[:-1]], rows, strict=True)]
    return np.array([values[each].min(axis=0) for each in inside]), np.array(
        [values[each].max(axis=0) for each in inside]
    )


def test_rows_far_apart_hold_what_rows_at_every_step_show():
    """The torque of a motor is held between samples, and every sample is included."""
    fine, coarse = turned_back(0.1), turned_back(0.7)
    least, most = of_rows(fine.values("motor_torque"), fine.t, coarse.t)
    np.testing.assert_array_equal(coarse.values("motor_torque_lowest"), least)
    np.testing.assert_array_equal(coarse.values("motor_torque_highest"), most)
    flags = of_rows(fine.values("at_torque_limit"), fine.t, coarse.t)[1]
    np.testing.assert_array_equal(coarse.values("at_torque_limit_highest"), flags)
    assert 0.0 < flags.mean() < 1.0  # some rows


@pytest.mark.slow
@pytest.mark.parametrize("integrator", ["dop853", "rk4"])
def test_streamed_saved_and_loaded_are_the_same(tmp_path, monkeypatch, integrator):
    """Rows are taken out in the middle of a step: seven at a time, several within a step."""
    craft = plant.Spacecraft(
        plant.RigidBody((3.0, 2.0, 1.5)),
        elements=[plant.Wheel(axis=(0, 0, 1), inertia=0.5, motor_torque=0.4, speed_limit=2.0)],
    )
    step = None if integrator == "dop853" else 0.1
    given = {"rate": (0.3, 0.2, 0.1), "duration": 8.0, "output_step": 0.03, "integrator": integrator, "step": step}
    whole = sim.simulate(craft, **given)
    monkeypatch.setattr(drive, "ROOM", 7)
    streamed = sim.simulate(craft, **given, stream=tmp_path / "streamed.nc")
    saved = sim.load(whole.save(tmp_path / "saved.nc"), craft=craft)
    for name in ("motor_torque_lowest", "motor_torque_highest", "at_speed_limit_highest", "motor_demand_lowest"):
        assert np.isfinite(whole.values(name)).all()
        for other in (streamed, saved, sim.load(tmp_path / "streamed.nc")):
            np.testing.assert_array_equal(other.values(name), whole.values(name))
            assert other.components(name) == whole.components(name)
    assert saved["motor_torque_lowest"].dims == ("time", "wheel")


def test_every_row_holds_itself_and_the_one_before():
    run = turned_back(1.7)
    for name in ("motor_torque", "motor_demand", "at_torque_limit"):
        values, least, most = (run.values(name + end) for end in ("", "_lowest", "_highest"))
        np.testing.assert_array_equal(np.minimum(values[1:], values[:-1]) >= least[1:], True)
        np.testing.assert_array_equal(np.maximum(values[1:], values[:-1]) <= most[1:], True)
        peak = [run.counters[f"wheel_{n + 1}_motor_torque_peak"] for n in range(4)]
    extremes = np.maximum(np.abs(run.values("motor_torque_lowest")), np.abs(run.values("motor_torque_highest")))
    np.testing.assert_array_equal(extremes.max(axis=0), peak)


def test_run_that_ends_early_keeps_its_last_row():
    run = turned_back(1.0, max_steps=87)
    assert run.status == "failed"
    assert run.t[-1] < 20.0
    assert np.isfinite(run.values("motor_torque_lowest")).all()
    assert np.isfinite(run.values("motor_torque_highest")).all()


def test_table():
    assert new_tally(0, 5).size == 0
    tally = new_tally(2, 3)
    counters_of(tally)[:, 3:5] = [(-1.0, 2.0), (0.5, 0.6)]
    tally_row(1, tally)
    out = np.zeros((3, 7))
    out[:, 1:3] = [(0.0, 0.5), (0.0, 0.7), (3.0, 0.2)]
    spread_rows(SpreadArrays(tally, np.zeros(0), np.array([2]), out))
    np.testing.assert_array_equal(out[1, 3:], (-1.0, 0.5, 2.0, 0.7))
    np.testing.assert_array_equal(out[2, 3:], (0.0, 0.2, 3.0, 0.7))  # not recorded: no value since


def test_extremes_of_not_finite_and_signed_numbers_are_those_of_numpy():
    values = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan])
    rows = np.array(np.meshgrid(values, values, values)).reshape(3, -1).T  # stored, present, previous
    tally = new_tally(1, 1)
    for stored, present, previous in rows:
        counters_of(tally)[:, 3:5] = stored, stored
        tally_row(0, tally)
        out = np.array([[present, 0.0, 0.0]])
        spread_rows(SpreadArrays(tally, np.array([previous]), np.array([1]), out))
        extremes = [f(f(np.array([stored]), present), previous)[0] for f in (np.minimum, np.maximum)]
        np.testing.assert_array_equal(out[0, 1:], extremes)
        np.testing.assert_array_equal(np.signbit(out[0, 1:]), np.signbit(extremes))
