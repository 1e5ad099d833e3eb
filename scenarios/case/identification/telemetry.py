"""Telemetry for `polhode identify`: commands and measurements from run.nc or CSV."""

import csv
import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....controllers.laws.files.text_file import read_text
from ....controllers.sensing.sensors import RateGyro, StarTracker, Tachometer
from ....plant.errors import InputError
from ....plant.frozen import frozen_arrays
from ....sim import load
from ..kinds.sensors.sensed import Sensed
from .plausible import require_plausible

if TYPE_CHECKING:
    from ....sim import Run

Array = NDArray[np.float64]

USABLE = (RateGyro, StarTracker, Tachometer)
RATE_UNITS = {"rad_s": 1.0, "deg_s": np.pi / 180.0, "deg_h": np.pi / 648000.0, "rpm": np.pi / 30.0}
TORQUE_UNITS = {"N_m": 1.0, "mN_m": 1e-3}
NEAR = 1e-3  # largest deviation of a time from its grid, in periods


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Channel:
    """Valid measurements of one sensor: times (n,), s, and values (n, c)."""

    times: Array
    values: Array


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Telemetry:
    """Recorded commands and measurements; the record begins at t = 0.

    commands (m, 3): torque commands in the torque basis, N m, or None if there are none. Command k applies from
    time k * `period` (s) onwards.
    channels: measurements by sensor name.
    duration: duration of the record, s.
    notes: remarks that are printed with the result.
    """

    duration: float
    period: float
    commands: Array | None
    channels: Mapping[str, Channel]
    notes: tuple[str, ...] = ()


def read_telemetry(path: "Path | Run", sensors: Sequence[Sensed], *, sample: float | None, delay: float) -> Telemetry:
    """Read telemetry from a file or a run.

    path: run.nc, CSV file, or a run; sensors: sensors of the case; sample: sampling period of the law, s, or None if
    there is no law; delay: delay of the law, s. Raises InputError if the file cannot be read, has gaps in its
    commands, contains no measurement of a sensor in the case, or has units or a quaternion order that do not match its
    columns.
    """
    usable = [each for each in sensors if isinstance(each.sensor, USABLE)]
    if not usable:
        raise InputError(
            "the case has no gyro, star tracker or tachometer whose measurements could be compared; add "
            "[[sensors]] with their noise"
        )
    if not isinstance(path, Path):
        telemetry = _from_run(path, "the run", usable, sample, delay)
    elif path.suffix == ".nc":
        telemetry = _from_run(load(path), str(path), usable, sample, delay)
    else:
        telemetry = _from_csv(path, usable, sample)
    where = str(path) if isinstance(path, Path) else "the run"
    notes = [*telemetry.notes, *_not_compared(sensors, usable, telemetry)]
    if not telemetry.channels:
        names = ", ".join(each.name for each in usable)
        way_out = (
            "a run records sensors that an [estimator] or the law uses: add an [estimator], and run the case again"
            if not isinstance(path, Path) or path.suffix == ".nc"
            else "name its columns after these sensors"
        )
        raise InputError(f"{where}: contains no measurement of a sensor of the case ({names}); {way_out}")
    for each in usable:
        channel = telemetry.channels.get(each.name)
        if channel is not None and len(channel.times) < 2:
            raise InputError(
                f"{where}: has {len(channel.times)} valid measurement{'s' * (len(channel.times) != 1)} of {each.name}; "
                "at least 2 are needed: lengthen the record, or omit these columns"
            )
    found = telemetry.channels
    gyros, trackers = (
        {each.name: found[each.name] for each in usable if isinstance(each.sensor, kind) and each.name in found}
        for kind in (RateGyro, StarTracker)
    )
    require_plausible(where, gyros, trackers)
    return Telemetry(
        duration=telemetry.duration, period=telemetry.period, commands=telemetry.commands, channels=telemetry.channels,
        notes=tuple(notes),
    )  # fmt: skip


def _not_compared(sensors: Sequence[Sensed], usable: Sequence[Sensed], telemetry: Telemetry) -> list[str]:
    """Return notes on sensors that identification does not use, and on sensors without measurements."""
    others = [each.name for each in sensors if each not in usable]
    unused = [each.name for each in usable if each.name not in telemetry.channels]
    notes: list[str] = []
    if others:
        notes.append(f"not compared: {', '.join(others)}; identify uses gyros, star trackers and tachometers")
    if unused:
        notes.append(f"no measurements of {', '.join(unused)} in the telemetry")
    return notes


