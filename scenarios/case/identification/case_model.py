"""Case model for output-error estimation, which compares simulated runs with telemetry."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....controllers import Block
from ....controllers.contracts.clock import Clock
from ....controllers.laws.recorded_commands import RecordedCommands
from ....controllers.sensing.sensors import RateGyro, StarTracker, Tachometer
from ....controllers.sensing.sensors.sensor import MESSAGE, mounted
from ....plant.attitude import conjugate, from_rotation_vector, quaternion_product, to_rotation_vector
from ....plant.errors import InputError, PolhodeError
from ....sim import Run, simulate_batch
from ....sim.analysis.identification.information import Information, marginal
from ....sim.analysis.identification.whitening import ColouredNoise, count_innovations, whitened
from ....sim.runs.neighbouring_runs import neighbouring_runs
from ....sim.runs.run_spec import RunSpec, run_spec
from ..changed import changed_case
from ..kinds.problem import Problem, build
from ..kinds.sensors.sensed import Sensed, sensed
from ..loader import LoadedCase
from ..overrides import put_value
from ..schema import Case
from .telemetry import Telemetry
from .unknowns import Alignment, Bias, Unknown, put_all

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

KEPT = (
    "title",
    "description",
    "plant",
    "initial",
    "environment",
    "orbit",
    "torques",
    "run",
    "controller",
    "reference",
    "sensors",
)
DROPPED = ("accuracy", "output_step", "seed", "run_index", "duration")
ATTITUDE_SIZE = 0.1  # scale of an unknown initial attitude, rad
RATE_SIZE = 0.1  # scale of an unknown initial rate, relative to the magnitude of the rate
LEAST_RATE = 1e-3  # smallest magnitude of the rate for this scale, rad/s
ROUND = 1e-9  # largest difference between simulated and recorded times, s


class CaseModel:
    """Case model for `fit_output_error`: a case, its telemetry and its unknowns.

    The vector x (p,) begins with the coordinates of the unknowns. Unless the start is known, a small rotation of the
    initial attitude (rad, only with a star tracker) and the initial rate (rad/s) follow. The last entries are the
    biases (rad/s) of those gyros that declare a bias.

    loaded: the case; telemetry: measurements; unknowns: unknowns listed in `--free`; sample: sampling period of the
    law, s; priors: standard deviation by key, in the unit of the values; known_start: whether initial attitude and rate
    of the case are exact; measured_start: whether the search starts from the first measurements instead of the values
    in the case.
    """

    def __init__(
        self,
        loaded: LoadedCase,
        telemetry: Telemetry,
        unknowns: Sequence[Unknown],
        *,
        sample: float,
        priors: Mapping[str, float],
        known_start: bool,
        measured_start: bool = True,
    ) -> None:
        self.measured_start = measured_start
        self.telemetry, self.unknowns = telemetry, tuple(unknowns)
        document = {key: value for key, value in loaded.document.items() if key in KEPT}
        if "controller" in document:
            document["controller"] = {key: v for key, v in document["controller"].items() if key != "uses"}
        self.loaded = loaded
        self._plant = plant_only(loaded.case).model_copy(update={"sensors": loaded.case.sensors})
        self._document = document
        self.sample = sample
        self.law = None if telemetry.commands is None else RecordedCommands(telemetry.commands, sample=telemetry.period)
        self._problems: dict[bytes, tuple[Problem, tuple[Sensed, ...]]] = {}
        self._sensors = [each for each in sensed(loaded.case, sample=self.sample) if each.name in telemetry.channels]
        _require_on_hub(self._sensors)
        self._keys = {each.name: each.key for each in self._sensors}
        case = loaded.case
        self._periods = {
            each.name: (
                self.sample
                if (table := case.sensors[int(each.key.split(".")[1])]).sample_s is None
                else table.sample_s,
                table.offset_s,
            )
            for each in self._sensors
        }
        self._layout(priors, known_start)

    def _layout(self, priors: Mapping[str, float], known_start: bool) -> None:
        """Assign the entries of x, with their start values, scales and priors."""
        starts = [each.start for each in self.unknowns]
        sizes = [each.scale for each in self.unknowns]
        self.parts: list[slice] = []
        at = 0
        for each in self.unknowns:
            self.parts.append(slice(at, at + each.start.size))
            at += each.start.size
        self.free = at
        self.names = [name for each in self.unknowns for name in each.names]
        rows = self._prior_rows(priors)
        problem, _ = self._built([each.start for each in self.unknowns])
        self.attitude = self.rate = slice(at, at)
        self._e0 = np.array(problem.state[3:7])
        self._w0 = np.array(problem.craft.rate(problem.state))
        if not known_start:
            if self.measured_start:
                self._begin_at_measurements()
            if any(isinstance(each.sensor, StarTracker) for each in self._sensors):
                self.attitude = slice(at, at + 3)
                starts.append(np.zeros(3))
                sizes.append(np.full(3, ATTITUDE_SIZE))
                self.names += [f"initial_attitude_{axis}" for axis in "xyz"]
                at += 3
            self.rate = slice(at, at + 3)
            starts.append(self._w0)
            size = max(float(np.linalg.norm(self._w0)), LEAST_RATE)
            sizes.append(np.full(3, RATE_SIZE * size))
            self.names += [f"initial_rate_{axis}" for axis in "xyz"]
            at += 3
        self._assign_sensors()
        for each in self._sensors:
            if isinstance(each.sensor, RateGyro) and each.sensor.bias > 0.0 and each.name not in self.bias:
                self.bias[each.name] = slice(at, at + 3)
                starts.append(np.zeros(3))
                sizes.append(np.full(3, each.sensor.bias))
                self.names += [f"{each.name}_bias_{axis}" for axis in "xyz"]
                rows += [(at + n, 0.0, each.sensor.bias) for n in range(3)]
                at += 3
        self.start, self.scale = np.concatenate(starts), np.concatenate(sizes)
        self.priors = rows

    def _prior_rows(self, priors: Mapping[str, float]) -> list[tuple[int, float, float]]:
        """Return index in x, mean and standard deviation of each prior."""
        rows: list[tuple[int, float, float]] = []
        known = [each.key for each in self.unknowns]
        for key, sigma in priors.items():
            place = known.index(key)
            means = self.unknowns[place].values(self.unknowns[place].start)
            rows += [(self.parts[place].start + n, float(mean), sigma) for n, mean in enumerate(means)]
        return rows

    def _assign_sensors(self) -> None:
        """Assign the unknown biases and alignments to their sensors, by name of the sensor."""
        self.bias: dict[str, slice] = {}
        self.alignment: dict[str, slice] = {}
        for each, part in zip(self.unknowns, self.parts, strict=True):
            name = next((s.name for s in self._sensors if each.key.startswith(f"{s.key}.")), "")
            if isinstance(each, Bias):
                self.bias[name] = part
            elif isinstance(each, Alignment):
                self.alignment[name] = part

    def _begin_at_measurements(self) -> None:
        """Initialise attitude and rate from the first measurements of gyro and star tracker, if any."""
        for each in self._sensors:
            channel = self.telemetry.channels[each.name]
            if isinstance(each.sensor, RateGyro):
                count = max(1, min(len(channel.times), 5))
                self._w0 = channel.values[:count].mean(axis=0)
        for each in self._sensors:
            channel = self.telemetry.channels[each.name]
            if isinstance(each.sensor, StarTracker):
                if not any(isinstance(other.sensor, RateGyro) for other in self._sensors):
                    turn = quaternion_product(conjugate(channel.values[0]), channel.values[1])
                    self._w0 = np.asarray(to_rotation_vector(_unit(turn))) / (channel.times[1] - channel.times[0])
                back = from_rotation_vector(-self._w0 * channel.times[0])
                self._e0 = _unit(quaternion_product(_unit(channel.values[0]), back))

    def values(self, x: Array) -> Array:
        """Return the values of the unknowns at x (p,), followed by the other entries of x unchanged."""
        found = np.array(x)
        for each, part in zip(self.unknowns, self.parts, strict=True):
            found[part] = each.values(x[part])
        return found

    def jacobian(self, x: Array) -> Array:
        """Return the derivative of `values` with respect to x, shape (p, p)."""
        found = np.eye(x.size)
        for each, part in zip(self.unknowns, self.parts, strict=True):
            found[part, part] = each.jacobian(x[part])
        return found

    def sizes(self, values: Array) -> Array:
        """Return the scale of each entry of `values`, for comparison with its standard deviation."""
        found = np.array(self.scale)
        for each, part in zip(self.unknowns, self.parts, strict=True):
            found[part] = each.sizes(values[part])
        return found

    def natural(self, x: Array, jacobian: Array) -> Array:
        """Return the information matrix (p, p) of all values, in their own units."""
        rows = jacobian @ np.linalg.inv(self.jacobian(x))
        return np.asarray(rows.T @ rows, dtype=np.float64)

    def information(self, x: Array, jacobian: Array) -> Information:
        """Return the information on the free parameters, with all other values eliminated."""
        sizes = self.sizes(self.values(x))
        matrix = marginal(self.natural(x, jacobian), range(self.free), sizes)
        return Information(names=tuple(self.names[: self.free]), matrix=matrix, scale=sizes[: self.free])

    def document(self, x: Array, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return the document with the values of the unknowns at x."""
        return put_all(document, self.unknowns, [x[part] for part in self.parts])

    def _built(
        self, parts: Sequence[Array], start: tuple[Array, Array] | None = None
    ) -> tuple[Problem, tuple[Sensed, ...]]:
        """Build problem and sensors of the case with given coordinates of the unknowns; results are cached.

        start: initial attitude and rate; None: the values in the case.
        """
        whole = [each for each, one in zip(parts, self.unknowns, strict=True) if one.in_case]
        more = [] if start is None else [*start]
        key = np.concatenate([*whole, *more, np.zeros(0)]).tobytes()
        if key not in self._problems:
            document = put_all(self._document, self.unknowns, parts)
            changed = {each.key.split(".")[0] for each in self.unknowns if each.in_case}
            if start is not None:
                document["initial"] = dict(document.get("initial", {}))
                for old in ("momentum_N_m_s",):
                    document["initial"].pop(old, None)
                for name, value in zip(("attitude", "rate_rad_s"), start, strict=True):
                    put_value(document, ("initial", name), value.tolist(), where="initial")
                changed.add("initial")
            base = LoadedCase(
                name=self.loaded.name,
                source=self.loaded.source,
                case=self._plant,
                document=document,
                authority=self.loaded.authority,
            )
            case = changed_case(base, document, sorted(changed)).case if changed else self._plant
            bare = case.model_copy(update={"sensors": ()})
            law = self.law
            problem = build(bare, under=(lambda _: law) if law is not None else None, with_law=False)
            self._problems[key] = problem, sensed(case, sample=self.sample)
        return self._problems[key]

    def residuals(self, points: Array, share: float) -> list[Array]:
        """Return the whitened residuals of each sensor, and of the priors, for points (m, p).

        share: fraction of the telemetry duration to simulate.
        """
        self._forget()
        built, fine = self._all_built(points)
        unique, lane = _distinct(built)
        first, grids = unique[0], self._grids(share)
        settings = self._settings(first, grids, share)
        runs = simulate_batch(
            [each.craft for each in unique], self.law, state=np.array([each.state for each in unique]), **settings
        )
        rows = {name: np.asarray(runs.values(name)) for name in self._quantities()}
        return self._residuals(points, built, fine, share, settings["output_times"], [
            {name: values[run] for name, values in rows.items()} for run in lane
        ])  # fmt: skip

    def residuals_around(self, x: Array, step: Array, share: float) -> tuple[list[Array], str]:
        """Return the residuals at x, x + step and x - step along each axis, as `Model.residuals_around`."""
        self._forget()
        points = np.concatenate((x[None], x + np.diag(step), x - np.diag(step)))
        built, fine = self._all_built(points)
        p, (centre, _) = x.size, built[0]
        moves = [n for n in range(p) if built[1 + n][0] is not centre or built[1 + p + n][0] is not centre]
        if not moves or not fine.all():
            reason = "" if fine.all() else "a neighbouring set of parameters is no valid model"
            return self.residuals(points, share), reason
        grids = self._grids(share)
        settings = self._settings(centre, grids, share)

        def spec(problem: Problem) -> RunSpec:
            return run_spec(problem.craft, self.law, state=problem.state, **settings)

        def displaced(weights: Array) -> tuple[RunSpec, RunSpec]:
            move = np.zeros(p)
            move[moves] = step[moves] * weights
            return spec(self._at(x + move)[0]), spec(self._at(x - move)[0])

        pairs = [(spec(built[1 + n][0]), spec(built[1 + p + n][0])) for n in moves]
        near = neighbouring_runs(spec(centre), pairs, displaced)
        runs = {0: near.run}
        for n, (one, other) in zip(moves, near.pairs, strict=True):
            runs |= {1 + n: one, 1 + p + n: other}
        rows = [self._rows_of(runs.get(n, near.run)) for n in range(len(points))]
        for n, each in enumerate(rows):
            if each is None:
                fine[n] = False
        known = next((each for each in rows if each is not None), None)
        if known is None:
            return self.residuals(points, share), near.simulated
        filled = [known if each is None else each for each in rows]
        return self._residuals(points, built, fine, share, settings["output_times"], filled), near.simulated

    def _forget(self) -> None:
        if self.measured_start:  # otherwise the same points are simulated again with other commands
            self._problems.clear()

    def _grids(self, share: float) -> dict[str, Array]:
        """Return the times at which the model of each sensor is sampled, by name."""
        return {each.name: self._grid(each.name, share * self.telemetry.duration) for each in self._sensors}

    def _settings(self, first: Problem, grids: Mapping[str, Array], share: float) -> dict[str, Any]:
        """Return the arguments of `simulate` that all runs share."""
        times = np.unique(np.round(np.concatenate(list(grids.values())), 9))
        return {
            **{key: value for key, value in first.settings.items() if key not in DROPPED},
            "torques": first.pulses,
            "blocks": first.blocks,
            "duration": max(float(times[-1]), share * self.telemetry.duration),
            "output_times": times,
            "ledger": False,
        }

    def _quantities(self) -> tuple[str, ...]:
        """Return the quantities of a run that the sensors measure."""
        tachometers = any(isinstance(each.sensor, Tachometer) for each in self._sensors)
        return ("attitude", "rate", "internal") if tachometers else ("attitude", "rate")

    def _rows_of(self, run: Run | PolhodeError) -> dict[str, Array] | None:
        """Return the measured quantities of a run; None if it was not completed."""
        if isinstance(run, PolhodeError) or run.status != "completed":
            return None
        return {name: np.asarray(run.values(name)) for name in self._quantities()}

    def _residuals(
        self,
        points: Array,
        built: Sequence[tuple[Problem, tuple[Sensed, ...]]],
        fine: NDArray[np.bool_],
        share: float,
        times: Array,
        rows: Sequence[Mapping[str, Array]],
    ) -> list[Array]:
        """Return the whitened residuals of sensors and priors at each point.

        built: problem and sensors at each point; fine: which points are valid; times: of the rows, s; rows: measured
        quantities at each point.
        """
        until, grids = share * self.telemetry.duration, self._grids(share)
        names = built[0][0].craft.layout.coordinates
        found: list[Array] = []
        for each in self._sensors:
            at = np.searchsorted(times, grids[each.name] - ROUND)
            one = [
                self._compare(each, sensors, {k: v[at] for k, v in own.items()}, grids[each.name], x, names)
                for (_, sensors), own, x in zip(built, rows, points, strict=True)
            ]
            found.append(self._whitened(each, np.array(one), until))
        if self.priors:
            place, mean, sigma = (np.array(column) for column in zip(*self.priors, strict=True))
            values = np.array([self.values(x) for x in points])
            found.append(((values[:, place] - mean) / sigma)[:, :, None])
        for each in found:
            each[~fine] = np.nan
        return found

    def _all_built(self, points: Array) -> tuple[list[tuple[Problem, tuple[Sensed, ...]]], NDArray[np.bool_]]:
        """Build problem and sensors at each point, and return which points are valid.

        An invalid point gets the problem of the first valid point.
        """
        first = self._at(points[0]) if len(points) == 1 else None
        found: list[tuple[Problem, tuple[Sensed, ...]] | None] = [] if first is None else [first]
        errors: list[PolhodeError] = []
        for x in points[len(found) :]:
            try:
                found.append(self._at(x))
            except PolhodeError as error:
                errors.append(error)
                found.append(None)
        known = next((each for each in found if each is not None), None)
        if known is None:
            raise errors[0]
        return [known if each is None else each for each in found], np.array([each is not None for each in found])

    def _at(self, x: Array) -> tuple[Problem, tuple[Sensed, ...]]:
        """Build problem and sensors at x."""
        attitude = (
            _unit(quaternion_product(self._e0, from_rotation_vector(x[self.attitude])))
            if _some(self.attitude)
            else self._e0
        )
        rate = x[self.rate] if _some(self.rate) else self._w0
        return self._built([x[part] for part in self.parts], (attitude, rate))

    def _grid(self, name: str, until: float) -> Array:
        """Return the times at which the model of a sensor is sampled.

        For a star tracker these are the times of its measurements, otherwise all samples of the sensor.
        """
        channel = self.telemetry.channels[name]
        sensor = next(each.sensor for each in self._sensors if each.name == name)
        last = max(until, float(channel.times[0]))
        if isinstance(sensor, StarTracker):
            return channel.times[channel.times <= last + ROUND]
        period, offset = self._periods[name]
        begin = float(channel.times[0])
        before = int(np.floor((begin - offset) / period + 1e-6))
        count = int(np.floor((min(last, float(channel.times[-1])) - begin) / period + 1e-6))
        grid = begin + period * np.arange(-before, count + 1)
        return grid[grid >= -ROUND].clip(min=0.0)

    def _compare(
        self,
        each: Sensed,
        sensors: Sequence[Sensed],
        rows: Mapping[str, Array],
        grid: Array,
        x: Array,
        coordinates: Sequence[str],
    ) -> Array:
        """Return measurement minus model, shape (n, c), for one run; rows: simulated motion at the grid times."""
        channel = self.telemetry.channels[each.name]
        sensor = next(other.sensor for other in sensors if other.name == each.name)
        if isinstance(sensor, StarTracker):
            attitude = rows["attitude"]
            if each.name in self.alignment:
                attitude = quaternion_product(attitude, from_rotation_vector(x[self.alignment[each.name]]))
            turn = quaternion_product(conjugate(attitude), channel.values[: len(grid)])
            turn = turn * np.where(turn[:, :1] < 0.0, -1.0, 1.0)
            return 2.0 * turn[:, 1:] @ mounted(sensor.mounting)
        kept, places = self._matched(each.name, grid)
        if isinstance(sensor, RateGyro):
            model = _noise_free(sensor, grid, np.hstack((rows["attitude"], rows["rate"])))[places, :3]
            bias = x[self.bias[each.name]] if each.name in self.bias else np.zeros(3)
            return channel.values[kept] - model - bias
        wheels = [coordinates.index(name) for name in sensor.wheels]
        angle = rows["internal"][:, wheels]
        period, _ = self._periods[each.name]
        turned = angle[places] - angle[np.maximum(places - 1, 0)]
        return count_innovations(channel.values[kept] * period - turned, places)

    def _matched(self, name: str, grid: Array) -> tuple[Indices, Indices]:
        """Return the indices of the measurements within the grid, and of the corresponding grid times."""
        times = self.telemetry.channels[name].times
        period, _ = self._periods[name]
        kept = np.flatnonzero(times <= grid[-1] + 0.25 * period)
        places = np.rint((times[kept] - grid[0]) / period).astype(np.intp)
        off = np.abs(grid[places.clip(max=len(grid) - 1)] - times[kept])
        if off.max() > 1e-3 * period:
            raise InputError(
                f"{name} has a measurement at {times[kept][int(np.argmax(off))]:.9g} s, but {self._keys[name]} samples "
                f"every {period:g} s; set the sample_s of the telemetry in the case"
            )
        return kept, places

    def _whitened(self, each: Sensed, residuals: Array, until: float) -> Array:
        """Return residuals whitened with the noise that the sensor declares."""
        del until
        sensor = each.sensor
        channel = self.telemetry.channels[each.name]
        times = channel.times[: residuals.shape[1]]
        if isinstance(sensor, StarTracker):
            white = np.array((sensor.noise, sensor.noise, sensor.roll_noise))
            if sensor.field_time is None or max(sensor.field_noise, sensor.field_roll_noise) == 0.0:
                return whitened(residuals, times, white)
            parts = [
                whitened(
                    residuals[..., k : k + 1], times, white[k : k + 1], [ColouredNoise(sigma=s, time=sensor.field_time)]
                )
                for k, s in enumerate((sensor.field_noise, sensor.field_noise, sensor.field_roll_noise))
            ]
            return np.concatenate(parts, axis=-1)
        period, _ = self._periods[each.name]
        if isinstance(sensor, RateGyro):
            K = sensor.rate_random_walk
            white = sensor.angle_random_walk**2 / period + K**2 * period / 3.0
            white += (sensor.step / period) ** 2 / 6.0 + sensor.rate_step**2 / 12.0
            coloured = [ColouredNoise(walk=K)]
            if sensor.correlation_time is not None:
                coloured.append(ColouredNoise(sigma=sensor.flicker, time=sensor.correlation_time))
            if white <= 0.0:
                raise InputError(
                    f"{self._keys[each.name]} declares no noise, so its measurements would count as exact; set its "
                    "angle_random_walk_deg_sqrt_h"
                )
            return whitened(residuals, times, np.full(3, sqrt(white)), coloured)
        count = 2.0 * np.pi / sensor.counts_per_revolution / sqrt(12.0)
        return whitened(residuals, times, count * np.ones(np.shape(residuals)[-1]))


