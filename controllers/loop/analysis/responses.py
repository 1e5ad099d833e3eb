"""Linear responses of a loop to a reference step and to a constant torque."""

from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.brief import brief
from ....plant.checks import of_kind, positive
from ....plant.frozen import frozen_results
from ....plant.one_thread import one_thread
from ..sampled_loop import SampledLoop
from .loop_modes import loop_modes

Array = NDArray[np.float64]

DRIFTS = 1e-9  # relative to the largest motion: a smaller drift is rounding
LONGEST = 200_000  # largest number of samples in a response


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class LinearResponse:
    """Attitude and torque responses of a linear sampled loop to an excitation of each axis.

    Parameters
    ----------
    t : numpy.ndarray, shape (m,)
        Times of the samples, s.
    attitude : numpy.ndarray, shape (3, m, 3)
        Attitude for an excitation of axis i: per rad of reference, or per N m of torque.
    torque : numpy.ndarray, shape (3, m, 3)
        Command of the law, N m, per rad of reference or per N m of torque.
    final : numpy.ndarray, shape (3, 3)
        Steady-state attitude, solved for exactly; inf if it drifts. For example, it drifts if wheels provide the
        torque, since they speed up under a constant external torque and their friction grows with their rates.
    """

    t: Array
    attitude: Array
    torque: Array
    final: Array

    __repr__ = brief

    def figures(self, *, band: float = 0.02) -> list[dict[str, Any]]:
        """Return overshoot, settling time and similar response figures of each axis.

        Parameters
        ----------
        band : float
            Settling band: relative to the final value, or to the peak when the final value is zero.

        Returns
        -------
        list of dict
            `final` (None if it drifts), `overshoot` (relative to the final value; None beyond 1),
            `settling_time_s` (None if not settled within the response), `peak`, `cross` (largest response of another
            axis) and `peak_torque`.
        """
        found: list[dict[str, Any]] = []
        for axis in range(3):
            y = self.attitude[axis, :, axis]
            final = float(self.final[axis, axis])
            top = float(np.abs(y).max())
            drifts = not np.isfinite(final)
            held = abs(final) < 1e-6 * top  # with integral action, the remainder is rounding
            final = 0.0 if held else final
            outside = np.flatnonzero(np.abs(y - final) > band * (top if held else abs(final)))
            past = 0.0 if held else max(float((y / final).max()) - 1.0, 0.0)
            last = len(self.t) if drifts else int(outside[-1]) + 1 if len(outside) else 0
            others = [n for n in range(3) if n != axis]
            found.append(
                {
                    "final": None if drifts else final,
                    "overshoot": None if held or drifts or past > 1.0 else past,
                    "settling_time_s": float(self.t[last]) if last < len(self.t) - 1 else None,
                    "peak": float(y[np.argmax(np.abs(y))]),
                    "cross": float(np.abs(self.attitude[axis][:, others]).max()),
                    "peak_torque": float(np.abs(self.torque[axis]).max()),
                }
            )
        return found


@one_thread
def step_response(loop: SampledLoop, *, duration: float | None = None) -> LinearResponse:
    """Return the response of the attitude to a step of its reference about each body axis.

    Parameters
    ----------
    loop : SampledLoop
        `law.loop()`, or `law.loop(model)`.
    duration : float, optional
        Duration, s; by default eight times the slowest time constant.

    Returns
    -------
    LinearResponse
        The response per rad of reference, neglecting large-angle effects of a nonlinear law and torque limits.
    """
    return _respond(loop, duration=duration, step=True)


@one_thread
def disturbance_response(loop: SampledLoop, *, duration: float | None = None) -> LinearResponse:
    """Return the attitude error under a constant torque on each input of the plant.

    Parameters
    ----------
    loop : SampledLoop
        `law.loop()`, or `law.loop(model)`.
    duration : float, optional
        Duration, s; by default eight times the slowest time constant.

    Returns
    -------
    LinearResponse
        The response per N m of torque; the final value is zero for a law with integral action.
    """
    return _respond(loop, duration=duration, step=False)


def _respond(loop: SampledLoop, *, duration: float | None, step: bool) -> LinearResponse:
    of_kind("loop", loop, SampledLoop, such_as="a SampledLoop, such as law.loop()")
    slow = [mode.time_constant_s for mode in loop_modes(loop.poles(), sample=loop.sample)] if duration is None else []
    loop = loop if step else loop.with_total_momentum()
    F, G, N, Ks, Ky, C, P = loop.parts()
    turn = np.zeros((3, len(F)))  # selects the true attitude, independent of the law's measurement
    turn[:, : loop.C.shape[1]] = loop.C[:3]
    law = Ks + Ky @ C
    closed = F + N @ C + G @ law
    if duration is not None:
        duration = positive("duration", duration, "s")
    else:
        # a mode that never decays (the momentum of a wheel without unloading) does not determine the duration
        duration = 8.0 * max(tau for tau in slow if tau < np.inf)
    count = min(ceil(duration / loop.sample), LONGEST) + 1
    attitude, torque, final = np.zeros((3, count, 3)), np.zeros((3, count, 3)), np.zeros((3, 3))
    for axis in range(3):
        s = np.zeros(len(F))
        seen = np.zeros(len(C))  # offset of the measurement C s due to the reference
        push = np.zeros(len(F))
        if step:
            seen[axis] = -1.0
        else:
            push = P[:, axis] / loop.scale
        drive = (N + G @ Ky) @ seen + push
        ahead = Ky @ seen
        final[axis] = _rest(closed, drive, turn)
        for k in range(count):
            attitude[axis, k] = turn @ s
            torque[axis, k] = loop.scale * (law @ s + ahead)
            s = closed @ s + drive
    return LinearResponse(
        t=loop.sample * np.arange(count, dtype=np.float64), attitude=attitude, torque=torque, final=final
    )


def _rest(closed: Array, drive: Array, turn: Array) -> Array:
    """Return `turn` times the steady state of s+ = `closed` s + `drive`; inf for components that drift.

    Solved by least squares, because constant modes, such as the momentum of a wheel, make the matrix singular.
    """
    n = len(closed)
    left = np.eye(n) - closed
    rests = np.linalg.lstsq(left, drive, rcond=None)[0]
    rests = rests + np.linalg.lstsq(left, drive - left @ rests, rcond=None)[0]  # refinement: commands can be large
    if np.abs(left @ rests - drive).max() <= DRIFTS * np.abs(drive).max():
        return np.asarray(turn @ rests, dtype=np.float64)
    # s = c + k r: a constant drive can change s by r in each sample without bound, for example wheel momenta
    both = np.linalg.lstsq(
        np.block([[left, np.eye(n)], [np.zeros((n, n)), left]]), np.concatenate((drive, np.zeros(n))), rcond=None
    )[0]
    found, drift = np.asarray(turn @ both[:n], dtype=np.float64), turn @ both[n:]
    found[np.abs(drift) > DRIFTS * np.abs(both[n:]).max()] = np.inf
    return found
