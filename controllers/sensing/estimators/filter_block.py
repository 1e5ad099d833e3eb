"""Construction of the block of an attitude and bias filter."""

from collections.abc import Mapping, Sequence
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.checks import of_kind
from ....plant.errors import InputError
from ....plant.kernels.fields import filled
from ...contracts.block import Block
from ...contracts.clock import Clock
from ...contracts.signal import ATTITUDE_ESTIMATE, Signal
from ...guidance.inertial_vector import InertialVector, vector_row
from .filter_block_kernel import filter_block_kernel
from .filter_form import FilterForm, SightForm
from .filter_kernels import FIXED
from .filter_layout import SIGHT
from .filter_start import start_of
from .filter_tuning import OPEN
from .filter_window import Window
from .observation import MESSAGE, Observation, Observer

GYRO = 3 + MESSAGE
SAME = 1e-9  # s: tolerance for equal times
SOON = 1e-6  # fraction of a sample: events closer than this are simultaneous
UNITS = {"bias": "rad/s", "attitude_sigma": "rad", "bias_sigma": "rad/s"}
ROLES = {"attitude": ATTITUDE_ESTIMATE}


def filter_block(
    gyro: Block,
    sensors: Sequence[tuple[Observer, Block]],
    *,
    kind: int,
    noise: float,
    walk: float,
    factor: float = 1.0,
    gates: NDArray[np.float64],
    restart: int,
    start: Mapping[str, Any],
    name: str,
) -> Block:
    """Return the block of an attitude filter, for `MEKF.block` and similar methods.

    kind: filter algorithm, a constant of `filter_kernels`; noise, walk: gyro noise densities assumed by the filter, or
    its fixed gains; factor: factor on the sensor noise that the filter assumes; restart: number of consecutive
    rejections before a restart, 0 for never; start: arguments of `start_of`. Raises InputError for an invalid argument.
    """
    of_kind("gyro", gyro, Block, such_as="the block of a gyro, such as RateGyro(...).block(sample=0.1)")
    if gyro.widths.get(gyro.name) != GYRO:
        raise InputError(
            f"the gyro {gyro.name!r} does not write a signal of its name, which the filter reads; create its block "
            "without shadows=True"
        )
    _check_names([gyro.name, *(block.name for _, block in sensors)])
    reads, widths = [gyro.name], {gyro.name: GYRO}
    seen = [_observed(gyro, sensor, block).scaled(factor) for sensor, block in sensors]
    lost = start["attitude"] is None
    _require_observable(seen, lost=lost)
    for observation, (_, block) in zip(seen, sensors, strict=True):
        reads.append(block.name)
        widths[block.name] = observation.width + MESSAGE
    rows: list[float] = []
    sights: list[SightForm] = []
    for observation, (_, block) in zip(seen, sensors, strict=True):
        late = max(0.0, block.clock.delay - gyro.clock.delay)
        late = late if late > SAME else 0.0
        place = sum(widths[each] for each in reads[: reads.index(block.name)])
        sights.append(
            SightForm(
                observation=observation, place=place, sample=block.clock.period, offset=block.clock.offset, late=late
            )
        )
        rows += _row(observation, block, late, place, reads=reads, widths=widths)
    window = _window(sights, gyro.clock.period)
    writes = {"attitude": 4, "rate": 3, "bias": 3}
    if kind != FIXED:
        writes |= {"attitude_sigma": 3, "bias_sigma": 3, "estimate_valid": 1, "nis": len(seen)}
        writes |= {"refused": 1, "restarts": 1}
    writes["missed"] = 1

    form = FilterForm(
        sights=sights, kind=kind, noise=noise, walk=walk, sample=gyro.clock.period, ahead=gyro.clock.delay,
        start=(gyro.clock.offset + gyro.clock.delay) % gyro.clock.period - gyro.clock.delay, width=sum(writes.values()),
    )  # fmt: skip

    def parameters(gates: NDArray[np.float64]) -> list[float]:
        found = window.numbers(kind=kind, noise=noise, walk=walk, gates=gates, restart=restart, start=start)
        return [*found, gyro.clock.delay, *rows]

    def memory(x: NDArray[np.float64], P: NDArray[np.float64], *, lost: bool) -> NDArray[np.float64]:
        return np.concatenate((window.memory(x, P, lost=lost), np.zeros(len(seen))))

    def steady(y0: NDArray[np.float64]) -> tuple[list[float], NDArray[np.float64]]:
        attitude, covariance = form.settled(y0)
        now, _ = start_of(attitude, attitude_sigma=1.0, bias=(0.0, 0.0, 0.0), bias_sigma=1.0)
        return parameters(np.full(2, OPEN)), memory(now, covariance, lost=False)

    return Block(
        filter_block_kernel,
        reads=reads,
        writes={each: Signal(width, UNITS.get(each, ""), role=ROLES.get(each, "")) for each, width in writes.items()},
        clock=Clock(gyro.clock.period, offset=gyro.clock.offset + gyro.clock.delay),
        parameters=parameters(gates),
        memory=memory(*start_of(**start), lost=lost),
        name=name,
        linear=form.at,
        noise_free=steady,
    )


