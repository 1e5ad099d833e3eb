"""Records in the order of what happens: intervals of a gyro, cut where something is seen or told."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...plant.frozen import frozen_results
from .filter_events_kernel import ARRIVES, EVENT, KEEPS, ROW, TURNS
from .sightings import AttitudeSightings, RateRecord, VectorSightings

__all__ = ["FilterEvents", "events_of"]

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True, kw_only=True)
class FilterEvents:
    """A table of events.

    table (k, 13): see `EVENT`; arrivals: of sensor and sample the row where it arrives, where it does before the end.
    """

    table: Array
    arrivals: dict[tuple[str, int], int]


def events_of(gyro: RateRecord, sightings: Sequence[AttitudeSightings | VectorSightings]) -> tuple[FilterEvents, int]:
    """Return the events of records, and how many measurements are under way at once at most."""
    coming, slots = _coming(gyro, sightings)
    at, now = 0, gyro.start
    rows: list[tuple[int, int, int]] = []  # kind, slot, number of what
    pieces: list[tuple[float, ...]] = []
    who: list[tuple[int, int]] = []  # sensor and sample of each arrival
    intervals: list[tuple[float, list[float]]] = list(zip(gyro.t.tolist(), gyro.rate.tolist(), strict=True))
    for n in range(-1, len(intervals)):
        end, rate = intervals[n] if n >= 0 else (now, [0.0] * 3)
        while at < len(coming) and coming[at][0] <= end:
            when, kind, sensor, sample, slot = coming[at]
            if when > now:
                rows.append((TURNS, -1, len(pieces)))
                pieces.append((*rate, when - now))
                now = when
            rows.append((ARRIVES if kind == 0 else KEEPS, slot, len(who)))
            if kind == 0:
                who.append((sensor, sample))
            at += 1
        if end > now:
            rows.append((TURNS, -1, len(pieces)))
            pieces.append((*rate, end - now))
            now = end
        rows.append((ROW, -1, 0))
    order = np.array(rows, dtype=np.int64).reshape(-1, 3)
    table = np.zeros((len(order), EVENT.size))
    table[:, EVENT.kind], table[:, EVENT.slot] = order[:, 0], order[:, 1]
    turns, arrives = np.flatnonzero(order[:, 0] == TURNS), np.flatnonzero(order[:, 0] == ARRIVES)
    table[turns, EVENT.what : EVENT.what + 4] = np.array(pieces).reshape(-1, 4)
    packed = [each.packed() for each in sightings]
    for row, (sensor, sample) in zip(arrives.tolist(), who, strict=True):
        table[row, EVENT.what :] = packed[sensor][sample]
    found = {(sightings[n].name, sample): row for row, (n, sample) in zip(arrives.tolist(), who, strict=True)}
    return FilterEvents(table=table, arrivals=found), slots


def _coming(
    gyro: RateRecord, sightings: Sequence[AttitudeSightings | VectorSightings]
) -> tuple[list[tuple[float, int, int, int, int]], int]:
    """Times, kinds (arrivals before keeps), sensors, samples and slots in their order, and the number of slots."""
    end = float(gyro.t[-1]) if gyro.t.size else gyro.start
    seen = [(t, t + each.delay, n, k) for n, each in enumerate(sightings) for k, t in enumerate(each.t.tolist())]
    coming: list[tuple[float, int, int, int, int]] = []
    busy: list[tuple[float, int]] = []  # when each taken slot is free again
    free: list[int] = []
    slots = 0
    for valid, told, sensor, sample in sorted(seen):
        if told > end:
            continue
        if told == valid:
            coming.append((valid, 0, sensor, sample, -1))
            continue
        while busy and busy[0][0] <= valid:
            free.append(heapq.heappop(busy)[1])
        if not free:
            free.append(slots)
            slots += 1
        slot = free.pop()
        heapq.heappush(busy, (told, slot))
        coming += [(valid, 1, sensor, sample, slot), (told, 0, sensor, sample, slot)]
    coming.sort()
    return coming, slots
