"""Unscented quaternion estimator (USQUE) for attitude and gyro bias."""

from ....plant.quantity import declared
from .attitude_filter import AttitudeFilter
from .filter_kernels import UNSCENTED


@declared
class USQUE(AttitudeFilter):
    """Unscented quaternion estimator for attitude and gyro bias.

    The filter differs from `MEKF` in using 13 sigma points instead of derivatives. Both give the same result for small
    errors, and both are consistent when star trackers, with or without delay, correct a large error. They differ when
    directions correct a large error. For a star tracker and two direction sensors, whose directions come first, and
    initial errors of 0.3, 1 and 3 rad about each axis, the mean NEES of 100 runs (6 expected) is 6, 6 and 7 for this
    filter, and 9, 2e3 and 5e3 with `MEKF`. With two direction sensors only, the mean NEES for 0.1, 0.3 and 1 rad is
    6.4, 19 and 3e4 for this filter, and 8, 150 and 1e5 with `MEKF`: in this case start from the sensors, or from
    `wahba`.

    Parameters
    ----------
    angle_random_walk : float
        sigma_v, angle random walk of the gyro, rad/sqrt(s). 1 deg/sqrt(h) is 2.909e-4 rad/sqrt(s).
    rate_random_walk : float
        sigma_u, rate random walk of the gyro bias, rad/s^(3/2). 1 deg/h/sqrt(h) is 8.080e-8 rad/s^(3/2).
    gate : float or None
        Probability that a consistent measurement is accepted. Measurements beyond this chi-square quantile are rejected
        and counted. None accepts every measurement.
    measurement_noise_factor : float
        Factor on the standard deviation of every attitude and direction sensor that the filter assumes.
    restart_after : int or None
        Number of consecutive rejected messages after which the filter restarts from its sensors: see `MEKF`.

    Raises
    ------
    InputError
        When a noise density is negative or too large, or `gate` or `restart_after` is out of range.

    Notes
    -----
    J. L. Crassidis & F. L. Markley (2003), "Unscented filtering for spacecraft attitude estimation". The attitude error
    is 4 tan(angle/4) along the rotation axis, sigma points are composed on the right, as the error is, and lambda = 1.
    All process noise is added after propagation. Delayed measurements are processed as in `MEKF`.

    Examples
    --------
    >>> import numpy as np
    >>> from polhode.controllers.sensing.estimators import AttitudeSightings, RateRecord
    >>> filter = USQUE(angle_random_walk=1e-5, rate_random_walk=1e-8)
    >>> gyro = RateRecord(np.arange(1, 11) * 0.1, np.zeros((10, 3)))
    >>> tracker = AttitudeSightings([0.5, 1.0], [(1, 0, 0, 0)] * 2, sigma=1e-4)
    >>> found = filter.replay(gyro, [tracker], attitude=(1, 0, 0, 0), attitude_sigma=0.1, bias_sigma=1e-3)
    >>> bool(found.attitude_sigma[-1].max() < 1e-4)
    True
    """

    _kind = UNSCENTED
