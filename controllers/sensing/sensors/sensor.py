"""Base class of the sensors: block in a loop, and record of a motion from the same kernel."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.attitude import attitude_error, rotation_matrix, to_rotation_vector
from ....plant.brief import brief
from ....plant.checks import non_negative, numbers, of_kind, unit_quaternion
from ....plant.errors import DesignError, InputError
from ....plant.quantity import check_fields, declared, in_code_units
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from ...contracts.signal import TIMESTAMPED, Signal
from ...laws.shaped_noise import ShapedNoise
from ..estimators.observation import MESSAGE
from .sensor_kernels import SENSOR

Array = NDArray[np.float64]

SMALL_ANGLE = "degrees or arcsec? 1 arcsec is 4.85e-6 rad"
"""Likely cause of an error angle that is too large, for error messages."""

RIGHT_ANGLE = 0.5 * math.pi
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
"""Euler parameters of a mounting along the body axes."""

NO_ERRORS = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
"""No scale errors and no misalignment."""

WIDTHS = {"attitude": 4, "rate": 3}
"""Widths of the spacecraft signals that sensors read."""


@declared
class Sensor(ABC):
    """Base class of sensors: name, lost samples, outages, and checks of the declared quantities.

    A subclass declares its quantities as fields, and its default name. `shadows` is the spacecraft signal that the
    sensor can replace, "rate" or "attitude".

    Parameters
    ----------
    loss : float
        Probability that a sample is lost.
    outages : array_like, shape (k, 2)
        Intervals (from, to) without samples, s.
    name : str
        Name of the sensor and of its signal; it also selects the random numbers.
    """

    shadows: ClassVar[str] = ""

    loss: float = 0.0
    outages: Any = ()
    name: str = "sensor"

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the arguments."""
        check_losses(self)
        check_fields(self, of=self.name)

    @classmethod
    def from_data_sheet(cls, **values: Any) -> Self:
        """Return a sensor from data-sheet values, in which noise must be one standard deviation.

        Parameters
        ----------
        **values : Any
            Arguments of the constructor. A suffix of the name selects a different unit: `noise_deg`, `noise_arcsec`,
            `bias_deg_h`, `angle_random_walk_deg_sqrt_h`, `delay_ms`, `limit_uT`, `noise_percent`.

        Returns
        -------
        Sensor
            The sensor, with its values converted to the units of the constructor.

        Raises
        ------
        InputError
            When a name is unknown, a quantity has two values, or a value is out of range.
        """
        return cls(**in_code_units(cls, values))

    @abstractmethod
    def reading(self) -> "MeasurementKernel":
        """Return the kernel and parameters of this sensor, for replay."""

    def block(self, *, sample: float, offset: float = 0.0, delay: float = 0.0) -> Block:
        """Return the sensor as a block.

        Parameters
        ----------
        sample : float
            Time between samples, s.
        offset : float
            Time of the first sample, s.
        delay : float
            Time from a sample until its output takes effect, s.

        Returns
        -------
        Block
            The block writes a signal with the name of the sensor: measurement, validity flag (1, or 0 if the last value
            is held), time of the sample (s).

        Raises
        ------
        InputError
            When a time is out of range.
        """
        return message_block(self, self.reading(), sample=sample, offset=offset, delay=delay)


