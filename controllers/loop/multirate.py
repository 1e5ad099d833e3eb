"""Propagation of plant, delays and blocks through one period, linear in the initial states."""

from collections.abc import Sequence
from math import floor
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .routes import APPLIED, ATTITUDE, COMMAND_SIZE, LAW, REFERENCE_SIGNAL, SHOWN, Source
from .sampled_plant import driven

if TYPE_CHECKING:
    from .lifted import Lifted

Array = NDArray[np.float64]

BIAS = "bias"  # signal of an estimator
NEAR = 1e-9  # fraction of a period: events closer than this are simultaneous


class Multirate:
    """Propagation of the lifted system through one common period.

    Each quantity is stored as a matrix that multiplies [initial states; commands; torque; noise].
    lifted: the system; late (3,): additional delay of each command component, s; torque (3,): density of a white
    torque, N m/sqrt(Hz). If given, even as zero, the noise of the blocks is included; None for no noise.
    """

    def __init__(self, lifted: "Lifted", late: Sequence[float], torque: Array | None = None) -> None:
        self.all = lifted
        self.noisy = torque is not None
        self.delays = [lifted.delay + extra for extra in late]
        self.span = lifted.repeats * lifted.sample
        source = lifted.routes.command
        past = max(floor(delay / lifted.sample + NEAR) for delay in self.delays) + 2
        names: list[tuple[object, int]] = [("x", len(lifted.A)), *((("u", -j), 3) for j in range(1, past + 1))]
        self.behind = lifted.routes.law_at
        self.phases = [block.clock.offset % block.clock.period for block in lifted.blocks]
        for n, (block, form) in enumerate(zip(lifted.blocks, lifted.forms, strict=True)):
            if block.clock.period - self.phases[n] < NEAR * block.clock.period:
                self.phases[n] = 0.0
            names.append((("z", n), form.order))
            newest = 0 if n < self.behind and self.phases[n] < NEAR * block.clock.period else -1
            oldest = self._rank(n, 0.0) - (1 if source.by == n else 0)
            names += [(("a", n, a), len(np.asarray(form.D))) for a in range(newest, oldest - 1, -1)]
        self.instants = self._instants()
        self.sources: dict[str, slice] = {}
        self.constant: list[str] = []
        drawn: list[tuple[object, int]] = []
        if torque is not None:
            names += self._drawn(torque, drawn)
        self.names = names
        inputs = COMMAND_SIZE * (lifted.repeats + 1)
        total = sum(size for _, size in [*names, *drawn]) + inputs
        self.now: dict[object, Array] = {}
        at = 0
        for key, size in names:
            self.now[key] = np.eye(size, total, at)
            at += size
        self.states = at
        self.entering = [np.eye(COMMAND_SIZE, total, at + COMMAND_SIZE * k) for k in range(lifted.repeats)]
        self.torque = np.eye(COMMAND_SIZE, total, at + COMMAND_SIZE * lifted.repeats)
        at += inputs
        self.draws: dict[object, Array] = {}
        for key, size in drawn:
            self.draws[key] = np.eye(size, total, at)
            at += size
        self.total = total

    def _drawn(self, torque: Array, drawn: list[tuple[object, int]]) -> list[tuple[object, int]]:
        """Append the noise inputs of one period to `drawn`, and return the noise filter states."""
        every = self.all
        stays: list[tuple[object, int]] = []
        at = 0

        def note(source: str, columns: int) -> None:
            nonlocal at
            self.sources[source] = slice(at, at + columns)
            at += columns

        if torque.any():
            pieces = [(("x", k), len(every.A)) for k in range(len(self.instants) - 1)]
            drawn += pieces
            note("torque", sum(size for _, size in pieces))
        self.density = every.outside * (torque / every.scale)
        for n, (block, form) in enumerate(zip(every.blocks, every.forms, strict=True)):
            count = round(self.span / block.clock.period)
            for i, noise in enumerate(form.noise or ()):
                width = np.shape(noise.D)[1]
                stays.append((("e", n, i), noise.order))
                draws = 1 if noise.constant else count
                drawn += [(("w", n, i, k), width) for k in range(draws)]
                name = f"{block.name}: {noise.source}"
                note(name, draws * width)
                if noise.constant:
                    self.constant.append(name)
        return stays

    def _rank(self, n: int, t: float, *, before: bool = False) -> int:
        """Return the sample index of the output of block n that is in force at t, or just before t."""
        block = self.all.blocks[n]
        return floor((t - self.phases[n] - block.clock.delay) / block.clock.period + (-NEAR if before else NEAR))

    def _read(self, source: Source, t: float) -> Array:
        every = self.all
        if source.by == SHOWN and source.name == APPLIED:
            return self._acting(t, before=True) * every.scale
        if source.by == SHOWN and source.name == REFERENCE_SIGNAL:
            return np.zeros((source.width, self.total))
        if source.by == SHOWN:
            return every.shows[source.name] @ self.now["x"]
        if source.by == LAW:
            return self._commands(t, before=False) * every.scale
        return self._answer(source, t, before=False)

    def _answer(self, source: Source, t: float, *, before: bool) -> Array:
        first = 0
        for written in self.all.routes.writes[source.by]:
            if written == source:
                break
            first += written.width
        return self.now["a", source.by, self._rank(source.by, t, before=before)][first : first + source.width]

    def _commands(self, t: float, *, before: bool) -> Array:
        edge = -NEAR if before else NEAR
        rows = [self.now["u", floor((t - delay) / self.all.sample + edge)][i] for i, delay in enumerate(self.delays)]
        return np.array(rows)

    def _acting(self, t: float, *, before: bool = False) -> Array:
        """Return the command that acts from t on, or until t if `before`, in units of the mean inertia."""
        source = self.all.routes.command
        if source.by == LAW:
            return self._commands(t, before=before)
        return self._answer(source, t, before=before) / self.all.scale

    def _sample(self, n: int, t: float) -> None:
        """Run block n if it has a sample at t."""
        block, form = self.all.blocks[n], self.all.forms[n]
        rank = (t - self.phases[n]) / block.clock.period
        if rank < -0.5 or abs(rank - round(rank)) > NEAR:
            return
        y = np.vstack([self._read(source, t) for source in self.all.routes.reads[n]])
        z = self.now["z", n]
        form = form.turn(round(rank))
        output = np.asarray(form.C) @ z + np.asarray(form.D) @ y
        self.now["z", n] = np.asarray(form.A) @ z + np.asarray(form.B) @ y
        if self.draws:
            for i, noise in enumerate(self.all.forms[n].noise or ()):
                k = 0 if noise.constant else round(rank) % round(self.span / block.clock.period)
                w, stays = self.draws["w", n, i, k], self.now["e", n, i]
                output = output + np.asarray(noise.C) @ stays + np.asarray(noise.D) @ w
                self.now["e", n, i] = np.asarray(noise.A) @ stays + np.asarray(noise.B) @ w
        self.now["a", n, round(rank)] = output

    def _shown(self, t: float) -> Array:
        reads = self.all.routes.law_reads
        return np.vstack([rows @ self._read(reads[name], t) for name, rows in self.all.sees])

    def _instants(self) -> list[float]:
        every = self.all
        found = [k * every.sample for k in range(every.repeats + 1)]
        lags = [(every.sample, 0.0, delay) for delay in self.delays] if every.routes.command.by == LAW else []
        for n, block in enumerate(every.blocks):
            lags += [(block.clock.period, self.phases[n], lag) for lag in {0.0, block.clock.delay}]
        for period, phase, lag in lags:
            first = (phase + lag) % period
            count = floor((self.span - first) / period + NEAR) + 1
            found += [first + k * period for k in range(count)]
        ordered = sorted(found)
        return [t for t, before in zip(ordered, [-1.0, *ordered], strict=False) if t - before > NEAR * every.sample]

    def through(self) -> None:
        """Propagate through the period; store the results at the law's samples, and `end`.

        Stored are `shown`, `errors`, `reported`, and bias errors with their reported covariance in `biases`.
        """
        every = self.all
        self.shown: list[Array] = []
        self.errors: list[Array] = []
        self.reported: list[Array | None] = []
        self.biases: list[tuple[Array, Array] | None] = []
        instants = self.instants
        for place, (here, after) in enumerate(zip(instants, [*instants[1:], None], strict=True)):
            if here > 0.0:
                for n in range(self.behind):
                    self._sample(n, here)
            if after is None:
                break
            k = here / every.sample
            if abs(k - round(k)) < NEAR:
                self.shown.append(self._shown(here))
                if self.noisy:
                    self.errors.append(self._errors(here))
                    self.reported.append(self._reported(here))
                    self.biases.append(self._bias(here))
                self.now["u", round(k)] = self.entering[round(k)]
            for n in range(self.behind, len(every.blocks)):
                self._sample(n, here)
            flow, gain, pushed = every.moved(after - here)
            self.now["x"] = flow @ self.now["x"] + gain @ self._acting(here) + pushed @ self.torque
            if ("x", place) in self.draws:
                self.now["x"] = (
                    self.now["x"]
                    + root(driven(every.A, self.density, duration=after - here)[1]) @ (self.draws["x", place])
                )
        self.end = np.vstack([self.now[self._later(key)] for key, _ in self.names])

    def _errors(self, t: float) -> Array:
        """Return the attitude, as a small rotation, and the error of the law's attitude measurement."""
        every = self.all
        turn = next(rows for name, rows in every.sees if name == ATTITUDE)
        true = turn @ every.shows[ATTITUDE] @ self.now["x"]
        return np.vstack((true, turn @ self._read(every.routes.law_reads[ATTITUDE], t) - true))

    def _reported(self, t: float) -> Array | None:
        """Return the error covariance (3, 3) reported with the law's attitude measurement; None without an estimate."""
        n = self.all.routes.law_reads[ATTITUDE].by
        reported = self.all.forms[n].turn(self._rank(n, t)).covariance if n >= 0 else None
        return None if reported is None else np.asarray(reported)

    def _bias(self, t: float) -> tuple[Array, Array] | None:
        """Return the error of the gyro bias in the law's estimator, and its reported covariance (3, 3), (rad/s)^2.

        None if the estimator reports none, or its gyro is delayed: the newest reading is then older than the bias.
        """
        routes = self.all.routes
        n = routes.law_reads[ATTITUDE].by
        reported = self.all.forms[n].turn(self._rank(n, t)).bias_covariance if n >= 0 else None
        written = next((each for each in routes.writes[n] if each.name == BIAS), None) if n >= 0 else None
        gyro = routes.reads[n][0].by if n >= 0 else SHOWN
        if reported is None or written is None or gyro < 0 or self.all.blocks[gyro].clock.delay > 0.0:
            return None
        true = np.zeros((written.width, self.total))
        for i, noise in enumerate(self.all.forms[gyro].noise or ()):
            if noise.bias is not None:
                state = self.draws["w", gyro, i, 0] if noise.constant else self.now["e", gyro, i]
                true += np.asarray(noise.bias)[: written.width] @ state
        return true - self._answer(written, t, before=False), np.asarray(reported)

    def _later(self, key: object) -> object:
        """Return the key that holds, at the end of the period, the value for a state at its start."""
        match key:
            case ("u", int(c)):
                return "u", c + self.all.repeats
            case ("a", int(n), int(a)):
                return "a", n, a + round(self.span / self.all.blocks[n].clock.period)
            case _:
                return key


def root(covariance: Array) -> Array:
    """Return R with R R' equal to a covariance, which may be singular."""
    values, vectors = np.linalg.eigh(covariance)
    return vectors * np.sqrt(np.maximum(values, 0.0))
