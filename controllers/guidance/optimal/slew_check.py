"""Check of a planned slew between its samples, by an integration independent of the optimiser."""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees, inf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.frozen import frozen_arrays
from .slew_table import body_momentum, slopes

if TYPE_CHECKING:
    from ..sampled_reference import SampledReference
    from .slew_problem import SlewProblem

Array = NDArray[np.float64]

SUBSTEPS = 2
"""Integration steps within each piece of the table."""

CONE_TOLERANCE = 1e-4
"""Largest accepted angle on the wrong side of a cone, rad."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class SlewCheck:
    """Extremes of a slew between its samples.

    The motion of the body is integrated from the start under the torque required by the reference, with two Runge-Kutta
    steps for each piece of the table.

    Attributes
    ----------
    torque, momentum, rate : float
        Largest value of each quantity divided by its limit; 0 if there is no limit.
    clearance : numpy.ndarray, shape (cones,)
        Smallest angle to the edge of each cone, rad, negative on the wrong side.
    miss : float
        Angle between the end of the integrated motion and the required end, rad.
    end_rate : float
        Rate at the end of the integrated motion, rad/s.
    """

    torque: float
    momentum: float
    rate: float
    clearance: Array
    miss: float
    end_rate: float

    @property
    def excess(self) -> tuple[float, float, float, float]:
        """Violations of torque, momentum and rate, relative to their limits, and of the cones, rad; 0 if none."""
        torque, momentum, rate = (max(each - 1.0, 0.0) for each in (self.torque, self.momentum, self.rate))
        return torque, momentum, rate, max(-float(self.clearance.min(initial=inf)), 0.0)

    def acceptable(self, tolerance: float) -> bool:
        """Return whether the slew respects its limits and reaches its end.

        Parameters
        ----------
        tolerance : float
            Largest accepted excess over a limit, as a fraction of the limit. Cones and the end attitude have the
            tolerance `CONE_TOLERANCE`, 1e-4 rad.

        Returns
        -------
        bool
            Whether the slew is acceptable.
        """
        *shares, cone = self.excess
        return max(shares) <= tolerance and cone <= CONE_TOLERANCE and self.miss <= CONE_TOLERANCE

    def lines(self, problem: SlewProblem) -> list[str]:
        """Return the extremes as text.

        Parameters
        ----------
        problem : SlewProblem
            The slew, for the names of its cones.

        Returns
        -------
        list of str
            One line per quantity.
        """
        used = [("torque", self.torque), ("wheel momentum", self.momentum), ("rate", self.rate)]
        found = [f"largest {word} between samples: {value:.6f} of the limit" for word, value in used if value > 0.0]
        for cone, clearance in zip(problem.cones, self.clearance.tolist(), strict=True):
            found.append(f"{cone.name}: least clearance {degrees(clearance):.4f} deg (keep-{cone.keep})")
        found.append(f"the end is missed by {degrees(self.miss):.2e} deg and {degrees(self.end_rate):.2e} deg/s")
        return found


def check_slew(problem: SlewProblem, reference: SampledReference) -> SlewCheck:
    """Return the extremes of a reference, relative to the limits of a slew.

    problem: the slew; reference: the planned motion, beginning at time 0.
    """
    limits = problem.limits
    x = np.concatenate((problem.start, np.zeros(3)))
    peaks = np.zeros(3)
    attitudes = [problem.start]
    kernel, parameters, r = reference.kernel, reference.parameters, np.zeros(10)

    def needed(t: float) -> Array:  # torque required by the reference, N m
        kernel(t, parameters, r)
        w = r[4:7]
        held = limits.inertia @ w
        total = body_momentum(limits, r[:4])
        w1, w2, w3 = w.tolist()
        h1, h2, h3 = (total if limits.internal else held).tolist()
        torque = limits.inertia @ r[7:] + np.array((w2 * h3 - w3 * h2, w3 * h1 - w1 * h3, w1 * h2 - w2 * h1))
        peaks[0] = max(peaks[0], float(np.abs(limits.torque @ torque).max()))
        if len(limits.momentum):
            peaks[1] = max(peaks[1], float(np.abs(limits.momentum @ (total - held) + limits.null).max()))
        if limits.rate < inf:
            peaks[2] = max(peaks[2], float(np.sqrt(w @ w)) / limits.rate)
        return torque

    for begin, end in zip(reference.t[:-1].tolist(), reference.t[1:].tolist(), strict=True):
        step = (end - begin) / SUBSTEPS
        inset = 1e-9 * (end - begin)  # the acceleration may be discontinuous between pieces
        for n in range(SUBSTEPS):
            at = begin + n * step
            first = needed(at + inset if n == 0 else at)
            middle = needed(at + 0.5 * step)
            last = needed(end - inset if n == SUBSTEPS - 1 else at + step)
            k1 = slopes(limits, x, first)
            k2 = slopes(limits, x + 0.5 * step * k1, middle)
            k3 = slopes(limits, x + 0.5 * step * k2, middle)
            k4 = slopes(limits, x + step * k3, last)
            x = x + step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
            x[:4] /= np.sqrt(x[:4] @ x[:4])
            attitudes.append(x[:4])
    path = np.array(attitudes)
    return SlewCheck(
        torque=float(peaks[0]),
        momentum=float(peaks[1]),
        rate=float(peaks[2]),
        clearance=np.array([cone.least_clearance(path) for cone in problem.cones]),
        miss=float(np.linalg.norm(problem.misses(x[:4]))),
        end_rate=float(np.linalg.norm(x[4:])),
    )