def _check_names(names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        twice = next(each for each in names if names.count(each) > 1)
        raise InputError(f"two sensors are called {twice!r}; give each a unique name")


def _observed(gyro: Block, sensor: Observer, block: Block) -> Observation:
    if not isinstance(sensor, Observer):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
        raise InputError(
            f"a filter takes pairs (sensor, block) with sensors of attitudes or directions; got {sensor!r}"
        )
    observation = sensor.observation()
    if sensor.name != block.name or block.widths.get(block.name) != observation.width + MESSAGE:
        raise InputError(
            f"the block {block.name!r} does not write the signal of the sensor {sensor.name!r}; give (sensor, "
            "sensor.block(sample=...)), without shadows=True"
        )
    if block.clock.period < gyro.clock.period - SAME:
        raise InputError(
            f"{block.name} samples every {block.clock.period:g} s, more often than the gyro with "
            f"{gyro.clock.period:g} s, so the filter would miss samples; use a longer period, or a shorter period of "
            "the gyro"
        )
    if (
        block.clock.delay < gyro.clock.delay - SAME
        and block.clock.delay + block.clock.period < gyro.clock.delay + gyro.clock.period - SAME
    ):
        raise InputError(
            f"{block.name} has a delay of {block.clock.delay:g} s, and the gyro of {gyro.clock.delay:g} s: a message "
            "would be replaced before the filter reads it; use a longer period, or a shorter delay of the gyro"
        )
    return observation


def _require_observable(seen: Sequence[Observation], *, lost: bool) -> None:
    """Raise if the attitude is unobservable; lost: whether the filter starts from its sensors."""
    known = [each.direction for each in seen]
    if lost and len(known) == 1 and known[0] is not None:
        raise InputError(
            "the filter starts from its sensors, which measure only one direction, and the rotation about it is "
            "unobservable; give another sensor, or the initial attitude"
        )
    if any(each is None or isinstance(each, str) or np.asarray(each.rate).any() for each in known):
        return
    fixed = [np.asarray(each.start) / np.linalg.norm(each.start) for each in known if isinstance(each, InertialVector)]
    if not fixed:
        raise InputError(
            "the filter has no sensor of attitudes or directions, so the attitude is unobservable; give one"
        )
    separation = max(float(np.linalg.norm(np.cross(fixed[0], each))) for each in fixed)
    if separation < 3.0 * max(each.sigma for each in seen):
        axis = ", ".join(f"{each:.3f}" for each in fixed[0])
        raise InputError(
            f"the filter measures only one direction, inertial ({axis}), and the rotation about it is unobservable; "
            "give a sensor of a different direction or a star tracker"
        )


def _window(sights: Sequence[SightForm], sample: float) -> Window:
    """Return the window of a filter with readings every `sample` s; the window determines the memory length."""
    late = max((each.late for each in sights), default=0.0)
    ages = tuple(each.late + each.sample for each in sights)
    # a restart uses a message that has just arrived, or an older direction together with it
    reach = max((age for age, each in zip(ages, sights, strict=True) if each.observation.direction is not None),
                default=0.0)  # fmt: skip
    return Window(
        late=late, readings=ceil(max(late, reach) / sample + SOON) + 3,
        messages=sum(floor((late + sample - each.late) / each.sample + SOON) + 2 for each in sights),
        innovations=len(sights), period=max((each.sample for each in sights), default=0.0), ages=ages,
    )  # fmt: skip


def _row(
    observation: Observation, block: Block, late: float, place: int, *, reads: list[str], widths: dict[str, int]
) -> list[float]:
    covariance = np.zeros(6)
    if observation.direction is None:
        covariance[:] = np.asarray(observation.covariance)[np.tril_indices(3)]
        vector = [-1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    else:
        covariance[0] = observation.sigma
        vector = vector_row(observation.direction, reads, widths)
    return filled(
        SIGHT, place=place, width=observation.width, sample=block.clock.period, offset=block.clock.offset, delay=late,
        covariance=covariance, direction=float(observation.direction is not None), vector=vector,
    )  # fmt: skip
