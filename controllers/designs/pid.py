"""PD and PID control of each body axis, designed by natural frequency and damping ratio."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel
from ...plant.checks import each_positive
from ...plant.one_thread import one_thread
from ..contracts.checks import check_timing
from ..laws.compensator import Compensator
from ..laws.linear_feedback import LinearFeedback
from ..loop.attitude_model import check_reachable
from .design_plant import design_plant
from .integral import with_integrators
from .stability_check import require_stable

Array = NDArray[np.float64]


@one_thread
def pid(
    model: LinearModel,
    *,
    frequency: ArrayLike,
    damping_ratio: ArrayLike,
    sample: float,
    delay: float = 0.0,
    integral_time: ArrayLike | None = None,
    saturation: str = "component",
    anti_windup: bool = True,
) -> LinearFeedback:
    """Design PD feedback for each body axis, with integral action if `integral_time` is given.

    In each axis, the continuous loop of the spacecraft with locked elements has the roots of s^2 + 2 zeta wn s + wn^2
    as poles. An integral time T adds a pole at -1/T:

        torque = - J (P delta + D (omega - omega_ref) + I xi),    xi' = delta,
        P = wn^2 + 2 zeta wn / T,   D = 2 zeta wn + 1/T,   I = wn^2 / T    (1/T = 0 without integral).

    The full inertia matrix J decouples the axes at rest. About a spin, the gyroscopic coupling remains in the loop. The
    gains are designed in continuous time and applied at the samples. Stability is checked on the sampled loop with the
    delay and all states of the plant.

    Parameters
    ----------
    model : LinearModel
        `craft.linearize(...)`.
    frequency : array_like, shape () or (3,)
        Natural frequency wn of each axis, rad/s.
    damping_ratio : array_like, shape () or (3,)
        Damping ratio zeta of each axis.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    integral_time : array_like, shape () or (3,), optional
        Integral time T, s. None for no integral action.
    saturation : str
        "component" or "direction"; see `LinearFeedback`.
    anti_windup : bool
        False switches anti-windup off.

    Returns
    -------
    LinearFeedback
        The law.

    Raises
    ------
    InputError
        When a value is not positive or a shape is wrong.
    DesignError
        When the sampling is too slow for the frequency (the message gives the longest stable period), or an axis is not
        controllable.

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((8, 7, 6)))
    >>> law = pid(craft.linearize(craft.at_rest()), frequency=0.5, damping_ratio=0.7, sample=0.1)
    >>> law.compensator.D[0, ::3].round(12).tolist()
    [-2.0, -5.6]
    """
    period, lag = check_timing(sample, delay)
    wn = each_positive("frequency", frequency, unit="rad/s")
    zeta = each_positive("damping_ratio", damping_ratio, unit="")
    corner = np.zeros(3) if integral_time is None else 1.0 / each_positive("integral_time", integral_time, unit="s")
    plant = design_plant(model, internal="locked")
    check_reachable(plant.model, sample=period)
    # from body torque to components of the torque basis
    share = np.linalg.inv(plant.model.B[3:6]) @ plant.model.inertia
    D = -np.hstack((share * (wn**2 + 2.0 * zeta * wn * corner), share * (2.0 * zeta * wn + corner)))
    on_integral = -share * (wn**2 * corner)
    design = {"kind": "pd" if integral_time is None else "pid", "frequency_rad_s": wn.tolist()}
    design["damping_ratio"] = zeta.tolist()
    if integral_time is not None:
        design["integral_time_s"] = (1.0 / corner).tolist()

    def at(h: float) -> LinearFeedback:
        if integral_time is None:
            compensator = Compensator.static(D)
        else:
            compensator = with_integrators(
                D, np.zeros((3, 0)), on_integral=on_integral, sample=h, anti_windup=anti_windup
            )
        return LinearFeedback(compensator, model, sample=h, delay=lag, saturation=saturation, design=design)

    words = ", ".join(f"{value:g}" for value in np.unique(wn))
    return require_stable(at(period), what=f"a frequency of {words} rad/s", at=at)
