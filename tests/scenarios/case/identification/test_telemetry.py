"""Telemetry files: columns and units, gaps, wrong units and wrong quaternion conventions."""

import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.scenarios.case.identification.telemetry import _from_run, read_telemetry
from polhode.scenarios.case.kinds.sensors.sensed import sensed
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case_run import run_case

from . import conftest as body


@pytest.fixture(scope="session")
def columns():
    """Columns of a tumbling body with gyro and star tracker."""
    return body.table(body.motion(rate=(0.2, -0.3, 0.1)), tracker=True)


def read(case, columns, tmp_path):
    sensors = sensed(load_case(case).case, sample=0.1)
    return read_telemetry(body.write_csv(tmp_path / "run.csv", columns), sensors, sample=0.1, delay=0.0)


def renamed(columns, old, new, factor=1.0):
    return {name.replace(old, new): column * (factor if old in name else 1.0) for name, column in columns.items()}


def test_columns_are_read_in_si_units(tracked, columns, tmp_path):
    found = read(tracked, columns, tmp_path)
    assert found.period == pytest.approx(0.1)
    np.testing.assert_array_equal(found.commands, body.commands())
    assert found.channels["star_tracker"].times[:3].tolist() == [0.0, 0.5, 1.0]
    degrees = renamed(renamed(columns, "_rad_s", "_deg_s", 180.0 / np.pi), "_N_m", "_mN_m", 1e3)
    again = read(tracked, degrees, tmp_path)
    np.testing.assert_allclose(again.channels["gyro"].values, found.channels["gyro"].values, rtol=1e-14)
    np.testing.assert_allclose(again.commands, found.commands, rtol=1e-14)


def test_times_begin_at_zero_and_unused_columns_are_named(tracked, columns, tmp_path):
    moved = {**columns, "time_s": columns["time_s"] + 1000.0, "battery_V": 0 * columns["time_s"]}
    found = read(tracked, moved, tmp_path)
    assert found.duration == pytest.approx(60.0)
    assert found.channels["gyro"].times[0] == 0.0
    assert found.notes == ("columns not used: battery_V",)


def without(columns, first, last):
    return {name: np.delete(column, slice(first, last)) for name, column in columns.items()}


def swapped(columns):
    rows = {f"star_tracker_{n}": columns[f"star_tracker_{(n + 1) % 4}"] for n in range(4)}
    return {**columns, **rows}


def changed(columns, name, row, value):
    return {**columns, name: np.where(np.arange(601) == row, value, columns[name])}