def _from_run(run: "Run", path: str, sensors: Sequence[Sensed], sample: float | None, delay: float) -> Telemetry:
    """Return the commands of a run and the measurements of its sensors as telemetry."""
    t = np.asarray(run.t)
    steps = np.diff(t)
    if t.size < 3:
        raise InputError(f"{path}: has {t.size} rows; at least 3 are needed")
    period = float(np.median(steps))
    if sample is not None:
        for name, time in (("sample_s", sample), ("delay_s", delay)):
            if abs(time / period - round(time / period)) > NEAR:
                common = gcd(round(sample * 1e9), round(delay * 1e9)) * 1e-9
                raise InputError(
                    f"{path}: has a row every {period:g} s, but the commands change between rows (controller.{name} = "
                    f"{time:g}); run the case again with run.output_s = {common:g}"
                )
    if np.abs(steps - period).max() > NEAR * period:
        worst = int(np.argmax(np.abs(steps - period)))
        raise InputError(f"{path}: has a gap from {t[worst]:g} to {t[worst + 1]:g} s; truncate the record there")
    channels: dict[str, Channel] = {}
    for each in sensors:
        if each.name not in run.names:
            continue
        rows = np.asarray(run.values(each.name))
        kept = rows[rows[:, -2] > 0.0]
        _, first = np.unique(kept[:, -1], return_index=True)
        channels[each.name] = Channel(times=kept[first, -1] - t[0], values=kept[first, :-2])
    # blocks on the way to the plant, such as pulsed thrusters, act on the law's command in the simulation as well
    of_law = "command_of_law" if "command_of_law" in run.names else "command"
    commands = np.asarray(run.values(of_law)) if sample is not None else None
    return Telemetry(duration=float(t[-1] - t[0]), period=period, commands=commands, channels=channels)


def _from_csv(path: Path, sensors: Sequence[Sensed], sample: float | None) -> Telemetry:
    """Read telemetry from a CSV file: time_s, command_1_N_m to command_3_N_m, and columns of each sensor."""
    header, rows = _table(path)
    if "time_s" not in header:
        near = difflib.get_close_matches("time_s", header, n=1, cutoff=0.4)
        raise InputError(f"{path}: has no column time_s{f' (it has {near[0]})' if near else ''}; give the times in s")
    t = rows[:, header.index("time_s")]
    if not np.isfinite(t).all():
        raise InputError(f"{path}: line {int(np.argmin(np.isfinite(t))) + 2} has no time")
    if t.size < 3:
        raise InputError(f"{path}: has {t.size} row{'s' * (t.size > 1)}; at least 3 are needed")
    if not (np.diff(t) > 0.0).all():
        worst = int(np.argmin(np.diff(t)))
        raise InputError(
            f"{path}: line {worst + 3} has {t[worst + 1]:.12g} s after {t[worst]:.12g} s; times must be ascending: "
            "sort the rows, and merge those of equal time"
        )
    used, channels = {"time_s"}, dict[str, Channel]()
    t = t - t[0]
    for each in sensors:
        found = _columns(path, header, each)
        if found is None:
            continue
        places, factor = found
        used |= {header[k] for k in places}
        values = rows[:, places] * factor
        kept = np.isfinite(values).all(axis=1)
        channels[each.name] = Channel(times=t[kept], values=values[kept])
    commands, period, names = _commands(path, header, rows, t)
    used |= names
    if commands is None and sample is not None:
        raise InputError(
            f"{path}: has no columns command_1_N_m, command_2_N_m, command_3_N_m, but the case has a controller; add "
            "the torque that acts from each row on, zeros where none acts"
        )
    unused = [name for name in header if name not in used]
    notes = [f"columns not used: {', '.join(unused)}"] if unused else []
    if commands is not None and sample is not None and period > (1.0 + NEAR) * sample:
        notes.append(
            f"the commands are {period:g} s apart, but controller.sample_s is {sample:g} s: commands between the rows "
            "are unknown"
        )
    return Telemetry(duration=float(t[-1]), period=period, commands=commands, channels=channels, notes=tuple(notes))


