"""Quaternion feedback, tuned by natural frequency and damping ratio."""

import numpy as np
from numpy.typing import NDArray

from ...plant import Propulsion, Spacecraft
from ...plant.checks import of_kind, positive
from ...plant.errors import DesignError
from ...plant.one_thread import one_thread
from ..contracts.checks import check_timing
from ..laws.quaternion_feedback import QuaternionFeedback
from ..loop.sampled_plant import sampled_plant


@one_thread
def quaternion_feedback(
    craft: Spacecraft, *, frequency: float, damping_ratio: float, sample: float, delay: float = 0.0
) -> QuaternionFeedback:
    """Tune quaternion feedback for the same second-order response about every axis.

    The gains are Kp = 2 J wn^2 (the vector part is half the angle) and Kd = 2 zeta wn J. For small errors and fast
    sampling, theta'' + 2 zeta wn theta' + wn^2 theta = 0 about every axis.

    Parameters
    ----------
    craft : Spacecraft
        Provides torque basis and inertia: that of the hub with full tanks, without other elements.
    frequency : float
        Natural frequency wn, rad/s.
    damping_ratio : float
        Damping ratio zeta.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.

    Returns
    -------
    QuaternionFeedback
        The law, with the gyroscopic torque cancelled.

    Raises
    ------
    InputError
        When a value is out of range.
    DesignError
        When the sampling period is too long for the frequency: the small-error loop would be unstable.
    """
    of_kind("craft", craft, Spacecraft, such_as="a Spacecraft")
    wn = positive("frequency", frequency, "rad/s")
    zeta = positive("damping_ratio", damping_ratio)
    period, lag = check_timing(sample, delay)
    _check_fast_enough(wn, zeta, period, lag)
    inertia = tuned_inertia(craft)
    return QuaternionFeedback(
        inertia=inertia,
        stiffness=2.0 * wn**2 * inertia,
        damping=2.0 * zeta * wn * inertia,
        sample=period,
        delay=lag,
        torques=craft.torques,
    )


def tuned_inertia(craft: Spacecraft) -> NDArray[np.float64]:
    """Return the inertia for which the law is tuned, (3, 3), kg m^2.

    craft: spacecraft, whose hub and propellant at t = 0 count; other elements do not.
    """
    tanks = tuple(each for each in craft.elements if isinstance(each, Propulsion) and each.propellant > 0.0)
    if not tanks:
        return craft.body.inertia
    full = Spacecraft(craft.body, elements=tanks)
    return full.locked_inertia(full.at_rest())


def _check_fast_enough(wn: float, zeta: float, sample: float, delay: float) -> None:
    F, G = sampled_plant(np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0], [1.0]]), sample=sample, delays=[delay])
    K = np.zeros((1, len(F)))
    K[0, :2] = wn**2, 2.0 * zeta * wn
    radius = float(np.abs(np.linalg.eigvals(F - G @ K)).max())
    if radius >= 1.0:
        raise DesignError(
            f"sample {sample:g} s with delay {delay:g} s is too slow for frequency {wn:g} rad/s at damping "
            f"ratio {zeta:g}: the sampled loop has a pole of modulus {radius:.4g}; sample faster or lower "
            "the frequency"
        )
