"""Errors of a loop under noise: absolute, mean and relative errors and spectral density, by source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from ....plant.brief import brief
from ....plant.frozen import frozen_results
from ..noise_loop import Drawn, NoiseLoop
from ..schur_system import on_grid

Array = NDArray[np.float64]

ROUNDING = 1e-18  # relative error of a variance
FORGOTTEN = 1e-20
POINTS = 400  # number of frequencies of a spectral density


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class ErrorBudget:
    """Standard deviations of an error, rad, by source and body axis; inf if the error grows without bound.

    Attributes
    ----------
    absolute : numpy.ndarray, shape (s, 3)
        Error at any time: APE for pointing, AKE for knowledge.
    mean : numpy.ndarray, shape (s, 3)
        Mean of the error over the window: MPE, MKE.
    relative : numpy.ndarray, shape (s, 3)
        Difference between the error at a time and its mean over the window, averaged over the window: RPE, RKE.
    """

    absolute: Array
    mean: Array
    relative: Array

    __repr__ = brief

    def total(self) -> Array:
        """Return the absolute, mean and relative errors of all sources combined.

        Returns
        -------
        numpy.ndarray, shape (3, 3)
            A row for each error, a column for each axis, rad.
        """
        return np.sqrt(np.array([(each**2).sum(axis=0) for each in (self.absolute, self.mean, self.relative)]))


def loop_errors(loop: NoiseLoop, many: int) -> tuple[ErrorBudget, ErrorBudget, Array]:
    """Return pointing and knowledge budgets, and the command's sigma; many: periods in a window."""
    names = list(loop.sources)
    absolute, mean = np.zeros((len(names), 9)), np.zeros((len(names), 9))
    averaged = loop.C.mean(axis=0)
    lasting = np.zeros(
        (len(names), len(loop.F), 9)
    )  # for each source: covariance of the state with the mean one sample earlier
    X = state_covariances(loop.F, [loop.sources[name].G for name in names])
    for n, name in enumerate(names):
        drawn = loop.sources[name]
        if drawn.constant:
            rests = np.linalg.solve(np.eye(len(loop.F)) - loop.F, drawn.G)
            absolute[n] = ((loop.C @ rests + drawn.D) ** 2).sum(axis=2).mean(axis=0)
            mean[n] = ((averaged @ rests + drawn.D.mean(axis=0)) ** 2).sum(axis=1)
            continue
        absolute[n] = np.mean([np.diag(c @ X[n] @ c.T) for c in loop.C], axis=0) + (drawn.D**2).sum(axis=2).mean(axis=0)
        through = drawn.D.mean(axis=0)
        mean[n] = (np.diag(averaged @ X[n] @ averaged.T) + (through**2).sum(axis=1)) / many
        lasting[n] = loop.F @ X[n] @ averaged.T + drawn.G @ through.T
    mean += 2.0 / many**2 * np.einsum("in,sni->si", averaged @ _falling_sum(loop.F, many - 1), lasting)
    for each in (absolute, mean):  # 1e-9 of the total is rounding after cancellation
        each[each < ROUNDING * np.abs(each).sum(axis=0)] = 0.0
    relative = np.maximum(absolute - mean, 0.0)
    relative[[loop.sources[name].constant and len(loop.C) == 1 for name in names]] = 0.0
    grows = np.array([loop.sources[name].grows for name in names])
    for each in (absolute, mean, relative):
        each[grows] = inf
    parts = [np.sqrt(each) for each in (absolute, mean, relative)]
    pointing, knowledge = (
        ErrorBudget(absolute=parts[0][:, at], mean=parts[1][:, at], relative=parts[2][:, at])
        for at in (slice(0, 3), slice(3, 6))
    )
    return pointing, knowledge, np.sqrt(absolute[:, 6:].sum(axis=0))


def _falling_sum(F: Array, many: int) -> Array:
    """Return the sum T(many) of (many - k) F^k over k < many, from the binary digits of `many`.

    With S(a), the sum of F^k over k < a: T(a + b) = T(a) + b S(a) + F^a T(b).
    """
    one = np.eye(len(F))
    power, s, t, n = one, np.zeros_like(F), np.zeros_like(F), 0  # F^n, S(n), T(n), n
    for digit in f"{many:b}":
        s, t, power, n = s + power @ s, t + n * s + power @ t, power @ power, 2 * n
        if digit == "1":
            s, t, power, n = one + F @ s, (n + 1) * one + F @ t, F @ power, n + 1
    return t


def state_covariances(F: Array, G: Sequence[Array]) -> Array:
    """Return the solution X of X = F X F' + G G' for each source, by doubling (Smith 1968)."""
    found = np.array([each @ each.T for each in G])
    power = F
    while len(F) and float(np.abs(power).max()) > FORGOTTEN:
        found = found + power @ found @ power.T
        power = power @ power
    return found


def error_densities(loop: NoiseLoop) -> tuple[Array, Array]:
    """Return frequencies and one-sided pointing error densities, averaged over the samples of a period."""
    p = len(loop.C)
    poles = np.linalg.eigvals(loop.F)
    slow = np.abs(np.log(poles[np.abs(poles) > 1e-6])).min(initial=1.0) / p
    angles: Array = np.asarray(np.geomspace(min(1e-2 * float(slow), 1e-2), np.pi, POINTS), dtype=np.float64)
    waves = np.exp(-1j * np.outer(angles, np.arange(p)))
    names: Mapping[str, Drawn] = loop.sources
    found = np.zeros((len(names), 3, len(angles)))
    G = np.hstack([each.G for each in names.values()])
    D = np.concatenate([each.D for each in names.values()], axis=2)[:, :3]
    ends = np.cumsum([0, *(each.G.shape[1] for each in names.values())])
    C = loop.C[:, :3].reshape(3 * p, -1)
    # transposed, because a sample has fewer error rows (three) than noise columns
    response = on_grid(loop.F.T, C.T, G.T, p * angles)
    through = response.reshape(len(angles), -1, p, 3)
    error = np.einsum("mp,mgpi->mig", waves, through + np.moveaxis(D, 2, 0)) / p
    for n, each in enumerate(names.values()):
        if not each.constant:
            size = np.abs(error[:, :, ends[n] : ends[n + 1]]) ** 2
            found[n] = 2.0 * p * loop.sample * size.sum(axis=2).T
    return angles / (2.0 * np.pi * loop.sample), found
