"""Multiplicative extended Kalman filter (MEKF) for attitude and gyro bias."""

from ....plant.quantity import declared
from .attitude_filter import AttitudeFilter
from .filter_kernels import EXTENDED


@declared
class MEKF(AttitudeFilter):
    """Multiplicative extended Kalman filter for attitude and gyro bias.

    The true values are ``e = e^ o Exp(a)`` and ``b = b^ + beta``; the gyro measures ``omega + b + eta_v`` with
    ``b' = eta_u``. Between measurements ``a' = -[omega^] a - beta - eta_v``. Each direction or attitude corrects the
    estimate at its time of validity. After a delayed measurement the filter returns to an earlier state and repeats the
    processing of all gyro readings and measurements since then. The result is the same as without delays, however large
    the correction.

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
        Number of consecutive rejected measurements after which the filter restarts from its sensors, with the initial
        bias and bias sigma. The rejections must also last for this number of periods of the slowest sensor. None
        disables restarts. A restart needs an attitude sensor or two direction sensors.

    Raises
    ------
    InputError
        When a noise density is negative or too large, or `gate` or `restart_after` is out of range.

    Notes
    -----
    E. J. Lefferts, F. L. Markley & M. D. Shuster (1982), "Kalman filtering for spacecraft attitude estimation";
    F. L. Markley (2003) for the error in body axes; M. W. Mueller, M. Hehn & R. D'Andrea (2017) for the reset of the
    covariance, without which the filter is inconsistent after large corrections. Large corrections by directions still
    make the filter overconfident: see `USQUE`.

    Examples
    --------
    >>> import numpy as np
    >>> from polhode.controllers.sensing.estimators import AttitudeSightings, RateRecord
    >>> filter = MEKF(angle_random_walk=1e-5, rate_random_walk=1e-8)
    >>> gyro = RateRecord(np.arange(1, 11) * 0.1, np.zeros((10, 3)))
    >>> tracker = AttitudeSightings([0.5, 1.0], [(1, 0, 0, 0)] * 2, sigma=1e-4)
    >>> found = filter.replay(gyro, [tracker], attitude=(1, 0, 0, 0), attitude_sigma=0.1, bias_sigma=1e-3)
    >>> bool(found.attitude_sigma[-1].max() < 1e-4)
    True
    """

    _kind = EXTENDED