def conjugated(columns):
    return {**columns, **{f"star_tracker_{n}": -columns[f"star_tracker_{n}"] for n in (1, 2, 3)}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: without(c, 100, 131), r"commands have a gap from 9\.9 to 13\.1 s"),
        (lambda c: {**c, "time_s": np.roll(c["time_s"], 5)}, "times must be ascending: sort the rows"),
        (lambda c: changed(c, "time_s", 300, 30.005), r"command at 30\.005 s is 0\.005 s from its place in a sequence"),
        (lambda c: {n: v[:2] for n, v in c.items()}, "has 2 rows; at least 3 are needed"),
        (lambda c: {n: v[:4] for n, v in c.items()}, "has 1 valid measurement of star_tracker; at least 2"),
        (lambda c: changed(c, "command_2_N_m", 7, np.nan), r"at 0\.7 s some of the three commands are empty"),
        (lambda c: changed(c, "gyro_x_rad_s", 7, np.inf), "line 9 has 'inf', not a number"),
        (lambda c: {name: v for name, v in c.items() if name != "time_s"}, "has no column time_s"),
        (lambda c: {name: v for name, v in c.items() if name != "command_2_N_m"}, "no column command_2_N_m"),
        (lambda c: {n: v for n, v in c.items() if "command" not in n}, "the case has a controller"),
        (lambda c: {n: v for n, v in c.items() if n != "gyro_y_rad_s"}, "but not gyro_y_rad_s"),
        (lambda c: renamed(c, "gyro_x_rad_s", "gyro_x_grad_s"), "but not gyro_x_rad_s"),
        (lambda c: renamed(c, "_rad_s", "_furlongs"), "is not a measurement of gyro in a known unit"),
        (lambda c: renamed(c, "_rad_s", "_rad_s", 180.0 / np.pi), "gyro looks like deg/s, not rad/s"),
        (lambda c: renamed(c, "_rad_s", "_deg_s"), "gyro looks like rad/s, not deg/s"),
        (swapped, "star_tracker looks scalar last"),
        (conjugated, "the attitude of inertial axes in the body"),
        (lambda c: swapped(conjugated(c)), "scalar last, and the attitude of inertial axes"),
        (lambda c: {**c, "star_tracker_0": 1.1 * c["star_tracker_0"]}, "a quaternion of norm"),
        (lambda c: {n: v for n, v in c.items() if n == "time_s" or "command" in n}, "no measurement of a sensor"),
    ],
)
def test_faulty_telemetry_is_refused_by_one_sentence(tracked, columns, tmp_path, change, message):
    with pytest.raises(InputError, match=message) as caught:
        read(tracked, change(columns), tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("start", [0.0, 1e9])
def test_period_of_rounded_times_does_not_drift(case, tmp_path, start):
    """The median of the rounded steps, 0.3333 s, would put the last command of 600 s a fifth of a period too early."""
    t = start + np.round(np.arange(1801) / 3.0, 4)
    rate = dict.fromkeys([f"gyro_{axis}_rad_s" for axis in "xyz"], 0.0 * t)
    found = read(
        case, {"time_s": t, **dict.fromkeys([f"command_{n}_N_m" for n in (1, 2, 3)], 0.0 * t), **rate}, tmp_path
    )
    assert found.period * 1800 == pytest.approx(600.0, abs=1e-3)
    assert found.notes == (
        "the commands are 0.333333 s apart, but controller.sample_s is 0.1 s: commands between the rows are unknown",
    )


def test_gap_of_a_sensor_is_no_fault(tracked, columns, tmp_path):
    gone = columns["gyro_x_rad_s"].copy()
    gone[100:200] = np.nan
    found = read(tracked, {**columns, "gyro_x_rad_s": gone}, tmp_path)
    assert len(found.channels["gyro"].times) == 501


@pytest.mark.parametrize("text", ["", "time_s\n", "time_s,time_s\n1,2\n", "time_s,a\n1\n", "time_s,a\n1,x\n"])
def test_malformed_table_is_refused(tracked, tmp_path, text):
    path = tmp_path / "run.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"run\.csv"):
        read_telemetry(path, sensed(load_case(tracked).case, sample=0.1), sample=0.1, delay=0.0)


def test_run_without_measurements_is_refused_with_its_way_out(tracked):
    run = run_case("slew-lqr", overrides=["run.duration_s=3", "run.output_s=0.1", "controller.sample_s=0.1"]).run
    with pytest.raises(InputError, match=r"add an \[estimator\], and run the case again"):
        read_telemetry(run, sensed(load_case(tracked).case, sample=0.1), sample=0.1, delay=0.0)


def test_missing_file_and_case_without_sensors_are_refused(tracked, tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_telemetry(tmp_path / "none.csv", sensed(load_case(tracked).case, sample=0.1), sample=0.1, delay=0.0)
    with pytest.raises(InputError, match="has no gyro, star tracker or tachometer"):
        read_telemetry(tmp_path / "none.csv", (), sample=0.1, delay=0.0)


@pytest.mark.parametrize(("output", "delay", "step"), [(0.1, 0.05, 0.05), (0.25, 0.0, 0.1), (0.1, 0.025, 0.025)])
def test_refusal_of_rows_names_a_period_that_divides_sample_and_delay(output, delay, step):
    start = [f"run.output_s={output}", f"controller.delay_s={delay}", "controller.sample_s=0.1", "run.duration_s=3"]
    run = run_case("slew-lqr", overrides=start).run
    with pytest.raises(InputError, match=rf"run the case again with run\.output_s = {step}$"):
        _from_run(run, "run.nc", [], 0.1, delay)
    again = run_case("slew-lqr", overrides=[f"run.output_s={step}", *start[1:]]).run
    assert _from_run(again, "run.nc", [], 0.1, delay).period == pytest.approx(step)