def _require_on_hub(sensors: Sequence[Sensed]) -> None:
    """Raise InputError if a sensor has modal slopes, since measurements are compared with the motion of the hub."""
    for each in sensors:
        if getattr(each.sensor, "modal_slopes", None) is not None:
            raise InputError(
                f"{each.key}: identify compares measurements with the motion of the hub, but {each.name} rotates "
                "relative to the hub with its modal_slopes_rad_sqrt_kg_m; remove the key, or the sensor"
            )


def _distinct(built: Sequence[tuple[Problem, tuple[Sensed, ...]]]) -> tuple[list[Problem], Indices]:
    """Return the problems without repetitions, and the index of each point's problem among them."""
    unique = list({id(problem): problem for problem, _ in built}.values())
    order = {id(problem): n for n, problem in enumerate(unique)}
    return unique, np.array([order[id(problem)] for problem, _ in built])


def plant_only(case: Case) -> Case:
    """Return a case with only the parts that a replay of recorded commands needs.

    Sensors, estimator, blocks, modes and requirements are removed, among others.
    """
    bare: dict[str, Any] = {
        "sensors": (), "blocks": (), "modes": (), "estimator": None, "require": (), "tune": None, "dispersions": {},
        "compare": (), "campaign": None, "nominal": None,
    }  # fmt: skip
    if case.controller is not None:
        bare["controller"] = case.controller.model_copy(update={"uses": None})
    return case.model_copy(update={key: value for key, value in bare.items() if key in type(case).model_fields})


