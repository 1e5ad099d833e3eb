"""Base of the Kalman filters of attitude and gyro bias: numbers, replay of records, block of a loop."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from numpy.typing import ArrayLike

from ..laws.block import Block
from .estimate import Estimate
from .filter_block import filter_block
from .filter_replay import filter_replay
from .filter_tuning import checked, gates
from .observation import Observer
from .sightings import AttitudeSightings, RateRecord, VectorSightings

__all__ = ["AttitudeFilter"]


@dataclass(frozen=True)
class AttitudeFilter:
    """A filter of attitude and gyro bias; which one, its kernels know by `_kind`."""

    _kind: ClassVar[int]

    gyro_noise: float
    gyro_walk: float
    gate: float | None = field(default=None, kw_only=True)
    restart_after: int | None = field(default=20, kw_only=True)

    def __post_init__(self) -> None:
        """Check the numbers."""
        for name, value in checked(self.gyro_noise, self.gyro_walk, self.gate, self.restart_after).items():
            object.__setattr__(self, name, value)

    def replay(
        self,
        gyro: RateRecord,
        sightings: Sequence[AttitudeSightings | VectorSightings] = (),
        *,
        attitude: ArrayLike,
        attitude_sigma: ArrayLike,
        bias: ArrayLike = (0.0, 0.0, 0.0),
        bias_sigma: ArrayLike,
        compiled: bool = True,
    ) -> Estimate:
        """Run the filter over recorded data.

        Parameters
        ----------
        gyro : RateRecord
            Mean rates; the filter runs from its start to its last time.
        sightings : sequence of AttitudeSightings or VectorSightings
            One for each sensor, of different names, at any times.
        attitude : array_like, shape (4,)
            What it takes the attitude to be at the start.
        attitude_sigma : array_like, scalar or shape (3,)
            How well that is known about each body axis, rad.
        bias : array_like, shape (3,)
            What it takes the bias to be, rad/s.
        bias_sigma : array_like, scalar or shape (3,)
            How well that is known, rad/s.
        compiled : bool
            False runs the same source as plain Python.

        Returns
        -------
        Estimate
            A row at the start and at each time of the gyro, after the measurements that had arrived by then.

        Raises
        ------
        InputError
            When two sensors have one name, a sensor saw something before the start, or a number is out of range.
        """
        return filter_replay(
            gyro, sightings, kind=self._kind, noise=self.gyro_noise, walk=self.gyro_walk, gates=gates(self.gate),
            restart=self.restart_after or 0,
            start={"attitude": attitude, "attitude_sigma": attitude_sigma, "bias": bias, "bias_sigma": bias_sigma},
            compiled=compiled, name=type(self).__name__,
        )  # fmt: skip

    def block(
        self,
        gyro: Block,
        sensors: Sequence[tuple[Observer, Block]],
        *,
        attitude: ArrayLike | None = None,
        attitude_sigma: ArrayLike | None = None,
        bias: ArrayLike = (0.0, 0.0, 0.0),
        bias_sigma: ArrayLike,
        name: str | None = None,
    ) -> Block:
        """Return the filter as a block, to stand behind the blocks of its sensors.

        It runs with each reading of the gyro and takes each message at its time of validity, as `replay` does: a late
        one makes it run again from a state before that through the recorded readings. A message that is not valid is
        left out. A reading that is not valid counts for its interval all the same: the covariance does not know of
        that, and the estimate is marked as not valid until the next message that is taken.

        Parameters
        ----------
        gyro : Block
            Of a gyro: `gyro.block(sample=0.1)`.
        sensors : sequence of (sensor, Block)
            Of star trackers and direction sensors, with their blocks: `(tracker, tracker.block(sample=0.5))`. The
            sensor is what the filter takes the block to be: another noise than it has makes a filter that is mistuned.
            None may sample more often than the gyro.
        attitude : array_like, shape (4,), optional
            What it takes the attitude to be at its start. If omitted, it starts from the first valid attitude, or the
            first two directions that are 6 deg apart or more, at their time of validity, and runs from there through
            the recorded readings. Until then it writes (1, 0, 0, 0) with a sigma of pi, not valid, and the reading
            less the bias.
        attitude_sigma : array_like, scalar or shape (3,), optional
            How well that is known about each body axis, rad; left out with it.
        bias : array_like, shape (3,)
            What it takes the bias to be, rad/s.
        bias_sigma : array_like, scalar or shape (3,)
            How well that is known, rad/s.
        name : str, optional
            What it is called; as its kind if left out.

        Returns
        -------
        Block
            It writes "attitude" and "rate", which the law sees in place of the truth: e^, carried on by the delay of
            the gyro, and the reading less the bias. Beside them, for the record and for blocks behind it: "bias" (3,
            rad/s), "attitude_sigma" (3, rad), "bias_sigma" (3, rad/s), "estimate_valid" (1 since a message was taken
            after the last reading that was not valid, else 0; 0 also while a restart is due and no sensor allows it),
            "nis", of each sensor y' S^-1 y of the message before, negative where the gate refused it, "refused", the
            number of messages refused in a row, "restarts", how often the filter started again from its sensors, and
            "missed", how many messages it left out, as their time is not that of a sample of the sensor or older than
            its window.

        Raises
        ------
        InputError
            When two sensors have one name, one samples more often than the gyro or is told before it, or nothing it
            takes sees the attitude about some axis.
        """
        return filter_block(
            gyro, sensors, kind=self._kind, noise=self.gyro_noise, walk=self.gyro_walk, gates=gates(self.gate),
            restart=self.restart_after or 0,
            start={"attitude": attitude, "attitude_sigma": attitude_sigma, "bias": bias, "bias_sigma": bias_sigma},
            name=type(self).__name__ if name is None else name,
        )  # fmt: skip