def _table(path: Path) -> tuple[list[str], Array]:
    """Return header and values of a CSV file; empty cells are NaN."""
    try:
        text = read_text(path, what="telemetry")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; give run.nc or a CSV file") from None
    lines = list(csv.reader(text.splitlines()))
    if len(lines) < 2:
        raise InputError(f"{path}: has no rows; give a header such as time_s,gyro_x_rad_s and a row for each time")
    header = [each.strip() for each in lines[0]]
    if len(set(header)) < len(header):
        twice = next(name for name in header if header.count(name) > 1)
        raise InputError(f"{path}: has the column {twice} twice; remove one of the two")
    rows: list[list[float]] = []
    for number, line in enumerate(lines[1:], start=2):
        if not line:
            continue
        if len(line) != len(header):
            raise InputError(f"{path}: line {number} has {len(line)} cells, but the header has {len(header)}")
        try:
            rows.append([float(cell) if cell.strip() else np.nan for cell in line])
            if np.isinf(rows[-1]).any():
                raise ValueError
        except ValueError:
            bad = next(cell for cell in line if not _is_number(cell))
            raise InputError(
                f"{path}: line {number} has {bad!r}, not a number; leave a cell empty for no value"
            ) from None
    return header, np.array(rows)


def _is_number(cell: str) -> bool:
    try:
        return not np.isinf(float(cell.strip() or "0"))
    except ValueError:
        return False


def _columns(path: Path, header: Sequence[str], each: Sensed) -> tuple[list[int], float] | None:
    """Return the column indices of a sensor and the conversion factor to SI; None if it has no columns."""
    sensor = each.sensor
    if isinstance(sensor, StarTracker):
        choices = {"": ([f"{each.name}_{n}" for n in range(4)], 1.0)}
    else:
        count = len(sensor.wheels) if isinstance(sensor, Tachometer) else 3
        parts = [str(n + 1) for n in range(count)] if isinstance(sensor, Tachometer) else list("xyz")
        choices = {
            unit: ([f"{each.name}_{part}_{unit}" for part in parts], factor) for unit, factor in RATE_UNITS.items()
        }
    for names, factor in choices.values():
        present = [name in header for name in names]
        if all(present):
            return [header.index(name) for name in names], factor
        if any(present):
            raise InputError(f"{path}: has {names[present.index(True)]} but not {names[present.index(False)]}")
    if any(name.startswith(f"{each.name}_") for name in header):
        example = " or ".join(names[0] for names, _ in choices.values())
        given = next(name for name in header if name.startswith(f"{each.name}_"))
        raise InputError(
            f"{path}: the column {given} is not a measurement of {each.name} in a known unit; write {example}"
        )
    return None


def _commands(path: Path, header: Sequence[str], rows: Array, t: Array) -> tuple[Array | None, float, set[str]]:
    """Return the commands on a regular time grid, the period of this grid, and the names of the columns."""
    for unit, factor in TORQUE_UNITS.items():
        names = [f"command_{n}_{unit}" for n in (1, 2, 3)]
        if not set(names) & set(header):
            continue
        missing = [name for name in names if name not in header]
        if missing:
            raise InputError(f"{path}: has commands but no column {missing[0]}; give all three, zeros where none acts")
        values = rows[:, [header.index(name) for name in names]] * factor
        given = np.isfinite(values)
        kept = given.all(axis=1)
        if (part := given.any(axis=1) & ~kept).any():
            raise InputError(
                f"{path}: at {t[part][0]:g} s some of the three commands are empty; give all three, zeros where none "
                "acts"
            )
        times, commands = t[kept], values[kept]
        if not len(times) or times[0] > 0.0:
            raise InputError(f"{path}: the first row has no command; start the record where the command is known")
        period = _command_period(path, times, float(t[-1]))
        if t[-1] - times[-1] > (1.0 + NEAR) * period:
            raise InputError(
                f"{path}: the commands end at {times[-1]:g} s, but the record at {t[-1]:g} s; truncate it there"
            )
        return commands, period, set(names)
    return None, 0.0, set()


def _command_period(path: Path, times: Array, end: float) -> float:
    """Return the period of commands at given times, s; end: end of the record, s.

    The period is the mean step: the median step of times with few decimals is off by their rounding in every period,
    which adds up over the record.
    """
    if len(times) < 2:
        return end
    steps = np.diff(times)
    usual = float(np.median(steps))
    worst = int(np.argmax(np.abs(steps - usual)))
    if abs(steps[worst] - usual) > 0.5 * usual:
        raise InputError(
            f"{path}: the commands have a gap from {times[worst]:g} to {times[worst + 1]:g} s (one each {usual:g} "
            "s otherwise); the motion is unknown without them: truncate the record there, or fill in the torque"
        )
    period = float(times[-1] - times[0]) / len(steps)
    off = np.abs(times - period * np.arange(len(times)))
    if off.max() > NEAR * period:
        worst = int(np.argmax(off))
        raise InputError(
            f"{path}: the command at {times[worst]:.9g} s is {off[worst]:.2g} s from its place in a sequence of "
            f"{period:.6g} s; write the times with more digits, or resample the commands to equal steps"
        )
    return period
