"""Output-error estimation by Gauss-Newton steps: fits simulated to recorded measurements.

The horizon grows in stages. The first stage uses only the beginning of the record, where wrong parameters have not yet
put the simulated motion out of phase; each following stage doubles the horizon. Each stage is single shooting: no
intermediate states are estimated, and the last stage is the maximum-likelihood estimate from the whole record.
Sensitivities are central differences of residuals in the neighbourhood of a point. If the model supplies them, the
runs behind these residuals are extrapolated along exact tangents; otherwise they are simulated in one batch. At the end
the sensitivities are compared with differences that use twice the step.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ....plant.brief import brief
from ....plant.errors import PolhodeError
from ....plant.frozen import frozen_results

Array = NDArray[np.float64]

STEP = 1e-5  # step of the central differences, relative to the scale of a parameter
SHORT = 2.0**-6  # shortest horizon as a fraction of the record
LEAST = 10  # number of residuals per parameter on the shortest horizon
STEPS, LAST_STEPS = 15, 30  # largest number of steps in a stage, and in the last stage
CLOSE = 5.0  # rms of whitened residuals below which the whole record is used from the first stage
LENGTHS = np.array((1.0, 0.5, 0.2, 0.05))  # trial step lengths, relative to the full step
DAMPING = np.array((1e2, 1e4, 1e6, 1e8))  # damping of the later trials, added to the scaled information's eigenvalues
DONE = 1e-3  # squared step length in standard deviations, per parameter, below which the last stage has converged
STUCK = 0.1  # like DONE, but for an earlier stage, or if no trial improves the fit
SLOW = 1e-3  # relative improvement of the fit in one step, below which an earlier stage ends
OPEN = 0.1  # standard deviation, relative to the scales, above which a direction is not estimated


class Model(Protocol):
    """A model with its telemetry, in the form that `fit_output_error` uses."""

    @property
    def scale(self) -> Array:
        """Typical magnitudes (p,) of the parameters."""
        ...

    def residuals(self, points: Array, share: float) -> list[Array]:
        """Return the whitened residuals (m, n, c) of each sensor for m parameter vectors.

        points (m, p): one parameter vector per run; share: fraction of the record, from its start. The residuals of a
        run that cannot be simulated are nan.
        """
        ...

    def residuals_around(self, x: Array, step: Array, share: float) -> tuple[list[Array], str]:
        """Return the residuals as `residuals`, at x and at x + step and x - step along each axis, 2 p + 1 in all.

        step (p,): displacement of each parameter. The string states why the runs at the displaced points were
        simulated; it is empty if they were extrapolated along exact tangents.
        """
        ...


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class Fit:
    """Result of `fit_output_error`.

    Attributes
    ----------
    x : numpy.ndarray, shape (p,)
        Parameters.
    residuals : tuple of numpy.ndarray, shape (n, c)
        Whitened residuals of each sensor.
    jacobian : numpy.ndarray, shape (total, p)
        Sensitivities of all residuals, row by row.
    coarse : numpy.ndarray, shape (total, p)
        Sensitivities from differences with twice the step, to estimate the error of `jacobian`.
    steps : int
        Number of Gauss-Newton steps.
    converged : bool
        Whether the last step was small relative to the standard deviations.
    simulated : str
        Why the sensitivities are differences of simulated runs; empty if the runs have exact tangents.
    """

    x: Array
    residuals: tuple[Array, ...]
    jacobian: Array
    coarse: Array
    steps: int
    converged: bool
    simulated: str

    __repr__ = brief


def fit_output_error(model: Model, start: Array, *, progress: Callable[[float], None] | None = None) -> Fit:
    """Estimate the parameters of a model from its telemetry.

    model: model and telemetry; start (p,): initial parameters; progress: called with the completed fraction.
    Raises PolhodeError when the model cannot be simulated with the initial parameters, even over the shortest horizon.
    """
    x: Array = np.array(start, dtype=np.float64)
    done, converged = 0, False
    shares = _shares(model, x)
    for number, share in enumerate(shares):
        last = number == len(shares) - 1
        for _ in range(LAST_STEPS if last else STEPS):
            x, length, gain = _stepped(model, x, share)
            done += 1
            better = gain > (0.0 if last else SLOW)
            converged = length < (DONE if better and last else STUCK) * x.size
            if progress is not None:
                progress((number + (0.5 if last else 0.0)) / len(shares))
            if converged or not better:
                break
    rows, jacobian, simulated = linearised(model, x, 1.0, STEP)
    _, coarse, _ = linearised(model, x, 1.0, 2.0 * STEP)
    return Fit(
        x=x, residuals=tuple(each.reshape(each.shape[1:]) for each in rows), jacobian=jacobian, coarse=coarse,
        steps=done, converged=converged, simulated=simulated,
    )  # fmt: skip


def _shares(model: Model, x: Array) -> list[float]:
    """Return the horizons of the stages as fractions of the record."""
    whole = _flat(model.residuals(x[None], 1.0))[0]
    if np.isfinite(whole).all() and float(whole @ whole) < CLOSE**2 * whole.size:
        return [1.0]
    least = max(SHORT, min(1.0, LEAST * x.size / whole.size))
    count = ceil(log2(1.0 / least))
    return [2.0**-k for k in range(count, -1, -1)]


def _stepped(model: Model, x: Array, share: float) -> tuple[Array, float, float]:
    """Return parameters after a step, its squared length in sigmas, and the relative improvement."""
    rows, jacobian, _ = linearised(model, x, share, STEP)
    residual = _flat(rows)[0]
    cost = float(residual @ residual)
    scaled = jacobian * model.scale
    values, vectors = np.linalg.eigh(scaled.T @ scaled)
    seen = values > 1.0 / OPEN**2
    gradient = vectors.T @ (scaled.T @ residual)
    along = np.where(seen, -gradient / np.where(seen, values, 1.0), 0.0)
    length = float((values * along**2).sum())
    damped = -gradient / (values + DAMPING[:, None])
    steps = np.concatenate((LENGTHS[:, None] * along, damped[values[-1] > DAMPING])) @ vectors.T
    rows = _trials(model, x, steps, share, residual.size)
    # second-order correction: the part of each trial's change of residuals that the sensitivities do not predict is
    # removed with the same sensitivities, so that steps follow a curved valley (geodesic acceleration)
    inverse = vectors / np.where(seen, values, np.inf) @ vectors.T
    usable = np.isfinite(rows).all(axis=1)
    bent = steps[usable] - (rows[usable] - residual - steps[usable] @ scaled.T) @ scaled @ inverse
    steps = np.concatenate((steps, bent))
    costs = (np.concatenate((rows, _trials(model, x, bent, share, residual.size))) ** 2).sum(axis=1)
    costs = np.where(np.isfinite(costs), costs, np.inf)
    best = int(np.argmin(costs))
    if costs[best] >= cost:
        return x, length, 0.0
    return x + steps[best] * model.scale, length, 1.0 - float(costs[best]) / cost


def _trials(model: Model, x: Array, steps: Array, share: float, total: int) -> Array:
    """Return the residuals (m, total) after each of m steps (m, p), relative to the scales.

    The residuals of a step to an invalid model are nan.
    """
    if len(steps):
        try:
            return _flat(model.residuals(x + steps * model.scale, share))
        except PolhodeError:  # no step gives a valid model
            pass
    return np.full((len(steps), total), np.nan)


def linearised(model: Model, x: Array, share: float = 1.0, step: float = STEP) -> tuple[list[Array], Array, str]:
    """Return the residuals at x, their sensitivities (total, p), and why runs were simulated for these, if they were.

    step: relative to the scale of each parameter.
    """
    h = step * model.scale
    rows, simulated = model.residuals_around(x, h, share)
    flat = _flat(rows)
    if not np.isfinite(flat).all():
        raise PolhodeError(
            f"the model could not be simulated over the first {100 * share:g} % of the telemetry with the current "
            "parameters; start from values closer to the true ones"
        )
    p = x.size
    return [each[:1] for each in rows], ((flat[1 : p + 1] - flat[p + 1 :]) / (2.0 * h)[:, None]).T, simulated


def _flat(rows: Sequence[Array]) -> Array:
    """Return the residuals of all sensors, with one row per run."""
    return np.concatenate([each.reshape(len(each), -1) for each in rows], axis=1)
