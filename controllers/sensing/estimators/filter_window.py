"""The window of a filter, the time span that it can recompute, with its parameters and memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.kernels.fields import filled
from .filter_kernels import WORK
from .filter_layout import FILTER_MEMORY, FILTER_NUMBERS, LATEST, MESSAGE_ROW, NEVER, READING
from .filter_start import start_of
from .mekf_kernel import SIGHTING

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Window:
    """Capacities of the memory of a filter.

    late: largest delay of a sensor, s; readings, messages: capacity of the window; innovations: number of innovations
    per output; period: longest period of a sensor, s; ages: largest age of a message from which the filter may start,
    by sensor, s.
    """

    late: float
    readings: int
    messages: int
    innovations: int
    period: float
    ages: Sequence[float]

    def numbers(
        self, *, kind: int, noise: float, walk: float, gates: Array, restart: int, start: Mapping[str, Any]
    ) -> list[float]:
        """Return the parameters of the filter; start: arguments of `start_of`."""
        x, P = start_of(**start)
        return filled(
            FILTER_NUMBERS, kind=kind, noise=noise, walk=walk, gates=gates, late=self.late, readings=self.readings,
            messages=self.messages, sensors=len(self.ages), innovations=self.innovations, restart=restart,
            patience=(restart - 1) * self.period, bias=x[4:7], bias_variance=np.diag(P)[3:],
        )  # fmt: skip

    def memory(self, x: Array, P: Array, *, lost: bool) -> Array:
        """Return the memory of a filter with initial state x and covariance P."""
        head = filled(
            FILTER_MEMORY, began=0, time=0, base_time=0, valid=0, lost=lost, gap=NEVER, refused=0, restarts=0,
            missed=0, started=0,
            taken=0, again=0, marched=0, since=0, first=0, readings=0, messages=0, arrives=np.zeros(SIGHTING.size),
            state=x, covariance=P, base_state=x, base_covariance=P,
        )  # fmt: skip
        latest = [
            filled(LATEST, age=age, seen=NEVER, newest=NEVER, sighting=np.zeros(SIGHTING.size)) for age in self.ages
        ]
        room = READING.size * self.readings + MESSAGE_ROW.size * self.messages + WORK
        return np.concatenate((head, np.zeros(self.innovations), *latest, np.zeros(room)))
