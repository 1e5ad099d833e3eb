"""Replay of records with an attitude and bias filter."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import InputError
from ...contracts.block import Block
from ...contracts.clock import Clock
from .estimate import Estimate
from .filter_events import events_of
from .filter_events_kernel import EVENT, OUTPUT, ROW, events_kernel
from .filter_start import start_of
from .sightings import AttitudeSightings, RateRecord, VectorSightings


def filter_replay(
    gyro: RateRecord,
    sightings: Sequence[AttitudeSightings | VectorSightings],
    *,
    kind: int,
    noise: float,
    walk: float,
    gates: NDArray[np.float64],
    restart: int,
    start: dict[str, Any],
    compiled: bool,
    name: str,
) -> Estimate:
    """Return the estimate for `MEKF.replay` and similar methods.

    Arguments as in `filter_block`. Raises InputError for an invalid argument.
    """
    names = [each.name for each in sightings]
    if len(set(names)) < len(names):
        twice = next(each for each in names if names.count(each) > 1)
        raise InputError(f"two sensors are called {twice!r}; give each a unique name")
    for each in sightings:
        if each.t.size and each.t[0] < gyro.start:
            raise InputError(
                f"{each.name} has a measurement at {each.t[0]:g} s, before the gyro's start at {gyro.start:g} s"
            )
    events = events_of(gyro, sightings)
    engine = Block(
        events_kernel, reads="event", writes={"estimate": OUTPUT.size + events.window.innovations}, clock=Clock(1.0),
        parameters=events.window.numbers(kind=kind, noise=noise, walk=walk, gates=gates, restart=restart, start=start),
        memory=events.window.memory(*start_of(**start), lost=False), name=name,
    )  # fmt: skip
    found = engine.replay(np.arange(len(events.table), dtype=np.float64), events.table, compiled=compiled)
    shown = found[events.table[:, EVENT.kind] == ROW]
    nis = {each.name: np.full(len(each.t), np.nan) for each in sightings}
    for (who, sample), (row, place) in events.arrivals.items():
        nis[who][sample] = found[row, OUTPUT.size + place]
    return Estimate(
        t=np.concatenate(([gyro.start], gyro.t)),
        attitude=shown[:, OUTPUT.attitude : OUTPUT.bias],
        bias=shown[:, OUTPUT.bias : OUTPUT.covariance],
        covariance=shown[:, OUTPUT.covariance : OUTPUT.restarts].reshape(-1, 6, 6),
        innovations={each: np.abs(part) for each, part in nis.items()},
        refused={each: int((part < 0.0).sum()) for each, part in nis.items()},
        restarts=int(shown[-1, OUTPUT.restarts]),
        degrees={each.name: 3 if isinstance(each, AttitudeSightings) else 2 for each in sightings},
    )
