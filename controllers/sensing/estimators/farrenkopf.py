"""Steady-state accuracy of a filter with a gyro and an angle sensor (Farrenkopf 1978)."""

from dataclasses import dataclass
from math import sqrt

from ....plant.checks import non_negative, positive

__all__ = ["SteadyState", "farrenkopf"]


@dataclass(frozen=True, kw_only=True)
class SteadyState:
    """Standard deviations of a single-axis filter in steady state.

    Attributes
    ----------
    angle_before, angle_after : float
        Standard deviation of the angle, just before and after a measurement, rad.
    bias_before, bias_after : float
        Standard deviation of the gyro bias, just before and after a measurement, rad/s.
    covariance_before, covariance_after : float
        Covariance of angle and bias errors, rad^2/s. The covariance is negative: if the bias estimate is too small, the
        angle estimate is too large.
    gyro_noise, gyro_walk : float
        sigma_v, rad/sqrt(s), and sigma_u, rad/s^(3/2): the arguments.
    """

    angle_before: float
    angle_after: float
    bias_before: float
    bias_after: float
    covariance_before: float
    covariance_after: float
    gyro_noise: float
    gyro_walk: float

    def angle_at(self, tau: float) -> float:
        """Return the standard deviation of the predicted angle at a time tau after a measurement.

        Parameters
        ----------
        tau : float
            Time, s, from 0 to the sampling period.

        Returns
        -------
        float
            Standard deviation, rad.
        """
        t = non_negative("tau", tau, "s")
        variance = self.angle_after**2 - 2.0 * t * self.covariance_after + t * t * self.bias_after**2
        return sqrt(variance + self.gyro_noise**2 * t + self.gyro_walk**2 * t**3 / 3.0)


def farrenkopf(*, angle_noise: float, gyro_noise: float, gyro_walk: float, sample: float) -> SteadyState:
    """Return the steady state of the optimal single-axis filter for a gyro with bias and an angle sensor.

    The solution has a closed form: with Sv = sigma_v sqrt T/sigma_n, Su = sigma_u T^1.5/sigma_n,
    g = sqrt(1 + Sv^2/4 + Su^2/48) and z = g + Su/4 + 1/2 sqrt(2 g Su + Sv^2 + Su^2/3), the standard deviation of the
    angle is sigma_n sqrt(z^2 - 1) before and sigma_n sqrt(1 - 1/z^2) after a measurement.

    Parameters
    ----------
    angle_noise : float
        sigma_n, standard deviation of a measured angle, rad.
    gyro_noise : float
        sigma_v, angle random walk, rad/sqrt(s).
    gyro_walk : float
        sigma_u, rate random walk of the bias, rad/s^(3/2); above zero.
    sample : float
        T, time between measurements, s.

    Returns
    -------
    SteadyState
        Standard deviations.

    Raises
    ------
    InputError
        When an argument is not positive (gyro_noise may be zero).

    Notes
    -----
    R. L. Farrenkopf (1978), "Analytic steady-state accuracy solutions for two common spacecraft attitude estimators";
    F. L. Markley & R. G. Reynolds (2000). For three axes the result holds for each axis if the measurement noise is
    isotropic and the spacecraft rotates little between measurements.

    Examples
    --------
    >>> state = farrenkopf(angle_noise=1.0, gyro_noise=0.3, gyro_walk=0.2, sample=1.0)
    >>> round(state.angle_before, 9), round(state.bias_after, 9)
    (1.005292056, 0.350063511)
    """
    sn = positive("angle_noise", angle_noise, "rad")
    sv = non_negative("gyro_noise", gyro_noise, "rad/sqrt(s)")
    su = positive("gyro_walk", gyro_walk, "rad/s^(3/2)")
    T = positive("sample", sample, "s")
    noise, walk = sv * sqrt(T) / sn, su * T**1.5 / sn
    g = sqrt(1.0 + noise * noise / 4.0 + walk * walk / 48.0)
    more = g - 1.0 + walk / 4.0 + 0.5 * sqrt(2.0 * g * walk + noise * noise + walk * walk / 3.0)  # z - 1
    z = 1.0 + more
    spread = more * (z + 1.0) / z  # z - 1/z
    joint = su * sqrt(T) * sn
    return SteadyState(
        angle_before=sn * sqrt(more * (z + 1.0)),
        angle_after=sn * sqrt(more * (z + 1.0)) / z,
        bias_before=su * sqrt(sn / su * spread / sqrt(T) + T / 2.0),
        bias_after=su * sqrt(sn / su * spread / sqrt(T) - T / 2.0),
        covariance_before=-joint * z,
        covariance_after=-joint / z,
        gyro_noise=sv,
        gyro_walk=su,
    )
