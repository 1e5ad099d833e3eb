"""Greedy search for torque commands with the most information about the free parameters of a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import degrees
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ....controllers.laws.recorded_commands import RecordedCommands
from ....controllers.sensing.sensors import StarTracker, Tachometer
from ....plant.errors import InputError
from ....sim import simulate
from ....sim.analysis.identification.information import Information
from ....sim.analysis.identification.output_error import linearised
from ..kinds.problem import Problem, build
from ..kinds.sensors.sensed import sensed
from ..loader import LoadedCase
from .case_model import DROPPED, CaseModel, plant_only, require_direct_commands
from .designed_excitation import DesignedExcitation
from .telemetry import USABLE, Channel, Telemetry
from .unknowns import Unknown, priors_of_keys, unknowns_of

Array = NDArray[np.float64]

SHARES = (1.0, 0.5, 0.2)  # fractions of the torque limit that are tried until a command stays within the envelope
ROOM = 1e-9  # fraction by which a limit may be exceeded, for rounding


class ExcitationSearch:
    """Greedy search over segments, using a model with the values in the case."""

    def __init__(
        self,
        loaded: LoadedCase,
        free: Sequence[str],
        priors: Mapping[str, float],
        *,
        max_rate: float,
        segments: int,
        known_start: bool,
        count: int | None = None,
    ) -> None:
        case = loaded.case
        if case.modes or case.faults:
            raise InputError(
                "an excitation is designed for one torque basis without faults; remove [[modes]], [[faults]]"
            )
        if case.plant.has_steered_gyros:
            raise InputError(
                "the excitation is an external torque, but control moment gyros produce the torque of this case, whose "
                "momentum and rates would limit it; it is not supported"
            )
        require_direct_commands(case)
        if segments < 1:
            raise InputError(f"segments must be at least 1; got {segments}")
        self.loaded = loaded
        self.problem: Problem = build(plant_only(case))
        law = self.problem.law
        if law is None:
            raise InputError("an excitation needs commands: give the case a [controller], of which sample_s is used")
        self.period = float(law.sample)
        self.limits = _torque_limits(self.problem)
        if count is None and not np.isfinite(self.limits).all():
            raise InputError(
                "the torque of the case is unlimited, and so would be its excitation; give controller.torque_limit_N_m"
            )
        duration = case.run.duration_s
        self.each = int(np.floor(duration / self.period / segments + 1e-9)) if count is None else count
        if count is None and self.each < 2:
            raise InputError(
                f"{segments} segments of run.duration_s = {duration:g} s have fewer than two commands of "
                f"{self.period:g} s each; take fewer segments"
            )
        self.segments = segments
        given = priors_of_keys(priors, free)
        sensors = [each for each in sensed(case, sample=self.period) if isinstance(each.sensor, USABLE)]
        if not sensors:
            raise InputError("the case has no gyro, star tracker or tachometer, so there is no telemetry to inform")
        unknowns = unknowns_of(loaded, free, sensed(case, sample=self.period), given)
        if not max_rate > 0.0:
            raise InputError(f"the largest body rate must be positive; got {degrees(max_rate):g} deg/s")
        self.max_rate = max_rate
        self.wheels = _wheels(self.problem)
        self.sensors = sensors
        self.model = self._model(unknowns, given, known_start)
        self.evaluated = 0

    def _model(self, unknowns: Sequence[Unknown], priors: Mapping[str, float], known_start: bool) -> CaseModel:
        count = self.each * self.segments
        tables = self.loaded.case.sensors
        channels: dict[str, Channel] = {}
        for each in self.sensors:
            table = tables[int(each.key.split(".")[1])]
            period = self.period if table.sample_s is None else table.sample_s
            last = int(np.floor((count * self.period - table.offset_s) / period + 1e-9))
            times: Array = np.asarray(np.round(table.offset_s + period * np.arange(last + 1), 9), dtype=np.float64)
            width = 4 if isinstance(each.sensor, StarTracker) else 3
            if isinstance(each.sensor, Tachometer):
                width = len(each.sensor.wheels)
            values = np.zeros((len(times), width))
            values[:, 0] = 1.0 if width == 4 else 0.0
            channels[each.name] = Channel(times=times, values=values)
        self.channels = channels
        telemetry = Telemetry(
            duration=count * self.period, period=self.period, commands=np.zeros((count, 3)), channels=channels
        )
        return CaseModel(
            self.loaded, telemetry, unknowns, sample=self.period, priors=priors, known_start=known_start,
            measured_start=False,
        )  # fmt: skip

    def run(self, progress: Callable[[float], None] | None) -> DesignedExcitation:
        """Add the best command of each segment."""
        commands, found = np.zeros((0, 3)), None
        for segment in range(self.segments):
            trials = self._trials(commands)
            best = np.inf
            chosen: Array | None = None
            for number, trial in enumerate(trials):
                information = self.information(trial)
                score = _score(information)
                if score < best:
                    best, chosen, found = score, trial, information
                if progress is not None:
                    progress((segment + (number + 1) / len(trials)) / (self.segments + 1))
            assert chosen is not None  # noqa: S101 # `_trials` raises otherwise
            commands = chosen
        assert found is not None  # noqa: S101 # there is at least one segment
        rows = self._motion(commands)
        reference = self.information(np.zeros_like(commands))
        if progress is not None:
            progress(1.0)
        return DesignedExcitation(
            loaded=self.loaded,
            period=self.period,
            commands=commands,
            information=found,
            reference=reference,
            times=np.asarray(self.period * np.arange(len(commands)), dtype=np.float64),
            rates=rows["rate"][: len(commands)],
            wheels=rows["wheels"][: len(commands)],
            max_rate=self.max_rate,
            limits=self.limits,
            wheel_limits=self._wheel_limits(),
            evaluated=self.evaluated,
        )

    def _trials(self, before: Array) -> list[Array]:
        """Return the commands so far, extended by each candidate segment that stays within the envelope."""
        for share in SHARES:
            trials = [np.vstack((before, each)) for each in self._segments(before, share)]
            found = [each for each in trials if self._within(each)]
            driven = sum(bool(each[len(before) :].any()) for each in found)
            if driven > 1 or (found and share == SHARES[-1]):  # the brake alone excites little
                return found
        at = len(before) * self.period
        rate = degrees(float(np.linalg.norm(self._motion(np.vstack((before, np.zeros((1, 3)))))["rate"][len(before)])))
        raise InputError(
            f"from {at:g} s on, where the body rate is {rate:.4g} deg/s, no command keeps the body rate within "
            f"{degrees(self.max_rate):g} deg/s and the wheels within their speed limits; raise --max-rate, or begin "
            "at a lower rate"
        )

    def _segments(self, before: Array, share: float) -> list[Array]:
        """Return the candidate commands (each, 3) of one segment, at a fraction of the torque limit."""
        half = self.each // 2
        flip = np.where(np.arange(self.each) < half, 1.0, -1.0)[:, None]
        if self.each % 2:
            flip[half] = 0.0
        single = [sign * row for row in np.eye(3) for sign in (1.0, -1.0)]
        every = [np.array(signs) for signs in product((1.0, -1.0), repeat=3)]
        flat = np.ones((self.each, 1))
        found = [shape * row for row in (*single, *every) for shape in (flat, flip)]
        amount = share * self.limits
        commands = [self._inside(amount * each) for each in found]
        if self.problem.craft.torques.name == "body":
            commands.append(self._brake(before))
        return [*commands, np.zeros((self.each, 3))]

    def _inside(self, commands: Array) -> Array:
        """Scale commands into the envelope of the torque basis."""
        envelope = self.problem.craft.torques.envelope
        if envelope is None:
            return commands
        most = np.abs(commands @ np.asarray(envelope).T).max(axis=1, keepdims=True)
        return commands / np.maximum(most, 1.0)

    def _brake(self, before: Array) -> Array:
        """Return the constant torque that would remove the hub's angular momentum within one segment."""
        rate = self._motion(before)["rate"][-1] if len(before) else self.problem.craft.rate(self.problem.state)
        momentum = np.asarray(self.problem.craft.body.inertia) @ rate
        torque = np.clip(-momentum / (self.each * self.period), -self.limits, self.limits)
        return self._inside(np.tile(torque, (self.each, 1)))

    def _motion(self, commands: Array) -> dict[str, Array]:
        """Return attitude, body rate and wheel rates of the nominal spacecraft at all samples and at the end."""
        settings = {key: value for key, value in self.problem.settings.items() if key not in DROPPED}
        count = len(commands)
        run = simulate(
            self.problem.craft, RecordedCommands(commands, sample=self.period), state=self.problem.state,
            torques=self.problem.pulses, duration=count * self.period,
            output_times=np.round(self.period * np.arange(count + 1), 9), ledger=False, **settings,
        )  # fmt: skip
        names = list(self.wheels)
        internal = run.values("internal_rate") if names else np.zeros((count + 1, 0))
        coordinates = self.problem.craft.layout.coordinates
        places = [coordinates.index(name) for name in names]
        return {"rate": np.asarray(run.values("rate")), "wheels": np.asarray(internal)[:, places]}

    def _within(self, commands: Array) -> bool:
        """Return whether the motion under the commands stays within the limits of body and wheel rates."""
        rows = self._motion(commands)
        slow = float(np.linalg.norm(rows["rate"], axis=1).max()) <= self.max_rate * (1.0 + ROOM)
        return slow and bool((np.abs(rows["wheels"]) <= self._wheel_limits() * (1.0 + ROOM)).all())

    def _wheel_limits(self) -> Array:
        """Return the speed limits of the wheels (m,), rad/s; inf if a wheel has none."""
        return np.array([np.inf if each is None else each for each in self.wheels.values()], dtype=np.float64)

    def information(self, commands: Array) -> Information:
        """Return the information in telemetry recorded under the commands."""
        self.evaluated += 1
        model, until = self.model, len(commands) * self.period
        channels = {
            name: Channel(times=each.times[keep], values=each.values[keep])
            for name, each in self.channels.items()
            if (keep := each.times <= until + 1e-9).any()
        }
        trackers = [each for each in self.sensors if isinstance(each.sensor, StarTracker)]
        law = RecordedCommands(commands, sample=self.period)
        if trackers:
            times: Array = np.asarray(
                np.unique(np.concatenate([channels[each.name].times for each in trackers])), dtype=np.float64
            )
            attitude = self._attitude(law, times, until)
            for each in trackers:
                at = channels[each.name].times
                channels[each.name] = Channel(times=at, values=attitude[np.searchsorted(times, at)])
        model.telemetry = replace(model.telemetry, duration=until, commands=commands, channels=channels)
        model.law = law
        _, jacobian, _ = linearised(model, model.start)
        return model.information(model.start, jacobian)

    def _attitude(self, law: RecordedCommands, times: Array, until: float) -> Array:
        """Return the attitude (n, 4) of the nominal spacecraft at given times."""
        settings = {key: value for key, value in self.problem.settings.items() if key not in DROPPED}
        run = simulate(
            self.problem.craft, law, state=self.problem.state, torques=self.problem.pulses, duration=until,
            output_times=np.union1d(times, [until]), ledger=False, **settings,
        )  # fmt: skip
        return np.asarray(run.values("attitude"))[np.searchsorted(run.t, times - 1e-9)]


def _score(information: Information) -> float:
    """Return the trace of the inverse of the scaled information; directions without information count as 1."""
    scaled = information.scale[:, None] * information.matrix * information.scale
    return float((1.0 / (1.0 + np.maximum(np.linalg.eigvalsh(scaled), 0.0))).sum())


def _torque_limits(problem: Problem) -> Array:
    """Return the largest torque of each component with the other components at zero, N m."""
    torques = problem.craft.torques
    limits = np.asarray(torques.limits(), dtype=np.float64)
    if torques.envelope is None:
        return limits
    return np.minimum(limits, 1.0 / np.abs(torques.envelope).max(axis=0))


def _wheels(problem: Problem) -> dict[str, float | None]:
    """Return the speed limits of the wheels by coordinate, rad/s."""
    found: dict[str, float | None] = {}
    at = 0
    names = problem.craft.layout.coordinates
    for element in problem.craft.elements:
        count = len(element.coordinates)
        if hasattr(element, "speed_limit"):
            limit: float | None = cast("Any", element).speed_limit
            found |= dict.fromkeys(names[at : at + count], limit)
        at += count
    return found
