"""Conversion of records to a sequence of events: gyro intervals, and the messages received in each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....plant.frozen import frozen_results
from .filter_events_kernel import ARRIVES, ROW, STARTS
from .filter_layout import SOON
from .filter_window import Window
from .sightings import AttitudeSightings, RateRecord, VectorSightings

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True, kw_only=True)
class FilterEvents:
    """A table of events, with the output positions of the innovations.

    table (k, 15): rows as in `EVENT`; arrivals: for each sensor and each sample received before the end, the output row
    that contains the sample's innovation, and the index in that row; window: capacities of the filter's memory.
    """

    table: Array
    arrivals: dict[tuple[str, int], tuple[int, int]]
    window: Window


def events_of(gyro: RateRecord, sightings: Sequence[AttitudeSightings | VectorSightings]) -> FilterEvents:
    """Return the events of gyro and sensor records, in order of reception."""
    ends = np.concatenate(([gyro.start], gyro.t))
    messages = sorted(
        (float(t) + each.delay, float(t), n, k)
        for n, each in enumerate(sightings)
        for k, t in enumerate(each.t)
        if t + each.delay <= ends[-1] + SOON
    )
    packed = [each.packed() for each in sightings]
    rows: list[list[float]] = [[STARTS, gyro.start, 0, 0, *[0.0] * 11]]
    arrivals: dict[tuple[str, int], tuple[int, int]] = {}
    at = most = 0
    for n, end in enumerate(ends.tolist()):
        here: list[tuple[str, int]] = []
        while at < len(messages) and messages[at][0] <= end + SOON:
            _, seen, sensor, sample = messages[at]
            rows.append([ARRIVES, seen, sensor, len(here), *packed[sensor][sample].tolist()])
            here.append((sightings[sensor].name, sample))
            at += 1
        for place, each in enumerate(here):
            arrivals[each] = len(rows), place
        most = max(most, len(here))
        rate = gyro.rate[n - 1].tolist() if n else [0.0] * 3
        rows.append([ROW, end, 0, 0, *rate, *[0.0] * 8])
    late = max((each.delay for each in sightings if each.t.size), default=0.0)
    # the base of the filter may be older by one interval
    reach = late + float(np.diff(ends).max(initial=0.0))
    within = np.arange(len(ends)) - np.searchsorted(ends, ends - reach - 1e-6)
    times = np.sort(np.concatenate([each.t for each in sightings] or [np.zeros(0)]))
    under_way = np.searchsorted(times, ends + 1e-6) - np.searchsorted(times, ends - reach - 1e-6)
    periods = [float(np.median(np.diff(each.t))) for each in sightings if each.t.size > 1]
    window = Window(
        late=late, readings=int(within.max(initial=0)) + 2, messages=int(under_way.max(initial=0)) + 2,
        innovations=max(1, most), period=max(periods, default=0.0),
        ages=tuple(each.delay + reach for each in sightings),
    )  # fmt: skip
    return FilterEvents(table=np.array(rows), arrivals=arrivals, window=window)