@dataclass(frozen=True, kw_only=True)
class MeasurementKernel:
    """Kernel of a sensor with its input signals and their widths, its parameters and its memory.

    width: width of the measurement; unit: unit of the measurement, empty if the units of its components differ;
    shadows: spacecraft signal that the measurement can replace; form: linear form of the measurement about an input at
    rest, without noise; noise: noise sources about an input at rest, for a sampling period in s; silent: indices of the
    parameters that set noise and rounding.
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
        """Return the parameters after the random words, with noise, lost samples and outages disabled."""
        found = [0.0 if n in self.silent else each for n, each in enumerate(self.numbers)]
        return [0.0, 0.0, *found[SENSOR.modes :]]


def mounted(mounting: ArrayLike) -> Array:
    """Return the rotation matrix R (3, 3), sensor to body, from the Euler parameters of a mounting."""
    return rotation_matrix(unit_quaternion("mounting", mounting))


def head(sensor: Sensor) -> list[float]:
    """Return the parameters SENSOR of a sensor; the random words are set at the start of a run."""
    slopes = getattr(sensor, "modal_slopes", None)
    modes = 0 if slopes is None else slopes.shape[1]
    return [0.0] * SENSOR.loss + [sensor.loss, float(len(sensor.outages)), float(modes)]


def check_losses(sensor: Sensor) -> None:
    """Check and store name, outages and loss of a frozen sensor. Raises InputError if one is invalid."""
    of_kind("name", sensor.name, str, such_as="a word")
    if not sensor.name.isidentifier():
        raise InputError(f"the name of a sensor also names its signal: letters, digits and _ only; got {sensor.name!r}")
    loss = non_negative(f"loss of {sensor.name}", sensor.loss)
    if loss > 1.0:
        raise InputError(f"loss of {sensor.name} must be a probability, 0 to 1; got {loss:g} (per cent?)")
    rows = numbers(f"outages of {sensor.name}", sensor.outages, "s")
    rows = rows.reshape(0, 2) if rows.size == 0 else np.atleast_2d(rows)
    if rows.ndim != 2 or rows.shape[1] != 2 or not (rows[:, 1] > rows[:, 0]).all():
        raise InputError(f"outages of {sensor.name} must be intervals (from, to), s, each of some length")
    object.__setattr__(sensor, "loss", loss)
    object.__setattr__(sensor, "outages", rows)


def message_block(
    sensor: Sensor,
    reading: MeasurementKernel,
    *,
    sample: float,
    offset: float = 0.0,
    delay: float = 0.0,
    shadows: bool = False,
    more: Mapping[str, int] | None = None,
) -> Block:
    """Return the block of a sensor, which writes its own signal or replaces `reading.shadows`.

    more: names and widths of further outputs of the kernel, after the message.
    """
    of_kind("shadows", shadows, bool, such_as="True or False")
    message = Signal(reading.width + MESSAGE, reading.unit, role=TIMESTAMPED)
    own = {sensor.name: message, **(more or {})}
    if sensor.name in reading.reads:
        raise InputError(f"the sensor {sensor.name!r} has the name of a signal that it reads; rename the sensor")
    lossless = (0.0, 0.0, *reading.numbers[SENSOR.modes :])
    form = None if reading.form is None else partial(
        _form, reading, lossless, name=sensor.name, sample=sample, message=not shadows, lost=_lost(sensor)
    )  # fmt: skip
    return Block(
        reading.kernel,
        reads=tuple(reading.reads),
        writes={reading.shadows: reading.width} if shadows else own,
        clock=Clock(sample, offset=offset, delay=delay),
        parameters=(*reading.numbers[SENSOR.loss :], *sensor.outages.ravel()),
        memory=reading.memory,
        name=sensor.name,
        random=True,
        linear=form,
        noise_free=partial(_at_rest, reading) if reading.silent else None,
    )


def _at_rest(reading: MeasurementKernel, _: Array) -> tuple[Sequence[float], Sequence[float]]:
    """Return the parameters and memory of a sensor without noise."""
    return reading.quiet(), reading.memory


def _lost(sensor: Sensor) -> str:
    return f"lost samples of {sensor.name} are omitted" if sensor.loss > 0.0 or len(sensor.outages) else ""


def _form(
    reading: MeasurementKernel,
    lossless: Sequence[float],
    y0: Array,
    *,
    name: str,
    sample: float,
    message: bool,
    lost: str,
) -> BlockForm:
    """Return the linear form of the measurement or message, with constant validity flag and time."""
    block = Block(
        reading.kernel, reads=tuple(reading.reads), writes={"measurement": reading.width + MESSAGE}, clock=Clock(1.0),
        parameters=lossless, memory=reading.memory, name=name, random=True,
    )  # fmt: skip
    if block.replay([0.0], [y0], seed=0, compiled=False)[0, reading.width] == 0.0:
        raise DesignError(f"at the operating point {name} has no valid measurement; choose a different attitude")
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
    reading: MeasurementKernel, t: ArrayLike, attitude: ArrayLike, signals: Mapping[str, ArrayLike] | None
) -> tuple[Array, Array]:
    """Return times (m,) and sensor inputs (m, n) for a motion given by the attitudes at these times.

    Body rates are the rotation vectors between successive attitudes divided by the interval; the first rate is used
    twice. Raises InputError when times do not ascend, shapes differ, or a signal is missing.
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
