"""Tuning goal that keeps the covariance reported by an attitude estimator true."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import DesignError
from ...loop.analysis.estimate_consistency import covariances_of, relative_modes
from ...loop.sampled_loop import SampledLoop
from .goals import Goal
from .point import STEP, Point

Array = NDArray[np.float64]


@dataclass(eq=False, kw_only=True)
class EstimateConsistency(Goal):
    """Bound on the ratio of actual to reported variance of the attitude or bias estimate, along every direction.

    Parameters
    ----------
    bound : float
        Largest ratio if `upper`, otherwise smallest ratio.
    upper : bool
        Whether the bound is an upper bound: an estimator may not report too small a covariance. A lower bound limits
        the covariance that it reports in excess of the actual one.
    of_bias : bool
        Whether the variance is that of the gyro bias, instead of the attitude.
    every_model : bool
        Whether every model must meet the goal; by default only the nominal one, whose noise the estimator assumes.

    Notes
    -----
    The ratios are the generalised eigenvalues of both covariances, see `error_covariances` and `bias_covariances`.
    Central differences of both matrices and the eigenvectors give the gradient, with a relative error of 1e-7.
    """

    at_most: ClassVar[bool] = True
    bound: float
    upper: bool = True
    of_bias: bool = False
    every_model: bool = False

    def _rows(self, point: Point, model: int, gradients: bool) -> list[tuple[float, Array | None]]:
        """Return ratio / bound for each direction, or bound / ratio for a lower bound, at the law's worst sample."""
        assert point.loops is not None  # noqa: S101 # a point without loops has no rows
        actual, reported = covariances_of(point.loops[model], of_bias=self.of_bias)
        if not np.isfinite(actual).all():
            raise DesignError("the error of the estimate grows without bound, so its covariance has no steady state")
        modes = [relative_modes(*each) for each in zip(actual, reported, strict=True)]
        ratios = np.array([values for values, _ in modes])
        k = int(np.argmax(ratios.max(axis=1)) if self.upper else np.argmin(ratios.min(axis=1)))
        values, vectors = modes[k]
        slopes = np.zeros((3, len(point.x)))
        if gradients:
            for n, pair in enumerate(point.beside(model)):
                change, moved = self._difference(*pair, k)
                slopes[:, n] = [v @ (change - ratio * moved) @ v for ratio, v in zip(values, vectors.T, strict=True)]
        if self.upper:
            values, slopes = values / self.bound, slopes / self.bound
        else:
            values, slopes = self.bound / values, -self.bound / values[:, None] ** 2 * slopes
        return [(float(value), slope if gradients else None) for value, slope in zip(values, slopes, strict=True)]

    def _difference(self, more: SampledLoop, less: SampledLoop, k: int) -> tuple[Array, Array]:
        """Return the derivatives of the actual and of the reported covariance at the law's sample k."""
        after, before = (covariances_of(each, of_bias=self.of_bias) for each in (more, less))
        return (after[0][k] - before[0][k]) / (2.0 * STEP), (after[1][k] - before[1][k]) / (2.0 * STEP)
