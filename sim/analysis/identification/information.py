"""Fisher information of estimated parameters: standard deviations, correlations, observability."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ....plant.brief import brief
from ....plant.frozen import frozen_results

Array = NDArray[np.float64]

NEGLIGIBLE = 0.2  # fraction of the largest weight, below which the description of a combination omits a parameter
SMALLEST = 1e-13  # eigenvalue, relative to the largest, below which a nuisance parameter is undetermined


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class Combination:
    """A direction in the space of the parameters, each divided by its scale.

    Attributes
    ----------
    weights : numpy.ndarray, shape (k,)
        Unit vector.
    sigma : float
        Standard deviation along this direction, relative to the scales; inf if the data do not depend on it.
    names : tuple of str
        Names of the parameters.
    """

    weights: Array
    sigma: float
    names: tuple[str, ...]

    __repr__ = brief

    def __str__(self) -> str:
        """Return the combination as a string: weights and parameters, omitting negligible weights."""
        largest = float(np.abs(self.weights).max())
        order = [int(n) for n in np.argsort(-np.abs(self.weights)) if abs(self.weights[n]) >= NEGLIGIBLE * largest]
        sign = 1.0 if self.weights[order[0]] > 0.0 else -1.0
        parts = [(sign * float(self.weights[n]), self.names[n]) for n in order]
        if len(parts) == 1:
            return parts[0][1]
        first = f"{parts[0][0]:.2f} {parts[0][1]}"
        return first + "".join(f" {'-' if w < 0.0 else '+'} {abs(w):.2f} {name}" for w, name in parts[1:])


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class Information:
    """Fisher information of the parameters after elimination of nuisance parameters.

    Attributes
    ----------
    names : tuple of str
        Names of the parameters.
    matrix : numpy.ndarray, shape (k, k)
        Information matrix in the units of the parameters.
    scale : numpy.ndarray, shape (k,)
        Typical magnitude of each parameter, in its unit. With a standard deviation of this magnitude the parameter is
        undetermined.
    """

    names: tuple[str, ...]
    matrix: Array
    scale: Array

    __repr__ = brief

    @cached_property
    def _scaled(self) -> tuple[Array, Array]:
        """Return the eigenvalues, ascending, and eigenvectors of the scaled information matrix."""
        values, vectors = np.linalg.eigh(self.scale[:, None] * self.matrix * self.scale)
        return np.maximum(values, 0.0), vectors

    @property
    def combinations(self) -> tuple[Combination, ...]:
        """Principal directions of the scaled information matrix, in descending order of uncertainty."""
        values, vectors = self._scaled
        return tuple(
            Combination(
                weights=vectors[:, n], sigma=float(1.0 / np.sqrt(each)) if each > 0.0 else np.inf, names=self.names
            )
            for n, each in enumerate(values)
        )

    def unobservable(self, limit: float) -> tuple[Combination, ...]:
        """Return the combinations whose relative standard deviation exceeds a limit."""
        return tuple(each for each in self.combinations if each.sigma > limit)

    @cached_property
    def covariance(self) -> Array:
        """Inverse (k, k) of the information matrix, with infinite variances for undetermined parameters."""
        values, vectors = self._scaled
        with np.errstate(divide="ignore", invalid="ignore"):
            small = values <= 0.0
            inverse = np.where(small, 0.0, 1.0 / np.where(small, 1.0, values))
        found = (vectors * inverse) @ vectors.T
        open_ = (vectors[:, small] ** 2).sum(axis=1) > 1e-6
        found[open_, open_] = np.inf
        return self.scale[:, None] * found * self.scale

    @property
    def sigma(self) -> Array:
        """Standard deviations (k,) of the parameters at the Cramer-Rao bound."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def correlation(self) -> Array:
        """Correlations (k, k) of the parameters; nan for undetermined parameters."""
        sigma = self.sigma
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.covariance / np.outer(sigma, sigma)


def marginal(matrix: Array, kept: Sequence[int], scale: Array) -> Array:
    """Return the information of some parameters when all are estimated (Schur complement).

    matrix (p, p): information of all parameters; kept: indices of the selected parameters; scale (p,): typical
    magnitudes, used for the rank of the remaining part -> (k, k).
    """
    rest = [n for n in range(len(matrix)) if n not in set(kept)]
    if not rest:
        return matrix[np.ix_(kept, kept)]
    scaled = scale[:, None] * matrix * scale
    inner = np.linalg.pinv(scaled[np.ix_(rest, rest)], rcond=SMALLEST, hermitian=True)
    cross = scaled[np.ix_(kept, rest)]
    found = scaled[np.ix_(kept, kept)] - cross @ inner @ cross.T
    size = scale[list(kept)]
    return 0.5 * (found + found.T) / size[:, None] / size
