"""State feedback with integrators, as a compensator with anti-windup."""

import numpy as np
from numpy.typing import NDArray

from ..contracts.past_commands import remember
from ..laws.compensator import Compensator

Array = NDArray[np.float64]


def with_integrators(
    on_measurement: Array, on_past: Array, *, on_integral: Array, sample: float, anti_windup: bool
) -> Compensator:
    """Return the state feedback v = D y + P [past commands] + I xi with integrators xi as a compensator.

    The integrators are xi[k+1] = xi + sample (realisable attitude error).

    Under saturation the integrators integrate the attitude error for which the command would equal the limited command,
    delta + D_delta^-1 (limited u - u): conditioning by the realisable input (Hanus, Kinnaert & Henrotte 1987).

    on_measurement (3, 6 + e): D; the first three columns D_delta (gain on the attitude error) must be invertible.
    on_past (3, 3 m): gain P on the past commands, newest first.
    on_integral (3, 3): gain I on the integral of the attitude error, rad s.
    sample: sampling period, s.
    anti_windup: False integrates the attitude error regardless of saturation.
    -> compensator with states [xi; past commands].
    """
    past = on_past.shape[1]
    width = on_measurement.shape[1]
    shift, enter = remember(past // 3)
    A = np.zeros((3 + past, 3 + past))
    A[:3, :3] = np.eye(3)
    A[3:, :3] = enter @ on_integral
    A[3:, 3:] = shift + enter @ on_past
    B = np.zeros((3 + past, width))
    B[:3, :3] = sample * np.eye(3)
    B[3:] = enter @ on_measurement
    tracking = np.vstack((np.zeros((3, 3)), enter))
    if anti_windup:
        tracking[:3] = sample * np.linalg.inv(on_measurement[:, :3])
    return Compensator(A=A, B=B, C=np.hstack((on_integral, on_past)), D=on_measurement, tracking=tracking)
