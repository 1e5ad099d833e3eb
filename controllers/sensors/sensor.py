"""Common parts of the sensors: the block, and the record of a motion from the same kernel."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.attitude import attitude_error, to_rotation_vector
from ...plant.checks import non_negative, numbers, of_kind
from ...plant.errors import DesignError, InputError
from ..estimators.observation import MESSAGE
from ..laws.block import Block
from ..laws.block_form import BlockForm
from ..laws.shaped_noise import ShapedNoise
from .sensor_kernels import SENSOR

__all__ = ["Reading", "Sensor", "check_losses", "head", "message_block", "motion_rows", "require_small_angle"]

Array = NDArray[np.float64]

WIDTHS = {"attitude": 4, "rate": 3}
"""Widths of the craft signals that sensors read."""


class Sensor(Protocol):
    """Interface of a sensor: its name, its lost samples and its outages."""

    @property
    def name(self) -> str:
        """Name of the sensor and of its signal."""
        ...

    @property
    def loss(self) -> float:
        """Probability that a sample is lost."""
        ...

    @property
    def outages(self) -> Array:
        """Intervals (k, 2) without output, s."""
        ...


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Kernel of a sensor with its input signals and their widths, its parameters and its memory.

    width: size of the measurement; unit: its unit, empty where units differ; shadows: signal of the craft that the
    measurement can replace; form: linear form of the measurement about its input at rest, without noise; noise: noise
    sources about that input at a sampling period, s; silent: indices of the parameters that set all noise and rounding.
    """

    kernel: Callable[..., Any]
    reads: Mapping[str, int]
    numbers: Sequence[float]
    memory: Sequence[float]
    width: int
    unit: str = ""
    shadows: str = ""
    form: Callable[[Array], BlockForm] | None = None
    noise: Callable[[Array, float], Sequence[ShapedNoise]] | None = None
    silent: Sequence[int] = ()

    def quiet(self) -> list[float]:
        """Return its parameters after the random words, without noise, lost samples and outages."""
        found = [0.0 if n in self.silent else each for n, each in enumerate(self.numbers)]
        return [0.0, 0.0, *found[SENSOR.size :]]


def head(sensor: Sensor) -> list[float]:
    """Return the numbers SENSOR of a sensor; the random words are set at the start of a run."""
    return [0.0] * (SENSOR.size - 2) + [sensor.loss, float(len(sensor.outages))]


def check_losses(sensor: Any) -> None:
    """Check and store name, outages and loss of a frozen sensor; raises InputError."""
    of_kind("name", sensor.name, str, such_as="a word")
    if not sensor.name.isidentifier():
        raise InputError(f"a sensor's name is that of its signal, letters, digits and _ only; got {sensor.name!r}")
    loss = non_negative(f"loss of {sensor.name}", sensor.loss)
    if loss > 1.0:
        raise InputError(f"loss of {sensor.name} must be a probability, 0 to 1; got {loss:g} (per cent?)")
    rows = numbers(f"outages of {sensor.name}", sensor.outages, "s")
    rows = rows.reshape(0, 2) if rows.size == 0 else np.atleast_2d(rows)
    if rows.ndim != 2 or rows.shape[1] != 2 or not (rows[:, 1] > rows[:, 0]).all():
        raise InputError(f"outages of {sensor.name} must be intervals (from, to), s, each of some length")
    object.__setattr__(sensor, "loss", loss)
    object.__setattr__(sensor, "outages", rows)


def require_small_angle(sensor: str, name: str, value: float) -> float:
    """Return a non-negative angle below 0.1 rad. Raises InputError, with a question about the unit."""
    found = non_negative(f"{name} of {sensor}", value, "rad")
    if found >= 0.1:
        raise InputError(
            f"{name} of {sensor} must be a small angle, below 0.1 rad; got {found:g} rad (degrees or arcsec? 1 arcsec "
            "is 4.85e-6 rad)"
        )
    return found


