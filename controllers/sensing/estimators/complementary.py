"""Complementary filter with fixed gains: gyro at high frequency, attitudes and directions at low frequency."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ....plant.quantity import NUMBER, check_fields, declared, quantity
from ...contracts.block import Block
from .estimate import Estimate
from .farrenkopf import farrenkopf
from .filter_block import filter_block
from .filter_kernels import FIXED
from .filter_replay import filter_replay
from .filter_tuning import OPEN
from .observation import Observer
from .sightings import AttitudeSightings, RateRecord, VectorSightings

UNUSED = 1.0  # placeholder for sigma: the filter has no covariance


@declared
class ComplementaryFilter:
    """Complementary filter with fixed gains for attitude and gyro bias.

    Between messages the filter integrates the gyro rate minus the bias. Each message with residual y (rad) corrects

        e^ <- e^ o Exp(attitude_gain y),    b^ <- b^ - bias_gain y

    y is the rotation vector from the estimate to a measured attitude, or w x w^ for a measured direction w, without a
    component about the direction. A delayed message corrects the estimate at its time of validity, as in `MEKF`, so
    that a delay does not destabilise the filter. The filter has no covariance and no gate. With the gains of
    `from_noise` the filter equals `MEKF` in steady state.

    Parameters
    ----------
    attitude_gain : float
        Fraction of a residual by which each message corrects the attitude, above 0 and below 2.
    bias_gain : float
        Bias correction per radian of residual, 1/s; 0 keeps the bias constant.

    Raises
    ------
    InputError
        When a gain is out of range.

    Notes
    -----
    R. Mahony, T. Hamel & J.-M. Pflimlin (2008), "Nonlinear complementary filters on the special orthogonal group", in
    discrete time. With one sensor at intervals T the filter is stable for 0 < bias_gain T < 2 (2 - attitude_gain).

    Examples
    --------
    >>> gyro = {"angle_random_walk": 1e-5, "rate_random_walk": 1e-8}
    >>> filter = ComplementaryFilter.from_noise(angle_noise=1e-4, **gyro, sample=0.5)
    >>> print(f"{filter.attitude_gain:.4f} {filter.bias_gain:.2e}")
    0.0687 6.82e-05
    """

    attitude_gain: float = quantity(
        converter=NUMBER, positive=True, below=2.0, doc="fraction of the attitude error that each measurement removes"
    )
    bias_gain: float = quantity(
        "1/s", converter=NUMBER, non_negative=True, default=0.0, doc="bias correction per radian of attitude error"
    )

    def __post_init__(self) -> None:
        """Check the arguments."""
        check_fields(self, of="the filter")

    @classmethod
    def from_noise(
        cls, *, angle_noise: float, angle_random_walk: float, rate_random_walk: float, sample: float
    ) -> ComplementaryFilter:
        """Return the filter that is optimal in steady state for one attitude sensor.

        Parameters
        ----------
        angle_noise : float
            sigma_n, standard deviation of a measured angle, rad.
        angle_random_walk : float
            sigma_v, angle random walk, rad/sqrt(s).
        rate_random_walk : float
            sigma_u, rate random walk of the bias, rad/s^(3/2); above zero.
        sample : float
            Time between attitude measurements, s.

        Returns
        -------
        ComplementaryFilter
            The filter, with the gains of Farrenkopf's steady-state solution.

        Raises
        ------
        InputError
            When an argument is not positive.
        """
        steady = farrenkopf(
            angle_noise=angle_noise, gyro_noise=angle_random_walk, gyro_walk=rate_random_walk, sample=sample
        )
        return cls(
            attitude_gain=steady.angle_after**2 / angle_noise**2,
            bias_gain=-steady.covariance_after / angle_noise**2,
        )

    def replay(
        self,
        gyro: RateRecord,
        sightings: Sequence[AttitudeSightings | VectorSightings] = (),
        *,
        attitude: ArrayLike,
        bias: ArrayLike = (0.0, 0.0, 0.0),
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
        bias : array_like, shape (3,)
            Initial bias estimate, rad/s.
        compiled : bool
            False runs the same source as plain Python.

        Returns
        -------
        Estimate
            Estimates at the start and at each gyro time; covariance and innovations are NaN.

        Raises
        ------
        InputError
            When two sensors have the same name, a measurement precedes the start, or an argument is out of range.
        """
        found = filter_replay(
            gyro, sightings, kind=FIXED, noise=self.attitude_gain, walk=self.bias_gain, gates=np.full(2, OPEN),
            restart=0, start={"attitude": attitude, "attitude_sigma": UNUSED, "bias": bias, "bias_sigma": UNUSED},
            compiled=compiled, name="complementary filter",
        )  # fmt: skip
        return Estimate(
            t=found.t, attitude=found.attitude, bias=found.bias, covariance=np.full(found.covariance.shape, np.nan),
            innovations={name: np.full(each.shape, np.nan) for name, each in found.innovations.items()},
            refused=found.refused, restarts=0, degrees=found.degrees,
        )  # fmt: skip

    def block(
        self,
        gyro: Block,
        sensors: Sequence[tuple[Observer, Block]],
        *,
        attitude: ArrayLike | None = None,
        bias: ArrayLike = (0.0, 0.0, 0.0),
        name: str = "complementary filter",
    ) -> Block:
        """Return the filter as a block, to be placed after the blocks of its sensors.

        Parameters
        ----------
        gyro : Block
            Block of a gyro: `gyro.block(sample=0.1)`.
        sensors : sequence of (sensor, Block)
            Star trackers and direction sensors with their blocks. No sensor may sample more often than the gyro.
        attitude : array_like, shape (4,), optional
            Initial attitude estimate; by default computed from the first measurements, as in `MEKF.block`.
        bias : array_like, shape (3,)
            Initial bias estimate, rad/s.
        name : str
            Name of the block.

        Returns
        -------
        Block
            The block writes "attitude" and "rate", which replace the true signals for the law, "bias" (3, rad/s), and
            "missed", the number of omitted messages; see `MEKF.block`.

        Raises
        ------
        InputError
            For the reasons given in `MEKF.block`.
        """
        return filter_block(
            gyro, sensors, kind=FIXED, noise=self.attitude_gain, walk=self.bias_gain, gates=np.full(2, OPEN), restart=0,
            start={
                "attitude": attitude, "attitude_sigma": None if attitude is None else UNUSED, "bias": bias,
                "bias_sigma": UNUSED,
            },
            name=name,
        )  # fmt: skip