def require_direct_commands(case: Case) -> None:
    """Raise InputError if a block of the case changes the command on its way to the plant."""
    for index, block in enumerate(case.blocks):
        written = next(iter(block.reads)) if block.writes is None else block.writes
        if written.startswith("command"):
            raise InputError(
                f"blocks.{index}: changes the command on its way to the plant, but the recorded commands drive the "
                "plant directly; remove the block, and give the torque that acts in the commands of a CSV file"
            )


def _noise_free(sensor: RateGyro, times: Array, rows: Array) -> Array:
    """Return the noise-free measurements of a gyro at its sampling times."""
    period = float(times[1] - times[0]) if len(times) > 1 else 1.0
    reading = sensor.reading(period)
    block = Block(
        reading.kernel, reads=tuple(reading.reads), writes={"measured": reading.width + MESSAGE}, clock=Clock(period),
        parameters=reading.quiet(), memory=reading.memory, name=sensor.name, random=True,
    )  # fmt: skip
    return block.replay(times, rows, seed=0)


def _unit(e: Any) -> Array:
    """Normalise Euler parameters to unit norm."""
    e = np.asarray(e, dtype=np.float64)
    return np.asarray(e / np.linalg.norm(e, axis=-1, keepdims=True), dtype=np.float64)


def _some(part: slice) -> bool:
    return part.stop > part.start