def message_block(
    sensor: Sensor,
    reading: Reading,
    *,
    sample: float,
    offset: float = 0.0,
    delay: float = 0.0,
    shadows: bool = False,
    more: Mapping[str, int] | None = None,
) -> Block:
    """Return the block of a sensor; it writes a signal of its name, or the craft's signal `reading.shadows`.

    more: further outputs of its kernel, after the message.
    """
    of_kind("shadows", shadows, bool, such_as="True or False")
    own = {sensor.name: reading.width + MESSAGE, **(more or {})}
    if sensor.name in reading.reads:
        raise InputError(f"the sensor {sensor.name!r} has the name of a signal it reads; give it another name")
    lossless = (0.0, 0.0, *reading.numbers[SENSOR.size :])
    form = None if reading.form is None else partial(
        _form, reading, lossless, name=sensor.name, sample=sample, message=not shadows, lost=_lost(sensor)
    )  # fmt: skip
    return Block(
        reading.kernel,
        reads=tuple(reading.reads),
        writes={reading.shadows: reading.width} if shadows else own,
        sample=sample,
        offset=offset,
        delay=delay,
        parameters=(*reading.numbers[SENSOR.loss :], *sensor.outages.ravel()),
        memory=reading.memory,
        name=sensor.name,
        random=True,
        linear=form,
        stamped="" if shadows else sensor.name,
        units="" if shadows else {sensor.name: reading.unit},
        steady=partial(_at_rest, reading) if reading.silent else None,
    )


def _at_rest(reading: Reading, _: Array) -> tuple[Sequence[float], Sequence[float]]:
    """Its numbers and memory without noise."""
    return reading.quiet(), reading.memory


def _lost(sensor: Sensor) -> str:
    return f"lost samples of {sensor.name} are omitted" if sensor.loss > 0.0 or len(sensor.outages) else ""


def _form(
    reading: Reading, lossless: Sequence[float], y0: Array, *, name: str, sample: float, message: bool, lost: str
) -> BlockForm:
    """Return the form of its measurement or of its message; validity flag and time are constant."""
    block = Block(
        reading.kernel, reads=tuple(reading.reads), writes={"told": reading.width + MESSAGE}, sample=1.0,
        parameters=lossless, memory=reading.memory, name=name, random=True,
    )  # fmt: skip
    if block.replay([0.0], [y0], seed=0, compiled=False)[0, reading.width] == 0.0:
        raise DesignError(f"at the operating point {name} has no valid measurement; choose another attitude")
    found = reading.form(y0) if reading.form is not None else BlockForm(D=np.zeros((reading.width, y0.size)))
    C, D = np.asarray(found.C), np.asarray(found.D)
    more = MESSAGE if message else 0
    pad = np.eye(reading.width + more, reading.width)
    noise = None if reading.noise is None else [each.through(pad) for each in reading.noise(y0, sample)]
    return BlockForm(
        A=found.A, B=found.B, C=np.vstack((C, np.zeros((more, C.shape[1])))),
        D=np.vstack((D, np.zeros((more, D.shape[1])))), rests=np.concatenate((found.at(y0), (1.0, 0.0)[:more])),
        words="; ".join(filter(None, (found.words, lost))), noise=noise, spins=found.spins,
    )  # fmt: skip


def motion_rows(
    reading: Reading, t: ArrayLike, attitude: ArrayLike, signals: Mapping[str, ArrayLike] | None
) -> tuple[Array, Array]:
    """Return times (m,) and the inputs of a sensor (m, n) for a motion, from the attitudes at these times.

    Body rates are the rotation vectors between attitudes over the interval; the first is repeated. Raises InputError
    when times do not ascend, shapes differ, or a signal is missing.
    """
    times, e = numbers("t", t, "s"), numbers("attitude", attitude)
    if times.ndim != 1 or times.size == 0 or not (np.diff(times) > 0.0).all():
        raise InputError("t must be ascending times, s, one or more")
    if e.shape != (len(times), 4):
        raise InputError(f"attitude must have a row of four for each of {len(times)} times; got shape {e.shape}")
    rates = np.zeros((len(e), 3))
    if len(e) > 1:
        rates[1:] = np.asarray(to_rotation_vector(attitude_error(e[1:], e[:-1]))) / np.diff(times)[:, np.newaxis]
        rates[0] = rates[1]
    given = {"attitude": e, "rate": rates, **(signals or {})}
    parts: list[Array] = []
    for name, width in reading.reads.items():
        if name not in given:
            raise InputError(f"the sensor reads the signal {name!r}; give record(..., signals={{{name!r}: rows}})")
        rows = numbers(name, given[name])
        if rows.shape != (len(times), width) and not (width == 1 and rows.shape == (len(times),)):
            raise InputError(f"{name!r} must have {width} numbers for each of {len(times)} times; got {rows.shape}")
        parts.append(rows.reshape(len(times), width))
    return times, np.hstack(parts)
