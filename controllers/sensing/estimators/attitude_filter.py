"""Base class of the attitude and gyro bias filters: parameters, replay of records, block in a loop."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from numpy.typing import ArrayLike

from ....plant.quantity import COUNT, NUMBER, SHARE, check_fields, declared, quantity
from ...contracts.block import Block
from .estimate import Estimate
from .filter_block import filter_block
from .filter_replay import filter_replay
from .filter_tuning import RADIANS, gates
from .observation import Observer
from .sightings import AttitudeSightings, RateRecord, VectorSightings


@declared
class AttitudeFilter:
    """Base class of the attitude and gyro bias filters; `_kind` selects the algorithm in the kernels."""

    _kind: ClassVar[int]

    angle_random_walk: float = quantity(
        "rad/sqrt(s)", converter=NUMBER, case="deg/sqrt(h)", non_negative=True, below=1.0, hint=RADIANS,
        kw_only=False, doc="angle random walk of the gyro",
    )  # fmt: skip
    rate_random_walk: float = quantity(
        "rad/s^(3/2)", converter=NUMBER, case="deg/h/sqrt(h)", non_negative=True, below=1.0, hint=RADIANS,
        kw_only=False, doc="rate random walk of the gyro",
    )  # fmt: skip
    gate: float | None = quantity(
        converter=SHARE, optional=True, default=None, doc="probability that a valid measurement passes the gate"
    )
    measurement_noise_factor: float = quantity(
        converter=NUMBER, positive=True, default=1.0, doc="factor on the sensor noise that the filter assumes"
    )
    restart_after: int | None = quantity(
        converter=COUNT, case=None, optional=True, default=20,
        doc="consecutive rejected messages after which the filter restarts from its sensors",
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Check the arguments."""
        check_fields(self, of="the filter")

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
            Mean rates; the filter runs from the start to the last time of this record.
        sightings : sequence of AttitudeSightings or VectorSightings
            One record per sensor, with unique names; the times are arbitrary.
        attitude : array_like, shape (4,)
            Initial attitude estimate.
        attitude_sigma : array_like, scalar or shape (3,)
            Standard deviation of the initial attitude about each body axis, rad.
        bias : array_like, shape (3,)
            Initial bias estimate, rad/s.
        bias_sigma : array_like, scalar or shape (3,)
            Standard deviation of the initial bias, rad/s.
        compiled : bool
            False runs the same source as plain Python.

        Returns
        -------
        Estimate
            Estimates at the start and at each gyro time, based on all measurements received by then.

        Raises
        ------
        InputError
            When two sensors have the same name, a measurement precedes the start, or an argument is out of range.
        """
        factor = self.measurement_noise_factor
        if factor != 1.0:
            sightings = [replace(each, sigma=factor * each.sigma) for each in sightings]
        return filter_replay(
            gyro, sightings, kind=self._kind, noise=self.angle_random_walk, walk=self.rate_random_walk,
            gates=gates(self.gate), restart=self.restart_after or 0,
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
        """Return the filter as a block, to be placed after the blocks of its sensors.

        The block runs with each gyro reading and processes each message at its time of validity, as `replay` does.
        After a delayed message the filter repeats the computation from an earlier state, with the recorded readings. An
        invalid message is omitted. An invalid reading is still used for its interval, although the covariance does not
        account for its error; the estimate is then marked invalid until the next accepted message.

        Parameters
        ----------
        gyro : Block
            Block of a gyro: `gyro.block(sample=0.1)`.
        sensors : sequence of (sensor, Block)
            Star trackers and direction sensors with their blocks: `(tracker, tracker.block(sample=0.5))`. The sensor
            defines the measurement model of the filter; if its noise, times `measurement_noise_factor`, differs from
            the block's, the filter is mistuned.
            No sensor may sample more often than the gyro.
        attitude : array_like, shape (4,), optional
            Initial attitude estimate. By default the filter starts from the first valid attitude measurement, or from
            the first two directions at least 6 deg apart, at their time of validity, and processes the recorded
            readings from that time on. Until then the block writes (1, 0, 0, 0) with a sigma of pi, marked invalid, and
            the reading minus the bias.
        attitude_sigma : array_like, scalar or shape (3,), optional
            Standard deviation of the initial attitude about each body axis, rad; omit it if `attitude` is omitted.
        bias : array_like, shape (3,)
            Initial bias estimate, rad/s.
        bias_sigma : array_like, scalar or shape (3,)
            Standard deviation of the initial bias, rad/s.
        name : str, optional
            Name of the block; by default the name of the filter class.

        Returns
        -------
        Block
            The block writes "attitude" and "rate", which replace the true signals for the law: e^, propagated over the
            delay of the gyro, and the reading minus the bias. Further outputs are "bias" (3, rad/s), "attitude_sigma"
            (3, rad, of the propagated attitude) and "bias_sigma" (3, rad/s).
            "estimate_valid" is 1 if a message was accepted after the last invalid
            reading, else 0; it is also 0 while a restart is pending for lack of a usable message. "nis" is
            y' S^-1 y of the last message of each sensor, negative if the gate rejected the message. "refused" is the
            number of consecutive rejected messages and "restarts" the number of restarts from the sensors. "missed" is
            the number of messages omitted because their time is not a sample time of the sensor or precedes the
            filter's window.

        Raises
        ------
        InputError
            When two sensors have the same name, when messages of a sensor are more frequent than the gyro readings or
            would be overwritten before use, or when the attitude about some axis is unobservable.
        """
        return filter_block(
            gyro, sensors, kind=self._kind, noise=self.angle_random_walk, walk=self.rate_random_walk,
            factor=self.measurement_noise_factor, gates=gates(self.gate), restart=self.restart_after or 0,
            start={"attitude": attitude, "attitude_sigma": attitude_sigma, "bias": bias, "bias_sigma": bias_sigma},
            name=type(self).__name__ if name is None else name,
        )  # fmt: skip
