"""Discrete periodic Riccati equation, by a structure-preserving doubling algorithm.

P[k] = Q + F[k]' P[k+1] F[k] - F[k]' P[k+1] G[k] (R + G[k]' P[k+1] G[k])^-1 G[k]' P[k+1] F[k],   P[k + N] = P[k].

With H = G R^-1 G', one step is P[k] = Q + F' P[k+1] (I + H P[k+1])^-1 F. The steps of a period combine to one step of
the same form, whose matrices doubling combines with themselves until they are stationary (Chu, Fan, Lin & Wang 2004,
Int. J. Control 77, 767). The convergence is quadratic even for multipliers close to the unit circle, where the
recursion over periods would take hundreds of them. A recursion over one period then gives every P and the gains.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import DesignError
from ...plant.one_thread import one_thread
from ..loop.orbit_loop import product

Array = NDArray[np.float64]

DOUBLINGS = 60  # 2^60 periods: a loop that has not converged then has a multiplier of 1 to double precision
SETTLED = 1e-14  # relative change of the solution at which the doubling ends
SLOWEST = 1e-9  # smallest decay of the logarithm of a state over the period: below it, rounding imitates a decay
CLOSED = 1e-8
"""Largest relative difference between the solutions at the ends of the period."""


@one_thread
def periodic_regulator(F: Array, G: Array, Q: Array, *, R: Array) -> tuple[Array, Array]:
    """Return the solutions and gains of the periodic regulator, u[k] = -K[k] x[k].

    F (N, n, n), G (N, n, m): plant x[k+1] = F[k] x[k] + G[k] u[k]; Q (n, n), R (m, m): weights on states and inputs,
    the same for every sample -> P (N, n, n), with the cost x' P[k] x from sample k on, and K (N, m, n). Raises
    DesignError when there is no stabilising periodic solution.
    """
    size = float(np.abs(Q).max())  # scaling the cost keeps the numbers near 1
    on_states, on_inputs = 0.5 * (Q + Q.T) / size, R / size
    reach = G @ np.linalg.solve(on_inputs, G.transpose(0, 2, 1))
    first = _stationary(_combined(_Step(F, reach, np.broadcast_to(on_states, F.shape))))
    solutions, gains = np.empty_like(F), np.empty((len(F), G.shape[2], F.shape[1]))
    later = first
    for k in range(len(F) - 1, -1, -1):
        right = G[k].T @ later
        gains[k] = np.linalg.solve(on_inputs + right @ G[k], right @ F[k])
        closed = F[k] - G[k] @ gains[k]
        later = _symmetric(on_states + closed.T @ later @ closed + gains[k].T @ on_inputs @ gains[k])
        solutions[k] = later
    closes = float(np.abs(later - first).max()) <= CLOSED * float(np.abs(first).max())
    if not (closes and product(F - G @ gains).largest() < -SLOWEST):
        raise _unsolvable()
    return solutions * size, gains


class _Step(NamedTuple):
    """P = Q + F' P+ (I + H P+)^-1 F, over one sample or several: matrices (..., n, n)."""

    F: Array
    H: Array
    Q: Array


def _combined(steps: _Step) -> _Step:
    """Return the step over all samples of steps (N, n, n)."""
    while len(steps.F) > 1:
        end = len(steps.F) // 2 * 2
        pairs = _joined(*(_Step(*(each[k:end:2] for each in steps)) for k in (0, 1)))
        steps = _Step(*(np.concatenate((pair, each[end:])) for pair, each in zip(pairs, steps, strict=True)))
    return _Step(*(each[0] for each in steps))


def _joined(one: _Step, two: _Step) -> _Step:
    """Return the step that takes `one`, then `two` in time."""
    n = one.F.shape[-1]
    left = np.linalg.solve(np.eye(n) + one.H @ two.Q, np.concatenate((one.F, one.H), axis=-1))
    forward, spread = left[..., :n], left[..., n:]
    return _Step(
        F=two.F @ forward,
        H=_symmetric(two.H + two.F @ spread @ np.swapaxes(two.F, -1, -2)),
        Q=_symmetric(one.Q + np.swapaxes(one.F, -1, -2) @ two.Q @ forward),
    )


def _stationary(step: _Step) -> Array:
    """Return the stabilising solution of P = Q + F' P (I + H P)^-1 F."""
    for _ in range(DOUBLINGS):
        with np.errstate(all="ignore"):
            doubled = _joined(step, step)
        if not np.isfinite(doubled.Q).all():
            break
        if float(np.abs(doubled.Q - step.Q).max()) <= SETTLED * float(np.abs(doubled.Q).max()):
            return doubled.Q
        step = doubled
    raise _unsolvable()


def _symmetric(matrix: Array) -> Array:
    return 0.5 * (matrix + np.swapaxes(matrix, -1, -2))


def _unsolvable() -> DesignError:
    return DesignError(
        "the periodic Riccati equation has no stabilising solution: over the period, no input controls a motion that "
        "does not decay, such as a rotation about a field of constant direction; use an orbit along which the "
        "direction of the field changes, or other actuators"
    )
