"""The multiplicative extended Kalman filter: attitude and gyro bias from a gyro and whatever sees directions."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from numpy.typing import ArrayLike

from ..laws.block import Block
from .estimate import Estimate
from .filter_block import filter_block
from .filter_kernels import EXTENDED
from .filter_replay import filter_replay
from .filter_tuning import checked, gates
from .observation import Observer
from .sightings import AttitudeSightings, RateRecord, VectorSightings

__all__ = ["MEKF"]


@dataclass(frozen=True)
class MEKF:
    """Multiplicative extended Kalman filter for attitude and gyro bias.

    Truth is ``e = e^ o Exp(a)``, ``b = b^ + beta``; the gyro measures ``omega + b + eta_v`` with ``b' = eta_u``.
    Between measurements ``a' = -[omega^] a - beta - eta_v``. Directions and attitudes are taken in the order in which
    they arrive, each at the attitude of its own time: one that arrives late corrects a copy of the error that was
    kept (cloned) at its time of validity, which is exact in the linear case.

    Parameters
    ----------
    gyro_noise : float
        sigma_v, angle random walk of the gyro, rad/sqrt(s). 1 deg/sqrt(h) is 2.909e-4 rad/sqrt(s).
    gyro_walk : float
        sigma_u, rate random walk of its bias, rad/s^(3/2). 1 deg/h/sqrt(h) is 8.080e-8 rad/s^(3/2).
    gate : float or None
        Probability with which a good measurement passes: those beyond that chi-square quantile are refused and
        counted. None takes everything.

    Raises
    ------
    InputError
        When a density is negative or not small, or `gate` is no probability.

    Notes
    -----
    E. J. Lefferts, F. L. Markley & M. D. Shuster (1982), "Kalman filtering for spacecraft attitude estimation";
    F. L. Markley (2003) for the error in body axes; M. W. Mueller, M. Hehn & R. D'Andrea (2017) for the reset of the
    covariance, without which it is inconsistent after large corrections; S. I. Roumeliotis & J. W. Burdick (2002) for
    late measurements.

    Examples
    --------
    >>> import numpy as np
    >>> filter = MEKF(gyro_noise=1e-5, gyro_walk=1e-8)
    >>> gyro = RateRecord(np.arange(1, 11) * 0.1, np.zeros((10, 3)))
    >>> tracker = AttitudeSightings([0.5, 1.0], [(1, 0, 0, 0)] * 2, sigma=1e-4)
    >>> found = filter.replay(gyro, [tracker], attitude=(1, 0, 0, 0), attitude_sigma=0.1, bias_sigma=1e-3)
    >>> bool(found.attitude_sigma[-1].max() < 1e-4)
    True
    """

    gyro_noise: float
    gyro_walk: float
    gate: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the numbers."""
        for name, value in checked(self.gyro_noise, self.gyro_walk, self.gate).items():
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
            gyro, sightings, kind=EXTENDED, noise=self.gyro_noise, walk=self.gyro_walk, gates=gates(self.gate),
            start={"attitude": attitude, "attitude_sigma": attitude_sigma, "bias": bias, "bias_sigma": bias_sigma},
            compiled=compiled, name="MEKF",
        )  # fmt: skip

    def block(
        self,
        gyro: Block,
        sensors: Sequence[tuple[Observer, Block]],
        *,
        attitude: ArrayLike,
        attitude_sigma: ArrayLike,
        bias: ArrayLike = (0.0, 0.0, 0.0),
        bias_sigma: ArrayLike,
        name: str = "MEKF",
    ) -> Block:
        """Return the filter as a block, to stand behind the blocks of its sensors.

        It runs with each reading of the gyro, and takes each message of a sensor as `replay` takes it: at its time of
        validity, with an error kept (cloned) from then where it is told late. A message that is not valid is left out.
        A reading that is not valid stands for its interval all the same: the covariance does not know of that, and
        the estimate is called not valid until the next message that is taken.

        Parameters
        ----------
        gyro : Block
            Of a gyro: `gyro.block(sample=0.1)`.
        sensors : sequence of (sensor, Block)
            Of star trackers and direction sensors, with their blocks: `(tracker, tracker.block(sample=0.5))`. The
            sensor is what the filter takes the block to be: another noise than it has makes a filter that is mistuned.
            None may sample more often than the gyro.
        attitude : array_like, shape (4,)
            What it takes the attitude to be at its start.
        attitude_sigma : array_like, scalar or shape (3,)
            How well that is known about each body axis, rad.
        bias : array_like, shape (3,)
            What it takes the bias to be, rad/s.
        bias_sigma : array_like, scalar or shape (3,)
            How well that is known, rad/s.
        name : str
            What it is called.

        Returns
        -------
        Block
            It writes "attitude" and "rate", which the law sees in place of the truth: e^, carried on by the delay of
            the gyro, and the reading less the bias. Beside them, for the record and for blocks behind it: "bias" (3,
            rad/s), "attitude_sigma" (3, rad), "bias_sigma" (3, rad/s), "estimate_valid" (1 since a message was taken
            after the last reading that was not valid, else 0) and "nis", of each sensor y' S^-1 y of the message
            before, negative where the gate refused it.

        Raises
        ------
        InputError
            When two sensors have one name, one samples more often than the gyro or is told before it, or nothing it
            takes sees the attitude about some axis.
        """
        return filter_block(
            gyro, sensors, kind=EXTENDED, noise=self.gyro_noise, walk=self.gyro_walk, gates=gates(self.gate),
            start={"attitude": attitude, "attitude_sigma": attitude_sigma, "bias": bias, "bias_sigma": bias_sigma},
            name=name,
        )  # fmt: skip
