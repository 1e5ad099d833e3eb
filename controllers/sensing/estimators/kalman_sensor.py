"""Sensor of a linear filter: period and delay in filter samples, and the filter's linear form."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import DesignError, InputError
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...designs.riccati import filter_gain
from .observation import MESSAGE

if TYPE_CHECKING:
    from .kalman import KalmanFilter

Array = NDArray[np.float64]

SOON = 1e-6  # fraction of a sample: events closer than this are simultaneous
LONGEST = 10_000  # samples: longest period or delay


@dataclass(frozen=True, kw_only=True)
class KalmanSensor:
    """A sensor whose messages a linear filter uses.

    every: filter samples between messages; late: filter samples from a measurement to its use; first: index of a filter
    sample that uses a message, from 0 to `every` - 1, counted as in `BlockForm.turn`; start: index of the first sample
    of the filter; more: width of the message after the measurement, 0 for a signal measured at each sample.
    """

    every: int
    late: int
    first: int
    start: int
    more: int = MESSAGE

    def form(self, model: "KalmanFilter", y0: Array, width: int) -> BlockForm:
        """Return the linear form of the filter with its steady-state gain, for an input at rest."""
        A, B, C = (np.asarray(each) for each in (model.A, model.B, model.C))
        n, m, p = len(A), B.shape[1], len(C)
        gain, _ = self.stationary(model)
        size, read = n + m * self.late, y0.size
        rests = np.concatenate((self._rest(model, y0), np.zeros(width - n)))
        forms: list[BlockForm] = []
        for turn in range(self.every):
            whole = np.eye(size, size + read)
            entering = np.zeros((m, size + read))
            entering[:, size + p + self.more :] = np.eye(m)
            held = np.vstack((whole[n:], entering))
            x = A @ whole[:n] + B @ held[:m]
            if turn == self.first:
                measured = np.zeros((p, size + read))
                measured[:, size : size + p] = np.eye(p)
                x = x + gain @ (measured - C @ x)
            now = x
            for k in range(self.late):
                now = A @ now + B @ held[m * (k + 1) : m * (k + 2)]
            after, out = np.vstack((x, held[m:])), np.vstack((now, np.zeros((width - n, size + read))))
            forms.append(
                BlockForm(
                    A=after[:, :size],
                    B=after[:, size:],
                    C=out[:, :size],
                    D=out[:, size:],
                    noise=(),
                    rests=rests,
                    words="gains of its steady state",
                )
            )
        return forms[0].followed(forms[1:])

    def settled(self, model: "KalmanFilter", y0: Array) -> tuple[Array, Array]:
        """Return state and covariance at rest for which the filter starts with its steady-state gain."""
        A, C, Q = (np.asarray(each) for each in (model.A, model.C, model.Q))
        gain, before = self.stationary(model)
        covariance = (np.eye(len(A)) - gain @ C) @ before
        for _ in range(self.every - (self.first - self.late - self.start) % self.every):
            covariance = A @ covariance @ A.T + Q
        return self._rest(model, y0), 0.5 * (covariance + covariance.T)

    def _rest(self, model: "KalmanFilter", y0: Array) -> Array:
        A, B, C = (np.asarray(each) for each in (model.A, model.B, model.C))
        read = np.concatenate((B @ y0[len(C) + self.more :], y0[: len(C)]))
        return np.asarray(np.linalg.lstsq(np.vstack((np.eye(len(A)) - A, C)), read, rcond=None)[0], dtype=np.float64)

    def stationary(self, model: "KalmanFilter") -> tuple[Array, Array]:
        """Return steady-state gain and covariance before a message, for one message in `every` samples."""
        A, C, Q, R = (np.asarray(each) for each in (model.A, model.C, model.Q, model.R))
        flow, spread = np.eye(len(A)), np.zeros_like(Q)
        for _ in range(self.every):
            flow, spread = A @ flow, A @ spread @ A.T + Q
        try:
            return filter_gain(flow, C, spread, R=R)
        except (np.linalg.LinAlgError, ValueError) as error:
            raise DesignError(f"the Kalman filter has no stationary gain with one message in {self.every}") from error


EACH_SAMPLE = KalmanSensor(every=1, late=0, first=0, start=0, more=0)
"""A signal that is measured at each filter sample."""


def sensor_of(block: Block, *, numbers: int, sample: float, offset: float) -> KalmanSensor:
    """Return the sensor of a filter with given sampling period and offset.

    block: block of the sensor; numbers: width of the measurement. Raises InputError if the filter cannot model it.
    """
    signal = block.timestamped
    if not signal or block.widths[signal] != numbers + MESSAGE:
        raise InputError(
            f"the block {block.name!r} writes no message of {numbers} values, validity flag and time; give the block "
            f"of a sensor of {numbers} values, without shadows=True, or Block(timestamped=...)"
        )
    every = round(block.clock.period / sample)
    if every < 1 or every > LONGEST or abs(block.clock.period / sample - every) > SOON * every:
        raise InputError(
            f"{block.name} samples every {block.clock.period:g} s, which must be 1 to {LONGEST:,} times the "
            f"{sample:g} s of the filter; give the filter sample={block.clock.period:g} or an integer fraction of that"
        )
    ahead = (block.clock.offset - offset) / sample
    if abs(ahead - round(ahead)) > SOON * max(1.0, abs(ahead)):
        raise InputError(
            f"{block.name} measures between the samples of the filter, at offset {block.clock.offset:g} s; the filter "
            f"needs an offset that differs by whole samples of {sample:g} s, such as "
            f"offset={block.clock.offset % sample:g}"
        )
    late = max(0, int(np.ceil(block.clock.delay / sample - SOON)))
    phase = round((block.clock.offset - offset % sample) / sample)
    return KalmanSensor(every=every, late=late, first=(phase + late) % every, start=int(offset / sample + SOON))
