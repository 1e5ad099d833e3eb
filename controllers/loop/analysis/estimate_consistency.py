"""Consistency of an attitude estimator in its loop: actual error covariance against the covariance that it reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import DesignError
from ....plant.one_thread import one_thread
from ..noise_loop import NoiseLoop, bias_loop
from .loop_errors import state_covariances

if TYPE_CHECKING:
    from ..sampled_loop import SampledLoop

Array = NDArray[np.float64]


@one_thread
def error_covariances(loop: SampledLoop) -> tuple[Array, Array]:
    """Return the actual and the reported covariance of the attitude estimate in steady state.

    The actual covariance follows from the noise of the sensor blocks through the gains of the estimator (a discrete
    Lyapunov equation), whatever noise the estimator assumes. Both apply to the estimate that the law reads at its
    samples, as small rotations about the body axes. If both agree, the mean NEES of the attitude is 3. With a delayed
    gyro, both include the propagation over the delay, but only the actual one the acceleration by the law meanwhile.

    loop: the loop with its blocks -> actual and reported covariance (p, 3, 3) at the p samples in the common period of
    the loop, rad^2. An axis whose error grows without bound has an infinite variance. Raises DesignError if the loop is
    not stable, or the law does not read its attitude from an estimator that reports a covariance.
    """
    noise = loop.under_noise(np.zeros(3))
    if noise.reported is None:
        raise DesignError(
            "the law reads its attitude from no estimator that reports a covariance, so there is no consistency to "
            "check; let the law use a Kalman filter, such as mekf"
        )
    return _actual(noise, slice(3, 6)), noise.reported


@one_thread
def bias_covariances(loop: SampledLoop) -> tuple[Array, Array] | None:
    """Return the actual and the reported covariance of the gyro bias estimate in steady state.

    As `error_covariances`, for the bias minus its estimate at the samples of the law. The bias is the sum of the bias
    at switch-on, rate random walk and flicker of the gyro.

    loop: as in `error_covariances` -> covariances (p, 3, 3), (rad/s)^2; None for an estimator that reports none or has
    a delayed gyro, whose newest reading is older than the present bias.
    """
    noise = bias_loop(loop.noise_system(np.zeros(3)))
    if noise is None or noise.reported is None:
        return None
    return _actual(noise, slice(0, 3)), noise.reported


def covariances_of(loop: SampledLoop, *, of_bias: bool) -> tuple[Array, Array]:
    """Return actual and reported covariance of the attitude or gyro bias; raises DesignError if there is none."""
    if not of_bias:
        return error_covariances(loop)
    found = bias_covariances(loop)
    if found is None:
        raise DesignError(
            "the law reads its attitude from no estimator that reports a covariance of its gyro bias, or its gyro is "
            "delayed, so there is no consistency of the bias to check"
        )
    return found


def _actual(noise: NoiseLoop, rows: slice) -> Array:
    """Return the covariance (p, 3, 3) of some errors of a loop; an error that grows has an infinite variance."""
    C, drawn = noise.C[:, rows], list(noise.sources.values())
    white = [each for each in drawn if not each.constant]
    X = state_covariances(noise.F, [each.G for each in white]).sum(axis=0) if white else np.zeros_like(noise.F)
    actual = C @ X @ np.swapaxes(C, 1, 2)
    for each in drawn:
        through = each.D[:, rows]
        if each.constant:
            through = C @ np.linalg.solve(np.eye(len(noise.F)) - noise.F, each.G) + through
        actual = actual + through @ np.swapaxes(through, 1, 2)
    grows = np.any([each.grows[rows] for each in drawn], axis=0)
    actual[:, grows, grows] = np.inf
    return np.asarray(actual)


def reports_covariance(loop: SampledLoop) -> bool:
    """Return whether the law of a loop reads its attitude from an estimator that reports a covariance."""
    return loop.attitude and loop.noise_system(np.zeros(3)).reported is not None


def consistency_ratios(loop: SampledLoop, *, of_bias: bool = False) -> Array:
    """Return the ratios of actual to reported variance along the principal directions, in ascending order.

    The ratios are the generalised eigenvalues of both covariances; the ratio about any axis, such as a body axis, lies
    between the smallest and the largest.

    loop: as in `error_covariances`, which also states the errors; of_bias: whether the ratios are those of the gyro
    bias instead of the attitude -> ratios (p, 3); infinite if an error grows.
    """
    actual, reported = covariances_of(loop, of_bias=of_bias)
    if not np.isfinite(actual).all():
        return np.full(actual.shape[:2], np.inf)
    return np.array([relative_modes(*each)[0] for each in zip(actual, reported, strict=True)])


def relative_modes(actual: Array, reported: Array) -> tuple[Array, Array]:
    """Return generalised eigenvalues, ascending, and eigenvectors v as columns with v' reported v = 1.

    actual, reported: covariances (3, 3).
    """
    root = np.linalg.cholesky(reported)
    half = np.linalg.solve(root, np.linalg.solve(root, actual).T)
    values, vectors = np.linalg.eigh(0.5 * (half + half.T))
    return values, np.asarray(np.linalg.solve(root.T, vectors), dtype=np.float64)
