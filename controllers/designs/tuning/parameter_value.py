"""Tuning goal for a function of the parameters themselves, such as a metric of a simulated run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import DesignError
from .goals import Goal
from .point import STEP, Point

Array = NDArray[np.float64]

LEAST = 1e-12  # smallest value of a metric with a lower bound


@dataclass(eq=False, kw_only=True)
class ParameterValue(Goal):
    """Bound on a function of the parameters.

    Parameters
    ----------
    bound : float
        Positive bound.
    function : callable
        `function(points)` returns the value at each of several sets of parameters, NaN where the function is undefined.
        It is called once for all neighbours of a point, so that their runs can be a batch.
    around : callable, optional
        `around(x, step)` returns the values at x + step and x - step along each axis in turn, for the gradient. Without
        it, these are computed by `function`, and the gradient is a central difference.
    upper : bool
        Whether the bound is an upper bound.
    every_model : bool
        Whether the rows are repeated for every model; they are the same for all.
    """

    bound: float
    function: Callable[[Sequence[Array]], Sequence[float]]
    upper: bool = True
    every_model: bool = False
    around: Callable[[Array, float], Sequence[float]] | None = None

    def _rows(self, point: Point, model: int, gradients: bool) -> list[tuple[float, Array | None]]:
        """Return value / bound, or bound / value for a lower bound."""
        value = self._relative(self.function([point.x]))[0]
        if not np.isfinite(value):
            raise DesignError("the function has no value at these parameters")
        if not gradients:
            return [(value, None)]
        centre = point.inside(STEP)  # a parameter does not change beyond its bound
        if self.around is None:
            shifts = STEP * np.eye(len(centre))
            values = self.function([centre + sign * each for each in shifts for sign in (1.0, -1.0)])
        else:
            values = self.around(centre, STEP)
        around = self._relative(values)
        slope = (around[0::2] - around[1::2]) / (2.0 * STEP)
        # a neighbour where the function is undefined gives no slope; the search then relies on the other parameters
        return [(value, np.where(np.isfinite(slope), slope, 0.0))]

    def _relative(self, values: Sequence[float]) -> Array:
        found = np.asarray(values, dtype=np.float64)
        return np.asarray(found / self.bound if self.upper else self.bound / np.maximum(found, LEAST))
